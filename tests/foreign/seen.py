"""One document as other people's programs see it; each is asked once and remembered. Pages count from 1."""

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from tests.foreign import programs
from tests.foreign.aside import Aside, Cannot, Late
from tests.foreign.leaks import Shown, shown_by
from tests.foreign.programs import PROGRAMS, Picture
from tests.foreign.structure import Structure, structure_of

T = TypeVar("T")
#: Pages whose words are read.
TEXT_PAGES = 300
_DPI = 72
#: The longer side of what is drawn (pixels): small pages are drawn larger, huge ones smaller.
_SHORTEST, _LONGEST = 300, 1600


class Seen:
    """A PDF on disk. Whatever nobody can tell is None.

    `late` are programs that did not answer in time: they are not asked again here, nor of what is made of this file.
    """

    def __init__(self, path: Path, aside: Aside, late: Iterable[str] = ()) -> None:
        self.path, self.aside, self.late = path, aside, set(late)
        self._drawn: dict[tuple[str, int, float], Picture | None] = {}
        self._read: dict[int, str | None] = {}

    @cached_property
    def counts(self) -> dict[str, int | None]:
        """Pages by program."""
        return {each: self._ask(each, lambda p=each: programs.count(p, self.path, self.aside)) for each in PROGRAMS}

    @cached_property
    def pages(self) -> int | None:
        """The number of pages on which at least two agree, and nobody who agrees with another says otherwise."""
        said = [number for number in self.counts.values() if number]
        agreed = {number for number in said if said.count(number) > 1}
        return agreed.pop() if len(agreed) == 1 else None

    @cached_property
    def readers(self) -> list[str]:
        """The renderers that open it, count pages, and draw its first one."""
        return [each for each in programs.RENDERERS if self.counts[each] and self.drawn(each, 1) is not None]

    @cached_property
    def complaint(self) -> str:
        """What `qpdf --check` says: `error`, `warning`, `no answer` or nothing."""
        found = self._ask("qpdf", lambda: programs.complaint(self.path))
        return "no answer" if found is None else found

    @cached_property
    def complaint_of_copy(self) -> str:
        """What it says of a copy that qpdf made itself."""
        return self._ask("qpdf", lambda: programs.complaint_of_copy(self.path)) or ""

    @cached_property
    def tag_bytes(self) -> int:
        """What its tags add to a copy of all its pages."""
        if not self.structure.tagged or not self.pages:
            return 0
        every = list(range(1, self.pages + 1))
        whole = self._ask("qpdf", lambda: programs.whole_copy(self.path))
        bare = self._ask("qpdf", lambda: programs.fresh_copy(self.path, every))
        return max(0, whole - bare) if whole and bare else 0

    @cached_property
    def texts(self) -> list[str] | None:
        """Page texts by poppler, the first TEXT_PAGES of them."""
        return self._ask("poppler", lambda: programs.texts(self.path, TEXT_PAGES))

    @cached_property
    def largest_picture(self) -> int | None:
        """Pixels of the largest picture or mask in it."""
        return self._ask("pikepdf", lambda: self.aside.call(programs.largest_picture, self.path))

    @cached_property
    def structure(self) -> Structure:
        return self._ask("pikepdf", lambda: self.aside.call(structure_of, self.path)) or Structure()

    @cached_property
    def annotations(self) -> list[tuple[int, int]] | None:
        """Links and widgets on each page by pdfium: the second witness."""
        return self._ask("pdfium", lambda: self.aside.call(programs.annotations, self.path))

    @cached_property
    def shown(self) -> Shown | None:
        """The strings that each page shows."""
        return self._ask("pikepdf", lambda: self.aside.call(shown_by, self.path))

    @cached_property
    def printed_again(self) -> str | None:
        """The letters that are printed where they stand already, by pdfplumber."""
        return self._ask("pdfplumber", lambda: self.aside.call(programs.printed_again, self.path))

    def text(self, page: int) -> str | None:
        """The page's text by pdfium: the second witness."""
        if page not in self._read:
            self._read[page] = self._ask("pdfium", lambda: programs.pdfium_text(self.path, page, self.aside))
        return self._read[page]

    def third(self, page: int) -> str | None:
        """The page's text by MuPDF: the third witness, asked where the first two may differ."""
        return self._ask("mupdf", lambda: programs.mupdf_text(self.path, page))

    def visible(self, page: int, *, clipped: bool = False) -> str | None:
        """Of the page's text what no clip hides, by MuPDF; with that, too."""
        return self._ask("mupdf", lambda: self.aside.call(programs.visible_text, self.path, page, clipped))

    def drawn(self, renderer: str, page: int, dpi: float | None = None) -> Picture | None:
        """The page at `dpi`: its own, unless it is compared with another's."""
        key = renderer, page, dpi or self.dpi(page)
        if key not in self._drawn:
            self._drawn[key] = self._ask(renderer, lambda: programs.draw(renderer, self.path, page, key[2], self.aside))
        return self._drawn[key]

    def dpi(self, page: int) -> float:
        """Moderate."""
        size = self.size(page)
        longest = max(1.0, max(size)) if size else 842.0
        return min(max(_DPI, _SHORTEST * 72 / longest), _LONGEST * 72 / longest)

    def size(self, page: int) -> tuple[float, float] | None:
        """Points."""
        return self._ask("pdfium", lambda: self.aside.call(programs.page_size, self.path, page))

    def _ask(self, program: str, question: Callable[[], T]) -> T | None:
        if program in self.late:
            return None
        try:
            return question()
        except Late:
            self.late.add(program)
        except Cannot:
            pass
        return None
