"""Tables without a full grid: rows whose pieces of text stand below each other, with empty strips between."""

import itertools
import re
from collections.abc import Iterator, Sequence
from statistics import median

from cluster.engines.layout.grids import Grid, Slot
from cluster.engines.layout.letters import CONTENTS, mark_of
from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.rows import around, level, rows_of

#: Gaps this wide (in heights of letters) part cells; rows further apart than this many heights part tables.
_GAP, _FAR = 1.0, 3.6
_LEAST_ROWS, _LEAST_COLUMNS, _MOST_COLUMNS = 3, 2, 40
#: Columns whose text fills this share of them are prose side by side.
_PROSE = 0.72
_LONG = 28

#: A mark alone: with a point or a bracket, so that a column of numbers is none.
_MARK = re.compile(r"[（(]?(\d{1,3}(\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5}|[一二三四五六七八九十]{1,3})[.)、）．]")
_NUMBERS = re.compile(r"\d{1,3}(\.\d{1,3})+")

Row = list[TextLine]


def aligned(pieces: Sequence[TextLine], rules: Sequence[Box] = ()) -> list[tuple[Grid, list[TextLine]]]:
    """Grids found by alignment, each with the pieces in it, top to bottom."""
    found = []
    for run in _runs(rows_of(pieces)):
        rows = [_chunks(row) for row in _trimmed(run)]
        if len(rows) >= _LEAST_ROWS or (len(rows) == 2 and _under_rules(rows, rules)):
            grid = _grid(rows, rules)
            if grid:
                found.append((grid, [piece for row in rows for chunk in row for piece in chunk]))
    return found


def _under_rules(rows: list[list[Row]], rules: Sequence[Box]) -> bool:
    """Whether long flat rules stand above and below: what a printed table of one or two rows has."""
    box = around(piece.box for row in rows for chunk in row for piece in chunk)
    flat = [rule for rule in rules if rule[2] - rule[0] > 0.8 * (box[2] - box[0]) and rule[3] - rule[1] < 3]
    above = any(-14 < box[1] - rule[3] < 14 for rule in flat)
    return above and any(-4 < rule[1] - box[3] < 14 for rule in flat)


def _chunks(row: Row) -> list[Row]:
    """The row's pieces, parted at wide gaps."""
    out: list[Row] = [[row[0]]]
    for last, piece in itertools.pairwise(row):
        if piece.box[0] - last.box[2] > _GAP * min(last.size, piece.size):
            out.append([piece])
        else:
            out[-1].append(piece)
    return out


def _runs(rows: list[Row]) -> Iterator[list[Row]]:
    """Rows under each other of which most have several pieces; what ends a run stands apart or is running text."""
    run: list[Row] = []
    for row in rows:
        many = len(_chunks(row)) > 1 and not _is_item(row)
        if run and (row[0].base - run[-1][0].base > _FAR * row[0].size or not (many or _short(row, run))):
            yield run
            run = []
        if many or run:
            run.append(row)
    if run:
        yield run


def _is_item(row: Row) -> bool:
    """A mark and its text are no cells; neither is an entry of a table of contents."""
    chunks = _chunks(row)
    text = "\t".join("".join(piece.text for piece in chunk) for chunk in chunks)
    first = "".join(piece.text for piece in chunks[0]).strip()
    second = "".join(piece.text for piece in chunks[-1]).strip()
    marked = len(chunks) == 2 and not first.isalnum() and (len(first) == 1 or bool(_MARK.fullmatch(first)))
    marked = marked or (len(chunks) == 2 and bool(_NUMBERS.fullmatch(first)) and second[:1].isalpha())
    return bool(CONTENTS.search(text)) or (marked and bool(mark_of(level(row)[0])))


def _short(row: Row, run: list[Row]) -> bool:
    """A lone piece that may be a cell's second line, or the head of a group of rows: not as wide as the table."""
    whole = around(piece.box for each in run for piece in each)
    return row[0].box[2] - row[0].box[0] < 0.7 * (whole[2] - whole[0]) and row[0].box[2] < whole[2] + 5


def _trimmed(run: list[Row]) -> list[Row]:
    """Without lone rows at the end, which belong to what follows."""
    while run and len(_chunks(run[-1])) < 2:
        run = run[:-1]
    return run


def grid_of(pieces: Sequence[TextLine], rules: Sequence[Box] = ()) -> Grid:
    """The grid of pieces that are known to be a table's, however few."""
    boxes = _boxes([_chunks(row) for row in rows_of(pieces)])
    return _made(boxes, _cuts(boxes), rules)


