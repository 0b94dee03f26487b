"""A seal across the edges of pages: 骑缝章. Pages laid like a fan show it whole.

The page editor cuts by the same rules; tests/samples/seam.json holds both to the same numbers.

    groups   pages in their order, as few seals as may be of at most `most` pages, equally many pages each (21 pages,
             at most 20: 11 and 10).
    cuts     shares of the seal from 0 to 1, one slice for each page. `uneven`: slices 0.5 to 1.5 as wide as equal
             ones, by numbers of mulberry32 from the seed. Cuts fall on whole 1/300 inches where slices have that.
    order    fanned out, the first page lies on top at the seal's inner side: at the right edge it has the left slice,
             at the left edge the right one, at the top edge the lowest, at the bottom edge the highest.
    place    the slice ends `trim` before the page's edge; along the edge the seal's middle is at a share of the page,
             from its top or its left (rounded to whole 1/300 inches), but so that it is whole where the page allows.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cluster.engines.marks.place import View

Edge = Literal["right", "left", "top", "bottom"]

#: Points: between pixels of a usual printer cuts would blur.
_GRID = 72 / 300


def on_grid(points: float) -> float:
    """The nearest whole number of 1/300 inches, at least one."""
    return max(1, round_half_up(points / _GRID)) * _GRID


@dataclass(frozen=True)
class Slice:
    """A page's part of a seal, in visible points: what is shown (`box`: left, bottom, right, top), and where the whole
    seal's lower left corner would be."""

    box: tuple[float, float, float, float]
    corner: tuple[float, float]


def groups(pages: Sequence[int], most: int) -> list[list[int]]:
    """The pages that share one seal each."""
    count = -(-len(pages) // most)
    ends = [round_half_up(len(pages) * at / count) for at in range(count + 1)] if count else []
    return [list(pages[first:last]) for first, last in itertools.pairwise(ends)]


def round_half_up(number: float) -> int:
    """As JavaScript rounds."""
    return int(number + 0.5)


def random(seed: int) -> Iterator[float]:
    """mulberry32: numbers from 0 to 1, the same in every language."""
    state = seed & 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = ((state ^ (state >> 15)) * (state | 1)) & 0xFFFFFFFF
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61))) & 0xFFFFFFFF
        yield ((mixed ^ (mixed >> 14)) & 0xFFFFFFFF) / 4294967296


def cuts(count: int, length: float, *, uneven: bool = False, seed: int = 1) -> list[float]:
    """Where the seal, `length` points long, is cut for so many pages: count + 1 shares from 0 to 1."""
    numbers = random(seed)
    widths = [0.5 + next(numbers) if uneven else 1.0 for _ in range(count)]
    whole, ends = sum(widths), [0.0]
    for width in widths:
        ends.append(ends[-1] + width)
    steps = round_half_up(length / _GRID)
    if min(widths) / whole * steps < 1.5:
        return [end / whole for end in ends]
    return [round_half_up(end / whole * steps) / steps for end in ends]


def slice_of(
    view: View, edge: Edge, part: tuple[float, float], seal: tuple[float, float], *, along: float, trim: float
) -> Slice:
    """The slice between two of the `cuts`, read from the seal's inner side; `seal` is its size in points."""
    width, height = seal
    if edge in ("right", "left"):
        low = view.height - _beside(view.height, height, along) - height
        first, last = (part[0] * width, part[1] * width) if edge == "right" else (-part[1] * width, -part[0] * width)
        at = view.width - trim - last if edge == "right" else trim - first
        corner = (at, low) if edge == "right" else (at - width, low)
        return Slice((at + first, low, at + last, low + height), corner)
    left = _beside(view.width, width, along)
    first, last = (part[0] * height, part[1] * height) if edge == "top" else (-part[1] * height, -part[0] * height)
    at = view.height - trim - last if edge == "top" else trim - first
    corner = (left, at) if edge == "top" else (left, at - height)
    return Slice((left, at + first, left + width, at + last), corner)


def _beside(room: float, size: float, share: float) -> float:
    """Where a thing of `size` begins whose middle is at a share of the room, within it where it fits."""
    begin = round_half_up(max(room * share - size / 2, 0) / _GRID) * _GRID
    return min(begin, room - size) if size <= room else (room - size) / 2
