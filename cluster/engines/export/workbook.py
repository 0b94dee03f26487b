"""Tables as an Excel workbook: merged cells, borders, widths, numbers as numbers, doubtful cells marked."""

import re
from math import ceil
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

from cluster.engines.export.values import Value, number_of, value_of
from cluster.engines.layout.line import SURE
from cluster.engines.layout.model import Cell, CellKind, Table
from cluster.engines.layout.stacked import text_in
from cluster.engines.layout.turning import DOWNWARDS, UPWARDS

#: Excel's own limits, and those of a readable column.
_COLUMNS, _LETTERS = 16_384, 32_000
_NARROW, _WIDEST = 6.0, 70.0
#: Points of a column's width in Excel's units; a column is widened for a line of so many letters at most.
_UNIT, _LINE = 5.6, 30.0
#: Points of a line, and of the highest row that Excel knows.
_HIGH, _HIGHEST = 15.0, 409.0
#: Points that a letter takes of a text that runs upwards; Excel's numbers for that, and for one that runs downwards.
_UPRIGHT, _WAYS = 5.5, {UPWARDS: 90, DOWNWARDS: 180}
#: How light (of 255, as eyes weigh colours) a ground is at least on which black letters are read.
_READ = 110
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TITLE = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_DOUBT = "FFF2CC"


class Workbook:
    """A workbook that is being filled; `numbers`: cells that are numbers become such."""

    def __init__(self, *, numbers: bool = True) -> None:
        import openpyxl

        self.book: Any = openpyxl.Workbook()
        self.book.remove(self.book.active)
        self.numbers = numbers
        self.typed = self.doubtful = 0
        self.names: set[str] = set()

    def sheet(self, title: str) -> "Filling":
        """A new sheet under a title of its own."""
        bare = _TITLE.sub(" ", title).strip("' ")[:28] or "Sheet"
        name, number = bare, 2
        while name.lower() in self.names:
            name, number = f"{bare[:24]} {number}", number + 1
        self.names.add(name.lower())
        return Filling(self, self.book.create_sheet(name))

    def save(self, path: Path) -> None:
        """Write it; without any table it has one empty sheet."""
        if not self.book.worksheets:
            self.book.create_sheet("Sheet1")
        self.book.save(path)


class Filling:
    """A sheet that tables and rows of text are put into, below each other."""

    def __init__(self, book: Workbook, sheet: Any) -> None:
        self.book, self.sheet = book, sheet
        self.next, self.widths = 1, dict[int, float]()

    def add_text(self, text: str) -> None:
        """A row of text, its tabs parting cells."""
        for column, part in enumerate(text.split("\t")[:_COLUMNS], 1):
            if part.strip():
                self._put(self.next, column, part.strip())
        self.next += 1

    def add(self, table: Table) -> None:
        """The table, from the next free row on."""
        top = self.next
        for cell in table.cells:
            self._cell(cell, top, ruled=table.ruled)
        for at, (left, right) in enumerate(zip(table.columns, table.columns[1:], strict=False), 1):
            self._widen(at, (right - left) / _UNIT)
        for cell in table.cells:
            if cell.columns == 1 and not cell.turn:  # Excel's letters are larger than many a table's
                self._widen(cell.column + 1, min(_LINE, max(map(_letters, text_in(cell).split("\n")))))
        for cell in table.cells:
            self._heighten(cell, top + cell.row)
        self.next = top + len(table.rows) - 1

    def space(self) -> None:
        """An empty row."""
        self.next += 1

    def _cell(self, cell: Cell, top: int, *, ruled: bool) -> None:
        row, column = top + cell.row, cell.column + 1
        made = self._put(row, column, text_in(cell), cell.kind)
        self._look(made, cell)
        last, right = row + cell.rows - 1, column + cell.columns - 1
        if ruled:
            self._border(row, column, last, right)
        if cell.rows * cell.columns > 1:
            self.sheet.merge_cells(start_row=row, start_column=column, end_row=last, end_column=right)

    def _put(self, row: int, column: int, text: str, kind: CellKind = "auto") -> Any:
        made = self.sheet.cell(row, column)
        value = self._value(text, kind)
        if isinstance(value.value, str):
            # Never a formula: the kind is said, whatever the text begins with.
            made.value, made.data_type = _UNWRITABLE.sub("", value.value)[:_LETTERS] or None, "s"
        else:
            made.value, made.number_format = value.value, value.form
            self.book.typed += 1
        return made

    def _value(self, text: str, kind: CellKind) -> Value:
        if kind == "number":
            return number_of(text)
        return value_of(text) if self.book.numbers and kind == "auto" else Value(text)

    def _look(self, made: Any, cell: Cell) -> None:
        from openpyxl.styles import Alignment, Font, PatternFill

        lines = cell.lines
        across = {"center": "center", "right": "right"}.get(getattr(cell.blocks[0], "align", "") if cell.blocks else "")
        wraps, turn = _wraps(cell) or None, _WAYS.get(cell.turn, 0)
        made.alignment = Alignment(horizontal=across, vertical="center", wrap_text=wraps, text_rotation=turn)
        doubtful = cell.score < SURE
        bold, light = bool(lines) and all(line.bold for line in lines), _is_dark(cell.fill) and not doubtful
        if bold or light:
            made.font = Font(bold=bold or None, color="FFFFFF" if light else None)
        if doubtful:
            self.book.doubtful += 1
            made.fill = PatternFill("solid", fgColor=_DOUBT)
        elif cell.fill is not None:
            made.fill = PatternFill("solid", fgColor=f"{cell.fill:06X}")

    def _border(self, top: int, left: int, bottom: int, right: int) -> None:
        from openpyxl.styles import Border, Side

        side = Side(style="thin")
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                self.sheet.cell(row, column).border = Border(side, side, side, side)

    def _heighten(self, cell: Cell, row: int) -> None:
        """Give the row room for the lines that the cell's text takes: merged cells get none by themselves."""
        wide = sum(self.widths.get(cell.column + 1 + at, _NARROW) for at in range(cell.columns))
        lines = sum(ceil(_letters(line) / wide) for line in text_in(cell).split("\n")) if _wraps(cell) else 1
        high = _UPRIGHT * max(map(_letters, text_in(cell).split("\n"))) if cell.turn else _HIGH * lines
        if cell.rows == 1 and high > _HIGH:
            kept = self.sheet.row_dimensions[row]
            kept.height = max(kept.height or 0.0, min(_HIGHEST, high))

    def _widen(self, column: int, width: float) -> None:
        from openpyxl.utils import get_column_letter

        wanted = max(self.widths.get(column, _NARROW), min(_WIDEST, width))
        self.widths[column] = wanted
        self.sheet.column_dimensions[get_column_letter(column)].width = wanted


def _wraps(cell: Cell) -> bool:
    """Whether its text stands on several lines."""
    return "\n" in text_in(cell) or len(cell.lines) > 1


def _letters(text: str) -> float:
    """How wide the text is, in Excel's units; a 汉字 is as two letters."""
    return 1.5 + sum(2.0 if east_asian_width(letter) in "WF" else 1.0 for letter in text)


def _is_dark(colour: int | None) -> bool:
    """Whether black letters could not be read on it."""
    if colour is None:
        return False
    red, green, blue = (colour >> shift & 255 for shift in (16, 8, 0))
    return 0.3 * red + 0.59 * green + 0.11 * blue < _READ
