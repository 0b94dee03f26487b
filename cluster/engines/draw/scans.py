"""Pages drawn and put through the scanner, each a JPEG in a folder; as many at a time as there are cores."""

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.draw.pages import Drawer, Paper, in_workers
from cluster.engines.pictures.scanner import Look, scanned
from cluster.files import Source

if TYPE_CHECKING:
    from PIL.Image import Image

#: An A3 page at 300 dpi; a larger page is scanned coarser. The preview must hold it on a phone's canvas.
MOST_PIXELS, LONGEST = 17_500_000, 16_000
#: pdfium puts small letters, rules and filled boxes on whole pixels, up to half a pixel from where they stand: so a
#: page is drawn at so many dots an inch, where that is so many pixels at most, and each square becomes its mean.
_FINE, _FINE_PIXELS = 600, 40_000_000
#: A page over its bytes is coded again, so much coarser each time, down to here.
_STEP, _COARSEST = 5, 35


@dataclass(frozen=True)
class Scan:
    """How pages are scanned: dots an inch, quality of the JPEG from 1 to 95, and the most bytes of a page, if any."""

    look: Look
    dpi: int
    quality: int
    most: int | None = None

    def dpi_of(self, paper: Paper) -> float:
        """What the page's size leaves of the dots an inch."""
        room = min(math.sqrt(MOST_PIXELS / (paper.width * paper.height)), LONGEST / max(paper.width, paper.height))
        return min(float(self.dpi), room * 72)

    def hair_of(self, paper: Paper) -> float:
        """Points of the preview's pixels: it draws a page twice as fine where that is no more than `MOST_PIXELS`."""
        dpi = self.dpi_of(paper)
        width, height = paper.at(dpi / 72)
        return 72 / dpi / (2 if 4 * width * height <= MOST_PIXELS else 1)


def scan_pages(
    source: Source, papers: Sequence[Paper], scan: Scan, paths: Sequence[Path], tell: Callable[[int], None]
) -> None:
    """Write the scan of each page of an unlocked PDF to its path; raises what `in_workers` does."""

    def draw(drawer: Drawer, share: Sequence[Any]) -> Iterator[None]:
        for index in share:
            dpi = scan.dpi_of(papers[index])
            page = _drawn(drawer, index, papers[index].at(dpi / 72), dpi)
            _save(scanned(page, scan.look, index + 1, dpi), scan, dpi, paths[index])
            yield

    in_workers(source, range(len(papers)), draw, tell)


def _drawn(drawer: Drawer, index: int, size: tuple[int, int], dpi: float) -> Any:
    import numpy

    width, height = size
    page = numpy.empty((height, width, 3), numpy.uint8)
    finer = max(1, min(math.ceil(_FINE / dpi), math.isqrt(_FINE_PIXELS // (width * height))))
    # Each square becomes its mean anyway: made smooth before, a picture would be less sharp than in the preview.
    drawer.smooth = finer == 1
    top = 0
    for strip in drawer.strips(index, width * finer, height * finer, "rgb", finer):
        rows = strip.rows // finer
        page[top : top + rows] = numpy.asarray(strip.picture().reduce(finer))[..., :3]
        top += rows
    return page


def _save(pixels: Any, scan: Scan, dpi: float, path: Path) -> None:
    from PIL import Image

    image = Image.fromarray(pixels)
    dots = round(dpi), round(dpi)
    image.save(path, "JPEG", quality=_quality(image, scan), optimize=True, progressive=True, dpi=dots)


def _quality(image: "Image", scan: Scan) -> int:
    """The best at which the page is small enough coded as Chromium codes it, not progressive: so the preview's, too."""
    if scan.most is None:
        return scan.quality
    steps = range(scan.quality, _COARSEST - 1, -_STEP)
    return next((each for each in steps if _plain_bytes(image, each) <= scan.most), steps[-1])


def _plain_bytes(image: "Image", quality: int) -> int:
    held = io.BytesIO()
    image.save(held, "JPEG", quality=quality, optimize=True)
    return held.tell()
