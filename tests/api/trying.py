"""Free tries without the calls that take them."""

import asyncio

from api.user.rights import Tries
from cluster import queue
from tests.cluster.queued import make


def take(tries: Tries) -> str:
    """One more task that costs a try, in a lane of nobody's; its id. Raises queue.Spent."""
    task = make("nowhere", owner=tries.caller.owner)
    queue.put(task, toll=tries.toll)
    return task.id


def left(tries: Tries) -> int | None:
    return asyncio.run(tries.remaining())
