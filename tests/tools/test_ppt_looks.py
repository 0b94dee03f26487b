"""PDF to PPT: slides look like their pages: rules as thick as they are drawn, and piece by piece."""

from pathlib import Path
from typing import Any

import pytest

from cluster.engines.pdf.libraries import import_pymupdf
from tests.running import run_tool
from tests.tools.test_pdf_to_ppt import converted, word_places


def pieced(path: Path) -> Path:
    """A table as spreadsheets draw it: each cell's own strokes, 1.5 points thick; its heads reach over columns."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page = document.new_page(width=500, height=300)
        for row, (top, bottom) in enumerate(((50, 80), (80, 95), (95, 125), (125, 155))):
            for left in range(50, 410, 60):
                page.draw_line((left, top), (left + 60, top), width=1.5, color=(0.4, 0.4, 0.4))
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
    assert 'w="19050"' in table._tbl.xml and 'val="666666"' in table._tbl.xml and 'w="6350"' not in table._tbl.xml


def headed(path: Path) -> Path:
    """A table with heads over a low second row, whose cells go over both rows, two lines in the first, one below."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=200)
        for row, y in enumerate((50, 80, 90, 120, 150)):
            page.draw_line((50 if row != 1 else 230, y), (350, y))
        for x in (50, 140, 230, 290, 350):
            page.draw_line((x, 50), (x, 150))
        for x, text in ((60, "Height"), (150, "Radius")):
            page.insert_text((x, 62), text, fontsize=8)
            page.insert_text((x, 72), "of the lift", fontsize=8)
            page.insert_text((x, 87.5), "END", fontsize=8)
        for x in (60, 150, 240, 300):
            page.insert_text((x, 68), "" if x < 240 else "Reach", fontsize=8)
            page.insert_text((x, 87.5), "" if x < 240 else "@", fontsize=8)
            for y in (108, 138):
                page.insert_text((x, y), f"{x}.{y}", fontsize=8)
        document.save(path)
    return path


@pytest.mark.started
def test_no_row_grows_by_heads_that_go_over_several(tmp_path: Path, office_engine: object) -> None:
    path = headed(tmp_path / "headed.pdf")
    deck, ran = converted(tmp_path, path, ocr="off")
    (table,) = tables(deck)
    assert [row.cells[0].text for row in table.rows][:3] == ["Height\nof the lift", "END", "60.108"]
    (back,) = run_tool("ppt_to_pdf", tmp_path / "back", [ran.path]).outputs
    before, after = word_places(path), word_places(back.path)
    steps = [two[2] - one[2] for one, two in zip(before, after, strict=True)]
    assert max(steps) - min(steps) < 1.5
