"""The task as the wire shows it, in the language of the request."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from api.toolkit.tools import name_of
from cluster import queue
from cluster.catalogue import TOOLS
from cluster.problem import Problem
from cluster.receipt import sentence
from cluster.task import Outcome, Status, Task, Trouble
from cluster.tool import Note
from cluster.words import NOTES, PROBLEMS, Language


class TroubleView(TypedDict):
    reason: str
    msg: str
    file: str | None


class InputView(TypedDict):
    """`locked`: it came with a password, which is forgotten when the task ends. `done`: its own part has ended."""

    name: str
    size: int
    key: str
    locked: bool
    done: bool
    error: TroubleView | None


class OutputView(TypedDict):
    name: str
    size: int
    pages: int | None
    kind: str
    key: str
    input: int | None


class ReceiptLine(TypedDict):
    """`kind` is kept, changed, lost or told; `input` the file it is about, null for all."""

    kind: str
    what: str
    facts: Mapping[str, Any]
    text: str
    input: int | None


class TaskView(TypedDict):
    """`options` are those that createTask was given, without the passwords in them."""

    taskId: str
    toolId: int
    toolName: str
    fileName: str
    options: Mapping[str, Any]
    status: int
    progress: float
    stage: str
    queuePosition: int
    error: TroubleView | None
    inputs: list[InputView]
    outputs: list[OutputView]
    receipt: list[ReceiptLine]
    createdAt: int
    startedAt: int
    finishedAt: int
    expiresAt: int
    metrics: dict[str, float]


def view(task: Task, language: Language) -> TaskView:
    """The task's JSON."""
    tool = TOOLS[task.tool]
    return {
        "taskId": task.id,
        "toolId": task.tool,
        "toolName": name_of(tool, language),
        "fileName": task.inputs[0].name,
        "options": task.options,
        "status": int(task.status),
        "progress": 1.0 if task.status is Status.SUCCESS else round(task.progress, 4),
        "stage": task.stage,
        "queuePosition": queue.place(task),
        "error": _trouble(task, task.trouble, language) if task.status.ended else None,
        "inputs": [_input(task, index, language) for index in range(len(task.inputs))],
        "outputs": [_output(made) for made in task.outputs] if task.status is Status.SUCCESS else [],
        "receipt": _receipt(task, language),
        "createdAt": task.created,
        "startedAt": task.started,
        "finishedAt": task.finished,
        "expiresAt": task.expires,
        "metrics": _metrics(task),
    }


def _input(task: Task, index: int, language: Language) -> InputView:
    each = task.inputs[index]
    troubles = [outcome.trouble for outcome in task.outcomes.values() if outcome.trouble]
    mine = next((trouble for trouble in troubles if trouble.input == index), None)
    error = _trouble(task, mine, language)
    locked = index in task.locked
    done = task.status.ended or (not task.planned and any(_input_of(task, part) == index for part in task.outcomes))
    return {"name": each.name, "size": each.size, "key": each.key, "locked": locked, "done": done, "error": error}


def _output(made: Any) -> OutputView:
    names = ("name", "size", "pages", "kind", "key", "input")
    return {name: getattr(made, name) for name in names}  # type: ignore[return-value]


def _trouble(task: Task, trouble: Trouble | None, language: Language) -> TroubleView | None:
    if trouble is None:
        return None
    reason = trouble.reason if trouble.reason in PROBLEMS else "internal"
    file = task.inputs[trouble.input].name if trouble.input is not None else trouble.facts.get("file")
    facts = {**({"file": file} if file else {}), **trouble.facts}
    return {"reason": reason, "msg": Problem(reason, **facts).text(language), "file": file}


def _receipt(task: Task, language: Language) -> list[ReceiptLine]:
    """Every part's lines; the shares of one plan tell of one document, so theirs are added up."""
    if task.planned:
        return [_line(note, None, language) for note in _added(task)]
    return [
        _line(note, _input_of(task, part), language)
        for part in sorted(task.outcomes)
        for note in _known(task.outcomes[part])
    ]


def _known(outcome: Outcome) -> list[Mapping[str, Any]]:
    return [note for note in outcome.notes if note.get("what") in NOTES]


def _added(task: Task) -> list[Mapping[str, Any]]:
    """One note for each subject: counts summed, `lost` when any share lost some."""
    added: dict[str, dict[str, Any]] = {}
    for note in (note for part in sorted(task.outcomes) for note in _known(task.outcomes[part])):
        mine = added.setdefault(note["what"], {"what": note["what"], "kind": note["kind"], "facts": {}})
        mine["kind"] = "lost" if "lost" in (mine["kind"], note["kind"]) else mine["kind"]
        for name, value in note.get("facts", {}).items():
            mine["facts"][name] = mine["facts"].get(name, 0) + value if isinstance(value, int) else value
    return list(added.values())


def _line(raw: Mapping[str, Any], about: int | None, language: Language) -> ReceiptLine:
    note = Note(raw["kind"], raw["what"], raw.get("facts", {}))
    try:
        text = sentence(note, language)
    except (KeyError, TypeError, ValueError):
        # A tool forgot a fact: the line keeps its place without the sentence's numbers.
        text = note.what
    return {"kind": note.kind, "what": note.what, "facts": note.facts, "text": text, "input": about}


def _input_of(task: Task, part: int) -> int | None:
    """The input that the part is about, if it is one alone."""
    indexes = TOOLS[task.tool].inputs_of(part, len(task.inputs))
    return indexes[0] if len(indexes) == 1 else None


def _metrics(task: Task) -> dict[str, float]:
    """Counts of all parts, added up."""
    added: dict[str, float] = {}
    for outcome in task.outcomes.values():
        for name, value in outcome.metrics.items():
            added[name] = added.get(name, 0) + value
    return added
