"""The tables: models and migrations say the same on both databases, and what must hold in them does."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect
from sqlalchemy.ext.asyncio import create_async_engine

from api import database
from api.member import records
from api.settings import settings
from api.sign import saved
from api.user import accounts

MODELS = (
    accounts.Account,
    records.Preorder,
    records.Order,
    records.MoneyEvent,
    records.MembershipEvent,
    saved.SavedSignature,
)


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A database without tables, which this process migrates; its URL."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'fresh.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("new_postgres")()
    monkeypatch.setenv("PAPERCRANE_API_DATABASE", url)
    settings.cache_clear()
    yield url
    monkeypatch.undo()
    settings.cache_clear()


def test_models_and_migrations_agree(fresh: str) -> None:
    database.migrate()
    assert _look(fresh, _differences) == []
    assert set(_look(fresh, _tables)) == {model.__tablename__ for model in MODELS} | {"alembic_version"}


def test_down_and_up_again(fresh: str) -> None:
    database.migrate()
    before = _look(fresh, _columns)
    command.downgrade(database.alembic_config(), "base")
    assert _look(fresh, _tables) == ["alembic_version"]
    database.migrate()
    assert _look(fresh, _columns) == before


def test_starting_twice_at_once(fresh: str) -> None:
    """Two processes migrate at the same moment: one does, the other finds it done."""
    environment = {**os.environ, "PAPERCRANE_API_DATABASE": fresh}
    migrate = [sys.executable, "-c", "from api import database; database.migrate()"]
    both = [subprocess.Popen(migrate, env=environment, stderr=subprocess.PIPE) for _ in range(2)]
    said = [each.communicate(timeout=120)[1] for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    assert _look(fresh, _differences) == []


def _differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, database.Base.metadata))


def _tables(connection: Connection) -> list[str]:
    return sorted(inspect(connection).get_table_names())


def _columns(connection: Connection) -> dict[str, Any]:
    found = inspect(connection)
    return {table: [str(column) for column in found.get_columns(table)] for table in _tables(connection)}


def _look(url: str, look: Any) -> Any:
    """What `look` sees in the database."""

    async def run() -> Any:
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            seen = await connection.run_sync(look)
        await engine.dispose()
        return seen

    return asyncio.run(run())
