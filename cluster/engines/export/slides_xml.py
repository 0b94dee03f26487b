"""Pieces of PresentationML and DrawingML as text, their elements in the schema's order. Lengths come in points."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from cluster.engines.export.ooxml import attribute, clean, emu, face
from cluster.engines.export.set_lines import Piece, ends_itself, pieces, trimmed
from cluster.engines.layout.letters import dense, joined
from cluster.engines.layout.model import Align, Box, Cell, Paragraph, Style, Table, TextLine
from cluster.engines.layout.scattered import Group, flows

_NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_TABLE = "http://schemas.openxmlformats.org/drawingml/2006/table"
#: Without it a link has the theme's colour.
_OWN_COLOUR = (
    '<a:extLst><a:ext uri="{A12FA001-AC4F-418D-AE19-62706E023703}"><ahyp:hlinkClr '
    'xmlns:ahyp="http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor" val="tx"/></a:ext></a:extLst>'
)
_ALIGN = {"left": "l", "center": "ctr", "right": "r", "both": "just"}
#: What a line of exact height keeps below its base line, in sizes of its letters.
_DESCENT = 0.20
#: Running text gets so much more width, that other fonts' letters break it where it was broken.
_ROOM = 1.015
#: A cell whose text is so near its middle, in points, stands there.
_CENTRED = 3.0
_WHITE = 0xFFFFFF
#: A rule that is nearer than this (points) below a cell's text is the cell's edge and underlines nothing.
_EDGE = 4.0
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


def _frame(box: Box, place: Place, tag: str, turn: int = 0) -> str:
    left, top, right, bottom = place.box(box)
    turned = f' rot="{turn * 60000}"' if turn else ""
    return (
        f'<{tag}:xfrm{turned}><a:off x="{round(left * 12700)}" y="{round(top * 12700)}"/>'
        f'<a:ext cx="{emu(right - left)}" cy="{emu(bottom - top)}"/></{tag}:xfrm>'
    )


def picture(number: int, relation: str, box: Box, place: Place, told: str = "") -> str:
    """A p:pic; `told` is what is read out instead of it."""
    return (
        f'<p:pic {_NAMESPACES}><p:nvPicPr><p:cNvPr id="{number}" name="Picture {number}" descr={attribute(told)}/>'
        '<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>'
        f'<p:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
        f'<p:spPr>{_frame(box, place, "a")}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
    )


def group_box(number: int, group: Group, place: Place) -> str:
    """A p:sp with the group's paragraphs, each of them as wide as it was."""
    left, _, right, _ = group.box
    texts = group.paragraphs if len(group.lines) > 1 else [Paragraph(list(group.lines), 0)]
    first, last = group.lines[0], group.lines[-1]
    top = first.base + _DESCENT * first.size - group.pitch
    wraps = any(map(flows, texts))
    box = (left, top, left + (right - left) * _ROOM if wraps else right, last.base + _DESCENT * last.size)
    body = _paragraphs(texts, group.pitch, group.align, left, place)
    return _text_box(number, body, _frame(box, place, "a"), wraps=wraps)


def turned_box(number: int, line: TextLine, place: Place) -> str:
    """A p:sp with a line that is turned; 汉字 that run downwards stand upright."""
    left, top, right, bottom = line.box
    high, middle, centre = 1.2 * line.size, (left + right) / 2, (top + bottom) / 2
    if upright := line.turn == 90 and all(map(dense, "".join(line.text.split()))):
        box, turn = line.box, 0
    else:
        long = max(right - left, bottom - top) if line.turn % 90 == 0 else _length(line)
        box, turn = (middle - long / 2, centre - high / 2, middle + long / 2, centre + high / 2), line.turn
    body = _paragraphs([Paragraph([line], 0)], high, "center", left, place)
    return _text_box(number, body, _frame(box, place, "a", turn), upright=upright)


def _length(line: TextLine) -> float:
    """The length of a slanting line, by its box's diagonal."""
    left, top, right, bottom = line.box
    return float(((right - left) ** 2 + (bottom - top) ** 2) ** 0.5)


