"""Many live event streams at once: one subscription for all of them, bounds that hold in a race."""

import asyncio
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from api.problems import Refusal
from api.settings import settings
from api.task import events
from api.task.news import News
from cluster import queue
from tests.api.conftest import Server, Visitor, built_site, end_task, serving
from tests.conftest import wait_until

STREAMS = 2000


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> Iterator[Server]:
    """A server that lets one address (ours) be a crowd, and whose lane takes a task of each."""
    folder = tmp_path_factory.mktemp("crowded")
    many = {"ADDRESS_STREAMS": "100000", "ADDRESS_CONNECTIONS": "100000"}
    with serving(folder, SITE=str(built_site(folder / "site")), **many) as running:
        yield running


@pytest.fixture
def crowd(crowded: Server) -> list[tuple[Visitor, str]]:
    """As many visitors as it takes, each with a task that waits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 3 * STREAMS)), hard))
    for slot in range(10):
        queue.beat("quick", f"crowd-{slot}")
    visitors = [Visitor(crowded.address) for _ in range(STREAMS // events.MOST)]
    return [(visitor, visitor.task()) for visitor in visitors]


@asynccontextmanager
async def stream(visitor: Visitor, task: str) -> AsyncIterator[tuple[bytes, asyncio.StreamReader]]:
    """The status line and what follows the head."""
    where, cookies = urlsplit(visitor.address), visitor.http.cookies
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    asked = [
        f"GET /api/task/task/events?taskId={task} HTTP/1.1",
        "Host: 127.0.0.1",
        "Web-Tag: papercrane",
        f"Access-Token: {cookies['access_token']}",
        f"Cookie: access_token={cookies['access_token']}; session={cookies['session']}",
    ]
    writer.write("\r\n".join([*asked, "", ""]).encode())
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        yield head.splitlines()[0], reader
    finally:
        writer.close()


async def status_of(visitor: Visitor, task: str) -> bytes:
    async with stream(visitor, task) as (status, _):
        return status


async def said(reader: asyncio.StreamReader, words: bytes) -> None:
    """Read until the stream has said `words`."""
    seen = b""
    while words not in seen:
        piece = await asyncio.wait_for(reader.read(1 << 16), 60)
        assert piece, seen[-500:]
        seen = seen[-2000:] + piece


def subscriptions() -> list[dict[str, str]]:
    return [each for each in queue.connect().client_list() if int(each["sub"]) + int(each["psub"])]


async def test_two_thousand_streams_need_one_subscription(crowd: list[tuple[Visitor, str]], tmp_path: Path) -> None:
    before = len(queue.connect().client_list())
    async with AsyncExitStack() as opened:
        streams = []
        for visitor, task in crowd:
            wanted = [opened.enter_async_context(stream(visitor, task)) for _ in range(events.MOST)]
            streams += await asyncio.gather(*wanted)
        assert len(streams) == STREAMS
        assert {status for status, _ in streams} == {b"HTTP/1.1 200 OK"}
        await asyncio.gather(*(said(reader, b'"status": 99') for _, reader in streams))
        assert len(subscriptions()) == 1
        assert len(queue.connect().client_list()) - before < 100
        for _, task in crowd:
            await asyncio.to_thread(end_task, task, tmp_path, ("a.pdf", b"a"))
        await asyncio.gather(*(said(reader, b'"status": 3') for _, reader in streams))
    wait_until(lambda: not subscriptions(), what="the end of the subscription that nobody needs")


async def test_an_owners_bound_holds_for_streams_opened_at_once(crowd: list[tuple[Visitor, str]]) -> None:
    visitor, task = crowd[0]
    async with AsyncExitStack() as opened:
        wanted = [opened.enter_async_context(stream(visitor, task)) for _ in range(3 * events.MOST)]
        statuses = [status for status, _ in await asyncio.gather(*wanted)]
        assert statuses.count(b"HTTP/1.1 200 OK") == events.MOST
        assert statuses.count(b"HTTP/1.1 429 Too Many Requests") == 2 * events.MOST
        other, theirs = crowd[1]
        async with stream(other, theirs) as (status, _):
            assert status == b"HTTP/1.1 200 OK"
    async with asyncio.timeout(20):  # what has ended makes room again
        while await status_of(visitor, task) != b"HTTP/1.1 200 OK":
            await asyncio.sleep(0.05)


async def test_one_address_has_a_bound_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERCRANE_API_ADDRESS_STREAMS", "2")
    settings.cache_clear()
    try:
        with ExitStack() as places:
            for owner, address in (("a", "here"), ("b", "here"), ("c", "there")):
                places.enter_context(events._place(owner, address))
            with pytest.raises(Refusal) as refused:
                places.enter_context(events._place("d", "here"))
        with events._place("d", "here"):
            pass
    finally:
        monkeypatch.undo()
        settings.cache_clear()
    assert refused.value.retry and not events._open


async def test_listeners_look_again_when_redis_is_back(redis_server: str) -> None:
    """Nobody knows what was not heard meanwhile."""
    others = {each["id"] for each in subscriptions()}
    news = News()
    with news.about("a-task") as heard:
        await asyncio.wait_for(heard.wait(), 10)
        heard.clear()
        (channel,) = (each for each in subscriptions() if each["id"] not in others)
        queue.connect().client_kill_filter(_id=channel["id"])
        await asyncio.wait_for(heard.wait(), 10)
        assert news.arriving
        heard.clear()
        queue.connect().publish("events:another", "x")
        queue.connect().publish("events:a-task", "x")
        await asyncio.wait_for(heard.wait(), 10)

    def ended() -> bool:
        return {each["id"] for each in subscriptions()} <= others

    await asyncio.to_thread(wait_until, ended, what="the end of the subscription")
