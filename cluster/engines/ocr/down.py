"""Chinese and Japanese whose lines run down, from right to left, on a picture that was laid on its side by 270 degrees.

So readers read them; but a mark that stood in the upper right corner of its square is then where no mark stands.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Quad
from cluster.engines.ocr.reader import Language, Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Letters that tell whether lines run down; those that stand are read more surely than this (0.92 and more; of those
#: that lie only 一二三 is read at all, with 0.67).
_SQUARES, _SURE = 6, 0.8
#: A mark is so small at most, and lies so high at least, in heights of its line.
_SMALL, _HIGH = 0.42, 0.55
#: Less than this share of the contrast is paper.
_INK = 0.4


def runs_down(reader: Reader, picture: "NDArray[Any]", sample: Sequence[Quad], language: Language) -> bool:
    """Whether the letters of lines that lie would stand if the picture were turned on by 90 degrees: 汉字 and kana are
    then read out of squares turned one by one. (A whole line that runs down is read as surely as one across.)
    """
    for line in reader.recognise(picture, sample, language):
        letters = {letter for letter in line.text[:_SQUARES] if "⺀" <= letter < "\uff00"}
        if len(line.text) >= _SQUARES and len(letters) >= _SQUARES / 2:
            row = _squares(picture, line.box, len(line.text))
            box: Quad = ((0, 0), (row.shape[1], 0), (row.shape[1], row.shape[0]), (0, row.shape[0]))
            (read,) = reader.recognise(row, [box], language)
            return read.score > _SURE and len(letters.intersection(read.text)) > len(letters) / 2
    return False


def _squares(picture: "NDArray[Any]", box: Quad, count: int) -> "NDArray[Any]":
    """The first squares of a line of so many letters, each turned clockwise, side by side."""
    import cv2
    import numpy

    left, top, right, bottom = _rectangle(box)
    step, high = (right - left) / count, bottom - top
    cells = [picture[top:bottom, left + int(at * step) : left + int((at + 1) * step)] for at in range(_SQUARES)]
    return numpy.hstack([cv2.resize(rotate(cell, 90), (high, high)) for cell in cells])


def lowered(picture: "NDArray[Any]", boxes: Sequence[Quad]) -> "NDArray[Any]":
    """The picture, the marks of its lines standing where those of lines across do."""
    made = picture.copy()
    for box in boxes:
        left, top, right, bottom = _rectangle(box)
        strip = made[top:bottom, left:right]
        if min(strip.shape[:2]) >= 8:
            _lower(strip)
    return made


def _lower(strip: "NDArray[Any]") -> None:
    """Move the marks of one line, in place."""
    import numpy

    grey = strip.min(axis=2).astype(int)
    paper, ink = numpy.percentile(grey, 90), grey.min()
    dark, high = grey < paper - _INK * (paper - ink), strip.shape[0]
    for start, end in _runs(dark.any(axis=0)):
        rows = dark[:, start:end].any(axis=1).nonzero()[0]
        first, last = int(rows[0]), int(rows[-1]) + 1
        if max(end - start, last - first) <= _SMALL * high and last <= _HIGH * high:
            mark = rotate(strip[first:last, start:end], 90)
            strip[first:last, start:end] = numpy.uint8(paper)
            foot, wide = high - max(1, high // 10), min(mark.shape[1], strip.shape[1] - start)
            strip[foot - mark.shape[0] : foot, start : start + wide] = mark[:, :wide]


def _runs(filled: "NDArray[Any]") -> "Iterator[tuple[int, int]]":
    """Where columns with ink begin and end."""
    import numpy

    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate([[False], filled, [False]]).astype(int)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _rectangle(box: Quad) -> tuple[int, int, int, int]:
    xs, ys = zip(*box, strict=True)
    return max(0, int(min(xs))), max(0, int(min(ys))), int(max(xs)) + 1, int(max(ys)) + 1


def rotate(picture: "NDArray[Any]", turn: int) -> "NDArray[Any]":
    """Turned clockwise by quarter turns."""
    import numpy

    return numpy.ascontiguousarray(numpy.rot90(picture, -turn // 90))
