"""Charts, diagrams and signs that are drawn on a page: they are pictures to who reads it, with the words in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.drawn import HAIR, area, holds, shared, without
from cluster.engines.layout.model import Box, Picture, Sheet, TextLine
from cluster.engines.layout.rows import around
from cluster.engines.layout.turning import upright_turn
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading.bars import Chart, Mark, charts

if TYPE_CHECKING:
    import pymupdf

#: Pixels an inch of the picture, and the points beside the drawing that are in it.
_DPI, _EDGE = 200, 2.0
#: A drawing is so wide and high at least (points), and covers less than this share of the page.
_LEAST, _MOST = 36, 0.6
#: What covers more of the page is its ground or its frame.
_GROUND = 0.5
#: Slanted and curved strokes that tell one; those of small marks (points), as bullets and arrows are, count little.
_TELLING, _SMALL, _LITTLE = 3.0, 14, 0.02
#: So few curves that are shorter than this share of a path with straight sides round its corners.
_CORNERS, _CORNER = 8, 0.25
#: A line that leaves its way by a smaller share of its length is upright or level.
_SKEW = 0.03
#: Points of a square by which it is told what touches: marks within the same or neighbouring ones are one drawing.
_SQUARE = 6
#: A drawing has at most so many letters, in lines that are so long, and this share of its surface is theirs.
_LETTERS, _LONG, _FULL = 400, 60, 0.25
#: Where what tells the drawing fills a smaller share of it, the rest are rules beside it.
_CORE = 0.2
#: Labels of an axis: so many at a side at least, within so many points of it, each of at most so many letters.
_AXIS, _NEAR, _LABEL = 3, 16, 12
SIDES = 4
#: Drawings beside each other that are so near (points) are one picture: text stands between no two of them.
_ROW = 40
#: A page of more drawings is a map in pieces.
_PIECES = 40


def drawings_on(sheet: Sheet, paths: Sequence[Mapping[str, Any]]) -> tuple[Box, ...]:
    """The boxes of what is drawn on the sheet, with the words in it; `paths` are PyMuPDF's of the page."""
    page = 0, 0, sheet.width, sheet.height
    marks = list(_marks(paths, page))
    barred = list(charts(marks, sheet.lines))
    boxes = [labelled(box, sheet.lines) for box in _drawings(sheet, marks, barred)]
    edged = (shared((left - _EDGE, top - _EDGE, right + _EDGE, low + _EDGE), page) for left, top, right, low in boxes)
    return tuple(edged) if len(boxes) <= _PIECES else ()


def with_pictures(sheet: Sheet, page: "pymupdf.Page", boxes: Iterable[Box], folder: Path) -> Sheet:
    """The sheet with what is drawn in the boxes as pictures."""
    for number, box in enumerate(boxes):
        sheet = _with(sheet, page, box, folder / f"{page.number}-drawing-{number}.png")
    return sheet


def _drawings(sheet: Sheet, marks: list[Mark], barred: Sequence[Chart]) -> list[Box]:
    for at in (at for chart in barred for at in chart.bars):
        marks[at] = replace(marks[at], telling=1.0)
    if sum(mark.telling for mark in marks) < _TELLING:
        return []
    found: list[Box] = []
    boxes = [box for group in _touching(marks, barred) for box in _drawing(group, sheet)]
    for box in sorted(_with_labels(box, marks, barred) for box in boxes):
        if found and _one_row(found[-1], box, sheet):
            box = around((found.pop(), box))
        found.append(box)
    return found


def _with_labels(box: Box, marks: Sequence[Mark], barred: Sequence[Chart]) -> Box:
    """The box with the words of the charts that it holds."""
    own = (chart.labels for chart in barred if all(holds(box, marks[at].box) for at in chart.bars))
    return around((box, *(label for labels in own for label in labels)))


