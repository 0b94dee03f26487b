"""Tables whose rules are drawn: the grid that horizontal and vertical rules make, merged cells and all."""

import itertools
import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from cluster.engines.layout.grid import Grid, Slot
from cluster.engines.layout.hanging import held
from cluster.engines.layout.headed import under_head
from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.nested import Rule, frames
from cluster.engines.layout.rows import around, rows_of
from cluster.engines.layout.undrawn import (
    ALONE,
    MOST_UPRIGHT,
    NEAR,
    STUB,
    between,
    caps,
    columns_of,
    ends,
    is_parted,
    meeting,
    merged,
    sides,
)

#: Thicker rules (points) are surfaces.
THIN = 3.5
#: More than so many rules are a drawing, and more cells no table.
_MOST_RULES, _MOST_CELLS = 3000, 6000
#: Share of an edge that has to be drawn.
_DRAWN = 0.6
#: More than this share of areas that are no rectangles is a drawing, not a form some of whose cells are open.
_ODD = 0.15
#: … and so few of them are strays' work.
_STRAY = 0.02
#: Share of such a grid's cells that hold text, and so many rows of text beside each other in one row are a table's.
_FILLED, _BESIDE = 0.3, 3
#: Base lines of one row are hardly farther apart (points).
_LEVEL = 2.0
#: Share of rows at most in which numbers stand below each other.
_FEW = 0.1
#: A row and a column between edges.
_Place = tuple[int, int]


def grids(rules: Sequence[Box], lines: Sequence[TextLine]) -> list[Grid]:
    """The grids among the drawn rules that hold the text within them as tables do."""
    across, down = _sorted(rules)
    if len(across) > _MOST_RULES or len(down) > _MOST_RULES:
        return []
    groups = _touching(across, down)
    whole = [group for group in groups if group.across and group.down]
    made = (_whole(group, [*_boxes_in(group, groups, lines)], lines) for group in whole)
    found = [*itertools.chain.from_iterable(made)]
    outer = sorted((each for each in found if not _inside(each, found)), key=lambda each: each.box[1])
    return [replace(grid, inner=tuple(each for each in found if _inside(each, [grid]))) for grid in outer]


def _whole(group: "_Group", boxes: Sequence["_Group"], lines: Sequence[TextLine]) -> list[Grid]:
    """The group's grid, and those of tables that are drawn within one of its cells or a mere frame."""
    inner = [_Group(*rules) for rules in frames(group.across, group.down)]
    own = [grid for each in inner if (grid := _grid(each, (), lines))]
    if own and len(own) == len(inner):
        rest = _grid(group.without(inner), boxes, lines)
        if not rest or all(_inside(each, [rest]) for each in own):
            return [rest, *own] if rest else own
    found = _grid(group, boxes, lines) or _of_held(group, lines)
    return [found] if found else []


def _of_held(group: "_Group", lines: Sequence[TextLine]) -> Grid | None:
    """The grid of a scan's group, in which strokes of letters and shadows hang, without those."""
    flat, upright = held(group.across, group.down, lines)
    grid = _grid(_Group(flat, upright), (), lines) if flat and upright else None
    return grid if grid and not _crowded(grid, lines) else None


def _grid(group: "_Group", boxes: Sequence["_Group"], lines: Sequence[TextLine]) -> Grid | None:
    """The grid of a group; `boxes` that stand within it take part where there is one with them."""
    if boxes and (found := _grid(group.with_(boxes), (), lines)):
        return found
    told = [*columns_of(group.across, group.down, lines), *sides(group.across, group.down, lines)]
    down = [*group.down, *told]
    drawn = [*group.across, *between(group.across, group.down, lines), *caps(group.across, down, lines)]
    opened = list(ends(drawn, down, lines))
    flat = [*drawn, *opened]
    columns, rows = merged(rule.at for rule in down), merged(rule.at for rule in flat)
    told_so = len(down) > len(group.down) or len(drawn) > len(group.across)
    if told_so and is_parted([group.box[0], *columns, group.box[2]], group.down, lines):
        return None  # there are more columns than rules tell: alignment does
    few = len(rows) < 2 or len(columns) < 2 or len(rows) + len(columns) < 5
    if few or len(rows) * len(columns) > _MOST_CELLS:
        return None
    slots, odd = _slots(flat, down, columns, rows)
    if not slots or not _holds(grid := Grid(columns, rows, slots), lines):
        return None
    if told_so and (group.box[3] > rows[-1] + ALONE or _crowded(grid, lines)):
        return None  # rows go on below the last edge, or are missing
    if _is_frame(grid, lines) or _lacks_columns(grid, lines):
        return None
    whole = not opened and (not odd or (odd <= _STRAY * len(slots) and not _crowded(grid, lines)))
    return under_head(grid, _inside_of(grid, lines)) if whole or _is_form(grid, lines) else None


