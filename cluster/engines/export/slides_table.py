"""A table of a slide: its cells as they were, their text in its place."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from cluster.engines.export.drawn_widths import UNIT
from cluster.engines.export.set_lines import ends, starts
from cluster.engines.export.set_parts import DESCENT, bottom, parts, spread
from cluster.engines.export.slides_stacked import by_rows
from cluster.engines.export.slides_xml import NAMESPACES, Place, frame, length, paragraphs
from cluster.engines.layout.edges import commonest
from cluster.engines.layout.model import Align, Cell, Edge, Inked, Paragraph, Table, TextLine

_TABLE = "http://schemas.openxmlformats.org/drawingml/2006/table"
#: A cell whose text is so near its middle, in points, stands there.
_CENTRED = 3.0
_WHITE = 0xFFFFFF
#: Middles that are so near (points) to each other are one.
_SAME = 0.8
#: English metric units in a hundredth of a millimetre.
_UNIT = 360
#: The thickness (points) of a rule where none is known, and the least; how far its middle is from its edge at most,
#: twice; and the thickest that a schema lets.
_USUAL, _FINEST, _NEAR, _THICK = 0.5, 0.25, 3.0, 20116800
#: A rule that is nearer than this (points) below a cell's text is the cell's edge and underlines nothing.
_EDGE = 4.0


def table_frame(number: int, table: Table, rules: Sequence[Inked], colour: int, place: Place) -> str:
    """A p:graphicFrame with the table, its cells merged, filled and ruled as they were; else ruled in that colour."""
    columns = "".join(f'<a:gridCol w="{wide}"/>' for wide in _sizes(table.columns, place))
    cells = [part for cell in table.cells for part in by_rows(cell, table.rows)]
    held = {
        (row, column): cell
        for cell in cells
        for row in range(cell.row, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }
    upright, level = _weights(table.columns, rules, 0, colour), _weights(table.rows, rules, 1, colour)
    within = {
        (row, column)
        for cell in table.cells
        for row in range(cell.row + 1, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }
    rows = ""
    for row, high in enumerate(_sizes(table.rows, place)):
        inner = ""
        for column in range(len(table.columns) - 1):
            over, under = (_NONE if (at, column) in within else level[at] for at in (row, row + 1))
            edges = _edges((*upright[column : column + 2], over, under), place)
            inner += _cell(held.get((row, column)), row, column, edges, place)
        rows += f'<a:tr h="{high}">{inner}</a:tr>'
    return (
        f'<p:graphicFrame {NAMESPACES}><p:nvGraphicFramePr><p:cNvPr id="{number}" name="Table {number}"/>'
        '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>'
        f'{frame(table.box, place, "p")}<a:graphic><a:graphicData uri="{_TABLE}"><a:tbl><a:tblPr/>'
        f"<a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def _sizes(edges: Sequence[float], place: Place) -> list[int]:
    """Between the edges, in English metric units; each edge in whole units of LibreOffice, so that none is lost."""
    units = [round(edge * place.scale / UNIT) for edge in edges]
    return [max(1, (two - one) * _UNIT) for one, two in itertools.pairwise(units)]


#: An edge that is not drawn.
_NONE: Edge = (0.0, 0)
_EMPTY = '<a:p><a:endParaRPr sz="100"/></a:p>'


def _weights(edges: Sequence[float], rules: Sequence[Inked], way: Literal[0, 1], colour: int) -> list[Edge]:
    """How the rules along each edge mostly are; `way`: of those that stand (0), or lie (1)."""
    along = [each for each in rules if each[0][way + 2] - each[0][way] < each[0][3 - way] - each[0][1 - way]]
    return [
        _weight([each for each in along if abs(each[0][way] + each[0][way + 2] - 2 * edge) < _NEAR], way, colour)
        for edge in edges
    ]


def _weight(rules: Sequence[Inked], way: Literal[0, 1], colour: int) -> Edge:
    drawn = ((rule[3 - way] - rule[1 - way], (round(rule[way + 2] - rule[way], 2), ink)) for rule, ink in rules)
    thick, ink = commonest(drawn) or (0.0, colour)
    return max(_FINEST, thick) if thick else _USUAL, ink


def _edges(edges: Sequence[Edge], place: Place) -> str:
    """The sides of a cell, left, right, upper and lower."""
    return "".join(
        f'<a:{side} w="{min(_THICK, length(thick, place))}">{_inked(ink) if thick else "<a:noFill/>"}</a:{side}>'
        for side, (thick, ink) in zip(("lnL", "lnR", "lnT", "lnB"), edges, strict=True)
    )


def _inked(colour: int) -> str:
    return f'<a:solidFill><a:srgbClr val="{colour:06X}"/></a:solidFill>'


def _cell(cell: Cell | None, row: int, column: int, lines: str, place: Place) -> str:
    """The a:tc of that row and column; what a merged cell covers is there, too."""
    if cell is None:
        return f"<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>{_EMPTY}</a:txBody><a:tcPr><a:noFill/></a:tcPr></a:tc>"
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
    fill = _inked(cell.fill or 0) if shaded else "<a:noFill/>"
    return (
        f"<a:tc{merged}><a:txBody><a:bodyPr/><a:lstStyle/>{inner}</a:txBody>"
        f"<a:tcPr{edges}>{lines}{fill}</a:tcPr></a:tc>"
    )


def _unruled(text: Paragraph, cell: Cell) -> Paragraph:
    """The paragraph, not underlined by the cell's edge."""
    lines = []
    for line in text.lines:
        near = cell.box[3] - line.base < _EDGE + DESCENT * line.size
        spans = (replace(span, style=replace(span.style, underline=False)) for span in line.spans)
        lines.append(replace(line, spans=tuple(spans)) if near else line)
    return replace(text, lines=lines)


