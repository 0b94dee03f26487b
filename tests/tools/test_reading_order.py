"""Lines as they lie on a page, without pictures: in which order people read them, and what is one paragraph."""

from cluster.engines.layout.line import Line
from cluster.engines.layout.order import arrange, paragraphs

HIGH, PITCH = 20, 30


def line(text: str, left: float, top: float, width: float, high: float = HIGH) -> Line:
    return Line(((left, top), (left + width, top), (left + width, top + high), (left, top + high)), text, 0.99)


def column(name: str, left: float, top: float, widths: list[float]) -> list[Line]:
    """Lines below each other, named in order."""
    return [line(f"{name}{at}", left, top + at * PITCH, width) for at, width in enumerate(widths)]


def read(lines: list[Line]) -> list[str]:
    """Paragraphs in order, whatever order the lines were found in."""
    return [each.text for block in arrange(lines[::-1]) for each in paragraphs(block)]


def test_a_heading_at_the_left_follows_the_title_in_the_middle_above_it() -> None:
    lines = [
        line("Title", 420, 40, 200, 40),
        line("Heading", 50, 120, 150, 26),
        *column("text ", 50, 180, [900, 900, 300]),
    ]
    assert read(lines) == ["Title", "Heading", "text 0 text 1 text 2"]


def test_columns_are_read_one_after_the_other_round_a_photograph() -> None:
    """It stands in the middle, at the left column's head, or at the right one's foot."""
    round_it = [400.0] * 4 + [250] * 6 + [400] * 4
    left, right = column("L", 50, 100, round_it), column("R", 500, 100, [400] * 4 + [400] * 4)
    beside = [line(f"R{8 + at}", 650, 100 + (4 + at) * PITCH, 250) for at in range(6)]
    right = [*right[:4], *beside, *[line(f"R{10 + at}", 500, 100 + (10 + at) * PITCH, 400) for at in range(4)]]
    whole = " ".join(read([*left, *right]))
    assert [whole.index(each.text) for each in (left[0], left[9], left[13])] < [whole.index(right[0].text)] * 3
    below = column("L", 50, 400, [400] * 8)
    tall = column("R", 500, 100, [400] * 18)
    assert read([*below, *tall]) == [" ".join(each.text for each in part) for part in (below, tall)]
    short = column("R", 500, 100, [400] * 6)
    long = column("L", 50, 100, [400] * 18)
    assert read([*short, *long]) == [" ".join(each.text for each in part) for part in (long, short)]


def test_words_of_a_figure_beside_a_column_are_no_part_of_its_lines() -> None:
    """Above or below where text stands on both sides: a figure's axis at the left column's head, another at the right
    one's foot."""
    axis = [line(f"{at}.0", 60, 100 + 2 * at * PITCH, 30) for at in range(4)]
    left, right = column("L", 50, 400, [400] * 12), column("R", 500, 100, [400] * 15)
    foot = [line(f"{at}%", 510, 580 + 2 * at * PITCH, 30) for at in range(3)]
    found = read([*axis, *left, *right, *foot])
    assert [each for each in found if len(each) > 10] == [
        " ".join(each.text for each in part) for part in (left, right)
    ]


def test_tables_are_read_row_by_row() -> None:
    """Also where two of the columns hold long words, with a column of numbers beside them."""
    rows = [
        [line(f"company {at}", 50, 100 + at * PITCH, 200 - 20 * (at % 3)), line(f"{at}00", 290, 100 + at * PITCH, 50),
         line(f"a reason {at}", 400, 100 + at * PITCH, 240 - 30 * (at % 2))]
        for at in range(6)
    ]  # fmt: skip
    assert read([cell for row in rows for cell in row]) == ["\t".join(cell.text for cell in row) for row in rows]


def small_table(name: str, left: float, top: float, rows: int) -> list[Line]:
    """A heading, then rows of three short cells."""
    cells = [(0, 80), (120, 60), (220, 60)]
    lines = [
        line(f"{name}{at}.{to}", left + x, top + (at + 1) * PITCH, width)
        for at in range(rows)
        for to, (x, width) in enumerate(cells)
    ]
    return [line(f"Heading {name}", left, top, 150), *lines]


def test_small_tables_side_by_side_are_read_one_after_the_other() -> None:
    """Their rows do not stand level; those of one table do, of which nothing is parted."""
    left = [*small_table("a", 50, 100, 7), *small_table("b", 50, 390, 9)]
    right = [*small_table("c", 420, 109, 5), *small_table("d", 420, 323, 10)]
    found = [text for text in read([*left, *right]) if not text.startswith("Heading")]
    assert found == [
        f"{name}{at}.0\t{name}{at}.1\t{name}{at}.2" for name, rows in zip("abcd", (7, 9, 5, 10), strict=True)
        for at in range(rows)
    ]  # fmt: skip
    level = [*small_table("a", 50, 100, 9), *small_table("b", 420, 100, 9)]
    assert "a0.0\ta0.1\ta0.2\tb0.0\tb0.1\tb0.2" in read(level)


def test_text_over_the_page_s_width_right_above_or_below_columns_is_none_of_them() -> None:
    """Neither goes on the left column, however near: a short heading stands over the text below."""
    above = [line("intro", 50, 70, 850), line("short.", 50, 100, 150)]
    left, right = column("L", 50, 130, [400] * 8), column("R", 500, 130, [400] * 8)
    below = [line("heading", 50, 375, 120), line("wide ", 50, 405, 850), line("end", 50, 435, 300)]
    whole = " ".join(read([*above, *left, *right, *below]))
    wanted = ["intro short.", *(" ".join(each.text for each in part) for part in (left, right)), "heading wide end"]
    assert whole == " ".join(wanted)
    assert wanted[1] in read([*above, *left, *right, *below])
