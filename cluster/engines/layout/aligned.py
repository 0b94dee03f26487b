"""Tables without a full grid: rows whose pieces of text stand below each other, with empty strips between."""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from cluster.engines.layout.attached import rows_in
from cluster.engines.layout.bounds import heads, joined, without_notes
from cluster.engines.layout.grid import Grid
from cluster.engines.layout.letters import CONTENTS, mark_of
from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.rows import around, level, rows_of

#: Gaps this wide (in heights of letters) part cells; rows further apart than this many heights part tables.
_GAP, _FAR = 1.0, 3.6
_LEAST_ROWS, _LEAST_COLUMNS, _MOST_COLUMNS = 3, 2, 40
#: … and narrower ones at edges (points) that several rows have.
_LITTLE, _EDGE = 0.25, 1.2
#: Columns part so near (points) to an edge at which text is aligned.
_BESIDE = 2.0
#: A line that begins where a cell of one of so many rows above does is one of that column's.
_BACK = 4
#: Share of a line that stands beside another one.
_INTO = 0.15
#: Columns whose text fills this share of them are prose side by side; so long pieces are, and lines of a text surely.
_PROSE = 0.72
_LONG, _LINE = 28, 50
#: Letters so many times as large as a table's are those of a heading behind it.
_LARGE = 1.15
#: Rows of as many pieces tell the columns when they are this share of all, and most of them agree.
_SOME, _MOST = 0.25, 0.8

#: A mark alone: with a point or a bracket, so that a column of numbers is none.
_MARK = re.compile(r"[（(]?(\d{1,3}(\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5}|[一二三四五六七八九十]{1,3})[.)、）．]")
_VALUE = re.compile(r"[-−(]?[\d.,]+[%)]?")
_NUMBERS = re.compile(r"\d{1,3}(\.\d{1,3})+")

Row = list[TextLine]


def aligned(
    pieces: Sequence[TextLine], rules: Sequence[Box] = (), fills: Sequence[Box] = ()
) -> list[tuple[Grid, list[TextLine]]]:
    """Grids found by alignment, each with the pieces in it, top to bottom; rules part their rows, and fills do."""
    found = []
    lines = rows_of(pieces)
    for run in _runs(lines):
        rows = _bounded(_parted(_trimmed(run)), _above(lines, run), rules)
        many = len(rows) >= _LEAST_ROWS or (len(rows) == 2 and _under_rules(rows, rules))
        if many and not _is_outline(rows):
            grid = _grid(rows, [*rules, *edges_of(fills)])
            if grid and (len(grid.rows) > _LEAST_ROWS or _under_rules(rows, rules)):
                found.append((grid, [piece for row in rows for chunk in row for piece in chunk]))
    return found


def _above(lines: Sequence[Row], run: Sequence[Row]) -> Sequence[Row]:
    return lines[: next(at for at, row in enumerate(lines) if row is run[0])]


def _bounded(rows: list[list[Row]], above: Sequence[Row], rules: Sequence[Box]) -> list[list[Row]]:
    """The rows without notes below them, and with the heads above them."""
    if len(rows) < _LEAST_ROWS:
        return rows
    rows = without_notes(rows, _cuts(_boxes(rows)), rules)
    cuts = _cuts(_boxes(rows))
    whole = [*([[piece] for piece in row] for row in heads(rows, above, cuts, rules)), *rows]
    return joined(whole, cuts, rules)


def _under_rules(rows: list[list[Row]], rules: Sequence[Box]) -> bool:
    """Whether long flat rules stand above and below, as a printed table of two rows has, and no lines of a text."""
    if any(len(piece.text) > _LINE for row in rows for chunk in row for piece in chunk):
        return False
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


def _parted(rows: list[Row]) -> list[list[Row]]:
    """The rows' pieces as cells: a narrow gap parts, too, at an edge that pieces of other rows have."""
    least = max(_LEAST_ROWS, _SOME * len(rows))
    starts, ends = (sorted(piece.box[side] for row in rows for piece in row) for side in (0, 2))

    def is_edge(edges: list[float], at: float) -> bool:
        return bisect_right(edges, at + _EDGE) - bisect_left(edges, at - _EDGE) >= least

    out = []
    for row in rows:
        cells: list[Row] = []
        for chunk in _chunks(row):
            cells.append(chunk[:1])
            for last, piece in itertools.pairwise(chunk):
                apart = piece.box[0] - last.box[2] > _LITTLE * min(last.size, piece.size)
                if apart and (is_edge(starts, piece.box[0]) or is_edge(ends, last.box[2])):
                    cells.append([piece])
                else:
                    cells[-1].append(piece)
        out.append(cells)
    return out


