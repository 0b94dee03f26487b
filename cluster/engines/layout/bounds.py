"""Where a table that alignment tells begins and ends: lines of heads above its first row, notes below its last rule."""

from collections.abc import Iterable, Sequence
from statistics import median

from cluster.engines.layout.grids import THIN, is_number
from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.rows import around

Row = list[TextLine]
#: A rule that ends a table is drawn over so much of it; rows that a table has at least, and those below it at most.
_WIDE, _LEAST, _NOTES = 0.9, 3, 3
#: Points by which a text reaches over an edge, and by which the sides of a head's lines differ.
_OVER, _EVEN = 2.0, 2.5
#: In heights of letters: how far the lines of one head stand from each other, and a head from the rule above it.
_LINE, _NEAR = 0.45, 1.5
#: A head has so many lines at most.
_LINES = 8
#: So much of a head that spans two columns stands in the other one.
_PART = 0.35
#: What begins so tells a unit, and what is so long is no head.
_SAID, _LONG = ("(", "（", "["), 40
#: Letters so many times as large are a title's.
_LARGE = 1.15


def without_notes(rows: Sequence[list[Row]], cuts: Sequence[float], rules: Sequence[Box]) -> list[list[Row]]:
    """The rows above the rule below which a text reaches over columns, or down to the lower side of a frame."""
    for at in range(max(_LEAST, len(rows) - _NOTES), len(rows)):
        low, high = _box(rows[at - 1])[3], _box(rows[at])[1]
        between = [rule for rule in rules if low - _OVER < rule[3] < high + _OVER]
        over = any(_reaches(piece, cuts) for cell in rows[at] for piece in cell)
        if (over and _is_wide(between, cuts)) or _is_framed(between, cuts, _box(rows[0])):
            return list(rows[:at])
    return list(rows)


def _box(row: Iterable[Row]) -> Box:
    return around(piece.box for cell in row for piece in cell)


def _reaches(piece: TextLine, cuts: Sequence[float]) -> bool:
    left, _, right, _ = piece.box
    return any(left + _OVER < cut < right - _OVER for cut in cuts[1:-1])


def _is_wide(rules: Iterable[Box], cuts: Sequence[float]) -> bool:
    """Whether one of the flat rules is as wide as the table."""
    left, right = cuts[0], cuts[-1]
    return any(
        rule[3] - rule[1] < THIN and min(rule[2], right) - max(rule[0], left) > _WIDE * (right - left) for rule in rules
    )


def _is_framed(rules: Iterable[Box], cuts: Sequence[float], first: Box) -> bool:
    """Whether upright rules that began above the first row end there on both sides of the table."""
    high = [rule for rule in rules if rule[2] - rule[0] < THIN and rule[1] < first[3]]
    return any(rule[2] < cuts[0] + _OVER for rule in high) and any(rule[0] > cuts[-1] - _OVER for rule in high)


def heads(rows: Sequence[list[Row]], above: Sequence[Row], cuts: Sequence[float], rules: Sequence[Box]) -> list[Row]:
    """What stands above the first row and is a line of its heads, top to bottom; nothing where no numbers follow."""
    found: list[Row] = []
    below = [piece for cell in rows[0] for piece in cell]
    for row in reversed(above) if _first_numbers(rows) else ():
        if not _is_head(row, below, cuts, rules):
            break
        found.insert(0, row)
        below = row
    return found


