"""Perform one claimed part: stage its files, run it in the slot's sandbox, pass the gate, store, end it.

What comes out of the sandbox is `untrusted_*` until it has passed here.
"""

import os
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cluster import queue
from cluster.catalogue import TOOLS
from cluster.engines.sandbox import Ended, Limits, Sandbox
from cluster.kinds import KINDS
from cluster.problem import REASONS, DeadlineProblem, FaultProblem, InputProblem, LimitProblem, PasswordProblem, Problem
from cluster.queue import Claim
from cluster.receipt import NOTES, STAGES
from cluster.seal import open_options, unseal
from cluster.settings import settings
from cluster.store import Store, store
from cluster.task import CLAIMS, Made, Outcome, Status, Task, Trouble
from cluster.tool import Tool

log = structlog.get_logger()

#: Progress reaches Redis at most this often (seconds).
TELL_EVERY = 0.1
_CLASSES: dict[str, type[Problem]] = {
    each.__name__: each for each in (InputProblem, PasswordProblem, LimitProblem, DeadlineProblem)
}
_STATUS: dict[type[Problem], Status] = {DeadlineProblem: Status.TIMEOUT_FAIL, FaultProblem: Status.ABNORMAL}
_Text = dict[str, Any]


class _UntrustedOutput(BaseModel):
    model_config = ConfigDict(extra="forbid")
    file: str = Field(pattern=r"^out/[0-9]{1,6}\.[a-z0-9]{1,5}$")
    name: str = Field(min_length=1, max_length=200)
    kind: str
    source: int | None
    pages: int | None
    text: bool | None


