"""Libraries that may crash, hang or swell on what they read are called in a process aside."""

import logging
import resource
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")
_MEMORY = 6 << 30
#: Seconds for one answer.
PATIENCE = 60.0


class Cannot(Exception):
    """A program does not read this, or not in time."""


class Late(Cannot):
    """Not in time: it may take for ever, so whoever asks does not ask again."""


class Aside:
    """One process that answers calls; killed when late, started again when it died."""

    def __init__(self) -> None:
        self._process: Any = None
        self._pipe: Connection | None = None

    def call(self, function: Callable[..., T], *arguments: Any, seconds: float = 0) -> T:
        """`function(*arguments)`; raises Cannot when it raised or died, Late when it took longer than `seconds`."""
        seconds = seconds or PATIENCE
        pipe = self._started()
        try:
            pipe.send((function, arguments))
            if not pipe.poll(seconds):
                raise Late(f"no answer in {seconds:.0f} s")
            well, answer = pipe.recv()
        except (EOFError, OSError) as error:
            self.close()
            raise Cannot("it crashed") from error
        except Cannot:
            self.close()
            raise
        if not well:
            raise Cannot(answer)
        return answer  # type: ignore[no-any-return]

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def _started(self) -> Connection:
        if self._pipe is None or not self._process.is_alive():
            self.close()
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_answer, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe


def _answer(pipe: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable()  # what they say of every file; their answers count
    while True:
        try:
            function, arguments = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, function(*arguments)
        except Exception as error:  # whatever a library raises, the file is what it could not read
            answer = False, f"{type(error).__name__}: {error}"[:200]
        pipe.send(answer)
