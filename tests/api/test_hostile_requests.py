"""Requests that browsers never send: hosts that are more than a host, headers that are not text, many addresses."""

import asyncio
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import aclosing
from typing import Any

import pytest

from api import openapi
from api.app import CALLS
from api.body import Given, RetryQuery, TaskQuery
from api.caller import Caller, address_mark, mint
from api.calls import Asked
from api.problems import Refusal
from api.settings import settings
from api.task import events
from api.task.retry import retry_compress
from cluster import queue
from tests.api.conftest import PDF, Server, Visitor

QR = "/api/user/user/getLoginQrCode"


def spoken(server: Server, *lines: str) -> bytes:
    """The whole answer to a request of exactly these lines."""
    port = int(server.address.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1"))
        return connection.makefile("rb").read()


@pytest.mark.parametrize(
    "host",
    ["localhost:80@evil.example", "localhost:8000/evil", "localhost:", "localhost:80:80", "[::1]@evil", "localhost:8x"],
)
def test_what_follows_the_host_gets_into_no_link(server: Server, host: str) -> None:
    answer = spoken(server, f"GET {QR} HTTP/1.1", f"Host: {host}", "Web-Tag: papercrane")
    assert b" 421 " in answer.splitlines()[0] and b"evil" not in answer


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "[::1]", "[::1]:8000", "compress.localhost:81"])
def test_hosts_with_and_without_a_port(server: Server, host: str) -> None:
    answer = spoken(server, f"GET {QR} HTTP/1.1", f"Host: {host}", "Web-Tag: papercrane")
    assert b" 200 " in answer.splitlines()[0]
    assert b"Secure" not in answer, "a browser keeps its cookies on this machine without encryption"


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["\0\1\2 what is this"], b" 400 "),
        (["POST /api/task/task/createTask HTTP/1.1", "Host: localhost", "Content-Length: -1"], b" 400 "),
        (["GET / HTTP/1.1", "Host: localhost", f"X-Long: {'a' * 20_000}"], b" 413 "),
    ],
    ids=["noise", "less than nothing", "too much"],
)
def test_what_is_no_request_is_not_told_to_ask_another_host(server: Server, lines: list[str], status: bytes) -> None:
    assert status in spoken(server, *lines).splitlines()[0]


@pytest.mark.parametrize("header", ["Access-Token: \xff", "Cookie: access_token=\xff", "Idempotency-Key: \xe4\xf6"])
@pytest.mark.parametrize("path", ["/api/user/user/getUser", "/s3/papercrane/uploads/a", "/metrics"])
def test_headers_that_are_not_text_are_the_callers_fault(server: Server, header: str, path: str) -> None:
    answer = spoken(server, f"GET {path} HTTP/1.1", "Host: localhost", "Web-Tag: papercrane", header)
    assert b" 400 " in answer.splitlines()[0], answer


def test_a_shared_cache_keeps_both_answers_apart(server: Server) -> None:
    """Whether a page may be read by the other origin, and whether it is squeezed, depends on these two headers."""
    lines = "GET /assets/page.Ab12Cd34.js HTTP/1.1", "Host: localhost"
    for more in ((), ("Origin: https://other.example",)):
        head = spoken(server, *lines, *more).partition(b"\r\n\r\n")[0].lower()
        assert b"vary: accept-encoding, origin" in head


def test_an_ipv6_client_cannot_leave_its_limits_by_another_address() -> None:
    assert address_mark("2001:db8:1:2::1") == address_mark("[2001:db8:1:2:ffff:ffff:ffff:ffff]")
    others = ("2001:db8:1:3::1", "192.0.2.1", "192.0.2.2", "fe80::1%eth0", "")
    assert len({address_mark(each) for each in (*others, "2001:db8:1:2::1")}) == 6
    assert address_mark("::ffff:192.0.2.1") == address_mark("192.0.2.1")


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Sets PAPERCRANE_API_* for this process."""

    def put(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"PAPERCRANE_API_{name}", value)
        settings.cache_clear()

    yield put
    monkeypatch.undo()
    settings.cache_clear()


def asked(given: Given, task: str) -> Asked[Any]:
    """What the owner of `task` asks."""
    found = queue.find(task)
    assert found
    return Asked(given, Caller(found.owner, "visitor", secrets.token_hex(16)), "")


def test_one_address_is_not_millions_of_visitors(redis_server: str, limits: Callable[..., None]) -> None:
    limits(ADDRESS_VISITORS="3")
    address = secrets.token_hex(16)
    owners = {mint(address)[0].owner for _ in range(3)}
    with pytest.raises(Refusal) as refusal:
        mint(address)
    assert len(owners) == 3 and refusal.value.reason == "too_many_requests"
    (counter,) = queue.connect().scan_iter(f"minted:{address}:*")
    assert 0 < queue.connect().ttl(counter) <= 3600


async def test_a_process_follows_so_many_tasks(visitor: Visitor) -> None:
    """Each stream holds a socket and a place in memory. The refusal comes before the first piece."""
    task = visitor.task()
    events._open["all"] = events.MOST_OF_ALL
    try:
        with pytest.raises(Refusal) as refusal:
            await anext(events.events(asked(TaskQuery(taskId=task), task)).pieces)
        assert refusal.value.reason == "too_many_requests"
    finally:
        del events._open["all"]
    async with aclosing(events.events(asked(TaskQuery(taskId=task), task)).pieces) as pieces:
        assert (await anext(pieces)).startswith(b"data: ")
    assert not events._open


def test_another_level_is_not_for_files_too_large_by_now(visitor: Visitor, limits: Callable[..., None]) -> None:
    """A member's 4 GB are not retried for ever after the membership."""
    task = visitor.task(tool=1)
    limits(VISITOR_BYTES=str(len(PDF) - 1))
    with pytest.raises(Refusal) as refusal:
        asyncio.run(retry_compress(asked(RetryQuery(taskId=task, level="strong"), task)))
    assert refusal.value.reason == "file_too_large"
    limits(VISITOR_BYTES=str(len(PDF)))
    assert asyncio.run(retry_compress(asked(RetryQuery(taskId=task, level="strong"), task)))["taskId"] != task


def test_a_tool_alone_tells_what_its_group_tells(visitor: Visitor) -> None:
    listed = [tool for group in visitor.data("/api/toolkit/tool/getToolGroups") for tool in group["tools"]]
    for brief in listed:
        whole = visitor.data("/api/toolkit/tool/getTool", toolId=brief["id"])
        assert whole | brief == whole and whole["options"]["type"] == "object"


def test_the_description_is_made_once() -> None:
    """It takes a fifth of a second, and anybody may ask."""
    assert openapi.text(CALLS) is openapi.text(CALLS)
    assert openapi.page(CALLS) is openapi.page(CALLS)
