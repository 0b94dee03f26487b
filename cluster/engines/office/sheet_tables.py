"""Paint the tables of an open spreadsheet as table_looks.py tells; runs beside server.py.

What a cell has of its own stays: fills, colours of text, lines.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import uno

#: com.sun.star.awt.FontWeight.BOLD; a line's width in hundredths of a millimetre
_BOLD, _LINE = 150.0, 18
_NONE = -1
_SIDES = ("TopLine", "BottomLine", "LeftLine", "RightLine")
_LINES = {
    "": _SIDES[:2],
    "rows": (*_SIDES, "HorizontalLine"),
    "all": (*_SIDES, "HorizontalLine", "VerticalLine"),
}


def paint_tables(document: Any, looks: list[dict[str, Any]]) -> None:
    """Give heads, stripes and lines to tables; columns and rows count from 0."""
    sheets = document.component.Sheets
    for look in looks:
        if sheets.hasByName(look["sheet"]):
            with suppress(Exception):  # a table that cannot be painted stays bare
                _paint(document, sheets.getByName(look["sheet"]), look)


def _paint(document: Any, sheet: Any, look: dict[str, Any]) -> None:
    left, top, right, bottom = look["area"]
    first, last = top + look["heads"], bottom - look["totals"]
    whole = sheet.getCellRangeByPosition(left, top, right, bottom)
    own = list(_own(whole))
    _line(whole, look["lines"], look["inner"])
    head, odd, even = range(top, first), range(first, last + 1, 2), range(first + 1, last + 1, 2)
    for rows, fill in ((head, look["head"]), (odd, look["stripe"] or look["body"]), (even, look["body"])):
        # Without addresses there are no ranges to speak to.
        if fill is not None and rows:
            _rows(document, sheet, look, rows).CellBackColor = fill
    if head and look["words"] is not None:
        _rows(document, sheet, look, head).CharColor = look["words"]
    if strong := [*head, *range(last + 1, bottom + 1)]:
        cells = _rows(document, sheet, look, strong)
        cells.CharWeight = cells.CharWeightAsian = _BOLD
    for group, name, colour in own:
        setattr(group, name, colour)


def _rows(document: Any, sheet: Any, look: dict[str, Any], rows: Sequence[int]) -> Any:
    left, _, right, _ = look["area"]
    cells = document.component.createInstance("com.sun.star.sheet.SheetCellRanges")
    cells.addRangeAddresses(
        tuple(sheet.getCellRangeByPosition(left, row, right, row).RangeAddress for row in rows), False
    )
    return cells


def _own(area: Any) -> Iterator[tuple[Any, str, int]]:
    """Cells with colours of their own, and which."""
    groups = area.UniqueCellFormatRanges
    for number in range(groups.getCount()):
        group = groups.getByIndex(number)
        if group.CellBackColor != _NONE:
            yield group, "CellBackColor", group.CellBackColor
        if group.CharColor not in (_NONE, 0):
            yield group, "CharColor", group.CharColor


def _line(area: Any, colour: int | None, inner: str) -> None:
    border = area.TableBorder2
    if colour is None or any(getattr(border, side).OuterLineWidth for side in _SIDES):
        return
    line = uno.createUnoStruct("com.sun.star.table.BorderLine2")
    line.Color, line.OuterLineWidth, line.LineWidth = colour, _LINE, _LINE
    for side in _LINES[inner]:
        setattr(border, side, line)
        setattr(border, f"Is{side}Valid", True)
    area.TableBorder2 = border
