"""What a document is made of once it is read: one model for every reader and every writer.

Lengths are points from the visible page's upper left corner; boxes are (left, top, right, bottom).
A reader makes `Sheet`s (lines, pictures and drawn rules, as they lie); `layout.document` makes a `Document` of them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

Box = tuple[float, float, float, float]
#: What is drawn and its colour (0xRRGGBB); a side of a cell: how thick it is drawn (points), and its colour.
Inked = tuple[Box, int]
Edge = tuple[float, int]
Align = Literal["left", "center", "right", "both"]
#: Columns are not as wide as each other where one is wider than another so many times.
_UNEVEN = 1.25
#: What a cell's text is to a spreadsheet: what it looks like, or what somebody said.
CellKind = Literal["auto", "text", "number"]


@dataclass(frozen=True, slots=True)
class Style:
    """How letters look; `colour` is 0xRRGGBB, `link` an address, `raised` a superscript; `kind` serif, mono or else."""

    font: str
    size: float
    bold: bool = False
    italic: bool = False
    colour: int = 0
    raised: bool = False
    underline: bool = False
    strike: bool = False
    link: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Letters of one style; `note` is the index of the note that is referred to here, instead of text.

    `places` are where each letter begins, and where the last one ends; none where nobody asked, or that is not known.
    `counts`: it is the number of the page, in a header or a footer.
    """

    text: str
    style: Style
    note: int | None = None
    places: Sequence[float] = ()
    counts: bool = False

    def cut(self, start: int, end: int) -> "Span":
        """Its letters from `start` on, before `end`."""
        return replace(self, text=self.text[start:end], places=self.places[start : end + 1])


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote, or one that stands at the document's end: its mark and its text."""

    mark: str
    spans: tuple[Span, ...]
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class TextLine:
    """Letters on one base line (`base`); `tabs` are where text goes on after a wide gap, a tab in the text.

    `score`: how sure its reader is (0 to 1); `turn`: degrees to the right; `compound`: its last hyphen is a word's.
    """

    box: Box
    base: float
    spans: tuple[Span, ...]
    tabs: tuple[float, ...] = ()
    score: float = 1.0
    turn: int = 0
    compound: bool = False

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def size(self) -> float:
        """The size of most of its letters."""
        return max(self.spans, key=lambda span: len(span.text.strip()) - 1000 * span.style.raised).style.size

    @property
    def bold(self) -> bool:
        return all(span.style.bold for span in self.spans if span.text.strip())

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as PNG or JPEG; `drawn` of what the page drew with strokes and letters, whose `text` is in it.

    `cleared`: its words were painted out of it and stand over it.
    """

    box: Box
    path: Path
    text: str = ""
    drawn: bool = False
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class Lettering:
    """An embedded font's program in a file, and which of its glyphs (numbers) draw which letters."""

    path: Path
    glyphs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """How a sheet lies in the picture it was read from, of which it is `width` and `height` points large.

    The picture was turned clockwise by `turned` degrees, then back by its `lean` (radians, clockwise) about its upper
    left corner, which lies at `left` and `top` of the sheet. `engines` read it.
    """

    width: float
    height: float
    turned: int = 0
    lean: float = 0.0
    left: float = 0.0
    top: float = 0.0
    engines: tuple[str, ...] = ()

    def shown(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the sheet lies in the picture as it came."""
        sine, cosine, x, y = math.sin(self.lean), math.cos(self.lean), x - self.left, y - self.top
        x, y = x * cosine - y * sine, x * sine + y * cosine
        ways = {90: (y, self.width - x), 180: (self.width - x, self.height - y), 270: (self.height - y, x)}
        return ways.get(self.turned, (x, y))

    def laid(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the picture as it came lies on the sheet."""
        ways = {90: (self.width - y, x), 180: (self.width - x, self.height - y), 270: (y, self.height - x)}
        x, y = ways.get(self.turned, (x, y))
        sine, cosine = math.sin(self.lean), math.cos(self.lean)
        return x * cosine + y * sine + self.left, y * cosine - x * sine + self.top


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as it lies there; rules are thin boxes that are drawn, and fills coloured ones (0xRRGGBB).

    `background` is a picture of all that is no text, where a writer asked for it, and `rule_colour` its tables';
    `thick_rules` are the rules again, each as thick as it is drawn, in its colour, and piece by piece.
    `whole` is False where its edges may be anywhere on a page, so that nothing is known to be a header or a footer.
    `seen` is None where the sheet is the page as it is shown. `letterings` are the fonts by which a style may go, for
    a writer that asked for a ground without text. `drawn` are the boxes of charts and the like that are no pictures,
    `unread` those of lines of which nothing could be read.
    """

    number: int
    width: float
    height: float
    lines: tuple[TextLine, ...]
    pictures: tuple[Picture, ...] = ()
    rules: tuple[Box, ...] = ()
    fills: tuple[tuple[Box, int], ...] = ()
    background: Path | None = None
    whole: bool = True
    rule_colour: int = 0
    thick_rules: tuple[Inked, ...] = ()
    seen: Seen | None = None
    letterings: Mapping[str, Lettering] = field(default_factory=dict)
    drawn: tuple[Box, ...] = ()
    unread: tuple[Box, ...] = ()

    def moved(self, right: float, down: float) -> "Sheet":
        """With its lines, pictures, rules and drawings farther right and down."""
        return replace(
            self,
            lines=tuple(replace(line, box=_moved(line.box, right, down), base=line.base + down) for line in self.lines),
            pictures=tuple(replace(each, box=_moved(each.box, right, down)) for each in self.pictures),
            rules=tuple(_moved(box, right, down) for box in self.rules),
            drawn=tuple(_moved(box, right, down) for box in self.drawn),
            unread=tuple(_moved(box, right, down) for box in self.unread),
        )


def _moved(box: Box, right: float, down: float) -> Box:
    return box[0] + right, box[1] + down, box[2] + right, box[3] + down


@dataclass
class Paragraph:
    """Running text of `lines`; `level` is a heading's (0: the title) or a list item's depth (from 0).

    left, right and first are indents in points from the column's edges; before is the space above it. Where it goes on
    over a page's end, `ends_on` is the page of its last line, `together`: two lines or more stand on each. `ends_page`:
    nothing stands below it there. `fill` is its ground's colour; `flush`: what its last tab leads to ends at the edge.
    """

    lines: list[TextLine]
    page: int
    kind: Literal["text", "heading", "item"] = "text"
    level: int = 0
    mark: str = ""
    align: Align = "left"
    left: float = 0
    first: float = 0
    right: float = 0
    pitch: float = 0
    before: float = 0
    new_page: bool = False
    new_column: bool = False
    contents: bool = False
    ends_on: int | None = None
    together: bool = False
    ends_page: bool = False
    fill: int | None = None
    flush: bool = False

    @property
    def box(self) -> Box:
        boxes = [line.box for line in self.lines]
        left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
        return left, boxes[0][1], right, boxes[-1][3]

    @property
    def size(self) -> float:
        return self.lines[0].size


@dataclass
class Figure:
    """A picture between the paragraphs, or where it lies on the page with text `beside` it or over it (`behind`)."""

    picture: Picture
    page: int
    align: Align = "left"
    left: float = 0
    before: float = 0
    new_page: bool = False
    new_column: bool = False
    place: Literal["between", "beside", "behind"] = "between"

    @property
    def box(self) -> Box:
        return self.picture.box

    @property
    def floats(self) -> bool:
        return self.place != "between"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table from `row`, `column` on; `fill` is a colour or None; `score` the least of its lines, and none
    where something is written in it that is `unread`.

    `said` is the text that somebody gave it, instead of its lines', and `kind` what it shall be in a spreadsheet;
    `ruled`: its edges are drawn; `pads`: what is left of its text and right of it, where that is less than usual.
    `edges` are its left, upper, right and lower side as they are drawn, where that is known. Where its text runs
    downwards or upwards, `turn` tells by how many degrees it is turned to the right, and its blocks lie as if it were
    not, in a box as wide as the cell is high.
    """

    row: int
    column: int
    rows: int
    columns: int
    box: Box
    blocks: "tuple[Paragraph | Figure, ...]" = ()
    fill: int | None = None
    said: str | None = None
    kind: CellKind = "auto"
    ruled: bool = False
    pads: tuple[float, float] | None = None
    unread: bool = False
    edges: tuple[Edge | None, Edge | None, Edge | None, Edge | None] | None = None
    turn: int = 0

    @property
    def lines(self) -> list[TextLine]:
        return [line for block in self.blocks if isinstance(block, Paragraph) for line in block.lines]

    @property
    def score(self) -> float:
        return 0.0 if self.unread else min((line.score for line in self.lines), default=1.0)


@dataclass
class Table:
    """Cells within `columns` and `rows`, which are the edges of both, one more than there are of each.

    The first `heads` rows come again on each page that it stands on. Where it goes on over a page's end, it `ends_on`
    another, at `floor` there; its rows go on as if that page lay below, without what the page's end cut off.
    """

    columns: list[float]
    rows: list[float]
    cells: list[Cell]
    page: int
    ruled: bool
    left: float = 0
    before: float = 0
    new_page: bool = False
    new_column: bool = False
    align: Align = "left"
    heads: int = 0
    ends_on: int | None = None
    floor: float | None = None

    @property
    def box(self) -> Box:
        return self.columns[0], self.rows[0], self.columns[-1], self.rows[-1]


Block = Paragraph | Figure | Table


@dataclass
class Band:
    """Blocks under each other in as many columns; left and right are the margins' edges."""

    columns: int
    gap: float
    blocks: list[Block]
    page: int
    left: float
    right: float
    #: From where to where each column may reach.
    sides: tuple[tuple[float, float], ...] = ()

    @property
    def uneven(self) -> list[tuple[float, float]]:
        """The width of each column and the room behind it, where they are not as wide as each other."""
        wides = [end - start for start, end in self.sides]
        if len(wides) < 2 or max(wides) < _UNEVEN * min(wides):
            return []
        starts, ends = zip(*self.sides, strict=True)
        rooms = [max(0.0, after - end) for end, after in zip(ends, [*starts[1:], ends[-1]], strict=True)]
        return [(end - start, room) for start, end, room in zip(starts, ends, rooms, strict=True)]


#: A header's and a footer's lines.
Margin = tuple[list[TextLine], list[TextLine]]


@dataclass
class Running:
    """Headers and footers from `page` on: of most pages, of left ones where those differ, and of the first one.

    Each is (header, footer); `number` is what the numbers make the first page, `roman` how they are written.
    `pictures` are on all of the pages but, where that is `bare`, the first one; `drawn` are surfaces and rules there.
    """

    page: int
    usual: Margin
    left: Margin | None = None
    first: Margin | None = None
    number: int | None = None
    roman: Literal["", "lowerRoman", "upperRoman"] = ""
    pictures: tuple[Picture, ...] = ()
    bare: bool = False
    drawn: tuple[Inked, ...] = ()


@dataclass
class Document:
    """Everything read: bands in reading order, what pages share, and notes.

    `margins` are left, top, right and bottom; `body` is the usual size of letters; `running` is in the order of pages.
    `high` are the upper margins of pages that begin far above the others, as covers do.
    """

    bands: list[Band]
    sizes: Sequence[tuple[float, float]]
    margins: tuple[float, float, float, float]
    body: float
    running: list[Running] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    high: dict[int, float] = field(default_factory=dict)

    def top(self, page: int) -> float:
        """The upper margin of a page."""
        return self.high.get(page, self.margins[1])

    @property
    def blocks(self) -> list[Block]:
        return [block for band in self.bands for block in band.blocks]

    @property
    def tables(self) -> list[Table]:
        return [block for block in self.blocks if isinstance(block, Table)]