def _in_cell(cell: Cell, texts: Sequence[Paragraph], place: Place) -> tuple[str, str]:
    """The cell's paragraphs, and the margins that put them where they were."""
    lines = [line for text in texts for line in text.lines]
    align = _align(cell, texts, lines)
    left, right = _sides(cell, lines, align)
    _, top, _, low = cell.box
    made, end = spread(parts(texts, texts[0].pitch or 1.2 * lines[0].size, (left, right), align, top))
    first, *others = made
    right = min(right, end or right)
    # What would reach below the cell makes its row higher: it stands higher itself.
    under = low - bottom(lines[-1])
    over = first.before + min(0.0, under)
    if over < 0 and len(first.lines) == 1:
        first = replace(first, pitch=max(1.0, first.pitch + over))
    over, under = max(0.0, over), max(0.0, under)
    anchor = _anchor(cell, over, under)
    margins = {
        "marL": left - cell.box[0],
        "marR": cell.box[2] - right,
        "marT": {"t": over, "ctr": max(0.0, over - under), "b": 0.0}[anchor],
        "marB": {"t": 0.0, "ctr": max(0.0, under - over), "b": under}[anchor],
    }
    edges = "".join(f' {name}="{length(long, place)}"' for name, long in margins.items())
    return paragraphs([replace(first, before=0.0), *others], right - left, place), f'{edges} anchor="{anchor}"'


def _anchor(cell: Cell, over: float, under: float) -> Literal["t", "ctr", "b"]:
    """Where the text hangs in its cell that has so much room over and under it.

    Of cells that are merged from the first row on LibreOffice wants the whole text and its margins in the last of their
    rows: there the one with the smallest margins.
    """
    if abs(over - under) < _CENTRED:
        return "ctr"
    if cell.row or cell.rows == 1:
        return "t"
    margins: dict[Literal["t", "ctr", "b"], float] = {"t": over, "ctr": abs(over - under), "b": under}
    return min(margins, key=lambda each: margins[each])


def _align(cell: Cell, texts: Sequence[Paragraph], lines: Sequence[TextLine]) -> Align:
    """As its text says, or its lines by their middles."""
    if texts[0].align in ("center", "right"):
        return texts[0].align
    middles = [starts(line) + ends(line) for line in lines]
    lefts = [starts(line) for line in lines]
    near = max(middles) - min(middles) < 2 * _SAME if len(lines) > 1 else False
    return "center" if near and max(lefts) - min(lefts) > _SAME else "left"


def _sides(cell: Cell, lines: Sequence[TextLine], align: Align) -> tuple[float, float]:
    """Between which the cell's text stands at its left, in the middle or at its right."""
    left, _, right, _ = cell.box
    if align == "right":
        return left, max(left, min(right, max(map(ends, lines))))
    if align == "left":
        return min(right, max(left, min(map(starts, lines)))), right
    middle = starts(lines[0]) + ends(lines[0])
    return max(left, middle - right), min(right, middle - left)
