"""PDF to Word: flowing paragraphs, lists and tables, or pages that look exactly like the PDF's."""

from typing import Annotated, Literal

from cluster.fields import Pages, Toggle, shown
from cluster.flowing import write_word
from cluster.kinds import DOCX
from cluster.reading import Ocr, ReadLanguage, begin, name_fonts, plan, read
from cluster.tool import Bounds, Group, Tool, Work, options


@options
class Options:
    layout: Annotated[
        Literal["flow", "exact"],
        shown(
            "版式",
            "Layout",
            "choice",
            choices={"flow": ("便于编辑", "Easy to edit"), "exact": ("与原页一致", "Like the page")},
            hint=(
                "“便于编辑”重排成段落、列表和表格；“与原页一致”每行固定在原来的位置",
                "“Easy to edit” makes paragraphs, lists and tables; “Like the page” fixes every line in its place",
            ),
        ),
    ] = "flow"
    pages: Pages = ""
    ocr: Ocr = "auto"
    language: ReadLanguage = "auto"
    pictures: Annotated[
        Toggle,
        shown("保留图片", "Keep pictures", "toggle", when={"layout": ["flow"]}, advanced=True),
    ] = True


def convert(work: Work[Options]) -> None:
    """Read the pages, then write them as one document."""
    from cluster.engines.export.word_exact import write_exact

    exact = work.options.layout == "exact"
    reading = read(work, pictures=work.options.pictures and not exact, ground="textless" if exact else None)
    if exact:
        write_exact(reading.sheets, begin(work, reading, DOCX).path, reading.source.stem)
    else:
        write_word(work, reading)
    name_fonts(work, reading)


TOOL = Tool(
    id=9,
    key="pdf_to_word",
    route="/Pdf2Word",
    group=Group.CONVERT,
    gives=(DOCX,),
    options=Options,
    run=convert,
    plan=plan,
    suffix=("转Word", "word"),
    icon="file-type",
    bounds=Bounds(base=60, per_mib=5.0, per_page=1.5, cap=1800),
)
