"""The SQL database: what must never be lost (accounts, orders, memberships, money).

SQLite in the data folder by default, PostgreSQL by PAPERCRANE_API_DATABASE; the same code and tests for both.
Sessions belong to the event loop that first asks for one: one engine a process.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import MetaData, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase

from api.settings import settings
from cluster.settings import settings as cluster_settings

if TYPE_CHECKING:
    from alembic.config import Config

#: Seconds that a writer waits for SQLite's one write lock.
_BUSY = 30
#: Where a session keeps what is to be done then.
_KEPT = "kept"
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")


class Base(DeclarativeBase):
    """Every table; constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def url() -> str:
    """Where the database is, as SQLAlchemy writes it."""
    return settings().database or f"sqlite+aiosqlite:///{cluster_settings().data / 'papercrane.db'}"


@asynccontextmanager
async def reading() -> AsyncIterator[AsyncSession]:
    """A session that only reads."""
    async with AsyncSession(engine(), expire_on_commit=False) as session:
        yield session


@asynccontextmanager
async def writing() -> AsyncIterator[AsyncSession]:
    """One transaction: kept whole when the block ends well, else not at all."""
    bound = engine().execution_options(writes=True)
    async with AsyncSession(bound, expire_on_commit=False) as session:
        async with session.begin():
            yield session
        for do in session.info.get(_KEPT, ()):
            await do()


def once_kept(session: AsyncSession, do: Callable[[], Awaitable[None]]) -> None:
    """Have `do` done when the transaction of `writing` has been kept; never when it was not."""
    session.info.setdefault(_KEPT, []).append(do)


@cache
def engine() -> AsyncEngine:
    """This process's engine."""
    return new_engine(_PRAGMAS)


def new_engine(pragmas: Sequence[str] = ()) -> AsyncEngine:
    """An engine of one's own; on SQLite its transactions begin when we say so, and writers wait for each other."""
    made = create_async_engine(url(), pool_pre_ping=True, **_arguments())
    if made.dialect.name == "sqlite":
        event.listen(made.sync_engine, "connect", partial(_prepare_sqlite, pragmas))
        event.listen(made.sync_engine, "begin", _begin_sqlite)
    return made


async def scrub() -> None:
    """Let no deleted row stay readable in our files (PostgreSQL overwrites its own in time)."""
    if engine().dialect.name == "sqlite":
        async with engine().connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await driver.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")


async def close() -> None:
    """Give the connections back; the next session opens new ones."""
    if engine.cache_info().currsize:
        await engine().dispose()
        engine.cache_clear()


def migrate() -> None:
    """Bring the tables up to date. Blocks; not from a running event loop."""
    from alembic import command  # a third of a second, which only who migrates pays

    cluster_settings().data.mkdir(parents=True, exist_ok=True)
    command.upgrade(alembic_config(), "head")


def alembic_config() -> "Config":
    """Alembic's configuration, without a file of its own."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


def _arguments() -> dict[str, Any]:
    if make_url(url()).get_backend_name() == "sqlite":
        return {"connect_args": {"timeout": _BUSY}}
    return {"pool_size": 10, "max_overflow": 10}


def _prepare_sqlite(pragmas: Sequence[str], connection: Any, _: object) -> None:
    # We say BEGIN ourselves: the driver's own would take the write lock too late, and deadlock.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in pragmas:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Any) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
