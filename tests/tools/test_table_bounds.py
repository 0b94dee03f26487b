"""Where tables begin and end, and which columns and rows they have where their rules tell too little."""

from collections.abc import Sequence
from pathlib import Path

import pymupdf
import pytest

from cluster.engines.export.table_data import told
from cluster.engines.layout.attached import rows_in
from cluster.engines.layout.document import tables_of
from cluster.engines.layout.model import Sheet, Table
from cluster.engines.layout.tables import Found
from cluster.engines.reading.digital import sheet_of

#: Where columns of numbers end, and where names begin.
ENDS, LEFT, PITCH = (260.0, 350.0, 440.0), 72.0, 14.0
Text = tuple[float, float, str]
Rule = tuple[float, float, float, float]


def read(folder: Path, texts: Sequence[Text], rules: Sequence[Rule] = ()) -> list[list[list[str]]]:
    """The tables of a page with such texts (left, base, words) and rules, as rows of cells."""
    return [cells(table) for table in tables_of(page_of(folder, texts, rules))]


def blank() -> pymupdf.Page:
    return pymupdf.open().new_page(width=595, height=842)


def page_of(folder: Path, texts: Sequence[Text], rules: Sequence[Rule], page: pymupdf.Page | None = None) -> Sheet:
    page = page or blank()
    for left, base, words in texts:
        page.insert_text((left, base), words, fontsize=10)
    for left, top, right, bottom in rules:
        page.draw_line((left, top), (right, bottom), width=0.5)
    return sheet_of(page, folder)


def cells(table: Table) -> list[list[str]]:
    made = [[""] * (len(table.columns) - 1) for _ in table.rows[1:]]
    for cell in table.cells:
        made[cell.row][cell.column] = " ".join(line.text.strip() for line in cell.lines)
    return made


def right(end: float, base: float, words: str) -> Text:
    return end - pymupdf.get_text_length(words, fontsize=10), base, words


def middle(at: float, base: float, words: str) -> Text:
    return at - pymupdf.get_text_length(words, fontsize=10) / 2, base, words


def body(top: float, rows: int = 5) -> list[Text]:
    """Rows of a name and a number in each column, the first one's base line at `top`."""
    names = ["North", "South", "West", "East", "Middle", "Coast", "Islands"]
    made: list[Text] = []
    for row in range(rows):
        base = top + PITCH * row
        made += [
            (LEFT, base, names[row]),
            *(right(end, base, f"{row + 1},{column}40") for column, end in enumerate(ENDS)),
        ]
    return made


HEADS = [right(end, 134, words) for end, words in zip(ENDS, ("Shipped", "Stored", "Ordered"), strict=True)]
OVER, UNDER = (70.0, 104.0, 442.0, 104.0), (70.0, 138.0, 442.0, 138.0)
NUMBERS = [["North", "1,040", "1,140", "1,240"], ["South", "2,040", "2,140", "2,240"]]


def test_a_head_over_several_columns_below_the_first_rule_is_the_table_s(tmp_path: Path) -> None:
    spread = middle(330, 116, "Goods of the year")
    made = read(tmp_path, [spread, *HEADS, *body(152)], [OVER, UNDER])
    assert made[0][:3] == [["", "Goods of the year", "", ""], ["", "Shipped", "Stored", "Ordered"], NUMBERS[0]]


@pytest.mark.parametrize("words", ["(in thousands)", "Goods, by year:", "What is told of all of these kinds of goods"])
def test_units_and_sentences_above_are_no_heads(tmp_path: Path, words: str) -> None:
    made = read(tmp_path, [right(ENDS[-1], 120, words), *HEADS, *body(152)], [UNDER])
    assert made[0][:2] == [["", "Shipped", "Stored", "Ordered"], NUMBERS[0]]


def test_lines_of_heads_are_one_row(tmp_path: Path) -> None:
    upper = [right(end, 123, words) for end, words in zip(ENDS, ("Goods", "Goods", "Goods"), strict=True)]
    made = read(tmp_path, [*upper, *HEADS, *body(152)], [OVER, UNDER])
    assert made[0][:2] == [["", "Goods Shipped", "Goods Stored", "Goods Ordered"], NUMBERS[0]]


def test_heads_that_a_rule_parts_are_two_rows(tmp_path: Path) -> None:
    upper = [right(end, 121, words) for end, words in zip(ENDS, ("Goods", "Goods", "Goods"), strict=True)]
    made = read(tmp_path, [*upper, *HEADS, *body(152)], [OVER, UNDER, (200.0, 124.0, 442.0, 124.0)])
    assert made[0][:2] == [["", "Goods", "Goods", "Goods"], ["", "Shipped", "Stored", "Ordered"]]


def test_names_below_each_other_are_rows_of_their_own(tmp_path: Path) -> None:
    """Rows of words may stand as close as lines of heads."""
    words = [(LEFT, 123.0, "Kind"), right(ENDS[0], 123, "Goods"), right(ENDS[1], 123, "Goods"), (LEFT, 134.0, "Unit")]
    made = read(tmp_path, [*words, *HEADS[:2], *body(146)], [])
    assert [row[0] for row in made[0][:3]] == ["Kind", "Unit", "North"]


