"""What is asked of or done to an open spreadsheet before its export; runs beside server.py.

Lengths are hundredths of a millimetre, LibreOffice's own; rows and columns count from 0.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import uno

from cluster.engines.office.sheet_cells import across, before, reached, shrink_numbers

#: com.sun.star.beans.PropertyAttribute.READONLY
_READ_ONLY = 16
#: So many rows are asked for their content at once.
_BLOCK = 200
#: Bordered empty cells behind the content belong to a form; further off they are somebody's forgotten format.
_FRAME_ROWS, _FRAME_COLUMNS = 100, 30
#: More frozen rows than this are no heads of a table.
_HEADS = 10
#: More drawings than this are not measured one by one.
_DRAWINGS = 2000
#: Columns of a text table wider than this wrap.
_WIDEST = 8000
#: LibreOffice scales no smaller than 10 %.
_SMALLEST = 0.1
#: Upright sheets of paper, small to large, and the scale below which a larger one is taken.
_LARGER = ((21000, 29700), (29700, 42000), (42000, 59400), (59400, 84100), (84100, 118900))
_READABLE = 0.5
_LONGEST = 300_000
#: A portrait page is kept down to this scale, because turning it gains little.
_UPRIGHT = 0.9


@dataclass(frozen=True)
class Wishes:
    """What was chosen; `paper` is an upright size or None (the sheet's own, or as its width asks)."""

    fit: str
    paper: list[int] | None
    orientation: str
    repeat: int
    gridlines: bool
    heads: bool
    notes_at_end: bool


def sheets(document: Any) -> list[dict[str, Any]]:
    """Name and whether it is hidden, sheet by sheet."""
    return [{"name": str(each.Name), "hidden": not each.IsVisible} for each in _sheets(document)]


def lay_out(document: Any, chosen: list[int], **wishes: Any) -> dict[str, Any]:
    """Leave only the chosen sheets, each on pages as wished.

    Returns how many `sheets` have something to print, how many `rows` the largest has, and the names of those that stay
    `split` over pages side by side, and of those that were `trimmed`: empty but formatted cells are not printed.
    """
    wanted, all_of_them = Wishes(**wishes), list(_sheets(document))
    told: dict[str, Any] = {"sheets": 0, "rows": 0, "split": [], "trimmed": []}
    extents = {number: extent for number in chosen if (extent := _extent(all_of_them[number]))}
    kept = list(extents)
    for number in kept:
        all_of_them[number].IsVisible = True
    for number, sheet in enumerate(all_of_them):
        if number not in kept and kept and sheet.IsVisible:
            sheet.IsVisible = False
    styles = document.component.StyleFamilies.getByName("PageStyles")
    for number in kept:
        _lay_out_one(document, all_of_them[number], extents[number], styles, wanted, told)
    return told | {"sheets": len(kept)}


def dress_table(document: Any, numbers: list[int], wrap: bool) -> None:
    """Make what is no workbook print well: `numbers` are columns that stand to the right; wide ones `wrap`."""
    sheet = document.component.Sheets.getByIndex(0)
    for number in numbers:
        sheet.Columns.getByIndex(number).HoriJustify = uno.Enum("com.sun.star.table.CellHoriJustify", "RIGHT")
    if wrap:
        _wrap(sheet)
    styles = document.component.StyleFamilies.getByName("PageStyles")
    for each in _sheets(document):
        style = styles.getByName(each.PageStyle)
        # A new spreadsheet of LibreOffice's prints the sheet's name and number, which nobody asked for.
        style.HeaderIsOn = style.FooterIsOn = False


def fit_rows(document: Any, name: str, spans: list[list[int]]) -> None:
    """Make rows of a sheet, the first and last of some, as high as their text needs."""
    if document.component.Sheets.hasByName(name):
        sheet = document.component.Sheets.getByName(name)
        for first, last in spans:
            sheet.getCellRangeByPosition(0, first, 0, last).Rows.OptimalHeight = True


def _wrap(sheet: Any) -> None:
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    for number in range(cursor.RangeAddress.EndColumn + 1):
        column = sheet.Columns.getByIndex(number)
        if column.Width > _WIDEST:
            column.Width = _WIDEST
            sheet.getCellRangeByPosition(number, 0, number, cursor.RangeAddress.EndRow).IsTextWrapped = True


def _sheets(document: Any) -> Iterator[Any]:
    listed = document.component.Sheets
    return (listed.getByIndex(number) for number in range(listed.getCount()))


def _lay_out_one(
    document: Any, sheet: Any, extent: tuple[int, int, bool], styles: Any, wanted: Wishes, told: dict[str, Any]
) -> None:
    column, row, trimmed = extent
    areas = sheet.getPrintAreas()
    shrink_numbers(document, sheet.getCellRangeByPosition(0, 0, column, row))
    if not areas:
        column = reached(sheet, column, row)
        sheet.setPrintAreas((sheet.getCellRangeByPosition(0, 0, column, row).RangeAddress,))
        if trimmed:
            told["trimmed"].append(str(sheet.Name))
    told["rows"] = max(told["rows"], row + 1)
    if heads := wanted.repeat or _frozen(document, sheet, areas, wanted):
        sheet.setTitleRows(sheet.getCellRangeByPosition(0, 0, 0, heads - 1).RangeAddress)
        sheet.setPrintTitleRows(True)
    style = _own_style(document, sheet, styles)
    scale = _place(style, _size(sheet, areas or sheet.getPrintAreas()), wanted)
    if scale < _SMALLEST:
        told["split"].append(str(sheet.Name))
    for name, on in (("PrintGrid", wanted.gridlines), ("PrintHeaders", wanted.heads)):
        if on:
            style.setPropertyValue(name, True)
    style.PrintAnnotations = wanted.notes_at_end
    _fold_notes(sheet)


def _frozen(document: Any, sheet: Any, areas: Sequence[Any], wanted: Wishes) -> int:
    """How many rows stay in sight while people scroll: heads that they want on every page, where nothing says more."""
    if wanted.fit == "designed" or sheet.getPrintTitleRows() or any(area.StartRow for area in areas):
        return 0
    view = document.component.CurrentController
    view.setActiveSheet(sheet)
    rows = int(view.getSplitRow()) if view.hasFrozenPanes() else 0
    return rows if rows <= _HEADS else 0


def _fold_notes(sheet: Any) -> None:
    """A comment that stands open on its sheet would cover cells; it is kept as was chosen."""
    notes = sheet.Annotations
    for number in range(min(notes.getCount(), _DRAWINGS)):
        note = notes.getByIndex(number)
        if note.IsVisible:
            note.IsVisible = False


def _own_style(document: Any, sheet: Any, styles: Any) -> Any:
    """The sheet's page style, if no other sheet has it, else a copy for this one."""
    name = sheet.PageStyle
    origin = styles.getByName(name)
    if sum(each.PageStyle == name for each in _sheets(document)) == 1:
        return origin
    made = document.component.createInstance("com.sun.star.style.PageStyle")
    copied = f"{name} {sheet.RangeAddress.Sheet}"
    while styles.hasByName(copied):
        copied += "'"
    styles.insertByName(copied, made)
    for each in origin.PropertySetInfo.Properties:
        if not each.Attributes & _READ_ONLY:
            with suppress(Exception):  # what this kind of page does not take stays as it is
                made.setPropertyValue(each.Name, origin.getPropertyValue(each.Name))
    sheet.PageStyle = copied
    return made


# How large


def _size(sheet: Any, areas: Sequence[Any]) -> tuple[int, int]:
    """The width and height of the largest of what is printed."""
    sizes = []
    for area in areas:
        start, end = (
            _corner(sheet, area.StartColumn, area.StartRow),
            _corner(sheet, area.EndColumn + 1, area.EndRow + 1),
        )
        sizes.append((end[0] - start[0], end[1] - start[1]))
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _corner(sheet: Any, column: int, row: int) -> tuple[int, int]:
    """Where a cell begins; the sheet's end where there is none."""
    last = sheet.RangeAddress
    return across(sheet, min(column, last.EndColumn)), sheet.getCellByPosition(0, min(row, last.EndRow)).Position.Y


def _place(style: Any, size: tuple[int, int], wanted: Wishes) -> float:
    """Give the style its paper, orientation and scale; returns the scale that it needs."""
    if wanted.fit == "designed" and wanted.paper is None and wanted.orientation == "auto":
        return 1.0
    margins = style.LeftMargin + style.RightMargin, style.TopMargin + style.BottomMargin + _bands(style)
    both = wanted.fit == "sheet"
    paper = _paper(style, size, margins, wanted, both)
    # First the flag: LibreOffice turns a page whose sides say otherwise.
    style.IsLandscape = paper[0] > paper[1]
    style.Width, style.Height = paper
    if wanted.fit != "designed":
        style.ScaleToPagesX, style.ScaleToPagesY = 1, int(both)
    return 1.0 if wanted.fit == "designed" else _scale(size, paper, margins, both)


def _bands(style: Any) -> int:
    """What head and foot take from the page."""
    head = style.HeaderHeight if style.HeaderIsOn else 0
    return int(head + (style.FooterHeight if style.FooterIsOn else 0))


def _paper(style: Any, size: tuple[int, int], margins: tuple[int, int], wanted: Wishes, both: bool) -> tuple[int, int]:
    own = min(style.Width, style.Height), max(style.Width, style.Height)
    if wanted.fit == "designed":
        upright = tuple(wanted.paper or own)
        landscape = style.IsLandscape if wanted.orientation == "auto" else wanted.orientation == "landscape"
        return (upright[1], upright[0]) if landscape else (upright[0], upright[1])
    # Letter is what LibreOffice takes where a file says nothing.
    first = own if own[0] > _LARGER[0][0] + 1000 else _LARGER[0]
    papers = [(wanted.paper[0], wanted.paper[1])] if wanted.paper else [first, *(p for p in _LARGER if p > first)]
    for paper in papers:
        turned = _turned(paper, size, margins, wanted.orientation, both)
        if _scale(size, turned, margins, both) >= _READABLE:
            return turned
    if wanted.paper:
        return turned
    width, height = (min(_LONGEST, int(size[n] * _READABLE) + margins[n] + 100) for n in (0, 1))
    return (max(width, turned[0]), max(height, turned[1])) if both else (width, turned[1])


def _turned(
    paper: tuple[int, int], size: tuple[int, int], margins: tuple[int, int], orientation: str, both: bool
) -> tuple[int, int]:
    lying = paper[1], paper[0]
    if orientation != "auto":
        return lying if orientation == "landscape" else paper
    standing = _scale(size, paper, margins, both)
    return lying if standing < _UPRIGHT and _scale(size, lying, margins, both) > standing else paper


def _scale(size: tuple[int, int], paper: tuple[int, int], margins: tuple[int, int], both: bool) -> float:
    """By how much the sheet must shrink to fit this paper in width (and in height); never more than 1."""
    shares = [max(100, paper[n] - margins[n]) / max(1, size[n]) for n in ((0, 1) if both else (0,))]
    return min(1.0, *shares)


# How far


def _extent(sheet: Any) -> tuple[int, int, bool] | None:
    """The last column and row worth printing, and whether formatted cells follow; None for a blank sheet."""
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    column, row = cursor.RangeAddress.EndColumn, cursor.RangeAddress.EndRow
    filled = _filled(sheet, column, row)
    drawn = _drawn(sheet)
    if filled is None and drawn is None:
        return None
    end = tuple(max(pair) for pair in zip(filled or (0, 0), drawn or (0, 0), strict=True))
    framed = _framed(sheet, end, (max(column, end[0]), max(row, end[1])))
    return framed[0], framed[1], framed[0] < column or framed[1] < row


def _filled(sheet: Any, column: int, row: int) -> tuple[int, int] | None:
    """The last column and row with a word or number: a formula that shows nothing is none."""
    last_row = _last_row(sheet, column, row)
    if last_row is None:
        return None
    for each in range(column, 0, -1):
        if _has_word(sheet.getCellRangeByPosition(each, 0, each, last_row)):
            return each, last_row
    return 0, last_row


def _last_row(sheet: Any, column: int, row: int) -> int | None:
    for end in range(row, -1, -_BLOCK):
        start = max(0, end - _BLOCK + 1)
        rows = sheet.getCellRangeByPosition(0, start, column, end).getDataArray()
        for number in range(len(rows) - 1, -1, -1):
            if any(_is_word(value) for value in rows[number]):
                return start + number
    return None


def _has_word(cells: Any) -> bool:
    return any(_is_word(value) for row in cells.getDataArray() for value in row)


def _is_word(value: Any) -> bool:
    return bool(value.strip()) if isinstance(value, str) else True


def _drawn(sheet: Any) -> tuple[int, int] | None:
    """The last column and row that a picture, chart or shape reaches."""
    page = sheet.DrawPage
    right = below = 0
    for number in range(min(page.getCount(), _DRAWINGS)):
        shape = page.getByIndex(number)
        if shape.ShapeType.endswith("CaptionShape"):
            continue  # a comment
        place, size = shape.Position, shape.Size
        right = max(right, abs(place.X), abs(place.X + size.Width))
        below = max(below, place.Y + size.Height)
    if not right:
        return None
    last = sheet.RangeAddress
    return (
        before(lambda n: across(sheet, n), last.EndColumn, right),
        before(lambda n: sheet.getCellByPosition(0, n).Position.Y, last.EndRow, below),
    )


def _framed(sheet: Any, end: tuple[int, ...], used: tuple[int, int]) -> tuple[int, int]:
    """`end`, and the bordered empty cells that follow it: a form to be filled in by hand has many."""
    column, row = end
    if used[1] > row and used[1] - row <= _FRAME_ROWS:
        row = max(row, _last_border(sheet.getCellRangeByPosition(0, row + 1, used[0], used[1]), "EndRow"))
    if used[0] > column and used[0] - column <= _FRAME_COLUMNS:
        column = max(column, _last_border(sheet.getCellRangeByPosition(column + 1, 0, used[0], row), "EndColumn"))
    return column, row


def _last_border(cells: Any, edge: str) -> int:
    formats, found = cells.CellFormatRanges, -1
    for number in range(formats.getCount()):
        each = formats.getByIndex(number)
        if any(getattr(each, side).OuterLineWidth for side in ("TopBorder", "BottomBorder", "LeftBorder")):
            found = max(found, int(getattr(each.RangeAddress, edge)))
    return found