def _runs(rows: list[Row]) -> Iterator[list[Row]]:
    """Rows under each other of which most have several pieces; what ends a run stands apart or is running text."""
    run: list[Row] = []
    before: Row = []
    for row in rows:
        many = len(_chunks(row)) > 1 and not _is_item(row)
        if run and (row[0].base - run[-1][0].base > _FAR * row[0].size or not (many or _short(row, run))):
            yield run
            run = []
        if many or run:
            run += [before, row] if before and not run and _reach(before, row) else [row]
        before = [] if run else row
    if run:
        yield run


def _reach(one: Row, other: Row) -> bool:
    """Whether two rows of text stand partly beside each other: cells of one row, in the middle of it."""
    first, second = around(piece.box for piece in one), around(piece.box for piece in other)
    shared = min(first[3], second[3]) - max(first[1], second[1])
    return shared > _INTO * min(first[3] - first[1], second[3] - second[1])


def _is_item(row: Row) -> bool:
    """A mark and its text are no cells; neither is an entry of a table of contents."""
    chunks = _chunks(row)
    text = "\t".join("".join(piece.text for piece in chunk) for chunk in chunks)
    several = sum(bool(_VALUE.fullmatch("".join(piece.text for piece in chunk).strip())) for chunk in chunks[1:]) > 1
    return bool(CONTENTS.search(text) and not several) or _is_marked(row)


def _is_marked(row: Row) -> bool:
    chunks = _chunks(row)
    if len(chunks) != 2:
        return False
    first, second = ("".join(piece.text for piece in chunk).strip() for chunk in chunks)
    alone = not first.isalnum() and (len(first) == 1 or bool(_MARK.fullmatch(first)))
    numbered = bool(_NUMBERS.fullmatch(first)) and second[:1].isalpha()
    return (alone or numbered) and bool(mark_of(level(row)[0]))


def _is_outline(rows: list[list[Row]]) -> bool:
    """Whether each row is a number and a text, and some are parts of others: headings under each other."""
    if any(len(row) != _LEAST_COLUMNS for row in rows):
        return False
    pairs = [["".join(piece.text for piece in chunk).strip() for chunk in row] for row in rows]
    told = all(number.isdecimal() or _NUMBERS.fullmatch(number) for number, _ in pairs)
    parts = any(two.startswith(f"{one}.") for (one, _), (two, _) in itertools.pairwise(pairs))
    return told and parts and all(text[:1].isalpha() for _, text in pairs)


def _short(row: Row, run: list[Row]) -> bool:
    """A lone piece that may be a cell's second line, or the head of a group of rows: not as wide as the table.

    A mark and its text, as of notes below the table, are as wide as both.
    """
    whole = around(piece.box for each in run for piece in each)
    if any(abs(row[0].box[0] - piece.box[0]) < _EDGE for each in run[-_BACK:] for piece in each[1:]):
        return True
    left, _, right, _ = around(piece.box for piece in row) if _is_marked(row) else row[0].box
    return right - left < 0.7 * (whole[2] - whole[0]) and right < whole[2] + 5


def _trimmed(run: list[Row]) -> list[Row]:
    """Without lone rows and numbered headings at the end, which belong to what follows."""
    while run and (len(_chunks(run[-1])) < 2 or _is_heading(run)) and not (len(run) > 1 and _reach(run[-2], run[-1])):
        run = run[:-1]
    return run


def _is_heading(run: list[Row]) -> bool:
    """Whether the last row is a mark and its text, in larger letters than the others."""
    return _is_item(run[-1]) and run[-1][-1].size > _LARGE * median(row[-1].size for row in run)


