"""PDF to PPT: slides look like their pages: rules as thick as they are drawn, and piece by piece."""

from pathlib import Path
from typing import Any

from cluster.engines.pdf.libraries import import_pymupdf
from tests.tools.test_pdf_to_ppt import converted


def pieced(path: Path) -> Path:
    """A table as spreadsheets draw it: each cell's own strokes, 1.5 points thick; its heads reach over columns."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page = document.new_page(width=500, height=300)
        for row, (top, bottom) in enumerate(((50, 80), (80, 95), (95, 125), (125, 155))):
            for left in range(50, 410, 60):
                page.draw_line((left, top), (left + 60, top), width=1.5)
                if row != 1 or left in (50, 110, 230, 350):
                    page.draw_line((left, top + 1), (left, bottom), width=1.5)
                if row > 1:
                    page.insert_text((left + 8, bottom - 10), f"{row}{left}", fontsize=10)
            page.draw_line((410, top), (410, bottom), width=1.5)
        for left in range(50, 410, 60):
            page.draw_line((left, 155), (left + 60, 155), width=1.5)
        for left, text in ((58, "State"), (118, "North"), (238, "South"), (358, "All")):
            page.insert_text((left, 91), text, fontsize=9)
        page.insert_text((60, 70), "Year", fontsize=9)
        document.save(path)
    return path


def tables(deck: Any) -> list[Any]:
    return [shape.table for shape in deck.slides[0].shapes if shape.has_table]


def test_rules_drawn_piece_by_piece_make_one_table_and_are_as_thick(tmp_path: Path) -> None:
    deck, _ = converted(tmp_path, pieced(tmp_path / "pieced.pdf"), ocr="off")
    (table,) = tables(deck)
    assert [cell.text for cell in table.rows[1].cells if not cell.is_spanned] == ["State", "North", "South", "All"]
    assert 'w="19050"' in table._tbl.xml and 'w="6350"' not in table._tbl.xml
