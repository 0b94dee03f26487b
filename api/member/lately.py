"""What a membership was a moment ago, so that not every call of who has signed in asks the SQL database.

key                 type    holds
standing:{account}  string  `<end in ms> <package>`, each may be empty; seconds old. Empty: it has just changed

Whoever changes a membership says so when that is kept (`changes`): for LIFE seconds nobody remembers then what he may
have read before. Where that word is lost, or the ledger is changed past us, the old standing holds for LIFE seconds.
"""

import asyncio
from contextlib import suppress
from functools import partial

import redis
from sqlalchemy.ext.asyncio import AsyncSession

from api.database import once_kept
from cluster import queue

#: Seconds.
LIFE = 10
#: Seconds for which a change waits until Redis has heard of it.
_PATIENCE = 2


async def remember(account: str, text: str) -> None:
    """Let Redis remember this of the account for LIFE seconds, unless it has just changed."""
    await _say(_REMEMBER, account, text)


def changes(session: AsyncSession, account: str) -> None:
    """This transaction changes the account's membership."""
    once_kept(session, partial(_say, _CHANGED, account, ""))


async def _say(script: str, account: str, text: str) -> None:
    # A Redis that is away or full takes no call's answer, and no payment's.
    with suppress(redis.RedisError, TimeoutError):
        async with asyncio.timeout(_PATIENCE):
            await queue.ask(script, [f"standing:{account}"], [text, LIFE])


_REMEMBER = "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2])"
_CHANGED = "return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])"
