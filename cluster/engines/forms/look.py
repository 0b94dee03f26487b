"""Draw the values of fields in any script: qpdf's own appearances know Latin only, and pdfium's the fields' fonts."""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluster.engines.fonts.embed import ASCENT, LEADING, Fonts, width
from cluster.engines.fonts.wrap import wrapped
from cluster.engines.forms.drawn import widgets_of
from cluster.engines.pdf.nodes import get, items, said
from cluster.problem import InputProblem

if TYPE_CHECKING:
    import pikepdf

_SIZE = re.compile(r"([\d.]+)\s+Tf")
_COLOUR = re.compile(r"[\d.\s]+(?:g|rg|k)\b")
#: Operators of what is more than background and border, or needs resources.
_NO_PAPER = re.compile(rb"(?<!\S)(?:BT|Do|gs|sh|scn|SCN|cs|CS|BI)(?!\S)")
_MULTILINE, _PASSWORD, _COMBO, _COMB = 1 << 12, 1 << 13, 1 << 17, 1 << 24
_PADDING = 2.0
_SMALLEST, _LARGEST = 4.0, 12.0
#: Above the first row of a list, and how a chosen row is painted, as pdfium has it.
_RIM, _BAR = 1.0, b"0 0.2 0.443 rg"


@dataclass(frozen=True)
class Room:
    """A widget's room as its text sees it, in the page's units, and how it is written in."""

    wide: float
    high: float
    matrix: tuple[float, ...]
    """Stands it into its place: /MK /R turns a field."""
    size: float
    """0: as large as fits."""
    colour: bytes
    flags: int
    aligned: int
    """0: at the left, 1: in the middle, 2: at the right."""

    def rows(self) -> int:
        """Rows of a list that are seen whole."""
        return max(1, int((self.high - 2 * _RIM) / (LEADING * (self.size or _LARGEST))))


def room_of(widget: Any) -> Room:
    x0, y0, x1, y1 = (float(each) for each in widget["/Rect"])
    wide, high, matrix = _turned(widget, abs(x1 - x0), abs(y1 - y0))
    look, flags = str(said(widget, "/DA") or ""), said(widget, "/Ff")
    named, colour = _SIZE.search(look), _COLOUR.search(look)
    return Room(
        wide,
        high,
        matrix,
        float(named[1]) if named else 0.0,
        colour[0].encode() if colour else b"0 g",
        flags if isinstance(flags, int) else 0,
        {1: 1, 2: 2}.get(said(widget, "/Q"), 0),
    )


def draw_values(pdf: "pikepdf.Pdf", fields: list[Any]) -> None:
    """Give every widget of a text or choice field that shows more than plain ASCII a look, on what paper it has.

    A value with letters that no font has keeps the look it had, and so does one that is hidden as a password.
    """
    fonts = Fonts(pdf)
    for field in fields:
        kind, flags = said(field, "/FT"), said(field, "/Ff") or 0
        listed, value = kind == "/Ch" and not flags & _COMBO, _shown(field)
        words = "".join(map(_label, items(said(field, "/Opt")))) if listed else value or ""
        if kind not in ("/Tx", "/Ch") or words.isascii() or (kind == "/Tx" and flags & _PASSWORD):
            continue
        for widget in widgets_of(field):
            pen = Pen(fonts, room_of(widget))
            with suppress(InputProblem):
                _list(pen, widget) if listed else _write(pen, widget, value or "")
                put_look(pdf, widget, pen)
    fonts.embed()


class Pen:
    """What a look draws, and the fonts it uses."""

    def __init__(self, fonts: Fonts, room: Room) -> None:
        self.fonts, self.room = fonts, room
        self.content, self.used = [room.colour], dict[str, Any]()

    def write(self, text: str, size: float, down: float, sides: tuple[float, float], aligned: int) -> None:
        """A line whose baseline lies so far below the top, between two sides; one too long begins at the left."""
        line = self.fonts.line(text)
        left, right = sides
        free = right - left - size * line.width
        x = left + max(0.0, {1: free / 2, 2: free}.get(aligned, 0.0))
        self.content.append(b"BT 1 0 0 1 %.2f %.2f Tm %b ET" % (x, self.room.high - down, line.draw(size)))
        self.used |= dict(line.fonts.items())


def put_look(pdf: "pikepdf.Pdf", widget: Any, pen: Pen) -> None:
    """What the pen drew as the widget's only look."""
    import pikepdf

    content = b"%b/Tx BMC q %b Q EMC" % (_paper(widget), b"\n".join(pen.content))
    widget["/AP"] = pikepdf.Dictionary(N=form_of(pdf, pen.room, content, pikepdf.Dictionary(Font=pen.used)))


