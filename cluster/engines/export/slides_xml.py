"""Pieces of PresentationML and DrawingML as text, their elements in the schema's order. Lengths come in points."""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from cluster.engines.export.drawn_widths import is_wide
from cluster.engines.export.ooxml import attribute, clean, emu, face
from cluster.engines.export.set_lines import Piece, ends, ends_itself, held, narrowed, pieces, starts, trimmed
from cluster.engines.export.set_parts import ACROSS, Part, bottom, parts, spread
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Box, Paragraph, Style, TextLine
from cluster.engines.layout.scattered import Group

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
#: Without it a link has the theme's colour.
_OWN_COLOUR = (
    '<a:extLst><a:ext uri="{A12FA001-AC4F-418D-AE19-62706E023703}"><ahyp:hlinkClr '
    'xmlns:ahyp="http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor" val="tx"/></a:ext></a:extLst>'
)
_ALIGN = {"left": "l", "center": "ctr", "right": "r", "both": "just"}
#: Running text gets so much more width, that other fonts' letters break it where it was broken.
_ROOM = 0.004
#: Lines that are spread to the box's width are made of this share of it, so that none is too wide for it.
_SPREAD, _FITS = 0.997, 0.9985
#: How much of its room stands before a line of that alignment.
_SHARES = {"center": 0.5, "right": 1.0}
#: Text that is set in less than this (points) is not.
_SET_IN = 0.02
Link = Callable[[str], str]


@dataclass(frozen=True)
class Place:
    """Where a page lies on its slide: shrunk or grown by `scale`, then moved; `link` makes a relation of an address."""

    scale: float
    left: float
    top: float
    link: Link

    def box(self, box: Box) -> Box:
        left, top, right, bottom = (each * self.scale for each in box)
        return left + self.left, top + self.top, right + self.left, bottom + self.top


def frame(box: Box, place: Place, tag: str, turn: int = 0) -> str:
    left, top, right, bottom = place.box(box)
    turned = f' rot="{turn * 60000}"' if turn else ""
    return (
        f'<{tag}:xfrm{turned}><a:off x="{round(left * 12700)}" y="{round(top * 12700)}"/>'
        f'<a:ext cx="{emu(right - left)}" cy="{emu(bottom - top)}"/></{tag}:xfrm>'
    )


def picture(number: int, relation: str, box: Box, place: Place, told: str = "") -> str:
    """A p:pic; `told` is what is read out instead of it."""
    return (
        f'<p:pic {NAMESPACES}><p:nvPicPr><p:cNvPr id="{number}" name="Picture {number}" descr={attribute(told)}/>'
        '<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>'
        f'<p:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
        f'<p:spPr>{frame(box, place, "a")}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
    )


def group_box(number: int, group: Group, place: Place) -> str:
    """A p:sp with the group's paragraphs, each of their lines where it was."""
    texts = group.paragraphs if len(group.lines) > 1 else [Paragraph(list(group.lines), 0)]
    left, right = min(map(starts, group.lines)), max(map(ends, group.lines))
    made, end = spread(parts(texts, group.pitch, (left, right), group.align))
    wraps = any(part.wraps for part in made)
    wide = end - left if end else (right - left) * (1 + _ROOM * wraps)
    start = left - (left + wide - right) * _SHARES.get(group.align, 0.0)
    box = (start, made[0].top, start + wide, bottom(group.lines[-1]))
    body = paragraphs(made, wide if wraps else None, place)
    return _text_box(number, body, frame(box, place, "a"), wraps=wraps)


def turned_box(number: int, line: TextLine, place: Place) -> str:
    """A p:sp with a line that is turned; 汉字 that run downwards stand upright."""
    left, top, right, bottom = line.box
    high, middle, centre = 1.2 * line.size, (left + right) / 2, (top + bottom) / 2
    if upright := line.turn == 90 and all(map(dense, "".join(line.text.split()))):
        box, turn = line.box, 0
    else:
        long = max(right - left, bottom - top) if line.turn % 90 == 0 else _length(line)
        box, turn = (middle - long / 2, centre - high / 2, middle + long / 2, centre + high / 2), line.turn
    laid = line if upright else replace(line, box=box)
    body = paragraphs([Part([laid], high, 0, "center", 0, 0, False)], None, place)
    return _text_box(number, body, frame(box, place, "a", turn), upright=upright)


def _length(line: TextLine) -> float:
    """The length of a slanting line, by its box's diagonal."""
    left, top, right, bottom = line.box
    return float(((right - left) ** 2 + (bottom - top) ** 2) ** 0.5)


