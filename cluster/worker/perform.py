"""Perform one claimed part: stage its files, run it in the slot's sandbox, pass the gate, store, end it.

What comes out of the sandbox is `untrusted_*` until it has passed here.
"""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from pydantic import TypeAdapter, ValidationError

from cluster import queue
from cluster.catalogue import TOOLS
from cluster.kinds import KINDS
from cluster.problem import DeadlineProblem, FaultProblem, InputProblem, Problem
from cluster.queue import Claim
from cluster.seal import open_options, unseal
from cluster.settings import settings
from cluster.store import Store, store
from cluster.task import CLAIMS, Made, Outcome, Status, Task, Trouble
from cluster.tool import Lane, Tool, staged_name
from cluster.words import STAGES
from cluster.worker.bar import Bar
from cluster.worker.sandbox import Ended, Limits, Sandbox
from cluster.worker.untrusted import UntrustedAnswer, UntrustedOutput, known_notes, problem_of

log = structlog.get_logger()

#: Progress reaches Redis at most this often (seconds).
TELL_EVERY = 0.1
_STATUS: dict[type[Problem], Status] = {DeadlineProblem: Status.TIMEOUT_FAIL, FaultProblem: Status.ABNORMAL}
_Text = dict[str, Any]


class Died(Exception):
    """The sandboxed process died: the part is given back, up to the third time."""


class Dropped(Exception):
    """The task is gone or the part was given to another slot."""


