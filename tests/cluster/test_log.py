"""The log's own promises: libraries' words stay out, a full disk costs lines only, and files do not grow for ever."""

import json
import os
import subprocess
import sys
from pathlib import Path

from cluster.log import KEPT, older, rotate

SAY = """
import logging
from pathlib import Path
from cluster.log import log_json, tell_request
import sys, structlog
log_json(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
try:
    raise FileNotFoundError("the name.pdf")
except FileNotFoundError:
    logging.getLogger("sanic.error").exception(f"<Request: PUT /s3/the name.pdf> body not consumed.")
structlog.get_logger().info("went_on", what="工作")
tell_request("0123456789abcdef", 0.01234, "GET", '/a"b/<é>', 200)
print("the end", file=sys.stderr)
"""


def said(**more) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([sys.executable, "-c", SAY], stderr=subprocess.PIPE, check=False, timeout=60, **more)


def test_libraries_are_told_without_their_words():
    ended = said(stdout=subprocess.PIPE)
    told, after, request = [json.loads(line) for line in ended.stdout.decode().splitlines()]
    assert (told["event"], told["logger"], told["error"]) == ("library", "sanic.error", "FileNotFoundError")
    assert after["what"] == "工作"
    facts = {"event": "request", "level": "info", "method": "GET", "route": '/a"b/<é>', "status": 200}
    assert request == {**facts, "id": "0123456789abcdef", "ms": 12.3, "timestamp": request["timestamp"]}
    assert len(request["timestamp"]) == len(after["timestamp"])
    assert b"name.pdf" not in ended.stdout + ended.stderr


def test_a_full_disk_costs_lines_only():
    with Path("/dev/full").open("wb") as full:
        ended = said(stdout=full)
    assert (ended.returncode, ended.stderr) == (0, b"the end\n")


def test_long_logs_rotate_while_they_are_written(tmp_path):
    log = tmp_path / "api.log"
    writing = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in range(KEPT + 3):
        os.write(writing, b"%d" % number * 100)
        rotate(log, longest=99)
        rotate(log, longest=99)
    os.write(writing, b"last")
    assert log.read_bytes() == b"last"
    kept = [older(log, number).read_bytes()[:1] for number in range(1, KEPT + 1)]
    assert kept == [b"%d" % number for number in range(KEPT + 2, 2, -1)]
    assert len(list(tmp_path.iterdir())) == 1 + KEPT
