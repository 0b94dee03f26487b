"""Join documents: every page and what hangs on it, one source open at a time.

    with Joined(path, Wishes()) as joined:
        joined.add(Part(pdf, "contract", [0, 1, 2]))
        joined.close()

Each source is changed in memory where it must give way to the others (a name taken, a page left
out), then carried over object by object. What a document has only one of (outline, names, form,
tags, layers, labels) is gathered by one small class each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from cluster.engines.pages.contents import Listed, Sheet, write_contents
from cluster.engines.pages.excerpt import Part
from cluster.engines.pages.fields import Forms
from cluster.engines.pages.join_base import base_of, rebase
from cluster.engines.pages.join_labels import Labels
from cluster.engines.pages.join_layers import Layers
from cluster.engines.pages.join_names import Names
from cluster.engines.pages.join_outline import Outline
from cluster.engines.pages.join_pages import Tally, prepare_pages
from cluster.engines.pages.join_tags import Tags
from cluster.engines.pages.scale import scale_page, scale_targets, take_unit, targets_of
from cluster.engines.pdf.counts import Counts
from cluster.engines.pdf.nodes import is_dictionary, items
from cluster.engines.pdf.open import visible_size
from cluster.engines.pdf.writer import PdfWriter

#: Of the catalogue of the first document; what others have of these gives way.
_FIRST = ("/Metadata", "/Lang", "/ViewerPreferences", "/PageMode", "/PageLayout", "/OutputIntents", "/URI")
_LISTS = ("/Threads", "/AF")
_A4 = (595.28, 841.89)
Progress = Callable[[int], None]
PageWriter = Callable[[PdfWriter, int, int, float | None], tuple[float, float]]
"""Writes a page (writer, number, parent, width or None) and returns its size in points."""


class _Gatherer(Protocol):
    def add(self, part: Part) -> None: ...


@dataclass(frozen=True)
class Wishes:
    """How documents are joined."""

    outline: Literal["keep", "files", "both", "none"] = "keep"
    forms: Literal["keep", "flatten", "drop"] = "keep"
    blank_after_odd: bool = False
    same_width: Literal["off", "first", "a4"] = "off"
    #: Heading of a contents page of so many files; none when empty.
    contents: str = ""
    files: int = 0


class Joined:
    """The result under construction."""

    def __init__(self, path: Path, wishes: Wishes) -> None:
        self.writer = PdfWriter(path)
        self.wishes = wishes
        self.pages = 0
        self.outline = Outline(wishes.outline)
        self.tags, self.forms = Tags(self.writer), Forms(wishes.forms)
        self._tally, self._names, self._labels, self._layers = Tally(), Names(), Labels(), Layers()
        self._root = self.writer.reserve()
        self._nodes: list[tuple[int, list[int]]] = []
        self._catalogue: dict[str, bytes] = {}
        self._base: str | None = None
        self._info: bytes | None = None
        self._lists: dict[str, list[bytes]] = {key: [] for key in _LISTS}
        self._last_size: tuple[float, float] = _A4
        self._odd = False
        self._width = _A4[0] if wishes.same_width == "a4" else None
        self._contents: tuple[int, list[int]] = (0, [])
        self._listed: list[Listed] = []
        if wishes.contents:
            self._reserve_contents()

    def __enter__(self) -> "Joined":
        return self

    def __exit__(self, *error: Any) -> None:
        self.writer.__exit__(*error)

    def add(self, part: Part, progress: Progress | None = None) -> None:
        """Append a document; `progress` is told the pages of the result so far."""
        self._even_out()
        node = self.writer.reserve()
        part.begin(self.writer, self.pages, node)
        self._names.rename(part)
        self.tags.begin(part)
        self.forms.prepare(part)
        prepare_pages(part, self._tally)
        self._base = base_of(part.pdf) if self._base is None else self._base
        rebase(part, self._base)
        self._resize(part)
        self._list(part.title, part.numbers[0])
        gatherers: tuple[_Gatherer, ...] = (self.forms, self.outline, self._names, self._labels, self.tags)
        for gatherer in gatherers:
            gatherer.add(part)
        self._take_first(part)
        self._write_pages(part, progress)
        self._layers.add(part)
        self._append(node, part.numbers)
        self._remember(part)

    def add_page(self, write: PageWriter, title: str | None) -> None:
        """Append a page that `write` makes and tells the size of; `title` begins a file."""
        if title is not None:
            self._even_out()
            self.tags.bare += 1
        node, number = self.writer.reserve(), self.writer.reserve()
        self._last_size = write(self.writer, number, node, self._width)
        if self.wishes.same_width == "first":
            self._width = self._last_size[0]
        if title is not None:
            self._list(title, number)
            self.outline.add_file(title, number)
        self._labels.place(self.pages)
        self._append(node, [number])
        self._odd = not self._odd

    def close(self) -> None:
        """Write what all documents share."""
        if self.wishes.contents:
            write_contents(self.writer, *self._contents, self._listed, self._sheet(), self.wishes.contents)
        catalogue = [b"/Type /Catalog /Pages %d 0 R" % self._root, *self._catalogue.values()]
        catalogue += [
            self.outline.close(self.writer),
            self._names.close(self.writer),
            self._labels.close(self.writer),
            self.forms.close(self.writer),
            self.tags.close(),
            self._layers.close(),
        ]
        catalogue += [b"%b [ %b ]" % (key.encode(), b" ".join(held)) for key, held in self._lists.items() if held]
        for node, kids in self._nodes:
            self._tree(node, kids, len(kids), b" /Parent %d 0 R" % self._root)
        self._tree(self._root, [node for node, _ in self._nodes], self.pages)
        root = self.writer.add(b"<< %b >>" % b" ".join(filter(None, catalogue)))
        self.writer.close(root, self.writer.add(self._info) if self._info else None)

    def counts(self) -> tuple[Counts, Counts]:
        """What the documents held on the chosen pages, and what the result holds."""
        tally, names, forms = self._tally, self._names, self.forms
        before = Counts(
            self.outline.before,
            tally.links,
            tally.annotations,
            forms.before if forms.style == "keep" else 0,
            names.attachments,
            names.before,
        )
        after = Counts(
            self.outline.after,
            tally.links - tally.links_lost,
            tally.annotations,
            forms.after,
            names.attachments,
            names.after,
        )
        return before, after

    def _tree(self, node: int, kids: list[int], count: int, parent: bytes = b"") -> None:
        listed = b" ".join(b"%d 0 R" % kid for kid in kids)
        self.writer.put(node, b"<< /Type /Pages /Count %d /Kids [ %b ]%b >>" % (count, listed, parent))

    def _append(self, node: int, numbers: list[int]) -> None:
        self._nodes.append((node, numbers))
        self.pages += len(numbers)

    def _write_pages(self, part: Part, progress: Progress | None) -> None:
        for page, number in zip(part.pages, part.numbers, strict=True):
            self.writer.put(number, part.transcript.body(page))
            part.transcript.drain()
            if progress and number % 50 == 0:
                progress(self.pages + number - part.numbers[0])
        part.transcript.drain()

    def _even_out(self) -> None:
        """A blank page before the next document, when the last one ended on a front side."""
        if self.wishes.blank_after_odd and self._odd:
            width, height = self._last_size
            self.add_page(lambda writer, number, node, _: _blank(writer, number, node, width, height), None)
        self._odd = False

    def _remember(self, part: Part) -> None:
        import pikepdf

        self._odd = len(part.numbers) % 2 == 1
        if self.wishes.blank_after_odd:
            self._last_size = visible_size(pikepdf.Page(part.pages[-1]))

    def _reserve_contents(self) -> None:
        """Contents pages come first, and their number hangs on the number of files alone."""
        count = self._sheet().pages(self.wishes.files)
        self._contents = self.writer.reserve(), [self.writer.reserve() for _ in range(count)]
        for index in range(count):
            self._labels.place(index)
        self._append(*self._contents)
        self.outline.add_file(self.wishes.contents, self._contents[1][0])
        self.tags.bare += 1
        self._odd = count % 2 == 1

    def _sheet(self) -> Sheet:
        width = self._width or _A4[0]
        return Sheet(width, width * _A4[1] / _A4[0])

    def _list(self, title: str, page: int) -> None:
        self._listed.append(Listed(title, self.pages + 1, page))

    def _resize(self, part: Part) -> None:
        """Bring every page to the one width, and links to where they pointed."""
        if self.wishes.same_width == "off":
            return
        import pikepdf

        widths = {page.objgen: visible_size(pikepdf.Page(page))[0] for page in part.pages}
        self._width = self._width or widths[part.pages[0].objgen]
        # Not every reader knows /UserUnit; pages of one width should be so in all of them.
        units = {page.objgen: take_unit(page) for page in part.pages}
        factors = {key: units[key] * self._width / width for key, width in widths.items()}
        if any(abs(factor - 1) > 1e-4 for factor in factors.values()):
            scale_targets(targets_of(part.pdf, part.targets.named.values()), factors)
            for page in part.pages:
                scale_page(part.pdf, page, factors[page.objgen])

    def _take_first(self, part: Part) -> None:
        root, text = part.pdf.Root, part.transcript.text
        for key in _LISTS:
            if part.whole:
                self._lists[key] += [text(each) for each in items(root.get(key))]
        if self._info is None:
            info = part.pdf.trailer.get("/Info")
            self._info = part.transcript.body(info) if is_dictionary(info) else b"<< >>"
            self._catalogue = {key: key.encode() + b" " + text(root[key]) for key in _FIRST if key in root}


def _blank(writer: PdfWriter, number: int, node: int, width: float, height: float) -> tuple[float, float]:
    box = b"[ 0 0 %b %b ]" % (_number(width), _number(height))
    writer.put(number, b"<< /Type /Page /Parent %d 0 R /MediaBox %b /Resources << >> >>" % (node, box))
    return width, height


def _number(value: float) -> bytes:
    return f"{value:.3f}".rstrip("0").rstrip(".").encode()
