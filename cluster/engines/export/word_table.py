"""A table as WordprocessingML: its grid, merged cells, borders where they are drawn, colours."""

import math
from collections.abc import Callable

from cluster.engines.export.drawn_widths import drawn_width
from cluster.engines.export.word_xml import paragraph_properties, twips
from cluster.engines.layout.model import Block, Cell, Paragraph, Table
from cluster.engines.layout.spacing import bottom_of, top_of
from cluster.engines.layout.stacked import PAD
from cluster.engines.layout.turning import DOWNWARDS, UPWARDS

_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="000000"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
_EMPTY = f"<w:p>{paragraph_properties(pitch=5)}</w:p>"
#: What the cell's border takes of its height.
_EDGE = 0.5
#: Points that a cell's borders take and letters may turn out wider; what these have less, at most, in their heights.
_SPARE, _LESS = 1.0, 0.12
#: How Word calls the ways of text that runs downwards and upwards.
_WAYS = {DOWNWARDS: "tbRl", UPWARDS: "btLr"}
#: Makes a block of a cell that is so wide, without what it leaves free at its sides (points).
_WRITE = Callable[[Block, float], str]


def table_xml(table: Table, write: _WRITE) -> str:
    """A w:tbl."""
    widths = [max(2, twips(right - left)) for left, right in zip(table.columns, table.columns[1:], strict=False)]
    borders = f"<w:tblBorders>{_BORDERS}</w:tblBorders>" if _all_ruled(table) else ""
    indent = twips(table.left) if table.align == "left" else 0
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    rows = "".join(_row(table, row, widths, write) for row in range(len(table.rows) - 1))
    return (
        f'<w:tbl><w:tblPr><w:tblW w:w="{sum(widths)}" w:type="dxa"/>'
        f'<w:jc w:val="{"center" if table.align == "center" else "left"}"/>'
        f'<w:tblInd w:w="{indent}" w:type="dxa"/>{borders}<w:tblLayout w:type="fixed"/>'
        f"<w:tblCellMar>{_sides(PAD, PAD)}</w:tblCellMar></w:tblPr>"
        f"<w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>"
    )


def narrowing(text: Paragraph, room: float) -> float:
    """What each letter of a cell's single line has more (points): less than nothing where it would break the line."""
    # LibreOffice takes nothing off the last letter before a blank that keeps words together.
    lack, letters = _lack(text, room), sum(len(word) - 1 for word in text.lines[0].text.split())
    if lack <= 0 or letters < 1:
        return 0.0
    less = math.ceil(20 * lack / letters) / 20
    return -less if less <= _LESS * text.size else 0.0


def _lack(text: Paragraph, room: float) -> float:
    """Points that a single line of a cell lacks so as not to be broken."""
    line = text.lines[0]
    if len(text.lines) > 1 or line.tabs:
        return 0.0
    widths = [drawn_width(span) for span in line.spans]
    own = line.width if None in widths else sum(width or 0.0 for width in widths)
    return own - (room - text.left - text.right - max(0.0, text.first))


def _row(table: Table, row: int, widths: list[int], write: _WRITE) -> str:
    high = table.rows[row + 1] - table.rows[row] - _upper(table, row)
    height = f'<w:trHeight w:val="{twips(high)}" w:hRule="atLeast"/>' if high > 4 else ""
    props = f"{height}{'<w:tblHeader/>' if row < table.heads else ''}"
    props = f"<w:trPr>{props}</w:trPr>" if props else ""
    cells = sorted(
        (cell for cell in table.cells if cell.row <= row < cell.row + cell.rows), key=lambda cell: cell.column
    )
    return f"<w:tr>{props}{''.join(_cell(table, cell, row, widths, write) for cell in cells)}</w:tr>"


