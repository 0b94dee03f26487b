"""Tables as an Excel workbook: merged cells, borders, widths, numbers as numbers, doubtful cells marked."""

import re
from pathlib import Path
from typing import Any

from cluster.engines.export.values import Value, number_of, value_of
from cluster.engines.layout.line import SURE
from cluster.engines.layout.model import Cell, CellKind, Table
from cluster.engines.layout.stacked import text_in

#: Excel's own limits, and those of a readable column.
_COLUMNS, _LETTERS = 16_384, 32_000
_NARROW, _WIDEST = 6.0, 70.0
#: Points of a column's width in Excel's units.
_UNIT = 5.6
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
        many = "\n" in text_in(cell)
        across = {"center": "center", "right": "right"}.get(getattr(cell.blocks[0], "align", "") if cell.blocks else "")
        made.alignment = Alignment(horizontal=across, vertical="center", wrap_text=many or None)
        if lines and all(line.bold for line in lines):
            made.font = Font(bold=True)
        if cell.score < SURE:
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

    def _widen(self, column: int, width: float) -> None:
        from openpyxl.utils import get_column_letter

        wanted = max(self.widths.get(column, _NARROW), min(_WIDEST, width))
        self.widths[column] = wanted
        self.sheet.column_dimensions[get_column_letter(column)].width = wanted
