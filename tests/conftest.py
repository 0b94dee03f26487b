"""What the whole test run shares: one Redis of its own and one data folder, set before our modules read settings."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.stack import Person, Stack, free_port, started

_DATA = Path(tempfile.mkdtemp(prefix="papercrane-test-"))


_PORT = free_port()
os.environ["PAPERCRANE_DATA"] = str(_DATA)
os.environ["PAPERCRANE_REDIS"] = f"redis://127.0.0.1:{_PORT}/0"


def wait_until(holds, seconds: float = 20.0, what: str = "the condition"):  # type: ignore[no-untyped-def]
    """Call `holds` until it gives something true, which is returned."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come about within {seconds} s")


@pytest.fixture(scope="session", autouse=True)
def redis_server() -> Iterator[str]:
    """redis-server with AOF, as it runs in production."""
    folder = _DATA / "redis"
    folder.mkdir()
    server = subprocess.Popen(
        ["redis-server", "--port", str(_PORT), "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes",
         "--save", "", "--logfile", folder / "log"]
    )  # fmt: skip
    client = redis.Redis(port=_PORT)
    wait_until(lambda: _answers(client), what="redis-server")
    yield os.environ["PAPERCRANE_REDIS"]
    server.terminate()
    server.wait()
    shutil.rmtree(_DATA, ignore_errors=True)


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


@pytest.fixture
def one_day() -> None:
    """The test lies within one of China's days: free tries are counted by them."""
    wait_until(lambda: (time.time() + 8 * 3600) % 86_400 < 86_400 - 30, seconds=60, what="China's next day")


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The whole product, started once for all tests that only use it."""
    with started(tmp_path_factory.mktemp("stack")) as running:
        yield running


@pytest.fixture
def person(stack: Stack) -> Person:
    """A visitor nobody has seen before."""
    return Person(stack.address)
