"""PDF to Word, tables: which of their rules are drawn, how thick and in which colour; and where they end."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import docx
from docx.oxml.ns import qn
from docx.table import Table

from cluster.engines.pdf.libraries import import_pymupdf
from tests.running import run_tool

#: Left, height or top, right and bottom of a rule; how thick it is, and its colour.
Rule = tuple[float, float, float, float, float, tuple[float, float, float]]
BLACK, RED = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
TEXTS = [["Year", "Income", "Costs"], ["2024", "1,204", "836"], ["2025", "1,377", "901"], ["2026", "1,502", "944"]]
COLUMNS, TOP, HIGH, BASE = (72, 250, 400), 120, 24, 18


def flat(row: float, thick: float = 0.5, colour: tuple[float, float, float] = BLACK, left: float = 60) -> Rule:
    """A rule over the row of that number."""
    return (left, TOP + HIGH * row, 500, TOP + HIGH * row, thick, colour)


def converted(
    path: Path, rules: Sequence[Rule], notes: Sequence[tuple[str, str]] = (), texts: Sequence[Sequence[str]] = TEXTS
) -> docx.document.Document:
    with import_pymupdf().open() as document:
        page = document.new_page(width=595, height=842)
        for x0, y0, x1, y1, thick, colour in rules:
            page.draw_line((x0, y0), (x1, y1), width=thick, color=colour)
        for row, held in enumerate(texts):
            for x, text in zip(COLUMNS, held, strict=True):
                page.insert_text((x, TOP + HIGH * row + BASE), text, fontsize=10)
        for at, (mark, text) in enumerate(notes):
            page.insert_text((62, TOP + HIGH * len(TEXTS) + 18 + 12 * at), mark, fontsize=8)
            page.insert_text((80, TOP + HIGH * len(TEXTS) + 18 + 12 * at), text, fontsize=8)
        document.save(path)
    ran = run_tool("pdf_to_word", path.with_suffix(""), [path])
    return docx.Document(str(ran.path))


def sides(table: Table) -> Iterator[list[set[str]]]:
    """Of each cell of each row the sides that are drawn: their names, thickness (eighths of a point) and colour."""
    for row in table.rows:
        yield [
            {
                f"{each.tag.split('}')[1]} {each.get(qn('w:sz'))} {each.get(qn('w:color'))}"
                for borders in cell._tc.iter(qn("w:tcBorders"))
                for each in borders
            }
            for cell in row.cells
        ]


def test_three_rules_are_all_that_a_table_of_three_rules_has(tmp_path):
    (table,) = converted(tmp_path / "a.pdf", [flat(0, 2), flat(1), flat(4, 2)]).tables
    assert list(sides(table)) == [
        [{"top 16 000000", "bottom 4 000000"}] * 3,
        [{"top 4 000000"}] * 3,
        [set()] * 3,
        [{"bottom 16 000000"}] * 3,
    ]
    assert table._tbl.find(f".//{qn('w:tblBorders')}") is None


def test_a_grid_has_the_rules_and_colours_that_it_is_drawn_with(tmp_path):
    upright = [(x, TOP, x, TOP + 4 * HIGH, 1.0, RED) for x in (60, 240, 390)]
    (table,) = converted(tmp_path / "a.pdf", [*(flat(row, 1.0, RED) for row in range(5)), *upright]).tables
    red = [f"{side} 8 FF0000" for side in ("top", "left", "bottom", "right")]
    assert list(sides(table)) == [[set(red), set(red), {*red[:3]}]] * 4


def test_what_underlines_a_cell_s_words_is_no_side_of_it(tmp_path):
    texts = [*TEXTS[:3], ["2026", "1,502", "see what was paid back later"]]
    under, wide = TOP + 3 * HIGH + BASE + 2, import_pymupdf().get_text_length(texts[3][2], fontsize=10)
    link = (COLUMNS[2], under, COLUMNS[2] + wide, under, 0.5, BLACK)
    (table,) = converted(tmp_path / "a.pdf", [flat(0), flat(1), link], texts=texts).tables
    assert table.cell(3, 2).paragraphs[0].runs[0].underline
    assert list(sides(table))[2:] == [[set()] * 3] * 2


def test_notes_below_a_table_are_a_list_and_no_rows(tmp_path):
    """Lines as wide as the table behind a mark; their words were cut off in rows as high as one line."""
    long = "Amounts of money that were taken in after what was paid back, and as they were told at each end of a year"
    made = converted(tmp_path / "a.pdf", [flat(0), flat(4)], [("(1)", f"{long}."), ("(2)", f"{long}, too.")])
    (table,) = made.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == TEXTS
    assert sum(long in each.text for each in made.paragraphs) == 2
