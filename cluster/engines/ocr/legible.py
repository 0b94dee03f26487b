"""Whether what was found could be read: a script that the models do not know comes back empty, or as noise."""

from collections.abc import Iterable

from cluster.engines.layout.line import Line, Page
from cluster.engines.ocr.upright import size_of

#: Noise is read with less certainty than this, or with too few letters for the length of the line (in its heights).
_SURE = 0.7
_LETTERS = 0.5
#: Lines that tell anything: this many pixels high, this much longer than high.
_HEIGHT, _LENGTH = 12.0, 3.0
#: A picture is in a strange script when this share of its lines' length cannot be read.
_MOSTLY = 0.6


def strange(pages: Iterable[Page]) -> tuple[int, int, bool]:
    """Lines that could not be read, lines that were looked at, and whether most of the writing is unreadable.

    Short lines, as a table of numbers has, tell only that they can be read.
    """
    lines = [line for page in pages for line in (*page.lines, *page.unread)]
    looked = [line for line in lines if _tells(line)]
    lost = [line for line in looked if not legible(line)]
    gone, read = _length(lost), _length(line for line in lines if legible(line))
    return len(lost), len(looked), gone > _MOSTLY * (gone + read)


def legible(line: Line) -> bool:
    """Whether the line's text is what is written, not noise."""
    length, height = _shape(line)
    letters = len("".join(line.text.split()))
    return line.score >= _SURE and letters >= _LETTERS * length / max(1.0, height)


def _tells(line: Line) -> bool:
    length, height = _shape(line)
    return height >= _HEIGHT and length >= _LENGTH * height


def _length(lines: Iterable[Line]) -> float:
    return sum(_shape(line)[0] for line in lines)


def _shape(line: Line) -> tuple[float, float]:
    """Length and height of the line's box, whichever way it runs."""
    sides = size_of(line.box)
    return max(sides), min(sides)
