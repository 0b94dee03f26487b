"""Runs tools over files, a few at a time, and judges each run. A file's tools are run together: it is seen once."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from cluster.kinds import DOCX, PDF, Kind, kind_of
from cluster.tool import Tool
from tests import make, make_office
from tests.foreign.aside import Aside, Cannot
from tests.foreign.bench import Bench
from tests.foreign.case import Case, Input
from tests.foreign.checks import judged
from tests.foreign.files import takers
from tests.foreign.hybrid import whole
from tests.foreign.office import Office
from tests.foreign.report import Verdict
from tests.foreign.rules import rule_of
from tests.foreign.seen import Seen


class Court:
    """One worker: sandboxes, a process aside, a LibreOffice, the partner that merge-like tools get beside each file."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        self.folder = Path(tempfile.mkdtemp(prefix="papercrane-foreign-"))
        self.folder.chmod(0o711)  # the sandbox's user passes through it
        self.bench, self.aside, self.office = Bench(self.folder / "bench"), Aside(), Office()

    def close(self) -> None:
        self.bench.close()
        self.aside.close()
        self.office.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def try_file(self, path: Path, name: str, tools: Iterable[Tool[Any]]) -> Iterator[Verdict]:
        """Run each tool over the file and judge it."""
        seen: dict[bool, Seen | None] = {}
        for tool in tools:
            office = rule_of(tool.key).reference
            if office not in seen:
                seen[office] = self._seen(path, office)
            yield self._try(tool, name, Input(path, _kind(path), seen[office]))
            self.bench.clear()

    def _try(self, tool: Tool[Any], name: str, first: Input) -> Verdict:
        rule, inputs = rule_of(tool.key, self.options), [first]
        if tool.takes == "all" and not {PDF, DOCX}.isdisjoint(tool.accepts):
            inputs += [self._pdf if PDF in tool.accepts else self._docx] * max(1, tool.least - 1)
        ran = self.bench.run(tool, [each.path for each in inputs], rule.options)
        began = time.monotonic()
        faults = judged(Case(tool, rule, inputs, ran, self.aside, self.office))
        spent = round(time.monotonic() - began, 2)
        return Verdict(tool.key, name, ran.status, faults, round(ran.seconds, 2), round(ran.cpu, 2), ran.memory, spent)

    @cached_property
    def _pdf(self) -> Input:
        return self._input(make.rich(self.folder / "partner.pdf"), False)

    @cached_property
    def _docx(self) -> Input:
        return self._input(make_office.chapters(self.folder / "partner.docx"), True)

    def _input(self, path: Path, office: bool) -> Input:
        return Input(path, _kind(path), self._seen(path, office))

    def _seen(self, path: Path, office: bool) -> Seen | None:
        kind = _kind(path)
        if not office:
            return self._seen_pdf(path) if path.suffix.lower() == ".pdf" or kind is PDF else None
        suffix = kind.suffix if kind and path.suffix.lower() not in kind.extensions else path.suffix.lower()
        try:
            folder = Path(tempfile.mkdtemp(dir=self.folder))
            return Seen(self.office.pdf_of(path, suffix, folder), self.aside)
        except Cannot:
            return None

    def _seen_pdf(self, path: Path) -> Seen:
        return Seen(whole(path, Path(tempfile.mkdtemp(dir=self.folder)), self.aside), self.aside)


def _kind(path: Path) -> Kind | None:
    return kind_of(path) if path.stat().st_size else None


def hold(
    folder: Path,
    files: list[Path],
    tools: list[Tool[Any]],
    *,
    jobs: int,
    seconds: float,
    tell: Callable[[Verdict], None],
    options: Mapping[str, Any],
) -> int:
    """Judge `files` of `folder`, `jobs` at a time, none begun after `seconds`; how many were left out.

    `options` are chosen over those of the tools' rules.
    """
    end, idle, left = time.monotonic() + seconds, SimpleQueue[Court](), SimpleQueue[Path]()
    courts = [Court(options) for _ in range(jobs)]
    for court in courts:
        idle.put(court)

    def one(path: Path) -> None:
        if time.monotonic() > end:
            left.put(path)
            return
        court = idle.get()
        try:
            for verdict in court.try_file(path, str(path.relative_to(folder)), takers(path, tools)):
                tell(verdict)
        finally:
            idle.put(court)

    try:
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, files))
    finally:
        for court in courts:
            court.close()
    return left.qsize()
