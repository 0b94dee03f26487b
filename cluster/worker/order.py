"""What the host asks of the sandbox, as JSON: plain values, and paths below the job folder."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict


class Staged(TypedDict):
    """One input: where it lies, and what its owner calls it; `index` is its place among the task's inputs."""

    file: str
    name: str
    size: int
    password: str | None
    index: int


class Order(TypedDict):
    """`plan`, `run` and `estimate` are the tool's; `gate` opens the `outputs` again; `judge` asks who was at fault.

    `extras` are files named by options: storage key → path. `share` is a planned task's piece.
    """

    mode: Literal["plan", "run", "estimate", "gate", "judge"]
    tool: int
    options: Mapping[str, Any]
    language: Literal["zh", "en"]
    inputs: Sequence[Staged]
    extras: Mapping[str, str]
    share: Mapping[str, Any] | None
    max_pages: int
    outputs: NotRequired[Sequence[Mapping[str, Any]]]
