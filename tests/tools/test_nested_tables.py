"""Tables within a cell of another: their rows are lines of the cell, each word once and in its order."""

import itertools

from cluster.engines.layout.model import Box, Sheet, Span, Style, TextLine
from cluster.engines.layout.stacked import text_in
from cluster.engines.layout.tables import tables


def line(text: str, left: float, top: float) -> TextLine:
    box = left, top, left + 5.0 * len(text), top + 10
    return TextLine(box, top + 8, (Span(text, Style("Song", 10)),))


def drawn(columns: list[float], rows: list[float]) -> list[Box]:
    flat = [(columns[0], y - 0.25, columns[-1], y + 0.25) for y in rows]
    return [*flat, *((x - 0.25, rows[0], x + 0.25, rows[-1]) for x in columns)]


def cells(lines: list[TextLine], rules: list[Box]) -> list[list[list[str]]]:
    """The texts of each table's rows."""
    found = [each.table for each in tables([Sheet(0, 595, 842, tuple(lines), rules=tuple(rules))])]
    return [[[text_in(cell) for cell in table.cells if cell.row == row] for row in range(len(table.rows) - 1)]
            for table in found]  # fmt: skip


OUTER = [
    line("Column A", 80, 104), line("Column B", 310, 104), line("simple", 80, 124), line("Before it", 310, 124),
    line("After it", 310, 200),
]  # fmt: skip
#: Its second cell's text is wrapped beside the other one.
INNER = [
    line("Kind", 314, 146), line("What it is", 404, 146), line("crane", 314, 164), line("a bird that is", 404, 164),
    line("folded", 404, 178),
]  # fmt: skip
WANTED = [["Column A", "Column B"], ["simple", "Before it\nKind What it is\ncrane a bird that is folded\nAfter it"]]


def test_rows_of_a_table_in_a_cell_are_its_lines() -> None:
    """Close to the cell's edges, as writers draw it: no columns of its own are added to the outer one's."""
    outer, inner = drawn([72, 306, 540], [100, 120, 216]), drawn([308, 400, 538], [142, 160, 192])
    assert cells([*OUTER, *INNER], [*outer, *inner]) == [WANTED]
    touching = drawn([308, 400, 538], [142, 160, 215.5])
    assert cells([*OUTER[:-1], *INNER], [*outer, *touching]) == [
        [WANTED[0], ["simple", WANTED[1][1].removesuffix("\nAfter it")]]
    ]


def test_a_mere_frame_round_a_table_is_none() -> None:
    frame = drawn([304, 542], [138, 196])
    wanted = [["Kind", "What it is"], ["crane", "a bird that is folded"]]
    assert cells(INNER, [*frame, *drawn([306.5, 400, 539.5], [138.5, 160, 195.5])]) == [wanted]


def test_an_area_of_merged_cells_is_no_table_of_its_own() -> None:
    """Rules drawn cell by cell make frames, too, which others meet."""
    rows, columns = [100.0, 120, 140, 160], [72.0, 180, 300, 420]
    boxes = itertools.product(itertools.pairwise(rows), itertools.pairwise(columns))
    rules = [rule for high, wide in boxes for rule in drawn([*wide], [*high])]
    texts = [[f"{row}.{column}" for column in range(3)] for row in range(3)]
    lines = [line(text, 80 + 115 * x, 104 + 20 * y) for y, row in enumerate(texts) for x, text in enumerate(row)]
    assert cells(lines, rules) == [texts]
