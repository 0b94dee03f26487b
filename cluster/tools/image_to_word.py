"""Image recognise word: pictures of pages as Word, with paragraphs, headings, tables and pictures."""

from typing import Annotated

from cluster.fields import Toggle, shown
from cluster.flowing import write_word
from cluster.kinds import DOCX, PICTURES
from cluster.reading import PictureLanguage, Turn, read_pictures
from cluster.tool import Bounds, Group, Lane, Tool, Work, options


@options
class Options:
    language: PictureLanguage = "auto"
    turn: Turn = True
    pictures: Annotated[Toggle, shown("保留图片", "Keep pictures", "toggle", advanced=True)] = True


def recognise(work: Work[Options]) -> None:
    """Read every page of the picture, then write them as one document."""
    from cluster.engines.export.workbook import SURE

    reading = read_pictures(work, pictures=work.options.pictures, flat=True)
    write_word(work, reading)
    if doubtful := sum(line.score < SURE for sheet in reading.sheets for line in sheet.lines):
        work.note("told", "lines_doubtful", count=doubtful)


TOOL = Tool(
    id=30,
    key="image_to_word",
    route="/Image2Word",
    group=Group.RECOGNISE,
    lane=Lane.OCR,
    accepts=PICTURES,
    gives=(DOCX,),
    options=Options,
    run=recognise,
    suffix=("转Word", "word"),
    icon="file-type",
    bounds=Bounds(base=60, per_mib=10.0, per_page=10.0),
)
