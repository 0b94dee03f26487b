"""`python -m api.member.refund <order>`: give an order's money back, and take its membership away.
`python -m api.member.refund --due`: list the orders whose money bought nothing.
"""

import asyncio
import sys

from sqlalchemy import select

from api import database
from api.database import reading
from api.member import settle
from api.member.membership import now_ms
from api.member.records import MoneyEvent, Order, OrderStatus
from api.member.wallet import GatewayError, Paid, WalletName, yuan
from api.member.wallets import wallets


async def refund(number: str) -> str:
    """Refund the order; a sentence. Raises SystemExit with one when that is not possible."""
    async with reading() as session:
        order = await session.get(Order, number)
        trade = await settle.trade_of(session, number)
    if order is None:
        raise SystemExit(f"There is no order {number}.")
    if order.status == OrderStatus.REFUNDED:
        return f"Order {number} was refunded before."
    if order.status != OrderStatus.PAID:
        raise SystemExit(f"Order {number} is not paid: there is nothing to give back.")
    name: WalletName = "alipay" if order.wallet == "alipay" else "weixin"
    try:
        await wallets()[name].refund(Paid(number, trade, order.amount, order.paid_at or now_ms()))
    except GatewayError as error:
        raise SystemExit(
            f"{name} did not refund order {number}: {error.code}. Nothing was changed; try again."
        ) from None
    await settle.refunded(number)
    return f"Order {number}: {yuan(order.amount)} yuan went back by {name}."


async def due() -> list[str]:
    """One line for each order that is flagged for a refund and has not had it."""
    flagged = (
        select(Order.number, Order.wallet, Order.amount, MoneyEvent.reason)
        .join(MoneyEvent, MoneyEvent.order_number == Order.number)
        .where(MoneyEvent.kind == "refund_due", Order.status == OrderStatus.PAID)
        .order_by(MoneyEvent.id)
    )
    async with reading() as session:
        rows = (await session.execute(flagged)).all()
    return [f"{row.number}  {row.wallet}  {yuan(row.amount)}  {row.reason}" for row in rows]


async def _run(argument: str) -> None:
    try:
        print("\n".join(await due()) if argument == "--due" else await refund(argument))
    finally:
        await database.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Say which order: python -m api.member.refund <order>, or --due for a list.")
    asyncio.run(_run(sys.argv[1]))
