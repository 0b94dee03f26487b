"""Requests that never quite arrive: a byte now and then does not hold a connection, and no address holds them all."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.api.conftest import Server, Visitor
from tests.api.impatient import GRACE, HEAD, main
from tests.conftest import free_port, wait_until

MOST = 40


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> Iterator[Server]:
    """The real server with shorter bounds."""
    port = free_port()
    own = {"PAPERCRANE_API_PORT": str(port), "PAPERCRANE_API_ADDRESS_CONNECTIONS": str(MOST)}
    log = tmp_path_factory.mktemp("impatient") / "api.log"
    server = Server(f"http://127.0.0.1:{port}", os.environ | own, log, main=main)
    try:
        server.start()
        yield server
    finally:
        server.kill()


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(server.address.rsplit(":", 1)[1])), 10)


def dripped(connection: socket.socket, first: bytes, drop: bytes, seconds: float) -> tuple[bytes, float]:
    """What the server says to `first` and then a drop every tenth of a second, and after how many seconds."""
    began = time.monotonic()
    connection.sendall(first)
    connection.settimeout(0.1)
    while time.monotonic() - began < seconds:
        try:
            if said := connection.recv(1 << 16):
                return said, time.monotonic() - began
            return b"", time.monotonic() - began
        except TimeoutError:
            try:
                connection.sendall(drop)
            except OSError:
                return b"", time.monotonic() - began
    raise AssertionError("the server goes on listening")


BODY = b"POST /api/task/task/createTask HTTP/1.1\r\nHost: localhost\r\nWeb-Tag: papercrane\r\n"


@pytest.mark.parametrize(
    ("first", "drop", "bound"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: y\r\n", HEAD),
        (BODY + b"Content-Length: 200000\r\n\r\n", b"x", GRACE),
        (BODY + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", GRACE),
        (b"PUT /s3/papercrane/uploads/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n", b"x", GRACE),
    ],
    ids=["head", "body", "chunks", "upload"],
)
def test_a_byte_now_and_then_does_not_hold_a_connection(
    impatient: Server, first: bytes, drop: bytes, bound: float
) -> None:
    with connect(impatient) as connection:
        said, took = dripped(connection, first, drop, 30)
    assert took < bound + HEAD + 3, "it looks at every half of the shortest bound"
    assert not said or b" 408 " in said.splitlines()[0] or b" 403 " in said.splitlines()[0], said


def test_who_sends_slowly_but_steadily_is_heard(impatient: Server) -> None:
    """Longer than the grace, and faster than the rate."""
    visitor = Visitor(impatient.address)

    def pieces() -> Iterator[bytes]:
        for piece in (b'{"toolId": 16, "files": [], "options": {"x": "', *[b"y" * 700] * 10, b'"}}'):
            yield piece
            time.sleep(0.45)

    began = time.monotonic()
    answer = visitor.ask("POST", "/api/task/task/createTask", content=pieces())
    assert answer.json()["data"]["reason"] == "field_invalid" and time.monotonic() - began > GRACE + 1


def test_a_kept_connection_begins_anew_with_each_request(impatient: Server) -> None:
    with httpx.Client() as client:
        for _ in range(3):
            assert client.get(f"{impatient.address}/healthz").status_code == 200
            time.sleep(HEAD)


def test_one_address_holds_so_many_connections(impatient: Server) -> None:
    with ExitStack() as held:
        for _ in range(MOST):
            held.enter_context(connect(impatient)).sendall(b"GET / HTTP/1.1\r\n")
        late = held.enter_context(connect(impatient))
        said = late.makefile("rb").read()
        assert b" 429 " in said.splitlines()[0] and b"Retry-After" in said and b"too_many_requests" in said

    def again() -> bool:
        return httpx.get(f"{impatient.address}/healthz").status_code == 200

    assert wait_until(again, what="room after they have gone")
