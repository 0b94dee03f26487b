"""What a hostile part can reach, and what is left when it ends: nothing."""

import json
import os
import signal
import socket
from pathlib import Path
from typing import Any

import psutil
import pytest

from cluster.settings import ROOT, settings
from cluster.worker.sandbox import Ended, Limits, Sandbox, strong

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    folder = tmp_path_factory.mktemp("job")
    made = Sandbox(folder, "tests.cluster.misbehave", ("heavy",), readable=(HERE.parent,))
    yield made
    made.kill()


def run(box: Sandbox, do: str, *arguments: str, limits=None, hear=lambda report: None, wanted=lambda: True) -> Ended:
    (box.folder / "in").mkdir(exist_ok=True)
    (box.folder / "in" / "0.txt").write_text("some words")
    inputs = [{"file": "in/0.txt", "name": "a.txt", "size": 10, "password": None, "index": 0}]
    return box.run(order_of(inputs, do, *arguments), limits or patient(), hear, wanted)


def order_of(inputs: list[dict[str, Any]], do: str, *arguments: str) -> dict[str, Any]:
    chosen = {"do": do, "arguments": list(arguments)}
    order = {"mode": "run", "tool": 9001, "options": chosen, "language": "en", "inputs": inputs, "max_pages": 9}
    return order | {"extras": {}, "share": None}


def patient() -> Limits:
    """Ends only what hangs, on a busy machine too."""
    return Limits(120, lambda pages: 120)


def said(box: Sandbox, ended: Ended):
    return json.loads((box.folder / ended.answer["outputs"][0]["file"]).read_text())


def test_bubblewrap_works_here():
    assert strong(), "these tests mean nothing without bubblewrap; see deploy/setup.sh"


def test_nothing_can_be_reached_over_the_network(box):
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = run(box, "connect", "127.0.0.1", str(server.getsockname()[1]))
    assert ended.answer["problem"] == "FaultProblem"
    assert "ConnectionRefusedError" in ended.answer["detail"]
    assert "OSError" in run(box, "connect", "192.0.2.1", "80").answer["detail"]


def test_the_hosts_files_and_secrets_are_not_there(box):
    settings().data.mkdir(parents=True, exist_ok=True)
    hidden = ["/etc/passwd", "/etc/shadow", "/home", str(settings().data), str(ROOT / "api"), "/var/lib", "/run"]
    hidden += ["/usr/share/doc", "/usr/share/common-licenses/GPL-3"]  # what lies there, a document could show
    assert all(Path(path).exists() for path in hidden)
    ours = ROOT / "cluster" / "__init__.py"
    found = said(box, run(box, "attempt", *hidden, str(ours)))
    assert found.pop(str(ours)) == ours.read_text()  # what it may read is read
    assert set(found) == set(hidden)
    assert set(found.values()) <= {"FileNotFoundError", "PermissionError"}, found


def test_no_setting_of_ours_crosses(box, monkeypatch):
    monkeypatch.setenv("PAPERCRANE_SECRET", "sesame")
    box.kill()
    environment = said(box, run(box, "environment"))
    assert "sesame" not in str(environment)
    assert environment["ORT_DISABLE_TELEMETRY"] == "1"


def test_a_crash_is_told_by_its_signal_and_the_next_part_works(box):
    assert run(box, "crash").status == -signal.SIGSEGV
    assert run(box, "refuse").answer["reason"] == "damaged_file"


def test_processor_time_ends(box):
    assert run(box, "spin").status == -signal.SIGXCPU


def test_the_deadline_kills_what_only_waits(box):
    reports, limits = [], patient()

    def hear(report):
        reports.append(report)
        limits.seconds = 0  # it has begun: now its time is over

    assert run(box, "sleep", limits=limits, hear=hear).stopped == "deadline"
    assert reports == [{"progress": [1, 3, "working"]}]
    assert not box.alive


def test_cancelling_kills_at_once(box):
    working = []

    def hear(report):
        working.extend(psutil.Process(box._process.pid).children(recursive=True))

    assert run(box, "sleep", hear=hear, wanted=lambda: not working).stopped == "cancelled"
    assert len(working) >= 2  # the warm parent and the part
    _, alive = psutil.wait_procs(working, timeout=20)
    assert alive == []


def test_memory_ends(box):
    assert run(box, "eat").answer["reason"] == "too_large_when_opened"


def test_files_end(box):
    assert run(box, "fill_disk").answer["reason"] == "result_too_large"


def test_what_a_part_leaves_behind_is_gone_before_the_next(box):
    assert said(box, run(box, "linger")) > 1
    left = said(box, run(box, "neighbours"))
    assert any("cluster.misbehave" in each for each in left), "it does not see itself"
    assert not any("sleep(600)" in each or each == "left" for each in left), left


def test_our_own_stumbling_tells_where_but_never_the_words(box):
    answer = run(box, "stumble").answer
    assert "KeyError at misbehave.py" in answer["detail"]
    assert "words" not in json.dumps(answer)


def test_a_part_cannot_end_itself_from_within(box):
    """Its word is only an answer; the exit still comes from the parent."""
    ended = run(box, "pretend")
    assert ended.status == 0
    assert ended.answer["outputs"][0]["file"].startswith("out/")


def test_killing_the_outer_process_leaves_nothing(box):
    run(box, "refuse")
    outer = psutil.Process(box._process.pid)
    inside = outer.children(recursive=True)
    assert inside
    os.kill(outer.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(inside, timeout=20)
    assert alive == []
    assert run(box, "refuse").answer["reason"] == "damaged_file"


def test_a_slot_opens_nothing_that_it_does_not_close(box):
    """A descriptor kept for each part would, after hundreds, end every tool that listens to workers."""
    run(box, "refuse")
    outer = psutil.Process(box._process.pid)
    stay = [outer, min(outer.children(recursive=True), key=psutil.Process.create_time)]
    held = [[process.num_fds() for process in stay]]
    for do in ("refuse", "stumble", "pretend", "refuse"):
        run(box, do)
        held.append([process.num_fds() for process in stay])
    assert held == held[:1] * len(held)


def test_a_list_of_thousands_of_results_goes_in_and_comes_out_whole(box):
    made = run(box, "many", "2500").answer["outputs"]
    assert len(made) == 2501
    order = {**order_of([], "many"), "mode": "gate", "outputs": made}
    assert len(json.dumps(order)) > 3 * 212_000  # what the channel holds at once
    assert len(box.run(order, patient(), lambda report: None).answer["checked"]) == 2501
    assert said(box, run(box, "environment"))  # and the next order is read from its beginning
