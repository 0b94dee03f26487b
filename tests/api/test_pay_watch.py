"""The watch: of all processes one asks at a time, and a silent gateway holds up nobody else."""

import asyncio
import secrets
import socket

import pytest

from api.member.asking import give_lock_back, take_lock
from api.member.wallet import GatewayError
from api.member.weixin import Weixin, WeixinMerchant
from cluster.queue import connect
from tests.gateways.wire import Keys


@pytest.fixture
def names(redis_server: str) -> tuple[str, str]:
    """Two processes, neither of which watches."""
    connect().delete("pay:watch")
    return secrets.token_hex(8), secrets.token_hex(8)


def test_one_watches_at_a_time(names: tuple[str, str]) -> None:
    one, other = names
    assert take_lock(one) and not take_lock(other) and not take_lock(one)
    assert 0 < connect().ttl("pay:watch") <= 10, "who is killed is soon followed by another"
    give_lock_back(other)
    assert not take_lock(other), "only its holder gives it back"
    give_lock_back(one)
    assert take_lock(other)


def test_a_round_that_took_too_long_leaves_the_next_watch_alone(names: tuple[str, str]) -> None:
    one, other = names
    assert take_lock(one)
    connect().delete("pay:watch")
    assert take_lock(other)
    give_lock_back(one)
    assert connect().get("pay:watch") == other


def test_a_silent_gateway_holds_up_nobody_else(redis_server: str) -> None:
    """WeChat's client blocks its thread for 8 s: payers must not use up those that every other call needs."""
    key = Keys().private
    quiet = socket.create_server(("127.0.0.1", 0), backlog=100)
    address = f"http://127.0.0.1:{quiet.getsockname()[1]}"
    merchant = WeixinMerchant("wx", "1900000001", "5157", key, "x" * 32, address, key.public_key(), "PUB_KEY_ID_0")

    async def story() -> None:
        wallet = Weixin(merchant)
        waiting = [asyncio.create_task(wallet.query(f"n{number}")) for number in range(100)]
        try:
            await asyncio.sleep(0)
            async with asyncio.timeout(5):
                assert await asyncio.to_thread(connect().ping)
        finally:
            quiet.close()
            told = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(each, GatewayError) for each in told)

    asyncio.run(story())
