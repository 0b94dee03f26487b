"""Sweep: delete what is due, in the store and in Redis, also what became due while we were down."""

import time
from contextlib import suppress

import structlog
from redis import ResponseError

from cluster import queue
from cluster.queue import connect, now_ms
from cluster.queue.stats import overdue
from cluster.settings import settings
from cluster.store import store
from cluster.task import results_of
from cluster.worker.scratch import clear_dead_slots

log = structlog.get_logger()

EVERY = 30
#: The store itself is read this often, for objects that nothing in Redis knows any more, and Redis's file rewritten.
SCAN_EVERY = 3600


def sweep_for_ever() -> None:
    """Sweep every EVERY seconds."""
    scanned = 0.0
    while True:
        try:
            sweep_due()
            clear_dead_slots()
            if time.monotonic() - scanned > SCAN_EVERY:
                scanned = time.monotonic()
                sweep_strays()
                rewrite()
        except Exception as error:  # the store may be away for a while, and this thread has no second life
            log.error("sweep_failed", error=type(error).__name__)
        time.sleep(EVERY)


def sweep_due() -> int:
    """Delete everything whose time has come; returns how many entries. One that fails stays due."""
    entries, lag = connect().zrangebyscore("due", 0, now_ms()), overdue()
    gone = sum(_swept(entry) for entry in entries)
    if entries:
        log.info("swept", entries=gone, lag=round(lag, 1))
    return gone


def _swept(entry: str) -> bool:
    what, _, name = entry.partition(":")
    try:
        if what == "task":
            erase(name)
        if what == "files":
            store().delete(name)
    except Exception as error:  # whatever the store says: those behind it must not wait for it
        log.error("sweep_failed", what=what, error=type(error).__name__)
        return False
    connect().zrem("due", entry)
    return True


def erase(task: str) -> None:
    """Delete the task's results and record (its inputs have their own time)."""
    if home := queue.home(task):
        store().delete(results_of(home, task))
    queue.forget_id(task)


def rewrite() -> None:
    """Let Redis write its file of commands anew: until then it still holds, sealed, what was deleted."""
    # One is running already, or the server is another's who does not let us.
    with suppress(ResponseError):
        connect().bgrewriteaof()


def sweep_strays() -> int:
    """Delete objects older than twice the keeping time that no entry of `due` speaks for."""
    old = time.time() - 2 * settings().keep
    due = set(connect().zrange("due", 0, -1))
    strays = [stat.key for stat in store().keys("") if stat.modified < old and not _spoken_for(stat.key, due)]
    for key in strays:
        store().delete(key)
    return len(strays)


def _spoken_for(key: str, due: set[str]) -> bool:
    parts = key.split("/")
    return f"files:{'/'.join(parts[:3])}/" in due or (len(parts) > 2 and f"task:{parts[2]}" in due)
