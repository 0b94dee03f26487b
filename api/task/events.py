"""Events of one task: a snapshot at once, then one at every change, until it has ended."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache
from typing import Any

from redis import asyncio as redis
from redis.exceptions import ConnectionError as RedisGone

from api.calls import Asked, Streamed
from api.problems import Refusal
from api.task.owned import owned_task
from api.task.view import view
from cluster import queue
from cluster.problem import Language
from cluster.settings import settings
from cluster.task import Task

#: Seconds between two events at least.
APART = 0.1
#: Seconds between comments that keep proxies from closing a quiet connection.
HEARTBEAT = 15.0
#: Seconds between looks at the place in the queue, which changes without an event of this task.
LOOK = 2.0
#: Streams of one owner at a time (a page needs one for each task it shows), and of all in this process:
#: each holds a connection to Redis. Who gets none asks again and again instead.
MOST, MOST_OF_ALL = 50, 2000
_open: Counter[str] = Counter()


def events(asked: Asked[Any]) -> Streamed:
    """The task's events as Server-Sent Events. Raises Refusal."""
    task = owned_task(asked.caller, asked.given.task_id)
    if _open[task.owner] >= MOST or _open.total() >= MOST_OF_ALL:
        raise Refusal("too_many_requests", retry=5)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Streamed("text/event-stream", _counted(task, asked.language), headers)


async def _counted(task: Task, language: Language) -> AsyncGenerator[bytes]:
    _open[task.owner] += 1
    try:
        async with aclosing(follow(task.id, language)) as pieces:
            async for piece in pieces:
                yield piece
    finally:
        _open[task.owner] -= 1
        if not _open[task.owner]:
            del _open[task.owner]


async def follow(task_id: str, language: Language) -> AsyncGenerator[bytes]:
    """Event text; ends after a terminal state, or when the task is gone."""
    async with _connect().pubsub() as channel:
        await channel.subscribe(f"events:{task_id}")
        last, spoke = "", time.monotonic()
        while True:
            text, over = await asyncio.to_thread(_snapshot, task_id, language)
            if text and text != last:
                last, spoke = text, time.monotonic()
                yield f"data: {text}\n\n".encode()
            elif time.monotonic() - spoke > HEARTBEAT:
                spoke = time.monotonic()
                yield b": still here\n\n"
            if over:
                return
            if not await _changed(channel):
                return


def _snapshot(task_id: str, language: Language) -> tuple[str, bool]:
    task = queue.find(task_id)
    if task is None:
        return "", True
    return json.dumps(view(task, language), ensure_ascii=False), task.status.ended


async def _changed(channel: Any) -> bool:
    """Wait for a change or for LOOK seconds, then gather what comes within APART; False when Redis went away."""
    try:
        await channel.get_message(ignore_subscribe_messages=True, timeout=LOOK)
        await asyncio.sleep(APART)
        while await channel.get_message(ignore_subscribe_messages=True, timeout=0):
            pass
    except RedisGone:
        return False
    return True


@cache
def _connect() -> Any:
    # redis-py's own socket timeout would end a quiet subscription.
    return redis.Redis.from_url(settings().redis, decode_responses=True, socket_timeout=None)
