"""What moves to the account at sign-in, and what is left of a person who leaves."""

import asyncio
import secrets
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from api.user import codes
from cluster import queue
from cluster.queue import connect
from cluster.settings import settings
from tests.api.conftest import PDF, Server, Visitor, claim_of, end_task, s3_client
from tests.api.members import database_of, make_member
from tests.signing_in import code_for, codes_in, new_account

DELETE = "/api/user/user/deleteAccount"
SEND = "/api/user/user/sendDynamicPwd"
TASKS = "/api/task/task/getUserTasks"
RIGHTS = "/api/user/user/getUserRights"
pytestmark = pytest.mark.usefixtures("one_day")


def test_a_visitors_work_goes_with_them(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    key = visitor.upload("mine.pdf")
    done, waiting = visitor.task(key), visitor.task(key)
    end_task(done, tmp_path, ("result.pdf", PDF))
    user = visitor.sign_in(server.log)
    assert {each["taskId"] for each in visitor.data(TASKS)["items"]} == {done, waiting}
    assert {queue.find(task).owner for task in (done, waiting)} == {user["id"]}  # type: ignore[union-attr]
    link = visitor.data("/api/file/download/getDownloadInfo", taskId=done)["url"]
    assert visitor.http.get(link).content == PDF
    (result,) = visitor.view(done)["outputs"]
    again = visitor.task(result["key"])
    assert visitor.view(again)["status"] == 99, "the result is an input, though it bears the visitor's name"
    end_task(waiting, tmp_path, ("late.pdf", PDF))
    assert visitor.data("/api/file/download/getDownloadInfo", taskId=waiting)["name"] == "late.pdf"
    visitor.data("/api/task/task/deleteTask", taskId=waiting)
    assert not list((settings().data / "store" / "results").rglob(f"*{waiting}*"))


def test_an_upload_goes_on_over_signing_in(server: Server, visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=len(PDF))
    visitor.sign_in(server.log)
    renewed = visitor.grant(prefix=grant["prefix"])
    assert renewed["prefix"] == grant["prefix"] and renewed["credentials"] != grant["credentials"]
    key = f"{grant['prefix']}late.pdf"
    s3_client(renewed).put_object(Bucket=grant["bucket"], Key=key, Body=PDF)
    assert visitor.create(key).status_code == 200
    stranger = Visitor(server.address)
    stranger.sign_in(server.log)
    assert stranger.create(key).json()["data"]["reason"] == "file_unknown"
    assert (
        stranger.ask("GET", "/api/file/upload/getStsCredentials", params={"prefix": grant["prefix"]}).status_code == 404
    )


def test_signing_in_gives_no_tries_back(server: Server, visitor: Visitor) -> None:
    key = visitor.upload()
    for _ in range(3):
        visitor.task(key)
    assert visitor.create(key).status_code == 403
    visitor.sign_in(server.log)
    rights = visitor.data(RIGHTS)
    assert (rights["rank"], rights["remainingTries"]) == ("user", 2)
    visitor.task(key)
    visitor.task(key)
    assert visitor.create(key).json()["data"] == {"reason": "no_tries_left", "restriction": 2}


def test_another_accounts_work_stays_where_it_is(server: Server, visitor: Visitor) -> None:
    """Who signs in while somebody else has signed in on the same browser gets nothing of theirs."""
    visitor.sign_in(server.log)
    task = visitor.task()
    first = queue.find(task)
    visitor.sign_in(server.log)
    assert visitor.data(TASKS)["total"] == 0
    assert queue.find(task) == first


@pytest.fixture
def leaving(each_server: Server, someone: Visitor, tmp_path: Path) -> tuple[str, dict[str, Any], str]:
    """A person with a visitor's past, tasks in every state, an order, and a code to leave with."""
    name, marker = new_account(), f"marker{secrets.token_hex(6)}"
    early = someone.upload(f"{marker}.pdf", PDF + marker.encode())
    end_task(someone.task(early), tmp_path, (f"{marker}-done.pdf", PDF + marker.encode()))
    user = someone.sign_in(each_server.log, name)
    # Nicknames are one of nine thousand: somebody else's may be the same.
    database_of(each_server, "UPDATE account SET nickname = :own WHERE id = :id", own=f"{marker}-nick", id=user["id"])
    user["order"] = make_member(each_server, user["id"], days=30)
    body = PDF + marker.encode()
    someone.task(someone.upload(f"{marker}-queued.pdf", body), password=marker)
    running = someone.task(someone.upload(f"{marker}-running.pdf", body))
    claim_of(running)
    someone.upload(f"{marker}-unused.pdf", body)
    someone.data("/api/file/download/getDownloadInfo", taskId=someone.data(TASKS, order="1")["items"][0]["taskId"])
    someone.data("/api/user/user/getLoginQrCode")
    connect().delete(f"sent:{codes._mark(name)}")
    someone.data(SEND, account=name)
    return name, user, marker


def test_nothing_is_left_of_who_leaves(
    each_server: Server, someone: Visitor, leaving: tuple[str, dict[str, Any], str]
) -> None:
    name, user, marker = leaving
    other_browser = dict(someone.http.cookies)
    wrong = someone.ask("GET", DELETE, params={"pwd": "-"})
    assert (wrong.status_code, wrong.json()["data"]["reason"]) == (403, "code_wrong")
    assert someone.data(TASKS)["total"] == 3
    assert any(marker in line for line in everything(each_server))
    assert someone.data(DELETE, pwd=code_for(each_server.log, name, before=1)) == {}
    assert not someone.http.cookies
    someone.http.cookies.update(other_browser)
    assert someone.ask("GET", TASKS).status_code == 401
    left = [line for line in everything(each_server) for word in (marker, name) if word in line]
    assert left == []
    for path in settings().data.glob("papercrane.db*"):
        assert name.encode() not in path.read_bytes(), path
    ids = [line for line in everything(each_server) if user["id"] in line and not line.startswith(EMPTY_NAMES)]
    assert ids == []


#: An id without a person, kept for a quarter of an hour to an hour: nobody signs in, late uploads are swept.
EMPTY_NAMES = ("redis gone:", "redis due ", "redis lane:")


def test_orders_stay_without_a_name(each_server: Server, someone: Visitor, leaving: Any) -> None:
    name, user, _ = leaving
    someone.data(DELETE, pwd=code_for(each_server.log, name, before=1))
    order = "SELECT account_id, amount, package FROM orders WHERE number = :number"
    assert database_of(each_server, order, number=user["order"]) == [(None, 1, "month")]
    for table, key in (("preorder", "id"), ("membership_event", "preorder_id")):
        bought = f"SELECT account_id FROM {table} WHERE {key} LIKE :start"
        assert database_of(each_server, bought, start=f"{user['order']}%") == [(None,)], table


def test_who_comes_back_is_somebody_new(each_server: Server, someone: Visitor, leaving: Any) -> None:
    name, user, _ = leaving
    someone.data(DELETE, pwd=code_for(each_server.log, name, before=1))
    again = Visitor(each_server.address)
    again.data(SEND, account=name)
    code = code_for(each_server.log, name, before=2)
    new = again.data("/api/user/user/dynamicPwdLogin", account=name, pwd=code)["user"]
    assert new["id"] != user["id"] and new["member"]["expiresAt"] is None
    assert again.data(TASKS)["total"] == 0
    assert len(codes_in(each_server.log, name)) == 3


def test_a_running_upload_of_who_leaves_is_not_kept(server: Server, visitor: Visitor) -> None:
    name = new_account()
    visitor.sign_in(server.log, name)
    grant = visitor.grant(files=1, bytes=len(PDF))
    connect().delete(f"sent:{codes._mark(name)}")
    visitor.data(SEND)
    visitor.data(DELETE, pwd=code_for(server.log, name, before=1))
    with pytest.raises(Exception, match=r"InvalidAccessKeyId|AccessDenied"):
        s3_client(grant).put_object(Bucket=grant["bucket"], Key=f"{grant['prefix']}left.pdf", Body=PDF)
    assert not list((settings().data / "store").rglob("left.pdf"))


def everything(server: Server) -> list[str]:
    """All that Redis, the database and the store hold, a line each."""
    return [*_redis(), *asyncio.run(_sql(server)), *_files()]


def _redis() -> list[str]:
    readers = {
        "string": connect().get,
        "hash": connect().hgetall,
        "set": connect().smembers,
        "zset": lambda key: connect().zrange(key, 0, -1),
        "list": lambda key: connect().lrange(key, 0, -1),
        "stream": lambda key: connect().xrange(key),
    }
    lines = []
    for key in connect().scan_iter(count=1000):
        held = readers[connect().type(key)](key) if connect().exists(key) else None
        lines += [f"redis {key} {each}" for each in held] if isinstance(held, list) else [f"redis {key} {held}"]
    return lines


async def _sql(server: Server) -> list[str]:
    engine = create_async_engine(server.database)
    lines = []
    async with engine.connect() as connection:
        for table in ("account", "preorder", "orders", "money_event", "membership_event"):
            rows = await connection.execute(text(f"SELECT * FROM {table}"))
            lines += [f"sql {table} {row}" for row in rows]
    await engine.dispose()
    return lines


def _files() -> list[str]:
    kept = settings().data / "store"
    return [f"file {path} {path.read_bytes()!r}" for path in kept.rglob("*") if path.is_file()]
