"""What clips leave of a page's paths: what is hidden behind one is no drawing and no rule."""

from collections.abc import Iterable, Iterator
from typing import Any

from cluster.engines.layout.drawn import shared
from cluster.engines.layout.model import Box

#: Points that a path lies beyond a clip before it is hidden: strokes are as thick on both sides.
_BEYOND = 1.0


def visible(paths: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Of PyMuPDF's extended paths those of which something is seen; `rect` is that part's."""
    clips: list[tuple[int, Box]] = []
    for path in paths:
        while clips and clips[-1][0] >= path["level"]:
            clips.pop()
        if path["type"] == "clip":
            clips.append((path["level"], path["scissor"]))
        elif path["type"] != "group" and (box := within(path["rect"], (clip for _, clip in clips))):
            yield path if box == path["rect"] else path | {"rect": box}


def within(box: Box, clips: Iterable[Box]) -> Box | None:
    """What the clips leave of the box; None when nothing."""
    for clip in clips:
        left, top, right, bottom = shared(box, clip)
        if left > right + _BEYOND or top > bottom + _BEYOND:
            return None
        box = min(left, right), min(top, bottom), max(left, right), max(top, bottom)
    return box
