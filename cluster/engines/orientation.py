"""Turn the whole page first: which of 0, 90, 180, 270 degrees makes a picture upright.

The reader itself judges: a few lines are read each way round, and letters that stand on their feet are read
with more certainty. (RapidOCR's own classifier turns single lines, and does more harm than good.)
"""

from typing import TYPE_CHECKING, Any

from cluster.engines.ocr import Language, Quad, Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Lines that are tried; few and not too long, because each is read up to four times.
_SAMPLE = 6
#: Read this surely, a sample stands upright: no other way round is tried.
SURE = 0.9
#: A line is tall when it is this much higher than wide.
_TALL = 1.5


def upright(reader: Reader, picture: "NDArray[Any]", language: Language) -> "tuple[NDArray[Any], int, list[Quad]]":
    """The picture turned upright, the clockwise turn in degrees, and its boxes."""
    boxes = reader.find(picture)
    turn = _turn(reader, picture, boxes, language)
    if not turn:
        return picture, 0, boxes
    picture = rotate(picture, turn)
    return picture, turn, reader.find(picture)


def rotate(picture: "NDArray[Any]", turn: int) -> "NDArray[Any]":
    """Turned clockwise by quarter turns."""
    import numpy

    return numpy.ascontiguousarray(numpy.rot90(picture, -turn // 90))


def _turn(reader: Reader, picture: "NDArray[Any]", boxes: list[Quad], language: Language) -> int:
    tall = [box for box in boxes if size_of(box)[1] > _TALL * size_of(box)[0]]
    wide = [box for box in boxes if size_of(box)[0] > _TALL * size_of(box)[1]]
    lying = sum(size_of(box)[1] for box in tall) > sum(size_of(box)[0] for box in wide)
    sample = _sample(tall if lying else wide)
    if not sample:
        return 0
    best, best_score = 0, 0.0
    for turn in (270, 90) if lying else (0, 180):
        score = _score(reader, picture, sample, turn, language)
        if score > best_score:
            best, best_score = turn, score
        if score >= SURE:
            break
    # Vertical writing stands upright and reads badly either way.
    return 0 if lying and best_score < 0.6 else best


def _sample(boxes: list[Quad]) -> list[Quad]:
    """Lines of middling length, near the median height: not titles, not dots."""
    heights = sorted(min(size_of(box)) for box in boxes)
    if not heights:
        return []
    middle = heights[len(heights) // 2]
    usual = [box for box in boxes if 0.6 * middle < min(size_of(box)) < 1.7 * middle] or boxes
    return sorted(usual, key=lambda box: abs(max(size_of(box)) / max(1.0, min(size_of(box))) - 12))[:_SAMPLE]


def _score(reader: Reader, picture: "NDArray[Any]", sample: list[Quad], turn: int, language: Language) -> float:
    """Mean certainty over the sample's letters, each line cut out and turned."""
    total = letters = 0.0
    for box in sample:
        crop = rotate(cut(picture, box), turn)
        height, width = crop.shape[:2]
        (line,) = reader.recognise(crop, [((0, 0), (width, 0), (width, height), (0, height))], language)
        total += line.score * len(line.text)
        letters += max(1, len(line.text))
    return total / letters


def cut(picture: "NDArray[Any]", box: Quad) -> "NDArray[Any]":
    """The upright rectangle around `box`."""
    xs, ys = [int(x) for x, _ in box], [int(y) for _, y in box]
    return picture[max(0, min(ys)) : max(ys) + 1, max(0, min(xs)) : max(xs) + 1]


def size_of(box: Quad) -> tuple[float, float]:
    """Width and height of the upright rectangle around `box`."""
    xs, ys = [x for x, _ in box], [y for _, y in box]
    return max(xs) - min(xs), max(ys) - min(ys)
