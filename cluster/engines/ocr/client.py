"""OCR: text of a picture through the warm reader of this sandbox.

    page = ocr.read(image, language="auto")     # PIL image -> Page(lines in reading order come from layout.order)

One interface, `Reader`, with two engines behind it: rapid.py (models inside its package; the default) and
easy.py (EasyOCR, the extra); engines.py chooses. The process itself is server.py, started once a sandbox (`command`,
`environment`). Only raw pixels go in: whatever opens an untrusted file does so in the part's own process.
"""

import json
import socket
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line, Page
from cluster.engines.layout.turning import turned
from cluster.engines.ocr.reader import Language
from cluster.engines.run.engine import connect
from cluster.problem import FaultProblem

if TYPE_CHECKING:
    from PIL.Image import Image

#: The engine's own folder: the sandbox keeps it between parts.
HOME = Path("/tmp/engine")  # noqa: S108 - the sandbox's own /tmp
_READY_SECONDS = 50
#: More pixels than an A4 page at 350 dpi has add time and no letters.
READ_PIXELS = 12_000_000

#: A picture lower or narrower than this (pixels) holds no letter that can be read.
SMALLEST = 8


def command() -> list[str]:
    """What starts the engine."""
    return [sys.executable, "-m", "cluster.engines.ocr.server", str(HOME)]


def environment() -> dict[str, str]:
    """The engine's variables, of which it needs none; its folder is made."""
    HOME.mkdir(parents=True, exist_ok=True)
    return {}


def wait_ready(deadline: float) -> None:
    """Return once pictures are taken; FaultProblem after `deadline` (time.monotonic)."""
    connect(HOME / "ocr.sock", deadline).close()


def read(image: "Image", language: Language = "auto", *, turn: bool = True) -> Page:
    """Read `image`; with `turn` a page lying on its side or head is turned first. Raises engine_unavailable."""
    if min(image.size) < SMALLEST:
        return Page(*image.size, 0, ())
    small = reduced(image.convert("RGB"))
    order = {"width": small.width, "height": small.height, "language": language, "turn": turn}
    with connect(HOME / "ocr.sock", time.monotonic() + _READY_SECONDS) as connection:
        answer = _ask(connection, json.dumps(order).encode() + b"\n", small.tobytes())
    if "lines" not in answer:
        raise FaultProblem(f"the OCR engine failed: {answer.get('error')}", "engine_unavailable")
    return _page(answer, image.width / small.width)


def _page(answer: dict[str, Any], scale: float) -> Page:
    lines = [
        Line(tuple((x * scale, y * scale) for x, y in box), text, score, passed_over)  # type: ignore[arg-type]
        for box, text, score, passed_over in answer["lines"]
    ]
    size = round(answer["width"] * scale), round(answer["height"] * scale)
    read, unread = tuple(each for each in lines if each.text), tuple(each for each in lines if not each.text)
    page = Page(*size, answer["turned"], read, unread, tuple(answer["engines"]))
    return replace(turned(page, 90), turned=(page.turned + 90) % 360) if answer["down"] else page


def reduced(image: "Image") -> "Image":
    """The picture in READ_PIXELS at most."""
    pixels = image.width * image.height
    if pixels <= READ_PIXELS:
        return image
    factor = (READ_PIXELS / pixels) ** 0.5
    return image.resize((max(1, int(image.width * factor)), max(1, int(image.height * factor))), reducing_gap=2.0)


def _ask(connection: socket.socket, head: bytes, pixels: bytes) -> dict[str, Any]:
    line = b""
    with suppress(OSError):
        connection.sendall(head)
        connection.sendall(pixels)
        with connection.makefile("rb") as stream:
            line = stream.readline()
    answer: dict[str, Any] = json.loads(line) if line else {"error": "it was killed"}
    return answer
