"""PDF to Word: flowing paragraphs, lists and tables, or pages that look exactly like the PDF's."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import DOCX
from cluster.reading import Ocr, Reading, ReadLanguage, plan, read, write_word
from cluster.tool import Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.layout.model import Sheet

#: Fonts named on the receipt.
_NAMED = 6


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
    exact = work.options.layout == "exact"
    reading = read(work, pictures=work.options.pictures and not exact, grounds=exact)
    if not any(sheet.lines or sheet.pictures or sheet.background for sheet in reading.sheets):
        work.note("told", "nothing_read")
    if exact:
        _write_exact(work, reading)
    else:
        write_word(work, reading)
    if fonts := _fonts(reading.sheets):
        work.note("told", "fonts_named", detail=", ".join(fonts))


def _write_exact(work: Work[Options], reading: Reading) -> None:
    from cluster.engines.export.word_exact import write_exact

    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    write_exact(reading.sheets, work.output(DOCX, source=reading.source).path, reading.source.stem)


def _fonts(sheets: "Sequence[Sheet]") -> list[str]:
    """The families that the result names, the commonest first."""
    from cluster.engines.export.word_xml import family

    count: Counter[str] = Counter()
    for sheet in sheets:
        for span in (span for line in sheet.lines for span in line.spans):
            count[family(span.style.font)] += len(span.text)
    return [name for name, _ in count.most_common(_NAMED)]


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
