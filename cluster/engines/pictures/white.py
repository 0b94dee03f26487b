"""Paper taken away from a picture of ink: a seal on white becomes a seal on nothing.

What is between ink and paper (soft edges, thin ink) becomes ink that is partly there, not grey: each pixel is
`ink × alpha + paper × (1 − alpha)` with the smallest alpha that allows it, so that on white it looks as it did. The
paper's colour is found cell by cell, for shadows; a cell full of ink takes that of the whole picture. The preview of
the page does the same (site/src/editors/place/white.ts); tests/samples/white.json holds both to the same numbers.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

#: Cells across and down in which paper is looked for.
CELLS = 8
#: Of a cell's values this share is darker than its paper.
_SHARE = 0.9
#: A cell's paper this much darker than the whole picture's is ink.
_NEAR = 0.75
#: Alpha below the first is dust and paper's grain, and above the second all there; between it rises softly.
_DUST, _CLEAR = 0.05, 0.14


def without_white(picture: "Image") -> "Image":
    """The picture as RGBA without its paper, cut to what is left; as it was where it has holes of its own already."""
    import numpy
    from PIL import Image

    if picture.mode in ("RGBA", "LA") and numpy.asarray(picture.getchannel("A")).min() < 250:
        return _cut(picture.convert("RGBA"))
    colours = numpy.asarray(picture.convert("RGB"), numpy.float32)
    even = numpy.minimum(colours / _paper(colours) * 255, 255)
    alpha = 1 - even.min(axis=2) / 255
    there = alpha * numpy.clip((alpha - _DUST) / (_CLEAR - _DUST), 0, 1)
    ink = (even - 255 * (1 - alpha[..., None])) / numpy.maximum(alpha[..., None], 1 / 255)
    whole = numpy.dstack([numpy.clip(ink, 0, 255), there * 255]).round().astype(numpy.uint8)
    return _cut(Image.fromarray(whole, "RGBA"))


def _cut(picture: "Image") -> "Image":
    box = picture.getchannel("A").point(lambda value: 255 * (value > 12)).getbbox()
    return picture.crop(box) if box else picture


def _paper(colours: Any) -> Any:
    """The paper's colour at every pixel, between the middles of the cells."""
    import numpy

    height, width = colours.shape[:2]
    whole = _lightest(colours.reshape(-1, 3))
    rows, columns = min(CELLS, height), min(CELLS, width)
    cells = numpy.empty((rows, columns, 3), numpy.float32)
    for row in range(rows):
        for column in range(columns):
            part = colours[row * height // rows : (row + 1) * height // rows]
            part = part[:, column * width // columns : (column + 1) * width // columns]
            found = _lightest(part.reshape(-1, 3))
            cells[row, column] = found if (found >= whole * _NEAR).all() else whole
    return _between(_between(cells, height, 0), width, 1)


def _lightest(colours: Any) -> Any:
    """The colour that nine tenths of the values are not lighter than, band by band; never black."""
    import numpy

    ordered = numpy.sort(colours, axis=0)
    return numpy.maximum(ordered[int((len(ordered) - 1) * _SHARE)], 32)


def _between(cells: Any, size: int, axis: int) -> Any:
    """Values between the middles of the cells along an axis, and beyond the outer ones theirs."""
    import numpy

    count = cells.shape[axis]
    at = numpy.clip((numpy.arange(size) + 0.5) * count / size - 0.5, 0, count - 1)
    low = numpy.minimum(at.astype(int), max(count - 2, 0))
    shape = [1] * cells.ndim
    shape[axis] = size
    share = (at - low).reshape(shape).astype(numpy.float32)
    high = numpy.minimum(low + 1, count - 1)
    return cells.take(low, axis) * (1 - share) + cells.take(high, axis) * share
