"""Rows that no rule parts: of a table whose other rows are single, a band may hold several, as shades do in threes;
and where numbers stand below each other in several columns, a band is as many rows as they are."""

import statistics
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from cluster.engines.layout.grid import Grid, Slot
from cluster.engines.layout.grids import is_number
from cluster.engines.layout.model import TextLine

#: A band's lines are so near to being a row's height apart (a part of it); base lines of one row are nearer (points).
_NEAR, _LEVEL = 0.1, 2.0
#: Columns, each with text, that a band has at least, and single rows that the table has.
_COLUMNS, _SINGLE = 3, 2
#: The first row that cells stand in, and how many they go over.
_Band = tuple[int, int]
#: So many numbers below each other in so many columns are rows of their own; of which each column has this share.
_LISTED, _NUMBERED, _MOST = 4, 2, 0.8
#: … and so many lines (a part of those rows) without any numbers, heads of the rows below, have rows, too.
_HEADS = 0.4


def divided(grid: Grid, lines: Sequence[TextLine]) -> Grid:
    """The grid, its bands of several rows parted between them."""
    grid = _as_listed(_along_rows(grid, lines), lines)
    bases = _bases(grid, lines)
    single = [grid.rows[row + 1] - grid.rows[row] for row, found in bases.items() if len(found) == 1]
    if len(single) < _SINGLE:
        return grid
    usual = statistics.median(single)
    return _parted(grid, {row: cuts for row, found in bases.items() if (cuts := _cuts(grid, row, found, usual))})


def _as_listed(grid: Grid, lines: Sequence[TextLine]) -> Grid:
    """The grid, its rows that are lists of numbers beside each other parted; what names such a row goes over them."""
    cuts, whole = dict[int, list[float]](), set[int]()
    for row, cells in _cells(grid, lines).items():
        numbers = [cell for cell in cells.values() if len(cell) >= _LISTED and all(map(is_number, cell))]
        levels = _apart([line for cell in numbers for line in cell])
        names = {at for at, cell in cells.items() if len(cell) <= len(levels) / 2 and not all(map(is_number, cell))}
        rest = [line for at, cell in cells.items() if at not in names for line in cell]
        full = all(len(cell) >= _MOST * len(levels) for cell in numbers)
        heads = [line for line in rest if not _is_on(line, levels)]
        if len(numbers) >= _NUMBERED and full and len(heads) <= _HEADS * len(levels):
            cuts[row] = [*_between(rest, _apart(rest))]
            whole |= names
    return _parted(grid, cuts, whole)


def _along_rows(grid: Grid, lines: Sequence[TextLine]) -> Grid:
    """The grid, cells over several rows parted that hold a line in each, as numbers beside each other are written."""
    bands: dict[_Band, list[int]] = defaultdict(list)
    held = grid.held(lines)
    for at in held:
        slot = grid.slots[at]
        if slot.rows > 1 and slot.columns == 1:
            bands[slot.row, slot.rows].append(at)
    parted = set[int]()
    for (row, rows), ats in bands.items():
        even = [at for at in ats if _rows_in(grid, held[at]) == list(range(row, row + rows))]
        if even == ats and sum(all(map(is_number, held[at])) for at in ats) >= _NUMBERED:
            parted |= {*ats}
    if not parted:
        return grid
    slots = (_by_row(slot, grid.rows) if at in parted else [slot] for at, slot in enumerate(grid.slots))
    return replace(
        grid, slots=sorted((each for own in slots for each in own), key=lambda slot: (slot.row, slot.column))
    )


def _rows_in(grid: Grid, lines: Sequence[TextLine]) -> list[int]:
    return sorted(bisect_right(grid.rows, (line.box[1] + line.box[3]) / 2) - 1 for line in lines)


def _by_row(slot: Slot, edges: Sequence[float]) -> Iterator[Slot]:
    left, _, right, _ = slot.box
    for row in range(slot.row, slot.row + slot.rows):
        yield replace(slot, row=row, rows=1, box=(left, edges[row], right, edges[row + 1]))


def _is_on(line: TextLine, levels: Sequence[float]) -> bool:
    return any(abs(line.base - level) < _LEVEL for level in levels)


def _between(lines: Sequence[TextLine], levels: Sequence[float]) -> Iterator[float]:
    """The middle between what stands on one level and on the next."""
    for one, other in pairwise(levels):
        low = statistics.median(line.box[3] for line in lines if abs(line.base - one) < _LEVEL)
        high = statistics.median(line.box[1] for line in lines if abs(line.base - other) < _LEVEL)
        yield (low + high) / 2


def _bases(grid: Grid, lines: Sequence[TextLine]) -> dict[int, list[float]]:
    """The base lines of each row whose cells all have text, one of them numbers, on the same ones."""
    rows = _cells(grid, lines)
    columns = len(grid.columns) - 1
    return {
        row: _apart(next(iter(cells.values())))
        for row, cells in rows.items()
        if len(cells) == columns >= _COLUMNS and _are_level([*cells.values()])
    }


def _cells(grid: Grid, lines: Sequence[TextLine]) -> dict[int, dict[int, list[TextLine]]]:
    """What those slots of each row hold, by their numbers, that are of no other row or column."""
    rows: dict[int, dict[int, list[TextLine]]] = defaultdict(dict)
    for at, own in grid.held(lines).items():
        if grid.slots[at].rows == grid.slots[at].columns == 1:
            rows[grid.slots[at].row][at] = own
    return rows


def _apart(cell: list[TextLine]) -> list[float]:
    bases = sorted(line.base for line in cell)
    return [base for last, base in pairwise((float("-inf"), *bases)) if base - last > _LEVEL]


def _are_level(cells: list[list[TextLine]]) -> bool:
    first, *others = map(_apart, cells)
    level = all(
        len(each) == len(first) and all(abs(a - b) < _LEVEL for a, b in zip(each, first, strict=True))
        for each in others
    )
    # What a head says on two lines in every column is no two rows.
    return level and any(all(any(letter.isdigit() for letter in line.text) for line in cell) for cell in cells)


def _cuts(grid: Grid, row: int, bases: list[float], usual: float) -> list[float]:
    """Where the band is parted; nowhere if its lines are not as far apart as its neighbours' rows are high."""
    top, bottom = grid.rows[row : row + 2]
    steps = [after - before for before, after in pairwise(bases)]
    if not steps or any(abs(step - usual) > _NEAR * usual for step in (*steps, (bottom - top) / len(bases))):
        return []
    return [top + (bottom - top) * number / len(bases) for number in range(1, len(bases))]


def _parted(grid: Grid, cuts: Mapping[int, Sequence[float]], whole: Collection[int] = ()) -> Grid:
    """The grid, rows parted at their cuts, but for the slots that stay `whole`."""
    if not cuts:
        return grid
    edges = sorted([*grid.rows, *(cut for found in cuts.values() for cut in found)])
    moved = {row: edges.index(edge) for row, edge in enumerate(grid.rows)}
    parts = (_slots(slot, moved, edges, at in whole) for at, slot in enumerate(grid.slots))
    return replace(grid, rows=edges, slots=[each for own in parts for each in own])


def _slots(slot: Slot, moved: dict[int, int], edges: list[float], whole: bool) -> Iterator[Slot]:
    first, last = moved[slot.row], moved[slot.row + slot.rows]
    if slot.rows > 1 or whole:
        yield replace(slot, row=first, rows=last - first)
        return
    yield from _by_row(replace(slot, row=first, rows=last - first), edges)