def _boxes_in(group: "_Group", groups: Sequence["_Group"], lines: Sequence[TextLine]) -> Iterator["_Group"]:
    """Boxes that are not drawn on every side and touch no rule of the group, within it and beside words."""
    words = [line.box for line in lines if group.holds(line.box)]
    for other in groups if len(groups) < MOST_UPRIGHT else ():
        if other.is_open and group.holds(other.box) and any(map(other.stands_by, words)):
            yield other


def _inside(grid: Grid, others: Sequence[Grid]) -> bool:
    """Whether it lies in a cell of another: its rows are lines of that."""
    return any(other is not grid and any(_within(grid.box, slot.box) for slot in other.slots) for other in others)


def _within(inner: Box, outer: Box) -> bool:
    return (
        outer[0] - 1 <= inner[0] and outer[1] - 1 <= inner[1] and inner[2] <= outer[2] + 1 and inner[3] <= outer[3] + 1
    )


def _sorted(rules: Iterable[Box]) -> tuple[list[Rule], list[Rule]]:
    across, down = [], []
    for left, top, right, bottom in rules:
        if bottom - top < THIN and right - left > 4:
            across.append(Rule((top + bottom) / 2, left, right))
        elif right - left < THIN and bottom - top > 4:
            down.append(Rule((left + right) / 2, top, bottom))
    return sorted(set(across), key=lambda rule: rule.at), sorted(set(down), key=lambda rule: rule.at)


@dataclass(frozen=True)
class _Group:
    """Flat and upright rules that touch each other."""

    across: list[Rule]
    down: list[Rule]

    @cached_property
    def box(self) -> Box:
        flat = ((rule.start, rule.at, rule.end, rule.at) for rule in self.across)
        return around([*flat, *((rule.at, rule.start, rule.at, rule.end) for rule in self.down)])

    @property
    def is_open(self) -> bool:
        """Whether it has upright rules that are no mere ticks, and no side opposite of one of its sides."""
        high = all(rule.end - rule.start > STUB for rule in self.down)
        return (
            high
            and bool(self.down)
            and min(len(merged(rule.at for rule in way)) for way in (self.across, self.down)) < 2
        )

    def holds(self, box: Box) -> bool:
        """Whether the box lies within, off the edges."""
        left, top, right, bottom = self.box
        return left + NEAR < box[0] and top + NEAR < box[1] and box[2] < right - NEAR and box[3] < bottom - NEAR

    def stands_by(self, words: Box) -> bool:
        """Whether an upright rule is as high as the words' line."""
        middle = (words[1] + words[3]) / 2
        return any(rule.start < middle < rule.end for rule in self.down)

    def without(self, others: Sequence["_Group"]) -> "_Group":
        """Without the others' rules."""
        across = {rule for each in others for rule in each.across}
        down = {rule for each in others for rule in each.down}
        return _Group(
            [rule for rule in self.across if rule not in across], [rule for rule in self.down if rule not in down]
        )

    def with_(self, others: Sequence["_Group"]) -> "_Group":
        """With the others' rules, from top to bottom and from left to right."""
        across = (rule for each in (self, *others) for rule in each.across)
        down = (rule for each in (self, *others) for rule in each.down)
        return _Group(*(sorted(rules, key=lambda rule: rule.at) for rules in (across, down)))


def _touching(across: list[Rule], down: list[Rule]) -> list[_Group]:
    """Rules in groups that touch each other."""
    owner = list(range(len(across) + len(down)))

    def root(at: int) -> int:
        while owner[at] != at:
            owner[at] = owner[owner[at]]
            at = owner[at]
        return at

    places = [flat.at for flat in across]
    for number, rule in enumerate(down, len(across)):
        for other in range(bisect_left(places, rule.start - 3), bisect_right(places, rule.end + 3)):
            if across[other].start - 3 <= rule.at <= across[other].end + 3:
                owner[root(other)] = root(number)
    for rules, first in ((across, 0), (down, len(across))):
        for one, other in meeting(rules):
            owner[root(first + other)] = root(first + one)
    groups: dict[int, _Group] = defaultdict(lambda: _Group([], []))
    for at, rule in enumerate([*across, *down]):
        (groups[root(at)].down if at >= len(across) else groups[root(at)].across).append(rule)
    return list(groups.values())


