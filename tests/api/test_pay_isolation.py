"""Money on PostgreSQL, where readers and writers do not wait for each other as in SQLite."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from sqlalchemy import text

from api import database
from api.caller import new_id
from api.member import orders, settle
from api.member.membership import now_ms
from api.member.records import Preorder
from api.member.wallet import Paid
from api.problems import Refusal
from api.settings import settings
from api.user.accounts import Account


@pytest.fixture
def postgres(new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process's own database on PostgreSQL."""
    monkeypatch.setenv("PAPERCRANE_API_DATABASE", new_postgres())
    settings.cache_clear()
    database.migrate()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        try:
            async with asyncio.timeout(20):
                await story()
        finally:
            await database.close()

    asyncio.run(whole())


async def frozen() -> Preorder:
    """A new account's preorder."""
    now = now_ms()
    account = Account(id=new_id(), name=f"{new_id()}@example.com", nickname="Ann", created_at=now)
    made = Preorder(
        id=new_id(),
        account_id=account.id,
        package="month",
        months=1,
        amount=1900,
        created_at=now,
        expires_at=now + 60_000,
    )
    async with database.writing() as session:
        session.add(account)
        await session.flush()
        session.add(made)
    return made


async def somebody_waits() -> None:
    """Until a transaction waits for another one's lock."""
    async with database.engine().connect() as connection:
        while not (await connection.execute(text("SELECT 1 FROM pg_locks WHERE NOT granted"))).first():
            pass


def test_a_notification_and_a_new_order_do_not_lock_each_other_out(postgres: None, redis_server: str) -> None:
    """Each holds a lock: one the account's, one the preorder's. A new order's account must not be what is missing."""

    async def story() -> None:
        preorder = await frozen()
        paid = await orders.order_for(preorder.id, "alipay", "page")
        async with database.writing() as session:
            held = await session.get_one(Preorder, preorder.id, with_for_update=True)
            told = asyncio.create_task(settle.settle("alipay", Paid(paid.number, "t", paid.amount, now_ms())))
            await somebody_waits()
            orders._new_order(session, held, "weixin", "native", "")
            await session.flush()
        assert await told == "paid"

    run(story)


def test_what_is_no_id_is_unknown(postgres: None, redis_server: str) -> None:
    async def story() -> None:
        for name in ("\0", "a\0b", "ä", " "):
            with pytest.raises(Refusal) as refusal:
                await orders.find_preorder(name, "a", "k")
            assert refusal.value.reason == "preorder_unknown"
            assert await orders.find_order(name) is None

    run(story)


def test_a_stranger_s_number_is_kept_as_text(postgres: None, redis_server: str) -> None:
    async def story() -> None:
        await settle.refused("alipay", "signature", "A1\0\x1b[2J" + "x" * 100, None)
        async with database.reading() as session:
            (kept,) = (await session.execute(text("SELECT order_number FROM money_event"))).scalars()
        assert kept == "A1??[2J" + "x" * 57

    run(story)
