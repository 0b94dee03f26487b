"""Join documents one after another, with what a reader of the result may wish: bookmarks, contents, one width."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cluster.engines.pages.bind import Binder, Progress
from cluster.engines.pages.blank import write_blank
from cluster.engines.pages.contents import Listed, Sheet, write_contents
from cluster.engines.pages.fields import Style as FormStyle
from cluster.engines.pages.mount import BARE
from cluster.engines.pages.opening import Change
from cluster.engines.pages.outline import Bookmarks
from cluster.engines.pages.outline import Style as OutlineStyle
from cluster.engines.pages.part import Part
from cluster.engines.pages.pictures import Frame
from cluster.engines.pages.scale import factor_for, visible_size
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.counts import Counts
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.sink import Sink
from cluster.paper import A4, Size


@dataclass(frozen=True)
class Wishes:
    """How documents are joined."""

    outline: OutlineStyle = "keep"
    forms: FormStyle = "keep"
    blank_after_odd: bool = False
    same_width: Literal["off", "first", "a4"] = "off"
    #: Heading of a contents page of so many files; none when empty.
    contents: str = ""
    files: int = 0


class Joined:
    """The result under construction."""

    def __init__(self, path: Path, wishes: Wishes) -> None:
        self.wishes, self._path = wishes, path
        self.binder = Binder(path, outline=Bookmarks(wishes.outline, headings=True), forms=wishes.forms, twins=True)
        self.form, self.tags = self.binder.form, self.binder.tags
        self._last_size: Size = A4
        self._odd = False
        self._width = A4[0] if wishes.same_width == "a4" else None
        self._contents: list[tuple[int, int]] = []
        self._listed: list[Listed] = []
        if wishes.contents:
            self._reserve_contents()

    def __enter__(self) -> "Joined":
        return self

    def __exit__(self, *error: Any) -> None:
        self.binder.__exit__(*error)

    @property
    def pages(self) -> int:
        """Pages of the result so far."""
        return self.binder.pages

    def change(self) -> Change | None:
        """What is done to a document before it is added: its form is flattened, or drawn where readers should."""
        if self.wishes.forms == "flatten":
            return Change(_has_form, self._flatten)
        return self.binder.form.change(alone=self.wishes.files == 1)

    def add(self, whole: Whole, title: str, chosen: Iterable[int] | None = None, told: Progress | None = None) -> None:
        """Append pages of a document (positions from 0); `told` hears how many the result has so far."""
        self._even_out()
        pages = range(len(whole.leaves)) if chosen is None else list(chosen)
        part = Part(whole, pages, range(self.pages, self.pages + len(pages)), title=title)
        self._resize(part)
        start = self.pages
        self.binder.add(part, told)
        self._listed.append(Listed(title, start + 1, self.binder.tree.page(start)))
        self._odd = len(pages) % 2 == 1
        if self.wishes.blank_after_odd:
            self._last_size = visible_size(whole.document, whole.page(pages[-1]))

    def add_picture(self, frame: Frame, title: str | None) -> None:
        """Append a picture as a page; `title` begins a file."""
        if title is not None:
            self._even_out()
            self.tags.bare += 1

        def write(sink: Sink, number: int, above: int) -> None:
            placed = BARE.placed(frame.size())
            placed = placed.scaled(self._width) if self._width else placed
            self._last_size = frame.write(sink, number, above, placed)

        number = self.binder.add_page(write)
        if self.wishes.same_width == "first":
            self._width = self._last_size[0]
        if title is not None:
            self._listed.append(Listed(title, self.pages, number))
            self.binder.outline.add_file(title, number)
        self._odd = not self._odd

    def close(self) -> None:
        """Write what all documents share."""
        if self._contents:
            scratch = self._path.with_suffix(".contents")
            write_contents(self.binder.sink, self._contents, self._listed, self._sheet(), self.wishes.contents, scratch)
            scratch.unlink()
        self.binder.close()

    def counts(self) -> tuple[Counts, Counts]:
        """What the documents held on the chosen pages, and what the result holds."""
        return self.binder.counts()

    def _flatten(self, pdf: Any) -> None:
        from cluster.engines.forms.flatten import flatten

        done = flatten(pdf)
        self.form.before += done.fields
        self.form.signatures += done.signatures
        self.form.xfa = self.form.xfa or done.xfa

    def _even_out(self) -> None:
        """A blank page before the next document, when the last one ended on a front side."""
        if self.wishes.blank_after_odd and self._odd:
            self.binder.add_page(lambda sink, number, above: write_blank(sink, number, above, self._last_size))
        self._odd = False

    def _reserve_contents(self) -> None:
        """Contents pages come first, and their number hangs on the number of files alone."""
        sheet = self._sheet()
        for _ in range(sheet.pages(self.wishes.files)):
            self.binder.add_page(lambda _, number, above: self._contents.append((number, above)))
        self.binder.outline.add_file(self.wishes.contents, self._contents[0][0])
        self.tags.bare += 1
        self._odd = len(self._contents) % 2 == 1

    def _sheet(self) -> Sheet:
        width = self._width or A4[0]
        return Sheet(width, width * A4[1] / A4[0])

    def _resize(self, part: Part) -> None:
        """Bring every page to the one width."""
        if self.wishes.same_width == "off":
            return
        whole = part.whole
        self._width = self._width or visible_size(whole.document, whole.page(part.pages[0]))[0]
        for at, place in zip(part.pages, part.places, strict=True):
            if factor := factor_for(whole.document, whole.page(at), self._width):
                part.factors[place] = factor


def _has_form(document: Document) -> bool:
    return b"/AcroForm" in document.root
