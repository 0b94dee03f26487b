"""One tool's run over files as production does it: staged, sandboxed, in a forked child under limits, gated."""

import shutil
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from cluster.kinds import KINDS, Kind
from cluster.problem import FaultProblem
from cluster.tool import Lane, Tool
from cluster.worker.sandbox import Ended, Limits, Sandbox
from tests.foreign import programs

SUCCESS, ABNORMAL, TIMEOUT = "SUCCESS", "ABNORMAL", "TIMEOUT"
_MAX_PAGES = 20_000
#: Wall seconds for a second of CPU: production allows 2, but a busy machine is not the tool's fault.
_WALL = 6
_CRASHES = {-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGILL}
Order = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """A file that passed the output gate; `pages` is what the gate counted."""

    path: Path
    name: str
    kind: Kind
    pages: int | None = None


@dataclass
class Ran:
    """How a run ended: SUCCESS, ABNORMAL, TIMEOUT or the reason of a Problem; what it left and what it cost."""

    status: str = SUCCESS
    detail: str = ""
    results: list[Result] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0
    memory: int = 0


@dataclass(frozen=True)
class Given:
    """What comes with the files: the password of all that have one, files named by options by their storage keys."""

    password: str | None = None
    extras: Mapping[str, Path] = field(default_factory=dict)


class _Stop(Exception):
    """The run ends with this status and detail."""


def sandbox_of(folder: Path, lane: Lane) -> Sandbox:
    """As a slot of the lane has one."""
    return Sandbox(folder, "cluster.worker.inside", (lane,))


class Bench:
    """Warm sandboxes, one a lane; `folder` holds their job folders and the results."""

    def __init__(self, folder: Path, make: Callable[[Path, Lane], Sandbox] = sandbox_of) -> None:
        self.folder, self._make = folder, make
        self._boxes: dict[Lane, Sandbox] = {}
        self._runs = 0

    def run(self, tool: Tool[Any], files: list[Path], options: Mapping[str, Any], given: Given | None = None) -> Ran:
        """Run `tool` over `files`; results lie below `folder` until `close`."""
        ran, box = Ran(), self._box(tool.lane)
        try:
            self._attempt(tool, box, files, options, given or Given(), ran)
        except _Stop as stop:
            ran.status, ran.detail = stop.args
        return ran

    def close(self) -> None:
        for box in self._boxes.values():
            box.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def clear(self) -> None:
        """Delete the results of the runs so far."""
        for path in self.folder.glob("results*"):
            shutil.rmtree(path, ignore_errors=True)

    def _box(self, lane: Lane) -> Sandbox:
        if lane not in self._boxes:
            self._boxes[lane] = self._make(self.folder / str(lane), lane)
        if not self._boxes[lane].alive:
            self._boxes[lane].start()
        return self._boxes[lane]

    def _attempt(
        self, tool: Tool[Any], box: Sandbox, files: list[Path], options: Mapping[str, Any], given: Given, ran: Ran
    ) -> None:
        order = _order(tool, options, _stage(box.folder, files, given))
        order["extras"] = {key: f"in/{key.rsplit('/', 1)[1]}" for key in given.extras}
        shares: list[dict[str, Any] | None] = [None]
        if tool.plan:
            planned = self._part(tool, box, {**order, "mode": "plan"}, ran)
            shares = planned["shares"]
            ran.notes += planned["notes"]
            order["inputs"] = _with_copies(box.folder, order["inputs"], planned["copies"])
        for share in shares:
            at, own = box, {**order, "share": share}
            if share and share.get("lane", tool.lane) != tool.lane:
                at = self._box(Lane(share["lane"]))
                own["inputs"] = _stage(at.folder, files, given)
            made = self._part(tool, at, own, ran)
            gate = {**own, "mode": "gate", "outputs": made["outputs"]}
            checked = self._part(tool, at, gate, ran)["checked"]
            ran.notes += made["notes"]
            ran.results += self._keep(
                at.folder, made["outputs"], [each.get("pages") for each in checked], order["options"]
            )

    def _keep(self, job: Path, outputs: list[dict[str, Any]], pages: list[int | None], options: Order) -> list[Result]:
        self._runs += 1
        folder = self.folder / f"results{self._runs}"
        (job / "out").rename(folder)
        for each in outputs:
            if each["password"]:
                _decrypt(folder / Path(each["file"]).name, options[each["password"]])
        return [
            Result(folder / Path(each["file"]).name, each["name"], KINDS[each["kind"]], count)
            for each, count in zip(outputs, pages, strict=True)
        ]

    def _part(self, tool: Tool[Any], box: Sandbox, order: Order, ran: Ran) -> dict[str, Any]:
        ended = _follow(tool, box, order, ran)
        if ended.answer is None and not ended.stopped and ended.status != -signal.SIGXCPU:
            ended = self._died(tool, box, order, ended, ran)
        if ended.stopped or ended.status == -signal.SIGXCPU:
            raise _Stop(TIMEOUT, f"{order['mode']}: {ended.stopped or 'CPU'}")
        answer = ended.answer or {}
        if answer.get("problem") == FaultProblem.__name__:
            raise _Stop(ABNORMAL, f"{order['mode']}: {answer.get('detail') or answer.get('reason')}")
        if "problem" in answer:
            found = answer.get("facts", {}).get("found")
            raise _Stop(answer["reason"], f"found {found}" if found else str(answer.get("detail", "")))
        return answer

    def _died(self, tool: Tool[Any], box: Sandbox, order: Order, ended: Ended, ran: Ran) -> Ended:
        """Production claims it again; what dies twice ends here, damaged_file only when the judge says so."""
        again = _follow(tool, box, order, ran)
        if again.answer is not None or again.stopped or again.status == -signal.SIGXCPU:
            return again
        if again.status in _CRASHES:
            judged = _follow(tool, box, {**order, "mode": "judge"}, ran)
            if judged.answer and "problem" in judged.answer:
                return judged
        raise _Stop(ABNORMAL, f"{order['mode']}: the process died ({again.status})")