def _one_row(one: Box, other: Box, sheet: Sheet) -> bool:
    """Whether two drawings stand side by side with nothing written between them."""
    beside = min(one[3], other[3]) - max(one[1], other[1])
    level = beside > 0.5 * max(one[3] - one[1], other[3] - other[1])
    gap = one[2] + 1, max(one[1], other[1]), other[0] - 1, min(one[3], other[3])
    return level and other[0] - one[2] < _ROW and not any(_reaches(line.box, gap) for line in sheet.lines)


def _marks(paths: Sequence[Mapping[str, Any]], page: Box) -> Iterator[Mark]:
    """What is seen of the paths, without the page's ground."""
    for path in paths:
        box = shared(path["rect"], page)
        white = path["type"] == "f" and path.get("fill") == (1.0, 1.0, 1.0)
        if box[0] <= box[2] and box[1] <= box[3] and not white and area(box) < _GROUND * area(page):
            frame = is_box(path)
            yield Mark(box, _telling(path["items"], box), frame, frame and "f" in path["type"])


def is_box(path: Mapping[str, Any]) -> bool:
    """Whether the path is one rectangle, be it drawn as its four sides, or filled within three of them."""
    items = path["items"]
    if len(items) == 1:
        return bool(items[0][0] == "re")
    least = SIDES if "s" in path.get("type", "s") else SIDES - 1
    if not least <= len(items) <= SIDES or any(item[0] != "l" or _is_bent(item) for item in items):
        return False
    (left, top, right, bottom), ends = path["rect"], {end for item in items for end in item[1:]}
    corners = [min(abs(x - left), abs(x - right)) + min(abs(y - top), abs(y - bottom)) < HAIR for x, y in ends]
    return len(corners) == SIDES and all(corners)


def _telling(items: Sequence[tuple[Any, ...]], box: Box) -> float:
    """How many slanted or curved strokes the path has; round corners are none."""
    bent = [item for item in items if _is_bent(item)]
    long = max(box[2] - box[0], box[3] - box[1])
    if len(bent) <= _CORNERS and len(bent) < len(items) and all(max(_reach(item)) < _CORNER * long for item in bent):
        return 0.0
    return len(bent) * (1.0 if long >= _SMALL else _LITTLE)


def _is_bent(item: tuple[Any, ...]) -> bool:
    if item[0] != "l":
        return bool(item[0] == "c")
    short, long = sorted(_reach(item))
    return bool(short > max(HAIR, _SKEW * long))


