"""What each test file may take, measured so that a busy or a slow machine does not count against it.

A file's seconds are those of its tests and of the fixtures that are its own; what starts once for many files (a stack,
a browser, an engine) is told beside them. Every second is divided by the machine's pace at that moment: how many times
longer than on a quiet core of the machine that `_QUIET` was measured on a loop of plain Python takes. So waiting for a
processor that somebody else has costs nothing, and a fast machine gets no stricter bound.

`pytest --budget` (deploy/test.sh) fails when a file took more than it may; without it the table is only printed.
The dearest file begins (`--dist loadfile`: one worker runs a file, so a file's own server starts once), so that both
workers end together. Not `loadgroup`: xdist 3.8 writes its groups where pytest 9.2 does not look
(github.com/pytest-dev/pytest-xdist/issues/1386), and spreads the tests one by one.
"""

import time
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

#: Seconds of a file that is not named below: most files take less than one; a browser's story takes a few.
USUAL, STORIES = 20, 45
#: Those that may take longer, dearest first.
BUDGETS: dict[str, int] = {}
#: Where the last run's tests, failures and files over their budget stand in pytest's cache, for `tests.again`.
TOLD = "papercrane/told"
_ROUNDS = 200_000
#: Seconds of as many rounds on a quiet core.
_QUIET = 0.0083
#: Seconds after which the pace is measured again.
_STALE = 2.0


def budget(file: str) -> int:
    """Seconds that the tests of `file` (relative to the repository) may take."""
    return BUDGETS.get(file, STORIES if file.startswith("tests/site/") else USUAL)


def file_of(report: Any) -> str:
    """The file of a test or its report, as the repository names it."""
    return str(report.nodeid.partition("::")[0])


class Pace:
    """How many times slower than a quiet machine this one is now, at least 1."""

    def __init__(self) -> None:
        self.value, self.until = 1.0, 0.0

    def now(self) -> float:
        """The pace; measured again when what is known is old."""
        if time.monotonic() > self.until:
            self.value = max(1.0, _loop() / _QUIET)
            self.until = time.monotonic() + _STALE
        return self.value


def _loop() -> float:
    began, total = time.perf_counter(), 0
    for number in range(_ROUNDS):
        total ^= number * number
    return time.perf_counter() - began


class Meter:
    """In each worker: writes `own` and `shared` seconds into every report."""

    def __init__(self) -> None:
        self.pace, self.before = Pace(), 1.0
        self.shared: Counter[str] = Counter()
        self.starting = self.last = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        self.before, self.last = self.pace.now(), nextitem is None
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        if fixturedef.scope != "session" or self.starting:
            return (yield)
        began, self.starting = time.monotonic(), True
        try:
            return (yield)
        finally:
            self.starting = False
            self.shared[fixturedef.argname] += time.monotonic() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: Any) -> Generator[None, Any, Any]:
        report = yield
        shared, self.shared = self.shared, Counter()
        # The worker's last test ends what was started for all of them.
        spent = 0.0 if report.when == "teardown" and self.last else report.duration - shared.total()
        report.own = spent * 2 / (self.before + self.pace.now())
        report.shared = dict(shared)
        return report


class Ledger:
    """In the process that prints: adds up what the reports say, and keeps the budgets when it shall."""

    def __init__(self, keep: bool, cache: pytest.Cache) -> None:
        self.keep, self.cache = keep, cache
        self.tests, self.failed = 0, set[str]()
        self.own: Counter[str] = Counter()
        self.shared: Counter[str] = Counter()
        self.started: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.tests += report.when == "call"
        if report.failed:
            self.failed.add(report.nodeid)
        self.own[file_of(report)] += report.__dict__.get("own", 0)
        for name, seconds in report.__dict__.get("shared", {}).items():
            self.shared[name] += seconds
            self.started[name] += 1

    def over(self) -> dict[str, float]:
        """Files that took more than they may, with their seconds."""
        return {file: seconds for file, seconds in self.own.items() if self.keep and seconds > budget(file)}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.cache.set(TOLD, {"tests": self.tests, "failed": sorted(self.failed), "over": self.over()})
        if self.over() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("seconds by file, of its budget, at a quiet machine's pace")
        for file, seconds in self.own.most_common(25):
            late = "  OVER ITS BUDGET" if file in self.over() else ""
            terminalreporter.line(f"{seconds:7.1f} of {budget(file):4}  {file}{late}")
        shared = (f"{name} {self.started[name]} × {spent / self.started[name]:.1f}" for name, spent in self.dear())
        terminalreporter.line(f"started for all, seconds: {', '.join(shared)}")

    def dear(self) -> list[tuple[str, float]]:
        """What took a moment to start, and the seconds of all its starts."""
        return [(name, seconds) for name, seconds in self.shared.most_common() if seconds > 0.1]
