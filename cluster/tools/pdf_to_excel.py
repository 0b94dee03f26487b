"""PDF to Excel: the tables of a PDF as sheets, numbers as numbers."""

from typing import TYPE_CHECKING, Annotated

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import XLSX
from cluster.reading import Ocr, Reading, ReadLanguage, plan, read
from cluster.tabling import Sheets, fill, tell
from cluster.tool import Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.export.workbook import Workbook


@options
class Options:
    sheets: Sheets = "table"
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
        fill(work, book, found, work.options.sheets)
    else:
        _fill_text(work, book, reading)
    book.save(work.output(XLSX, source=reading.source).path)
    tell(work, found)
    if book.typed:
        work.note("kept", "numbers_made", count=book.typed)


def _fill_text(work: Work[Options], book: "Workbook", reading: Reading) -> None:
    """Lines as rows: what is aligned by tabs still falls into columns."""
    from cluster.engines.layout.rows import level

    one = book.sheet("文字" if work.language == "zh" else "Text")
    for sheet in reading.sheets:
        for line in level(sheet.lines):
            one.add_text(line.text)
    work.note("told", "no_table_lines")


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
