"""What each test file may take, measured so that a busy or a slow machine does not count against it.

A file's seconds are those of its tests and of the fixtures that are its own; what starts once for many files (a stack,
a browser, an engine) is told beside them. Every second is divided by the machine's pace at that moment: how many times
longer than on a quiet core of the machine that `_QUIET` was measured on a loop of plain Python takes. So waiting for a
processor that somebody else has costs nothing, and a fast machine gets no stricter bound.

A file above its budget is told. `pytest --budget` (deploy/test.sh) fails when one took `BREACH` times what it may: a
file that grew is caught, a disk or a browser that was slow today is not (a run of 3,794 good tests was once refused
for two seconds of one file).
The dearest file begins (`--dist loadfile`: one worker runs a file, so a file's own server starts once), so that both
workers end together. Not `loadgroup`: xdist 3.8 writes its groups where pytest 9.2 does not look
(github.com/pytest-dev/pytest-xdist/issues/1386), and spreads the tests one by one.

What was merged when the run was shortened, without loss (the commits tell each test):
- the contract suite asks every tool in forks of one warm process, and the stack once a lane (d9812a7);
- servers of tests are forks of a warm process (295093d), dear documents are drawn once in a run (2cc5de7);
- the English stories use every second tool on a phone instead of each on both (`tests/site/test_english.py`);
- density waits once for three pages (e9cc553);
- the browser is Chromium's headless shell, which takes half of what the whole Chromium does (9d64092).
"""

import time
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

#: Seconds of a file that is not named below: most files take less than one; a browser's story takes a few.
USUAL, STORIES = 30, 60
#: Those that may take longer, dearest first.
BUDGETS = {
    "tests/cluster/test_faults.py": 200,  # kills parts of a stack of its own, and waits for leases to end
    "tests/deploy/test_images.py": 900,  # builds three images, where an operator asks for it; else a moment
    "tests/site/test_density.py": 140,  # every editor at three ratios on two screens
    "tests/site/test_troubles.py": 130,
    "tests/site/test_account.py": 120,
    "tests/foreign/test_foreign.py": 240,  # every tool through a sandbox, its results through five judges
    "tests/site/test_scan.py": 120,  # 22 real pages, each beside its preview
    "tests/site/test_english.py": 110,
    "tests/tools/test_every_tool.py": 100,
    "tests/site/test_centre.py": 100,
    "tests/cluster/test_big.py": 100,  # three gigabytes
    "tests/test_storage_full.py": 90,  # a stack of its own, whose Redis dies and comes back after pauses
    "tests/site/test_paying.py": 90,
    "tests/site/test_tools.py": 80,
    "tests/site/test_axe.py": 80,
    "tests/api/test_pay_gateways.py": 80,
    "tests/cluster/test_autoscaling.py": 60,  # nodes come and go
    "tests/test_start.py": 60,  # starts and stops stacks
    "tests/tools/test_damaged.py": 180,
    "tests/tools/test_compress.py": 60,  # proofs of every page, on both cores
    "tests/cluster/test_queue_machine.py": 60,  # hypothesis: 40 × 20 steps of queueing
    "tests/api/test_member_machine.py": 50,  # hypothesis: 36 × 50 steps of buying
    "tests/tools/test_easyocr.py": 60,  # torch
    "tests/tools/test_image_to_text.py": 50,  # reads pictures
    "tests/api/test_edge.py": 45,  # three gigabytes through nginx
    "tests/api/test_slow_requests.py": 45,  # waits for bounds of seconds
    "tests/cluster/test_engines_in_sandbox.py": 45,
    "tests/tools/test_pdf_to_image.py": 40,
    "tests/tools/test_ocr_models.py": 40,
    "tests/cluster/test_quota.py": 40,  # parts that breed, and a new sandbox after each
}
#: How many times its budget a file must take to fail the run.
BREACH = 2
#: Where the last run's tests, its failures and what it broke stand in pytest's cache, for `tests.again`.
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
        self.tests, self.failed, self.unread = 0, set[str](), set[str]()
        self.own: Counter[str] = Counter()
        self.shared: Counter[str] = Counter()
        self.started: Counter[str] = Counter()
        self.workers: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.tests += report.when == "call"
        if report.failed:
            self.failed.add(report.nodeid)
        file, found = file_of(report), report.__dict__
        self.workers.setdefault(file, set()).add(found.get("worker_id", ""))
        self.own[file] += found.get("own", 0)
        for name, seconds in found.get("shared", {}).items():
            self.shared[name] += seconds
            self.started[name] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.unread.add(report.nodeid)

    def late(self, times: float = 1) -> list[str]:
        """A sentence for each file that took more than `times` its budget."""
        over = [(file, spent) for file, spent in self.own.items() if spent > times * budget(file)]
        return [f"{file} took {spent:.0f} s and may take {budget(file)} (tests/budget.py)" for file, spent in over]

    def broken(self) -> list[str]:
        """What fails the run: a file far above its budget, or one that more than one worker ran."""
        if not self.keep:
            return []
        spread = [file for file, workers in self.workers.items() if len(workers) > 1]
        return [
            *self.late(BREACH),
            *(f"{name} could not be collected: its tests did not run" for name in sorted(self.unread)),
            *(f"{file} was run by more than one worker: what it starts was started twice" for file in spread),
        ]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.cache.set(TOLD, {"tests": self.tests, "failed": sorted(self.failed), "broken": self.broken()})
        if self.broken() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("seconds by file, of its budget, at a quiet machine's pace")
        for file, spent in self.own.most_common(25):
            terminalreporter.line(f"{spent:7.1f} of {budget(file):4}  {file}")
        dear = ((name, spent, self.started[name]) for name, spent in self.shared.most_common() if spent > 0.1)
        shared = (f"{name} {times} × {spent / times:.1f}" for name, spent, times in dear)
        terminalreporter.line(f"started for all, seconds: {', '.join(shared)}")
        for sentence in dict.fromkeys([*self.late(), *self.broken()]):
            terminalreporter.line(f"papercrane: {sentence}", red=True)
