"""Lines of a text box or a cell in parts that one paragraph of a slide can set: of one pitch, edge and alignment."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from cluster.engines.export.drawn_widths import UNIT, drawn_width
from cluster.engines.export.set_lines import ends, starts
from cluster.engines.layout.model import Align, Paragraph, Span, TextLine
from cluster.engines.layout.scattered import flows

#: What a line of exact height keeps below its base line, in sizes of its letters.
DESCENT = 0.20
#: Points that lines may stand off where they stood: across; down, and in text that flows.
ACROSS = 0.4
_DOWN, _DOWN_FLOWING = 0.25, 0.5
#: Blanks of running text are narrower than this, in heights of letters.
_GAP = 1.5
_BLANKS = re.compile(" +")
_LEADER = re.compile(r"\.{6}|(\. ){6}|…{3}|·{6}")


@dataclass(frozen=True)
class Part:
    """Lines `pitch` points from base line to base line, `before` below what is above, set in by `left` and `first`.

    `wraps`: its lines are broken where the box ends.
    """

    lines: Sequence[TextLine]
    pitch: float
    before: float
    align: Align
    left: float
    first: float
    wraps: bool

    @property
    def tabs(self) -> Sequence[float]:
        """Where its tabs lead, from the box's left; LibreOffice knows them where nothing is set in, or lines hang."""
        first, *others = self.lines
        places = [tab - starts(first) + self.left + self.first for tab in first.tabs]
        hangs = self.first < 0 and len(places) == 1 and abs(places[0] - self.left) < ACROSS
        if hangs or (not others and max(abs(self.left), abs(self.first)) < ACROSS):
            return places
        return ()

    @property
    def top(self) -> float:
        """Where its first line begins."""
        return bottom(self.lines[0]) - self.pitch

    @property
    def height(self) -> float:
        """As LibreOffice makes it, in whole units."""
        return (round(self.before / UNIT) + len(self.lines) * round(self.pitch / UNIT)) * UNIT


def bottom(line: TextLine) -> float:
    """Where a line of exact height ends."""
    return line.base + DESCENT * max(span.style.size for span in line.spans)


def parts(
    texts: Iterable[Paragraph],
    pitch: float,
    sides: tuple[float, float],
    align: Align | None = None,
    low: float | None = None,
) -> list[Part]:
    """The paragraphs between a box's sides, `align`ed so, or each as it is; single lines are `pitch` high.

    `low` is the box's upper side, where it has one.
    """
    made: list[Part] = []
    left, right = sides
    for text in texts:
        wraps = _wraps(text)
        way = _way(text, align, wraps=wraps)
        for lines in _even(text.lines, _DOWN_FLOWING if wraps else _DOWN):
            for way_of, own in [(way, lines)] if wraps else _flush(lines, way, left, right):
                for part in _stacked(own, pitch, low, way_of, left, wraps):
                    low = (part.top if low is None else low) + part.height
                    made.append(part)
    return made


def spread(made: Sequence[Part]) -> tuple[Sequence[Part], float | None]:
    """The parts, and where their lines end that are spread to the box's width; none are where some line ends beyond."""
    even = [ends(line) for part in made if part.align == "both" for line in part.lines[:-1]]
    far = max(ends(line) for part in made for line in part.lines)
    if even and far - median(even) < ACROSS:
        return made, median(even)
    return [replace(part, align="left") if part.align == "both" else part for part in made], None


def _wraps(text: Paragraph) -> bool:
    """Whether it is running text that one indent fits, and that others' fonts break as its own does."""
    lefts = [starts(line) for line in text.lines[1:]]
    if not flows(text) or max(lefts) - min(lefts) >= 2 * ACROSS or any(map(_parted, text.lines)):
        return False
    return all(drawn_width(span) is not None for line in text.lines for span in line.spans)


def _parted(line: TextLine) -> bool:
    """Whether it has a gap as columns have them, or dots that lead to one."""
    if _LEADER.search(line.text):
        return True
    gaps = (span.places[end] - span.places[start] for span in line.spans for start, end in _gaps(span) if span.places)
    return bool(line.tabs) or any(gap > _GAP * line.size for gap in gaps)


def _gaps(span: Span) -> Iterator[tuple[int, int]]:
    return (found.span() for found in _BLANKS.finditer(span.text))


def _way(text: Paragraph, align: Align | None, *, wraps: bool) -> Align:
    if align in (None, "left") and text.align == "both":
        return "both" if wraps else "left"
    return align or text.align


def _even(lines: Sequence[TextLine], most: float) -> Iterator[Sequence[TextLine]]:
    """The lines in parts with steps so alike that none is more than `most` off."""
    places, start = [bottom(line) for line in lines], 0
    while start < len(lines):
        end = len(lines)
        while end - start > 2 and _off(places[start:end]) > most:
            end -= 1
        yield lines[start:end]
        start = end


def _off(places: Sequence[float]) -> float:
    """How far the farthest lies off if all steps are alike."""
    step = (places[-1] - places[0]) / (len(places) - 1)
    return max(abs(place - places[0] - at * step) for at, place in enumerate(places))


def _flush(
    lines: Sequence[TextLine], align: Align, left: float, right: float
) -> Iterator[tuple[Align, Sequence[TextLine]]]:
    """The lines in parts that agree in one edge or middle; all but the first of a part in the left one."""
    part: list[TextLine] = []
    way: Align = "left"
    for line in lines:
        own: Align = align if not line.tabs and _agrees(line, align, left, right) else "left"
        off = own == "left" and len(part) > 1 and abs(starts(line) - starts(part[1])) > ACROSS
        if part and (own != way or off):
            yield way, part
            part = []
        way = own
        part.append(line)
    yield way, part


def _agrees(line: TextLine, align: Align, left: float, right: float) -> bool:
    if align == "center":
        return abs(starts(line) + ends(line) - left - right) < 2 * ACROSS
    return align == "right" and abs(ends(line) - right) < ACROSS


def _stacked(
    lines: Sequence[TextLine], pitch: float, low: float | None, align: Align, left: float, wraps: bool
) -> Iterator[Part]:
    """The lines below `low`; where the first is too near, it is a part of its own."""
    step = (bottom(lines[-1]) - bottom(lines[0])) / (len(lines) - 1) if len(lines) > 1 else pitch
    room = step if low is None else bottom(lines[0]) - low
    if room < step - UNIT and len(lines) > 1:
        yield from _stacked(lines[:1], pitch, low, align, left, wraps=False)
        lines, room = lines[1:], step
    # Some line may begin a little before the others: those that stand flush are more.
    body = median([starts(line) for line in lines[1:]] or [starts(lines[0])]) if align in ("left", "both") else left
    first = starts(lines[0]) - body if align in ("left", "both") else 0.0
    high = max(1.0, min(step, room))
    yield Part(lines, high, max(0.0, room - high), align, body - left, first, wraps)