def _text_box(number: int, body: str, frame: str, *, wraps: bool = False, upright: bool = False) -> str:
    vertical = ' vert="eaVert"' if upright else ""
    return (
        f'<p:sp {NAMESPACES}><p:nvSpPr><p:cNvPr id="{number}" name="Text {number}"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
        f'</p:nvSpPr><p:spPr>{frame}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>'
        f'<a:bodyPr{vertical} wrap="{"square" if wraps else "none"}" lIns="0" tIns="0" rIns="0" bIns="0" anchor="t">'
        f"<a:noAutofit/></a:bodyPr><a:lstStyle/>{body}</p:txBody></p:sp>"
    )


def paragraphs(made: Iterable[Part], wide: float | None, place: Place) -> str:
    """Parts of a text box or a cell as paragraphs; lines are broken where they would be wider than `wide`."""
    return "".join(_paragraph(part, wide, place) for part in made)


def _paragraph(part: Part, wide: float | None, place: Place) -> str:
    set_in, tabs = "", part.tabs
    least = ACROSS if tabs else _SET_IN  # LibreOffice leads tabs elsewhere in text that is set in
    if part.align in ("left", "both") and max(abs(part.left), abs(part.first)) >= least:
        margin = max(0.0, part.left)
        set_in = f' marL="{length(margin, place)}" indent="{length(part.left + part.first - margin, place)}"'
    stops = "".join(f'<a:tab pos="{length(tab, place)}" algn="l"/>' for tab in tabs[:32])
    properties = (
        f'<a:pPr{set_in} algn="{_ALIGN[part.align]}"><a:lnSpc><a:spcPts val="{_points(part.pitch, place)}"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="{_points(part.before, place, least=0)}"/></a:spcBef><a:buNone/>'
        f"{f'<a:tabLst>{stops}</a:tabLst>' if stops else ''}</a:pPr>"
    )
    return f"<a:p>{properties}{_set(part, wide, place)}</a:p>"


def _set(part: Part, wide: float | None, place: Place) -> str:
    """The part's runs; running text is told to break only where it would not do so by itself."""
    out, first = "", part.left + part.first
    for line, below in itertools.zip_longest(part.lines, part.lines[1:]):
        room = math.inf if wide is None else wide - (first if part.align in ("left", "both") else 0.0)
        goes_on = below is not None and part.wraps and ends_itself(line, below, starts(line) + room)
        own = ends(line) - starts(line)
        most = room * (_SPREAD if goes_on and part.align == "both" else _FITS)
        fitted = narrowed(line, most) if own > most else line
        made: Sequence[Piece] = pieces(fitted if part.tabs else replace(fitted, tabs=()))
        out += _runs(made if part.tabs else held(made, room * _FITS), place)
        if below is not None:
            out += _runs(_between(line, below), place) if goes_on else "<a:br/>"
        first = part.left
    return out


def _between(above: TextLine, below: TextLine) -> list[Piece]:
    """The blank between two lines of running text."""
    last = trimmed(above).spans[-1]
    close = dense(last.text[-1:] or " ") and dense(below.text.lstrip()[:1] or " ")
    return [] if close else [Piece(replace(last, text=" "))]


def length(points: float, place: Place) -> int:
    return max(-51206400, min(51206400, round(points * place.scale * 12700)))


def _points(points: float, place: Place, least: int = 100) -> int:
    """Hundredths of a point, as many as the schema lets."""
    return max(least, min(158400, round(points * place.scale * 100)))


def _runs(parts: Iterable[Piece], place: Place) -> str:
    return "".join(
        f"<a:r>{_look(part.span.style, part.span.text, place, part.more)}<a:t>{clean(part.span.text)}</a:t></a:r>"
        for part in parts
        if part.span.text
    )


def _look(style: Style, text: str, place: Place, more: float = 0) -> str:
    named = attribute(face(style))
    size = max(100, min(400000, round(style.size * place.scale * 2) * 50))
    relation = place.link(style.link) if style.link else ""
    spaced = max(-400000, min(400000, round(more * place.scale * 100)))
    flags = "".join(
        f' {name}="{value}"'
        for name, value, on in (
            ("b", 1, style.bold),
            ("i", 1, style.italic),
            ("u", "sng" if style.underline else "none", style.underline or relation),
            ("strike", "sngStrike", style.strike),
            ("baseline", 30000, style.raised),
            ("spc", spaced, spaced),
        )
        if on
    )
    language = "zh-CN" if any(map(is_wide(text), text)) else "en-US"
    link = f'<a:hlinkClick r:id="{relation}">{_OWN_COLOUR}</a:hlinkClick>' if relation else ""
    return (
        f'<a:rPr lang="{language}" sz="{size}"{flags} dirty="0"><a:solidFill><a:srgbClr '
        f'val="{style.colour & 0xFFFFFF:06X}"/></a:solidFill><a:latin typeface={named}/><a:ea typeface={named}/>'
        f"<a:cs typeface={named}/>{link}</a:rPr>"
    )
