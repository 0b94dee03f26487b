"""Memberships for tests of rights: written as the ledger holds them, without paying."""

import asyncio
import secrets
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from api.database import Base
from api.member.membership import now_ms
from api.member.records import MembershipEvent, Order, OrderStatus, Preorder
from cluster import queue
from tests.api.conftest import Server


def make_member(server: Server, account: str, days: float, package: str = "month") -> str:
    """Let the account have paid for a membership until `days` from now, negative: ended; the order's number."""
    bought_as, now = secrets.token_hex(20), now_ms()
    bought: dict[str, Any] = {"package": package, "months": 1, "amount": 1, "created_at": now, "expires_at": now}
    paid: dict[str, Any] = {"wallet": "alipay", "channel": "page", "status": OrderStatus.PAID, "paid_at": now}
    ends = {"seconds": 1, "expires_at": now + int(days * 86_400_000), "at": now}
    preorder = Preorder(id=bought_as, account_id=account, **bought)
    order = Order(number=bought_as[:32], preorder_id=bought_as, account_id=account, **bought, **paid)
    event = MembershipEvent(account_id=account, preorder_id=bought_as, kind="granted", package=package, **ends)
    asyncio.run(_add(server.database, preorder, order, event))
    _look_anew(account)
    return order.number


def end_membership(server: Server, account: str) -> None:
    """As if the time had passed: what the ledger says lies in the past."""
    past = now_ms() - 1000
    database_of(server, "UPDATE membership_event SET expires_at = :past WHERE account_id = :id", id=account, past=past)
    _look_anew(account)


def _look_anew(account: str) -> None:
    """Whoever changes the ledger past the API is believed once Redis has forgotten."""
    queue.connect().delete(f"standing:{account}")


def database_of(server: Server, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Run one statement in the server's database; its rows."""
    return asyncio.run(_run(server.database, statement, values))


async def _add(url: str, *rows: Base) -> None:
    engine = create_async_engine(url)
    async with AsyncSession(engine, expire_on_commit=False) as session, session.begin():
        for row in rows:
            session.add(row)
            await session.flush()
    await engine.dispose()


async def _run(url: str, statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        found = await connection.execute(text(statement), values)
        rows = [tuple(row) for row in found] if found.returns_rows else []
    await engine.dispose()
    return rows
