"""Task: one tool, some files, some options, one outcome; and its parts.

    CREATE 1 → BE_QUEUING 99 → PROCESSING 2 → SUCCESS 3 | FAIL 4 | TIMEOUT_FAIL 5 | ABNORMAL 6
                     ▲──────────────┘ a worker died (twice at most)

A task runs in parts: one a file for tools that take "each", one a share for tools that plan,
else one. Each part has a fence, raised at every claim, so that a late worker's word is refused.
The task's outcome is what its parts' outcomes add up to.

In Redis whatever may hold words of a person (names of files, options, shares, outcomes) is sealed for the task.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import Any

from cryptography.exceptions import InvalidTag

from cluster.seal import seal, unseal
from cluster.words import Language

#: Claims of one part before it counts as poison: the first and two retries.
CLAIMS = 3


class Status(IntEnum):
    """The specification's numbers."""

    CREATE = 1
    PROCESSING = 2
    SUCCESS = 3
    FAIL = 4
    TIMEOUT_FAIL = 5
    ABNORMAL = 6
    BE_QUEUING = 99

    @property
    def ended(self) -> bool:
        return self in (Status.SUCCESS, Status.FAIL, Status.TIMEOUT_FAIL, Status.ABNORMAL)


@dataclass(frozen=True)
class Input:
    """One stored input, pinned by its ETag when the task was created."""

    key: str
    name: str
    size: int
    etag: str
    kind: str = ""


@dataclass(frozen=True)
class Made:
    """One stored result. `input` is the index of the file it came from, None when from several."""

    key: str
    name: str
    size: int
    kind: str
    pages: int | None = None
    input: int | None = None


@dataclass(frozen=True)
class Trouble:
    """A Problem as stored: reason and facts; `input` is the index of the file it is about."""

    reason: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    input: int | None = None


@dataclass(frozen=True)
class Outcome:
    """How one part ended. `notes` are receipt lines {kind, what, facts}; `shares` only from a plan part."""

    status: Status
    outputs: Sequence[Made] = ()
    trouble: Trouble | None = None
    notes: Sequence[Mapping[str, Any]] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)

    def dump(self, task: str) -> str:
        """As `read` finds it in the task's record."""
        return sealed(asdict(self), task)


@dataclass(frozen=True)
class Task:
    """The record as read from Redis. Times are milliseconds since the epoch, 0 when not yet.

    home: the owner at its creation, whose name its stored results bear; request: the id of the request that made it,
    mark: what stands for all that it asked; locked: indexes of the inputs that came with a password; estimate: it only
    tells what the tool would leave, as metrics.
    """

    id: str
    owner: str
    tool: int
    lane: str
    rank: str
    language: Language
    options: Mapping[str, Any]
    inputs: tuple[Input, ...]
    status: Status
    parts: int
    planned: bool = False
    shares: tuple[Mapping[str, Any], ...] = ()
    secrets: Mapping[int, str] = field(default_factory=dict, repr=False)
    outcomes: Mapping[int, Outcome] = field(default_factory=dict)
    progress: float = 0.0
    stage: str = "queued"
    trouble: Trouble | None = None
    created: int = 0
    started: int = 0
    finished: int = 0
    expires: int = 0
    limits: Mapping[str, int] = field(default_factory=dict)
    home: str = ""
    request: str = ""
    mark: str = ""
    locked: tuple[int, ...] = ()
    estimate: bool = False

    @property
    def results(self) -> str:
        """The prefix of all its results in the store; it stays when the task gets another owner."""
        return results_of(self.home or self.owner, self.id)

    @property
    def outputs(self) -> list[Made]:
        """All results in the order of their parts."""
        return [made for part in sorted(self.outcomes) for made in self.outcomes[part].outputs]

    def plans(self, part: int) -> bool:
        """Whether that part is the plan, whose shares are the other parts."""
        return self.planned and part == 0

    def share_of(self, part: int) -> Mapping[str, Any] | None:
        """That part's piece of a planned task; None for its plan, and where nothing is planned."""
        return self.shares[part - 1] if self.planned and part else None


def results_of(home: str, task: str) -> str:
    """The prefix of a task's results in the store."""
    return f"results/{home}/{task}/"


def sealed(value: Any, task: str) -> str:
    """`value` as JSON, sealed for `task`."""
    return seal(_ENCODE(value), task)


