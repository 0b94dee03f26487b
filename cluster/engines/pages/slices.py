"""Where a page is cut: lines on the page as it is read, its slices in reading order, their boxes in its own units."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from cluster.engines.pages.scale import turn_of, visible_box, visible_size
from cluster.engines.pdf.reader import Document

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in the page's own units; of a `Share` left, top, right, bottom, 0 to 1."""
Order = Literal["ltr", "rtl", "down", "down_rtl"]
#: Lines nearer than this to each other, or to the edge, cut nothing off.
_LEAST = 0.005


@dataclass(frozen=True)
class Lines:
    """Cuts as shares of the page as it is read: `columns` from its left edge, `rows` from its top."""

    columns: tuple[float, ...] = ()
    rows: tuple[float, ...] = ()

    def shares(self, order: Order) -> list[Box]:
        """The slices in reading order: row by row, or `down` column by column, the columns `rtl` or from the left."""
        columns, rows = list(pairwise(_edges(self.columns))), list(pairwise(_edges(self.rows)))
        if order in ("rtl", "down_rtl"):
            columns.reverse()
        if order in ("down", "down_rtl"):
            return [(left, top, right, bottom) for left, right in columns for top, bottom in rows]
        return [(left, top, right, bottom) for top, bottom in rows for left, right in columns]


def even(columns: int, rows: int) -> Lines:
    """Lines that make equal slices."""
    return Lines(tuple(each / columns for each in range(1, columns)), tuple(each / rows for each in range(1, rows)))


def boxes(document: Document, page: dict[bytes, Any], shares: Sequence[Box], overlap: float = 0.0) -> list[Box]:
    """The slices of a page in its own units; each goes `overlap` points beyond its cuts."""
    width, height = visible_size(document, page)
    held = [_grown(share, overlap / width, overlap / height) for share in shares]
    return [_turned(visible_box(document, page), share, turn_of(document, page)) for share in held]


def is_landscape(document: Document, page: dict[bytes, Any]) -> bool:
    """Whether the page is wider than high as it is read."""
    width, height = visible_size(document, page)
    return width > height


def _edges(cuts: Sequence[float]) -> list[float]:
    edges = [0.0]
    for cut in sorted(cuts):
        if edges[-1] + _LEAST <= cut <= 1 - _LEAST:
            edges.append(cut)
    return [*edges, 1.0]


def _grown(share: Box, across: float, down: float) -> Box:
    left, top, right, bottom = share
    return max(0.0, left - across), max(0.0, top - down), min(1.0, right + across), min(1.0, bottom + down)


def _turned(page: Box, share: Box, turn: int) -> Box:
    """A share of the page as it is read, in the page's units: turned clockwise, its left edge becomes its top."""
    (x0, y0, x1, y1), (left, top, right, bottom) = page, share
    across, up = x1 - x0, y1 - y0
    match turn:
        case 90:
            return x0 + top * across, y0 + left * up, x0 + bottom * across, y0 + right * up
        case 180:
            return x1 - right * across, y0 + top * up, x1 - left * across, y0 + bottom * up
        case 270:
            return x1 - bottom * across, y1 - right * up, x1 - top * across, y1 - left * up
    return x0 + left * across, y1 - bottom * up, x0 + right * across, y1 - top * up
