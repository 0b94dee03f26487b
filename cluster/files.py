"""The files of a task and the desk at which an engine works: all that engines know of it.

Engines return facts; what the receipt says of them is the tools' to write (cluster.telling).
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cluster.kinds import Kind


@dataclass(frozen=True)
class Source:
    """One staged input: read-only bytes at `path`, the name its owner gave it."""

    path: Path
    name: str
    kind: Kind
    size: int
    password: str | None = field(default=None, repr=False)
    index: int = 0

    @property
    def stem(self) -> str:
        return Path(self.name).stem or "document"


@dataclass
class Output:
    """One result file; `pages` is what the tool promises and the output gate checks.

    `text` says whether the result must hold text when it has pages (None: no promise). `password` is the *name* of
    the option whose password opens the result, and nothing else may: the password itself never leaves the sandbox.
    """

    path: Path
    name: str
    kind: Kind
    source: int | None = None
    pages: int | None = None
    text: bool | None = None
    password: str | None = None


class Desk(Protocol):
    """What an engine may ask of the part that it works for: a tool's Work, less its options and its receipt."""

    @property
    def max_pages(self) -> int:
        """The owner's right, checked when a document is opened."""

    def scratch(self, name: str) -> Path:
        """A path for an intermediate file, gone with the part."""

    def progress(self, done: float, total: float, stage: str = "working") -> None:
        """Tell real progress: `done` of `total` units; `stage` is a key of cluster.words.STAGES."""

    def about(self, source: Source) -> AbstractContextManager[None]:
        """Problems raised inside are told of this source, of several."""
