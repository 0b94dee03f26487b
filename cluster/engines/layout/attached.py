"""Rows of a table without a full grid: which lines of text are one row, and which cells reach over two.

Lines with pieces in half of the columns or more are rows' bodies; other lines are parts of cells that take several,
or stand in the middle of them, and belong to the body that is nearest.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from cluster.engines.layout.grid import Slot
from cluster.engines.layout.grids import THIN
from cluster.engines.layout.model import Box
from cluster.engines.layout.rows import around
from cluster.engines.layout.undrawn import merged

#: A stop is drawn over so much of the table's width; with so many stops for a row, every row has one.
_WIDE, _EACH = 0.6, 0.6
#: In heights of letters: how near a further line stands to its cell; how far lines of one row reach into each other.
_NEAR, _INTO = 0.45, 0.15
#: … and how far lines of one text stand from each other at most.
_LINE = 0.3
#: Texts whose next words stand on the next line fill so much of their column.
_FILLED = 0.6
#: A further line stands nearer to its row than this share of what parts rows.
_NEARER = 0.6
#: Rows above and below a piece that it may be a part of.
_AROUND = 2
#: Points by which the edges of a cell's lines differ.
_EVEN = 2.0
#: Distances of which one is so many times the other are those of lines and of rows.
_CLEAR = 1.5
#: In heights of letters: how far from the middle between two rows a cell of both stands.
_MIDDLE = 0.3
#: A cell's text reaches over into the next column by so much of itself (and 2 points) where it spans both; not where
#: it is set as more than so much of its own one is.
_OVER, _MOST = 0.2, 0.6


@dataclass
class _Row:
    """The pieces of a row; `body` is what stands on the line that all of it belongs to."""

    body: list[Box]
    more: list[Box] = field(default_factory=list)

    @property
    def boxes(self) -> list[Box]:
        return self.body + self.more

    @property
    def box(self) -> Box:
        return around(self.boxes)


_Gathered = tuple[list[_Row], list[tuple[Box, int]]]
"""Rows, and the pieces that reach over two of them with the upper one's number."""


@dataclass(frozen=True)
class Rows:
    """Edges of the rows, and the slots between them and the columns' cuts."""

    edges: list[float]
    slots: list[Slot]


def rows_in(lines: list[list[Box]], cuts: Sequence[float], rules: Sequence[Box]) -> Rows:
    """The rows that lines of pieces make, top to bottom; `rules` are all drawn edges, flat ones part rows."""
    flat = _flat(rules, cuts)
    stops = _stops(flat, cuts)
    rows, tall = _banded(lines, cuts, stops) or _gathered(lines, cuts, stops, flat)
    edges = _edges(rows, stops)
    return Rows(edges, list(_slots(rows, tall, cuts, edges)))


def _flat(rules: Sequence[Box], cuts: Sequence[float]) -> list[Box]:
    """The flat rules beside the table's columns, top to bottom."""
    left, right = cuts[0], cuts[-1]
    flat = (rule for rule in rules if rule[3] - rule[1] < THIN and rule[2] > left and rule[0] < right)
    return sorted(flat, key=_middle)


def _stops(flat: Sequence[Box], cuts: Sequence[float]) -> list[float]:
    """Heights at which flat rules are drawn through most of the table."""
    left, right = cuts[0], cuts[-1]
    places = [_middle(rule) for rule in flat]
    found = []
    for at in merged(places):
        near = flat[bisect_left(places, at - THIN) : bisect_right(places, at + THIN)]
        if _covered(near, left, right) > _WIDE * (right - left):
            found.append(at)
    return found


def _covered(rules: Iterable[Box], left: float, right: float) -> float:
    """How much of the way is covered, wherever twice only once."""
    length, until = 0.0, left
    for start, _, end, _ in sorted(rules):
        start, end = max(start, until), min(end, right)
        length += max(0.0, end - start)
        until = max(until, end)
    return length


def _banded(lines: list[list[Box]], cuts: Sequence[float], stops: list[float]) -> _Gathered | None:
    """The rows between stops, where there is one for nearly each."""
    middles = [_middle(around(line)) for line in lines]
    inner = [stop for stop in stops if middles[0] < stop < middles[-1]]
    bands: dict[int, _Row] = {}
    for middle, line in zip(middles, lines, strict=True):
        at = sum(stop < middle for stop in inner)
        bands.setdefault(at, _Row([])).body.extend(line)
    bodies = sum(len(line) > 1 for line in lines)
    if len(inner) < max(2, _EACH * bodies):
        return None
    rows = [bands[at] for at in sorted(bands)]
    height = median(box[3] - box[1] for line in lines for box in line)
    return rows, list(_tall(rows, cuts, height, [inner[at] for at in sorted(bands)[:-1]]))


