"""PDF to Word, tables: what is drawn of them and what is not."""

from collections.abc import Sequence
from pathlib import Path

from cluster.engines.pdf.libraries import import_pymupdf
from tests.bench.word import written
from tests.running import run_tool

#: Rules that are flat (left, height, right) or upright (place, top, bottom), and texts at their places.
Rules = Sequence[tuple[float, float, float]]
Texts = Sequence[tuple[float, float, str]]
Page = tuple[Rules, Rules, Texts]


def drawn(path: Path, *pages: Page) -> Path:
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        for flat, upright, texts in pages:
            page = document.new_page(width=595, height=842)
            for left, y, right in flat:
                page.draw_line((left, y), (right, y))
            for x, top, bottom in upright:
                page.draw_line((x, top), (x, bottom))
            for x, y, text in texts:
                page.insert_text((x, y), text, fontsize=10)
        document.save(path)
    return path


def tables(path: Path) -> list[dict[str, tuple[int, int, int, int]]]:
    """The tables of the Word document: where each text stands, and over how many rows and columns."""
    ran = run_tool("pdf_to_word", path.with_suffix(""), [path])
    assert ran.problem is None, ran.problem
    return [{cell[4]: cell[:4] for cell in table if cell[4]} for table in written.read(ran.path).tables]


#: A form; in its first row stand a short rule and a box to write in, of three sides, which touch no rule.
BOXED: Page = (
    [(50, 100, 550), (150, 140, 500), *((50, y, 550) for y in (160, 190, 220, 250))],
    [(50, 100, 250), (550, 100, 250), (90, 126, 140), (150, 126, 140), (500, 126, 140), (300, 160, 250)],
    [(54, 114, "Parents"), (95, 136, "Father"), (54, 180, "City"), (304, 180, "Country"), (54, 210, "Work")],
)


def test_boxes_that_touch_no_rule_are_cells(tmp_path):
    """The words beside them are no part of the text above."""
    (found,) = tables(drawn(tmp_path / "boxed.pdf", BOXED))
    assert found == {
        "Parents": (0, 0, 1, 5),
        "Father": (1, 1, 1, 1),
        "City": (3, 0, 1, 3),
        "Country": (3, 3, 1, 2),
        "Work": (4, 0, 1, 3),
    }
