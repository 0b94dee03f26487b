"""The user as the wire shows them."""

from sqlalchemy import select
from typing_extensions import TypedDict

from api.database import reading
from api.member import membership
from api.member.membership import MemberView
from api.member.records import Order
from api.user.accounts import Account
from api.user.names import masked
from cluster.words import Language


class User(TypedDict):
    """Answer of getUser; `account` is masked, `payStatus` that of the newest order."""

    id: str
    account: str
    nickname: str
    avatar: str | None
    member: MemberView
    payStatus: int | None


async def user_view(account: Account, language: Language) -> User:
    """The account's owner, their membership and how their newest order stands."""
    return {
        "id": account.id,
        "account": masked(account.name),
        "nickname": account.nickname,
        "avatar": None,
        "member": membership.member_view(await membership.standing(account.id), language),
        "payStatus": await _pay_status(account.id),
    }


async def _pay_status(account: str) -> int | None:
    newest = select(Order.status).where(Order.account_id == account).order_by(Order.created_at.desc()).limit(1)
    async with reading() as session:
        return (await session.execute(newest)).scalar_one_or_none()
