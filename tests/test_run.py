"""The test run itself: what it promises of seconds, second tries and drawings."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import again, budget
from tests.budget import Ledger, Pace
from tests.once import FOLDER, once


@pytest.fixture
def ledger(request: pytest.FixtureRequest) -> Ledger:
    return Ledger(True, request.config.cache)


def report(file: str, **more: object) -> SimpleNamespace:
    return SimpleNamespace(nodeid=f"{file}::test", when="call", failed=False, **more)


def test_a_file_over_its_budget_is_told_and_far_over_it_fails(ledger: Ledger) -> None:
    half = budget.USUAL / 2 + 1
    for times, (told, fails) in enumerate([(False, False), (True, False), (True, False), (True, True)], start=1):
        ledger.pytest_runtest_logreport(report("tests/test_x.py", own=half))
        assert (bool(ledger.late()), bool(ledger.broken())) == (told, fails)
        assert ledger.own["tests/test_x.py"] == times * half
    assert f"tests/test_x.py took {4 * half:.0f} s and may take {budget.USUAL}" in ledger.broken()[0]
    ledger.keep = False
    assert ledger.broken() == []


def test_a_file_in_two_workers_is_told(ledger: Ledger) -> None:
    """xdist's groups lost their effect without a word; whatever does so next is noticed."""
    for worker in ("gw0", "gw1"):
        ledger.pytest_runtest_logreport(report("tests/test_x.py", own=1, worker_id=worker))
        ledger.pytest_runtest_logreport(report(f"tests/test_{worker}.py", own=1, worker_id=worker))
    assert [sentence.split()[0] for sentence in ledger.broken()] == ["tests/test_x.py"]


def test_every_budget_is_of_a_file_that_is_there() -> None:
    assert [file for file in budget.BUDGETS if not (again.ROOT / file).exists()] == []


def test_a_busy_machine_is_given_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = Pace()
    monkeypatch.setattr(budget, "_loop", lambda: 3 * budget._QUIET)
    assert pace.now() == pytest.approx(3)
    monkeypatch.setattr(budget, "_loop", lambda: budget._QUIET / 2)
    pace.until = 0
    assert pace.now() == 1


def test_second_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name and of these alone; with none failed nothing runs, for pytest without a name would run all."""
    ran: list[list[str]] = []
    monkeypatch.setattr(pytest, "main", lambda names: ran.append(names) or 0)
    assert again.second_try([], 2000) == 0 and ran == []
    assert again.second_try(["a", "b"], 200) == 0 and ran == [["-q", "a", "b"]]
    assert again.second_try(["a", "b", "c"], 200) == 1 and len(ran) == 1
    assert (again.tell([]), again.tell(["it took too long"])) == (0, 1)


def test_a_run_that_failed_without_a_failed_test_has_failed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Workers that collected different tests ran none of them; the second try of nothing passed."""
    monkeypatch.setattr(pytest, "main", lambda names: 0)
    assert (again.verdict([], 0, []), again.verdict(["a"], 2000, [])) == (1, 0)
    ledger.pytest_collectreport(SimpleNamespace(nodeid="gw1", failed=True))
    assert again.verdict(["a"], 2000, ledger.broken()) == 1
    assert "gw1 could not be collected" in capsys.readouterr().out


def test_a_document_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    @once
    def draw(path: Path, pages: int) -> Path:
        drawn.append(pages)
        path.write_text(str(pages))
        return path

    (tmp_path / "kept").mkdir()
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    for name in ("a", "b"):
        draw(tmp_path / name, 2).write_text("changed by its test")
    assert draw(tmp_path / "c", 2).read_text() == "2" and draw(tmp_path / "d", pages=3).read_text() == "3"
    assert drawn == [2, 3]
    monkeypatch.delenv(FOLDER)
    assert draw(tmp_path / "e", 2).read_text() == "2" and drawn == [2, 3, 2]
