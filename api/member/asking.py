"""Asking: gateways are asked about orders whose notification is late, and told to close what has expired."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

import structlog

from api.member import orders, settle
from api.member.membership import now_ms
from api.member.records import Order, OrderStatus
from api.member.settle import Mismatch
from api.member.wallet import GatewayError, Paid
from api.member.wallets import name_of, wallets
from api.settings import settings
from cluster.queue import connect

#: Seconds between two questions about one order, for a payer who waits.
EAGER = 3
#: Orders of one round, and how many are asked for at a time.
_ROUND, _AT_ONCE = 2000, 8
#: Seconds between two rounds. The lock of a process that was killed is soon free; a round that outlives it may
#: overlap with another's, which asks twice at most.
PAUSE, _LOCK = 10, 10

log = structlog.get_logger()


async def ask(order: Order) -> None:
    """Settle what the gateway says about an unpaid order; close it there when it has expired.

    Raises GatewayError when the gateway does not answer.
    """
    name = name_of(order)
    wallet = wallets()[name]
    seen = await wallet.query(order.number)
    if seen.paid:
        try:
            await settle.settle(name, seen.paid)
        except Mismatch as error:
            if await asyncio.to_thread(_first_today, order.number):
                await settle.refused(name, error.reason, order.number, seen.paid.amount)
    elif not seen.open or (order.expires_at <= now_ms() and await wallet.close(order.number)):
        await settle.close(order.number)


async def refund(order: Order) -> str:
    """Have a paid order's money given back; the outcome as settle.returned says it. Raises GatewayError."""
    notify = f"{settings().public_url.rstrip('/')}/api/member/pay/{order.wallet}Notify"
    told = await wallets()[name_of(order)].refund(_paid(order), notify)
    return await settle.returned(name_of(order), told)


async def ask_refund(order: Order) -> None:
    """Settle what the gateway says about a refund that is under way. Raises GatewayError."""
    await settle.returned(name_of(order), await wallets()[name_of(order)].refund_state(_paid(order)))


def _paid(order: Order) -> Paid:
    return Paid(order.number, "", order.amount, order.paid_at or order.created_at)


async def freshened(order: Order) -> Order:
    """The order, asked for at its gateway when its payer may be waiting for us."""
    if order.status != OrderStatus.UNPAID or not await asyncio.to_thread(_may_ask, order.number, EAGER):
        return order
    try:
        await ask(order)
    except GatewayError as error:
        log.warning("gateway", wallet=order.wallet, code=error.code)
        return order
    return await orders.find_order(order.number) or order


async def watch() -> None:
    """Ask for late orders for ever; of all processes one does at a time."""
    while True:
        await asyncio.sleep(max(1, min(PAUSE, settings().pay_late)))
        try:
            await _round_alone()
        # The watch outlives a database or Redis that is away for a while.
        except Exception as error:
            log.error("watch", kind=type(error).__name__)


async def one_round() -> None:
    """Ask once for every order that is late, and for every refund under way."""
    late = await orders.unpaid_orders(now_ms() - settings().pay_late * 1000, _ROUND)
    gate = asyncio.Semaphore(_AT_ONCE)
    back = await orders.refunds_asked(_ROUND)
    await asyncio.gather(
        *(_one(ask, order, _pause(order), gate) for order in late),
        # Banks take days: the longer it takes, the less often we ask.
        *(_one(ask_refund, order, min((now_ms() - at) // 8000, 10 * settings().pay_late), gate) for order, at in back),
    )


def _pause(order: Order) -> int:
    # The longer nobody paid, the less often we ask; an expired one is closed at once.
    pause = 1 if order.expires_at <= now_ms() else max(5, (now_ms() - order.created_at) // 8000)
    return min(pause, settings().pay_late)


async def _one(question: Callable[[Order], Awaitable[None]], order: Order, pause: int, gate: asyncio.Semaphore) -> None:
    async with gate:
        if not await asyncio.to_thread(_may_ask, order.number, pause):
            return
        try:
            await question(order)
        except GatewayError as error:
            log.warning("gateway", wallet=order.wallet, code=error.code)


async def _round_alone() -> None:
    mine = secrets.token_hex(8)
    if await asyncio.to_thread(take_lock, mine):
        try:
            await one_round()
        finally:
            await asyncio.to_thread(give_lock_back, mine)


def take_lock(mine: str) -> bool:
    """Whether the watch is now who calls itself `mine`."""
    return bool(connect().set("pay:watch", mine, nx=True, ex=_LOCK))


def give_lock_back(mine: str) -> None:
    """End `mine`; a round that outlived its lock leaves the next one's alone."""
    connect().eval(_GIVE_BACK, 1, "pay:watch", mine)


_GIVE_BACK = """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])"""


def _first_today(number: str) -> bool:
    return bool(connect().set(f"pay:odd:{number}", 1, nx=True, ex=86400))


def _may_ask(number: str, seconds: int) -> bool:
    return bool(connect().set(f"pay:asked:{number}", 1, nx=True, ex=max(1, seconds)))
