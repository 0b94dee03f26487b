"""Lone rectangles on whole pixels, as PDFium draws them: where an edge falls hangs on the opposite one, too.

Of a rectangle whose edge is hidden, the opposite one shall stay in its pixel. So a hidden edge goes to a spot just
within the place: the first that draws the other as it was drawn. Of where it was this tells no more than that pixel.
"""

import math

from cluster.engines.edit.scene import Box

#: Pixels a point at which it is looked, the first count most; spots of an edge, in points.
_SCALES, _SPOTS = (2.0, 1.0, 25 / 12, 4 / 3), [at / 32 for at in range(32)]
#: What is left of a coordinate in 32 bits.
_DIGITS = 4
#: An edge moved by less is the same one.
SAME = 0.001


def settled(whole: Box, left: Box, room: float) -> Box:
    """`left` of a rectangle (both in points as seen, from the upper left) with its hidden edges where the others are
    drawn as before; these move into the place by less than `room`."""
    made = list(left)
    for axis in (0, 1):
        for hidden, seen, sign in ((axis, axis + 2, -1), (axis + 2, axis, 1)):
            if abs(whole[hidden] - left[hidden]) < SAME:
                continue
            spots = [left[hidden] + sign * spot for spot in _SPOTS if spot < room]
            ends = [(spot, whole[seen]) for spot in spots]
            kept = [_alike((whole[axis], whole[axis + 2]), (min(each), max(each)), int(sign < 0)) for each in ends]
            made[hidden] = spots[kept.index(max(kept))]
    return made[0], made[1], made[2], made[3]


def _alike(one: tuple[float, float], other: tuple[float, float], end: int) -> int:
    """At how many scales the same end of two rectangles falls on one pixel; the first scales count more."""
    same = (_pixels(*one, scale)[end] == _pixels(*other, scale)[end] for scale in _SCALES)
    return sum(each << at for at, each in enumerate(reversed(list(same))))


def _pixels(low: float, high: float, scale: float) -> tuple[int, int]:
    """The first pixel and the one after the last."""
    low, high = round(low * scale, _DIGITS), round(high * scale, _DIGITS)
    first, after = math.floor(low), math.ceil(high)
    if after - first > max(1, math.ceil(round(high - low, _DIGITS))):
        return (first + 1, after) if low - first > after - high else (first, after - 1)
    return first, after
