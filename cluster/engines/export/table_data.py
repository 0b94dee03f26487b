"""Tables as JSON: each cell's place and certainty, for programs and for people's corrections, and back again."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, FiniteFloat, ValidationError, model_validator

from cluster.engines.export.values import value_of
from cluster.engines.layout.model import Align, Box, Cell, CellKind, Paragraph, Sheet, Span, Style, Table, TextLine
from cluster.engines.layout.stacked import text_in
from cluster.engines.layout.tables import Found

#: Corrected data of more bytes, and tables of more places, are none that were read here.
_MOST_BYTES, _MOST_PLACES = 64 << 20, 2_000_000
_FONT = Style("SimSun", 10.5)
_BOLD = Style("SimSun", 10.5, bold=True)


def told(found: Iterable[Found], sheets: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Tables and the pages that they stand on, as `seen_on` tells them: pages from 1, lengths and boxes in points."""
    tables = [_table(each) for each in found]
    pages = {page for each in tables for page in each["pages"]}
    return {"sheets": [each for each in sheets if each["page"] in pages], "tables": tables}


def seen_on(sheet: Sheet, page: int) -> dict[str, Any]:
    """How the boxes of page `page` lie in its picture: see `layout.model.Seen`."""
    seen = sheet.seen
    place = (seen.width, seen.height, seen.left, seen.top) if seen else (sheet.width, sheet.height, 0.0, 0.0)
    width, height, left, top = (round(each, 1) for each in place)
    turned, lean = (seen.turned, round(seen.lean, 5)) if seen else (0, 0.0)
    return {"page": page, "width": width, "height": height, "left": left, "top": top, "turned": turned, "lean": lean}


def _table(found: Found) -> dict[str, Any]:
    table = found.table
    edges = zip(table.columns, table.columns[1:], strict=False)
    return {
        "pages": [page + 1 for page in found.pages],
        "rows": len(table.rows) - 1,
        "columns": len(table.columns) - 1,
        "ruled": table.ruled,
        "widths": [round(right - left, 1) for left, right in edges],
        "cells": [_cell(cell, found.page_of(cell)) for cell in table.cells],
    }


def _cell(cell: Cell, page: int) -> dict[str, Any]:
    made = {
        "row": cell.row,
        "column": cell.column,
        "rows": cell.rows,
        "columns": cell.columns,
        "text": text_in(cell),
        "score": round(cell.score, 3),
        "box": [round(value, 1) for value in cell.box],
        "page": page + 1,
    }
    return made | {key: value for key, value in _look(cell).items() if value}


def _look(cell: Cell) -> dict[str, Any]:
    return {
        "bold": bool(cell.lines) and all(line.bold for line in cell.lines),
        "align": _align(cell),
        "fill": "" if cell.fill is None else f"{cell.fill:06X}",
        "kind": cell.kind if cell.kind != "auto" else "",
    }


def _align(cell: Cell) -> Align | Literal[""]:
    """As a workbook shows it: where nothing else is said numbers and dates stand at the right."""
    align: Align = getattr(cell.blocks[0], "align", "left") if cell.blocks else "left"
    if align != "left":
        return align
    return "right" if cell.kind != "text" and value_of(text_in(cell)).form else ""


def read_back(path: Path) -> tuple[list[Found], list[dict[str, Any]]] | None:
    """The tables and sheets of JSON that `told` wrote and somebody may have changed; None when it is no such thing.

    Every place of a table belongs to one cell at most.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        data = _Data.model_validate_json(path.read_bytes())
    except ValidationError:
        return None
    return [each.read() for each in data.tables], [each.model_dump() for each in data.sheets]


_Far = Annotated[FiniteFloat, Field(ge=-1_000_000, le=1_000_000)]
_Page = Annotated[int, Field(ge=1, le=100_000)]
_Count = Annotated[int, Field(ge=1, le=1_000_000)]
_Place = Annotated[int, Field(ge=0, lt=1_000_000)]


class _Cell(BaseModel):
    row: _Place
    column: _Place
    rows: _Count = 1
    columns: _Count = 1
    text: str = Field(default="", max_length=32_000)
    score: float = Field(default=1.0, ge=0, le=1)
    box: tuple[_Far, _Far, _Far, _Far] = (0.0, 0.0, 0.0, 0.0)
    page: _Page | None = None
    bold: bool = False
    align: Align | Literal[""] = ""
    fill: str = Field(default="", pattern=r"^([0-9A-Fa-f]{6})?$")
    kind: CellKind | Literal[""] = ""

    def read(self) -> Cell:
        box: Box = self.box
        line = TextLine(box, box[3], (Span(self.text, _BOLD if self.bold else _FONT),), score=self.score)
        block = Paragraph([line], 0, align=self.align or "left")
        place = self.row, self.column, self.rows, self.columns
        fill = int(self.fill, 16) if self.fill else None
        return Cell(*place, box, (block,), fill, self.text, self.kind or "auto")


class _Table(BaseModel):
    pages: Sequence[_Page] = Field(min_length=1)
    rows: _Count
    columns: Annotated[int, Field(ge=1, le=16_384)]
    ruled: bool = False
    widths: Sequence[Annotated[float, Field(ge=0, le=1_000_000)]] = ()
    cells: Sequence[_Cell]

    @model_validator(mode="after")
    def _fits(self) -> "_Table":
        if self.rows * self.columns > _MOST_PLACES:
            raise ValueError("too large")
        taken: set[tuple[int, int]] = set()
        for cell in self.cells:
            if cell.row + cell.rows > self.rows or cell.column + cell.columns > self.columns:
                raise ValueError("outside")
            down, right = range(cell.row, cell.row + cell.rows), range(cell.column, cell.column + cell.columns)
            own = [(row, column) for row in down for column in right]
            if not taken.isdisjoint(own):
                raise ValueError("two cells in one place")
            taken.update(own)
        return self

    def read(self) -> Found:
        wide = [*self.widths, *[60.0] * self.columns][: self.columns]
        columns, rows = [0.0, *accumulate(wide)], [float(at) for at in range(self.rows + 1)]
        ordered = sorted(self.cells, key=lambda each: (each.row, each.column))
        first: dict[int, int] = {}
        for cell in ordered:
            first.setdefault(cell.page or self.pages[0], cell.row)
        pages = tuple(page - 1 for page in first) or (self.pages[0] - 1,)
        table = Table(columns, rows, [each.read() for each in ordered], pages[0], self.ruled)
        return Found(table, pages, 0, (0, *list(first.values())[1:]))


class _Sheet(BaseModel):
    page: _Page
    width: _Far
    height: _Far
    left: _Far = 0.0
    top: _Far = 0.0
    turned: Literal[0, 90, 180, 270] = 0
    lean: _Far = 0.0


class _Data(BaseModel):
    sheets: Sequence[_Sheet] = ()
    tables: Sequence[_Table] = Field(min_length=1)