def form_of(pdf: "pikepdf.Pdf", room: Room, content: bytes, resources: Any) -> "pikepdf.Stream":
    """Content in a room's own units, upright in its widget."""
    import pikepdf

    return pdf.make_stream(
        content,
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Form,
        BBox=pikepdf.Array([0, 0, round(room.wide, 3), round(room.high, 3)]),
        Matrix=pikepdf.Array([round(each, 3) for each in room.matrix]),
        Resources=resources,
    )


def _shown(field: Any) -> str | None:
    """The value as people see it: a choice has a name of its own for them."""
    value = said(field, "/V")
    for each in items(said(field, "/Opt")) if said(field, "/FT") == "/Ch" else ():
        pair = items(each)
        if len(pair) == 2 and pair[0] == value:
            return str(pair[1])
    return None if value is None else str(value)


def _label(option: Any) -> str:
    """An item of a choice as people see it."""
    return str((items(option) or [option])[-1])


def _write(pen: Pen, widget: Any, value: str) -> None:
    """Text in one line, in a comb, or in lines from the top."""
    room = pen.room
    sides = _PADDING, room.wide - _PADDING
    if room.flags & _MULTILINE:
        size, lines = _laid(room, value)
        for at, text in enumerate(lines):
            pen.write(text, size, _PADDING + (ASCENT + at * LEADING) * size, sides, room.aligned)
        return
    size = room.size or _fitting(room, value)
    down = (room.high + size * LEADING) / 2 - 0.25 * size
    if not (cells := _cells(widget, room.flags)):
        pen.write(value, size, down, sides, room.aligned)
    for at, letter in enumerate(value if cells else ""):
        pen.write(letter, size, down, (at * room.wide / cells, (at + 1) * room.wide / cells), 1)


def _laid(room: Room, value: str) -> tuple[float, list[str]]:
    """The size of lines that break at the room's width, and the lines; of free sizes the largest whose lines fit."""
    size = room.size or _LARGEST
    while True:
        lines = wrapped(value, (room.wide - 2 * _PADDING) / size)
        if room.size or size <= _SMALLEST or len(lines) * LEADING * size <= room.high - 2 * _PADDING:
            return size, lines
        size -= 0.5


def _fitting(room: Room, value: str) -> float:
    across = (room.wide - 2 * _PADDING) / (width(value) or 1.0)
    return max(_SMALLEST, min(_LARGEST, room.high * 0.75, across))


def _list(pen: Pen, widget: Any) -> None:
    """The rows that are seen, from /TI on; bars below the chosen ones."""
    room = pen.room
    top, size = said(widget, "/TI"), room.size or _LARGEST
    first, high = top if isinstance(top, int) and top > 0 else 0, LEADING * size
    held = said(widget, "/V")
    chosen = {str(each) for each in items(held) or [held]}
    options = items(said(widget, "/Opt"))[first : first + room.rows() + 1]
    for at, option in enumerate(options):
        is_chosen = str((items(option) or [option])[0]) in chosen
        if is_chosen:
            bar = 0.0, room.high - _RIM - (at + 1) * high, room.wide, high
            pen.content.append(b"%b %.2f %.2f %.2f %.2f re f 1 g" % (_BAR, *bar))
        down = _RIM + at * high + 0.98 * size
        pen.write(_label(option), size, down, (_PADDING, room.wide - _PADDING), room.aligned)
        pen.content += [room.colour] if is_chosen else []


def _turned(widget: Any, wide: float, high: float) -> tuple[float, float, tuple[float, ...]]:
    """Width and height as its text sees them, and the matrix that stands it into its place."""
    match get(widget, "/MK", "/R"):
        case 90:
            return high, wide, (0, 1, -1, 0, wide, 0)
        case 180:
            return wide, high, (-1, 0, 0, -1, wide, high)
        case 270:
            return high, wide, (0, -1, 1, 0, 0, high)
    return wide, high, (1, 0, 0, 1, 0, 0)


def _cells(widget: Any, flags: int) -> int:
    """The cells of a comb; 0 for other fields."""
    most = said(widget, "/MaxLen")
    return most if flags & _COMB and isinstance(most, int) and most > 0 else 0


def _paper(widget: Any) -> bytes:
    """What the look that it has draws below the value: background and border."""
    import pikepdf

    held = get(widget, "/AP", "/N")
    content = held.read_bytes() if isinstance(held, pikepdf.Stream) else b""
    paper = content.partition(b"/Tx BMC")[0]
    return b"" if _NO_PAPER.search(paper) else paper
