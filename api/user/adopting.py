"""What a visitor had before signing in goes to the account: tasks, uploads, used tries.

    adopted:{account}   set   the visitors it was; as long as their files may live

Stored files stay under the visitor's name in their keys, so the account may use those as its own.
"""

from api.caller import Caller
from api.user.rights import merge_tries
from cluster import queue
from cluster.queue import connect
from cluster.settings import settings as cluster_settings


def adopt(visitor: str, account: str, rank: str) -> None:
    """Give all that `visitor` has to `account`; what waits goes on in the queue of `rank`."""
    # First the right to the files: a task must never be seen without them.
    connect().sadd(f"adopted:{account}", visitor)
    _remember(account)
    merge_tries(visitor, account)
    queue.adopt(visitor, account, rank)


def adopted(account: str) -> set[str]:
    """The visitors that this account was."""
    return set(connect().smembers(f"adopted:{account}"))


def owns(caller: Caller, owner: str) -> bool:
    """Whether files under the name `owner` are the caller's, as themselves or as the visitor they were."""
    if owner == caller.owner:
        return True
    if caller.account is None or not connect().sismember(f"adopted:{caller.account}", owner):
        return False
    _remember(caller.account)
    return True


def forget_adopted(account: str) -> None:
    """Erase whom `account` was."""
    connect().delete(f"adopted:{account}")


def _remember(account: str) -> None:
    # Files that are used again live on, and so must the right to them.
    connect().expire(f"adopted:{account}", 2 * cluster_settings().keep)
