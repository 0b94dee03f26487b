"""Settle: what gateways say becomes what we keep. Every change of an order and its membership is one transaction.

Locks are taken in one order (account, preorder, order), so that parallel notifications wait for each other
and see what the one before them did.
"""

import re
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.database import writing
from api.member import membership
from api.member.membership import now_ms
from api.member.orders import COLLECTED
from api.member.records import REFUNDING, MoneyEvent, Order, OrderStatus, Preorder
from api.member.wallet import Paid, Returned, WalletName


@dataclass(frozen=True)
class Held:
    """An order with everything locked that its money can change."""

    order: Order
    preorder: Preorder
    account: str | None


class Mismatch(Exception):
    """The gateway speaks of money that we did not ask for: order_unknown, wallet, amount, currency."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


async def settle(wallet: WalletName, paid: Paid) -> str:
    """Take note of a payment, however often it is told: `paid`, `refund_due` or `repeated`.

    Raises Mismatch and changes nothing when it is not what the order says.
    """
    async with writing() as session:
        held = await _held(session, paid.number)
        if held is None:
            raise Mismatch("order_unknown")
        _check(held.order, wallet, paid)
        if held.order.status in COLLECTED:
            return await _again(session, held.order, paid)
        return await _first(session, held, paid)


def _check(order: Order, wallet: WalletName, paid: Paid) -> None:
    if order.wallet != wallet:
        raise Mismatch("wallet")
    if paid.currency != "CNY":
        raise Mismatch("currency")
    if order.amount != paid.amount:
        raise Mismatch("amount")


async def _first(session: AsyncSession, held: Held, paid: Paid) -> str:
    """The order's first money: it buys the membership unless that was bought, or nobody is there to have it."""
    order = held.order
    due = "already_granted" if await _sold(session, order.preorder_id) else "" if held.account else "account_gone"
    order.status, order.paid_at = OrderStatus.PAID, paid.at
    _record(session, order, "paid", "", paid.trade)
    if due:
        _record(session, order, "refund_due", due, paid.trade)
    elif held.account:
        await membership.grant(session, held.account, held.preorder, now_ms())
    return "refund_due" if due else "paid"


async def _again(session: AsyncSession, order: Order, paid: Paid) -> str:
    """Money for an order that has some: mostly the same once more."""
    known = select(MoneyEvent.id).where(MoneyEvent.order_number == order.number, MoneyEvent.trade == paid.trade)
    if (await session.execute(known.limit(1))).first():
        _record(session, order, "repeated", "", paid.trade)
        return "repeated"
    _record(session, order, "refund_due", "paid_twice", paid.trade)
    return "refund_due"


async def close(number: str) -> None:
    """The gateway takes no more money for this order."""
    async with writing() as session:
        held = await _held(session, number)
        if held and held.order.status == OrderStatus.UNPAID:
            held.order.status = OrderStatus.CLOSED
            _record(session, held.order, "closed")


async def returned(wallet: WalletName, told: Returned) -> str:
    """Take note of what became of a refund: `refunded`, `pending`, `failed`, or `ignored`.

    Raises Mismatch and changes nothing when the order is not this wallet's.
    """
    async with writing() as session:
        held = await _held(session, told.number)
        if held is None:
            raise Mismatch("order_unknown")
        if held.order.wallet != wallet:
            raise Mismatch("wallet")
        if held.order.status == OrderStatus.REFUNDED:
            return "refunded"
        if held.order.status != OrderStatus.PAID or told.state != "done" or told.amount != held.order.amount:
            return await _not_yet(session, held.order, told)
    await refunded(told.number)
    return "refunded"


async def _not_yet(session: AsyncSession, order: Order, told: Returned) -> str:
    """Record it once: the watch asks for what is under way, the operator looks after what failed or came in part."""
    failed = told.state not in ("done", "pending")
    kind = "refund_failed" if failed else "refund_asked" if told.state == "pending" else "refund_part"
    reason = told.state[:40] if failed else ""
    newest = (
        select(MoneyEvent.kind, MoneyEvent.reason)
        .where(MoneyEvent.order_number == order.number, MoneyEvent.kind.in_(REFUNDING))
        .order_by(MoneyEvent.id.desc())
        .limit(1)
    )
    last = (await session.execute(newest)).first()
    if order.status == OrderStatus.PAID and (last is None or tuple(last) != (kind, reason)):
        _record(session, order, kind, reason, await trade_of(session, order.number))
    return {"refund_failed": "failed", "refund_asked": "pending"}.get(kind, "ignored")


async def refunded(number: str) -> None:
    """The gateway gave the money back: the membership that it bought goes too."""
    while not await _refund(number):
        pass  # it was passed on meanwhile: its new holder must be locked too


async def _refund(number: str) -> bool:
    async with writing() as session:
        order = await session.get_one(Order, number)
        holder = await membership.holder_of(session, order.preorder_id)
        held = await _held(session, number, holder)
        if held is None or held.order.status != OrderStatus.PAID:
            return True
        if holder != await membership.holder_of(session, order.preorder_id):
            return False
        held.order.status = OrderStatus.REFUNDED
        _record(session, held.order, "refunded", "", await trade_of(session, number))
        if not await is_due(session, number):
            await membership.take_back(session, held.preorder.id, now_ms())
        return True


async def refused(wallet: WalletName, reason: str, number: str | None, amount: int | None) -> None:
    """Keep a notification that was not believed, for review."""
    async with writing() as session:
        session.add(
            MoneyEvent(
                # A stranger's word: PostgreSQL takes no zero bytes, an operator's terminal no control characters.
                order_number=re.sub(r"[^\x21-\x7e]", "?", number)[:64] if number else None,
                wallet=wallet,
                kind="refused",
                reason=reason,
                amount=amount if amount is not None and 0 <= amount < 1 << 31 else None,
                at=now_ms(),
            )
        )


async def is_due(session: AsyncSession, number: str) -> bool:
    """Whether the order's money bought nothing."""
    chosen = select(MoneyEvent.id).where(
        MoneyEvent.order_number == number,
        MoneyEvent.kind == "refund_due",
        MoneyEvent.reason != "paid_twice",
    )
    return (await session.execute(chosen.limit(1))).first() is not None


async def trade_of(session: AsyncSession, number: str) -> str:
    """The gateway's number of the payment that was taken."""
    chosen = select(MoneyEvent.trade).where(MoneyEvent.order_number == number, MoneyEvent.kind == "paid")
    return (await session.execute(chosen.limit(1))).scalar_one_or_none() or ""


async def _held(session: AsyncSession, number: str, *also: str | None) -> Held | None:
    seen = (await session.execute(select(Order.account_id, Order.preorder_id).where(Order.number == number))).first()
    if seen is None:
        return None
    alive = await membership.lock(session, seen.account_id, *also)
    preorder = await session.get_one(Preorder, seen.preorder_id, with_for_update=True)
    order = await session.get_one(Order, number, with_for_update=True, populate_existing=True)
    return Held(order, preorder, order.account_id if order.account_id in alive else None)


async def _sold(session: AsyncSession, preorder: str) -> bool:
    chosen = select(Order.number).where(Order.preorder_id == preorder, Order.status.in_(COLLECTED))
    return (await session.execute(chosen.limit(1))).first() is not None


def _record(session: AsyncSession, order: Order, kind: str, reason: str = "", trade: str = "") -> None:
    session.add(
        MoneyEvent(
            order_number=order.number,
            wallet=order.wallet,
            kind=kind,
            reason=reason,
            trade=trade,
            amount=order.amount,
            at=now_ms(),
        )
    )
