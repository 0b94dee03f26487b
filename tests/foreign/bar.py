"""Where results stand that nobody ran for: the judge's own tests plant faults in them."""

import shutil
from pathlib import Path

import pikepdf

from cluster.kinds import PDF, kind_of
from tests.foreign.aside import Aside
from tests.foreign.bench import Ran, Result
from tests.foreign.case import Case, Input
from tests.foreign.checks import judged
from tests.foreign.hybrid import whole
from tests.foreign.office import Office
from tests.foreign.rules import rule_of
from tests.foreign.seen import Seen
from tests.running import tool


class Bar:
    """Judges results that nobody ran for."""

    def __init__(self, aside: Aside, office: Office) -> None:
        self.aside, self.office = aside, office

    def faults(self, key: str, source: Path, *results: Path, ran: Ran | None = None, bare: Path | None = None) -> str:
        """The faults of `results`, a line each; `bare` stands for a bare LibreOffice's PDF."""
        made = [Result(path, path.name, kind_of(path) or PDF, pages_of(path)) for path in results]
        seen = Seen(bare or whole(source, source.parent, self.aside), self.aside)
        first = Input(
            source, kind_of(source) if source.stat().st_size else None, seen if kind_of(seen.path) is PDF else None
        )
        case = Case(tool(key), rule_of(key), [first], ran or Ran(results=made), self.aside, self.office)
        return "\n".join(judged(case))


def pages_of(path: Path) -> int | None:
    if kind_of(path) is not PDF:
        return None
    with pikepdf.open(path) as pdf:
        return len(pdf.pages)


def copy(path: Path, to: Path, pages: list[int] | None = None) -> Path:
    """The document at another place, or only some of its pages."""
    if pages is None:
        return Path(shutil.copyfile(path, to))
    with pikepdf.open(path) as pdf, pikepdf.new() as made:
        made.pages.extend(pdf.pages[page - 1] for page in pages)
        made.remove_unreferenced_resources()
        made.save(to)
    return to
