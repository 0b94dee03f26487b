"""What pages share above and below their text: headers and footers; and where the text's edges are."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import takewhile

from cluster.engines.layout.grid import Grid
from cluster.engines.layout.grids import grids
from cluster.engines.layout.model import Box, Sheet, TextLine

#: Shares of a page's height within which a header ends and a footer begins.
_HEAD, _FOOT = 0.16, 0.86
#: On pages that share nothing, only what stands within this distance of the edge (points) is one.
_EDGE = 62.0
#: What comes again on this share of the pages, or on so many, is one: sections have their own.
_SHARE, _ENOUGH = 0.3, 5
#: So many pages share headers; on fewer any that stands at the edge is one.
_PAGES = 3
#: Letters of a text that is known wherever it stands above or below the page, and marks of both for counting.
_LONG, _ABOVE, _BELOW = 6, -1000, -2000
#: Heights of letters between them and the text.
_APART = 0.8
#: Where more lines than this share end beyond an edge it is none: the lines are ragged.
_BEYOND = 0.1
#: So many lines tell an edge, if more than this share of them end within so many points, and few beyond it.
_TELLING, _MOST, _ALIKE, _FEW = 10, 0.34, 3.0, 0.15
_HANGING = tuple("，。、；：！？")
_COUNTED = re.compile(r"\d+|\b[ivxlcIVXLC]+\b")
#: A page's number alone.
NUMBER = re.compile(r"^\W*(第?\s*\d{1,4}\s*页?|page\s*\d+|[ivxl]{1,6})(\W*(of|/|共)?\s*\d*\s*页?)\W*$", re.I)


@dataclass
class Margins:
    """Each sheet's header and footer, by its place among the sheets."""

    heads: list[list[TextLine]] = field(default_factory=list)
    feet: list[list[TextLine]] = field(default_factory=list)


def plain(text: str) -> str:
    """The text without blanks, any number a #."""
    return _COUNTED.sub("#", re.sub(r"\s+", "", text))


def part(sheets: Sequence[Sheet]) -> tuple[list[Sheet], Margins]:
    """The sheets without their headers and footers, and those."""
    found, seen = Margins(), _seen(sheets)
    ordered = [sorted(sheet.lines, key=lambda line: line.base) if sheet.whole else [] for sheet in sheets]
    pairs = list(zip(ordered, sheets, strict=True))
    heads = [_head(lines, sheet, seen, len(sheets)) for lines, sheet in pairs]
    feet = [_foot(lines, sheet, seen, len(sheets)) for lines, sheet in pairs]
    turned = [each[::-1] for each in ordered]
    found.heads = _alike(_set_apart(heads, ordered), ordered)
    found.feet = [own[::-1] for own in _alike(_set_apart(feet, turned), turned)]
    out = []
    for sheet, head, foot in zip(sheets, found.heads, found.feet, strict=True):
        gone = {id(line) for line in (*head, *foot)}
        out.append(replace(sheet, lines=tuple(line for line in sheet.lines if id(line) not in gone)))
    # Pages of a line each are text: over nothing stands no header.
    return (out, found) if any(sheet.lines or sheet.pictures for sheet in out) else (list(sheets), _none(sheets))


def _none(sheets: Sequence[Sheet]) -> Margins:
    return Margins([[] for _ in sheets], [[] for _ in sheets])


