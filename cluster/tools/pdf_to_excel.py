"""PDF to Excel: the tables of a PDF as sheets, numbers as numbers."""

from typing import TYPE_CHECKING, Annotated, Literal

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import XLSX
from cluster.reading import Ocr, Reading, ReadLanguage, plan, read
from cluster.tool import Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.export.workbook import Workbook
    from cluster.engines.layout.tables import Found


@options
class Options:
    sheets: Annotated[
        Literal["table", "page", "one"],
        shown(
            "工作表",
            "Sheets",
            "choice",
            choices={
                "table": ("每个表格一张", "One a table"),
                "page": ("每页一张", "One a page"),
                "one": ("全部放在一张", "All in one"),
            },
        ),
    ] = "table"
    pages: Pages = ""
    join: Annotated[
        Toggle,
        shown(
            "合并跨页的表格",
            "Join tables across pages",
            "toggle",
            hint=("重复的表头只留一次", "Repeated header rows are kept once"),
        ),
    ] = True
    numbers: Annotated[
        Toggle,
        shown(
            "数字存为数值",
            "Numbers as numbers",
            "toggle",
            hint=("日期、百分比、金额也一样；编号前面的 0 保留", "Dates, percent and money too; leading zeros stay"),
        ),
    ] = True
    ocr: Ocr = "auto"
    language: ReadLanguage = "auto"


def convert(work: Work[Options]) -> None:
    """Find the tables, then write them; a document without any comes line by line."""
    from cluster.engines.export.workbook import Workbook
    from cluster.engines.layout.tables import tables

    reading = read(work, pictures=False)
    found = tables(reading.sheets, join=work.options.join and work.options.sheets != "page")
    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    book = Workbook(numbers=work.options.numbers)
    if found:
        _fill(work, book, found)
    else:
        _fill_text(work, book, reading)
    book.save(work.output(XLSX, source=reading.source).path)
    _tell(work, book, found)


def _fill(work: Work[Options], book: "Workbook", found: "list[Found]") -> None:
    zh = work.language == "zh"
    groups: dict[str, list[Found]] = {}
    for number, each in enumerate(found, 1):
        page = each.pages[0] + 1
        title = {
            "table": f"表{number}（第{page}页）" if zh else f"Table {number} (page {page})",
            "page": f"第{page}页" if zh else f"Page {page}",
            "one": "表格" if zh else "Tables",
        }[work.options.sheets]
        groups.setdefault(title, []).append(each)
    for title, own in groups.items():
        sheet = book.sheet(title)
        for number, each in enumerate(own):
            if number:
                sheet.space()
            sheet.add(each.table)


def _fill_text(work: Work[Options], book: "Workbook", reading: Reading) -> None:
    """Lines as rows: what is aligned by tabs still falls into columns."""
    from cluster.engines.layout.rows import level

    one = book.sheet("文字" if work.language == "zh" else "Text")
    for sheet in reading.sheets:
        for line in level(sheet.lines):
            one.add_text(line.text)
    work.note("told", "no_table_lines")


def _tell(work: Work[Options], book: "Workbook", found: "list[Found]") -> None:
    counts = {
        "tables_found": len(found),
        "tables_joined": sum(len(each.pages) > 1 for each in found),
        "headers_dropped": sum(each.dropped for each in found),
        "numbers_made": book.typed,
    }
    for what, count in counts.items():
        if count:
            work.note("kept" if what != "headers_dropped" else "changed", what, count=count)
    if book.doubtful:
        work.note("told", "cells_doubtful", count=book.doubtful)


TOOL = Tool(
    id=10,
    key="pdf_to_excel",
    route="/Pdf2Excel",
    group=Group.CONVERT,
    gives=(XLSX,),
    options=Options,
    run=convert,
    plan=plan,
    suffix=("转Excel", "excel"),
    icon="file-spreadsheet",
    bounds=Bounds(base=60, per_mib=5.0, per_page=1.5, cap=1800),
)
