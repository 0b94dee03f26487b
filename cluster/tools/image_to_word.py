"""Image recognise word: pictures of pages as Word, with paragraphs, headings, tables and pictures."""

import json
from typing import Annotated

from cluster.correcting import Corrected, correction_of
from cluster.fields import Toggle, shown
from cluster.flowing import write_word
from cluster.kinds import DOCX, JSON, PICTURES
from cluster.shots import PictureLanguage, Turn, known_lines, lines_told, read_pictures
from cluster.tool import Bounds, Group, Lane, Tool, Work, options


@options
class Options:
    language: PictureLanguage = "auto"
    turn: Turn = True
    pictures: Annotated[Toggle, shown("保留图片", "Keep pictures", "toggle", advanced=True)] = True
    corrected: Corrected = ()


def recognise(work: Work[Options]) -> None:
    """Read every page of the picture, or take what somebody corrected of it; write one document, and the lines."""
    known = known_lines(work, correction_of(work, work.source))
    reading = read_pictures(work, pictures=work.options.pictures, flat=True, known=known)
    write_word(work, reading)
    data = {"language": work.options.language, "pages": reading.lines}
    work.output(JSON).path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    if doubtful := sum(line["doubtful"] for page in reading.lines for line in lines_told(page)):
        work.note("told", "lines_doubtful", count=doubtful)


TOOL = Tool(
    id=30,
    key="image_to_word",
    route="/Image2Word",
    group=Group.RECOGNISE,
    lane=Lane.OCR,
    accepts=PICTURES,
    gives=(DOCX, JSON),
    options=Options,
    run=recognise,
    suffix=("转Word", "word"),
    icon="file-type",
    review="lines",
    bounds=Bounds(base=60, per_mib=10.0, per_page=10.0),
)
