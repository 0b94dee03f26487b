"""PDF recognise table: the tables of a PDF, scans too, as Excel, csv, JSON or Markdown."""

from typing import Annotated

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import CSV, JSON, MD, XLSX
from cluster.problem import InputProblem
from cluster.reading import Ocr, ReadLanguage, plan, read
from cluster.tabling import Format, tell, write
from cluster.tool import Bounds, Group, Tool, Work, options


@options
class Options:
    output: Format = "xlsx"
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
    write(work, reading.source, found, work.options.output)
    tell(work, found)


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
