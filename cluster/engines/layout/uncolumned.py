"""Columns that no rule parts: where the texts of most rows stand apart at one place, a column is two."""

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
    cuts = {at: found for at in range(len(grid.columns) - 1) if (found := [*_cuts(grid, at, lines)])}
    return _parted(grid, cuts, lines) if cuts else grid


def _held(grid: Grid, lines: Sequence[TextLine]) -> dict[int, list[TextLine]]:
    held: dict[int, list[TextLine]] = defaultdict(list)
    for line in lines:
        held[grid.slot_at(line.box)].append(line)
    return held


def _cuts(grid: Grid, column: int, lines: Sequence[TextLine]) -> Iterator[float]:
    """Where the texts in most of the column's rows stand apart."""
    held = ((grid.slots[at], found) for at, found in _held(grid, lines).items())
    gaps = [[*_gaps(row)] for slot, own in held if (slot.column, slot.columns) == (column, 1) for row in rows_of(own)]
    least = max(_LEAST, _MOST * len(gaps))
    while (best := max(_starts(gaps), key=lambda at: _count(gaps, at), default=None)) and _count(gaps, best) >= least:
        over = [gap for each in gaps for gap in each if gap[0] <= best < gap[1]]
        yield (max(start for start, _ in over) + min(end for _, end in over)) / 2
        gaps = [[gap for gap in each if gap not in over] for each in gaps]


def _gaps(row: Sequence[TextLine]) -> Iterator[tuple[float, float]]:
    """From where to where the row's texts stand apart; a sign or a mark goes with what it stands before."""
    for one, other in pairwise(row):
        text = one.text.strip()
        word = text.isalnum() or (any(map(str.isalnum, text)) and mark_of(one).strip() != text)
        if word and other.box[0] - one.box[2] > _GAP * min(one.size, other.size):
            yield one.box[2], other.box[0]


def _starts(gaps: Sequence[Sequence[tuple[float, float]]]) -> list[float]:
    return [start for each in gaps for start, _ in each]


def _count(gaps: Sequence[Sequence[tuple[float, float]]], at: float) -> int:
    """In how many rows texts stand apart there."""
    return sum(any(start <= at < end for start, end in each) for each in gaps)


def _parted(grid: Grid, cuts: Mapping[int, Sequence[float]], lines: Sequence[TextLine]) -> Grid:
    """The grid, columns parted at their cuts, but for cells with texts that reach over those."""
    edges = sorted([*grid.columns, *(cut for found in cuts.values() for cut in found)])
    held = _held(grid, lines)
    slots = [each for at, slot in enumerate(grid.slots) for each in _slots(slot, grid.columns, edges, held.get(at, ()))]
    return replace(grid, columns=edges, slots=sorted(slots, key=lambda slot: (slot.row, slot.column)))


def _slots(slot: Slot, before: Sequence[float], edges: list[float], lines: Sequence[TextLine]) -> Iterator[Slot]:
    first, last = edges.index(before[slot.column]), edges.index(before[slot.column + slot.columns])
    inner = range(first + 1, last) if slot.columns == 1 else ()
    free = [at for at in inner if not any(line.box[0] < edges[at] < line.box[2] for line in lines)]
    _, top, _, bottom = slot.box
    for start, end in pairwise((first, *free, last)):
        yield replace(slot, column=start, columns=end - start, box=(edges[start], top, edges[end], bottom))