def test_a_note_below_the_last_rule_is_none_of_the_rows(tmp_path: Path) -> None:
    note = [(LEFT, 232.0, "SOURCE:"), (LEFT + 60, 232.0, "Estimates of the ministry, tabulations and other sources")]
    made = read(tmp_path, [*HEADS, *body(152), *note], [OVER, UNDER, (70.0, 216.0, 442.0, 216.0)])
    assert made == [[["", "Shipped", "Stored", "Ordered"], *made[0][1:]]]
    assert [row[0] for row in made[0][1:]] == ["North", "South", "West", "East", "Middle"]


def test_what_stands_below_a_frame_is_none_of_the_rows(tmp_path: Path) -> None:
    foot = [right(ENDS[1], 232, "Annex 1"), right(ENDS[2], 232, "Page 12")]
    frame = [(66.0, 118.0, 66.0, 216.0), (446.0, 118.0, 446.0, 216.0)]
    made = read(tmp_path, [*HEADS, *body(152), *foot], frame)
    assert [row[0] for row in made[0]] == ["", "North", "South", "West", "East", "Middle"]


def ruled(columns: Sequence[float], rows: Sequence[float]) -> list[Rule]:
    flat = [(columns[0], row, columns[-1], row) for row in rows]
    return [*flat, *((column, rows[0], column, rows[-1]) for column in columns)]


def test_columns_and_rows_that_only_the_head_and_numbers_tell(tmp_path: Path) -> None:
    """A box with a ruled head: neither its columns nor its rows are drawn, and some rows are names alone."""
    heads = [middle(end - 20, 134, words) for end, words in zip(ENDS, ("2012", "2013", "2014"), strict=True)]
    edges = [66.0, 140.0, 446.0]
    box = [*ruled(edges, [120.0, 140.0, 250.0]), *((x, 120.0, x, 140.0) for x in (276.0, 366.0))]
    made = read(tmp_path, [*heads, (LEFT, 152.0, "Regions"), *body(166, 6)], box)
    assert made[0][:4] == [["", "2012", "2013", "2014"], ["Regions", "", "", ""], *NUMBERS]


def test_a_ruled_column_of_two_texts_is_two(tmp_path: Path) -> None:
    edges = [66.0, 200.0, 446.0]
    texts = [each for each in body(133, 6) if each[0] < ENDS[1]]
    made = read(tmp_path, texts, ruled(edges, [120.0 + PITCH * row for row in range(7)]))
    assert made[0][:2] == [row[:3] for row in NUMBERS]


def test_a_sign_before_its_number_is_in_one_column_with_it(tmp_path: Path) -> None:
    edges = [66.0, 200.0, 446.0]
    rows = [(LEFT, 133 + PITCH * row, f"Row {row}") for row in range(6)]
    values = [
        each for row in range(6) for each in ((210.0, 133 + PITCH * row, "$"), right(440, 133 + PITCH * row, "12"))
    ]
    made = read(tmp_path, [*rows, *values], ruled(edges, [120.0 + PITCH * row for row in range(7)]))
    assert len(made[0][0]) == 2


def test_shades_that_miss_the_columns_of_numbers_make_no_grid(tmp_path: Path) -> None:
    """Two boxes for four columns: alignment tells them."""
    edges = [66.0, 356.0, 446.0]
    made = read(tmp_path, body(133, 6), ruled(edges, [120.0, 124.0 + PITCH * 6]))
    assert made[0][:2] == NUMBERS


def test_each_head_over_columns_has_its_share_of_them() -> None:
    """The middle one of three stands in the middle of one column, of three and of five alike."""
    cuts = [0.0, *(100.0 + 40 * column for column in range(10))]
    first = [(100 + 120 * at + 50.0, 0.0, 100 + 120 * at + 70.0, 10.0) for at in range(3)]
    numbers = [(cut + 10, 0.0, cut + 38, 10.0) for cut in cuts[1:-1]]
    lines = [first, *([(0.0, 14.0 * row, 60.0, 14.0 * row + 10), *_at(numbers, 14.0 * row)] for row in range(1, 6))]
    heads = [slot for slot in rows_in(lines, cuts, [(0.0, 12.0, 460.0, 12.0)]).slots if slot.row == 0]
    assert [(slot.column, slot.columns) for slot in heads if slot.columns > 1] == [(1, 3), (4, 3), (7, 3)]


def _at(boxes: Sequence[Rule], top: float) -> list[Rule]:
    return [(left, top, right, top + 10) for left, _, right, _ in boxes]


