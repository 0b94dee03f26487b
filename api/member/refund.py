"""`python -m api.member.refund <order>`: give an order's money back, and take its membership away.
`python -m api.member.refund --due`: list the orders whose money bought nothing, and the refunds not done yet.
"""

import asyncio
import sys

from sqlalchemy import select

from api import database
from api.database import reading
from api.member import asking
from api.member.records import REFUNDING, MoneyEvent, Order, OrderStatus
from api.member.wallet import GatewayError, yuan
from api.member.wallets import name_of

_SAID = {
    "refunded": "Order {number}: {yuan} yuan went back by {wallet}.",
    "pending": "Order {number}: {wallet} is giving {yuan} yuan back and has not finished. The order counts as refunded,"
    " and its membership ends, as soon as {wallet} says so; there is nothing more to do.",
}
_TROUBLE = {
    "failed": "{wallet} took the refund of order {number} and could not finish it ({code}). The order stays paid:"
    " see {wallet}'s own merchant pages, then run this again.",
    "ignored": "{wallet} gave another amount back than the {yuan} yuan of order {number}. The order stays paid:"
    " see {wallet}'s own merchant pages.",
}


async def refund(number: str) -> str:
    """Refund the order; a sentence. Raises SystemExit with one when that is not possible."""
    async with reading() as session:
        order = await session.get(Order, number)
    if order is None:
        raise SystemExit(f"There is no order {number}.")
    if order.status == OrderStatus.REFUNDED:
        return f"Order {number} was refunded before."
    if order.status != OrderStatus.PAID:
        raise SystemExit(f"Order {number} is not paid: there is nothing to give back.")
    facts = {"number": number, "yuan": yuan(order.amount), "wallet": name_of(order)}
    try:
        outcome = await asking.refund(order)
    except GatewayError as error:
        raise SystemExit(
            f"{order.wallet} did not say that it refunded order {number}: {error.code}. Nothing was changed here; "
            "try again later: however often it is asked, it gives an order's money back once."
        ) from None
    if outcome in _TROUBLE:
        raise SystemExit(_TROUBLE[outcome].format(**facts, code=await _last_reason(number)))
    return _SAID[outcome].format(**facts)


async def due() -> list[str]:
    """One line for each paid order that is flagged for a refund or whose refund is not done."""
    flagged = (
        select(Order.number, Order.wallet, Order.amount, MoneyEvent.kind, MoneyEvent.reason)
        .join(MoneyEvent, MoneyEvent.order_number == Order.number)
        .where(MoneyEvent.kind.in_(("refund_due", *REFUNDING)), Order.status == OrderStatus.PAID)
        .order_by(MoneyEvent.id)
    )
    async with reading() as session:
        rows = (await session.execute(flagged)).all()
    # Why it is due, and how far the refund is: the newest row of each tells.
    told: dict[str, dict[bool, str]] = {}
    for row in rows:
        is_due = row.kind == "refund_due"
        words = row.reason if is_due else " ".join(filter(None, (row.kind, row.reason)))
        told.setdefault(f"{row.number}  {row.wallet}  {yuan(row.amount)}", {})[is_due] = words
    return [
        "  ".join((order, *(words[each] for each in (True, False) if each in words))) for order, words in told.items()
    ]


async def _last_reason(number: str) -> str:
    chosen = select(MoneyEvent.reason).where(MoneyEvent.order_number == number, MoneyEvent.kind == "refund_failed")
    async with reading() as session:
        return (await session.execute(chosen.order_by(MoneyEvent.id.desc()).limit(1))).scalar_one_or_none() or ""


async def _run(argument: str) -> None:
    try:
        print("\n".join(await due()) if argument == "--due" else await refund(argument))
    finally:
        await database.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Say which order: python -m api.member.refund <order>, or --due for a list.")
    asyncio.run(_run(sys.argv[1]))
