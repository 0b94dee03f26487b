"""Redis' master dies: Sentinel names another one, whom API and slots follow; nothing that was accepted is lost."""

import asyncio
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from cluster.queue import master
from cluster.settings import Settings
from cluster.task import Status
from tests.api.conftest import Server, Visitor, serving
from tests.conftest import free_port, wait_until
from tests.stack import ROOT

#: What Redis and Sentinel ask for.
REDIS, SENTINEL = secrets.token_hex(8), secrets.token_hex(8)
#: A slot that holds a part while the master dies, then ends it.
SLOT = """
import sys
from cluster import queue
from cluster.task import Made, Outcome, Status
queue.beat("quick", "survivor")
held = queue.claim("quick", "survivor")
print("claimed", flush=True)
sys.stdin.readline()
made = Made("results/x/y/0.1/0.pdf", "a.pdf", 1, "pdf", 1, 0)
print(queue.done(held, Outcome(Status.SUCCESS, [made])).status.name, flush=True)
"""


@dataclass
class Pair:
    """Two Redis servers, the first of which is the master, and a Sentinel that watches."""

    servers: dict[int, subprocess.Popen[bytes]]
    sentinel: int

    @property
    def told(self) -> dict[str, str]:
        """Our settings; the first Sentinel is away, and the URL's own host and port say nothing."""
        sentinels = f"127.0.0.1:1,127.0.0.1:{self.sentinel}"
        own = {"redis": f"redis://:{REDIS}@127.0.0.1:1/0", "sentinels": sentinels, "master": "ours"}
        return {**own, "sentinel_password": SENTINEL}

    def master(self) -> int:
        with redis.Redis(port=self.sentinel, password=SENTINEL, decode_responses=True) as asked:
            return int(asked.sentinel_get_master_addr_by_name("ours")[1])

    def replicas(self) -> int:
        with redis.Redis(port=self.master(), password=REDIS) as asked:
            return int(asked.info("replication").get("min_slaves_good_slaves", 0))


def alive(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def pair(folder: Path) -> Iterator[Pair]:
    first, second, watcher = free_port(), free_port(), free_port()
    config = folder / "sentinel.conf"
    config.write_text(
        f"port {watcher}\nbind 127.0.0.1\ndir {folder}\nsentinel monitor ours 127.0.0.1 {first} 1\n"
        "sentinel down-after-milliseconds ours 1000\nsentinel failover-timeout ours 5000\n"
        f"requirepass {SENTINEL}\nsentinel auth-pass ours {REDIS}\n"
    )
    usual = ["--bind", "127.0.0.1", "--appendonly", "yes", "--appendfsync", "always", "--save", ""]
    usual += ["--requirepass", REDIS, "--masterauth", REDIS, "--repl-diskless-sync-delay", "0"]
    # What only the master knows is not accepted; its replica, once it is alone, may stand without one.
    safe = ["--min-replicas-to-write", "1", "--min-replicas-max-lag", "10"]
    commands = {
        first: ["redis-server", "--port", str(first), *usual, *safe],
        second: ["redis-server", "--port", str(second), *usual, "--replicaof", "127.0.0.1", str(first)],
    }
    with ExitStack() as stack:
        servers = {}
        for port, command in commands.items():
            own = folder / str(port)
            own.mkdir()
            servers[port] = stack.enter_context(subprocess.Popen([*command, "--dir", str(own)], stdout=-3))
            stack.callback(servers[port].kill)
            wait_until(lambda port=port: alive(port), what="Redis")
        found = Pair(servers, watcher)
        watching = ["redis-server", str(config), "--sentinel"]
        stack.callback(stack.enter_context(subprocess.Popen(watching, stdout=-3)).kill)
        wait_until(lambda: alive(watcher) and found.replicas() == 1, what="the replica", seconds=30)
        wait_until(lambda: _knows(watcher), what="the Sentinel", seconds=30)
        yield found


def _knows(watcher: int) -> bool:
    with redis.Redis(port=watcher, password=SENTINEL, decode_responses=True) as asked:
        return len(asked.sentinel_slaves("ours")) == 1


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Pair, Server]]:
    with (
        pair(tmp_path) as found,
        serving(tmp_path, cluster={name.upper(): value for name, value in found.told.items()}) as server,
    ):
        yield found, server


def test_who_works_follows_the_new_master(both: tuple[Pair, Server]) -> None:
    found, server = both
    visitor, first = Visitor(server.address), found.master()
    key = visitor.upload()
    held, waiting = visitor.task(key), visitor.task(key)
    command, own = [sys.executable, "-c", SLOT], {**os.environ, **server.environment}
    with subprocess.Popen(command, cwd=ROOT, env=own, stdin=-1, stdout=-1, text=True) as slot:
        assert slot.stdin and slot.stdout and slot.stdout.readline() == "claimed\n"
        found.servers[first].kill()
        slot.stdin.write("go\n")
        slot.stdin.flush()
        assert slot.stdout.readline() == "SUCCESS\n", "it waited until there was a master"
    assert found.master() != first
    with redis.Redis(port=found.master(), password=REDIS) as new:
        assert new.exists(f"task:{held}", f"task:{waiting}") == 2
    assert visitor.view(held)["status"] == Status.SUCCESS
    assert visitor.view(waiting)["status"] == Status.BE_QUEUING, "accepted before, and still there"
    assert visitor.create(key).status_code == 200


def test_who_was_asking_as_the_master_died_asks_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that broke in the middle of a question opens itself, and not where the old master was."""
    with pair(tmp_path) as found:
        monkeypatch.setattr(master, "settings", lambda: Settings(**found.told))
        first = found.master()
        assert asyncio.run(_ports(found, first)) == [str(found.master())] * 2
        assert found.master() != first


async def _ports(found: Pair, first: int) -> list[str]:
    """Whom those who held a connection to the master reach after it."""
    again: dict[str, Any] = {"retry_on_error": [redis.ConnectionError], "decode_responses": True}
    threads = master.client(retry=Retry(ConstantBackoff(0.1), 100), **again)
    coroutines = master.async_client(retry=AsyncRetry(ConstantBackoff(0.1), 100), **again)
    threads.connection = threads.connection_pool.get_connection()
    coroutines.connection = await coroutines.connection_pool.get_connection()
    found.servers[first].kill()
    found.servers[first].wait()
    asked = await asyncio.to_thread(threads.config_get, "port"), await coroutines.config_get("port")
    return [each["port"] for each in asked]


def test_a_master_that_is_alone_accepts_nothing(both: tuple[Pair, Server]) -> None:
    found, server = both
    visitor, first = Visitor(server.address), found.master()
    key = visitor.upload()
    (replica,) = found.servers.keys() - {first}
    found.servers[replica].kill()
    wait_until(lambda: found.replicas() == 0, what="the master alone", seconds=30)
    answer = visitor.create(key)
    assert (answer.status_code, answer.json()["data"]["reason"]) == (503, "unavailable"), answer.text
    assert int(answer.headers["retry-after"]) > 0
