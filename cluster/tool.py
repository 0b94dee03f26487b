"""Tool: turns files into files. A tool is a plain value at the end of its module.

    TOOL = Tool(id=16, key="rotate", route="/PdfRotate", group=Group.PAGES, options=Options,
                run=rotate, suffix=("旋转", "rotated"))

`run(work)` reads `work.sources`, writes `work.output(…)` files, tells progress and notes.
It runs in a forked process without network, under limits; it must not keep state.
"""

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar, dataclass_transform

from pydantic import ConfigDict

from cluster.files import Output, Source
from cluster.kinds import PDF, Kind
from cluster.problem import InputProblem, Problem
from cluster.words import Language

#: A task's files are named where its tools are, too.
__all__ = [
    "MIB", "Bounds", "Group", "Lane", "Listener", "Note", "Output", "Source", "Tool", "Work",
    "options", "safe_name", "staged_name",
]  # fmt: skip

O = TypeVar("O")
T = TypeVar("T")
MIB = 1 << 20


class Lane(StrEnum):
    """A queue and the slots that empty it."""

    QUICK = "quick"
    HEAVY = "heavy"
    OFFICE = "office"
    OCR = "ocr"


class Group(StrEnum):
    """Display groups, in display order."""

    PAGES = "pages"
    CONVERT = "convert"
    MARKS = "marks"
    PROTECT = "protect"
    RECOGNISE = "recognise"
    BIG = "big"


@dataclass(frozen=True)
class Note:
    """One line of the fidelity receipt: `what` is a key of cluster.words.NOTES."""

    kind: Literal["kept", "changed", "lost", "told"]
    what: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class Listener(Protocol):
    """Where a running part reports; the sandbox writes it to the host as JSON lines."""

    def progress(self, done: float, total: float, stage: str) -> None: ...

    def allow(self, pages: int) -> None: ...

    def timestamp(self, digest: bytes) -> bytes:
        """What the operator's time-stamp server answers to a SHA-256 digest; empty where there is none."""


@dataclass
class Work(Generic[O]):
    """What `run` is handed: one part of one task.

    `share` is this part's piece of a planned tool (what its `plan` returned), else None.
    `extras` maps the storage keys named in file options to staged files; `max_pages` is the
    owner's right, checked when a document is opened. `copies` are what a plan made of inputs
    (by index, below `folder`): its shares get them instead, without a password.
    """

    options: O
    sources: tuple[Source, ...]
    folder: Path
    language: Language
    suffix: tuple[str, str]
    listener: Listener
    share: Mapping[str, Any] | None = None
    extras: Mapping[str, Path] = field(default_factory=dict)
    max_pages: int = 20_000
    copies: dict[int, Path] = field(default_factory=dict)
    outputs: list[Output] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        return self.sources[0]

    def progress(self, done: float, total: float, stage: str = "working") -> None:
        """Tell real progress: `done` of `total` units; `stage` is a key of cluster.words.STAGES."""
        self.listener.progress(done, total, stage)

    def allow(self, pages: int) -> None:
        """Ask for the CPU time that a document of `pages` pages may take."""
        self.listener.allow(pages)

    def note(self, kind: Literal["kept", "changed", "lost", "told"], what: str, **facts: Any) -> None:
        """Add a line to the fidelity receipt."""
        self.notes.append(Note(kind, what, facts))

    @contextmanager
    def about(self, source: Source) -> Iterator[None]:
        """Problems raised inside are told of this source, of several."""
        try:
            yield
        except Problem as problem:
            raise problem.about(file=source.name, index=source.index) from problem

    def staged(self, key: str) -> Path:
        """The staged file that an option names by its storage key. Raises file_unknown."""
        if key not in self.extras:
            raise InputProblem("file_unknown", file=key)
        return self.extras[key]

    def scratch(self, name: str) -> Path:
        """A path for an intermediate file, gone with the part."""
        return self.folder / "scratch" / name

    def output(
        self, kind: Kind, *, source: Source | None = None, stem: str | None = None, tail: str | None = None
    ) -> Output:
        """Begin a result file. Its name is `<stem>_<suffix><tail>.<ext>` (`tail` e.g. `_1-3`)."""
        origin = source or self.source
        suffix = self.suffix[0 if self.language == "zh" else 1]
        rest = f"_{suffix}{tail or ''}"
        # A long name gives way, not the tail that tells the results apart.
        name = safe_name(origin.stem[: max(20, 120 - len(rest))] + rest if stem is None else stem, kind)
        path = self.folder / "out" / f"{len(self.outputs)}{kind.suffix}"
        one = len(self.sources) == 1 or source is not None
        made = Output(path, name, kind, source=origin.index if one else None)
        self.outputs.append(made)
        return made


