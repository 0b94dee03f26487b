"""Whether this process can serve, and what an operator needs to know of a fault."""

import asyncio
import errno
import traceback
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from sqlalchemy import select
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from typing_extensions import TypedDict

from api.database import reading
from api.member.records import Order
from cluster import queue
from cluster.queue import master
from cluster.tool import Lane

#: Seconds in which what we stand on must answer a probe.
PATIENCE = 2


class Readiness(TypedDict):
    redis: bool
    sql: bool
    slots: dict[str, int]
    quotas: dict[str, int]


async def readiness() -> tuple[bool, Readiness]:
    """Ready when Redis and the SQL database answer and at least one slot works."""
    redis_up, sql_up = await reachable()
    slots, quotas = await asyncio.to_thread(_slots) if redis_up else ({}, {})
    data: Readiness = {"redis": redis_up, "sql": sql_up, "slots": slots, "quotas": quotas}
    return redis_up and sql_up and any(slots.values()), data


async def reachable() -> tuple[bool, bool]:
    """Whether Redis and the SQL database (with our tables) answer within PATIENCE."""
    return await asyncio.gather(asyncio.to_thread(_redis_answers), _sql_answers())


def impatient() -> Any:
    """A connection to Redis that gives up after PATIENCE; close it."""
    retry = Retry(NoBackoff(), 0)
    return master.client(socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=retry)


def _redis_answers() -> bool:
    try:
        with impatient() as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


async def _sql_answers() -> bool:
    try:
        async with asyncio.timeout(PATIENCE), reading() as session:
            await session.execute(select(Order.number).limit(1))
    except (SQLAlchemyError, OSError, TimeoutError):
        return False
    return True


def _slots() -> tuple[dict[str, int], dict[str, int]]:
    """Those of each lane, and by what quotas hold for how many."""
    return {lane.value: queue.slots(lane.value) for lane in Lane}, queue.quotas()


def is_outage(exception: BaseException) -> bool:
    """Whether a database was away or the disk is full: the caller may try again soon."""
    full = isinstance(exception, OSError) and exception.errno in (errno.ENOSPC, errno.EDQUOT)
    # A master that has lost its replicas takes nothing that only it would know (min-replicas-to-write).
    alone = isinstance(exception, redis.ResponseError) and "NOREPLICAS" in str(exception)
    return full or alone or isinstance(exception, _AWAY)


#: A Redis that has no room, or is a replica since a moment, refuses what writes.
_AWAY = (
    *(redis.ConnectionError, redis.TimeoutError, redis.OutOfMemoryError, redis.ReadOnlyError),
    *(OperationalError, InterfaceError, PoolExhausted, ConnectionError),
)


def where(error: BaseException) -> str:
    """Type and place of an error, never its text: that may hold a key or a name."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-5:]))
    return f"{type(error).__name__} at {places}"
