"""Drawn things as pages of a small document of their own, to be taken into another by an incremental update.

Each page is what an annotation shows: turned and scaled as its rectangle on the target page wants it, so that it stands
upright for who reads the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.marks.overlay import Mark, operands
from cluster.engines.marks.place import Box, Matrix, View, standing

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Shown:
    """A look on a page of the target (from 0): the rectangle in that page's units, and its page among the looks."""

    page: int
    rectangle: Box
    look: int


class Looks:
    """The document of looks; equal ones are one page."""

    def __init__(self) -> None:
        import pikepdf

        self.pdf: pikepdf.Pdf = pikepdf.new()
        self._pages: dict[Any, int] = {}

    def show(
        self, page: int, view: View, mark: Mark, centre: tuple[float, float], angle: float = 0, reach: float = 0
    ) -> Shown:
        """The mark on a page; it may reach so many points over its box."""
        matrix = after(standing(centre, mark.width, mark.height, angle), view.matrix)
        left, bottom, right, top = _around(matrix, mark, reach)
        inner = (*matrix[:4], matrix[4] - left, matrix[5] - bottom)
        size = right - left, top - bottom
        key = mark.form.objgen, tuple(round(number, 3) for number in (*inner, *size))
        if key not in self._pages:
            self._pages[key] = self._page(mark, inner, size)
        return Shown(page, (left, bottom, right, top), self._pages[key])

    def _page(self, mark: Mark, matrix: Matrix, size: tuple[float, float]) -> int:
        from pikepdf import Dictionary

        page = self.pdf.add_blank_page(page_size=size)
        page.obj.Resources = Dictionary(XObject=Dictionary(M=mark.form))
        page.obj.Contents = self.pdf.make_stream(b"q %s cm /M Do Q" % operands(*matrix))
        return len(self.pdf.pages) - 1

    def save(self, path: Path) -> Path:
        self.pdf.save(path)
        return path


def after(first: Matrix, then: Matrix) -> Matrix:
    """Both matrices as one."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _around(matrix: Matrix, mark: Mark, reach: float) -> Box:
    a, b, c, d, e, f = matrix
    sides: Sequence[tuple[float, float]] = [(-reach, mark.width + reach), (-reach, mark.height + reach)]
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in sides[0] for y in sides[1]]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
