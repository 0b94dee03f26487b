"""Columns that no rule parts: where the texts of most rows stand apart at one place, a column is two."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from cluster.engines.layout.grid import Grid, Slot
from cluster.engines.layout.letters import mark_of
from cluster.engines.layout.model import TextLine
from cluster.engines.layout.rows import rows_of

#: Rows of a column's texts, and the share of them, that stand apart at one place.
_LEAST, _MOST = 5, 0.6
#: In heights of letters: how far they stand apart.
_GAP = 0.5


def columned(grid: Grid, lines: Sequence[TextLine]) -> Grid:
    """The grid, such columns of it as several."""
    held = grid.held(lines)
    rows: dict[int, list[list[TextLine]]] = defaultdict(list)
    for at, own in held.items():
        if grid.slots[at].columns == 1:
            rows[grid.slots[at].column] += rows_of(own)
    cuts = {column: found for column, own in rows.items() if (found := [*_cuts(own)])}
    return _parted(grid, cuts, held) if cuts else grid


def _cuts(rows: Sequence[Sequence[TextLine]]) -> Iterator[float]:
    """Where the texts in most of a column's rows stand apart."""
    gaps = [gap for row in rows for gap in _gaps(row)]
    while gaps:
        starts, ends = sorted(start for start, _ in gaps), sorted(end for _, end in gaps)
        count, best = max((bisect_right(starts, at) - bisect_right(ends, at), at) for at in starts)
        if count < max(_LEAST, _MOST * len(rows)):
            return
        over = [gap for gap in gaps if gap[0] <= best < gap[1]]
        yield (max(start for start, _ in over) + min(end for _, end in over)) / 2
        gaps = [gap for gap in gaps if not gap[0] <= best < gap[1]]


def _gaps(row: Sequence[TextLine]) -> Iterator[tuple[float, float]]:
    """From where to where the row's texts stand apart; a sign or a mark goes with what it stands before."""
    for one, other in pairwise(row):
        text = one.text.strip()
        word = text.isalnum() or (any(map(str.isalnum, text)) and mark_of(one).strip() != text)
        if word and other.box[0] - one.box[2] > _GAP * min(one.size, other.size):
            yield one.box[2], other.box[0]


def _parted(grid: Grid, cuts: Mapping[int, Sequence[float]], held: Mapping[int, Sequence[TextLine]]) -> Grid:
    """The grid, columns parted at their cuts, but for cells with texts that reach over those."""
    edges = sorted([*grid.columns, *(cut for found in cuts.values() for cut in found)])
    slots = [each for at, slot in enumerate(grid.slots) for each in _slots(slot, grid.columns, edges, held.get(at, ()))]
    return replace(grid, columns=edges, slots=sorted(slots, key=lambda slot: (slot.row, slot.column)))


def _slots(slot: Slot, before: Sequence[float], edges: list[float], lines: Sequence[TextLine]) -> Iterator[Slot]:
    first, last = edges.index(before[slot.column]), edges.index(before[slot.column + slot.columns])
    inner = range(first + 1, last) if slot.columns == 1 else ()
    free = [at for at in inner if not any(line.box[0] < edges[at] < line.box[2] for line in lines)]
    _, top, _, bottom = slot.box
    for start, end in pairwise((first, *free, last)):
        yield replace(slot, column=start, columns=end - start, box=(edges[start], top, edges[end], bottom))