@dataclass
class Part:
    """One claimed part on its way through."""

    held: Claim
    slot: str
    task: Task
    tool: Tool[Any]
    sandbox: Sandbox
    kept: threading.Event
    told: float = 0.0
    bar: Bar = field(default_factory=Bar)
    stages: dict[str, float] = field(default_factory=dict)

    @property
    def log(self) -> Any:
        """A log whose lines say which part of which task, and which request made it."""
        held, task = self.held, self.task
        about = {
            "task": task.id,
            "part": held.part,
            "fence": held.fence,
            "tool": self.tool.key,
            "request": task.request,
        }
        return log.bind(slot=self.slot, lane=task.lane, **about)

    @property
    def planning(self) -> bool:
        return self.task.planned and self.held.part == 0

    def perform(self) -> Outcome:
        """The part's outcome. Raises Died, Dropped."""
        try:
            with ExitStack() as stack:
                stack.callback(_empty, self.sandbox.folder)
                return self._perform()
        except Problem as problem:
            return self._failed(problem)

    def judge(self) -> Outcome:
        """After crashes of native code: damaged_file when the input is found damaged, else poison."""
        try:
            with ExitStack() as stack:
                stack.callback(_empty, self.sandbox.folder)
                self._run({**self._order(self._stage()), "mode": "judge"})
        except Problem as problem:
            return self._failed(problem)
        except (Died, Dropped):
            pass
        return _poison(self)

    def _perform(self) -> Outcome:
        order = self._order(self._stage())
        self._report({"progress": [0, 1, "working"]})
        answer = self._run(order)
        if self.planning:
            queue.spread(self.held, self._with_copies(answer))
            return Outcome(Status.SUCCESS, notes=known_notes(answer.notes))
        checked = self._run({**order, "mode": "gate", "outputs": [each.model_dump() for each in answer.outputs]})
        return self._store(answer, [each.get("pages") for each in checked.checked])

    def _stage(self) -> list[_Text]:
        _empty(self.sandbox.folder)
        (self.sandbox.folder / "in").mkdir(parents=True)
        return [self._fetch(index) for index in self.task.part_inputs(self.tool.takes, self.held.part)]

    def _fetch(self, index: int) -> _Text:
        each = self.task.inputs[index]
        if copy := self._copy_of(index):
            file = f"in/{index}.pdf"
            store().fetch(copy["key"], self.sandbox.folder / file)
            return {"file": file, "name": each.name, "size": copy["size"], "password": None, "index": index}
        name = f"in/{index}{Path(each.name).suffix.lower()[:6] if Path(each.name).suffix.isascii() else ''}"
        if self.tool.lane is Lane.OFFICE:  # a document may print its own name
            name = f"in/{index}/{staged_name(each.name)}"
        path = self.sandbox.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            found = store().stat(each.key)
            if found is None:
                raise FileNotFoundError
            if found.etag != each.etag:
                raise InputProblem("file_changed", file=each.name, index=index)
            store().fetch(each.key, path)
        except FileNotFoundError:
            raise InputProblem("file_unknown", file=each.name, index=index) from None
        password = unseal(self.task.secrets[index], self.task.id) if index in self.task.secrets else None
        return {"file": name, "name": each.name, "size": each.size, "password": password, "index": index}

    @property
    def share(self) -> Mapping[str, Any] | None:
        """This part's piece of a planned task."""
        return self.task.shares[self.held.part - 1] if self.task.planned and not self.planning else None

    def _copy_of(self, index: int) -> Mapping[str, Any] | None:
        share = self.share
        return share.get("copy") if share and share.get("file") == index else None

    def _order(self, inputs: list[_Text]) -> _Text:
        return {
            "mode": "plan" if self.planning else "run",
            "tool": self.tool.id,
            "options": open_options(self.task.options, self.task.secrets, self.task.id),
            "language": self.task.language,
            "inputs": inputs,
            "extras": self._extras(),
            "share": self.share,
            "max_pages": self.task.limits.get("pages", 20_000),
        }

    def _extras(self) -> dict[str, str]:
        """Files that options name by key (the API has checked their owner)."""
        names = {}
        for number, key in enumerate(upload_keys(self.tool, self.task.options)):
            names[key] = f"in/extra{number}"
            try:
                store().fetch(key, self.sandbox.folder / names[key])
            except (FileNotFoundError, ValueError):
                raise InputProblem("file_unknown") from None
        return names

    def _run(self, order: _Text) -> UntrustedAnswer:
        ended = self.sandbox.run(order, self._limits(order["inputs"]), self._report, self.kept.is_set)
        return self._checked(ended)

    def _limits(self, inputs: list[_Text]) -> Limits:
        size = sum(each["size"] for each in inputs)
        bounds = self.tool.bounds
        return Limits(2 * bounds.cpu(size), lambda pages: 2 * bounds.cpu(size, min(pages, 10**6)))

    def _checked(self, ended: Ended) -> UntrustedAnswer:
        if ended.stopped == "cancelled":
            raise Dropped
        if ended.stopped == "deadline" or ended.status == -_SIGXCPU:
            raise DeadlineProblem("timed_out")
        if ended.answer is None:
            raise Died(ended.status)
        if (ended.answer.get("problem"), ended.answer.get("reason")) == ("FaultProblem", "engine_unavailable"):
            # LibreOffice or the OCR process died under the part: a new sandbox has a new one.
            self.sandbox.kill()
            raise Died("engine")
        if "problem" in ended.answer:
            problem = problem_of(ended.answer)
            if ended.answer.get("detail") and not isinstance(problem, FaultProblem):
                self.log.warning("input_blamed", detail=str(ended.answer["detail"])[:300])
            raise problem
        try:
            return TypeAdapter(UntrustedAnswer).validate_python(ended.answer)
        except ValidationError:
            raise FaultProblem("the sandbox gave an answer of the wrong shape") from None

    def _report(self, untrusted: _Text) -> None:
        try:
            done, total, stage = untrusted["progress"]
            share = min(1.0, max(0.0, float(done) / max(1e-9, float(total))))
        except (TypeError, ValueError, OverflowError):
            return
        if not isinstance(stage, str) or stage not in STAGES:
            return
        now, shown = time.monotonic(), self.bar.at(share, stage)
        if now - self.told > TELL_EVERY or stage not in self.stages:
            self.told = self.stages[stage] = now
            queue.tell(self.held, shown, stage)

    def _store(self, answer: UntrustedAnswer, pages: list[int | None]) -> Outcome:
        queue.tell(self.held, 1.0, "storing")
        prefix = f"{self.task.results}{self.held.part}.{self.held.fence}"
        made = [self._keep(store(), prefix, *pair) for pair in zip(answer.outputs, pages, strict=True)]
        return Outcome(Status.SUCCESS, made, notes=known_notes(answer.notes), metrics=answer.metrics)

    def _with_copies(self, answer: UntrustedAnswer) -> list[_Text]:
        """The shares; those of an input of which the plan made a copy name it, and are staged with it."""
        prefix = f"{self.task.results}plan.{self.held.fence}"
        kept = {copy.input: self._store_copy(f"{prefix}/{copy.input}", copy.file) for copy in answer.copies}
        return [{**share, "copy": kept.get(_index(share))} for share in answer.shares]

    def _store_copy(self, key: str, file: str) -> _Text:
        stat = store().put(key, self._made(file))
        return {"key": stat.key, "size": stat.size}

    def _made(self, name: str) -> Path:
        """The file that the sandbox named: in our folder itself, not where a link leads (of it or of its folder)."""
        path = self.sandbox.folder.resolve() / name
        if not path.is_file() or path.resolve() != path:
            raise FaultProblem("the sandbox named a file that is not one")
        return path

    def _keep(self, target: Store, prefix: str, output: UntrustedOutput, pages: int | None) -> Made:
        if output.kind not in KINDS:
            raise FaultProblem("the sandbox named a kind that is not one")
        path = self._made(output.file)
        stat = target.put(f"{prefix}/{path.name}", path)
        return Made(stat.key, output.name, stat.size, output.kind, pages, output.source)

    def _failed(self, problem: Problem) -> Outcome:
        if isinstance(problem, FaultProblem):
            self.log.error("part_failed", detail=problem.detail)
        inputs = self.task.part_inputs(self.tool.takes, self.held.part)
        named = inputs[0] if len(inputs) == 1 else problem.facts.get("index")
        index = next((each for each in inputs if each == named), None)
        facts = {name: value for name, value in problem.facts.items() if name != "index"}
        status = next((_STATUS[each] for each in type(problem).__mro__ if each in _STATUS), Status.FAIL)
        return Outcome(status, trouble=Trouble(problem.reason, facts, index))


