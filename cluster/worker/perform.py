"""Perform one claimed part: stage its files, run it in the slot's sandbox, pass the gate, store, end it."""

import signal
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import structlog
from pydantic import TypeAdapter, ValidationError

from cluster import queue
from cluster.catalogue import TOOLS
from cluster.problem import DeadlineProblem, FaultProblem, LimitProblem, Problem
from cluster.queue import Claim
from cluster.store import Away, store
from cluster.task import CLAIMS, Outcome, Status, Task, Trouble
from cluster.tool import Tool
from cluster.worker.keeping import Keeping
from cluster.worker.lease import Lease
from cluster.worker.order import Order
from cluster.worker.progress import Progress
from cluster.worker.sandbox import Ended, Limits, Sandbox
from cluster.worker.scratch import empty
from cluster.worker.staging import Staging
from cluster.worker.untrusted import UntrustedAnswer, known_notes, problem_of

log = structlog.get_logger()

_STATUS: dict[type[Problem], Status] = {DeadlineProblem: Status.TIMEOUT_FAIL, FaultProblem: Status.ABNORMAL}
#: How native code dies of what it reads.
_CRASHES = {-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGILL}


#: Seconds that a part waits for a store that does not answer.
PATIENCE = 300.0
Got = TypeVar("Got")


class Died(Exception):
    """The sandboxed process died: the part is given back, up to the third time."""

    def __init__(self, status: int | str) -> None:
        super().__init__(status)
        self.status = status


class Dropped(Exception):
    """The task is gone or the part was given to another slot."""


def perform(held: Claim, slot: str, sandbox: Sandbox) -> None:
    """Perform and end the part; a part whose process died is given back, the third time it is poison."""
    task, began = queue.find(held.task), time.monotonic()
    if task is None:
        queue.drop(held)
        return
    with Lease(held, slot) as lease:
        attempt = Attempt(held, slot, task, TOOLS[task.tool], sandbox, lease.kept)
        outcome = _outcome(attempt, began)
        if outcome is None:
            return
        ended = queue.done(held, outcome)
    if ended is None and queue.find(held.task) is None:
        # Deleted while its last bytes were being stored: nothing else would take them away for a day.
        with suppress(Away):
            store().delete(task.results)
    _tell_log(attempt, outcome, began, ended)


def _outcome(attempt: "Attempt", began: float) -> Outcome | None:
    """How the part ended; None where it did not end here: its task is gone, or another slot has it or will."""
    held = attempt.held
    if queue.poisoned(held):
        return attempt.poison()
    try:
        return attempt.perform()
    except Dropped:
        if queue.find(held.task) is None:
            queue.drop(held)
        return None
    except Died as died:
        attempt.log.warning("part_died", status=str(died), seconds=_since(began))
        if attempt.task.estimate:  # nobody waits for it: it is not tried again
            return Outcome(Status.ABNORMAL, trouble=Trouble("internal"))
        if held.fence < CLAIMS:
            queue.release(held, attempt.slot)
            return None
        return attempt.judge() if died.status in _CRASHES else attempt.poison()


