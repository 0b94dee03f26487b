"""Tables that were found, written as people asked: sheets of a workbook, csv, JSON or Markdown; and what is told."""

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cluster.fields import shown
from cluster.kinds import CSV, JSON, MD, XLSX
from cluster.tool import Source, Work

if TYPE_CHECKING:
    from cluster.engines.export.workbook import Workbook
    from cluster.engines.layout.tables import Found

#: A byte order mark: without it Excel takes UTF-8 for the system's own code page.
_BOM = "\ufeff"

SheetsOf = Literal["table", "page", "one"]
_SHEETS = {
    "table": ("每个表格一张", "One a table"),
    "page": ("每页一张", "One a page"),
    "one": ("全部放在一张", "All in one"),
}
Sheets = Annotated[SheetsOf, shown("工作表", "Sheets", "choice", choices=_SHEETS)]
SheetsOfExcel = Annotated[
    SheetsOf, shown("工作表", "Sheets", "choice", choices=_SHEETS, when={"output": ["xlsx"]}, advanced=True)
]
Format = Annotated[
    Literal["xlsx", "csv", "json", "md"],
    shown(
        "输出",
        "Result",
        "choice",
        choices={
            "xlsx": ("Excel", "Excel"),
            "csv": ("CSV", "CSV"),
            "json": ("JSON", "JSON"),
            "md": ("Markdown", "Markdown"),
        },
    ),
]


def fill(work: Work[Any], book: "Workbook", found: "list[Found]", sheets: SheetsOf) -> None:
    """The tables in sheets of the workbook: one of each table, of each page, or of all."""
    zh = work.language == "zh"
    groups: dict[str, list[Found]] = {}
    for number, each in enumerate(found, 1):
        page = each.pages[0] + 1
        title = {
            "table": f"表{number}（第{page}页）" if zh else f"Table {number} (page {page})",
            "page": f"第{page}页" if zh else f"Page {page}",
            "one": "表格" if zh else "Tables",
        }[sheets]
        groups.setdefault(title, []).append(each)
    for title, own in groups.items():
        sheet = book.sheet(title)
        for number, each in enumerate(own):
            if number:
                sheet.space()
            sheet.add(each.table)


def write(work: Work[Any], source: Source, found: "list[Found]", form: str, sheets: SheetsOf = "table") -> None:
    """The tables as files of that format: csv has one a table, the others one in all."""
    if form == "xlsx":
        _write_excel(work, source, found, sheets)
    elif form == "csv":
        _write_csv(work, source, found)
    elif form == "json":
        _write_json(work, source, found)
    else:
        _write_markdown(work, source, found)


def _write_excel(work: Work[Any], source: Source, found: "list[Found]", sheets: SheetsOf) -> None:
    from cluster.engines.export.workbook import Workbook

    book = Workbook()
    fill(work, book, found, sheets)
    book.save(work.output(XLSX, source=source).path)


def _write_csv(work: Work[Any], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_csv

    for number, each in enumerate(found, 1):
        tail = f"_{number}" if len(found) > 1 else ""
        path = work.output(CSV, source=source, tail=tail).path
        path.write_text(_BOM + as_csv(each.table), encoding="utf-8", newline="")


def _write_json(work: Work[Any], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_data

    data = {"tables": [as_data(each) for each in found]}
    work.output(JSON, source=source).path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


def _write_markdown(work: Work[Any], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_markdown

    text = "\n".join(as_markdown(each.table) for each in found)
    work.output(MD, source=source).path.write_text(text, encoding="utf-8")


def tell(work: Work[Any], found: "list[Found]") -> None:
    """Receipt: how many tables, which were joined, and the cells that somebody should look at."""
    from cluster.engines.export.workbook import SURE

    if found:
        work.note("kept", "tables_found", count=len(found))
    if joined := sum(len(each.pages) > 1 for each in found):
        work.note("kept", "tables_joined", count=joined)
    if dropped := sum(each.dropped for each in found):
        work.note("changed", "headers_dropped", count=dropped)
    if doubtful := sum(cell.score < SURE for each in found for cell in each.table.cells):
        work.note("told", "cells_doubtful", count=doubtful)
