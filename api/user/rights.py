"""Rights: how many documents, tries and downloads a caller has, counted and given back.

key                       type  holds
tries:{owner}:{day}       set   tasks that took a free try
tries:at:{mark}:{day}     set   the same for the visitors of a client address
downloads:{task}          hash  result index (or `zip`) -> times handed out

A day is China's. A try is given back when its task ended ABNORMAL or with a
file in which nothing could be read, or was deleted before it began.
"""

import time
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from api.caller import Caller
from api.problems import Refusal
from api.settings import Rank, settings
from cluster.queue import Toll, ask, connect, leaving
from cluster.settings import settings as cluster_settings

#: Seconds that its clocks are before UTC.
_CHINA = 8 * 3600
_TWO_DAYS = 2 * 86400
#: The restriction of who is a member no longer.
_ENDED = 3


class UserRights(TypedDict):
    """Answer of getUserRights; `remainingTries` null means unlimited."""

    allowed: bool
    restriction: int | None
    remainingTries: int | None
    maxDocuments: int
    maxFileSize: int
    maxPages: int
    rank: Rank


@dataclass(frozen=True)
class Tries:
    """The free tries of one caller on one day."""

    caller: Caller
    day: str

    @classmethod
    def today(cls, caller: Caller) -> "Tries":
        return cls(caller, _day())

    @property
    def keys(self) -> list[str]:
        """Where the caller's tries are counted; an account's count for itself alone."""
        own = f"tries:{self.caller.owner}:{self.day}"
        return [own] if self.caller.account else [own, f"tries:at:{self.caller.address}:{self.day}"]

    @property
    def toll(self) -> Toll | None:
        """What a task costs; None when tries are unlimited."""
        limit = self.caller.rights.tries
        return (
            None if limit is None else Toll(self.keys, (limit, settings().address_tries)[: len(self.keys)], _TWO_DAYS)
        )

    async def remaining(self) -> int | None:
        """Tries left today, by owner and by address; None is unlimited."""
        toll = self.toll
        return None if toll is None else int(await ask(*leaving(toll)))

    def refusal(self) -> Refusal:
        """What who has none left is told (restriction 2)."""
        return _over("no_tries_left", self.caller, 2)

    def give_back(self, *tasks: str) -> None:
        """Let `tasks` not count."""
        for key in self.keys if tasks else []:
            connect().srem(key, *tasks)


async def user_rights(caller: Caller) -> UserRights:
    """What the caller may do now."""
    remaining, rights = await Tries.today(caller).remaining(), caller.rights
    return {
        "allowed": remaining != 0,
        "restriction": _restriction(caller, 2) if remaining == 0 else None,
        "remainingTries": remaining,
        "maxDocuments": rights.documents,
        "maxFileSize": rights.bytes,
        "maxPages": rights.pages,
        "rank": caller.rank,
    }


def merge_tries(visitor: str, account: str) -> None:
    """Let what the visitor used today count for the account, so that signing in gives none back."""
    for day in (_day(), _day(ago=1)):
        mine, theirs = f"tries:{account}:{day}", f"tries:{visitor}:{day}"
        if connect().sunionstore(mine, mine, theirs):
            connect().expire(mine, _TWO_DAYS)
        connect().delete(theirs)


def forget_tries(owner: str) -> None:
    """Erase the owner's counters."""
    connect().delete(*(f"tries:{owner}:{day}" for day in (_day(), _day(ago=1))))


def forget_downloads(task: str) -> None:
    """Erase how often the task's results were handed out."""
    connect().delete(f"downloads:{task}")


def check_documents(caller: Caller, documents: int) -> None:
    """Raises Refusal (restriction 1) when one task may not have so many results."""
    limit = caller.rights.documents
    if documents > limit:
        raise _over("too_many_documents", caller, 1, limit=limit)


def check_size(caller: Caller, name: str, size: int) -> None:
    """Raises Refusal when one file is larger than the caller's may be."""
    limit = caller.rights.bytes
    if size > limit:
        raise Refusal("file_too_large", file=name, limit=max(1, limit >> 20))


def take_download(caller: Caller, task: str, what: str) -> None:
    """Count one download of a result. Raises Refusal 3001 over the limit."""
    limit, key = caller.rights.downloads, f"downloads:{task}"
    if limit is None:
        return
    taken = int(connect().hincrby(key, what, 1))
    connect().expire(key, cluster_settings().keep)
    if taken > limit:
        raise Refusal("download_limit", limit=limit)


def _over(reason: str, caller: Caller, restriction: int, **facts: Any) -> Refusal:
    told = _restriction(caller, restriction)
    return Refusal("membership_expired" if told == _ENDED else reason, data={"restriction": told}, **facts)


def _restriction(caller: Caller, number: int) -> int:
    """Who was a member is told that this has ended, whatever they met first."""
    return _ENDED if caller.expired else number


def _day(ago: int = 0) -> str:
    """Today, or so many days before, in China."""
    return time.strftime("%Y%m%d", time.gmtime(time.time() + _CHINA - ago * 86400))