@pytest.mark.parametrize(("kind", "rows"), [("Ac", 6), ("Acceleron products of all kinds", 5)])
def test_a_line_without_a_first_cell_goes_on_only_where_a_text_fills_its_column(
    tmp_path: Path, kind: str, rows: int
) -> None:
    names = ["Agrisure", "Roundup", "Herculex", "Conventional"]
    kinds = [("C2, C5, C1", "Allegiance of all the seeds"), ("Ac", kind), ("Am", "Apron"), ("Avc", kind)]
    texts = [
        each
        for row, (name, (short, long)) in enumerate(zip(names, kinds, strict=True))
        for each in (
            (LEFT, 120 + PITCH * row, name),
            (200.0, 120 + PITCH * row, short),
            (260.0, 120 + PITCH * row, long),
        )
    ]
    more = [(200.0, 120 + PITCH * 4, "Z"), (260.0, 120 + PITCH * 4, "zinc")]
    last = [(LEFT, 120 + PITCH * 5, "None"), (200.0, 120 + PITCH * 5, "N"), (260.0, 120 + PITCH * 5, "none")]
    assert len(read(tmp_path, [*texts, *more, *last])[0]) == rows


def test_a_surface_filled_within_three_sides_has_no_rules(tmp_path: Path) -> None:
    """Shades behind the lines of one cell do not part it."""
    edges = [66.0, 200.0, 446.0]
    page = blank()
    for top in (122.0, 132.0):
        shape = page.new_shape()
        shape.draw_polyline([(204, top), (442, top), (442, top + 10), (204, top + 10)])
        shape.finish(fill=(1, 0.8, 0.6), color=None, closePath=False)
        shape.commit()
    texts = [(210.0, 130.0, "to water"), (210.0, 140.0, "kg a year"), (LEFT, 160.0, "Lead"), (210.0, 160.0, "20")]
    (table,) = tables_of(page_of(tmp_path, texts, ruled(edges, [120.0, 144.0, 168.0]), page))
    assert cells(table) == [["", "to water kg a year"], ["Lead", "20"]]


def test_two_lines_of_columns_of_text_between_rules_are_no_table(tmp_path: Path) -> None:
    texts = [
        each
        for base, words in ((120.0, "Received in October"), (134.0, "Revised in March"))
        for each in ((LEFT, base, words), (220.0, base, "what is said in a line of a text, which goes on below it"))
    ]
    rules = [(70.0, 108.0, 500.0, 108.0), (70.0, 140.0, 500.0, 140.0)]
    assert not read(tmp_path, texts, rules)


def test_two_rows_without_rules_are_no_table(tmp_path: Path) -> None:
    """Notes beside the lines of a text stand in columns, too."""
    notes = [(LEFT, 120 + 11.0 * row, words) for row, words in enumerate(("ER", "29,2", "page 162", "revised"))]
    lines = [(190.0, 120.0, "Shift work and families"), (190.0, 142.0, "which goes on below")]
    assert not read(tmp_path, [*notes, *lines])


def test_a_listing_typed_with_blanks_is_a_table(tmp_path: Path) -> None:
    """Rows printed as lines of typewriter letters are cut where blanks stand between their columns."""
    made = [[f"2026-11-0{row + 1}", "Transfer" if row % 2 else "Cash", f"{row}10.00"] for row in range(6)]
    page = blank()
    for row, (day, kind, amount) in enumerate(made):
        line = f"{day:16}{kind:20}{amount:>10}"
        page.insert_text((LEFT, 120 + PITCH * row), line, fontsize=10, fontname="cour")
    (table,) = tables_of(sheet_of(page, tmp_path))
    assert cells(table) == made


def test_blanks_in_a_few_lines_part_nothing(tmp_path: Path) -> None:
    page = blank()
    page.insert_text((LEFT, 120), "Signed:            Date:", fontsize=10, fontname="cour")
    assert [line.text for line in sheet_of(page, tmp_path).lines] == ["Signed:            Date:"]


def test_what_is_drawn_beside_the_page_makes_no_table_beside_it(tmp_path: Path) -> None:
    """A plan's lines go on where the paper ends; text in such a table's cells was lost beside the slide."""
    rules = [(-300.0, y, 500.0, y) for y in (100.0, 120.0, 140.0)]
    rules += [(x, 100.0, x, 140.0) for x in (-300.0, -100.0, 250.0, 500.0)]
    page = page_of(tmp_path, [(100, 114, "LP DN160"), (300, 114, "7"), (300, 134, "8")], rules)
    assert all(rule[0] >= 0 for rule in page.rules)
    assert all(table.box[0] >= 0 for table in tables_of(page))


def test_the_page_shows_numbers_at_the_right_as_the_workbook_does(tmp_path: Path) -> None:
    """A number that fills its column stands at the column's left as well."""
    rows = [("Arrests", "Total"), ("Burglary", "11,062.6"), ("Arson", "1,080.1"), ("Code", "007")]
    rules = [(72.0, 80.0 + 20 * row, 200.0, 80.0 + 20 * row) for row in range(5)]
    rules += [(x, 80.0, x, 160.0) for x in (72.0, 156.0, 200.0)]
    texts = [(x, 94.0 + 20 * row, row_[at]) for row, row_ in enumerate(rows) for at, x in enumerate((74.0, 158.0))]
    (table,) = tables_of(page_of(tmp_path, texts, rules))
    (data,) = told([Found(table, (0,))], [])["tables"]
    shown = {cell["text"]: cell.get("align", "") for cell in data["cells"] if cell["column"]}
    assert shown == {"Total": "", "11,062.6": "right", "1,080.1": "right", "007": ""}
