"""PDF to PowerPoint: slides of text boxes, pictures and tables where they were, or of pictures of the pages."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Pages, shown
from cluster.kinds import PPTX
from cluster.pages import format_pages
from cluster.reading import Ocr, ReadLanguage, begin, name_fonts, plan, read
from cluster.tool import Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.export.slides import Made


@options
class Options:
    mode: Annotated[
        Literal["editable", "exact"],
        shown(
            "方式",
            "Mode",
            "choice",
            choices={"editable": ("可编辑", "Editable"), "exact": ("整页图片", "Pictures of pages")},
            hint=(
                "“可编辑”的文字、图片、表格都能改；“整页图片”与原页完全一样，文字放在备注里",
                "Editable text, pictures and tables; or each page as one picture, with its text as notes",
            ),
        ),
    ] = "editable"
    pages: Pages = ""
    dpi: Annotated[
        int,
        Field(ge=72, le=300),
        shown("图片分辨率", "Resolution of pictures", "number", unit="dpi", when={"mode": ["exact"]}),
    ] = 288  # whole pixels for each of a screen's, at 96 or 144 an inch: edges stay where they are
    ocr: Ocr = "auto"
    language: ReadLanguage = "auto"


def convert(work: Work[Options]) -> None:
    """Read the pages, then write each as a slide."""
    from cluster.engines.export.slides import write_editable, write_pictured

    exact = work.options.mode == "exact"
    reading = read(work, pictures=not exact, ground="page" if exact else "drawn", dpi=work.options.dpi)
    output = begin(work, reading, PPTX)
    write = write_pictured if exact else write_editable
    made = write(reading.sheets, output.path, reading.source.stem)
    _tell(work, made)
    if not exact:
        name_fonts(work, reading)


def _tell(work: Work[Options], made: "Made") -> None:
    exact = work.options.mode == "exact"
    counts = {
        "slides_pictured" if exact else "pictures_kept": made.pictures,
        "notes_made" if exact else "boxes_made": made.texts,
        "slide_tables_made": made.tables,
    }
    for what, count in counts.items():
        if count:
            work.note("kept", what, count=count)
    if made.fitted:
        work.note("changed", "slides_fitted", count=len(made.fitted), detail=format_pages(at + 1 for at in made.fitted))


TOOL = Tool(
    id=11,
    key="pdf_to_ppt",
    route="/Pdf2Ppt",
    group=Group.CONVERT,
    gives=(PPTX,),
    options=Options,
    run=convert,
    plan=plan,
    suffix=("转PPT", "slides"),
    icon="presentation",
    bounds=Bounds(base=60, per_mib=5.0, per_page=1.5, cap=1800),
)
