"""Log: one JSON object a line. Ids, counts and reasons; never a name, a password or a document's words."""

import json
import logging
import os
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import structlog

#: Bytes of a log after which it becomes `<name>.1`, and how many of those are kept.
LONGEST = 32 << 20
KEPT = 3


def log_json(file: Path | None = None) -> None:
    """Write this process's log to standard output, or at the end of `file`, which several processes may share."""
    # What a library says may hold a path with a name in it: told is only where it says something.
    logging.basicConfig(level=logging.WARNING, handlers=[_Libraries()])
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(_json),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(_lines(file)),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )


def rotate(file: Path, longest: int = LONGEST) -> None:
    """Move what a long log holds to `<name>.1`, the older ones one on; who writes at its end goes on in it."""
    if not file.is_file() or file.stat().st_size <= longest:
        return
    for number in range(KEPT, 1, -1):
        with suppress(FileNotFoundError):
            older(file, number - 1).replace(older(file, number))
    shutil.copyfile(file, older(file, 1))
    os.truncate(file, 0)


def older(file: Path, number: int) -> Path:
    """Where the log's older lines are."""
    return file.with_name(f"{file.name}.{number}")


def tell_request(number: str, seconds: float, *common: str | int) -> None:
    """The line of an answered request, like every other of level info; of these a busy server writes most, so what
    many have in `common` (method, route, status) is put into JSON once. The id is `number`: letters and digits."""
    now, parts = divmod(time.time_ns() // 1000, 1_000_000)
    own = f'"id": "{number}", "ms": {seconds * 1000:.1f}, "timestamp": "{_second(now)}.{parts:06d}Z"'
    _lines().write(f"{{{own}, {_in_common(*common)}\n")


@lru_cache(1024)
def _in_common(method: str, route: str, status: int) -> str:
    facts = {"event": "request", "level": "info", "method": method, "route": route, "status": status}
    return _ENCODE(facts).removeprefix("{")


@lru_cache(1)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@cache
def _lines(file: Path | None = None) -> "_Lines":
    return _Lines(file)


def _json(line: Mapping[str, Any], **_: object) -> str:
    return _ENCODE(line)


#: Made once: `json.dumps` makes one for each line.
_ENCODE = json.JSONEncoder(ensure_ascii=False, default=repr).encode


class _Lines:
    """Whole lines at the end of a file, each in one write, so that processes never mix theirs."""

    def __init__(self, file: Path | None) -> None:
        self.handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if file else sys.stdout.fileno()

    def write(self, text: str) -> None:
        # A full disk costs lines, never the work that they tell of.
        with suppress(OSError):
            os.write(self.handle, text.encode("utf-8", "backslashreplace"))

    def flush(self) -> None:
        """Nothing waits."""


class _Libraries(logging.Handler):
    """Other people's warnings, without their words."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        at = f"{record.filename}:{record.lineno}"
        structlog.get_logger().warning(
            "library", logger=record.name, level=record.levelname.lower(), at=at, error=error
        )
