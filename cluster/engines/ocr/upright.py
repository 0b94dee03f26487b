"""Turn the whole page first: which of 0, 90, 180, 270 degrees makes a picture upright.

The reader itself judges: a few lines are read each way round, and letters that stand on their feet are read
with more certainty. (RapidOCR's own classifier turns single lines, and does more harm than good.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line, Quad
from cluster.engines.ocr.down import rotate, runs_down
from cluster.engines.ocr.reader import Language, Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Lines that are tried; few, because they are read once for each way round.
_SAMPLE = 4
#: Read this surely, a sample stands upright: no other way round is tried.
SURE = 0.9
#: A line is tall when it is this much higher than wide.
_TALL = 1.5
_VERTICAL = 0.75


@dataclass(frozen=True)
class Upright:
    """A picture on its feet: the clockwise turn that did it, its boxes, and lines that were read on the way.

    down: its letters stand below each other, and it was laid on its side by another 270 degrees, as lines are read.
    """

    picture: "NDArray[Any]"
    turned: int
    boxes: list[Quad]
    known: tuple[Line, ...] = ()
    down: bool = False


def upright(reader: Reader, picture: "NDArray[Any]", language: Language) -> Upright:
    """Find the lines of `picture` and turn it so that they can be read."""
    boxes = reader.find(picture)
    turn, known = _turn(reader, picture, boxes, language)
    if not turn:
        return Upright(picture, 0, boxes, known)
    picture = rotate(picture, turn)
    boxes = reader.find(picture)
    return Upright(picture, turn, boxes, down=runs_down(reader, picture, _sample(boxes), language))


def _turn(
    reader: Reader, picture: "NDArray[Any]", boxes: list[Quad], language: Language
) -> tuple[int, tuple[Line, ...]]:
    tall = [box for box in boxes if size_of(box)[1] > _TALL * size_of(box)[0]]
    wide = [box for box in boxes if size_of(box)[0] > _TALL * size_of(box)[1]]
    lying = sum(size_of(box)[1] for box in tall) > sum(size_of(box)[0] for box in wide)
    sample = _sample(tall if lying else wide)
    best, best_score = 0, 0.0
    known: tuple[Line, ...] = ()
    for turn in (270, 90) if lying else (0, 180):
        around = [_turned(box, picture.shape, turn) for box in sample] if turn else sample
        lines = reader.recognise(rotate(picture, turn), around, language) if sample else []
        known = tuple(lines) if turn == 0 else known
        score = _certainty(lines)
        if score > best_score:
            best, best_score = turn, score
        if score >= SURE:
            break
    # Vertical writing stands upright and reads badly either way.
    return (0, known) if lying and best_score < _VERTICAL else (best, known)


def _sample(boxes: list[Quad]) -> list[Quad]:
    """Lines of middling length, near the median height: not titles, not dots."""
    heights = sorted(min(size_of(box)) for box in boxes)
    if not heights:
        return []
    middle = heights[len(heights) // 2]
    usual = [box for box in boxes if 0.6 * middle < min(size_of(box)) < 1.7 * middle] or boxes
    return sorted(usual, key=lambda box: abs(max(size_of(box)) / max(1.0, min(size_of(box))) - 12))[:_SAMPLE]


def _certainty(lines: Sequence[Line]) -> float:
    """Mean score, each line weighing as much as it has letters."""
    weights = [max(1, len(line.text)) for line in lines]
    return sum(line.score * weight for line, weight in zip(lines, weights, strict=True)) / max(1, sum(weights))


def _turned(box: Quad, shape: tuple[int, ...], turn: int) -> Quad:
    """The box's corners on the turned picture, again clockwise from the top left one."""
    height, width = shape[:2]
    moves = {
        0: lambda x, y: (x, y),
        90: lambda x, y: (height - y, x),
        180: lambda x, y: (width - x, height - y),
        270: lambda x, y: (y, width - x),
    }
    points = [moves[turn](x, y) for x, y in box]
    return (
        min(points, key=lambda point: point[0] + point[1]),
        max(points, key=lambda point: point[0] - point[1]),
        max(points, key=lambda point: point[0] + point[1]),
        min(points, key=lambda point: point[0] - point[1]),
    )


def size_of(box: Quad) -> tuple[float, float]:
    """Width and height of the upright rectangle around `box`."""
    xs, ys = [x for x, _ in box], [y for _, y in box]
    return max(xs) - min(xs), max(ys) - min(ys)
