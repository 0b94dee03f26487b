"""Bands of a page: what lies in one column, and what in several beside each other."""

import math
from collections.abc import Sequence
from itertools import accumulate
from statistics import median
from typing import Protocol, TypeVar

from cluster.engines.layout.beside import ruled_apart
from cluster.engines.layout.model import Box


class Boxed(Protocol):
    """Anything with a place."""

    @property
    def box(self) -> Box: ...


B = TypeVar("B", bound=Boxed)
Side = tuple[float, float]
Parts = tuple[list[list[B]], list[Side]]
#: A piece wider than this share of the page is no column's.
_WIDE = 0.62
_GUTTER, _PIECES = 8, 8
#: A column has so many pieces at least.
_COLUMN = 3
#: No gutter lies within this share of the page's sides.
_SIDES = 0.15
#: Higher pieces (in usual heights) are titles, which may reach into a gutter.
_LARGE = 1.5
#: The share of a page's pieces that may lie across a gutter: authors above an article, a date, a drawing's words.
_ACROSS = 0.1
#: The last line of a text begins where the one above does (points), so near below it (heights of both).
_EVEN, _CLOSE = 1.0, 0.8
#: Lines of text are longer than so many times their height.
_LONG = 5
#: Lines that a page has at most when they merely end the columns of the page before.
_FEW = 80


def bands(
    items: Sequence[B], left: float, right: float, known: Sequence[Side] = (), rules: Sequence[Box] = ()
) -> list[Parts[B]]:
    """Items in bands from top to bottom: in each its columns, and their edges.

    `known` are the columns that the page before ended with: what does not cross their gutters goes on in them. By
    `rules` columns are told that are not filled as text fills them.
    """
    if (gone_on := _goes_on(items, known)) is not None:
        return [(gone_on, list(known))]
    gutters = _by_rules(_gutters(items, left, right), items, left, right, rules)
    if not gutters:
        return [([list(items)], [(left, right)])]
    found: list[Parts[B]] = []
    group: list[B] = []
    usual = median(item.box[3] - item.box[1] for item in items)
    for item in sorted(items, key=lambda each: each.box[1]):
        title = not group and item.box[3] - item.box[1] > _LARGE * usual and _alone(item, items)
        across = title or _is_across(item, gutters) or (_is_in(item, gutters) and _alone(item, items))
        single = found[-1][0] if found and not group else []
        if across or (len(single) == 1 and _goes_with(item, single[0][-1], items, right - left)):
            _flush(found, group, _sides(gutters, left, right), rules)
            group = []
            _single(found, [item], left, right)
        else:
            group.append(item)
    _flush(found, group, _sides(gutters, left, right), rules)
    return found


def _goes_on(items: Sequence[B], known: Sequence[Side]) -> list[list[B]] | None:
    """The items by the known columns, where few lines are left and each lies in one."""
    if len(known) < 2 or len(items) > _FEW or not items:
        return None
    parts = [[item for item in items if a - 3 <= item.box[0] and item.box[2] <= b + 3] for a, b in known]
    return parts if sum(map(len, parts)) == len(items) and parts[0] else None


def _gutters(items: Sequence[B], left: float, right: float) -> list[Side]:
    wide = int(right - left)
    small = [item for item in items if item.box[2] - item.box[0] < _WIDE * wide]
    if len(small) < _PIECES:
        return []
    usual = median(item.box[3] - item.box[1] for item in small)
    low = [item for item in small if item.box[3] - item.box[1] < _LARGE * usual]
    found, kept = _search(low, left, wide)
    return [_narrowed(gutter, small) for gutter in _deeper(found, kept, left, right)]


def _by_rules(gutters: list[Side], items: Sequence[B], left: float, right: float, rules: Sequence[Box]) -> list[Side]:
    """Without those that rules go across, where the others part columns that are ruled each in its own way."""
    free = [side for side in gutters if not any(rule[0] < side[0] and side[1] < rule[2] for rule in rules)]
    apart = len(free) < len(gutters) and ruled_apart([item.box for item in items], _sides(free, left, right), rules)
    return free if free and apart else gutters


def _narrowed(gutter: Side, items: Sequence[B]) -> Side:
    """The gutter without what pictures and tables in its columns, which are wider than their text, take of it."""
    start, end = gutter
    ends = [item.box[2] for item in items if start < item.box[2] <= end - _GUTTER]
    begins = [item.box[0] for item in items if start + _GUTTER <= item.box[0] < end]
    right, left = max(ends, default=start), min(begins, default=end)
    return (right, left) if left - right >= _GUTTER else gutter


def _search(small: Sequence[B], left: float, wide: int) -> tuple[list[Side], Sequence[B]]:
    """The gutters, and the items without the few that lie across."""
    kept = small
    while not (found := _empty(kept, left, wide)):
        kept = _without_across(kept, left, wide)
        if len(kept) < (1 - _ACROSS) * len(small):
            return [], kept
    return _joined(found, kept), kept


def _deeper(found: list[Side], kept: Sequence[B], left: float, right: float) -> list[Side]:
    """The gutters with those within the columns that they part, where text stands in all: a title hides some."""
    deep: list[Side] = []
    for a, b in _sides(found, left, right) if found else ():
        own = [item for item in kept if a - 2 <= item.box[0] and item.box[2] <= b + 2]
        deep += _search(own, a, int(b - a))[0] if len(own) >= _PIECES else []
    every = sorted([*found, *deep])
    sides = _sides(every, left, right)
    parts = _parts([item for item in kept if not _is_across(item, every)], sides)
    return every if deep and _is_columns(parts, sides) and all(map(_is_text, parts)) else found