def _cell(table: Table, cell: Cell, row: int, widths: list[int], write: _WRITE) -> str:
    wide = sum(widths[cell.column : cell.column + cell.columns])
    span = f'<w:gridSpan w:val="{cell.columns}"/>' if cell.columns > 1 else ""
    begins = row == cell.row
    merge = "" if cell.rows == 1 else '<w:vMerge w:val="restart"/>' if begins else "<w:vMerge/>"
    fill = f'<w:shd w:val="clear" w:color="auto" w:fill="{cell.fill:06X}"/>' if cell.fill is not None else ""
    stands, sides = _stands(table, cell), _drawn(cell, row)
    props = f'<w:tcPr><w:tcW w:w="{wide}" w:type="dxa"/>{span}{merge}{sides}{fill}{_pads(cell)}{stands}</w:tcPr>'
    return f"<w:tc>{props}{_content(cell, write, stands=bool(stands)) if begins else _EMPTY}</w:tc>"


def _all_ruled(table: Table) -> bool:
    """Whether nothing is known but that there are rules between all cells."""
    return table.ruled and all(cell.edges is None for cell in table.cells)


def _upper(table: Table, row: int) -> float:
    """How thick the rule above a row is."""
    edges = (cell.edges[1] for cell in table.cells if cell.row == row and cell.edges)
    return _EDGE if _all_ruled(table) else max((edge[0] for edge in edges if edge), default=0.0)


def _drawn(cell: Cell, row: int) -> str:
    """Its sides in this row, as they are drawn."""
    left, top, right, low = cell.edges or (None,) * 4
    top, low = top if row == cell.row else None, low if row == cell.row + cell.rows - 1 else None
    sides = "".join(
        f'<w:{side} w:val="single" w:sz="{min(96, max(2, round(8 * edge[0])))}" w:space="0" w:color="{edge[1]:06X}"/>'
        for side, edge in (("top", top), ("left", left), ("bottom", low), ("right", right))
        if edge
    )
    return f"<w:tcBorders>{sides}</w:tcBorders>" if sides else ""


def _pads(cell: Cell) -> str:
    if cell.turn:
        return f'<w:tcMar>{_sides(0, 0)}</w:tcMar><w:textDirection w:val="{_WAYS[cell.turn]}"/>'
    return f"<w:tcMar>{_sides(*cell.pads)}</w:tcMar>" if cell.pads and min(cell.pads) < PAD else ""


def _room(cell: Cell) -> float:
    """Points that a line of it may be wide."""
    if cell.turn:
        return cell.box[3] - cell.box[1] - _SPARE
    left, right = cell.pads or (PAD, PAD)
    return cell.box[2] - cell.box[0] - min(PAD, left) - min(PAD, right) - _SPARE


def _sides(left: float, right: float) -> str:
    return f'<w:left w:w="{twips(left)}" w:type="dxa"/><w:right w:w="{twips(right)}" w:type="dxa"/>'


def _stands(table: Table, cell: Cell) -> str:
    """Whether its text stands in the middle or at the bottom."""
    if cell.turn:
        return '<w:vAlign w:val="center"/>'
    if not (table.ruled and len(cell.blocks) == 1):
        return ""
    over, under = cell.blocks[0].box[1] - cell.box[1], cell.box[3] - cell.blocks[-1].box[3]
    if over <= 4 or under > 1.6 * over + 4:
        return ""
    where = "center" if abs(over - under) < 4 + 0.2 * (over + under) else "bottom" if over > 2 * under else ""
    return f'<w:vAlign w:val="{where}"/>' if where else ""


def _content(cell: Cell, write: _WRITE, *, stands: bool) -> str:
    """Its blocks; the first one as far below its edge as it was, unless the cell's text `stands` elsewhere."""
    low = None if stands else cell.box[1] + _EDGE
    out = []
    for block in cell.blocks:
        block.before = max(0.0, top_of(block) - low) if low is not None else 0.0
        if isinstance(block, Paragraph) and block.left > 0:
            # It need not stand as far in as it did.
            block.left = max(0.0, block.left - max(0.0, _lack(block, _room(cell))))
        out.append(write(block, _room(cell)))
        low = bottom_of(block)
    return "".join(out) or _EMPTY