def _text_box(number: int, body: str, frame: str, *, wraps: bool = False, upright: bool = False) -> str:
    vertical = ' vert="eaVert"' if upright else ""
    return (
        f'<p:sp {_NAMESPACES}><p:nvSpPr><p:cNvPr id="{number}" name="Text {number}"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
        f'</p:nvSpPr><p:spPr>{frame}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>'
        f'<a:bodyPr{vertical} wrap="{"square" if wraps else "none"}" lIns="0" tIns="0" rIns="0" bIns="0" anchor="t">'
        f"<a:noAutofit/></a:bodyPr><a:lstStyle/>{body}</p:txBody></p:sp>"
    )


def _paragraphs(
    texts: Iterable[Paragraph], pitch: float, align: Align, left: float, place: Place, *, in_cell: bool = False
) -> str:
    out, base = "", None
    for text in texts:
        before = 0 if base is None else max(0.0, text.lines[0].base - base - pitch)
        out += _paragraph(text, pitch, before, align, left, place, _in_lines if in_cell else _set)
        base = text.lines[-1].base
    return out


def _paragraph(
    text: Paragraph,
    pitch: float,
    before: float,
    align: Align,
    left: float,
    place: Place,
    set_as: Callable[[Paragraph, Place], str],
) -> str:
    first, rest = text.lines[0], text.lines[1:]
    own: Align = "both" if align == "left" and text.align == "both" and flows(text) else align
    body = min((line.box[0] for line in rest), default=first.box[0])
    set_in = ""
    if own in ("left", "both"):
        margin = max(0.0, body - left)
        set_in = f' marL="{_long(margin, place)}" indent="{_long(first.box[0] - left - margin, place)}"'
    tabs = "".join(f'<a:tab pos="{_long(tab - left, place)}" algn="l"/>' for tab in first.tabs[:32])
    properties = (
        f'<a:pPr{set_in} algn="{_ALIGN[own]}"><a:lnSpc><a:spcPts val="{_points(pitch, place)}"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="{_points(before, place, least=0)}"/></a:spcBef><a:buNone/>'
        f"{f'<a:tabLst>{tabs}</a:tabLst>' if tabs else ''}</a:pPr>"
    )
    return f"<a:p>{properties}{set_as(text, place)}</a:p>"


def _in_lines(text: Paragraph, place: Place) -> str:
    """A cell's runs, as wide as they are: it would break a line that LibreOffice made a dot too wide."""
    if flows(text):
        return _runs(map(Piece, joined(text.lines)), place)
    return "<a:br/>".join(_runs(map(Piece, line.spans), place) for line in text.lines)


def _set(text: Paragraph, place: Place) -> str:
    """The paragraph's runs; running text is told to break only where it would not do so by itself."""
    out, right = "", text.box[2]
    for above, line in itertools.pairwise([None, *text.lines]):
        if above is not None and line is not None:
            goes_on, last = flows(text) and ends_itself(above, line, right), trimmed(above).spans[-1]
            parted = not (dense(last.text[-1:] or " ") and dense(line.text.lstrip()[:1] or " "))
            out += (_runs([Piece(replace(last, text=" "))], place) if parted else "") if goes_on else "<a:br/>"
        out += _runs(pieces(line), place) if line is not None else ""
    return out


def _long(points: float, place: Place) -> int:
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
    language = "zh-CN" if any(map(dense, text)) else "en-US"
    link = f'<a:hlinkClick r:id="{relation}">{_OWN_COLOUR}</a:hlinkClick>' if relation else ""
    return (
        f'<a:rPr lang="{language}" sz="{size}"{flags} dirty="0"><a:solidFill><a:srgbClr '
        f'val="{style.colour & 0xFFFFFF:06X}"/></a:solidFill><a:latin typeface={named}/><a:ea typeface={named}/>'
        f"<a:cs typeface={named}/>{link}</a:rPr>"
    )