def _alike(found: list[list[TextLine]], ordered: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
    """What was found, and on pages without any the outermost line that looks and lies as on most others."""
    places = Counter((round(line.base), line.size) for own in found for line in own[:1])
    if not places or sum(map(bool, found)) < 2:
        return found
    ((base, size), _) = places.most_common(1)[0]
    return [own or _outermost(lines, base, size) for own, lines in zip(found, ordered, strict=True)]


def _outermost(lines: Sequence[TextLine], base: float, size: float) -> list[TextLine]:
    if len(lines) < 2 or abs(lines[0].base - base) > 2 or abs(lines[0].size - size) > 0.6:
        return []
    return [lines[0]] if _apart(lines[0], lines[1]) else []


def _spot(line: TextLine) -> tuple[str, int]:
    return plain(line.text), round(line.base / 6)


def _zone(line: TextLine, sheet: Sheet) -> int:
    """Above the page or below it, wherever a longer text stands there; 0 for the middle and for short ones."""
    if len(plain(line.text)) < _LONG:
        return 0
    return _ABOVE if line.base < _HEAD * sheet.height else _BELOW if line.base > _FOOT * sheet.height else 0


def _seen(sheets: Sequence[Sheet]) -> Counter[tuple[str, int]]:
    """On how many pages about the same stands at about the same height."""
    count: Counter[tuple[str, int]] = Counter()
    for sheet in sheets:
        spots = [_spot(line) for line in sheet.lines]
        count.update({(text, at + shift) for text, at in spots for shift in (-1, 0, 1)})
        count.update({(plain(line.text), zone) for line in sheet.lines if (zone := _zone(line, sheet))})
    return count


def _head(ordered: list[TextLine], sheet: Sheet, seen: Counter[tuple[str, int]], pages: int) -> list[TextLine]:
    zone = _HEAD * sheet.height
    top = [line for line in ordered if line.base < zone]
    own = _outside(top, sheet, seen, pages)
    if own and any(_inside(line, grid.box) for grid in _tables(sheet) if grid.box[3] > zone for line in own):
        return []
    if not own and pages < _PAGES:
        own = [line for line in top if line.box[3] < _EDGE and line.size <= 13]
    return [] if pages < _PAGES and len(own) == len(ordered) else own


def _foot(ordered: list[TextLine], sheet: Sheet, seen: Counter[tuple[str, int]], pages: int) -> list[TextLine]:
    """From the lowest line up."""
    zone = _FOOT * sheet.height
    low = [line for line in ordered[::-1] if line.base > zone]
    own = _outside(low, sheet, seen, pages)
    if own and not any(_inside(line, grid.box) for grid in _tables(sheet) if grid.box[1] < zone for line in own):
        return own
    edge = [line for line in low if line.box[1] > sheet.height - _EDGE and line.size <= 13]
    above = [line for line in ordered if line not in edge]
    if edge and above and not _apart(above[-1], edge[-1]):
        return []
    return [line for line in edge if NUMBER.match(line.text) or pages < _PAGES]


def _tables(sheet: Sheet) -> list[Grid]:
    return grids(sheet.rules, sheet.lines)


def _inside(line: TextLine, box: Box) -> bool:
    x, y = (line.box[0] + line.box[2]) / 2, (line.box[1] + line.box[3]) / 2
    return box[0] - 2 <= x <= box[2] + 2 and box[1] - 2 <= y <= box[3] + 2


def _set_apart(found: Sequence[list[TextLine]], ordered: Sequence[list[TextLine]]) -> list[list[TextLine]]:
    """Of what was found on each page what stands apart from its text, or does so on another page; outermost first.

    On few pages that is not known of any text.
    """
    both = list(zip(found, ordered, strict=True)) if len(found) >= _PAGES else []
    sure = {_spot(line) for own, lines in both for line in _outer(own, lines, set())}
    return [_outer(own, lines, sure) for own, lines in zip(found, ordered, strict=True)]


def _outer(own: list[TextLine], ordered: Sequence[TextLine], sure: Set[tuple[str, int]]) -> list[TextLine]:
    kept, place = list(own), {id(line): at for at, line in enumerate(ordered)}
    rest = [line for line in ordered if line not in own]
    while kept and rest and _spot(kept[-1]) not in sure:
        if place[id(kept[-1])] < place[id(rest[0])] and _apart(kept[-1], rest[0]):
            break
        rest.insert(0, kept.pop())
    return kept


def _apart(one: TextLine, other: TextLine) -> bool:
    """Whether more than a line's usual distance lies between them."""
    above, below = sorted((one, other), key=lambda line: line.base)
    return below.box[1] - above.box[3] > _APART * min(above.size, below.size)


def _outside(lines: Sequence[TextLine], sheet: Sheet, seen: Counter[tuple[str, int]], pages: int) -> list[TextLine]:
    """The first of the lines, from the page's edge on, that come again; on a first page with what stands beside those:
    it may have more than others."""
    known = [line for line in lines if _again(line, sheet, seen, pages)]
    level = {round(line.base) for line in known} if sheet.number == 0 else set[int]()
    return list(takewhile(lambda line: line in known or round(line.base) in level, lines))


def _again(line: TextLine, sheet: Sheet, seen: Counter[tuple[str, int]], pages: int) -> bool:
    count = max(seen[_spot(line)], seen[plain(line.text), zone] if (zone := _zone(line, sheet)) else 0)
    return pages > 1 and count >= max(2, min(_ENOUGH, _SHARE * pages))


def inside(lines: Iterable[TextLine]) -> list[Box]:
    """Boxes of lines without those whose last mark may hang over the edge, as Chinese ones do."""
    lines = list(lines)
    kept = [line.box for line in lines if line.text.rstrip()[-1:] not in _HANGING]
    return kept if 2 * len(kept) > len(lines) else [line.box for line in lines]


def edges(boxes: Sequence[Box]) -> tuple[float, float]:
    """Left and right margins: the outermost places where several lines begin or end."""
    if not boxes:
        return 72.0, 523.0
    need = max(2, len(boxes) // 50)
    lefts = sorted(box[0] for box in boxes)
    rights = sorted((box[2] for box in boxes), reverse=True)
    left = next((x for x, other in zip(lefts, lefts[need - 1 :], strict=False) if other - x < 3), lefts[0])
    right = next((x for x, other in zip(rights, rights[need - 1 :], strict=False) if x - other < 3), rights[0])
    if sum(x > right + 3 for x in rights) > _BEYOND * len(rights):
        right = rights[need - 1]
    return left, max(right, left + 100)


def solid(lines: Iterable[TextLine], width: float) -> tuple[float, float] | None:
    """The edges of a page whose lines mostly end alike, as justified ones do; what ends beyond is cells of a table.

    None where they do not, or stand in columns.
    """
    boxes = inside(lines)
    rights = sorted((box[2] for box in boxes), reverse=True)
    clear = max(2, int(_FEW * len(rights)))
    found = (x for at, x in enumerate(rights[:clear]) if _many(rights[at:], x, len(rights)))
    right = next(found, None) if len(rights) >= _TELLING else None
    left = edges(boxes)[0]
    if right is None or right - left < width / 2 or any(_column(box, right, left) for box in boxes):
        return None
    return left, right


def _many(rights: Sequence[float], most: float, count: int) -> bool:
    return sum(most - x < _ALIKE for x in rights) > _MOST * count


def _column(box: Box, right: float, left: float) -> bool:
    """Whether a line beyond the edge is as wide as those of a column are."""
    return box[0] > right - _ALIKE and box[2] - box[0] > (right - left) / 4