def edges_of(fills: Sequence[Box]) -> Iterator[Box]:
    """Where fills begin and end, as flat rules."""
    for left, top, right, bottom in fills:
        yield from ((left, top, right, top), (left, bottom, right, bottom))


def grid_of(pieces: Sequence[TextLine], rules: Sequence[Box] = ()) -> Grid:
    """The grid of pieces that are known to be a table's, however few."""
    rows = _parted(rows_of(pieces))
    cuts = _cuts(_boxes(rows))
    return _made(rows, cuts, rules)


def _grid(rows: list[list[Row]], rules: Sequence[Box]) -> Grid | None:
    boxes = _boxes(rows)
    cuts = _cuts(boxes)
    if not _LEAST_COLUMNS <= len(cuts) - 1 <= _MOST_COLUMNS or _is_prose(rows, boxes, cuts):
        return None
    return _made(rows, cuts, rules)


def _boxes(rows: list[list[Row]]) -> list[list[Box]]:
    return [[around(piece.box for piece in chunk) for chunk in row] for row in rows]


def _at_home(row: list[Row], cuts: Sequence[float]) -> Iterator[Row]:
    """The row's cells, those of which some pieces stand in another column parted there."""
    for cell in row:
        for _, own in itertools.groupby(cell, key=lambda piece: bisect_right(cuts, (piece.box[0] + piece.box[2]) / 2)):
            yield [*own]


def _made(rows: list[list[Row]], cuts: list[float], rules: Sequence[Box]) -> Grid:
    made = rows_in(_boxes([[*_at_home(row, cuts)] for row in rows]), cuts, rules)
    return Grid(cuts, made.edges, made.slots)


def _cuts(boxes: list[list[Box]]) -> list[float]:
    """Edges of columns: between the strips that pieces cover, or where most rows of as many pieces part them."""
    inner = _agreed(boxes) or _between(boxes)
    return [min(box[0] for row in boxes for box in row) - 2, *inner, max(box[2] for row in boxes for box in row) + 2]


def _between(boxes: list[list[Box]]) -> list[float]:
    """The middles of strips that (nearly) no piece of a full row covers."""
    widest = max(len(row) for row in boxes)
    full = [row for row in boxes if len(row) >= min(widest, max(2, 0.6 * widest))]
    pieces = sorted(box for row in full for box in row)
    spans: list[list[float]] = []
    for left, _, right, _ in pieces:
        if spans and left <= spans[-1][1] + 1.5:
            spans[-1][1] = max(spans[-1][1], right)
        else:
            spans.append([left, right])
    return [(one[1] + other[0]) / 2 for one, other in itertools.pairwise(spans)]


def _agreed(boxes: list[list[Box]]) -> list[float]:
    """The gaps of the rows that have the most pieces, of which there are some: heads may reach into them."""
    counts = Counter(len(row) for row in boxes)
    often = [count for count, rows in counts.items() if rows >= max(_LEAST_ROWS, _SOME * len(boxes))]
    full = [row for row in boxes if len(row) == max(often, default=0)]
    found = [_gap_of([(row[at][2], row[at + 1][0]) for row in full]) for at in range(max(often, default=1) - 1)]
    sure = all(share >= _MOST for _, share in found) and max(counts) <= len(found) + 1
    return [at for at, _ in found] if sure and sorted(found) == found else []


def _gap_of(gaps: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where the gaps part two columns, and the share of them that do: next to the edge at which text is aligned."""
    best = max((start for start, _ in gaps), key=lambda at: sum(start <= at < end for start, end in gaps))
    held = [gap for gap in gaps if gap[0] <= best < gap[1]]
    return _beside([start for start, _ in held], [end for _, end in held]), len(held) / len(gaps)


def _beside(ends: Sequence[float], starts: Sequence[float]) -> float:
    """Where two columns part: next to the edge at which text is aligned, or in the middle."""
    last, first = max(ends), min(starts)
    near, middle = min(_BESIDE, (first - last) / 2), (last + first) / 2
    even, odd = _is_aligned(ends, last), _is_aligned(starts, first)
    return middle if even == odd else last + near if even else first - near


def _is_aligned(values: Sequence[float], at: float) -> bool:
    return sum(abs(value - at) < _EDGE for value in values) > _MOST * len(values)


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
