"""PDF recognise table: the tables of a PDF, scans too, as Excel, csv, JSON, Markdown or HTML."""

from typing import Annotated

from cluster.areas import Areas, areas_on
from cluster.correcting import Corrected
from cluster.fields import Pages, Toggle, shown
from cluster.kinds import CSV, HTML, JSON, MD, XLSX
from cluster.reading import Ocr, ReadLanguage, read, source_of
from cluster.tabling import Format, Tables, corrected_in, plan_tables, some_in, tell, write
from cluster.tool import Bounds, Group, Tool, Work, options


@options
class Options:
    output: Format = "xlsx"
    pages: Pages = ""
    join: Annotated[Toggle, shown("合并跨页的表格", "Join tables across pages", "toggle")] = True
    ocr: Ocr = "auto"
    language: ReadLanguage = "auto"
    areas: Areas = ()
    corrected: Corrected = ()


def recognise(work: Work[Options]) -> None:
    """Find the tables and write them as asked."""
    tables = corrected_in(work) or _read(work)
    write(work, tables, work.options.output)
    tell(work, tables.found)


def _read(work: Work[Options]) -> Tables:
    drawn = areas_on(work, source_of(work))
    reading = read(work, pictures=False, areas=drawn)
    return some_in(work, reading, join=work.options.join, drawn=drawn)


TOOL = Tool(
    id=28,
    key="pdf_table",
    route="/PdfTable",
    group=Group.RECOGNISE,
    gives=(XLSX, CSV, JSON, MD, HTML),
    options=Options,
    run=recognise,
    plan=plan_tables,
    suffix=("表格", "tables"),
    icon="table",
    editor="areas",
    review="table",
    bounds=Bounds(base=60, per_mib=5.0, per_page=1.5, cap=1800),
)
