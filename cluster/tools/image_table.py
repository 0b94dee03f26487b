"""Image recognise table: the tables of a picture as Excel, csv, JSON or Markdown."""

from cluster.kinds import CSV, JSON, MD, PICTURES, XLSX
from cluster.problem import InputProblem
from cluster.reading import PictureLanguage, Turn, read_pictures
from cluster.tabling import Format, SheetsOfExcel, tell, write
from cluster.tool import Bounds, Group, Lane, Tool, Work, options


@options
class Options:
    output: Format = "xlsx"
    sheets: SheetsOfExcel = "table"
    language: PictureLanguage = "auto"
    turn: Turn = True


def recognise(work: Work[Options]) -> None:
    """Read every page of the picture, find the tables and write them as asked."""
    from cluster.engines.layout.tables import tables

    reading = read_pictures(work, pictures=False)
    found = tables(reading.sheets, join=work.options.sheets != "page")
    if not found:
        raise InputProblem("no_table_found", file=work.source.name)
    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    write(work, work.source, found, work.options.output, work.options.sheets)
    tell(work, found)


TOOL = Tool(
    id=29,
    key="image_table",
    route="/ImageTable",
    group=Group.RECOGNISE,
    lane=Lane.OCR,
    accepts=PICTURES,
    gives=(XLSX, CSV, JSON, MD),
    options=Options,
    run=recognise,
    suffix=("表格", "tables"),
    icon="table",
    bounds=Bounds(base=60, per_mib=10.0, per_page=10.0),
)
