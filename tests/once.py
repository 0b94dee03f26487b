"""Documents that take long to draw are drawn once in a test run, and copied for every further test that asks."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

#: The variable that names the folder of this run's drawings, which its workers share; without it all is drawn anew.
FOLDER = "PAPERCRANE_TEST_DRAWN"
P = ParamSpec("P")


def once(draw: Callable[Concatenate[Path, P], Path]) -> Callable[Concatenate[Path, P], Path]:
    """For a function that writes `path` from plain values alone and returns it."""

    @wraps(draw)
    def drawn(path: Path, *values: P.args, **named: P.kwargs) -> Path:
        if FOLDER not in os.environ:
            return draw(path, *values, **named)
        asked = draw.__module__, draw.__qualname__, path.suffix, values, sorted(named.items())
        kept = Path(os.environ[FOLDER], hashlib.sha256(repr(asked).encode()).hexdigest())
        with kept.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.exists():
                shutil.move(draw(path, *values, **named), kept)
        # No link: tests change their documents in place.
        shutil.copyfile(kept, path)
        return path

    return drawn
