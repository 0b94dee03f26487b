"""Connections: how long a request may take to arrive, and how many one client address may hold open.

Sanic's timeouts count from the last byte, so one byte now and then keeps a connection for ever. Here a request's
head has HEAD seconds in all, its body GRACE seconds and one more for each RATE bytes that have come.
"""

import json
import time
from collections import Counter
from typing import Any, ClassVar

from sanic.exceptions import RequestTimeout
from sanic.http.constants import Stage
from sanic.server.protocols.base_protocol import SanicProtocol
from sanic.server.protocols.http_protocol import HttpProtocol

from api.caller import network
from api.problems import Refusal, failure
from api.settings import settings

#: Seconds for a head; seconds for a body beside what it needs at RATE bytes a second (2G is faster).
HEAD, GRACE, RATE = 20.0, 30.0, 2048
#: Seconds after which who was turned away may come again.
_AGAIN = 10


class Connection(HttpProtocol):
    """One client's connection."""

    # Sanic's metaclass leaves its protocols no other attributes.
    __slots__ = ("_began", "_came", "_peer")

    #: Open connections by client network.
    held: ClassVar[Counter[str]] = Counter()

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._peer = ""
        self._began, self._came = time.monotonic(), 0

    def connection_made(self, transport: Any) -> None:
        """Take the connection, or turn it away with an answer."""
        peer = transport.get_extra_info("peername")
        # A proxy's address is everybody's: whoever runs one lets it count.
        self._peer = network(str(peer[0])) if peer and not settings().proxies else ""
        self.held[self._peer] += 1
        if self._peer and self.held[self._peer] > settings().address_connections:
            SanicProtocol.connection_made(self, transport)  # type: ignore[no-untyped-call]
            self.recv_buffer = bytearray()
            transport.write(_turned_away())
            self.close()
        else:
            super().connection_made(transport)  # type: ignore[no-untyped-call]

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self.held[self._peer] -= 1
        if not self.held[self._peer]:
            del self.held[self._peer]
        super().connection_lost(exc)  # type: ignore[no-untyped-call]

    def data_received(self, data: bytes) -> None:
        """Count what comes, from the first byte of a request on."""
        if not self.recv_buffer and not self._reads_body() and (self.http is None or self.http.stage is Stage.IDLE):
            self._began, self._came = time.monotonic(), 0
        self._came += len(data)
        super().data_received(data)

    def check_timeouts(self) -> None:
        """End what takes too long in all; Sanic's own bounds hold besides."""
        if self._task and self.http is not None and self._late():
            self.http.exception = RequestTimeout("Request Timeout")
            self._task.cancel()
        else:
            super().check_timeouts()  # type: ignore[no-untyped-call]

    def _late(self) -> bool:
        took = time.monotonic() - self._began
        if self.http.stage is Stage.REQUEST:
            return took > HEAD
        return self._reads_body() and took > GRACE + self._came / RATE

    def _reads_body(self) -> bool:
        # Sanic gives its parser this attribute with the first request.
        return bool(getattr(self.http, "request_body", None))


def _turned_away() -> bytes:
    body = json.dumps(failure(Refusal("too_many_requests"), "zh"), ensure_ascii=False).encode()
    head = (
        "HTTP/1.1 429 Too Many Requests",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"Retry-After: {_AGAIN}",
        "Connection: close",
    )
    return "\r\n".join([*head, "", ""]).encode() + body
