"""Draw the value of a text field in any script: qpdf's own appearances know Latin only."""

import re
from typing import TYPE_CHECKING, Any

from cluster.engines.fonts.embed import ASCENT, LEADING, Fonts, width
from cluster.engines.forms.drawn import widgets_of
from cluster.engines.pdf.nodes import get, items, said
from cluster.problem import InputProblem

if TYPE_CHECKING:
    import pikepdf

_SIZE = re.compile(r"([\d.]+)\s+Tf")
_COLOUR = re.compile(r"[\d.\s]+(?:g|rg|k)\b")
#: Operators of what is more than background and border, or needs resources.
_NO_PAPER = re.compile(rb"(?<!\S)(?:BT|Do|gs|sh|scn|SCN|cs|CS|BI)(?!\S)")
_MULTILINE, _COMB = 1 << 12, 1 << 24
_PADDING = 2.0
_LARGEST = 12.0


def draw_values(pdf: "pikepdf.Pdf", fields: list[Any]) -> None:
    """Give every widget of a text or choice field whose value is not plain ASCII its value, in what look it has."""
    fonts = Fonts(pdf)
    for field in fields:
        value = _shown(field)
        if said(field, "/FT") not in ("/Tx", "/Ch") or value is None or value.isascii():
            continue
        for widget in widgets_of(field):
            _draw(pdf, fonts, widget, value)
    fonts.embed()


def _shown(field: Any) -> str | None:
    """The value as people see it: a choice has a name of its own for them."""
    value = said(field, "/V")
    for each in items(said(field, "/Opt")) if said(field, "/FT") == "/Ch" else ():
        pair = items(each)
        if len(pair) == 2 and pair[0] == value:
            return str(pair[1])
    return None if value is None else str(value)


def _draw(pdf: "pikepdf.Pdf", fonts: Fonts, widget: Any, value: str) -> None:
    import pikepdf

    x0, y0, x1, y1 = (float(each) for each in widget["/Rect"])
    wide, high, matrix = _turned(widget, abs(x1 - x0), abs(y1 - y0))
    flags = said(widget, "/Ff")
    texts = value.splitlines() if isinstance(flags, int) and flags & _MULTILINE else [value]
    look = str(said(widget, "/DA") or "")
    size = _size(look, texts, wide, high)
    try:
        lines = [fonts.line(text) for text in texts]
        starts = [_start(said(widget, "/Q"), wide, size * width(text)) for text in texts]
    except InputProblem:
        return
    top = high - _PADDING - ASCENT * size if len(lines) > 1 else (high - size * LEADING) / 2 + 0.25 * size
    if cells := _cells(widget, flags):
        lines = [fonts.line(letter) for letter in value]
        starts = [(at + 0.5) * wide / cells - size * line.width / 2 for at, line in enumerate(lines)]
    drawn = [
        b"BT 1 0 0 1 %.2f %.2f Tm %b ET" % (start, top - (0 if cells else index) * size * LEADING, line.draw(size))
        for index, (start, line) in enumerate(zip(starts, lines, strict=True))
    ]
    colour = _COLOUR.search(look)
    content = b"%b/Tx BMC q %b %b Q EMC" % (
        _paper(widget),
        colour[0].encode() if colour else b"0 g",
        b"\n".join(drawn),
    )
    used = pikepdf.Dictionary({name: font for line in lines for name, font in line.fonts.items()})
    form = pdf.make_stream(
        content,
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Form,
        BBox=pikepdf.Array([0, 0, round(wide, 3), round(high, 3)]),
        Matrix=pikepdf.Array([round(each, 3) for each in matrix]),
        Resources=pikepdf.Dictionary(Font=used),
    )
    widget["/AP"] = pikepdf.Dictionary(N=form)


def _turned(widget: Any, wide: float, high: float) -> tuple[float, float, tuple[float, ...]]:
    """Width and height as its text sees them, and the matrix that stands it into its place: /MK /R turns a field."""
    match get(widget, "/MK", "/R"):
        case 90:
            return high, wide, (0, 1, -1, 0, wide, 0)
        case 180:
            return wide, high, (-1, 0, 0, -1, wide, high)
        case 270:
            return high, wide, (0, -1, 1, 0, 0, high)
    return wide, high, (1, 0, 0, 1, 0, 0)


def _cells(widget: Any, flags: Any) -> int:
    """The cells of a comb; 0 for other fields."""
    most = said(widget, "/MaxLen")
    return most if isinstance(flags, int) and flags & _COMB and isinstance(most, int) and most > 0 else 0


def _start(aligned: Any, wide: float, text: float) -> float:
    """Where a line begins: at the left, in the middle or at the right."""
    free = wide - text
    return max(_PADDING, {1: free / 2, 2: free - _PADDING}.get(aligned, _PADDING))


def _paper(widget: Any) -> bytes:
    """What the look that it has draws below the value: background and border."""
    import pikepdf

    held = get(widget, "/AP", "/N")
    content = held.read_bytes() if isinstance(held, pikepdf.Stream) else b""
    paper = content.partition(b"/Tx BMC")[0]
    return b"" if _NO_PAPER.search(paper) else paper


def _size(look: str, texts: list[str], wide: float, high: float) -> float:
    """The size /DA names; 0 there means as large as fits."""
    named = _SIZE.search(look)
    if named and float(named[1]) > 0:
        return float(named[1])
    try:
        longest = max((width(text) for text in texts), default=1.0) or 1.0
    except InputProblem:
        longest = 1.0
    return max(4.0, min(_LARGEST, high * 0.75 / max(1, len(texts)), (wide - 2 * _PADDING) / longest))
