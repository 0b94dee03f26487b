"""Events of one task: a snapshot at once, then one at every change, until it has ended."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Any

from api.calls import Asked, Streamed
from api.problems import Refusal
from api.settings import settings
from api.task.news import NEWS
from api.task.owned import owned_task
from api.task.view import view
from cluster import queue
from cluster.task import Status
from cluster.words import Language

#: Seconds between two events at least.
APART = 0.1
#: Seconds between comments that keep proxies from closing a quiet connection.
HEARTBEAT = 15.0
#: Seconds between looks at the place in the queue, which changes without an event of this task; and looks a
#: second that all streams together may take: the more there are, the rarer each looks.
LOOK, LOOKS = 2.0, 100
#: Streams of one owner at a time (a page needs one for each task it shows), and of all in this process.
#: Who gets none asks again and again instead. One address has a bound of its own in the settings.
MOST, MOST_OF_ALL = 50, 5000
_open: Counter[str] = Counter()


def events(asked: Asked[Any]) -> Streamed:
    """The task's events as Server-Sent Events. Raises Refusal, also as the first piece is asked for."""
    task = owned_task(asked.caller, asked.given.task_id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Streamed("text/event-stream", _bounded(task.id, task.owner, asked.address, asked.language), headers)


async def _bounded(task: str, owner: str, address: str, language: Language) -> AsyncGenerator[bytes]:
    with _place(owner, address):
        async with aclosing(follow(task, language)) as pieces:
            async for piece in pieces:
                yield piece


@contextmanager
def _place(owner: str, address: str) -> Iterator[None]:
    """One stream's place. Looked for and taken without an await between, on the loop: nobody slips in."""
    counted = {f"owner {owner}": MOST, f"address {address}": settings().address_streams, "all": MOST_OF_ALL}
    if any(_open[each] >= most for each, most in counted.items()):
        raise Refusal("too_many_requests", retry=5)
    _open.update(counted.keys())
    try:
        yield
    finally:
        _open.subtract(counted.keys())
        for each in [each for each in counted if not _open[each]]:
            del _open[each]


async def follow(task_id: str, language: Language) -> AsyncGenerator[bytes]:
    """Event text; ends after a terminal state, or when the task is gone."""
    last, spoke = "", time.monotonic()
    with NEWS.about(task_id) as heard:
        while True:
            heard.clear()
            text, status = await asyncio.to_thread(_snapshot, task_id, language)
            if text and text != last:
                last, spoke = text, time.monotonic()
                yield f"data: {text}\n\n".encode()
            if status is None or status.ended:
                return
            pause = max(LOOK if status is Status.BE_QUEUING else HEARTBEAT, NEWS.tasks / LOOKS)
            while not await _heard(heard, pause):
                if time.monotonic() - spoke > HEARTBEAT:
                    spoke = time.monotonic()
                    yield b": still here\n\n"
                if NEWS.arriving:
                    break  # else Redis is away: a look would only hold up a thread until it is back


def _snapshot(task_id: str, language: Language) -> tuple[str, Status | None]:
    task = queue.find(task_id)
    return (json.dumps(view(task, language), ensure_ascii=False), task.status) if task else ("", None)


async def _heard(heard: asyncio.Event, pause: float) -> bool:
    """Whether there was a word within `pause` seconds; then those that follow within APART are gathered."""
    with suppress(TimeoutError):
        await asyncio.wait_for(heard.wait(), pause)
        await asyncio.sleep(APART)
    return heard.is_set()