def _is_text(part: Sequence[Boxed]) -> bool:
    """Whether most are lines of text: numbers and words in a table's cells are shorter."""
    return median((item.box[2] - item.box[0]) / max(1.0, item.box[3] - item.box[1]) for item in part) > _LONG


def _empty(items: Sequence[B], left: float, wide: int) -> list[Side]:
    """The upright strips, far enough from the page's sides, into which no item reaches."""
    cover, found, at = [count > 0 for count in _cover(items, left, wide)], [], 0
    while (start := _next(cover, at, held=False)) < len(cover):
        at = _next(cover, start, held=True)
        if start > _SIDES * wide and at < (1 - _SIDES) * wide and at - start >= _GUTTER:
            found.append((left + start, left + at))
    return found


def _joined(strips: Sequence[Side], items: Sequence[B]) -> list[Side]:
    """The strips, those one between which too little stands for a column, as the number of the page may."""
    out: list[Side] = []
    for start, end in strips:
        if out and sum(out[-1][1] <= item.box[0] + 1 and item.box[2] <= start + 1 for item in items) < _COLUMN:
            start = out.pop()[0]
        out.append((start, end))
    return out


def _cover(items: Sequence[B], left: float, wide: int) -> list[int]:
    """How many items lie over each point of the page's width."""
    steps = [0] * (wide + 3)
    for item in items:
        start, end = max(0, int(item.box[0] - left)), min(wide + 2, int(item.box[2] - left) + 1)
        if start < end:
            steps[start] += 1
            steps[end] -= 1
    return list(accumulate(steps))[: wide + 2]


def _next(cover: Sequence[bool], at: int, *, held: bool) -> int:
    return next((place for place in range(at, len(cover)) if cover[place] == held), len(cover))


def _without_across(items: Sequence[B], left: float, wide: int) -> list[B]:
    """The items without those that lie over the place, between the page's sides, over which the fewest lie."""
    cover = _cover(items, left, wide)
    held = [place for place in range(int(_SIDES * wide), int((1 - _SIDES) * wide)) if cover[place]]
    at = min(held, key=lambda place: (cover[place], abs(place - wide / 2)), default=0)
    return [item for item in items if item.box[0] - left >= at + 1 or item.box[2] - left < at] if held else []


def _is_across(item: Boxed, gutters: Sequence[Side]) -> bool:
    return any(item.box[0] < start - 4 and item.box[2] > start + 4 for start, _ in gutters)


def _is_in(item: Boxed, gutters: Sequence[Side]) -> bool:
    """Whether it stands in a gutter, as the number of the page may."""
    return any(start <= (item.box[0] + item.box[2]) / 2 <= end for start, end in gutters)


def _goes_with(item: B, last: B, items: Sequence[B], wide: float) -> bool:
    """Whether it stands in one row with what reaches across, or ends its text in a short line below it."""
    high = min(item.box[3] - item.box[1], last.box[3] - last.box[1])
    if abs(item.box[1] - last.box[1]) + abs(item.box[3] - last.box[3]) < high:
        return True
    near = abs(item.box[0] - last.box[0]) < _EVEN and item.box[1] - last.box[3] < _CLOSE * high
    alike = item.box[3] - item.box[1] < _LARGE * high > last.box[3] - last.box[1]
    long = last.box[2] - last.box[0] > wide / 2
    return near and alike and long and item.box[3] > last.box[3] and _alone(item, items)


def _alone(item: B, items: Sequence[B]) -> bool:
    """Whether nothing stands beside it."""
    return not any(
        other is not item and other.box[1] < item.box[3] - 1 and other.box[3] > item.box[1] + 1 for other in items
    )


def _single(found: list[Parts[B]], items: list[B], left: float, right: float) -> None:
    if found and len(found[-1][0]) == 1:
        found[-1][0][0].extend(items)
    else:
        found.append(([items], [(left, right)]))


def _flush(found: list[Parts[B]], group: list[B], sides: list[Side], rules: Sequence[Box]) -> None:
    if not group:
        return
    parts = _parts(group, sides)
    columns = _is_columns(parts, sides) or ruled_apart([item.box for item in group], sides, rules)
    if columns and sum(map(len, parts)) == len(group):
        found.append((parts, sides))
    else:
        _single(found, group, sides[0][0], sides[-1][1])


def _sides(gutters: Sequence[Side], left: float, right: float) -> list[Side]:
    edges = [left, *(edge for gutter in gutters for edge in gutter), right]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _parts(group: Sequence[B], sides: Sequence[Side]) -> list[list[B]]:
    """The items by the columns that they stand in; what stands in the page's margins is of the column beside."""
    reach = [[a - 2, b + 2] for a, b in sides]
    reach[0][0], reach[-1][1] = -math.inf, math.inf
    return [[item for item in group if a <= (item.box[0] + item.box[2]) / 2 <= b] for a, b in reach]


def _is_columns(parts: list[list[B]], sides: list[Side]) -> bool:
    """Whether each is filled like a column of text and all lie beside each other."""
    for part, (a, b) in zip(parts, sides, strict=True):
        if len(part) < _COLUMN or median(item.box[2] - item.box[0] for item in part) < 0.55 * (b - a):
            return False
    lowest = max(min(item.box[1] for item in part) for part in parts)
    return lowest < min(max(item.box[3] for item in part) for part in parts)
