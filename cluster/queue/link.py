"""The way to Redis: one pool a process, scripts by their hash, and what many ask at the same moment in one go."""

import asyncio
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import repeat
from typing import Any
from weakref import WeakKeyDictionary

import redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import NoScriptError
from redis.retry import Retry

from cluster.settings import settings

#: A script's text, its keys and its arguments.
Step = tuple[str, Sequence[str], Sequence[Any]]
#: Pipelines of one event loop that may be on their way at once: while one waits for Redis' disk, another one goes.
FLIGHTS = 2

_CONNECTING = threading.Lock()
_THREADS = ThreadPoolExecutor(FLIGHTS, "redis")


def connect() -> Any:
    """This process's connection pool; a restarted server is waited for, up to a minute."""
    # Made by two threads at once, the one that is not kept would close its connections in the middle of an answer:
    # redis-py's client does so as it is deleted, and a pipeline does not hold on to it.
    with _CONNECTING:
        return _client()


@cache
def _client() -> Any:
    retry = Retry(ExponentialBackoff(cap=2, base=0.05), 40)
    return redis.Redis.from_url(
        settings().redis,
        decode_responses=True,
        retry=retry,
        # Who was the master a moment ago only reads: asked anew by its name, another one answers.
        retry_on_error=[redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError, redis.ReadOnlyError],
    )


def run(script: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
    """What a script in Lua gives; its text goes to Redis once."""
    return _registered(script)(keys=keys, args=arguments)


@cache
def _registered(script: str) -> Any:
    return connect().register_script(script)


def ask(script: str, keys: Sequence[str], arguments: Sequence[Any]) -> asyncio.Future[Any]:
    """The same for a coroutine; what others ask at this moment goes with it."""
    return _together(asyncio.get_running_loop()).ask((script, keys, arguments))


class _Together:
    """What the coroutines of one event loop ask at the same moment, as one pipeline by one thread: a turn of a thread
    and the way to Redis and back cost many times what is asked there."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Step, asyncio.Future[Any]]] = []
        self.flying = 0

    def ask(self, step: Step) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self.waiting.append((step, future))
        if len(self.waiting) == 1:
            # After what else this turn of the loop has to ask.
            loop.call_soon(self._fly)
        return future

    def _fly(self) -> None:
        if not self.waiting or self.flying == FLIGHTS:
            return
        taken, self.waiting = self.waiting, []
        self.flying += 1
        flight = asyncio.get_running_loop().run_in_executor(_THREADS, _answers, [step for step, _ in taken])
        flight.add_done_callback(partial(self._land, [future for _, future in taken]))

    def _land(self, futures: Sequence[asyncio.Future[Any]], flight: asyncio.Future[list[Any]]) -> None:
        self.flying -= 1
        error = flight.exception()
        answers: Iterable[Any] = repeat(error) if error else flight.result()
        for future, answer in zip(futures, answers, strict=False):
            if future.done():
                continue  # who asked has gone
            if isinstance(answer, BaseException):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        self._fly()


_LOOPS: WeakKeyDictionary[asyncio.AbstractEventLoop, _Together] = WeakKeyDictionary()


def _together(loop: asyncio.AbstractEventLoop) -> _Together:
    found = _LOOPS.get(loop)
    if found is None:
        found = _LOOPS[loop] = _Together()
    return found


def _answers(steps: Sequence[Step]) -> list[Any]:
    """One answer a step: what its script gives, or the error that it met."""
    pipe = connect().pipeline(transaction=False)
    for script, keys, arguments in steps:
        pipe.execute_command("EVALSHA", _registered(script).sha, len(keys), *keys, *arguments)
    answers = pipe.execute(raise_on_error=False)
    return [_alone(step) if isinstance(each, _AGAIN) else each for step, each in zip(steps, answers, strict=True)]


#: A server that has just come does not know our scripts; a pipeline does not ask again by itself.
_AGAIN = (NoScriptError, redis.ReadOnlyError)


def _alone(step: Step) -> Any:
    try:
        return run(*step)
    except redis.RedisError as error:
        return error