#: Made once: `json.dumps` makes one for each text that is not written in the usual way.
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def write(task: Task) -> dict[str, str]:
    """The fields of a new task's hash."""
    plain = {name: getattr(task, name) for name in ("owner", "lane", "rank", "language", "request", "mark")}
    return plain | {
        "home": task.home or task.owner,
        "tool": str(task.tool),
        "status": str(int(task.status)),
        "options": sealed(task.options, task.id),
        "inputs": sealed([vars(each) for each in task.inputs], task.id),
        "secrets": json.dumps({str(index): secret for index, secret in task.secrets.items()}),
        "limits": json.dumps(dict(task.limits)),
        "locked": json.dumps(task.locked),
        "parts": str(task.parts),
        "left": str(task.parts),
        "planned": "1" if task.planned else "",
        "estimate": "1" if task.estimate else "",
        "created": str(task.created),
    }


def read(task: str, raw: Mapping[str, str]) -> Task | None:
    """The Task from its hash; None when there is none, or none that was sealed under our key."""
    if "parts" not in raw:
        return None
    try:
        return _read(task, raw)
    except InvalidTag:
        return None


def _read(task: str, raw: Mapping[str, str]) -> Task:
    parts = int(raw["parts"])
    outcomes = {part: _outcome(raw[f"p{part}.end"], task) for part in range(parts) if f"p{part}.end" in raw}
    trouble = _opened(raw["trouble"], task) if raw.get("trouble") else None
    return Task(
        id=task,
        owner=raw["owner"],
        tool=int(raw["tool"]),
        lane=raw["lane"],
        rank=raw["rank"],
        language="en" if raw["language"] == "en" else "zh",
        options=_opened(raw["options"], task),
        inputs=tuple(Input(**each) for each in _opened(raw["inputs"], task)),
        status=Status(int(raw["status"])),
        parts=parts,
        planned=bool(raw.get("planned")),
        shares=tuple(_opened(raw["shares"], task)) if raw.get("shares") else (),
        secrets={int(index): secret for index, secret in json.loads(raw.get("secrets") or "{}").items()},
        outcomes=outcomes,
        progress=_progress(raw, parts),
        stage=raw.get("stage", "queued"),
        trouble=Trouble(**trouble) if trouble else None,
        created=int(raw.get("created", 0)),
        started=int(raw.get("started", 0)),
        finished=int(raw.get("finished", 0)),
        expires=int(raw.get("expires", 0)),
        limits=json.loads(raw.get("limits") or "{}"),
        home=raw.get("home", ""),
        request=raw.get("request", ""),
        mark=raw.get("mark", ""),
        locked=tuple(json.loads(raw.get("locked") or "[]")),
        estimate=bool(raw.get("estimate")),
    )


def settle(task: Task) -> Outcome:
    """What the ended parts add up to: one success is a success, else the gravest trouble speaks."""
    ended = [task.outcomes[part] for part in sorted(task.outcomes)]
    if task.planned:
        good = all(each.status is Status.SUCCESS for each in ended)
    else:
        good = any(each.status is Status.SUCCESS for each in ended)
    if good:
        return Outcome(Status.SUCCESS)
    worst = max((each for each in ended if each.status is not Status.SUCCESS), key=lambda each: each.status)
    return Outcome(worst.status, trouble=worst.trouble)


def _opened(text: str, task: str) -> Any:
    # A running installation's tasks of before words were sealed stand there as they are.
    return json.loads(text if text.startswith(("{", "[")) else unseal(text, task))


def _outcome(text: str, task: str) -> Outcome:
    raw = _opened(text, task)
    raw["status"] = Status(raw["status"])
    raw["outputs"] = [Made(**each) for each in raw["outputs"]]
    raw["trouble"] = Trouble(**raw["trouble"]) if raw["trouble"] else None
    return Outcome(**raw)


def _progress(raw: Mapping[str, str], parts: int) -> float:
    # The plan part of a planned task is quick; its shares carry the progress.
    counted = range(1, parts) if raw.get("planned") and parts > 1 else range(parts)
    done = sum(1.0 if f"p{part}.end" in raw else float(raw.get(f"p{part}.done", 0)) for part in counted)
    return done / max(1, len(counted))