def _decrypt(path: Path, password: str) -> None:
    """Others judge what lies behind the lock; the result stays as it is where the password does not open it."""
    with suppress(programs.Cannot):
        programs.run("qpdf", "--decrypt", f"--password={password}", "--replace-input", path, well=(0, 3))


def _order(tool: Tool[Any], options: Mapping[str, Any], inputs: list[Order]) -> Order:
    common = {"mode": "run", "tool": tool.id, "options": dict(options), "language": "zh", "inputs": inputs}
    return {**common, "extras": {}, "share": None, "max_pages": _MAX_PAGES}


def _stage(job: Path, files: list[Path], given: Given) -> list[Order]:
    for name in ("in", "out", "scratch"):
        shutil.rmtree(job / name, ignore_errors=True)
    (job / "in").mkdir(parents=True)
    for key, path in given.extras.items():
        shutil.copyfile(path, job / "in" / key.rsplit("/", 1)[1])
    inputs = []
    for index, path in enumerate(files):
        suffix = path.suffix.lower()[:6] if path.suffix.isascii() else ""
        shutil.copyfile(path, job / f"in/{index}{suffix}")
        one = _input(f"in/{index}{suffix}", path.name, path.stat().st_size, index)
        inputs.append({**one, "password": given.password})
    return inputs


def _input(file: str, name: str, size: int, index: int) -> Order:
    return {"file": file, "name": name, "size": size, "password": None, "index": index}


def _with_copies(job: Path, inputs: list[Order], copies: list[Order]) -> list[Order]:
    """What the shares of a plan get: copies that the plan made, staged where the next part finds them."""
    made = {}
    for copy in copies:
        path = job / f"in/copy{copy['input']}.pdf"
        shutil.copyfile(job / copy["file"], path)
        made[copy["input"]] = _input(f"in/{path.name}", "", path.stat().st_size, copy["input"])
    return [
        {**each, **made[index], "name": each["name"]} if index in made else each for index, each in enumerate(inputs)
    ]


def _follow(tool: Tool[Any], box: Sandbox, order: Order, ran: Ran) -> Ended:
    size, bounds = sum(each["size"] for each in order["inputs"]), tool.bounds
    if not box.alive:
        box.start()
    cost = _Cost(box)
    limits = Limits(_WALL * bounds.cpu(size), lambda pages: _WALL * bounds.cpu(size, min(pages, 10**6)))
    began = time.monotonic()
    ended = box.run(order, limits, lambda report: None, cost.sample)
    ran.seconds += time.monotonic() - began
    ran.cpu, ran.memory = ran.cpu + cost.cpu, max(ran.memory, cost.memory)
    return ended


class _Cost:
    """CPU seconds and the largest resident set (bytes) of the processes in a sandbox, looked at while they live."""

    def __init__(self, box: Sandbox) -> None:
        self._pid = box._process.pid if box._process else 0
        self.memory = 0
        self.cpu = 0.0
        self._before = self._spent()

    def sample(self) -> bool:
        self.cpu = max(self.cpu, self._spent() - self._before)
        return True

    def _spent(self) -> float:
        spent = 0.0
        with suppress(psutil.Error):
            for process in psutil.Process(self._pid).children(recursive=True):
                with suppress(psutil.Error, OSError):
                    times = process.cpu_times()
                    spent += times.user + times.system
                    self.memory = max(self.memory, _peak(process.pid))
        return spent


def _peak(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM")), 0)
