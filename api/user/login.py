"""Signing in and out: a code goes out, comes back, and the browser gets new tokens."""

import asyncio

from typing_extensions import TypedDict

from api import caller
from api.caller import Caller, Pair
from api.member import membership
from api.problems import Refusal
from api.settings import settings
from api.user import accounts, codes
from api.user.accounts import Account
from api.user.adopting import adopt
from api.user.names import account_name, masked
from api.user.sending import Undelivered, sender_of
from cluster.words import Language


class CodeSent(TypedDict):
    """Answer of sendDynamicPwd: where to, how long it is good, when another may be asked for."""

    sentTo: str
    validSeconds: int
    waitSeconds: int


async def send_code(typed: str | None, asking: Caller, language: Language) -> CodeSent:
    """Send a one-time password. Nothing here looks whether the account exists. Raises Refusal."""
    name = await _name(typed, asking)
    sender = sender_of(name)
    code = await asyncio.to_thread(codes.issue, name, asking.address, asking.owner)
    try:
        await sender.send(name, code, language)
    except Undelivered:
        await asyncio.to_thread(codes.take_back, name, asking.owner)
        raise Refusal("gateway_unavailable", retry=codes.WAIT) from None
    return {"sentTo": masked(name), "validSeconds": codes.CODE_LIFE, "waitSeconds": codes.WAIT}


async def check_code(typed: str, code: str, address: str, asker: str, language: Language) -> Account:
    """The account that this code belongs to, made when it is new. Raises Refusal."""
    name = account_name(typed)
    await asyncio.to_thread(codes.spend, name, code, address, asker)
    return await accounts.find_or_create(name, language)


async def begin_session(account: Account, known: Caller | None, token: str) -> Pair:
    """New tokens for `account`; the old pair dies, and what the visitor has goes with them. Raises Refusal."""
    standing = await membership.standing(account.id)
    rank = settings().rights("member" if standing.active else "user").queue
    return await asyncio.to_thread(_begin_session, account.id, known, token, rank)


async def account_of(asking: Caller) -> Account:
    """Who has signed in. Raises Refusal for visitors and for accounts that are gone."""
    found = await accounts.by_id(asking.account) if asking.account else None
    if found is None:
        raise Refusal("sign_in")
    return found


def _begin_session(account: str, known: Caller | None, token: str, rank: str) -> Pair:
    pair = caller.sign_in(account)
    # Only the request that ends the old pair takes over what it had.
    if known and caller.sign_out(token) and known.account is None:
        adopt(known.owner, account, rank)
    return pair


async def _name(typed: str | None, asking: Caller) -> str:
    if typed is not None:
        return account_name(typed)
    if asking.account is None:
        raise Refusal("account_invalid")
    return (await account_of(asking)).name