def _grid(rows: list[list[Row]], rules: Sequence[Box]) -> Grid | None:
    boxes = _boxes(rows)
    cuts = _cuts(boxes)
    if not _LEAST_COLUMNS <= len(cuts) - 1 <= _MOST_COLUMNS or _is_prose(rows, boxes, cuts):
        return None
    return _made(boxes, cuts, rules)


def _boxes(rows: list[list[Row]]) -> list[list[Box]]:
    return [[around(piece.box for piece in chunk) for chunk in row] for row in rows]


def _made(boxes: list[list[Box]], cuts: list[float], rules: Sequence[Box]) -> Grid:
    lines = _merged_rows(boxes, cuts, rules)
    tops = [around(box for at in group for box in boxes[at])[1] for group in lines]
    bottom = around(box for row in boxes for box in row)[3]
    edges = [*tops, bottom]
    slots = [slot for number, group in enumerate(lines) for slot in _row_slots(number, group, boxes, cuts, edges)]
    return Grid(cuts, edges, slots)


def _cuts(boxes: list[list[Box]]) -> list[float]:
    """Edges of columns: the middles of strips that (nearly) no piece of a full row covers."""
    widest = max(len(row) for row in boxes)
    full = [row for row in boxes if len(row) >= min(widest, max(2, 0.6 * widest))]
    pieces = sorted(box for row in full for box in row)
    spans: list[list[float]] = []
    for left, _, right, _ in pieces:
        if spans and left <= spans[-1][1] + 1.5:
            spans[-1][1] = max(spans[-1][1], right)
        else:
            spans.append([left, right])
    middles = [(one[1] + other[0]) / 2 for one, other in itertools.pairwise(spans)]
    return [min(box[0] for row in boxes for box in row) - 2, *middles, max(box[2] for row in boxes for box in row) + 2]


def _is_prose(rows: list[list[Row]], boxes: list[list[Box]], cuts: list[float]) -> bool:
    """Columns of running text beside each other: few, and filled from edge to edge with long pieces."""
    if len(cuts) > 4:
        return False
    texts = ["".join(piece.text for piece in chunk) for row in rows for chunk in row]
    long = sum(len(text) > _LONG for text in texts) / len(texts)
    filled = []
    for left, right in itertools.pairwise(cuts):
        held = [box[2] - box[0] for row in boxes for box in row if left <= (box[0] + box[2]) / 2 <= right]
        filled.append(median(held) / (right - left) if held else 0)
    return long > 0.5 and min(filled) > _PROSE


def _merged_rows(boxes: list[list[Box]], cuts: list[float], rules: Sequence[Box]) -> list[list[int]]:
    """Rows of text in rows of the table: one that lacks the first cell and stands close goes on in the one above."""
    height = median(box[3] - box[1] for row in boxes for box in row)
    groups: list[list[int]] = []
    for at, row in enumerate(boxes):
        first = row[0][0] < cuts[1]
        close = at > 0 and row[0][1] - max(box[3] for box in boxes[at - 1]) < 0.45 * height
        parted = at > 0 and _parted(rules, max(box[3] for box in boxes[at - 1]), row[0][1], cuts)
        if groups and not first and close and not parted and len(row) < len(boxes[groups[-1][0]]):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _parted(rules: Sequence[Box], above: float, below: float, cuts: list[float]) -> bool:
    """Whether a flat rule lies between two rows."""
    return any(
        above - 4 < rule[1] < below + 4 and rule[3] - rule[1] < 3 and rule[2] - rule[0] > 0.5 * (cuts[-1] - cuts[0])
        for rule in rules
    )


def _row_slots(
    number: int, group: list[int], boxes: list[list[Box]], cuts: list[float], edges: list[float]
) -> list[Slot]:
    """The row's cells: what reaches over several columns spans them."""
    taken: dict[int, int] = {}
    for box in (box for at in group for box in boxes[at]):
        held = [at for at in range(len(cuts) - 1) if min(box[2], cuts[at + 1]) - max(box[0], cuts[at]) > 2]
        if len(held) > 1 and not any(at in taken for at in held):
            taken[held[0]] = len(held)
    slots, column = [], 0
    while column < len(cuts) - 1:
        wide = taken.get(column, 1)
        box = (cuts[column], edges[number], cuts[column + wide], edges[number + 1])
        slots.append(Slot(number, column, 1, wide, box))
        column += wide
    return slots
