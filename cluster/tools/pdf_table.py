"""PDF recognise table: the tables of a PDF, scans too, as Excel, csv, JSON or Markdown."""

from typing import Annotated

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import CSV, JSON, MD, XLSX
from cluster.problem import InputProblem
from cluster.reading import Ocr, ReadLanguage, read
from cluster.tabling import Corrected, Format, Tables, corrected_in, found_in, plan_tables, tell, write
from cluster.tool import Bounds, Group, Tool, Work, options


@options
class Options:
    output: Format = "xlsx"
    pages: Pages = ""
    join: Annotated[Toggle, shown("合并跨页的表格", "Join tables across pages", "toggle")] = True
    ocr: Ocr = "auto"
    language: ReadLanguage = "auto"
    corrected: Corrected = ()


def recognise(work: Work[Options]) -> None:
    """Find the tables and write them as asked."""
    tables = corrected_in(work) or _read(work)
    write(work, tables, work.options.output)
    tell(work, tables.found)


def _read(work: Work[Options]) -> Tables:
    reading = read(work, pictures=False)
    tables = found_in(reading, join=work.options.join)
    if not tables.found:
        raise InputProblem("no_table_found", file=reading.source.name)
    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    return tables


TOOL = Tool(
    id=28,
    key="pdf_table",
    route="/PdfTable",
    group=Group.RECOGNISE,
    gives=(XLSX, CSV, JSON, MD),
    options=Options,
    run=recognise,
    plan=plan_tables,
    suffix=("表格", "tables"),
    icon="table",
    review="table",
    bounds=Bounds(base=60, per_mib=5.0, per_page=1.5, cap=1800),
)
