"""Tables that are not drawn to their end: open at the sides, or ruled cell by cell with rows told by upright rules."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from cluster.engines.layout.grids import grids
from cluster.engines.layout.model import Span, Style, TextLine
from cluster.engines.pdf.libraries import import_pymupdf
from tests.running import run_tool

_TEXTS = [["Region", "Shipped", "Share"], ["North", "1,204", "55"], ["South", "836", "31"], ["West", "90", "14"]]
_COLUMNS, _TOP, _HIGH = (72.0, 222.0, 372.0, 522.0), 100.0, 24.0
Line = tuple[float, float, float, float]


def _flat(left: float, rows: Sequence[int], right: float = _COLUMNS[-1]) -> list[Line]:
    return [(left, _TOP + _HIGH * row, right, _TOP + _HIGH * row) for row in rows]


def _by_cell(columns: Sequence[float]) -> list[Line]:
    """Upright rules drawn anew in each row, as word processors draw them."""
    return [
        (x, _TOP + _HIGH * row + 0.4, x, _TOP + _HIGH * (row + 1) - 0.2) for x in columns for row in range(len(_TEXTS))
    ]


def _read(path: Path, rules: Sequence[Line], texts: Sequence[Sequence[str]] = _TEXTS) -> list[list[list[str]]]:
    """Rows of texts of each ruled table that is found."""
    with import_pymupdf().open() as document:
        page = document.new_page(width=595, height=842)
        for left, top, right, bottom in rules:
            page.draw_line((left, top), (right, bottom), width=0.5)
        for row, held in enumerate(texts):
            for x, text in zip(_COLUMNS, held, strict=False):
                page.insert_text((x + 6, _TOP + _HIGH * row + 16), text, fontsize=10)
        document.save(path)
    ran = run_tool("pdf_table", path.with_suffix(".ran"), [path], output="json")
    tables = [] if ran.problem else json.loads(ran.path.read_text())["tables"]
    return [_grid(each) for each in tables if each["ruled"]]


def _grid(table: dict[str, object]) -> list[list[str]]:
    rows = [[""] * int(str(table["columns"])) for _ in range(int(str(table["rows"])))]
    for cell in table["cells"]:  # type: ignore[attr-defined]
        rows[cell["row"]][cell["column"]] = cell["text"]
    return rows


def test_columns_at_open_sides_are_the_table_s(tmp_path):
    every = _flat(_COLUMNS[0], range(5))
    assert _read(tmp_path / "both.pdf", every + _by_cell(_COLUMNS[1:3])) == [_TEXTS]
    assert _read(tmp_path / "left.pdf", every + _by_cell(_COLUMNS[1:])) == [_TEXTS]
    corner = _flat(_COLUMNS[1], [0]) + _flat(_COLUMNS[0], range(1, 5))
    assert _read(tmp_path / "corner.pdf", corner + _by_cell(_COLUMNS[1:3])) == [_TEXTS]
    two = [row[:2] for row in _TEXTS]
    alone = _flat(_COLUMNS[0], range(5), _COLUMNS[2]) + _by_cell(_COLUMNS[1:2])
    assert _read(tmp_path / "two.pdf", alone, two) == [two]


def test_several_columns_beside_one_upright_rule_are_no_single_cell(tmp_path):
    assert _read(tmp_path / "a.pdf", _flat(_COLUMNS[0], (0, 1, 4)) + _by_cell(_COLUMNS[1:2])) == []


def test_upright_rules_drawn_row_by_row_part_the_rows(tmp_path):
    rules = _flat(_COLUMNS[0], (0, 1, 4)) + _by_cell(_COLUMNS)
    assert _read(tmp_path / "a.pdf", rules) == [_TEXTS]
    wrapped = [*_TEXTS[:2], ["South and\nall the rest", "836", "31"], _TEXTS[3]]
    (found,) = _read(tmp_path / "b.pdf", rules, wrapped)
    assert [row[1:] for row in found] == [row[1:] for row in _TEXTS]


def _across_cells(rows: Sequence[int]) -> list[Line]:
    """Flat rules drawn anew in each column."""
    sides = list(pairwise(_COLUMNS))
    return [(left + 0.2, _TOP + _HIGH * row, right - 0.2, _TOP + _HIGH * row) for row in rows for left, right in sides]


def test_flat_rules_drawn_cell_by_cell_part_the_columns(tmp_path):
    texts = [row[:3] for row in _TEXTS]
    head = [(x, _TOP, x, _TOP + _HIGH) for x in _COLUMNS]
    frame = [(x, _TOP + _HIGH * row + 0.4, x, _TOP + _HIGH * (row + 1)) for x in (72.0, 522.0) for row in (1, 2, 3)]
    rules = _across_cells(range(5)) + head + frame
    assert _read(tmp_path / "a.pdf", rules) == [texts]
    joined = [texts[0], ["All of them that were counted"], *texts[2:]]
    assert _read(tmp_path / "b.pdf", rules, joined) == [[joined[0], [*joined[1], "", ""], *texts[2:]]]


def test_upright_rules_a_little_off_in_some_rows_are_one_edge(tmp_path):
    off = [(x + 4 * (x == _COLUMNS[1]), _TOP, x + 4 * (x == _COLUMNS[1]), _TOP + _HIGH) for x in _COLUMNS]
    body = [(x, _TOP + _HIGH, x, _TOP + 4 * _HIGH) for x in _COLUMNS]
    assert _read(tmp_path / "a.pdf", _flat(_COLUMNS[0], range(5)) + off + body) == [_TEXTS]


def test_a_numbered_heading_behind_a_table_is_none_of_its_rows(tmp_path):
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page(width=595, height=842)
        for row, held in enumerate(_TEXTS):
            for x, text in zip(_COLUMNS, held, strict=False):
                page.insert_text((x, 100 + 16 * row), text, fontsize=10)
        page.insert_text((72, 190), "3.3", fontsize=15)
        page.insert_text((122, 190), "Measuring Literacy", fontsize=15)
        document.save(path)
    ran = run_tool("pdf_table", tmp_path / "ran", [path], output="json")
    (table,) = json.loads(ran.path.read_text())["tables"]
    assert _grid(table) == _TEXTS


def test_alignment_tells_columns_of_which_rules_part_only_some(tmp_path):
    rules = _flat(_COLUMNS[0], (0, 1, 4)) + _by_cell(_COLUMNS)
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page(width=595, height=842)
        for left, top, right, bottom in rules:
            page.draw_line((left, top), (right, bottom), width=0.5)
        for row, held in enumerate(_TEXTS):
            for x, text in zip((78, 228, 300, 378, 450), (held[0], "12", "34", "56", "78"), strict=True):
                page.insert_text((x, _TOP + _HIGH * row + 16), text, fontsize=10)
        document.save(path)
    ran = run_tool("pdf_table", tmp_path / "ran", [path], output="json")
    (table,) = json.loads(ran.path.read_text())["tables"]
    assert (table["rows"], table["columns"]) == (4, 5)


def test_a_table_without_its_upper_and_lower_edge_keeps_the_rows_there(tmp_path):
    inner = [(x, _TOP, x, _TOP + 4 * _HIGH) for x in _COLUMNS]
    assert _read(tmp_path / "a.pdf", _flat(_COLUMNS[0], (1, 2, 3)) + inner) == [_TEXTS]


def test_rows_of_numbers_that_no_rule_parts_are_rows(tmp_path):
    """A head in boxes over rows that stand free, with open sides: the rules tell the head alone."""
    head = [(x, _TOP, x, _TOP + 4 * _HIGH) for x in _COLUMNS[1:3]]
    rules = _flat(_COLUMNS[0], (0, 1, 4)) + head
    path = tmp_path / "a.pdf"
    assert _read(path, rules) == []
    ran = run_tool("pdf_table", tmp_path / "ran", [path], output="json")
    (table,) = json.loads(ran.path.read_text())["tables"]
    assert _grid(table) == _TEXTS


def test_numbers_of_one_row_that_stand_hardly_level_are_one_row():
    """As on scans, where open sides are the table's, too: a point parts no rows, wherever it falls."""
    flat = [(72.0, _TOP + _HIGH * row, 472.0, _TOP + _HIGH * row) for row in range(5)]
    rules = [*flat, *((x, _TOP, x, _TOP + 4 * _HIGH) for x in (172.0, 272.0, 372.0))]
    drawn = [(left - 0.5, top - 0.5, right + 0.5, bottom + 0.5) for left, top, right, bottom in rules]
    span = Span("12", Style("Times New Roman", 10))
    for shift in (0.0, 0.5, 1.0, 1.5):
        cells = [(column, row) for column in range(4) for row in range(4)]
        tops = [_TOP + shift + _HIGH * row + 1.2 * (column // 2) for column, row in cells]
        places = [(78.0 + 100 * column, top) for (column, _), top in zip(cells, tops, strict=True)]
        lines = [TextLine((x, top + 8, x + 12, top + 18), top + 16, (span,)) for x, top in places]
        (grid,) = grids(drawn, lines)
        assert (len(grid.rows), len(grid.columns)) == (5, 5)


def test_strokes_that_end_in_the_open_part_no_cells(tmp_path):
    """As letters, shadows and pens leave them on a scan."""
    whole = _flat(_COLUMNS[0], range(5)) + [(x, _TOP, x, _TOP + 4 * _HIGH) for x in _COLUMNS]
    middles = [_TOP + _HIGH * (row + 0.5) for row in range(4)]
    inks = [(x + 12 + 6 * at, y) for x in _COLUMNS[:3] for at, y in enumerate(middles[:3])]
    pens = [(x, y + 4, x, y + _HIGH - 4) for x, y in inks]
    struck = [(x, y, x + 50, y) for x in _COLUMNS[:3] for y in middles]
    letters = [(92, _TOP + _HIGH * row, 92, _TOP + _HIGH * (row + 1)) for row in (0, 1)]
    assert _read(tmp_path / "a.pdf", whole + pens + struck + letters) == [_TEXTS]
    open_sides = _flat(_COLUMNS[0], range(5)) + [(x, _TOP, x, _TOP + 4 * _HIGH) for x in _COLUMNS[1:3]]
    assert _read(tmp_path / "b.pdf", open_sides + pens[:3] + struck[4:8]) == [_TEXTS]


def test_columns_that_only_the_head_draws_go_on_below_it(tmp_path):
    """A scan's rules are whole from side to side: none of their pieces tells columns."""
    rules = _flat(_COLUMNS[0], range(6)) + [(x, _TOP, x, _TOP + _HIGH) for x in _COLUMNS[1:3]]
    rules += [(x, _TOP, x, _TOP + 5 * _HIGH) for x in (_COLUMNS[0], _COLUMNS[-1])]
    total = ["All regions of this country and the others", "", "100"]
    assert _read(tmp_path / "a.pdf", rules, [*_TEXTS, total]) == [[*_TEXTS, total]]