#: Seconds without a sign of life after which a slot's job folder is nobody's; more than a sandbox takes to start.
_DEAD_AFTER = 600
_SIGXCPU = 24
#: How native code dies of what it reads.
_CRASHES = {-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGILL}


def perform(held: Claim, slot: str, sandbox: Sandbox) -> None:
    """Perform and end the part; a part whose process died is given back, the third time it is poison."""
    task = queue.find(held.task)
    if task is None:
        return queue.drop(held)
    kept = threading.Event()
    kept.set()
    part, began = Part(held, slot, task, TOOLS[task.tool], sandbox, kept), time.monotonic()
    with _Lease(held, slot, kept):
        try:
            outcome = _poison(part) if queue.poisoned(held) else part.perform()
        except Dropped:
            return queue.drop(held) if queue.find(held.task) is None else None
        except Died as died:
            part.log.warning("part_died", status=str(died), seconds=_since(began))
            if held.fence < CLAIMS:
                return queue.release(held, slot)
            outcome = part.judge() if died.args[0] in _CRASHES else _poison(part)
        ended = queue.done(held, outcome)
    if ended is None and queue.find(held.task) is None:
        # Deleted while its last bytes were being stored: nothing else would take them away for a day.
        store().delete(task.results)
    _tell_log(part, outcome, _since(began), ended)
    return None


def _tell_log(part: Part, outcome: Outcome, seconds: float, ended: Task | None) -> None:
    reason = outcome.trouble.reason if outcome.trouble else ""
    part.log.info("part_ended", status=outcome.status.name, reason=reason, seconds=seconds)
    if ended:
        waited, worked = (ended.started - ended.created) / 1000, (ended.finished - ended.started) / 1000
        reason = ended.trouble.reason if ended.trouble else ""
        part.log.info("task_ended", status=ended.status.name, reason=reason, waited=waited, worked=worked)


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)


def upload_keys(tool: Tool[Any], options: Any) -> list[str]:
    """Storage keys that these options name: fields of type cluster.fields.Upload."""
    from cluster.fields import uploads_in

    return uploads_in(TypeAdapter(tool.options).json_schema(), options)


def _poison(part: Part) -> Outcome:
    part.log.error("part_is_poison")
    return Outcome(Status.ABNORMAL, trouble=Trouble("internal", {}, None))


def _index(share: _Text) -> int:
    """The input that a share is of; -1 when it does not say."""
    found = share.get("file")
    return found if isinstance(found, int) else -1


def _empty(folder: Path) -> None:
    """Delete everything in the job folder but the folder itself, which stays bound into the sandbox."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_symlink() or not path.is_dir():
            path.unlink(missing_ok=True)
            continue
        try:
            shutil.rmtree(path)
        except (OSError, RecursionError):
            # Folders a thousand deep or closed to their owner: left there on purpose, or by a tool that broke.
            subprocess.run(["chmod", "-R", "u+rwx", "--", path], capture_output=True, check=False)
            subprocess.run(["rm", "-rf", "--", path], capture_output=True, check=False)


class _Lease:
    """Renews the claim while the part runs; clears `kept` when it was lost."""

    def __init__(self, held: Claim, slot: str, kept: threading.Event) -> None:
        self.held, self.slot, self.kept = held, slot, kept
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *error: object) -> None:
        self.over.set()
        self.thread.join()

    def _renew(self) -> None:
        every: Callable[[], float] = lambda: min(2.0, settings().lease / 4)  # noqa: E731
        while not self.over.wait(every()):
            queue.beat(self.task_lane, self.slot)
            if not queue.renew(self.held, self.slot):
                self.kept.clear()
                return

    @property
    def task_lane(self) -> str:
        return self.held.stream.split(":")[1]


def scratch(slot: str) -> Path:
    """The slot's own job folder."""
    return settings().scratch / f"{slot}.{os.getpid()}"


def clear_dead_slots() -> int:
    """Delete the job folders that killed slots left on this machine, documents and all; returns how many."""
    dead = [path for path in settings().scratch.glob("*-*.*") if _dead(path)]
    for path in dead:
        _empty(path)
        with suppress(OSError):  # somebody else was faster
            path.rmdir()
    return len(dead)


def _dead(folder: Path) -> bool:
    slot, since = folder.name.rpartition(".")[0], time.time() - _DEAD_AFTER
    try:
        old = folder.stat().st_mtime < since
    except FileNotFoundError:  # somebody else was faster
        return False
    return old and queue.seen(slot.partition("-")[0], slot) < since * 1000
