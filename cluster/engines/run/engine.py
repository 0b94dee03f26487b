"""Reach a warm engine: the process that waits beside the parts of a sandbox, behind a Unix socket."""

import socket
import time
from pathlib import Path

from cluster.problem import FaultProblem


def connect(path: Path, deadline: float) -> socket.socket:
    """A connection to the engine at `path`, waited for until `deadline` (monotonic). Raises engine_unavailable."""
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
            return connection
        except OSError as error:
            connection.close()
            if time.monotonic() > deadline:
                raise FaultProblem(f"no engine at {path.name}: {error}", "engine_unavailable") from error
            time.sleep(0.02)
