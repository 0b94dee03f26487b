"""What we stand on is full, changes its master or is away: a clear refusal, and nothing that was accepted is lost."""

import asyncio
import hashlib
import secrets
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from api import database
from api.settings import settings
from cluster import queue
from cluster.task import Status
from tests.api.conftest import Server, Visitor, end_task, serving
from tests.conftest import free_port


def refused(visitor: Visitor, *keys: str) -> None:
    answer = visitor.create(*keys)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (503, "unavailable"), answer.text
    assert int(answer.headers["retry-after"]) > 0 and answer.json()["msg"]


def test_a_full_redis_takes_nothing_new_and_ends_what_it_has(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    key = visitor.upload()
    tasks = [visitor.task(key), visitor.task(key)]
    queue.connect().config_set("maxmemory", 1)
    try:
        refused(visitor, key)
        assert visitor.view(tasks[0])["status"] == Status.BE_QUEUING
        queue.beat("quick", "test-slot")
        held = queue.claim("quick", "test-slot")
        assert held and queue.renew(held, "test-slot")
        queue.tell(held, 0.5, "working")
        queue.release(held, "test-slot")
        for task in tasks:
            end_task(task, tmp_path, ("a.pdf", b"a"))
            assert visitor.view(task)["status"] == Status.SUCCESS
        assert queue.connect().config_get("maxmemory")["maxmemory"] == "1"
    finally:
        queue.connect().config_set("maxmemory", 0)
    assert visitor.create(key).status_code == 200, "the refused one took no try"


def test_who_writes_waits_for_the_new_master(redis_server: str) -> None:
    """Whoever was the master a moment ago only reads; the call asks again, by the name that leads to the new one."""
    client, word = queue.connect(), secrets.token_hex(8)
    client.execute_command("REPLICAOF", "127.0.0.1", free_port())
    promoted = threading.Timer(0.5, lambda: client.execute_command("REPLICAOF", "NO", "ONE"))
    promoted.start()
    began = time.monotonic()
    try:
        assert client.set(word, "kept", ex=60)
        assert time.monotonic() - began > 0.3
    finally:
        promoted.join()
        client.execute_command("REPLICAOF", "NO", "ONE")
    assert client.get(word) == "kept"


def test_a_store_that_is_away_is_said_to_be(tmp_path: Path, redis_server: str) -> None:
    """Neither our fault, nor a file that is gone."""
    nowhere = f"http://127.0.0.1:{free_port()}"
    s3 = {"STORE": "s3", "S3_ENDPOINT": nowhere, "S3_KEY": "k", "S3_SECRET": "s"}
    with serving(tmp_path, cluster=s3) as server:
        visitor = Visitor(server.address)
        answer = visitor.ask("GET", "/api/file/upload/getStsCredentials", params={"files": 1})
        assert (answer.status_code, answer.json()["data"]["reason"]) == (503, "unavailable"), answer.text
        visitor.data("/api/user/user/getLoginQrCode")  # now somebody is known
        owner = queue.connect().hget(_token(visitor), "owner")
        refused(visitor, f"uploads/{owner}/{'0' * 40}/a.pdf")
        assert owner not in server.log.read_text()


def _token(visitor: Visitor) -> str:
    return f"token:{hashlib.sha256(visitor.http.cookies['access_token'].encode()).hexdigest()}"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_previous_releases_database_is_brought_up_once(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its accounts, orders and memberships are there afterwards, and old rows fit what is new."""
    url = request.getfixturevalue("new_postgres")() if kind == "postgresql" else f"sqlite+aiosqlite:///{tmp_path}/a.db"
    monkeypatch.setenv("PAPERCRANE_API_DATABASE", url)
    settings.cache_clear()
    try:
        command.upgrade(database.alembic_config(), "0001")
        _run(url, *(text(each) for each in _ROWS))
        before = _run(url, text("select * from account"), text("select * from membership_event"))
        database.migrate()
        after = _run(url, text("select * from account"), text("select * from membership_event"))
        assert after == before and all(after)
        found = _run(url, text("select number, payer, status from orders"))
        assert found == [[("n", "", 3)]]
        database.migrate()
        assert _run(url, text("select number, payer, status from orders")) == found
    finally:
        monkeypatch.undo()
        settings.cache_clear()


_ROWS = (
    "insert into account (id, name, nickname, created_at) values ('a', 'a@b.example', 'n', 1)",
    "insert into preorder (id, account_id, package, months, amount, created_at, expires_at)"
    " values ('p', 'a', 'month', 1, 100, 1, 2)",
    "insert into orders (number, preorder_id, wallet, channel, account_id, package, months, amount, status, created_at,"
    " expires_at, paid_at) values ('n', 'p', 'alipay', 'page', 'a', 'month', 1, 100, 3, 1, 2, 2)",
    "insert into membership_event (account_id, preorder_id, kind, package, seconds, expires_at, at)"
    " values ('a', 'p', 'granted', 'month', 5, 9, 1)",
)


def _run(url: str, *statements: Any) -> list[list[tuple[Any, ...]]]:
    """What each statement gives."""

    async def run() -> list[list[tuple[Any, ...]]]:
        engine = create_async_engine(url)
        found = []
        async with engine.begin() as connection:
            for each in statements:
                told = await connection.execute(each)
                found.append([tuple(row) for row in told] if told.returns_rows else [])
        await engine.dispose()
        return found

    return asyncio.run(run())
