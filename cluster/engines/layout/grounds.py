"""What text stands on: coloured surfaces, which go with it, and pictures, which may not."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cluster.engines.layout.drawn import shared
from cluster.engines.layout.model import Box, Inked, Paragraph, Span, TextLine

#: Share of a text's box that a surface covers.
_MOST = 0.7
#: Letters whose three colours are this light at least cannot be read on white.
LIGHT = 0xD0


def ground(fills: Sequence[Inked], box: Box) -> int | None:
    """The colour that is drawn below most of the box, be it in pieces, as word processors do it."""
    known, covered = set[Inked](), defaultdict[int, float](float)
    for fill, colour in reversed(fills):
        piece = shared(fill, box), colour
        if piece not in known:
            known.add(piece)
            covered[colour] += _size(piece[0])
            if covered[colour] > _MOST * _size(box):
                return colour
    return None


def beneath(fills: Sequence[Inked], box: Box, lines: Iterable[TextLine]) -> int | None:
    """The colour below most of a cell, or below light letters in it, which nobody would see on paper."""
    own = ground(fills, box)
    light = (line for line in lines if own is None and any(map(is_light, line.spans)))
    return next((found for line in light if (found := ground(fills, line.box)) is not None), own)


def covers(fill: Box, box: Box) -> bool:
    return _size(shared(fill, box)) > _MOST * _size(box)


def _size(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def darken(texts: Iterable[Paragraph], lost: Sequence[Box]) -> None:
    """Make light letters black that stood on one of the pictures that are `lost`, and on no surface that is kept."""
    for text in texts:
        if text.fill is None and any(covers(box, text.box) for box in lost):
            text.lines = [_dark(line) for line in text.lines]


def _dark(line: TextLine) -> TextLine:
    return replace(line, spans=tuple(map(_black, line.spans)))


def _black(span: Span) -> Span:
    return replace(span, style=replace(span.style, colour=0)) if is_light(span) else span


def is_light(span: Span) -> bool:
    colour = span.style.colour
    return min(colour >> 16 & 255, colour >> 8 & 255, colour & 255) >= LIGHT
