"""Rows that nothing draws: numbers that stand below each other in several columns of one drawn row."""

from collections.abc import Sequence

from cluster.engines.layout.model import Box, Sheet, Span, Style, TextLine
from cluster.engines.layout.tables import tables

_COLUMNS, _TOP, _STEP = (60.0, 180.0, 300.0, 420.0, 540.0), 124.0, 14.0
_NAMES, _SOLD, _BACK = ["North", "South", "West", "East", "Middle"], ["12", "7", "31", "4", "18"], ["3", "0", "9", "1"]


def _line(text: str, column: int, base: float) -> TextLine:
    left = _COLUMNS[column] + 6
    box = left, base - 8, left + 5 * len(text), base + 2
    return TextLine(box, base, (Span(text, Style("Body", 10)),))


def _read(*columns: Sequence[str], drops: float = 0, ruled: bool = False) -> list[list[str]]:
    """The rows of a table of a head, a band that holds the columns' texts line by line, and a foot."""
    deep = _TOP + _STEP * max(map(len, columns)) + 6
    flat = [(60.0, y - 0.3, 540.0, y + 0.3) for y in (100.0, 120.0, deep, deep + 20)]
    rules: list[Box] = [*flat, *((x - 0.3, 100.0, x + 0.3, deep + 20) for x in _COLUMNS)]
    if ruled:  # the last column alone, between its lines
        rules += [(420.0, y - 0.3, 540.0, y + 0.3) for y in (_TOP + _STEP * row for row in range(1, len(columns[0])))]
    lines = [_line(text, at, 114) for at, text in enumerate(["Region", "Sold", "Back", "Level"])]
    lines += [_line(text, at, deep + 14) for at, text in enumerate(["All", "72", "13", ""]) if text]
    for at, texts in enumerate(columns):
        lines += [
            _line(text, at, _TOP + _STEP * row + 10 + drops * (at == 0)) for row, text in enumerate(texts) if text
        ]
    (found,) = tables([Sheet(0, 595, 842, tuple(lines), rules=tuple(rules))])
    rows = [[""] * 4 for _ in found.table.rows[1:]]
    for cell in found.table.cells:
        rows[cell.row][cell.column] = "\n".join(line.text for line in cell.lines)
        if cell.rows > 1:
            rows[cell.row][cell.column] += f" over {cell.rows}"
    return rows


def test_each_level_of_numbers_is_a_row_and_a_name_for_all_goes_over_them() -> None:
    found = _read(_NAMES, _SOLD, [*_BACK, "0"], ["", "", "Low"])
    assert found[1] == ["North", "12", "3", "Low over 5"]
    assert [row[:3] for row in found[2:6]] == [
        list(row) for row in zip(_NAMES[1:], _SOLD[1:], ["0", "9", "1", "0"], strict=True)
    ]
    assert found[6][:3] == ["All", "72", "13"] and len(found) == 7


def test_a_number_may_be_missing() -> None:
    found = _read(_NAMES, _SOLD, _BACK)
    assert found[5] == ["Middle", "18", "", ""] and len(found) == 7


def test_cells_over_rows_that_one_column_draws_are_as_many() -> None:
    levels = ["a", "b", "a", "b", "c"]
    found = _read(_NAMES, _SOLD, [*_BACK, "0"], levels, ruled=True)
    assert [*zip(*found[1:6], strict=True)] == [tuple(_NAMES), tuple(_SOLD), (*_BACK, "0"), tuple(levels)]
    assert _read(_NAMES, _SOLD, _BACK, levels, ruled=True)[1][0] == "\n".join(_NAMES) + " over 5"


def test_texts_of_several_lines_beside_one_list_of_numbers_stay_one_row() -> None:
    assert len(_read(_NAMES, _SOLD, ["as agreed"])) == 3
    assert len(_read(_NAMES, _SOLD, [*_BACK, "0"], drops=5)) == 3
    assert len(_read(_NAMES[:3], _SOLD[:3], _BACK[:3])) == 3
