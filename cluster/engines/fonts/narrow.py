"""A TrueType face made narrower, as a narrow face is drawn that nobody has."""

import functools
import io
from typing import Any

from cluster.engines.fonts.faces import Face


@functools.cache
def narrowed(face: Face, share: float) -> bytes:
    """The face's program with its outlines and widths at this share of their width; it has no hints then."""
    from fontTools.ttLib import TTFont

    with TTFont(face.path, fontNumber=face.index, recalcTimestamp=False) as font:
        for tag in ("cvt ", "fpgm", "prep", "gasp", "kern", "GPOS", "GSUB", "GDEF", "name"):
            if tag in font:
                del font[tag]
        for name, (advance, bearing) in font["hmtx"].metrics.items():
            _narrow(font["glyf"][name], font["glyf"], share)
            font["hmtx"].metrics[name] = (round(advance * share), round(bearing * share))
        font.save(held := io.BytesIO())
    return held.getvalue()


def _narrow(glyph: Any, table: Any, share: float) -> None:
    glyph.removeHinting()
    if glyph.isComposite():
        for part in glyph.components:
            part.x = round(part.x * share)
    elif glyph.numberOfContours:
        glyph.coordinates.scale((share, 1))
        glyph.coordinates.toInt()
    glyph.recalcBounds(table)
