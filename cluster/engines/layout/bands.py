"""Bands of a page: what lies in one column, and what in several beside each other."""

from collections.abc import Sequence
from statistics import median
from typing import Protocol, TypeVar

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
#: Higher pieces (in usual heights) are titles, which may reach into a gutter.
_LARGE = 1.5
#: Lines that a page has at most when they merely end the columns of the page before.
_FEW = 80


def bands(items: Sequence[B], left: float, right: float, known: Sequence[Side] = ()) -> list[Parts[B]]:
    """Items in bands from top to bottom: in each its columns, and their edges.

    `known` are the columns that the page before ended with: what does not cross their gutters goes on in them.
    """
    if (gone_on := _goes_on(items, known)) is not None:
        return [(gone_on, list(known))]
    gutters = _gutters(items, left, right)
    if not gutters:
        return [([list(items)], [(left, right)])]
    found: list[Parts[B]] = []
    group: list[B] = []
    usual = median(item.box[3] - item.box[1] for item in items)
    for item in sorted(items, key=lambda each: each.box[1]):
        title = not group and item.box[3] - item.box[1] > _LARGE * usual and _alone(item, items)
        if title or any(item.box[0] < start - 4 and item.box[2] > start + 4 for start, _ in gutters):
            _flush(found, group, gutters, left, right)
            group = []
            _single(found, [item], left, right)
        else:
            group.append(item)
    _flush(found, group, gutters, left, right)
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
    small = [item for item in small if item.box[3] - item.box[1] < _LARGE * usual]
    cover = bytearray(wide + 2)
    for item in small:
        start, end = max(0, int(item.box[0] - left)), min(len(cover), int(item.box[2] - left) + 1)
        cover[start:end] = b"\1" * max(0, end - start)
    found, at = [], 0
    while (start := cover.find(0, at)) >= 0:
        at = cover.find(1, start) if cover.find(1, start) >= 0 else len(cover)
        if start > 0.15 * wide and at < 0.85 * wide and at - start >= _GUTTER:
            found.append((left + start, left + at))
    return found


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


def _flush(found: list[Parts[B]], group: list[B], gutters: list[Side], left: float, right: float) -> None:
    if not group:
        return
    edges = [left, *(edge for gutter in gutters for edge in gutter), right]
    sides = list(zip(edges[::2], edges[1::2], strict=True))
    parts = [[item for item in group if a - 2 <= (item.box[0] + item.box[2]) / 2 <= b + 2] for a, b in sides]
    if _is_columns(parts, sides) and sum(map(len, parts)) == len(group):
        found.append((parts, sides))
    else:
        _single(found, group, left, right)


def _is_columns(parts: list[list[B]], sides: list[Side]) -> bool:
    """Whether each is filled like a column of text and all lie beside each other."""
    for part, (a, b) in zip(parts, sides, strict=True):
        if len(part) < 3 or median(item.box[2] - item.box[0] for item in part) < 0.55 * (b - a):
            return False
    lowest = max(min(item.box[1] for item in part) for part in parts)
    return lowest < min(max(item.box[3] for item in part) for part in parts)
