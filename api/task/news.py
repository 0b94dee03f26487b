"""News: words about tasks from Redis, by one subscription of this process for all its event streams.

A client's pool ends at 100 connections and Redis at its own bound, so a stream must not need one of its own.
Everything here runs on the event loop and changes between two awaits, so no lock guards it.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from redis.exceptions import RedisError

from cluster.queue import master

#: Seconds between two tries to reach a Redis that went away.
_AGAIN = 0.5
_CHANNEL = "events:"


class News:
    """Who listens to which task. The subscription lives as long as anybody does.

    It hears of every task and drops what nobody here asked for: that way it begins once, and no word is lost
    between a stream's first look and a subscription of its own.
    """

    def __init__(self) -> None:
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._reader: asyncio.Task[None] | None = None
        #: Whether words arrive; without them nothing in Redis can be read either.
        self.arriving = False

    @property
    def tasks(self) -> int:
        """Tasks that somebody listens to."""
        return len(self._listeners)

    @contextmanager
    def about(self, task: str) -> Iterator[asyncio.Event]:
        """An Event that is set whenever there may be something new about `task`."""
        heard = asyncio.Event()
        self._listeners.setdefault(task, set()).add(heard)
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())
        try:
            yield heard
        finally:
            self._leave(task, heard)

    def _leave(self, task: str, heard: asyncio.Event) -> None:
        self._listeners[task].discard(heard)
        if not self._listeners[task]:
            del self._listeners[task]
        if not self._listeners and self._reader:
            self._reader.cancel()
            self._reader, self.arriving = None, False

    async def _read(self) -> None:
        while True:
            with suppress(RedisError, OSError):
                await self._hear()
            self.arriving = False
            await asyncio.sleep(_AGAIN)

    async def _hear(self) -> None:
        # redis-py's own socket timeout would end a quiet subscription.
        client = master.async_client(decode_responses=True, socket_timeout=None)
        async with client, client.pubsub() as channel:
            await channel.psubscribe(f"{_CHANNEL}*")
            async for word in channel.listen():
                if word["type"] == "psubscribe":
                    # Whatever happened until now was not heard: everybody looks once.
                    self.arriving = True
                    self._tell(*self._listeners)
                else:
                    self._tell(str(word["channel"]).removeprefix(_CHANNEL))

    def _tell(self, *tasks: str) -> None:
        for task in tasks:
            for heard in self._listeners.get(task, ()):
                heard.set()


NEWS = News()
