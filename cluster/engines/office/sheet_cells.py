"""Cells of an open spreadsheet whose content is wider than they are; runs beside server.py.

Lengths are hundredths of a millimetre; rows and columns count from 0.
"""

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from heapq import nlargest
from typing import Any

import uno

#: com.sun.star.sheet.CellFlags and FormulaResult
_VALUES, _NUMBER = 1 | 2, 1
#: com.sun.star.util.NumberFormat.TEXT
_TEXT = 256
#: So many rows are asked for their content at once, so many texts for how they look.
_BLOCK, _ASKED = 200, 100
#: Hundredths of a millimetre in a point; what a letter takes of its height, and a 汉字 next to that.
_POINT, _LETTER, _WIDE = 35.28, 0.52, 1.0
_POINTS = 11
#: Between a picture and its cell's lines, both sides together.
_EDGE = 60
#: Texts may widen a sheet to a page that lies, or to twice what its columns have.
_PAGE, _TIMES = 26_000, 2


def place_pictures(document: Any, pictures: list[dict[str, Any]], named_value: Callable[[str, Any], Any]) -> None:
    """Show a picture in each cell that has one and that LibreOffice has an error in."""
    sheets, provider = document.component.Sheets, document.office.service("com.sun.star.graphic.GraphicProvider")
    graphics: dict[str, Any] = {}
    for each in pictures:
        if each["file"] not in graphics:
            address = named_value("URL", uno.systemPathToFileUrl(each["file"]))
            graphics[each["file"]] = provider.queryGraphic((address,))
        if graphics[each["file"]] and sheets.hasByName(each["sheet"]):
            with suppress(Exception):  # a cell that takes none keeps its error
                place = each["column"], each["row"]
                _place_picture(document, sheets.getByName(each["sheet"]), place, graphics[each["file"]])


def _place_picture(document: Any, sheet: Any, place: tuple[int, int], graphic: Any) -> None:
    """In the middle of its cell, as large as fits."""
    cell = sheet.getCellByPosition(*place)
    cell.setString("")
    cursor = sheet.createCursorByRange(cell)
    cursor.collapseToMergedArea()
    room, own = cursor.Size, graphic.Size100thMM if graphic.Size100thMM.Width else graphic.SizePixel
    if not (room.Width > _EDGE and room.Height > _EDGE and own.Width and own.Height):
        return  # in a hidden row or column
    scale = min((room.Width - _EDGE) / own.Width, (room.Height - _EDGE) / own.Height)
    shape = document.component.createInstance("com.sun.star.drawing.GraphicObjectShape")
    sheet.DrawPage.add(shape)
    shape.Graphic = graphic
    size, position = shape.Size, cursor.Position
    size.Width, size.Height = int(own.Width * scale), int(own.Height * scale)
    position.X += (room.Width - size.Width) // 2
    position.Y += (room.Height - size.Height) // 2
    shape.Size, shape.Position = size, position


def shrink_numbers(document: Any, area: Any) -> None:
    """Let a number that is too wide for its cell be written smaller: what is seen of it is `###` otherwise.

    One of the general format has its decimals rounded, as in Excel.
    """
    formats, groups = document.component.NumberFormats, area.UniqueCellFormatRanges
    for number in range(groups.getCount()):
        group = groups.getByIndex(number)
        told = formats.getByKey(group.NumberFormat)
        if told.Type & _TEXT or told.FormatString == "General" or group.IsTextWrapped:
            continue
        for cells in (group.queryContentCells(_VALUES), group.queryFormulaCells(_NUMBER)):
            if cells.getCount():
                cells.ShrinkToFit = True


def reached(sheet: Any, column: int, row: int) -> int:
    """The last column that texts run over into from those up to `column`, where nothing stands in their way."""
    starts = [across(sheet, n) for n in range(column + 1)]
    last = sheet.RangeAddress.EndColumn
    end = across(sheet, min(column + 1, last))
    # A text stands where it is in its cell; the font is asked for where it may matter.
    beyond = ((starts[x] + _width(text) * 2 - end, x, y, text) for x, y, text in _ends(sheet, column, row))
    wanted = float(end)
    for _, x, y, text in nlargest(_ASKED, (each for each in beyond if each[0] > 0)):
        wanted = max(wanted, starts[x] + _runs(sheet.getCellByPosition(x, y), text))
    wanted = min(wanted, max(_PAGE, _TIMES * end))
    return max(column, before(lambda n: across(sheet, n), last, int(wanted)))


def across(sheet: Any, column: int) -> int:
    """Where a column begins, from the side where the first one is."""
    return abs(int(sheet.getCellByPosition(column, 0).Position.X))


def before(start_of: Callable[[int], int], last: int, place: int) -> int:
    """The last row or column that begins before `place`."""
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if start_of(middle) < place else (low, middle - 1)
    return low


def _ends(sheet: Any, column: int, row: int) -> Iterator[tuple[int, int, str]]:
    """The last filled cell of each row, where it is a text."""
    for start in range(0, row + 1, _BLOCK):
        rows = sheet.getCellRangeByPosition(0, start, column, min(row, start + _BLOCK - 1)).getDataArray()
        for number, cells in enumerate(rows, start):
            place = next((n for n in range(len(cells) - 1, -1, -1) if cells[n] != ""), 0)
            if isinstance(cells[place], str) and cells[place]:
                yield place, number, cells[place]


def _runs(cell: Any, text: str) -> float:
    """How wide a text is that runs over its cell's right edge; 0 for one that does not."""
    aside = cell.HoriJustify.value not in ("STANDARD", "LEFT")
    if aside or cell.IsTextWrapped or cell.IsMerged or cell.ShrinkToFit or cell.RotateAngle:
        return 0.0
    return _width(text) * float(max(cell.CharHeight, cell.CharHeightAsian)) / _POINTS


def _width(text: str) -> float:
    lines = (sum(map(_share, line)) for line in text.split("\n"))
    return max(lines) * _POINTS * _POINT


def _share(letter: str) -> float:
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _LETTER