def _slots(across: list[Rule], down: list[Rule], columns: list[float], rows: list[float]) -> tuple[list[Slot], int]:
    """Cells closed by rules; an area that is no rectangle, as around a box in a form, is cut along its rows.

    None where many areas are like that; how many are is told, too.
    """
    flat, upright = _Drawn(across, rows), _Drawn(down, columns)
    owner = {(row, column): (row, column) for row in range(len(rows) - 1) for column in range(len(columns) - 1)}

    def root(key: tuple[int, int]) -> tuple[int, int]:
        while owner[key] != key:
            key = owner[key]
        return key

    for row, column in list(owner):
        if (row, column + 1) in owner and not upright.at(column + 1, rows[row], rows[row + 1]):
            owner[root((row, column + 1))] = root((row, column))
        if (row + 1, column) in owner and not flat.at(row + 1, columns[column], columns[column + 1]):
            owner[root((row + 1, column))] = root((row, column))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for key in owner:
        groups[root(key)].append(key)
    odd = [keys for keys in groups.values() if not _is_whole(keys)]
    if len(odd) > _ODD * len(groups):
        return [], len(odd)
    areas = [keys for keys in groups.values() if _is_whole(keys)]
    areas += (part for keys in odd for part in _cut(keys, upright, rows))
    return sorted((_slot(keys, columns, rows) for keys in areas), key=lambda slot: (slot.row, slot.column)), len(odd)


def _is_whole(keys: Sequence[_Place]) -> bool:
    """Whether the places make a rectangle."""
    down, right = ([key[way] for key in keys] for way in (0, 1))
    return (max(down) - min(down) + 1) * (max(right) - min(right) + 1) == len(keys)


def _cut(keys: Sequence[_Place], upright: "_Drawn", rows: list[float]) -> Iterator[list[_Place]]:
    """The places as rectangles: stretches of a row between drawn rules, each with the equal ones below it."""
    going: dict[_Place, list[_Place]] = {}
    for row, own in itertools.groupby(sorted(keys), key=lambda key: key[0]):
        spans = list(_stretches(list(own), upright, rows))
        yield from (part for span, part in going.items() if span not in spans)
        going = {span: [*going.get(span, ()), *((row, column) for column in range(*span))] for span in spans}
    yield from going.values()


def _stretches(keys: Sequence[_Place], upright: "_Drawn", rows: list[float]) -> Iterator[_Place]:
    """First column and the one behind the last of places in a row that nothing parts."""
    start = keys[0][1]
    for (row, last), (_, column) in itertools.pairwise(keys):
        if column > last + 1 or upright.at(column, rows[row], rows[row + 1]):
            yield start, last + 1
            start = column
    yield start, keys[-1][1] + 1


class _Drawn:
    """Which stretches of the edges are drawn."""

    def __init__(self, rules: Iterable[Rule], edges: list[float]) -> None:
        self.by_edge: dict[int, list[Rule]] = defaultdict(list)
        for rule in rules:
            for at, edge in enumerate(edges):
                if abs(edge - rule.at) <= NEAR:
                    self.by_edge[at].append(rule)

    def at(self, edge: int, start: float, end: float) -> bool:
        """Whether most of the edge between `start` and `end` is."""
        parts = (min(end, rule.end) - max(start, rule.start) for rule in self.by_edge[edge])
        return sum(part for part in parts if part > 0) > _DRAWN * (end - start)


def _slot(keys: list[tuple[int, int]], columns: list[float], rows: list[float]) -> Slot:
    top, bottom = min(key[0] for key in keys), max(key[0] for key in keys) + 1
    left, right = min(key[1] for key in keys), max(key[1] for key in keys) + 1
    return Slot(top, left, bottom - top, right - left, (columns[left], rows[top], columns[right], rows[bottom]))


