"""Erasing a person at once: sessions, tasks, files, counters, and the account itself. Orders stay without a name."""

import asyncio

from api.caller import close_account
from api.sign import pads, saved
from api.task.listing import of_owner
from api.user import accounts, codes, tickets
from api.user.accounts import Account
from api.user.adopting import adopted, forget_adopted
from api.user.rights import forget_downloads, forget_tries
from cluster import queue
from cluster.queue import connect, now_ms
from cluster.settings import settings
from cluster.store import store

#: Seconds after which upload credentials and downloads that had begun are over.
_LATER = 3600


async def erase_person(account: Account) -> None:
    """Erase everything. Repeating after a crash in the middle erases the rest."""
    await asyncio.to_thread(_erase_traces, account)
    await saved.forget(account.id)
    await accounts.erase(account.id)


def _erase_traces(account: Account) -> None:
    close_account(account.id)
    for owner in {account.id} | adopted(account.id):
        _erase_owner(owner)
    forget_adopted(account.id)
    codes.forget(account.name)


def _erase_owner(owner: str) -> None:
    for task in of_owner(owner):
        queue.forget(task)
        forget_downloads(task.id)
        _erase_files(task.results, 2 * settings().lease)
    for entry in _dues(owner):
        if entry.startswith("files:uploads/"):
            connect().delete(f"grant:{entry.rstrip('/').rsplit('/', 1)[1]}")
        connect().zrem("due", entry)
    _erase_files(f"uploads/{owner}/", _LATER)
    _erase_files(f"results/{owner}/", 2 * settings().lease)
    forget_tries(owner)
    tickets.forget(owner)
    pads.forget(owner)


def _dues(owner: str) -> list[str]:
    return [
        str(entry)
        for kind in ("uploads", "results")
        for entry, _ in connect().zscan_iter("due", f"files:{kind}/{owner}/?*", count=1000)
    ]


def _erase_files(prefix: str, seconds: int) -> None:
    """Delete now, and look once more when what was just being written must have arrived."""
    store().delete(prefix)
    connect().zadd("due", {f"files:{prefix}": now_ms() + seconds * 1000})