def _is_head(row: Row, below: Row, cuts: Sequence[float], rules: Sequence[Box]) -> bool:
    """Whether each text stands right above one as a line of the same cell, or all below a rule as wide as the table."""
    height = median(piece.size for piece in row)
    low, (_, top, _, _) = around(piece.box for piece in row), around(piece.box for piece in below)
    usual = median(piece.size for piece in below)
    said = any(_is_said(piece.text.strip()) or piece.size > _LARGE * usual for piece in row)
    outside = any(_is_name(piece, cuts) for piece in row) or low[2] > cuts[-1] + 3 * height
    title = len(row) == 1 and abs(low[0] + low[2] - cuts[0] - cuts[-1]) < 2 * height
    if said or outside or title or _is_wide((rule for rule in rules if low[3] - _OVER < rule[1] < top + _OVER), cuts):
        return False
    over = all(any(_are_one(piece, each) for each in below) for piece in row)
    near = [rule for rule in rules if low[1] - _NEAR * height < rule[1] < low[1] + _OVER]
    return (over and top - low[3] < _LINE * height) or (top - low[3] < _NEAR * height and _is_wide(near, cuts))


def _is_name(piece: TextLine, cuts: Sequence[float]) -> bool:
    """Whether it stands in the first column."""
    return (piece.box[0] + piece.box[2]) / 2 < cuts[1]


def _is_said(text: str) -> bool:
    """Whether it tells a unit, what follows, or a whole sentence: no head of a column."""
    return text.startswith(_SAID) or text.endswith((":", "：")) or len(text) > _LONG


def _are_one(upper: TextLine, lower: TextLine) -> bool:
    """Whether the two may be lines of one head: as large, one above the other, and even at a side or in the middle."""
    one, other = upper.box, lower.box
    ways = one[0] - other[0], one[2] - other[2], (one[0] + one[2] - other[0] - other[2]) / 2
    over = min(one[2], other[2]) > max(one[0], other[0])
    return over and abs(upper.size - lower.size) < 1 and min(map(abs, ways)) < _EVEN


def joined(rows: Sequence[list[Row]], cuts: Sequence[float], rules: Sequence[Box]) -> list[list[Row]]:
    """The rows, lines of one row of heads as one: between rules above the numbers, each above its next one."""
    made, last = [*rows], max(0, _first_numbers(rows) - 1)
    for at in reversed(range(max(0, last - _LINES), last)):
        if _go_on(made[at], made[at + 1], cuts, rules):
            made[at : at + 2] = [_merged(made[at], made[at + 1], cuts)]
    return made


def _first_numbers(rows: Sequence[list[Row]]) -> int:
    """The first row most of whose cells behind the first hold numbers alone; 0 where none does."""
    for at, row in enumerate(rows):
        values = [all(map(is_number, cell)) for cell in row[1:]]
        if values and 2 * sum(values) > len(values):
            return at
    return 0


def _go_on(upper: list[Row], lower: list[Row], cuts: Sequence[float], rules: Sequence[Box]) -> bool:
    first, second = ([piece for cell in row for piece in cell] for row in (upper, lower))
    height = median(piece.size for piece in second)
    high, low = around(piece.box for piece in first), around(piece.box for piece in second)
    if low[1] - high[3] > _LINE * height or any(_spans(piece, cuts) for piece in first):
        return False
    if any(high[3] - _OVER < rule[1] < low[1] + _OVER and rule[3] - rule[1] < THIN for rule in rules):
        return False
    heads = [piece for piece in first if not _is_name(piece, cuts)]
    named = len(heads) < len(first) and any(_is_name(piece, cuts) for piece in second)
    return bool(heads) and not named and all(any(_are_one(piece, each) for each in second) for piece in heads)


def _spans(piece: TextLine, cuts: Sequence[float]) -> bool:
    """Whether a good part of it stands in another column."""
    left, _, right, _ = piece.box
    return any(min(cut - left, right - cut) > _PART * (right - left) for cut in cuts[1:-1])


def _merged(upper: list[Row], lower: list[Row], cuts: Sequence[float]) -> list[Row]:
    pieces = sorted((piece for row in (upper, lower) for cell in row for piece in cell), key=lambda piece: piece.box[0])
    columns: dict[int, Row] = {}
    for piece in pieces:
        middle = (piece.box[0] + piece.box[2]) / 2
        columns.setdefault(sum(cut <= middle for cut in cuts), []).append(piece)
    return [*columns.values()]
