"""What the whole test run shares: one Redis of its own and one data folder, set before our modules read settings."""

import os
import shutil
import subprocess
import tempfile
import time
from collections import Counter
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


#: What takes long to start, dearest first, and the worker's name for the tests that share it.
_STARTED = {
    "browser": "stories",
    "stack": "stack",
    "shop": "shop",
    "server": "api",
    "each_server": "api",
    "postgres_server": "api",
    "office_engine": "engines",
    "ocr_engine": "engines",
}
#: What a test file imports to start a server, a stack or a sandbox of its own.
_STARTS = ("started", "serving", "opened", "boxed", "Sandbox")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks for `-n 2 --dist loadgroup`: tests that share a server, else a file, belong together."""
    for item in items:
        shared = (group for name, group in _STARTED.items() if name in getattr(item, "fixturenames", ()))
        group = next(shared, None)
        item.add_marker(pytest.mark.xdist_group(group or item.location[0]))
        if group or any(hasattr(getattr(item, "module", None), name) for name in _STARTS):
            item.add_marker(pytest.mark.started)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """How long each folder's files took, and the number of tests, for `tests.again`."""
    reports = [each for found in terminalreporter.stats.values() for each in found if hasattr(each, "duration")]
    config.cache.set("papercrane/tests", sum(each.when == "call" for each in reports))
    seconds: Counter[str] = Counter()
    for each in reports:
        seconds[each.location[0]] += each.duration
    terminalreporter.section("seconds by file")
    for file, taken in seconds.most_common(15):
        terminalreporter.line(f"{taken:7.1f}  {file}")


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
