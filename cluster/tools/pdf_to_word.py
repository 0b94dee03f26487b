"""PDF to Word: flowing paragraphs, lists and tables, or pages that look exactly like the PDF's."""

from typing import TYPE_CHECKING, Annotated, Literal

from cluster.fields import Pages, Toggle, shown
from cluster.kinds import DOCX
from cluster.reading import Ocr, ReadLanguage, begin, name_fonts, plan, read
from cluster.tool import Bounds, Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.layout.model import Document


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
    from cluster.engines.export.word_flow import write_flow
    from cluster.engines.layout.document import compose

    exact = work.options.layout == "exact"
    reading = read(work, pictures=work.options.pictures and not exact, ground="textless" if exact else None)
    output = begin(work, reading, DOCX)
    if exact:
        write_exact(reading.sheets, output.path, reading.source.stem)
    else:
        document = compose(reading.sheets)
        write_flow(document, output.path, reading.source.stem)
        _tell(work, document)
    name_fonts(work, reading)


def _tell(work: Work[Options], document: "Document") -> None:
    from cluster.engines.layout.model import Figure, Paragraph, Table

    blocks = document.blocks
    cells = [block for table in document.tables for cell in table.cells for block in cell.blocks]
    paragraphs = [block for block in blocks if isinstance(block, Paragraph)]
    counts = {
        "headings_made": sum(text.kind == "heading" for text in paragraphs),
        "items_made": sum(text.kind == "item" for text in paragraphs),
        "tables_made": sum(isinstance(block, Table) for block in blocks),
        "pictures_kept": sum(isinstance(block, Figure) for block in (*blocks, *cells)),
        "footnotes_made": len(document.notes),
    }
    for what, count in counts.items():
        if count:
            work.note("kept", what, count=count)
    if document.header or document.footer:
        work.note("kept", "margins_made")


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
