"""The words of a picture where they stand on it, as it lies: for a page that shows the picture and holds its words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cluster.engines.layout.line import Line, Page, Point
from cluster.engines.layout.order import arrange
from cluster.engines.layout.turning import turned
from cluster.engines.ocr import client as ocr
from cluster.engines.ocr.reader import Language
from cluster.engines.pages.mount import Placed
from cluster.engines.pictures import open as pictures_in
from cluster.files import Source

if TYPE_CHECKING:
    from PIL.Image import Image


def read_pages(source: Source, turn: int, language: Language) -> Iterator[Page]:
    """What was read of each page that the picture makes, turned clockwise by `turn` degrees."""
    with pictures_in.opened(source) as image:
        for shown in pictures_in.pages(source, image, ocr.READ_PIXELS):
            read = ocr.read(_turned(shown, turn), language)
            yield turned(read, -read.turned)  # where the reader turned it, its lines now run some other way


def placed_lines(read: Page, on: Placed) -> list[Line]:
    """Lines in reading order, in points from the upper left corner of the page on which the picture is placed; those
    beyond what shows are left out."""
    lines = [piece.line for block in arrange(read.lines) for row in block.rows for piece in row.pieces]
    across, down, top = on.across / read.width, on.up / read.height, on.height - on.y - on.up
    boxes = [tuple((on.x + x * across, top + y * down) for x, y in line.box) for line in lines]
    placed = [replace(line, box=box) for line, box in zip(lines, boxes, strict=True)]  # type: ignore[arg-type]
    return [line for line in placed if _shows(line.box, on)]


def _shows(box: Sequence[Point], on: Placed) -> bool:
    x, y = sum(point[0] for point in box) / 4, sum(point[1] for point in box) / 4
    return on.cut <= x <= on.width - on.cut and on.cut <= y <= on.height - on.cut


def _turned(image: "Image", turn: int) -> "Image":
    return image.rotate(-turn, expand=True) if turn else image
