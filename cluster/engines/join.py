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

from cluster.engines.counts import Counts
from cluster.engines.forms import Forms
from cluster.engines.join_labels import Labels
from cluster.engines.join_layers import Layers
from cluster.engines.join_names import Names
from cluster.engines.join_outline import Outline, file_entry
from cluster.engines.join_pages import Tally, prepare_pages
from cluster.engines.join_tags import Tags
from cluster.engines.part import Part
from cluster.engines.pdf_writer import PdfWriter
from cluster.engines.trees import is_dictionary, items

#: Of the catalogue of the first document; what others have of these gives way.
_FIRST = ("/Metadata", "/Lang", "/ViewerPreferences", "/PageMode", "/PageLayout", "/OutputIntents")
_LISTS = ("/Threads", "/AF")
_A4 = (595.28, 841.89)
Progress = Callable[[int], None]


class _Gatherer(Protocol):
    def add(self, part: Part) -> None: ...


@dataclass(frozen=True)
class Wishes:
    """How documents are joined."""

    outline: Literal["keep", "files", "both", "none"] = "keep"
    forms: Literal["keep", "flatten", "drop"] = "keep"
    blank_after_odd: bool = False


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
        self._info: bytes | None = None
        self._lists: dict[str, list[bytes]] = {key: [] for key in _LISTS}
        self._last_size: tuple[float, float] = _A4
        self._odd = False

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
        gatherers: tuple[_Gatherer, ...] = (self.forms, self.outline, self._names, self._labels, self.tags)
        for gatherer in gatherers:
            gatherer.add(part)
        self._take_first(part)
        self._write_pages(part, progress)
        self._layers.add(part)
        self._append(node, part.numbers)
        self._remember(part)

    def add_page(self, write: Callable[[PdfWriter, int, int], tuple[float, float]], title: str | None) -> None:
        """Append a page that `write(writer, number, parent)` makes and tells the size of; `title` begins a file."""
        if title is not None:
            self._even_out()
            self.tags.bare += 1
        node, number = self.writer.reserve(), self.writer.reserve()
        self._last_size = write(self.writer, number, node)
        if title is not None and self.wishes.outline in ("files", "both"):
            self.outline.entries.append(file_entry(title, b"[ %d 0 R /XYZ null null null ]" % number))
        self._labels.place(self.pages)
        self._append(node, [number])
        self._odd = not self._odd

    def close(self) -> None:
        """Write what all documents share."""
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
            forms.before,
            names.attachments,
            names.before,
        )
        after = Counts(
            self.outline.after,
            tally.links - tally.links_lost,
            tally.annotations,
            forms.after if forms.style == "keep" else forms.before,
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
            self.add_page(lambda writer, number, node: _blank(writer, number, node, width, height), None)
        self._odd = False

    def _remember(self, part: Part) -> None:
        import pikepdf

        from cluster.engines.pdf import visible_size

        self._odd = len(part.numbers) % 2 == 1
        if self.wishes.blank_after_odd:
            self._last_size = visible_size(pikepdf.Page(part.pages[-1]))

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
