"""Where a mark lands: geometry of the page as a reader shows it. The page editors draw by the same rules.

Everything is measured in *visible points*: 1/72 inch on the page as shown (CropBox cut to the
MediaBox, /Rotate and UserUnit applied), origin at its lower left corner, y upwards. A preview
at s pixels a point draws the point (x, y) of a page of height H at (s·x, s·(H − y)).

The mark's box
    text     width = the widest line, height = lines × 1.2 × size. Lines are centred in the box;
             the baseline of line i (from 0) lies (1.2·i + 0.98) × size below the box's top.
             A letter's width is its font's; 汉字 and full-width signs are 1 em in every family,
             and `mono` is 0.5 em for all others.
    picture  width = its share of the page's visible width, height by its own ratio.

The box is turned around its centre by `angle` degrees, counter-clockwise as seen. The turned
box covers  bw = |w·cos| + |h·sin|  by  bh = |w·sin| + |h·cos|.

Its centre
    place    the turned box stands its margins from the edges of its place: left → bw/2 + across,
             right → W − bw/2 − across, otherwise W/2; bottom, top and H with `along` likewise.
    point    (x·W, H − y·H): fractions of the visible page from its upper left corner.
    tiled    steps dx = w + gap_x and dy = h + gap_y, along and across the turned text, from the
             page's centre; every second row (j odd) is shifted by dx/2: offset (i + (j mod 2)/2, j),
             turned by `angle`. Tiles that touch the page are drawn. When (W² + H²) / (dx·dy) is
             more than 8000, both steps grow by the root of the excess.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pikepdf

MOST_TILES = 8000

Matrix = tuple[float, float, float, float, float, float]
"""a b c d e f of PDF's `cm`."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True)
class View:
    """The page as shown: its size in visible points, and the matrix from those to the page's own units."""

    width: float
    height: float
    matrix: Matrix

    def in_page(self, box: Box) -> Box:
        """A box in visible points as one in the page's own units."""
        a, b, c, d, e, f = self.matrix
        corners = [(a * x + c * y + e, b * x + d * y + f) for x, y in (box[:2], box[2:])]
        (x0, y0), (x1, y1) = corners
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def view_of(page: "pikepdf.Page") -> View:
    """How a reader shows `page`."""
    from cluster.engines.pdf.open import user_unit, visible_box

    x0, y0, x1, y1 = visible_box(page)
    unit, rotation = user_unit(page), page.rotation % 360 // 90 * 90
    one = 1 / unit
    turned: dict[int, Matrix] = {
        0: (one, 0, 0, one, x0, y0),
        90: (0, one, -one, 0, x1, y0),
        180: (-one, 0, 0, -one, x1, y1),
        270: (0, -one, one, 0, x0, y1),
    }
    width, height = (x1 - x0) * unit, (y1 - y0) * unit
    return View(*((height, width) if rotation % 180 else (width, height)), turned[rotation])


def cover(width: float, height: float, angle: float) -> tuple[float, float]:
    """Width and height of the upright box around one turned by `angle`."""
    cos, sin = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))
    return width * cos + height * sin, width * sin + height * cos


def standing(centre: tuple[float, float], width: float, height: float, angle: float) -> Matrix:
    """From a box with its lower left corner at 0,0 to the same box turned around `centre`."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = width / 2, height / 2
    return cos, sin, -sin, cos, centre[0] - cos * x + sin * y, centre[1] - sin * x - cos * y


def placed(view: View, place: str, margins: tuple[float, float], box: tuple[float, float]) -> tuple[float, float]:
    """The centre of a (turned) box at one of cluster.fields.PLACES; margins across and along the page."""
    x, y = view.width / 2, view.height / 2
    across, along = margins
    if place.endswith("left"):
        x = across + box[0] / 2
    elif place.endswith("right"):
        x = view.width - across - box[0] / 2
    if place.startswith("bottom"):
        y = along + box[1] / 2
    elif place.startswith("top"):
        y = view.height - along - box[1] / 2
    return x, y


def pointed(view: View, x: float, y: float) -> tuple[float, float]:
    """The centre for a dragged point: fractions from the upper left corner."""
    return x * view.width, view.height - y * view.height


def tiled(
    view: View, width: float, height: float, gaps: tuple[float, float], angle: float
) -> list[tuple[float, float]]:
    """The centres of all tiles that touch the page."""
    dx, dy = steps(view, width, height, gaps)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    reach_x, reach_y = (part / 2 for part in cover(width, height, angle))
    across, along = (part / 2 + (reach_x + reach_y) for part in cover(view.width, view.height, angle))
    columns, rows = math.ceil(across / dx) + 1, math.ceil(along / dy)
    centres = []
    for row in range(rows, -rows - 1, -1):
        for column in range(-columns, columns + 1):
            u, v = (column + row % 2 / 2) * dx, row * dy
            x, y = view.width / 2 + u * cos - v * sin, view.height / 2 + u * sin + v * cos
            if -reach_x < x < view.width + reach_x and -reach_y < y < view.height + reach_y:
                centres.append((x, y))
    return centres


def steps(view: View, width: float, height: float, gaps: tuple[float, float]) -> tuple[float, float]:
    """From tile to tile: the box and the gap, wider where a page would need more than MOST_TILES."""
    dx, dy = max(width + gaps[0], 1), max(height + gaps[1], 1)
    excess = math.sqrt(max(1, (view.width**2 + view.height**2) / (dx * dy) / MOST_TILES))
    return dx * excess, dy * excess
