"""PDF to Word, tables: which rules of theirs are drawn and how, on which ground they stand, and where they end."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import docx
import pikepdf
import pytest
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


def shades(table: Table) -> list[list[str]]:
    return [
        [next((each.get(qn("w:fill")) for each in cell._tc.iter(qn("w:shd"))), "") for cell in row.cells]
        for row in table.rows
    ]


def shaded(path: Path, content: str, turn: int = 0) -> Table:
    """A grid of two rows of white letters, whose ground `content` draws; on a page that is turned back, or not."""
    grid = "".join(f"70 {y} m 370 {y} l S " for y in (700, 730, 760))
    grid += "".join(f"{x} 700 m {x} 760 l S " for x in (70, 170, 270, 370))
    words = "".join(f"BT /F1 10 Tf {x + 10} {y + 10} Td (c{x}{y}) Tj ET " for y in (730, 700) for x in (70, 170, 270))
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(595, 842))
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        blend = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0.4], C1=[0, 0.1, 0.5], N=1)
        shade = pikepdf.Dictionary(
            ShadingType=2, ColorSpace=pikepdf.Name.DeviceRGB, Coords=[0, 700, 0, 760], Function=blend
        )
        page.obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font), Shading=pikepdf.Dictionary(S1=shade))
        way = {0: "", 90: "0 1 -1 0 842 0 cm "}[turn]
        page.obj.MediaBox = pikepdf.Array([0, 0, 842, 842] if turn else [0, 0, 595, 842])
        page.Contents = pdf.make_stream(f"{way}{content} 0 G {grid} 1 g {words}".encode())
        page.rotate(turn, relative=False)
        pdf.save(path)
    (table,) = docx.Document(str(run_tool("pdf_to_word", path.with_suffix(""), [path]).path)).tables
    return table


@pytest.mark.parametrize(
    "box", ["{0} 730 100 30 re", "{0} 730 m {0} 760 l {1} 760 l {1} 730 l {0} 730 l"], ids=["boxes", "lines"]
)
@pytest.mark.parametrize("turn", [0, 90])
def test_the_ground_of_several_cells_in_one_path_is_each_one_s(tmp_path, box, turn):
    path = f"0.1 0.1 0.3 rg {box.format(70, 170)} {box.format(270, 370)} f"
    assert shades(shaded(tmp_path / "a.pdf", path, turn)) == [["1A1A4D", "", "1A1A4D"], [""] * 3]


def test_a_ground_in_pieces_or_with_round_corners_is_one(tmp_path):
    """Word draws a cell's padding and each of its lines; what covers half of a cell is not its ground."""
    pieces = "0.1 0.1 0.3 rg 70 730 30 30 re f 100 730 40 30 re f 140 730 30 30 re f "
    corners = "170 733 m 170 757 l 170 759 171 760 173 760 c 267 760 l 269 760 270 759 270 757 c 270 733 l "
    corners += "270 731 269 730 267 730 c 173 730 l 171 730 170 731 170 733 c f "
    half = "320 730 50 30 re f"
    assert shades(shaded(tmp_path / "a.pdf", pieces + corners + half)) == [["1A1A4D", "1A1A4D", ""], [""] * 3]


def test_a_frame_between_two_boxes_is_no_ground_of_what_it_holds(tmp_path):
    frame = "0.1 0.1 0.3 rg 70 700 300 60 re 74 704 292 52 re f*"
    assert shades(shaded(tmp_path / "a.pdf", frame)) == [[""] * 3] * 2


def test_white_letters_on_what_no_path_tells_keep_a_ground(tmp_path):
    """A blend behind the first row; the white letters of the second nobody sees on the page either."""
    upper, lower = shades(shaded(tmp_path / "a.pdf", "q 70 730 300 30 re W n /S1 sh Q"))
    assert lower == [""] * 3
    for fill in upper:
        red, green, blue = bytes.fromhex(fill)
        assert max(red, green) < 50 < blue < 140


def test_what_is_paler_on_paper_is_paler(tmp_path):
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page(width=595, height=842)
        page.draw_rect((60, 110, 500, 160), color=None, fill=(0, 0, 0), fill_opacity=0.5)
        page.insert_text((72, 130), "Words on a grey ground,", fontsize=10)
        document.save(path)
    made = docx.Document(str(run_tool("pdf_to_word", path.with_suffix(""), [path]).path))
    fills = {each.get(qn("w:fill")) for each in made.element.iter(qn("w:shd"))}
    assert fills in ({"808080"}, {"7F7F7F"})


@pytest.mark.parametrize("far", [-0.3, 0.6])
def test_letters_that_a_cell_cuts_do_not_join_the_next_cell_s(tmp_path, far):
    """A clip leaves the letter that it goes through, and the next cell's text begins right behind it."""
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page(width=595, height=842)
        width = import_pymupdf().get_text_length("Elizab", fontsize=10)
        for x in (70, 70 + width, 400):
            page.draw_line((x, 100), (x, 160), width=0.5)
        for y in (100, 120, 140, 160):
            page.draw_line((70, y), (400, y), width=0.5)
        for y in (114, 134, 154):
            page.insert_text((72, y), "Elizab", fontsize=10)
            page.insert_text((72 + width + far, y), "2165 Ave", fontsize=10)
        document.save(path)
    (table,) = docx.Document(str(run_tool("pdf_to_word", path.with_suffix(""), [path]).path)).tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["Elizab", "2165 Ave"]] * 3
