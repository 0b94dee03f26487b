"""`python -m tests.bench.load.client HOST PORT CONNECTIONS SECONDS`: ask the same again as soon as it is answered.

The request's bytes come from standard input, several of them parted by a NUL, taken in turn; what came of it goes to
standard output as JSON: answers, refused (not 2xx), seconds, and the slowest hundredth's milliseconds.
"""

import asyncio
import itertools
import json
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import uvloop

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@dataclass
class Told:
    """All connections' answers."""

    requests: Iterator[bytes]
    until: float = 0.0
    took: list[float] = field(default_factory=list)
    refused: int = 0


class Asking(asyncio.Protocol):
    """One connection that is kept."""

    def __init__(self, told: Told) -> None:
        self.told, self.buffer, self.wanted, self.asked = told, bytearray(), -1, 0.0
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._ask()

    def _ask(self) -> None:
        self.asked, self.wanted = time.perf_counter(), -1
        self.buffer.clear()
        self.transport.write(next(self.told.requests))  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if self.wanted < 0 and (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self.buffer, 0, end)
            self.wanted = end + 4 + (int(length[1]) if length else 0)
        if 0 <= self.wanted <= len(self.buffer):
            now = time.perf_counter()
            self.told.took.append(now - self.asked)
            self.told.refused += self.buffer[9:10] != b"2"
            self._ask() if now < self.told.until else self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.over.done():
            self.over.set_result(None)


async def load(host: str, port: int, connections: int, seconds: float, told: Told) -> float:
    """Ask until `seconds` are over; how many it took."""
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    told.until = began + seconds
    opened = [await loop.create_connection(lambda: Asking(told), host, port) for _ in range(connections)]
    await asyncio.gather(*(protocol.over for _, protocol in opened))
    return time.perf_counter() - began


def main() -> None:
    told = Told(itertools.cycle(sys.stdin.buffer.read().split(b"\0")))
    host, port, connections, seconds = sys.argv[1:]
    took = uvloop.run(load(host, int(port), int(connections), float(seconds), told))
    slow = sorted(told.took)[int(len(told.took) * 0.99)] * 1000
    said = {"answers": len(told.took), "refused": told.refused, "seconds": took, "slow_ms": round(slow, 2)}
    print(json.dumps(said))


if __name__ == "__main__":
    main()
