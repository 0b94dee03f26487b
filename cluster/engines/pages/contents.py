"""A contents page for joined documents: file names with dots and page numbers, each a link."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.engines.fonts.embed import Fonts, width
from cluster.engines.pages.copier import Copier, Shapes
from cluster.engines.pdf.open import plain_copy
from cluster.engines.pdf.page_tree import page_tree
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref
from cluster.engines.pdf.usage import Usage
from cluster.problem import InputProblem

if TYPE_CHECKING:
    import pikepdf

_MARGIN, _TITLE, _LINE, _SIZE = 0.095, 0.037, 0.036, 0.0185
_ELLIPSIS = "…"


@dataclass(frozen=True)
class Listed:
    """A line of the contents: a file, the number of its first page, and that page's object."""

    title: str
    number: int
    page: int


@dataclass(frozen=True)
class Sheet:
    """Measures of the contents pages, in points; text grows with the page's width."""

    width: float
    height: float

    @property
    def margin(self) -> float:
        return self.width * _MARGIN

    @property
    def lines(self) -> int:
        """Lines that fit below the heading."""
        return max(1, int((self.height - 3.4 * self.margin) / (self.width * _LINE)))

    def pages(self, entries: int) -> int:
        return -(-entries // self.lines)

    def baseline(self, line: int) -> float:
        return self.height - 2.4 * self.margin - line * self.width * _LINE


def write_contents(
    sink: Sink, numbers: Sequence[tuple[int, int]], entries: Sequence[Listed], sheet: Sheet, heading: str, scratch: Path
) -> None:
    """Write the contents as the pages `numbers` (each with the node above it); `scratch` is a path to draw at."""
    from cluster.engines.pdf.libraries import import_pikepdf

    lines = [entries[index * sheet.lines : (index + 1) * sheet.lines] for index, _ in enumerate(numbers)]
    with import_pikepdf().new() as pdf:
        fonts = Fonts(pdf)
        for index, shown in enumerate(lines):
            content, resources = _draw(fonts, shown, sheet, "" if index else heading)
            page = pdf.add_blank_page(page_size=(sheet.width, sheet.height)).obj
            page.Contents, page.Resources = pdf.make_stream(content), resources
        fonts.embed()
        plain_copy(pdf, scratch)
    with Document(scratch) as document:
        leaves = page_tree(document, len(numbers))
        copier = Copier(document, Shapes(document, Usage(document), complete=True, thin=False), {}, sink)
        for leaf, (number, above), shown in zip(leaves, numbers, lines, strict=True):
            page = {key: each for key, each in document.dictionary(Ref(leaf.number)).items() if key != b"/Parent"}
            links = b" ".join([b"%d 0 R" % link for link in _links(sink, shown, sheet)])
            sink.put(number, b"<</Parent %d 0 R/Annots[%b]" % (above, links) + copier.text(page)[2:])
            copier.drain()
        copier.finish()


def _draw(fonts: Fonts, entries: Sequence[Listed], sheet: Sheet, heading: str) -> tuple[bytes, "pikepdf.Dictionary"]:
    import pikepdf

    size, used, parts = sheet.width * _SIZE, pikepdf.Dictionary(), []
    if heading:
        line = fonts.line(heading, bold=True)
        big, top = sheet.width * _TITLE, sheet.height - 1.5 * sheet.margin
        parts.append(_text(line.draw(big), (sheet.width - line.width * big) / 2, top))
        used.update(line.fonts)
    for index, entry in enumerate(entries):
        y = sheet.baseline(index)
        ending = fonts.line(str(entry.number))
        right = sheet.width - sheet.margin - ending.width * size
        name = fonts.line(_fitted(_drawable(entry.title), (right - sheet.margin) / size - 2))
        dots = fonts.line("." * _dots(sheet, name.width, ending.width, size))
        parts.append(_text(name.draw(size), sheet.margin, y))
        parts.append(_text(dots.draw(size), right - size * (0.4 + dots.width), y))
        parts.append(_text(ending.draw(size), right, y))
        for each in (name, dots, ending):
            used.update(each.fonts)
    return b"\n".join(parts), pikepdf.Dictionary(Font=used)


def _text(drawn: bytes, x: float, y: float) -> bytes:
    return b"BT 1 0 0 1 %.2f %.2f Tm %b ET" % (x, y, drawn)


def _dots(sheet: Sheet, name: float, ending: float, size: float) -> int:
    room = (sheet.width - 2 * sheet.margin) / size - name - ending - 1.2
    return max(1, int(room / width(".")))


def _drawable(title: str) -> str:
    """A file's name is not the user's text to draw: letters that no font has give way to a box."""
    return title if _has_font(title) else "".join(each if _has_font(each) else "□" for each in title)


def _has_font(text: str) -> bool:
    try:
        width(text)
    except InputProblem:
        return False
    return True


def _fitted(title: str, room: float) -> str:
    """The title, cut with … where it is wider than `room` ems."""
    if width(title) <= room:
        return title
    while title and width(title + _ELLIPSIS) > room:
        title = title[:-1]
    return title + _ELLIPSIS


def _links(sink: Sink, entries: Sequence[Listed], sheet: Sheet) -> list[int]:
    links = []
    for index, entry in enumerate(entries):
        low = sheet.baseline(index) - sheet.width * _SIZE * 0.4
        box = b"%.2f %.2f %.2f %.2f" % (sheet.margin, low, sheet.width - sheet.margin, low + sheet.width * _LINE * 0.8)
        target = b"/Dest [ %d 0 R /XYZ null null null ]" % entry.page
        links.append(sink.add(b"<< /Type /Annot /Subtype /Link /Rect [ %b ] /Border [ 0 0 0 ] %b >>" % (box, target)))
    return links
