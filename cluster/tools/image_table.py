"""Image recognise table: the tables of a picture as Excel, csv, JSON, Markdown or HTML."""

from cluster.areas import Areas, areas_on, in_points
from cluster.correcting import Corrected
from cluster.kinds import CSV, HTML, JSON, MD, PICTURES, XLSX
from cluster.shots import PictureLanguage, Turn, read_pictures
from cluster.tabling import Format, SheetsOfExcel, Tables, corrected_in, some_in, tell, write
from cluster.tool import Bounds, Group, Lane, Tool, Work, options


@options
class Options:
    output: Format = "xlsx"
    sheets: SheetsOfExcel = "table"
    language: PictureLanguage = "auto"
    turn: Turn = True
    areas: Areas = ()
    corrected: Corrected = ()


def recognise(work: Work[Options]) -> None:
    """Read every page of the picture, find the tables and write them as asked."""
    tables = corrected_in(work) or _read(work)
    write(work, tables, work.options.output, work.options.sheets)
    tell(work, tables.found)


def _read(work: Work[Options]) -> Tables:
    reading = read_pictures(work, pictures=False)
    drawn = in_points(work.source, areas_on(work, work.source), reading)
    return some_in(work, reading, join=work.options.sheets != "page", drawn=drawn)


TOOL = Tool(
    id=29,
    key="image_table",
    route="/ImageTable",
    group=Group.RECOGNISE,
    lane=Lane.OCR,
    accepts=PICTURES,
    gives=(XLSX, CSV, JSON, MD, HTML),
    options=Options,
    run=recognise,
    suffix=("表格", "tables"),
    icon="table",
    editor="areas",
    review="table",
    bounds=Bounds(base=60, per_mib=10.0, per_page=10.0),
)
