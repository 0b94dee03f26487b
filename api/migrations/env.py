"""Alembic's entry: the tables' models and the same URL as the application's."""

import asyncio

from alembic import context
from sqlalchemy import Connection

from api import database
from api.member import records
from api.sign import saved
from api.user import accounts

MODELS = (accounts, records, saved)
#: Any number: whoever holds it migrates, the others wait and find the work done.
_LOCK = 74_736_001


def _run(connection: Connection) -> None:
    batch = connection.dialect.name == "sqlite"
    if not batch:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    context.configure(connection=connection, target_metadata=database.Base.metadata, render_as_batch=batch)
    with context.begin_transaction():
        context.run_migrations()


async def _online() -> None:
    # Without the application's pragmas: SQLite changes a table by making it anew, which foreign keys would notice.
    engine = database.new_engine()
    async with engine.execution_options(writes=True).begin() as connection:
        await connection.run_sync(_run)
    await engine.dispose()


asyncio.run(_online())
