"""Find where the two pages of a double-page scan meet: the shadow of the binding, else the white between the pages."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

#: Pixels across, which is 0.1 % of the width a pixel.
_PIXELS = 1000
#: Where pages meet, as shares of the width.
_BAND = (0.35, 0.65)
#: Shades that the binding is darker than the paper on both sides, and how near beside it (share of the width) that is.
_SHADOW, _BESIDE = 9, 0.06
#: So much of a column is lighter than what counts as its shade.
_LIGHT = 0.25
#: So much darker than the paper is ink; so much of a column may be ink where nothing is printed: specks.
_INK, _SPECKS = 45, 0.004
#: White narrower than this share of the width stands between letters, not between pages.
_NARROWEST = 0.012


def gutters(path: Path, pages: Iterable[int]) -> Iterator[tuple[int, float | None]]:
    """Position of each page of `pages` of the unlocked PDF at `path`, and the share of its width where it is bound.

    None where there is neither a shadow nor white near its middle.
    """
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        for at in pages:
            page = document[at]
            pixels = page.render(scale=_PIXELS / max(1.0, page.get_width()), grayscale=True).to_numpy()
            page.close()
            yield at, gutter(pixels.reshape(pixels.shape[0], -1))
    finally:
        document.close()


def gutter(grey: Any) -> float | None:
    """Where the pages meet in a picture of both (rows of grey samples, 0 to 255), as a share of the width."""
    for look in (_shadow, _white):
        if (found := look(grey)) is not None:
            return found
    return None


def _shadow(grey: Any) -> float | None:
    """The darkest of a dip in the paper's own shade: where text is printed, much of a column is paper.

    A line of a table seldom goes down three quarters of a page, as the binding does.
    """
    import numpy

    paper = _smooth(numpy.quantile(grey, 1 - _LIGHT, axis=0), max(3, grey.shape[1] // 300))
    width = len(paper)
    first, last = (round(width * each) for each in _BAND)
    beside = round(width * _BESIDE)
    depth = [
        min(paper[max(0, at - beside) : at + 1].max(), paper[at : at + beside].max()) - paper[at]
        for at in range(first, last)
    ]
    deepest = max(depth)
    if deepest < _SHADOW:
        return None
    # The middle of what is nearly as dark: a fold is a line, its shadow a valley.
    valley = [first + at for at, each in enumerate(depth) if each >= deepest * 0.9]
    return float(_middle(valley, first + depth.index(deepest))) / width


def _white(grey: Any) -> float | None:
    """The middle of the widest run of columns near the middle on which nothing is printed."""
    import numpy

    ink = (grey < numpy.median(grey) - _INK).mean(axis=0)
    width = len(ink)
    first, last = (round(width * each) for each in _BAND)
    runs = [run for run in _runs(ink <= _SPECKS) if run[0] < last and run[1] > first]
    if not runs:
        return None
    start, end = max(runs, key=lambda run: min(run[1], last) - max(run[0], first))
    middle = (start + end) / 2 / width
    if end - start < _NARROWEST * width:
        return None
    # Nothing printed on one side tells nothing of where it ends.
    return middle if start > 0 and end < width and _BAND[0] < middle < _BAND[1] else 0.5


def _runs(clear: Any) -> Iterator[tuple[int, int]]:
    """Begin and end of each run of True."""
    import numpy

    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], clear.astype(numpy.int8), [0]))))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _middle(columns: list[int], darkest: int) -> float:
    """The middle of the columns that lie side by side with the darkest."""
    held, low, high = set(columns), darkest, darkest
    while low - 1 in held:
        low -= 1
    while high + 1 in held:
        high += 1
    return (low + high + 1) / 2


def _smooth(values: Any, window: int) -> Any:
    import numpy

    padded = numpy.pad(values, window // 2, mode="edge")
    return numpy.convolve(padded, numpy.ones(window) / window, mode="valid")[: len(values)]
