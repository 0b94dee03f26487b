"""The way to Redis: one pool a process for threads, one line for an event loop, and scripts by their hash."""

import asyncio
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import redis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import NoScriptError
from redis.retry import Retry

from cluster.queue import master
from cluster.queue.line import PATIENCE, Line, Step
from cluster.together import Together

_CONNECTING = threading.Lock()


def connect() -> Any:
    """This process's connection pool; a restarted server is waited for, up to a minute."""
    # Made by two threads at once, the one that is not kept would close its connections in the middle of an answer:
    # redis-py's client does so as it is deleted, and a pipeline does not hold on to it.
    with _CONNECTING:
        return _client()


@cache
def _client() -> Any:
    retry = Retry(ExponentialBackoff(cap=2, base=0.05), 40)
    return master.client(
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
    loop = asyncio.get_running_loop()
    line = _LINES.get(loop)
    if line is None:
        line = _LINES[loop] = _line()
    return line.ask((script, keys, arguments))


async def hang_up() -> None:
    """Close what `ask` opened for this event loop."""
    if line := _LINES.pop(asyncio.get_running_loop(), None):
        await line.close()


def _line() -> Line:
    # What has to be waited for is the rescue's.
    client = master.async_client(
        decode_responses=True,
        retry=AsyncRetry(NoBackoff(), 0),
        socket_timeout=None,
        socket_connect_timeout=PATIENCE,
    )

    def connect() -> Any:
        return client.connection_pool.make_connection()  # which knows the pool only weakly: we keep the client

    return Line(connect, lambda script: str(_registered(script).sha), _PATIENT.ask)


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


#: In threads, for as long as it takes: for what a line could not answer.
_PATIENT = Together("redis", _answers)
_LINES: WeakKeyDictionary[asyncio.AbstractEventLoop, Line] = WeakKeyDictionary()
