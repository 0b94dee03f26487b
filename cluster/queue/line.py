"""Line: one connection of an event loop to Redis, on which everybody's scripts go out together and come back in order.

No thread takes part: a turn in one costs the API more than what is asked. What a line cannot answer (it broke, Redis
does not know the script, its master is another one by now) `rescue` is asked, which knows how to wait.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import redis
from hiredis import pack_command
from redis.exceptions import NoScriptError

from cluster.together import tell

#: A script's text, its keys and its arguments.
Step = tuple[str, Sequence[str], Sequence[Any]]
_Asked = tuple[Step, asyncio.Future[Any]]
#: Seconds in which Redis must answer, as elsewhere with redis-py; then the line is given up.
PATIENCE = 5.0


class Line:
    """`connect` makes a connection, which opens itself; `sha` tells a script's hash."""

    def __init__(
        self, connect: Callable[[], Any], sha: Callable[[str], str], rescue: Callable[[Step], asyncio.Future[Any]]
    ) -> None:
        self.connect, self.sha, self.rescue = connect, sha, rescue
        self.connection: Any = None
        self.waiting: list[_Asked] = []
        self.sent: deque[_Asked] = deque()
        self.talk: asyncio.Task[None] | None = None

    def ask(self, step: Step) -> asyncio.Future[Any]:
        """Its answer."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self.waiting.append((step, future))
        if self.talk is None:
            # It begins after what else this turn of the loop has to ask.
            self.talk = loop.create_task(self._talk())
        return future

    async def close(self) -> None:
        """Hang up; the next question opens a new connection."""
        if self.connection is not None:
            connection, self.connection = self.connection, None
            await connection.disconnect(nowait=True)

    async def _talk(self) -> None:
        while self.waiting or self.sent:
            try:
                await self._turn()
            except Exception:  # whatever it was: those who ask are told by the rescue
                await self._give_up()
        self.talk = None

    async def _turn(self) -> None:
        async with asyncio.timeout(PATIENCE):
            if self.waiting:
                await self._send()
            while self.sent and not self.waiting:
                await self._hear()

    async def _send(self) -> None:
        taken, self.waiting = self.waiting, []
        self.sent.extend(taken)
        self.connection = self.connection or self.connect()
        packed = [self._packed(*step) for step, _ in taken]
        await self.connection.send_packed_command(b"".join(packed), check_health=False)

    def _packed(self, script: str, keys: Sequence[str], arguments: Sequence[Any]) -> bytes:
        packed: bytes = pack_command(("EVALSHA", self.sha(script), len(keys), *keys, *arguments))
        return packed

    async def _hear(self) -> None:
        try:
            answer = await self.connection.read_response()
        except redis.ReadOnlyError:
            raise  # who was the master only reads: a new connection finds out who it is
        except NoScriptError:
            self._pass_on(self.sent.popleft())
        except redis.ResponseError as error:
            tell(self.sent.popleft()[1], error)
        else:
            tell(self.sent.popleft()[1], answer)

    async def _give_up(self) -> None:
        lost = [*self.sent, *self.waiting]
        self.sent.clear()
        self.waiting.clear()
        for each in lost:
            self._pass_on(each)
        with suppress(Exception):  # it was broken
            await self.close()

    def _pass_on(self, lost: _Asked) -> None:
        step, future = lost
        self.rescue(step).add_done_callback(partial(_hand_on, future))


def _hand_on(future: asyncio.Future[Any], rescued: asyncio.Future[Any]) -> None:
    tell(future, rescued.exception() or rescued.result())
