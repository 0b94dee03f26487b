"""What was read as a Word document that flows, for the tools that make one of PDFs and of pictures."""

from typing import TYPE_CHECKING, Any

from cluster.kinds import DOCX
from cluster.reading import Reading, begin
from cluster.tool import Work

if TYPE_CHECKING:
    from cluster.engines.layout.model import Document


def write_word(work: Work[Any], reading: Reading) -> None:
    """What was read as a Word document that flows, and what became of it."""
    from cluster.engines.export.word_flow import write_flow
    from cluster.engines.layout.document import compose

    output, document = begin(work, reading, DOCX), compose(reading.sheets)
    write_flow(document, output.path, reading.source.stem)
    _tell_document(work, reading, document)


def _tell_document(work: Work[Any], reading: Reading, document: "Document") -> None:
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
    if drawn := sum(picture.drawn for sheet in reading.sheets for picture in sheet.pictures):
        work.note("told", "drawings_pictured", count=drawn)
    if any(any(each.usual) for each in document.running):
        work.note("kept", "margins_made")
