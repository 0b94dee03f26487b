"""The warm half of the OCR engine: `python -m cluster.engines.ocr.server <home>`.

`<home>/ocr.sock` takes one JSON line (width, height, language, turn) and the raw RGB pixels, and answers with
one JSON line. One picture at a time: the models use every core.
"""

import json
import socket
import sys
from pathlib import Path
from typing import Any

from cluster.engines.ocr import client as ocr
from cluster.engines.ocr.engines import Engines, engines
from cluster.settings import settings

PIXELS = 4 * ocr.READ_PIXELS


def serve(home: Path) -> None:
    """Load the models, read one small picture, then serve."""
    reading = engines(settings(), home)
    reading.warm()
    path = home / "ocr.sock"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection:
                _serve_one(reading, connection)


def _serve_one(reading: Engines, connection: socket.socket) -> None:
    try:
        with connection.makefile("rb") as stream:
            head = stream.readline(1000)
            if not head:
                return
            answer = _read(reading, json.loads(head), stream)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    try:
        connection.sendall(json.dumps(answer).encode() + b"\n")
    except OSError:
        return  # the client is gone; the next one is served


def _read(reading: Engines, order: dict[str, Any], stream: Any) -> dict[str, Any]:
    import numpy

    width, height = int(order["width"]), int(order["height"])
    if not 0 < width * height <= PIXELS:
        raise ValueError("picture size")
    pixels = stream.read(width * height * 3)
    picture = numpy.frombuffer(pixels, numpy.uint8).reshape(height, width, 3)
    read = reading.read(picture, order["language"], turn=order["turn"])
    return {
        "width": read.found.picture.shape[1],
        "height": read.found.picture.shape[0],
        "turned": read.found.turned,
        "down": read.found.down,
        "engines": read.engines,
        "lines": [[line.box, line.text, round(line.score, 4), line.passed_over] for line in read.lines],
    }


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
