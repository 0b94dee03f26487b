"""Tables that were found or corrected, written as people asked: a workbook, csv, JSON, Markdown, HTML; what is told.

Beside every result lies JSON with the place and certainty of each cell: corrected, it comes back in the option
`corrected`, and everything is written anew from it without reading the document.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cluster.areas import Drawn, tell_areas
from cluster.correcting import correction_of
from cluster.fields import shown
from cluster.kinds import CSV, HTML, JSON, MD, XLSX
from cluster.problem import InputProblem
from cluster.reading import Reading, plan, source_of
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
    Literal["xlsx", "csv", "json", "md", "html"],
    shown(
        "输出",
        "Result",
        "choice",
        choices={
            "xlsx": ("Excel", "Excel"),
            "csv": ("CSV", "CSV"),
            "json": ("JSON", "JSON"),
            "md": ("Markdown", "Markdown"),
            "html": ("HTML", "HTML"),
        },
    ),
]


@dataclass(frozen=True)
class Tables:
    """The tables of a document, whose pages count in it from 0, and how those pages were seen, as JSON."""

    source: Source
    found: "list[Found]"
    seen: Sequence[Mapping[str, Any]]


def found_in(work: Work[Any], reading: Reading, *, join: bool, drawn: Drawn | None = None) -> Tables:
    """The tables of what was read: in the areas that were drawn, and on pages without any wherever they are found."""
    from cluster.engines.export.table_data import seen_on
    from cluster.engines.layout.tables import tables

    numbers, drawn = reading.numbers, drawn or {}
    areas = {at: drawn[page] for at, page in enumerate(numbers) if page in drawn}
    found = tables(reading.sheets, join=join, areas=areas)
    tell_areas(work, reading, drawn)
    at_home = [replace(each, pages=tuple(numbers[page] - 1 for page in each.pages)) for each in found]
    seen = [seen_on(sheet, number) for sheet, number in zip(reading.sheets, numbers, strict=True)]
    return Tables(reading.source, at_home, seen)


def some_in(work: Work[Any], reading: Reading, *, join: bool, drawn: Drawn) -> Tables:
    """As `found_in`. Raises areas_empty where nothing is written in what was drawn, else no_table_found."""
    tables = found_in(work, reading, join=join, drawn=drawn)
    if not tables.found:
        raise InputProblem("areas_empty" if drawn else "no_table_found", file=reading.source.name)
    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    return tables


def corrected_in(work: Work[Any]) -> Tables | None:
    """The tables as somebody corrected them, if so. Raises correction_unfit when the data is no such thing."""
    from cluster.engines.export.table_data import read_back

    source = source_of(work)
    path = correction_of(work, source)
    if path is None:
        return None
    data = read_back(path)
    if data is None:
        raise InputProblem("correction_unfit", file=source.name)
    return Tables(source, *data)


def plan_tables(work: Work[Any]) -> list[dict[str, Any]]:
    """A share for each document; what was corrected is written without a look into it."""
    if work.options.corrected:
        return [{"file": index} for index in range(len(work.sources))]
    return plan(work)


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


def write(work: Work[Any], tables: Tables, form: str, sheets: SheetsOf = "table") -> None:
    """The tables as files of that format, with their data; csv has one a table, the others one in all."""
    source, found = tables.source, tables.found
    if form == "xlsx":
        _write_excel(work, source, found, sheets)
    elif form == "csv":
        _write_csv(work, source, found)
    elif form == "md":
        _write_markdown(work, source, found)
    elif form == "html":
        _write_html(work, source, found)
    write_data(work, tables)


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


def write_data(work: Work[Any], tables: Tables) -> None:
    """Every cell with its place and certainty, as JSON."""
    from cluster.engines.export.table_data import told

    text = json.dumps(told(tables.found, tables.seen), ensure_ascii=False, separators=(",", ":"))
    work.output(JSON, source=tables.source).path.write_text(text, encoding="utf-8")


def _write_markdown(work: Work[Any], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_markdown

    text = "\n".join(as_markdown(each.table) for each in found)
    work.output(MD, source=source).path.write_text(text, encoding="utf-8")


def _write_html(work: Work[Any], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_html

    text = as_html((each.table for each in found), work.language)
    work.output(HTML, source=source).path.write_text(text, encoding="utf-8")


def tell(work: Work[Any], found: "list[Found]") -> None:
    """Receipt: how many tables, which were joined, and the cells that somebody should look at."""
    from cluster.engines.layout.line import SURE

    if found:
        work.note("kept", "tables_found", count=len(found))
    if joined := sum(len(each.pages) > 1 for each in found):
        work.note("kept", "tables_joined", count=joined)
    if dropped := sum(each.dropped for each in found):
        work.note("changed", "headers_dropped", count=dropped)
    if doubtful := sum(cell.score < SURE for each in found for cell in each.table.cells):
        work.note("told", "cells_doubtful", count=doubtful)
