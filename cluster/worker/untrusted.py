"""What comes out of the sandbox, checked for its shape before anything believes it."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from cluster.problem import DeadlineProblem, FaultProblem, InputProblem, LimitProblem, PasswordProblem, Problem
from cluster.words import NOTES, PROBLEMS

_Text = dict[str, Any]
_CLASSES: dict[str, type[Problem]] = {
    each.__name__: each for each in (InputProblem, PasswordProblem, LimitProblem, DeadlineProblem)
}


class UntrustedOutput(BaseModel):
    model_config = ConfigDict(extra="forbid")
    file: str = Field(pattern=r"^out/[0-9]{1,6}\.[a-z0-9]{1,5}$")
    name: str = Field(min_length=1, max_length=200)
    kind: str
    source: int | None
    pages: int | None
    text: bool | None
    password: str | None = Field(default=None, pattern=r"^[a-z_]{1,40}$")


class UntrustedCopy(BaseModel):
    model_config = ConfigDict(extra="forbid")
    input: int
    file: str = Field(pattern=r"^scratch/[a-z0-9][a-z0-9.-]{0,60}$")


class UntrustedAnswer(BaseModel):
    outputs: list[UntrustedOutput] = Field(default=[], max_length=50_000)
    notes: list[_Text] = Field(default=[], max_length=10_000)
    metrics: dict[str, float] = {}
    shares: list[_Text] = Field(default=[], max_length=1000)
    copies: list[UntrustedCopy] = Field(default=[], max_length=1000)
    checked: list[_Text] = []


def problem_of(untrusted: _Text) -> Problem:
    reason = untrusted.get("reason")
    made = _CLASSES.get(str(untrusted.get("problem")))
    if made is None or reason not in PROBLEMS:
        return FaultProblem(str(untrusted.get("detail", ""))[:300])
    facts = untrusted.get("facts")
    plain = {str(name): _fact(value) for name, value in facts.items()} if isinstance(facts, dict) else {}
    return made(str(reason), **plain)


def known_notes(notes: list[_Text]) -> list[_Text]:
    return [note for note in notes if note.get("what") in NOTES]


def _fact(value: Any) -> Any:
    return value if isinstance(value, int | float) else str(value)[:200]