def _reach(item: tuple[Any, ...]) -> tuple[float, float]:
    """How far the stroke's points lie from each other, across and down."""
    xs, ys = zip(*item[1:], strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def _touching(marks: Sequence[Mark], barred: Sequence[Chart]) -> list[list[Mark]]:
    """The marks in groups of those that touch, by the squares of the page they lie in, or are bars of one chart."""
    joined = list(range(len(marks)))

    def first(number: int) -> int:
        while joined[number] != number:
            joined[number] = number = joined[joined[number]]
        return number

    owner: dict[tuple[int, int], int] = {}
    for number, mark in enumerate(marks):
        for square in _squares(mark.box):
            joined[first(number)] = first(owner.setdefault(square, number))
    for one, two in (pair for chart in barred for pair in pairwise(chart.bars)):
        joined[first(one)] = first(two)
    groups: dict[int, list[Mark]] = {}
    for number, mark in enumerate(marks):
        groups.setdefault(first(number), []).append(mark)
    return list(groups.values())


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    left, top = int(box[0] / _SQUARE), int(box[1] / _SQUARE)
    right, bottom = ceil((box[2] + 0.01) / _SQUARE), ceil((box[3] + 0.01) / _SQUARE)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def _drawing(group: Sequence[Mark], sheet: Sheet) -> list[Box]:
    """The group as one drawing, or those that are framed in it, or what tells it without the rules beside that."""
    telling = [mark.box for mark in group if mark.telling]
    core, whole = around(telling) if telling else (0.0, 0.0, 0.0, 0.0), around(mark.box for mark in group)
    if area(core) >= _CORE * area(whole):
        return [whole] if _is_drawing(whole, group, sheet) else _framed(group, sheet)
    return _framed(group, sheet) or ([core] if _is_drawing(core, _within(core, group), sheet) else [])


def _framed(group: Sequence[Mark], sheet: Sheet) -> list[Box]:
    """The largest frames that hold a drawing each."""
    found: list[Box] = []
    for box in sorted((mark.box for mark in group if mark.frame), key=area, reverse=True):
        inner = not any(holds(other, box) for other in found)
        if inner and _is_drawing(box, _within(box, group), sheet):
            found.append(box)
    return found


def _within(box: Box, marks: Iterable[Mark]) -> list[Mark]:
    return [mark for mark in marks if holds(box, mark.box)]


def _is_drawing(box: Box, marks: Sequence[Mark], sheet: Sheet) -> bool:
    left, top, right, bottom = box
    large = min(right - left, bottom - top) >= _LEAST and area(box) < _MOST * sheet.width * sheet.height
    if not large or sum(mark.telling for mark in marks) < _TELLING:
        return False
    own = [line for line in sheet.lines if holds(box, line.box)]
    texts = [line.text.strip() for line in own]
    full = sum(area(line.box) for line in own) > _FULL * area(box)
    return not full and sum(map(len, texts)) <= _LETTERS and max(map(len, texts), default=0) <= _LONG


def labelled(box: Box, lines: Sequence[TextLine]) -> Box:
    """The box with what is written over its sides and at its axes: numbers beside it, numbers or names below.

    And with what stands upright beside these: what the axis counts.
    """
    left, top, right, bottom = box
    near = [line for line in lines if len(line.text.strip()) <= _LABEL and not holds(box, line.box)]
    numbers = [line for line in near if any(map(str.isdigit, line.text))]
    beside = [line.box for line in numbers if top - 6 <= (line.box[1] + line.box[3]) / 2 <= bottom + 6]
    below = [line.box for line in near if left - 12 <= (line.box[0] + line.box[2]) / 2 <= right + 12]
    sides = (
        [each for each in beside if 0 <= left - each[2] + 3 <= _NEAR],
        [each for each in beside if 0 <= each[0] - right + 3 <= _NEAR],
        [each for each in below if 0 <= each[1] - bottom + 3 <= _NEAR],
    )
    reaching = [line.box for line in near if _reaches(line.box, box)]
    whole = around([box, *reaching, *(each for side in sides if len(side) >= _AXIS for each in side)])
    return around([whole, *(line.box for line in lines if upright_turn([line]) and _is_beside(line.box, whole))])


def _is_beside(one: Box, box: Box) -> bool:
    """Whether it stands left or right of the box, as high as that at most, and near."""
    left, top, right, bottom = box
    high = top <= (one[1] + one[3]) / 2 <= bottom and one[3] - one[1] <= bottom - top
    return high and (0 <= left - one[2] + 3 <= _NEAR or 0 <= one[0] - right + 3 <= _NEAR)


def _with(sheet: Sheet, page: "pymupdf.Page", box: Box, path: Path) -> Sheet:
    """The sheet on which a picture is what lies in the box."""
    own = [line for line in sheet.lines if holds(box, line.box)]
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = page.get_pixmap(clip=import_pymupdf().Rect(box), dpi=_DPI, alpha=False)
    if pixels.is_unicolor:
        return sheet
    pixels.save(path)
    picture = Picture(box, path, " ".join(line.text.strip() for line in own), drawn=True)
    rest = without(sheet, [box])
    return replace(rest, pictures=(*rest.pictures, picture))


def _reaches(one: Box, other: Box) -> bool:
    both = shared(one, other)
    return both[2] - both[0] > 1 and both[3] - both[1] > 1
