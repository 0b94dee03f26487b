"""Find where the two pages of a double-page scan meet: the shadow of the binding, else the white between the pages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Pixels across, which is 0.1 % of the width a pixel.
_PIXELS = 1000
#: Where pages meet, as shares of the width.
_BAND = (0.35, 0.65)
#: Strips of the height that are looked at one by one: what is drawn on the pages seldom goes down all of them.
_STRIPS = 12
#: So much of a column of a strip is lighter than what counts as its paper.
_LIGHT = 0.25
#: How near beside the binding (share of the width) the paper is lighter; shades that make it less or more of a shadow.
_BESIDE, _MOST = 0.06, 40
#: Pixels that a book lying askew shifts the binding between its head and its foot, and the steps they are tried in.
_ASKEW = range(-18, 19, 3)
#: Pixels around the binding that are looked at closely, and within which it is: shadows fade unevenly.
_CLOSE, _WITHIN = 12, 6
#: So many times further from the usual than half of the columns are is more than chance.
_ODD = 6
#: Shades around the picture's commonest that are still paper: the scanner's lid and bed are not.
_PAPER = 40
#: So much darker than the paper is ink; so much of a column may be ink where nothing is printed: specks.
_INK, _SPECKS = 45, 0.004
#: White narrower than this share of the width stands between letters, not between pages.
_NARROWEST = 0.012


@dataclass(frozen=True)
class Gutter:
    """Where pages meet, as a share of the width; `shaded` by a binding, else it is the middle of the white."""

    at: float
    shaded: bool


@dataclass(frozen=True)
class _Shadow:
    """What counts as one: wider than `line` pixels, `depth` shades deeper than by chance, in a share of the strips;
    `soft`: on one side at least it fades, as a line does not."""

    line: int
    depth: float
    strips: float
    soft: bool = False


#: A shadow is wider than any line that is printed; one that is as narrow goes all the way down, and fades.
_SHADOWS = (_Shadow(9, 5, 0.8), _Shadow(5, 5, 0.9, soft=True))


def gutters(path: Path, pages: Iterable[int]) -> Iterator[tuple[int, Gutter | None]]:
    """Position of each page of `pages` of the unlocked PDF at `path`, and where it is bound.

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


def gutter(grey: Any) -> Gutter | None:
    """Where the pages meet in a picture of both (rows of grey samples, 0 to 255)."""
    grey = _book(grey)
    paper = _paper(grey)
    for kind in _SHADOWS:
        if (found := _shadow(paper, kind)) is not None:
            return Gutter(found, shaded=True)
    white = _white(grey)
    return None if white is None else Gutter(white, shaded=False)


def _book(grey: Any) -> Any:
    """The rows on which the book lies: above and below may be the lid of the scanner."""
    import numpy

    height = len(grey)
    paper = numpy.median(grey[height // 4 : height - height // 4])
    rows = numpy.flatnonzero(numpy.abs(numpy.quantile(grey, 0.6, axis=1) - paper) < _PAPER)
    edge = height // 60
    held = grey[rows[0] + edge : rows[-1] + 1 - edge] if len(rows) else grey
    return held if len(held) > height / 2 else grey


def _paper(grey: Any) -> Any:
    """The paper's own shade by strip and column: where text is printed, much of a column is paper."""
    import numpy

    strips = numpy.array_split(grey, min(_STRIPS, len(grey)))
    return _smooth(numpy.stack([numpy.quantile(strip, 1 - _LIGHT, axis=0) for strip in strips]), 3)


def _shadow(paper: Any, kind: _Shadow) -> float | None:
    """The binding as a share of the width: the deepest shadow of a kind, rather in the middle than at the side."""
    import numpy

    count, width = paper.shape
    first, last = (round(width * each) for each in _BAND)
    depth = _depth(paper, kind.line, round(width * _BESIDE))
    nearer = 1 - ((numpy.arange(first, last) / width - 0.5) / (_BAND[1] - _BAND[0])) ** 2 * 2
    best, found = 0.0, None
    for askew in _ASKEW:
        shifts = [round(askew * ((strip + 0.5) / count - 0.5)) for strip in range(count)]
        held = numpy.stack([depth[strip, first + by : last + by] for strip, by in enumerate(shifts)])
        # What is darker still tells where a deep shadow is deepest, and no more.
        score = (held.clip(0, _MOST) + held / 10).mean(axis=0) * nearer
        score *= (held >= kind.depth / 2).mean(axis=0) >= kind.strips
        at = int(score.argmax())
        if score[at] > best:
            best, found = float(score[at]), (first + at, shifts)
    if found is None or best < _chance(depth[:, first:last].mean(axis=0)) + kind.depth:
        return None
    return _closely(paper, *found, soft=kind.soft)


def _chance(depth: Any) -> float:
    """How deep some column is anyway: in grain and in pictures each is darker than some other."""
    import numpy

    usual = numpy.median(depth)
    return float(usual + _ODD * numpy.median(numpy.abs(depth - usual)))


def _depth(paper: Any, line: int, beside: int) -> Any:
    """Shades that each place is darker than the paper on both sides of it, but for lines no wider than `line`."""
    import numpy

    width = paper.shape[1]
    closed = _window(_window(paper, line, numpy.max), line, numpy.min)
    lightest = _window(closed, beside + 1, numpy.max)
    half = (beside + 1) // 2
    sides = numpy.pad(lightest, ((0, 0), (half, half)), mode="edge")
    return numpy.minimum(sides[:, :width], sides[:, 2 * half : 2 * half + width]) - closed


def _closely(paper: Any, at: int, shifts: list[int], *, soft: bool) -> float | None:
    """The darkest near `at`: a fold is a line, its shadow a valley. `soft`: None where no side fades, as at a line."""
    import numpy

    span = range(-_CLOSE, _CLOSE + 1)
    near = numpy.stack([paper[strip, at + by - _CLOSE : at + by + _CLOSE + 1] for strip, by in enumerate(shifts)])
    shade = near.mean(axis=0)
    low = _CLOSE - _WITHIN + int(shade[_CLOSE - _WITHIN : _CLOSE + _WITHIN + 1].argmin())
    deep = shade.max() - shade[low]
    sides = shade[max(0, low - _WITHIN - 1)], shade[min(len(span) - 1, low + _WITHIN + 1)]
    if soft and shade.max() - min(sides) < max(2.0, deep / 10):
        return None
    valley = [column for column in range(len(span)) if shade[column] <= shade[low] + deep / 10]
    return float((at - _CLOSE + _middle(valley, low)) / paper.shape[1])


def _white(grey: Any) -> float | None:
    """The middle of the widest run of columns near the middle on which nothing is printed, as a share of the width."""
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


def _smooth(rows: Any, window: int) -> Any:
    """The mean around each column."""
    import numpy

    return _window(rows, window, numpy.mean)


def _window(rows: Any, window: int, told: Any) -> Any:
    """What `told` (of numpy) makes of the columns around each column of each row."""
    import numpy

    half = window // 2
    padded = numpy.pad(rows, ((0, 0), (half, window - 1 - half)), mode="edge")
    return told(numpy.lib.stride_tricks.sliding_window_view(padded, window, axis=1), axis=2)
