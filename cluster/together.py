"""Together: what the coroutines of one event loop ask at the same moment, in one turn of a thread.

A turn costs many times what is asked: two switches, a future that is chained to another, the interpreter's lock.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import repeat
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

A = TypeVar("A")

#: Turns of one event loop that may be on their way at once: while one waits for a disk, another one goes.
FLIGHTS = 2


class Together(Generic[A]):
    """`do` answers many at once: one answer each in their order, or the error that it met. It runs in a thread."""

    def __init__(self, name: str, do: Callable[[Sequence[A]], Sequence[Any]]) -> None:
        self.do, self.threads = do, ThreadPoolExecutor(FLIGHTS, name)
        self.crowds: WeakKeyDictionary[asyncio.AbstractEventLoop, _Crowd[A]] = WeakKeyDictionary()

    def ask(self, question: A) -> asyncio.Future[Any]:
        """Its answer; what others ask at this moment goes with it."""
        loop = asyncio.get_running_loop()
        crowd = self.crowds.get(loop)
        if crowd is None:
            crowd = self.crowds[loop] = _Crowd(self)
        return crowd.ask(loop, question)


class _Crowd(Generic[A]):
    """Those of one event loop."""

    def __init__(self, all_of_them: Together[A]) -> None:
        self.do, self.threads = all_of_them.do, all_of_them.threads
        self.waiting: list[tuple[A, asyncio.Future[Any]]] = []
        self.flying = 0

    def ask(self, loop: asyncio.AbstractEventLoop, question: A) -> asyncio.Future[Any]:
        future = loop.create_future()
        self.waiting.append((question, future))
        if len(self.waiting) == 1:
            # After what else this turn of the loop has to ask.
            loop.call_soon(self._fly)
        return future

    def _fly(self) -> None:
        if not self.waiting or self.flying == FLIGHTS:
            return
        taken, self.waiting = self.waiting, []
        self.flying += 1
        questions = [question for question, _ in taken]
        flight = asyncio.get_running_loop().run_in_executor(self.threads, self.do, questions)
        flight.add_done_callback(partial(self._land, [future for _, future in taken]))

    def _land(self, futures: Sequence[asyncio.Future[Any]], flight: asyncio.Future[Sequence[Any]]) -> None:
        self.flying -= 1
        error = flight.exception()
        answers: Iterable[Any] = repeat(error) if error else flight.result()
        for future, answer in zip(futures, answers, strict=False):
            tell(future, answer)
        self._fly()


def tell(future: asyncio.Future[Any], answer: Any) -> None:
    """Give who asked the answer, or raise it there where it is an error."""
    if future.done():
        return  # who asked has gone
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)
