"""Orders: a package at a frozen price (preorder), and the orders by which wallets collect it."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.caller import new_id
from api.database import reading, writing
from api.member.membership import lock, now_ms
from api.member.packages import Package
from api.member.records import REFUNDING, MembershipEvent, MoneyEvent, Order, OrderStatus, Preorder
from api.member.wallet import WalletName, china_time
from api.problems import Refusal
from cluster.seal import server_key

#: How long a price is kept, in ms.
FROZEN = 30 * 60_000
#: Preorders of one account in an hour, and orders of one preorder: whoever has its key can be many payers.
HOURLY, MOST_ORDERS = 60, 20
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#: Their money has come, whatever happened to it later.
COLLECTED = (OrderStatus.PAID, OrderStatus.REFUNDED)


async def make_preorder(account: str, package: Package) -> Preorder:
    """A preorder at today's price. Raises Refusal when the account makes too many."""
    now = now_ms()
    made = Preorder(
        id=new_id(),
        account_id=account,
        package=package.id,
        months=package.months,
        amount=package.price,
        created_at=now,
        expires_at=now + FROZEN,
    )
    recent = select(func.count()).where(Preorder.account_id == account, Preorder.created_at > now - 3_600_000)
    async with writing() as session:
        if (await session.execute(recent)).scalar_one() >= HOURLY:
            raise Refusal("too_many_requests", retry=600)
        session.add(made)
    return made


def key_of(preorder: str) -> str:
    """The capability to pay this preorder without being signed in."""
    mark = hmac.new(server_key("preorders"), preorder.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(mark[:24]).decode()


async def find_preorder(preorder: str, account: str | None, key: str | None) -> Preorder:
    """The caller's preorder, or the one that `key` opens. Raises Refusal for unknown and foreign ones alike."""
    async with reading() as session:
        found = await session.get(Preorder, preorder) if preorder.isalnum() else None
    if found is None or found.account_id is None:
        raise Refusal("preorder_unknown")
    if found.account_id == account or (key and hmac.compare_digest(key.encode(), key_of(found.id).encode())):
        return found
    raise Refusal("preorder_unknown")


def payer_mark(preorder: str, payer: str) -> str:
    """What stands for a payer among one preorder's orders: it names nobody, and says nothing about other orders."""
    return hmac.new(server_key("payers"), f"{preorder}\n{payer}".encode(), hashlib.sha256).hexdigest()[:32]


async def order_for(preorder: str, wallet: WalletName, channel: str, payer: str = "") -> Order:
    """The preorder's order for this wallet, channel and payer (a mark): the same one every time. Raises Refusal."""
    async with writing() as session:
        owner = await session.execute(select(Preorder.account_id).where(Preorder.id == preorder))
        if not await lock(session, owner.scalar_one()):
            raise Refusal("preorder_unknown")  # erased a moment ago
        held = await session.get_one(Preorder, preorder, with_for_update=True)
        orders = (await session.execute(select(Order).where(Order.preorder_id == preorder))).scalars().all()
        if any(each.status in COLLECTED for each in orders):
            raise Refusal("already_paid")
        if held.expires_at <= now_ms():
            raise Refusal("preorder_expired")
        same = [each for each in orders if (each.wallet, each.channel, each.payer) == (wallet, channel, payer)]
        if same and same[0].status == OrderStatus.CLOSED:
            raise Refusal("preorder_expired")
        if not same and len(orders) >= MOST_ORDERS:
            raise Refusal("too_many_requests", retry=600)
        return same[0] if same else _new_order(session, held, wallet, channel, payer)


def _new_order(session: AsyncSession, held: Preorder, wallet: WalletName, channel: str, payer: str) -> Order:
    now = now_ms()
    made = Order(
        number=_new_number(now),
        preorder_id=held.id,
        wallet=wallet,
        channel=channel,
        payer=payer,
        account_id=held.account_id,
        package=held.package,
        months=held.months,
        amount=held.amount,
        status=OrderStatus.UNPAID,
        created_at=now,
        expires_at=held.expires_at,
        paid_at=None,
    )
    event = MoneyEvent(order_number=made.number, wallet=wallet, kind="created", amount=made.amount, at=now)
    session.add_all((made, event))
    return made


async def find_order(number: str) -> Order | None:
    async with reading() as session:
        return await session.get(Order, number) if number.isalnum() else None


async def newest_order(*, account: str | None = None, preorder: str | None = None) -> Order | None:
    """The newest order of a preorder or an account; of a preorder a collected one first."""
    chosen = select(Order).order_by(Order.created_at.desc(), Order.number.desc()).limit(1)
    if preorder is not None:
        chosen = select(Order).where(Order.preorder_id == preorder)
        chosen = chosen.order_by(Order.status.not_in(COLLECTED), Order.created_at.desc(), Order.number.desc()).limit(1)
    else:
        chosen = chosen.where(Order.account_id == account)
    async with reading() as session:
        return (await session.execute(chosen)).scalar_one_or_none()


async def unpaid_orders(created_before: int, limit: int) -> Sequence[Order]:
    """Unpaid orders older than that (ms), oldest first."""
    chosen = select(Order).where(Order.status == OrderStatus.UNPAID, Order.created_at < created_before)
    async with reading() as session:
        return (await session.execute(chosen.order_by(Order.created_at).limit(limit))).scalars().all()


async def refunds_asked(limit: int) -> list[tuple[Order, int]]:
    """Orders whose refund is under way at their gateway, each with when that was recorded (ms), oldest first."""
    later = aliased(MoneyEvent)
    newer = select(later.id).where(
        later.order_number == MoneyEvent.order_number, later.kind.in_(REFUNDING), later.id > MoneyEvent.id
    )
    chosen = (
        select(Order, MoneyEvent.at)
        .join(MoneyEvent, MoneyEvent.order_number == Order.number)
        .where(Order.status == OrderStatus.PAID, MoneyEvent.kind == "refund_asked", ~newer.exists())
        .order_by(MoneyEvent.id)
        .limit(limit)
    )
    async with reading() as session:
        return [(order, at) for order, at in await session.execute(chosen)]


async def listed(account: str, page: int, size: int) -> tuple[list[tuple[Order, bool]], int]:
    """One page of the account's orders, newest first, each with whether it was passed on; and how many there are.

    Of one preorder an order that was not paid gives way to one that was, by whichever wallet: there is nothing left to
    pay or to buy again. Of one wallet it gives way to a newer one, too.
    """
    other = aliased(Order)
    newer = (other.wallet == Order.wallet) & (other.created_at > Order.created_at)
    better = select(other.number).where(
        other.preorder_id == Order.preorder_id,
        other.number != Order.number,
        other.status.in_(COLLECTED) | newer,
    )
    shown = (Order.account_id == account) & (Order.status.in_(COLLECTED) | ~better.exists())
    sent = select(MembershipEvent.id).where(
        MembershipEvent.preorder_id == Order.preorder_id, MembershipEvent.kind == "sent"
    )
    rows = select(Order, sent.exists()).where(shown).order_by(Order.created_at.desc(), Order.number.desc())
    async with reading() as session:
        total = (await session.execute(select(func.count()).select_from(Order).where(shown))).scalar_one()
        found = await session.execute(rows.offset((page - 1) * size).limit(size))
        return [(order, bool(passed)) for order, passed in found], total


def _new_number(now: int) -> str:
    """The day and 130 random bits: gateways take 32 letters and digits."""
    return china_time(now).strftime("%y%m%d") + "".join(secrets.choice(_LETTERS) for _ in range(26))
