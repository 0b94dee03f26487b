"""Log: one JSON object a line. Ids, counts and reasons; never a name, a password or a document's words."""

import logging
import sys
from pathlib import Path

import structlog


def log_json(file: Path | None = None) -> None:
    """Write this process's log to standard output, or at the end of `file`, which several processes may share."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        # One write a line, so that processes never mix theirs.
        logger_factory=structlog.WriteLoggerFactory(file.open("a", encoding="utf-8") if file else sys.stdout),
        cache_logger_on_first_use=True,
    )