def _is_frame(grid: Grid, lines: Sequence[TextLine]) -> bool:
    """Whether it parts a page rather than a table: all text in one of its columns, which has columns of its own."""
    inside = _inside_of(grid, lines)
    own = {grid.slots[grid.slot_at(line.box)].column for line in inside}
    return len(own) == 1 and _rows_beside(grid, inside) >= _BESIDE


def _inside_of(grid: Grid, lines: Sequence[TextLine]) -> list[TextLine]:
    left, top, right, bottom = grid.box
    return [line for line in lines if left <= line.box[0] and line.box[2] <= right and top <= line.base <= bottom]


def _is_form(grid: Grid, lines: Sequence[TextLine]) -> bool:
    """Whether a grid that is not drawn to its end is one: filled, and no rows of text in one of its rows."""
    inside = _inside_of(grid, lines)
    filled = len({grid.slots[grid.slot_at(line.box)].box for line in inside})
    return filled > _FILLED * len(grid.slots) and _rows_beside(grid, inside) < _BESIDE


def _rows_beside(grid: Grid, inside: Sequence[TextLine]) -> int:
    """How many rows of text beside each other the fullest of the grid's rows holds."""
    own = [grid.slots[grid.slot_at(line.box)] for line in inside]
    bands: dict[tuple[int, int], dict[int, list[TextLine]]] = defaultdict(lambda: defaultdict(list))
    for slot, line in zip(own, inside, strict=True):
        bands[slot.row, slot.rows][round(line.base)].append(line)
    return max((sum(map(_apart, levels.values())) for levels in bands.values()), default=0)


def _crowded(grid: Grid, lines: Sequence[TextLine]) -> bool:
    """Whether more rows of numbers than the grid has stand beside each other within its rows: it misses theirs."""
    rows: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for line in filter(is_number, _inside_of(grid, lines)):
        slot = grid.slots[grid.slot_at(line.box)]
        rows[slot.row].append((line.base, slot.column))
    more = (max(0, sum(len(columns) > 1 for columns in _levels(row)) - 1) for row in rows.values())
    return sum(more) > _FEW * (len(grid.rows) - 1)


def _lacks_columns(grid: Grid, lines: Sequence[TextLine]) -> bool:
    """Whether in most rows of text, several in one of the grid's, numbers stand beside each other in one column."""
    held: dict[int, list[TextLine]] = defaultdict(list)
    for line in _inside_of(grid, lines):
        held[grid.slots[grid.slot_at(line.box)].row].append(line)
    rows = {at: rows_of(own) for at, own in held.items()}
    beside = [sum(_are_beside(grid, row) for row in own) for own in rows.values()]
    return max(beside, default=0) >= _BESIDE and 2 * sum(beside) >= sum(map(len, rows.values()))


def _are_beside(grid: Grid, row: Sequence[TextLine]) -> bool:
    columns = Counter(bisect_right(grid.columns, line.box[0]) for line in row if is_number(line))
    return max(columns.values(), default=0) > 1


def _levels(row: Iterable[tuple[float, int]]) -> Iterator[set[int]]:
    """The columns of what stands on each base line of a row."""
    last = -math.inf
    columns: set[int] = set()
    for base, column in sorted(row):
        if base - last > _LEVEL and columns:
            yield columns
            columns = set()
        columns.add(column)
        last = base
    yield columns


def is_number(line: TextLine) -> bool:
    """Whether it has digits and no letters."""
    return any(map(str.isdigit, line.text)) and not any(map(str.isalpha, line.text))


def _apart(row: Sequence[TextLine]) -> bool:
    """Whether a row of text has a wide gap."""
    pairs = itertools.pairwise(sorted(row, key=lambda line: line.box[0]))
    return any(other.box[0] - line.box[2] > line.size for line, other in pairs)


def _holds(grid: Grid, lines: Sequence[TextLine]) -> bool:
    """Whether text stands in at least two cells and hardly any of it across their edges."""
    left, top, right, bottom = grid.box
    whole = Slot(0, 0, 1, 1, (left - 2, top - 2, right + 2, bottom + 2))
    inside = [line for line in lines if whole.holds(line.box)]
    boxes = [(grid.slots[grid.slot_at(line.box)].box, line.box) for line in inside]
    wild = sum(own[0] < slot[0] - 4 or own[2] > slot[2] + 4 for slot, own in boxes)
    count = len({slot for slot, _ in boxes})
    return len(grid.slots) >= 2 and count >= (2 if len(grid.slots) < 4 else 1) and wild <= 0.1 * len(inside)
