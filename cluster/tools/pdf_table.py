"""PDF recognise table: the tables of a PDF, scans too, as Excel, csv, JSON or Markdown."""

import json
from typing import TYPE_CHECKING, Annotated, Literal

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import CSV, JSON, MD, XLSX
from cluster.problem import InputProblem
from cluster.reading import Ocr, ReadLanguage, plan, read
from cluster.tool import Bounds, Group, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.layout.tables import Found

#: A byte order mark: without it Excel takes UTF-8 for the system's own code page.
_BOM = "\ufeff"


@options
class Options:
    output: Annotated[
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
    ] = "xlsx"
    pages: Pages = ""
    join: Annotated[Toggle, shown("合并跨页的表格", "Join tables across pages", "toggle")] = True
    ocr: Ocr = "auto"
    language: ReadLanguage = "auto"


def recognise(work: Work[Options]) -> None:
    """Find the tables and write them as asked."""
    from cluster.engines.layout.tables import tables

    reading = read(work, pictures=False)
    found = tables(reading.sheets, join=work.options.join)
    if not found:
        raise InputProblem("no_table_found", file=reading.source.name)
    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    _WRITERS[work.options.output](work, reading.source, found)
    work.note("kept", "tables_found", count=len(found))
    if joined := sum(len(each.pages) > 1 for each in found):
        work.note("kept", "tables_joined", count=joined)
    if dropped := sum(each.dropped for each in found):
        work.note("changed", "headers_dropped", count=dropped)
    _tell_doubt(work, found)


def _tell_doubt(work: Work[Options], found: "list[Found]") -> None:
    from cluster.engines.export.workbook import SURE

    if doubtful := sum(cell.score < SURE for each in found for cell in each.table.cells):
        work.note("told", "cells_doubtful", count=doubtful)


def _excel(work: Work[Options], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.workbook import Workbook

    book = Workbook()
    for number, each in enumerate(found, 1):
        page = each.pages[0] + 1
        zh = work.language == "zh"
        book.sheet(f"表{number}（第{page}页）" if zh else f"Table {number} (page {page})").add(each.table)
    book.save(work.output(XLSX, source=source).path)


def _csv(work: Work[Options], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_csv

    for number, each in enumerate(found, 1):
        tail = f"_{number}" if len(found) > 1 else ""
        path = work.output(CSV, source=source, tail=tail).path
        path.write_text(_BOM + as_csv(each.table), encoding="utf-8", newline="")


def _json(work: Work[Options], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_data

    data = {"tables": [as_data(each) for each in found]}
    work.output(JSON, source=source).path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


def _markdown(work: Work[Options], source: Source, found: "list[Found]") -> None:
    from cluster.engines.export.table_text import as_markdown

    text = "\n".join(as_markdown(each.table) for each in found)
    work.output(MD, source=source).path.write_text(text, encoding="utf-8")


_WRITERS = {"xlsx": _excel, "csv": _csv, "json": _json, "md": _markdown}

TOOL = Tool(
    id=28,
    key="pdf_table",
    route="/PdfTable",
    group=Group.RECOGNISE,
    gives=(XLSX, CSV, JSON, MD),
    options=Options,
    run=recognise,
    plan=plan,
    suffix=("表格", "tables"),
    icon="table",
    bounds=Bounds(base=60, per_mib=5.0, per_page=1.5, cap=1800),
)
