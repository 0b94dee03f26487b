"""What many coroutines ask of Redis at the same moment goes there together, and each hears its own answer."""

import asyncio
import secrets

import pytest
import redis

from cluster import queue
from cluster.queue import line

pytestmark = pytest.mark.usefixtures("redis_server")
#: Counts, and knows whom it answered.
COUNT = "redis.call('INCR', KEYS[1]) return ARGV[1]"


async def asked(count: int, key: str) -> list[str]:
    return await asyncio.gather(*(queue.ask(COUNT, [key], [str(number)]) for number in range(count)))


def test_each_hears_its_own_answer_and_few_ways_are_gone() -> None:
    key = secrets.token_hex(8)
    asyncio.run(asked(1, key))
    before = queue.connect().info("stats")["total_reads_processed"]
    assert asyncio.run(asked(200, key)) == [str(number) for number in range(200)]
    assert queue.connect().get(key) == "201", "each was done, and once"
    # The whole crowd in one pipeline, which may be read in pieces; 200 ways of their own would be 200 reads.
    assert queue.connect().info("stats")["total_reads_processed"] - before < 20


def test_a_fault_is_its_own_asks_alone() -> None:
    async def mixed() -> list[object]:
        key = secrets.token_hex(8)
        good, bad = queue.ask(COUNT, [key], ["good"]), queue.ask("return redis.call('NO')", [], [])
        return list(await asyncio.gather(good, bad, return_exceptions=True))

    good, bad = asyncio.run(mixed())
    assert good == "good" and isinstance(bad, redis.ResponseError)


def test_a_server_that_forgot_the_scripts_is_told_them_again() -> None:
    key = secrets.token_hex(8)
    asyncio.run(asked(1, key))
    queue.connect().script_flush()
    assert asyncio.run(asked(3, key)) == ["0", "1", "2"]
    assert queue.connect().get(key) == "4"


def test_a_line_that_breaks_is_no_askers_trouble() -> None:
    async def broken() -> tuple[list[str], list[str]]:
        key = secrets.token_hex(8)
        await asked(1, key)
        # Redis knows what was asked and nobody hears the answer: it is asked again.
        queue.connect().client_kill_filter(_type="normal", skipme=True)
        return await asked(20, key), await asked(20, key)

    assert asyncio.run(broken()) == ([str(number) for number in range(20)],) * 2


def test_a_server_that_says_nothing_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "PATIENCE", 0.2)

    async def paused() -> list[str]:
        key = secrets.token_hex(8)
        await asked(1, key)
        queue.connect().client_pause(1000)
        return await asked(3, key)

    assert asyncio.run(paused()) == ["0", "1", "2"]


def test_who_goes_away_holds_up_nobody() -> None:
    async def crowd() -> list[str]:
        key = secrets.token_hex(8)
        gone = [queue.ask(COUNT, [key], ["gone"]) for _ in range(3)]
        for each in gone:
            each.cancel()
        return await asyncio.wait_for(asked(5, key), 30)

    assert asyncio.run(crowd()) == [str(number) for number in range(5)]
