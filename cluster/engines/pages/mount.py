"""How a picture lies on its page: as large as itself, or on a sheet of paper, with a margin, whole or filling it."""

from dataclasses import dataclass
from typing import Literal

from cluster.paper import Size


@dataclass(frozen=True)
class Placed:
    """A page's width and height, and the box of the picture on it, in points from the lower left corner.

    cut: the margin that the picture must not reach into, where it is larger than its room.
    """

    width: float
    height: float
    x: float
    y: float
    across: float
    up: float
    cut: float = 0

    def scaled(self, width: float) -> "Placed":
        """The same, `width` points wide."""
        each = width / self.width
        sizes = (self.width, self.height, self.x, self.y, self.across, self.up, self.cut)
        return Placed(*(size * each for size in sizes))


@dataclass(frozen=True)
class Mount:
    """`paper` stands upright; None: the page is as large as the picture and its margin. Sizes in points.

    orientation: of the paper; `auto` is the picture's own. fill: the picture covers its room and is cut there.
    """

    paper: Size | None = None
    orientation: Literal["auto", "portrait", "landscape"] = "auto"
    margin: float = 0
    fill: bool = False

    def placed(self, size: Size) -> Placed:
        """Where a picture of this size lies."""
        margin = self.margin
        if self.paper is None:
            return Placed(size[0] + 2 * margin, size[1] + 2 * margin, margin, margin, *size)
        width, height = self._sheet(size)
        across, up = ((width - 2 * margin) / size[0], (height - 2 * margin) / size[1])
        scale = max(across, up) if self.fill else min(across, up)
        across, up = size[0] * scale, size[1] * scale
        return Placed(width, height, (width - across) / 2, (height - up) / 2, across, up, margin * self.fill)

    def _sheet(self, size: Size) -> Size:
        """The paper, turned; a picture as wide as high leaves it standing."""
        short, long = sorted(self.paper or size)
        lies = size[0] > size[1] if self.orientation == "auto" else self.orientation == "landscape"
        return (long, short) if lies else (short, long)


#: A page as large as its picture.
BARE = Mount()