def table_frame(number: int, table: Table, colour: int, place: Place) -> str:
    """A p:graphicFrame with the table, its cells merged and filled as they were, ruled in that colour."""
    columns = "".join(f'<a:gridCol w="{_wide(one, two, place)}"/>' for one, two in _steps(table.columns))
    held = {
        (row, column): cell
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }
    rows, lines = "", _edges(colour)
    for row, (one, two) in enumerate(_steps(table.rows)):
        own = [(held.get((row, column)), column) for column in range(len(table.columns) - 1)]
        cells = "".join(_cell(cell, row, column, lines, place) for cell, column in own)
        rows += f'<a:tr h="{_wide(one, two, place)}">{cells}</a:tr>'
    return (
        f'<p:graphicFrame {_NAMESPACES}><p:nvGraphicFramePr><p:cNvPr id="{number}" name="Table {number}"/>'
        '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>'
        f'{_frame(table.box, place, "p")}<a:graphic><a:graphicData uri="{_TABLE}"><a:tbl><a:tblPr/>'
        f"<a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def _steps(edges: Sequence[float]) -> Iterable[tuple[float, float]]:
    return itertools.pairwise(edges)


def _wide(one: float, two: float, place: Place) -> int:
    return emu((two - one) * place.scale)


_EMPTY = '<a:p><a:endParaRPr sz="100"/></a:p>'


def _edges(colour: int) -> str:
    return "".join(
        f'<a:{side} w="6350"><a:solidFill><a:srgbClr val="{colour:06X}"/></a:solidFill></a:{side}>'
        for side in ("lnL", "lnR", "lnT", "lnB")
    )


def _cell(cell: Cell | None, row: int, column: int, lines: str, place: Place) -> str:
    """The a:tc of that row and column; what a merged cell covers is there, too."""
    if cell is None:
        return f"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{_EMPTY}</a:txBody><a:tcPr/></a:tc>"
    merged = "".join(
        f' {name}="{value}"'
        for name, value, on in (
            ("rowSpan", cell.rows, cell.rows > 1 and row == cell.row),
            ("gridSpan", cell.columns, cell.columns > 1 and column == cell.column),
            ("hMerge", 1, column > cell.column),
            ("vMerge", 1, row > cell.row),
        )
        if on
    )
    texts = [_unruled(block, cell) for block in cell.blocks if isinstance(block, Paragraph)]
    inner, edges = _EMPTY, ' marL="0" marR="0" marT="0" marB="0"'
    if texts and (row, column) == (cell.row, cell.column):
        inner, edges = _in_cell(cell, texts, place)
    shaded = cell.fill is not None and cell.fill != _WHITE
    fill = f'<a:solidFill><a:srgbClr val="{cell.fill:06X}"/></a:solidFill>' if shaded else "<a:noFill/>"
    return (
        f"<a:tc{merged}><a:txBody><a:bodyPr/><a:lstStyle/>{inner}</a:txBody>"
        f"<a:tcPr{edges}>{lines}{fill}</a:tcPr></a:tc>"
    )


def _unruled(text: Paragraph, cell: Cell) -> Paragraph:
    """The paragraph, not underlined by the cell's edge."""
    lines = []
    for line in text.lines:
        near = cell.box[3] - line.base < _EDGE + _DESCENT * line.size
        spans = (replace(span, style=replace(span.style, underline=False)) for span in line.spans)
        lines.append(replace(line, spans=tuple(spans)) if near else line)
    return replace(text, lines=lines)


def _in_cell(cell: Cell, texts: Sequence[Paragraph], place: Place) -> tuple[str, str]:
    """The cell's paragraphs, and the margins that put them where they were."""
    lines = [line for text in texts for line in text.lines]
    first, last, pitch = lines[0], lines[-1], texts[0].pitch or 1.2 * lines[0].size
    left, right = min(line.box[0] for line in lines), max(line.box[2] for line in lines)
    over, under = first.base + _DESCENT * first.size - pitch - cell.box[1], cell.box[3] - last.base - 0.3 * last.size
    centred = abs(over - under) < _CENTRED
    align: Align = texts[0].align if texts[0].align in ("center", "right") else "left"
    margins = {
        "marL": max(0.0, left - cell.box[0]) if align == "left" else 0,
        "marR": max(0.0, cell.box[2] - right) if align == "right" else 0,
        "marT": 0 if centred else max(0.0, over),
        "marB": 0,
    }
    edges = "".join(f' {name}="{_long(long, place)}"' for name, long in margins.items())
    body = _paragraphs(texts, pitch, align, left, place, in_cell=True)
    return body, f"{edges}{' anchor=' + chr(34) + 'ctr' + chr(34) if centred else ''}"
