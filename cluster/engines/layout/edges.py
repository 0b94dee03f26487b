"""Which sides of a table's cells are drawn, and how: by the rules that lie along them."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from cluster.engines.layout.model import Box, Edge, Inked, Table, TextLine

#: Points from a rule's middle to the edge that it draws, of a ruled table and of another, whose rows end somewhere
#: between their texts.
_NEAR, _LOOSE = 2.5, 5.0
#: Share of a cell's side that is drawn where the side is.
_DRAWN = 0.6
#: Points by which a rule under words goes on beyond them, and how far below the base line it is, in sizes.
_BEYOND, _UNDER = 2.0, 0.35

_Way = Literal[0, 1]
_Rules = list[tuple[float, float, Edge]]
"""From where to where rules go along one edge, and how."""


def edged(table: Table, rules: Sequence[Inked]) -> Table:
    """The table, whose cells know their sides by `rules`, as they are drawn.

    On pictures, where they are not known, the grid tells.
    """
    if not rules:
        return table
    near = _NEAR if table.ruled else _LOOSE
    lines = [line for cell in table.cells for line in cell.lines if any(span.style.underline for span in line.spans)]
    rules = [each for each in rules if not any(_underlines(each[0], line) for line in lines)]
    stands, lies = _along(table.columns, rules, 0, near), _along(table.rows, rules, 1, near)
    cells = []
    for cell in table.cells:
        left, top, right, low = cell.box
        row, column = cell.row + cell.rows, cell.column + cell.columns
        cells.append(
            replace(
                cell,
                edges=(
                    _side(stands[cell.column], top, low),
                    _side(lies[cell.row], left, right),
                    _side(stands[column], top, low),
                    _side(lies[row], left, right),
                ),
            )
        )
    return replace(table, cells=cells)


def commonest(edges: Iterable[tuple[float, Edge]]) -> Edge | None:
    """What most of the way is drawn with; `edges` tell how long each is."""
    long: defaultdict[Edge, float] = defaultdict(float)
    for length, edge in edges:
        long[edge] += length
    return max(long, key=lambda edge: long[edge], default=None)


def _underlines(rule: Box, line: TextLine) -> bool:
    left, _, right, _ = line.box
    within = left - _BEYOND < rule[0] and rule[2] < right + _BEYOND
    return within and 0 <= (rule[1] + rule[3]) / 2 - line.base < _UNDER * line.size


def _along(edges: Sequence[float], rules: Sequence[Inked], way: _Way, near: float) -> list[_Rules]:
    """The rules along each edge; `way`: of those that stand (0), or lie (1)."""
    found: list[_Rules] = [[] for _ in edges]
    for rule, ink in rules:
        thick, long = rule[way + 2] - rule[way], rule[3 - way] - rule[1 - way]
        if thick >= long:
            continue
        middle = (rule[way] + rule[way + 2]) / 2
        after = bisect_left(edges, middle)
        at = min((at for at in (after - 1, after) if 0 <= at < len(edges)), key=lambda at: abs(edges[at] - middle))
        if abs(edges[at] - middle) < near:
            found[at].append((rule[1 - way], rule[3 - way], (round(thick, 2), ink)))
    return found


def _side(rules: _Rules, start: float, end: float) -> Edge | None:
    """How the way is drawn where most of it is."""
    own = sorted((max(start, first), min(end, last), edge) for first, last, edge in rules if first < end > start < last)
    drawn, until = 0.0, start
    for first, last, _ in own:
        drawn += max(0.0, last - max(first, until))
        until = max(until, last)
    return commonest((last - first, edge) for first, last, edge in own) if drawn > _DRAWN * (end - start) else None