@dataclass
class Attempt:
    """One claim's attempt at its part; `kept` tells whether the claim still holds."""

    held: Claim
    slot: str
    task: Task
    tool: Tool[Any]
    sandbox: Sandbox
    kept: Callable[[], bool]
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = Progress(self.held)

    def perform(self) -> Outcome:
        """The part's outcome. Raises Died, Dropped."""
        try:
            with ExitStack() as stack:
                stack.callback(empty, self.sandbox.folder)
                return self._perform()
        except Problem as problem:
            return self._failed(problem)

    def _perform(self) -> Outcome:
        order = self._patient(self._order)
        self.progress.tell(0, "working")
        answer, keeping = self._run(order), Keeping(self.held, self.task, self.sandbox.folder)
        if order["mode"] == "plan":
            queue.spread(self.held, self._patient(lambda: keeping.shares(answer)))
            return Outcome(Status.SUCCESS, notes=known_notes(answer.notes))
        if order["mode"] == "estimate":
            return Outcome(Status.SUCCESS, metrics=answer.metrics)
        checked = self._run({**order, "mode": "gate", "outputs": [each.model_dump() for each in answer.outputs]})
        queue.tell(self.held, 1.0, "storing")
        pages = [each.get("pages") for each in checked.checked]
        made = self._patient(lambda: keeping.results(answer, pages))
        return Outcome(Status.SUCCESS, made, notes=known_notes(answer.notes), metrics=answer.metrics)

    def _patient(self, act: Callable[[], Got]) -> Got:
        """What `act` gives once the store answers: the part waits for it. Raises FaultProblem when it does not."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return act()
            except Away:
                if not self.kept():
                    raise Dropped from None
                if time.monotonic() > until:
                    raise FaultProblem("the store does not answer") from None
                self.log.warning("store_away")
                time.sleep(1)

    def judge(self) -> Outcome:
        """After crashes of native code: damaged_file when the input is found damaged, else poison."""
        try:
            with ExitStack() as stack:
                stack.callback(empty, self.sandbox.folder)
                self._run({**self._order(), "mode": "judge"})
        except Problem as problem:
            return self._failed(problem)
        except (Died, Dropped):
            pass
        return self.poison()

    def poison(self) -> Outcome:
        """Nobody knows why it dies: our trouble."""
        self.log.error("part_is_poison")
        return Outcome(Status.ABNORMAL, trouble=Trouble("internal", {}, None))

    def _order(self) -> Order:
        return Staging(self.held, self.task, self.tool, self.sandbox.folder).order()

    def _run(self, order: Order) -> UntrustedAnswer:
        size, bounds = sum(each["size"] for each in order["inputs"]), self.tool.bounds_of(order["mode"])
        limits = Limits(2 * bounds.cpu(size), lambda pages: 2 * bounds.cpu(size, min(pages, 10**6)))
        return self._checked(self.sandbox.run(order, limits, self.progress, self.kept))

    def _checked(self, ended: Ended) -> UntrustedAnswer:
        if ended.stopped == "cancelled":
            raise Dropped
        if ended.stopped == "deadline" or ended.status == -signal.SIGXCPU:
            raise DeadlineProblem("timed_out")
        if ended.over:
            self.log.warning("part_over_quota", what=ended.over)
            raise LimitProblem("too_large_when_opened", **self._only_file())
        if ended.answer is None:
            raise Died(ended.status)
        if (ended.answer.get("problem"), ended.answer.get("reason")) == ("FaultProblem", "engine_unavailable"):
            # LibreOffice or the OCR process died under the part: a new sandbox has a new one.
            self.sandbox.kill()
            raise Died("engine")
        if "problem" in ended.answer:
            raise self._told(ended.answer)
        try:
            return TypeAdapter(UntrustedAnswer).validate_python(ended.answer)
        except ValidationError:
            raise FaultProblem("the sandbox gave an answer of the wrong shape") from None

    def _only_file(self) -> dict[str, Any]:
        """The fact of which file it is, where there is one only."""
        inputs = self.tool.inputs_of(self.held.part, len(self.task.inputs))
        return {"file": self.task.inputs[inputs[0]].name} if len(inputs) == 1 else {}

    def _told(self, untrusted: dict[str, Any]) -> Problem:
        problem = problem_of(untrusted)
        if untrusted.get("detail") and not isinstance(problem, FaultProblem):
            self.log.warning("input_blamed", detail=str(untrusted["detail"])[:300])
        return problem

    def _failed(self, problem: Problem) -> Outcome:
        if isinstance(problem, FaultProblem):
            self.log.error("part_failed", detail=problem.detail)
        inputs = self.tool.inputs_of(self.held.part, len(self.task.inputs))
        named = inputs[0] if len(inputs) == 1 else problem.facts.get("index")
        index = next((each for each in inputs if each == named), None)
        facts = {name: value for name, value in problem.facts.items() if name != "index"}
        status = next((_STATUS[each] for each in type(problem).__mro__ if each in _STATUS), Status.FAIL)
        return Outcome(status, trouble=Trouble(problem.reason, facts, index))

    @property
    def log(self) -> Any:
        """A log whose lines say which part of which task, and which request made it."""
        held, task = self.held, self.task
        about = {"task": task.id, "part": held.part, "fence": held.fence, "tool": self.tool.key}
        return log.bind(slot=self.slot, lane=held.lane, request=task.request, **about)


def _tell_log(attempt: Attempt, outcome: Outcome, began: float, ended: Task | None) -> None:
    reason = outcome.trouble.reason if outcome.trouble else ""
    attempt.log.info("part_ended", status=outcome.status.name, reason=reason, seconds=_since(began))
    if ended:
        waited, worked = (ended.started - ended.created) / 1000, (ended.finished - ended.started) / 1000
        reason = ended.trouble.reason if ended.trouble else ""
        attempt.log.info("task_ended", status=ended.status.name, reason=reason, waited=waited, worked=worked)


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
