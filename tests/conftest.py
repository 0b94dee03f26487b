"""What the whole test run shares: one Redis of its own and one data folder, set before our modules read settings."""

import gc
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import certifi
import pytest
import redis

from tests import budget, once
from tests.stack import Person, Stack, free_port, started

_DATA = Path(tempfile.mkdtemp(prefix="papercrane-test-"))
# Nobody here is vouched for by an authority, and to read all of them costs each httpx.Client 22 ms.
_AUTHORITY = _DATA / "authority.pem"
_AUTHORITY.write_text("".join(certifi.contents().partition("-----END CERTIFICATE-----\n")[:2]))
os.environ["SSL_CERT_FILE"] = str(_AUTHORITY)
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


#: Fixtures by which a test needs a server, a browser, an engine, or forks that run parts.
_STARTED = {"browser", "stack", "server", "each_server", "postgres_server", "new_postgres", "shop"} | {
    "impatient",
    "bucket",
    "office_engine",
    "ocr_engine",
    "parts",
}
#: What a test file imports to start a server, a stack or a sandbox of its own.
_STARTS = ("started", "serving", "opened", "boxed", "Sandbox")
#: What a test's variant is called that asks for a server by its parameter.
_SERVED = "postgresql"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--budget", action="store_true", help="fail when a test file takes more than tests.budget allows")


def pytest_configure(config: pytest.Config) -> None:
    config.option.loadscopereorder = False  # else xdist begins with the files of most tests, not with the dearest
    worker = hasattr(config, "workerinput")
    if worker or not config.getoption("numprocesses", 0):
        config.pluginmanager.register(budget.Meter())
    if not worker:
        os.environ[once.FOLDER] = tempfile.mkdtemp(prefix="papercrane-drawn-")
        config.pluginmanager.register(budget.Ledger(config.getoption("budget"), config.cache))


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(_DATA, ignore_errors=True)
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(once.FOLDER, ""), ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """What is imported stays: to look for garbage in it takes each worker a second of CPU, and later more."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What `deploy/test.sh quick` leaves out is marked; the file that takes longest begins."""
    for item in items:
        imported = any(hasattr(getattr(item, "module", None), name) for name in _STARTS)
        served = _SERVED in getattr(getattr(item, "callspec", None), "params", {}).values()
        if imported or served or not _STARTED.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.started)
    items.sort(key=lambda item: -budget.budget(budget.file_of(item)))


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
