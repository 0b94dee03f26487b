"""One run with all that judging it needs: the tool, its rule, the sources and the results as others see them."""

import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cluster.kinds import DOCX, PDF, PPTX, XLSX, Kind
from cluster.tool import Tool
from tests.foreign.aside import Cannot
from tests.foreign.bench import Ran, Result
from tests.foreign.office import Office
from tests.foreign.rules import Rule
from tests.foreign.seen import Seen
from tests.foreign.structure import Origins

#: Results whose pages are those that a bare LibreOffice makes of them.
OFFICE = {DOCX, PPTX, XLSX}
#: Results that are opened by everybody, when a run leaves more; pages of each that are drawn.
_RESULTS = 6
_PAGES = 6


@dataclass(frozen=True)
class Input:
    """A file handed in. `seen` is the PDF, or what stands for it in judging; None when nobody makes one."""

    path: Path
    kind: Kind | None
    seen: Seen | None


@dataclass
class Case:
    tool: Tool[Any]
    rule: Rule
    inputs: list[Input]
    ran: Ran
    aside: Any
    office: Office

    @cached_property
    def sources(self) -> list[Seen] | None:
        """None when a source cannot be seen, or nobody agrees on its pages."""
        found = [each.seen for each in self.inputs if each.seen and each.seen.pages]
        return found if len(found) == len(self.inputs) else None

    @cached_property
    def results(self) -> list[tuple[int, Result, Seen | None]]:
        """Index, result, and how others see it when it has pages: the first, the largest and the last few."""
        every = self.ran.results
        largest = max(range(len(every)), key=lambda index: every[index].path.stat().st_size, default=0)
        some = sorted({*spread(len(every), _RESULTS), largest} if every else ())
        return [(i, every[i], self._seen(every[i])) for i in some]

    def late(self, program: str) -> bool:
        """Whether the program has no answer for a source in time, so that it bears no witness."""
        return any(program in each.seen.late for each in self.inputs if each.seen)

    def _seen(self, result: Result) -> Seen | None:
        late = (program for each in self.inputs if each.seen for program in each.seen.late)
        if result.kind is PDF:
            return Seen(result.path, self.aside, late)
        return self._seen_by_office(result) if result.kind in OFFICE else None

    def _seen_by_office(self, result: Result) -> Seen | None:
        """As a bare LibreOffice shows it; None when it makes no page of it."""
        with suppress(Cannot):
            folder = Path(tempfile.mkdtemp(dir=result.path.parent))
            return Seen(self.office.pdf_of(result.path, result.kind.suffix, folder), self.aside)
        return None

    @cached_property
    def origins(self) -> list[Origins] | None:
        """Of every result, which pages it should have; None when the rule or the sources do not tell."""
        if self.sources is None:
            return None
        counts = [each.pages or 0 for each in self.ran.results]
        return self.rule.pages([source.pages or 0 for source in self.sources], counts)

    @cached_property
    def matched(self) -> list[tuple[Result, Seen, Origins]]:
        """PDF results beside the pages they should have, where they do have that many."""
        if self.origins is None or len(self.origins) != len(self.ran.results):
            return []
        return [
            (result, seen, self.origins[index])
            for index, result, seen in self.results
            if seen is not None and len(self.origins[index]) == result.pages
        ]


def drawn_pages(count: int) -> list[int]:
    """Which pages are drawn."""
    return [index + 1 for index in spread(count, _PAGES)]


def spread(count: int, most: int) -> list[int]:
    """At most `most` indexes below `count`: the first ones, one in the middle and the last."""
    return list(range(count)) if count <= most else [*range(most - 2), count // 2, count - 1]
