"""Transfer: what remains of an account's own memberships goes to another account, once for each order."""

import asyncio

from typing_extensions import TypedDict

from api.calls import Asked
from api.database import reading, writing
from api.member import membership
from api.member.given import TransferQuery
from api.member.membership import now_ms
from api.problems import Refusal
from api.user import accounts, codes
from api.user.names import account_name, masked


class Transferred(TypedDict):
    """Answer of transfer: to whom (masked), and when their membership then ends."""

    to: str
    expiresAt: int


async def transfer(asked: Asked[TransferQuery]) -> Transferred:
    """Pass the caller's membership on. Raises Refusal."""
    name, own = account_name(asked.given.account), await accounts.by_id(asked.caller.owner)
    if own is None:
        raise Refusal("sign_in")
    if name == own.name:
        raise Refusal("transfer_to_self")
    async with reading() as session:
        if not membership.passable(await membership.remaining(session, own.id, now_ms())):
            raise Refusal("nothing_to_transfer")
    await asyncio.to_thread(codes.spend, own.name, asked.given.pwd, asked.address, own.id)
    receiver = await accounts.find_or_create(name, asked.language)
    async with writing() as session:
        if len(await membership.lock(session, own.id, receiver.id)) < 2:
            raise Refusal("account_invalid")  # one of them was erased a moment ago
        end = await membership.pass_on(session, own.id, receiver.id, now_ms())
    return {"to": masked(name), "expiresAt": end}
