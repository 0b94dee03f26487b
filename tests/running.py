"""Run a tool's code in this process, as its sandboxed part does: for tests of what a result holds."""

from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from cluster.kinds import JSON, kind_of
from cluster.problem import Problem
from cluster.tool import Note, Output, Source, Tool, Work


@dataclass
class Ran:
    """What a run left: outputs in order, receipt notes, progress calls, and the Problem if there was one."""

    outputs: list[Output] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    steps: list[tuple[float, float, str]] = field(default_factory=list)
    problem: Problem | None = None
    metrics: dict[str, float] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The only output; data beside it is none."""
        (only,) = self.results
        return only.path

    @property
    def results(self) -> list[Output]:
        """What people take: all outputs but the data beside them."""
        assert self.problem is None, self.problem
        return [each for each in self.outputs if each.kind is not JSON] or self.outputs

    def noted(self, what: str) -> dict[str, Any] | None:
        """The facts of the first note with this key."""
        return next((dict(note.facts) for note in self.notes if note.what == what), None)


class _Listener:
    def __init__(self, steps: list[tuple[float, float, str]]) -> None:
        self.steps = steps

    def progress(self, done: float, total: float, stage: str) -> None:
        self.steps.append((done, total, stage))

    def allow(self, pages: int) -> None:
        pass

    def timestamp(self, digest: bytes) -> bytes:
        return b""


def tool(key: str) -> Tool[Any]:
    """The tool with this key, whose module is all that is imported; the tests' own are in the catalogue alone."""
    name = f"cluster.tools.{key}"
    if not find_spec(name):
        from cluster.catalogue import TOOLS

        return next(each for each in TOOLS.values() if each.key == key)
    found: Tool[Any] = import_module(name).TOOL
    return found


def run_tool(
    key: str,
    folder: Path,
    files: list[Path],
    *,
    passwords: dict[int, str] | None = None,
    language: str = "zh",
    extras: dict[str, Path] | None = None,
    slot: tuple[int, int] = (0, 1),
    **options: Any,
) -> Ran:
    """Run tool `key` over `files` with `options`, results below `folder`; Problems come back in `Ran.problem`.

    A tool that takes "each" runs once a file, a planned one once a share, into one Ran. `slot` (0, 2) takes every
    second file or share from the first on, as one of two slots does.
    """
    it, ran = tool(key), Ran()
    chosen = TypeAdapter(it.options).validate_python(options)
    sources = [_source(path, index, (passwords or {}).get(index), it) for index, path in enumerate(files)]
    rounds = [(source,) for source in sources] if it.takes == "each" else [tuple(sources)]
    mine, all_of_them = slice(slot[0], None, slot[1]), slice(None)
    for number, group in list(enumerate(rounds))[all_of_them if it.plan else mine]:
        try:
            _round(it, ran, chosen, group, folder / str(number), language, extras or {}, mine)
        except Problem as problem:
            ran.problem = problem
    return ran


def _round(
    it: Tool[Any],
    ran: Ran,
    chosen: Any,
    group: tuple[Source, ...],
    folder: Path,
    language: Any,
    extras: Any,
    mine: slice,
) -> None:
    jobs: list[tuple[int, dict[str, Any] | None]] = [(0, None)]
    if it.plan:
        planning = _work(it, ran, chosen, group, folder / "plan", language, extras, None)
        jobs = list(enumerate(it.plan(planning)))[mine]
        ran.notes += planning.notes
        group = tuple(_staged(source, planning.copies.get(source.index)) for source in group)
    for number, share in jobs:
        work = _work(it, ran, chosen, group, folder / str(number), language, extras, share)
        it.run(work)
        ran.outputs += work.outputs
        ran.notes += work.notes
        ran.metrics |= work.metrics


def _work(
    it: Tool[Any], ran: Ran, chosen: Any, group: Any, folder: Path, language: Any, extras: Any, share: Any
) -> Any:
    for name in ("out", "scratch"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return Work(
        options=chosen,
        sources=group,
        folder=folder,
        language=language,
        suffix=it.suffix,
        listener=_Listener(ran.steps),
        share=share,
        extras=extras,
    )


def work_on(key: str, folder: Path, path: Path, options: Any) -> Any:
    """The Work of tool `key` over one file, for what a tool does besides its run."""
    it = tool(key)
    return _work(it, Ran(), options, (_source(path, 0, None, it),), folder, "zh", {}, None)


def _staged(source: Source, copy: Path | None) -> Source:
    """What the shares of a plan get: the copy that the plan made of the source, if it did."""
    return replace(source, path=copy, size=copy.stat().st_size, password=None) if copy else source


def _source(path: Path, index: int, password: str | None, it: Tool[Any]) -> Source:
    kind = (kind_of(path) if path.stat().st_size else None) or it.accepts[0]
    return Source(path=path, name=path.name, kind=kind, size=path.stat().st_size, password=password, index=index)