def _gathered(lines: list[list[Box]], cuts: Sequence[float], stops: list[float], flat: Sequence[Box]) -> _Gathered:
    """The rows around lines of many pieces, and the pieces that reach over two rows with the first one's number."""
    height = median(box[3] - box[1] for line in lines for box in line)
    many = min(max(2, len(cuts) // 2), max(map(len, lines)))
    space = _Space(cuts, stops, height, 0)
    widest: dict[int, float] = defaultdict(float)
    for box in (box for line in lines for box in line):
        widest[space.column(box)] = max(widest[space.column(box)], box[2] - box[0])
    rows: list[_Row] = []
    for line in (line for line in lines if len(line) >= many):
        if rows and (_goes_on(rows[-1], line, space, widest) or _is_beside(rows[-1], line, height)):
            rows[-1].more.extend(line)
        else:
            rows.append(_Row(line))
    loose = [box for line in lines if len(line) < many for box in line]
    alone = _attach(rows, loose, _Space(cuts, stops, height, _parts(rows, loose), flat))
    rows = sorted([*rows, *_own(alone)], key=lambda row: _middle(around(row.body)))
    middles = [_middle(around(row.body)) for row in rows]
    return rows, list(_tall(rows, cuts, height, [(one + other) / 2 for one, other in pairwise(middles)]))


def _goes_on(row: _Row, line: list[Box], space: "_Space", widest: Mapping[int, float]) -> bool:
    """Whether a line that lacks the first cell and stands close goes on in the row above.

    Not where none of the texts above fills its column: its next words would have stood there.
    """
    low, top = row.box[3], around(line)[1]
    close = top - low < _NEAR * space.height and not any(low - 4 < stop < top + 4 for stop in space.stops)
    if not close or line[0][0] < space.cuts[1] or len(line) >= len(row.body):
        return False
    columns = [space.column(box) for box in line]
    above = [box for box in row.boxes if space.column(box) in columns]
    return not above or any(box[2] - box[0] > _FILLED * widest[space.column(box)] for box in above)


def _is_beside(row: _Row, line: list[Box], height: float) -> bool:
    """Whether a line stands half beside one of the row's, in other columns: cells of one row, of as many lines or more.

    What stands below each other in one column is then no further apart than lines of a text.
    """
    beside = [box for box in row.boxes if any(_gap(box, each) < -_INTO * height for each in line)]
    over = [_gap(box, each) for box in row.boxes for each in line if min(box[2], each[2]) > max(box[0], each[0])]
    return bool(beside) and all((way + _INTO * height >= 0.0 and way < _LINE * height) or way > height for way in over)


@dataclass(frozen=True)
class _Space:
    """What decides where a further line belongs: columns, stops, the letters' height, what parts rows, flat rules."""

    cuts: Sequence[float]
    stops: list[float]
    height: float
    parts: float
    flat: Sequence[Box] = ()

    def column(self, box: Box) -> int:
        middle = (box[0] + box[2]) / 2
        return min(max(0, sum(cut <= middle for cut in self.cuts) - 1), len(self.cuts) - 2)

    def apart(self, box: Box, row: _Row) -> float:
        """The way between a piece and what its row has in that column, or the row's body; below 0 they overlap."""
        own = [each for each in row.more if self.column(each) == self.column(box)]
        ways = [_gap(box, each) for each in (*own, around(row.body))]
        middle, other = _middle(box), _middle(around(row.body))
        low, high = sorted((middle, other))
        if any(low < stop < high for stop in self.stops) or self._is_ruled(box, low, high):
            return 1e9
        return min(ways)

    def _is_ruled(self, box: Box, low: float, high: float) -> bool:
        """Whether a rule goes by the piece between the heights, over more than it: its own underlines it."""
        between = self.flat[bisect_left(self.flat, low, key=_middle) : bisect_right(self.flat, high, key=_middle)]
        return any(rule[0] < box[0] - _EVEN and rule[2] > box[2] + _EVEN for rule in between)

    def belongs(self, box: Box, way: float, row: _Row) -> bool:
        """Whether the piece is near enough; close below its row when that stands as closely as others do."""
        own = [each for each in row.boxes if self.column(each) == self.column(box)]
        if own and not any(_aligned(box, each) for each in own):
            return False
        if way < -_INTO * self.height or way < _NEARER * self.parts:
            return True
        return self.column(box) > 0 and way < _NEAR * self.height and _middle(box) > _middle(around(row.body))


def _aligned(one: Box, other: Box) -> bool:
    """Whether two lines may be of one cell: their left edges agree, their right ones or their middles."""
    ways = one[0] - other[0], one[2] - other[2], (one[0] + one[2] - other[0] - other[2]) / 2
    return min(map(abs, ways)) < _EVEN


def _parts(rows: list[_Row], loose: list[Box]) -> float:
    """What parts rows: those that nothing stands between, or else the wider of two clearly different distances."""
    between = [
        other.box[1] - one.box[3]
        for one, other in pairwise(rows)
        if not any(_middle(one.box) < _middle(box) < _middle(other.box) for box in loose)
    ]
    if between:
        return median(between)
    boxes = sorted([*(box for row in rows for box in row.boxes), *loose], key=_middle)
    ways = sorted(_gap(box, below) for at, box in enumerate(boxes) if (below := _below(box, boxes[at + 1 :])))
    jumps = [(other / one, other) for one, other in pairwise(way for way in ways if way > 0)]
    jump, wide = max(jumps, default=(0.0, 0.0))
    return wide if jump > _CLEAR else 0.0


def _below(box: Box, others: Sequence[Box]) -> Box | None:
    """The next one that stands under a part of it."""
    return next((each for each in others if min(box[2], each[2]) > max(box[0], each[0])), None)


def _attach(rows: list[_Row], loose: list[Box], space: _Space) -> list[Box]:
    """Give each piece to the row that it is a part of, the nearest first; the pieces that are of none."""
    waiting, places = list(loose), [_middle(around(row.body)) for row in rows]
    while waiting:
        left: list[Box] = []
        ways = [_nearest(rows, places, box, space) for box in waiting]
        for box, (way, row) in sorted(zip(waiting, ways, strict=True), key=lambda each: each[1][0]):
            if row is not None and space.belongs(box, way, row):
                row.more.append(box)
            else:
                left.append(box)
        if len(left) == len(waiting):
            break
        waiting = left
    return waiting


def _nearest(rows: list[_Row], places: list[float], box: Box, space: _Space) -> tuple[float, _Row | None]:
    """The nearest row of those around a piece, and the way there."""
    at = bisect_left(places, _middle(box))
    ways = [(space.apart(box, row), row) for row in rows[max(0, at - _AROUND) : at + _AROUND]]
    return min(ways, key=lambda each: each[0], default=(0.0, None))


def _tall(rows: list[_Row], cuts: Sequence[float], height: float, bounds: Sequence[float]) -> Iterator[tuple[Box, int]]:
    """Pieces at the bound between two rows that have nothing else in that column, with the upper one's number."""
    space, taken = _Space(cuts, [], height, 0), set[tuple[int, int]]()
    for at, (one, other) in enumerate(pairwise(rows)):
        for own, box in [(each, box) for each in (one, other) for box in each.boxes]:
            column = space.column(box)
            beside = sum(space.column(each) == column for each in (*one.boxes, *other.boxes))
            if (at - 1, column) in taken:
                continue  # the upper row's place there is a part of the cell above it
            if beside == 1 and abs(_middle(box) - bounds[at]) < _MIDDLE * height and len(own.boxes) > 1:
                (own.more if box in own.more else own.body).remove(box)
                taken.add((at, column))
                yield box, at


def _own(boxes: list[Box]) -> list[_Row]:
    """Rows of their own, of what stands on one line."""
    rows: list[_Row] = []
    for box in sorted(boxes, key=_middle):
        if rows and -_gap(box, rows[-1].box) > 0.5 * (box[3] - box[1]):
            rows[-1].body.append(box)
        else:
            rows.append(_Row([box]))
    return rows


def _middle(box: Box) -> float:
    return (box[1] + box[3]) / 2


def _gap(one: Box, other: Box) -> float:
    return max(one[1], other[1]) - min(one[3], other[3])


def _edges(rows: list[_Row], stops: list[float]) -> list[float]:
    """At the rules between two rows, above the first and below the last one; else in their middle, and at the text."""
    boxes = [row.box for row in rows]
    height = median(box[3] - box[1] for row in rows for box in row.boxes)
    outer = boxes[0][1] - height, boxes[-1][3] + height
    bounds = [
        (outer[0], boxes[0][1], boxes[0][1]),
        *((one[3], (one[3] + other[1]) / 2, other[1]) for one, other in pairwise(boxes)),
        (boxes[-1][3], boxes[-1][3], outer[1]),
    ]
    return [_stop(sorted((start, end)), usual, stops) for start, usual, end in bounds]


def _stop(way: list[float], usual: float, stops: list[float]) -> float:
    """The rule that is nearest to the usual place on the way from one text to the next."""
    start, end = way
    return min(
        stops[bisect_left(stops, start) : bisect_right(stops, end)], key=lambda at: abs(at - usual), default=usual
    )


def _slots(rows: list[_Row], tall: list[tuple[Box, int]], cuts: Sequence[float], edges: list[float]) -> Iterable[Slot]:
    space = _Space(cuts, [], 0, 0)
    under = {(row + more, space.column(box)): 2 - more for box, row in tall for more in (0, 1)}
    columns: dict[int, list[Box]] = defaultdict(list)
    for box in (box for row in rows for box in row.boxes):
        columns[space.column(box)].append(box)
    for number, row in enumerate(rows):
        found = _spans(row, space, columns, head=_is_head(rows, number, space)).items()
        free = {at: wide for at, wide in found if not any((number, at + more) in under for more in range(wide))}
        column = 0
        while column < len(cuts) - 1:
            wide, high = free.get(column, 1), under.get((number, column), 1)
            if under.get((number, column)) != 1:
                box = (cuts[column], edges[number], cuts[column + wide], edges[number + high])
                yield Slot(number, column, high, wide, box)
            column += wide


def _spans(row: _Row, space: _Space, columns: Mapping[int, list[Box]], *, head: bool) -> dict[int, int]:
    """Columns at which a cell begins that spans several: nothing else stands in them, and it is set as none of them.

    In a row of heads one stands in the middle of the columns that it spans, however short it is.
    """
    homes = [space.column(box) for box in row.boxes]
    found: dict[int, int] = {}
    for box in row.boxes:
        least = max(2.0, _OVER * (box[2] - box[0]))
        sides = enumerate(pairwise(space.cuts))
        held = [at for at, (left, right) in sides if min(box[2], right) - max(box[0], left) > least]
        if len(held) > 1 and _is_set(box, columns[space.column(box)]):
            held = []
        elif head and len(held) < 2:
            held = _headed(box, space.column(box), homes, space.cuts)
        taken = {at for start, wide in found.items() for at in range(start, start + wide)}
        free = all(homes.count(at) <= (at == space.column(box)) and at not in taken for at in held)
        if len(held) > 1 and free:
            found[held[0]] = len(held)
    return found


def _is_set(box: Box, column: Sequence[Box]) -> bool:
    """Whether it ends where most of its column do: a head of numbers is wider than they are."""
    return sum(abs(each[2] - box[2]) < _EVEN for each in column) > max(2, _MOST * len(column))


def _headed(box: Box, home: int, homes: Sequence[int], cuts: Sequence[float]) -> list[int]:
    """The columns around `home` without a head of their own that a head stands in the middle of.

    As many as it can where the next heads have their share of the columns between.
    """
    first, last = home, home
    while first > 0 and first - 1 not in homes:
        first -= 1
    while last < len(cuts) - 2 and last + 1 not in homes:
        last += 1
    ways = [
        (abs(cuts[start] + cuts[end + 1] - box[0] - box[2]), start, end)
        for start in range(first, home + 1)
        for end in range(home, last + 1)
    ]
    way, start, end = min(ways)
    others = [other for other in homes if other != home]
    least = max((other + (home - other) // 2 + 1 for other in others if other < home), default=0)
    most = min((other - (other - home) // 2 - 1 for other in others if other > home), default=last)
    shares = [(one - two, one, two) for far, one, two in ways if far < way + _EVEN and least <= one and two <= most]
    _, start, end = min(shares, default=(0, start, end))
    return list(range(start, end + 1))


def _is_head(rows: list[_Row], number: int, space: _Space) -> bool:
    """Whether the row lacks cells, all above it do, and the next one has more."""
    full = [len({space.column(box) for box in row.boxes}) for row in rows[: number + 2]]
    return len(full) == number + 2 and max(full[:-1]) < min(len(space.cuts) - 1, full[-1])