class _UntrustedAnswer(BaseModel):
    outputs: list[_UntrustedOutput] = Field(default=[], max_length=50_000)
    notes: list[_Text] = Field(default=[], max_length=10_000)
    metrics: dict[str, float] = {}
    shares: list[_Text] = Field(default=[], max_length=1000)
    checked: list[_Text] = []


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
    stages: dict[str, float] = field(default_factory=dict)

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

    def _perform(self) -> Outcome:
        order = self._order(self._stage())
        self._report({"progress": [0, 1, "working"]})
        answer = self._run(order)
        if self.planning:
            queue.spread(self.held, answer.shares)
            return Outcome(Status.SUCCESS)
        checked = self._run({**order, "mode": "gate", "outputs": [each.model_dump() for each in answer.outputs]})
        return self._store(answer, [each.get("pages") for each in checked.checked])

    def _stage(self) -> list[_Text]:
        _empty(self.sandbox.folder)
        (self.sandbox.folder / "in").mkdir(parents=True)
        return [self._fetch(index) for index in self.task.part_inputs(self.tool.takes, self.held.part)]

    def _fetch(self, index: int) -> _Text:
        each = self.task.inputs[index]
        # LibreOffice reads the extension: ours, by what the upload was recognised as, never the user's.
        name = f"in/{index}{Path(each.name).suffix.lower()[:6] if Path(each.name).suffix.isascii() else ''}"
        path = self.sandbox.folder / name
        try:
            found = store().stat(each.key)
            if found is None:
                raise FileNotFoundError
            if found.etag != each.etag:
                raise InputProblem("file_changed", file=each.name)
            store().fetch(each.key, path)
        except FileNotFoundError:
            raise InputProblem("file_unknown", file=each.name) from None
        password = unseal(self.task.secrets[index], self.task.id) if index in self.task.secrets else None
        return {"file": name, "name": each.name, "size": each.size, "password": password, "index": index}

    def _order(self, inputs: list[_Text]) -> _Text:
        share = self.task.shares[self.held.part - 1] if self.task.planned and not self.planning else None
        return {
            "mode": "plan" if self.planning else "run",
            "tool": self.tool.id,
            "options": open_options(self.task.options, self.task.secrets, self.task.id),
            "language": self.task.language,
            "inputs": inputs,
            "extras": self._extras(),
            "share": share,
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

    def _run(self, order: _Text) -> _UntrustedAnswer:
        ended = self.sandbox.run(order, self._limits(order["inputs"]), self._report, self.kept.is_set)
        return self._checked(ended)

    def _limits(self, inputs: list[_Text]) -> Limits:
        size = sum(each["size"] for each in inputs)
        bounds = self.tool.bounds
        return Limits(2 * bounds.cpu(size), lambda pages: 2 * bounds.cpu(size, min(pages, 10**6)))

    def _checked(self, ended: Ended) -> _UntrustedAnswer:
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
            raise _problem(ended.answer)
        try:
            return TypeAdapter(_UntrustedAnswer).validate_python(ended.answer)
        except ValidationError:
            raise FaultProblem("the sandbox gave an answer of the wrong shape") from None

    def _report(self, untrusted: _Text) -> None:
        try:
            done, total, stage = untrusted["progress"]
            share = min(1.0, max(0.0, float(done) / max(1e-9, float(total))))
        except (TypeError, ValueError):
            return
        now = time.monotonic()
        if stage in STAGES and (now - self.told > TELL_EVERY or stage not in self.stages):
            self.told = self.stages[stage] = now
            queue.tell(self.held, share, stage)

    def _store(self, answer: _UntrustedAnswer, pages: list[int | None]) -> Outcome:
        queue.tell(self.held, 1.0, "storing")
        prefix = f"results/{self.task.owner}/{self.task.id}/{self.held.part}.{self.held.fence}"
        made = [self._keep(store(), prefix, *pair) for pair in zip(answer.outputs, pages, strict=True)]
        notes = [note for note in answer.notes if note.get("what") in NOTES]
        return Outcome(Status.SUCCESS, made, notes=notes, metrics=answer.metrics)

    def _keep(self, target: Store, prefix: str, output: _UntrustedOutput, pages: int | None) -> Made:
        path = self.sandbox.folder / output.file
        if output.kind not in KINDS or path.is_symlink() or not path.is_file():
            raise FaultProblem("the sandbox named a file that is not one")
        # A file of the sandbox must not stay linked to something else, nor be written later.
        stat = target.put(f"{prefix}/{path.name}", path)
        return Made(stat.key, output.name, stat.size, output.kind, pages, output.source)

    def _failed(self, problem: Problem) -> Outcome:
        if isinstance(problem, FaultProblem):
            log.error("part_failed", task=self.task.id, part=self.held.part, tool=self.tool.key, detail=problem.detail)
        inputs = self.task.part_inputs(self.tool.takes, self.held.part)
        index = next((i for i in inputs if self.task.inputs[i].name == problem.facts.get("file")), None)
        index = inputs[0] if index is None and len(inputs) == 1 else index
        status = next((_STATUS[each] for each in type(problem).__mro__ if each in _STATUS), Status.FAIL)
        return Outcome(status, trouble=Trouble(problem.reason, problem.facts, index))


_SIGXCPU = 24


def perform(held: Claim, slot: str, sandbox: Sandbox) -> None:
    """Perform and end the part; a part whose process died is given back, the third time it is poison."""
    task = queue.find(held.task)
    if task is None:
        return queue.drop(held)
    kept = threading.Event()
    kept.set()
    with _Lease(held, slot, kept):
        part = Part(held, slot, task, TOOLS[task.tool], sandbox, kept)
        try:
            outcome = _poison(held) if queue.poisoned(held) else part.perform()
        except Dropped:
            return queue.drop(held) if queue.find(held.task) is None else None
        except Died as died:
            log.warning("part_died", task=held.task, part=held.part, fence=held.fence, status=str(died))
            if held.fence < CLAIMS:
                return queue.release(held, slot)
            outcome = _poison(held)
        queue.done(held, outcome)
    return None


def upload_keys(tool: Tool[Any], options: Any) -> list[str]:
    """Storage keys that these options name: fields of type cluster.fields.Upload."""
    from cluster.fields import uploads_in

    return uploads_in(TypeAdapter(tool.options).json_schema(), options)


def _poison(held: Claim) -> Outcome:
    log.error("part_is_poison", task=held.task, part=held.part)
    return Outcome(Status.ABNORMAL, trouble=Trouble("internal", {}, None))


def _problem(untrusted: _Text) -> Problem:
    reason = untrusted.get("reason")
    made = _CLASSES.get(str(untrusted.get("problem")))
    if made is None or reason not in REASONS:
        return FaultProblem(str(untrusted.get("detail", ""))[:300])
    facts = untrusted.get("facts")
    plain = {str(name): _fact(value) for name, value in facts.items()} if isinstance(facts, dict) else {}
    return made(str(reason), **plain)


def _fact(value: Any) -> Any:
    return value if isinstance(value, int | float) else str(value)[:200]


def _empty(folder: Path) -> None:
    """Delete everything in the job folder but the folder itself, which stays bound into the sandbox."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


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
