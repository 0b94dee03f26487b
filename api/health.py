"""Whether this process can serve, and what an operator needs to know of a fault."""

import errno
import traceback
from pathlib import Path

import redis
from typing_extensions import TypedDict

from cluster import queue
from cluster.settings import settings
from cluster.tool import Lane


class Readiness(TypedDict):
    redis: bool
    slots: dict[str, int]


def readiness() -> tuple[bool, Readiness]:
    """Ready when Redis answers and at least one slot works."""
    client = redis.Redis.from_url(settings().redis, socket_timeout=2, socket_connect_timeout=2)
    try:
        client.ping()
    except redis.RedisError:
        return False, {"redis": False, "slots": {}}
    finally:
        client.close()
    slots = {lane.value: queue.slots(lane.value) for lane in Lane}
    return any(slots.values()), {"redis": True, "slots": slots}


def is_outage(exception: BaseException) -> bool:
    """Whether Redis was away or the disk is full: the caller may try again soon."""
    full = isinstance(exception, OSError) and exception.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or isinstance(exception, redis.ConnectionError | redis.TimeoutError)


def where(error: BaseException) -> str:
    """Type and place of an error, never its text: that may hold a key or a name."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-5:]))
    return f"{type(error).__name__} at {places}"
