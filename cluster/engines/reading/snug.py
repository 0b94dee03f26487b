"""Boxes as wide as their letters: a finder of lines draws them wider, up to the neighbours' cells."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.gutters import Piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Share of a box's height, at its top and at its foot, in which the rows above and below may stand.
_OTHERS = 0.12
#: A box is drawn wider by this much of its height at most, each side.
_WIDER = 0.45
#: Ink differs from the ground by this share of what differs most, and by this many greys at least.
_HALF, _FAINT = 0.5, 24
#: What fills this share of a box from edge to edge is a rule.
_RULE = 0.95


def snug(pieces: Sequence[Piece], grey: "NDArray[Any]") -> Iterator[Piece]:
    """The pieces of a straight picture from their first letter to their last; heights stay, which tell sizes."""
    for each in pieces:
        left, right = max(0, int(each.left)), int(each.right) + 1
        edge = _OTHERS * each.height
        inked = _inked(grey[max(0, int(each.top + edge)) : int(each.bottom - edge), left:right])
        if len(inked):
            most = _WIDER * each.height
            first, last = left + int(inked[0]), left + int(inked[-1]) + 1
            near, far = min(max(each.left, first), each.left + most), max(min(each.right, last), each.right - most)
            yield replace(each, left=near, right=far)
        else:
            yield each


def _inked(part: "NDArray[Any]") -> "NDArray[Any]":
    """The columns of the part that hold ink, darker or lighter than its ground, which is no rule."""
    import numpy

    if min(part.shape) < 2:
        return numpy.zeros(0, int)
    apart = numpy.abs(part.astype(int) - int(numpy.median(part)))
    ink = apart > max(_FAINT, _HALF * float(numpy.percentile(apart, 99)))
    ink[ink.mean(axis=1) > _RULE] = False
    ink[:, ink.mean(axis=0) > _RULE] = False
    found: NDArray[Any] = ink.any(axis=0).nonzero()[0]
    return found