@dataclass(frozen=True)
class Bounds:
    """What one part may use. Seconds are CPU; the wall limit is twice that.

    CPU = base + per_mib * input MiB, raised by `allow(pages)` to base + per_page * pages, at most cap.
    """

    memory: int = 2048 * MIB
    base: int = 30
    per_mib: float = 2.0
    per_page: float = 1.0
    cap: int = 300
    output: int = 4096 * MIB

    def cpu(self, size: int, pages: int = 0) -> int:
        return int(min(self.cap, self.base + max(self.per_mib * size / MIB, self.per_page * pages)))


#: What nobody asked for must be cheap.
_LITTLE = Bounds(base=12, per_mib=0, per_page=0, cap=12)


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[O]):
    """One tool: of a PDF a PDF, one by one, where it does not say otherwise.

    `options` and `run` share O, so that a mismatch is a type error.

    takes: "each" runs once per file, "all" once for all of them (at least `least` files).
    plan: for tools that fan out: returns the shares; `run` is then called once a share. A share's "lane", if it names
    one, is where it runs (only some pages need the OCR lane's reader), else the tool's own; its "file" is the index of
    the one input that it reads.
    example: options that make it run where some have no default: tests and judges begin with them.
    editor: where a form is not enough; site/src/editors/facts.ts says what a page must know of each.
    estimate: tells in about a second, from a sample of one file, what a run would leave: bytes, by the value of its
    option `level`. It writes no result and counts for nothing.
    review: what of its results people correct against the input: running text, its lines one by one, or a table's
    cells. Its JSON, corrected, comes back in an option of the tool, and what was chosen is written anew from it.
    """

    id: int
    key: str
    route: str
    group: Group
    options: type[O]
    run: Callable[[Work[O]], None]
    suffix: tuple[str, str]
    lane: Lane = Lane.QUICK
    takes: Literal["each", "all"] = "each"
    accepts: tuple[Kind, ...] = (PDF,)
    gives: tuple[Kind, ...] = (PDF,)
    icon: str = "file"
    editor: Literal[
        "grid", "cuts", "canvas", "numbers", "stamps", "order", "board", "pick", "strike", "slices", "insert", "album",
        "sign", "scan", "edit", "areas",
    ] | None = None  # fmt: skip
    review: Literal["text", "lines", "table"] | None = None
    plan: Callable[[Work[O]], list[dict[str, Any]]] | None = None
    estimate: Callable[[Work[O]], dict[str, float]] | None = None
    least: int = 1
    example: Mapping[str, Any] = field(default_factory=dict)
    bounds: Bounds = Bounds()

    def parts(self, files: int) -> int:
        """Parts that a task over so many files begins with; a plan adds one for each of its shares."""
        return files if self._one_by_one else 1

    def inputs_of(self, part: int, files: int) -> Sequence[int]:
        """Indexes of the files that a part needs, of so many: its own, or all."""
        return (part,) if self._one_by_one else range(files)

    def bounds_of(self, mode: str) -> Bounds:
        """What an order of that mode may use."""
        return _LITTLE if mode == "estimate" else self.bounds

    def documents(self, files: int) -> int:
        """What a task over so many files counts as where rights bound it: a file each, or one in all."""
        return files if self.takes == "each" else 1

    @property
    def _one_by_one(self) -> bool:
        return self.takes == "each" and self.plan is None


@dataclass_transform(kw_only_default=True, frozen_default=True)
def options(cls: type[T]) -> type[T]:
    """A frozen, keyword-only dataclass that refuses unknown names when validated."""
    cls.__pydantic_config__ = ConfigDict(extra="forbid", str_max_length=2000)  # type: ignore[attr-defined]
    return dataclasses.dataclass(frozen=True, kw_only=True)(cls)


_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|\u202a-\u202e\u2066-\u2069]')


def safe_name(stem: str, kind: Kind) -> str:
    """A file name people can save anywhere: no separators, controls or text-direction tricks, <= 120 characters."""
    clean = _UNSAFE.sub("_", stem).strip(". ")[:120].encode("utf-8", "ignore").decode()
    return (clean or "document") + kind.suffix


def staged_name(name: str) -> str:
    """An upload's name as one for a file of ours: one plain component of at most 200 bytes, with its extension."""
    path = Path(_UNSAFE.sub("_", name).strip(". ") or "document")
    stem, suffix = path.stem.encode("utf-8", "ignore"), path.suffix if path.suffix.isascii() else ""
    return stem[: 200 - len(suffix[:12])].decode("utf-8", "ignore") + suffix[:12]
