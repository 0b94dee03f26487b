"""PDF to Excel: the tables of a PDF as sheets, numbers as numbers."""

from typing import TYPE_CHECKING, Annotated

from cluster.correcting import Corrected
from cluster.fields import Pages, Toggle, shown
from cluster.kinds import JSON, XLSX
from cluster.reading import Ocr, Reading, ReadLanguage, read
from cluster.tabling import Sheets, Tables, corrected_in, fill, found_in, plan_tables, tell, write_data
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
    corrected: Corrected = ()


def convert(work: Work[Options]) -> None:
    """Find the tables, then write them; a document without any comes line by line."""
    from cluster.engines.export.workbook import Workbook

    book = Workbook(numbers=work.options.numbers)
    tables = corrected_in(work) or _read(work, book)
    if tables.found:
        fill(work, book, tables.found, work.options.sheets)
    book.save(work.output(XLSX, source=tables.source).path)
    if tables.found:
        write_data(work, tables)
    tell(work, tables.found)
    if book.typed:
        work.note("kept", "numbers_made", count=book.typed)


def _read(work: Work[Options], book: "Workbook") -> Tables:
    """The document's tables; where it has none, its text is in the book."""
    reading = read(work, pictures=False)
    tables = found_in(work, reading, join=work.options.join and work.options.sheets != "page")
    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    if not tables.found:
        _fill_text(work, book, reading)
    return tables


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
    gives=(XLSX, JSON),
    options=Options,
    run=convert,
    plan=plan_tables,
    suffix=("转Excel", "excel"),
    icon="file-spreadsheet",
    review="table",
    bounds=Bounds(base=60, per_mib=5.0, per_page=1.5, cap=1800),
)
