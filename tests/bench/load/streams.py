"""2,000 open event streams of one API process: what they cost while nothing happens, and how soon each hears a word."""

import asyncio
import resource
import statistics
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack

import psutil

from api.task import events
from cluster import queue
from tests.api.conftest import Server, Visitor
from tests.api.test_event_streams import STREAMS, said, stream
from tests.bench.load.running import cpu_of, our_server

#: Seconds in which nothing happens.
QUIET = 10.0
LANE = "quick"


def rows() -> Iterator[str]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 3 * STREAMS)), hard))
    with our_server(cluster={"QUEUE_FACTOR": "100000"}) as server:
        visitors = [Visitor(server.address) for _ in range(STREAMS // events.MOST)]
        told = asyncio.run(_open(server, [(visitor, visitor.task()) for visitor in visitors]))
    yield "| streams | |"
    yield "|---|---|"
    yield from (f"| {name} | {value} |" for name, value in told.items())


async def _open(server: Server, crowd: list[tuple[Visitor, str]]) -> dict[str, str]:
    assert server.process and server.process.pid
    pid = server.process.pid
    before = psutil.Process(pid).memory_info().rss
    async with AsyncExitStack() as opened:
        streams = []
        for visitor, task in crowd:
            wanted = [opened.enter_async_context(stream(visitor, task)) for _ in range(events.MOST)]
            streams += [reader for _, reader in await asyncio.gather(*wanted)]
        await asyncio.gather(*(said(reader, b'"status": 99') for reader in streams))
        held, spent = psutil.Process(pid).memory_info().rss - before, cpu_of(pid)
        await asyncio.sleep(QUIET)
        spent = (cpu_of(pid) - spent) / QUIET
        late = await asyncio.gather(*(_late(reader) for reader in streams), _begin(len(crowd)))
    waited = sorted(each for each in late if each)
    return {
        "open": str(len(streams)),
        "memory of the process for each": f"{held / len(streams) / 1024:.0f} KiB",
        "CPU of the process while all wait (of one core)": f"{spent:.2f}",
        "from a slot's claim to the stream, median · slowest 1 %": (
            f"{statistics.median(waited):.0f} · {waited[int(len(waited) * 0.99)]:.0f} ms"
        ),
    }


async def _begin(count: int) -> float:
    """Every task is claimed; streams tell what they hear by `startedAt`."""
    for number in range(count):
        await asyncio.to_thread(queue.claim, LANE, f"slot-{number}")
    return 0.0


async def _late(reader: asyncio.StreamReader) -> float:
    """Milliseconds from the claim until this stream has told of it."""
    seen = b""
    while b'"status": 2' not in seen:
        seen = seen[-4000:] + await asyncio.wait_for(reader.read(1 << 16), 60)
    started = int(seen.rpartition(b'"startedAt": ')[2].partition(b",")[0].strip(b" }\n"))
    return time.time() * 1000 - started
