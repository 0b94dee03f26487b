"""What pages share above and below their text: headers and footers; and where the text's edges are."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from cluster.engines.layout.grids import Grid, grids
from cluster.engines.layout.model import Box, Sheet, TextLine

#: Shares of a page's height within which a header ends and a footer begins.
_HEAD, _FOOT = 0.16, 0.86
#: On pages that share nothing, only what stands within this distance of the edge (points) is one.
_EDGE = 62.0
#: Heights of letters between them and the text.
_APART = 0.8
_HANGING = tuple("，。、；：！？")
_DIGITS = re.compile(r"\d+")
_COUNTED = re.compile(r"\d+|\b[ivxlcIVXLC]+\b")
_NUMBER = re.compile(r"^\W*(第?\s*\d{1,4}\s*页?|page\s*\d+|[ivxl]{1,6})(\W*(of|/|共)?\s*\d*\s*页?)\W*$", re.I)


@dataclass
class Margins:
    """Headers' and footers' lines, each once, and the pages that have some."""

    header: list[TextLine] = field(default_factory=list)
    footer: list[TextLine] = field(default_factory=list)
    pages: set[int] = field(default_factory=set)
    firsts: Counter[int] = field(default_factory=Counter)

    @property
    def first_number(self) -> int:
        """What the numbers on the pages make the first page; 1 where they do not agree."""
        ((first, count),) = self.firsts.most_common(1) or [(1, 0)]
        return first if count > 1 and count == self.firsts.total() and first >= 0 else 1


def plain(text: str) -> str:
    """The text without blanks, any number a #."""
    return _COUNTED.sub("#", re.sub(r"\s+", "", text))


def part(sheets: Sequence[Sheet]) -> tuple[list[Sheet], Margins]:
    """The sheets without their headers and footers, and those."""
    found, seen = Margins(), _seen(sheets)
    out = []
    for sheet in sheets:
        ordered = sorted(sheet.lines, key=lambda line: line.base)
        head = _head(ordered, sheet, seen, len(sheets)) if sheet.whole else []
        foot = _foot(ordered, sheet, seen, len(sheets)) if sheet.whole else []
        if head or foot:
            found.pages.add(sheet.number)
        for line in (*head, *foot):
            if len(numbers := _DIGITS.findall(line.text)) == 1 and _NUMBER.match(line.text):
                found.firsts[int(numbers[0]) - sheet.number] += 1
        _add(found.header, head)
        _add(found.footer, foot)
        gone = {id(line) for line in (*head, *foot)}
        out.append(replace(sheet, lines=tuple(line for line in sheet.lines if id(line) not in gone)))
    return out, found


def _add(known: list[TextLine], lines: Sequence[TextLine]) -> None:
    texts = {plain(line.text) for line in known}
    known += [line for line in lines if plain(line.text) not in texts]
    known.sort(key=lambda line: line.base)


def _spot(line: TextLine) -> tuple[str, int]:
    return plain(line.text), round(line.base / 6)


def _seen(sheets: Sequence[Sheet]) -> Counter[tuple[str, int]]:
    """On how many pages about the same stands at about the same height."""
    count: Counter[tuple[str, int]] = Counter()
    for sheet in sheets:
        spots = [_spot(line) for line in sheet.lines]
        count.update({(text, at + shift) for text, at in spots for shift in (-1, 0, 1)})
    return count


def _head(ordered: list[TextLine], sheet: Sheet, seen: Counter[tuple[str, int]], pages: int) -> list[TextLine]:
    zone = _HEAD * sheet.height
    top = [line for line in ordered if line.base < zone]
    own = list(takewhile(lambda line: _again(line, seen, pages), top))
    if own and any(_inside(line, grid.box) for grid in _tables(sheet) if grid.box[3] > zone for line in own):
        return []
    if not own and pages < 3:
        own = [line for line in top if line.box[3] < _EDGE and line.size <= 13]
    below = [line for line in ordered if line not in own]
    if own and pages < 3 and not below:
        return []
    while own and below and not _apart(own[-1], below[0]):
        below.insert(0, own.pop())
    return own


def _foot(ordered: list[TextLine], sheet: Sheet, seen: Counter[tuple[str, int]], pages: int) -> list[TextLine]:
    zone = _FOOT * sheet.height
    low = [line for line in ordered[::-1] if line.base > zone]
    own = list(takewhile(lambda line: _again(line, seen, pages), low))
    if own and any(_inside(line, grid.box) for grid in _tables(sheet) if grid.box[1] < zone for line in own):
        own = []
    if own:
        above = [line for line in ordered if line not in own]
        while own and above and not _apart(above[-1], own[-1]):
            above.append(own.pop())
        return own[::-1]
    edge = [line for line in low[::-1] if line.box[1] > sheet.height - _EDGE and line.size <= 13]
    above = [line for line in ordered if line not in edge]
    if edge and above and not _apart(above[-1], edge[0]):
        return []
    return [line for line in edge if _NUMBER.match(line.text) or pages < 3]


def _tables(sheet: Sheet) -> list[Grid]:
    return grids(sheet.rules, sheet.lines)


def _inside(line: TextLine, box: Box) -> bool:
    x, y = (line.box[0] + line.box[2]) / 2, (line.box[1] + line.box[3]) / 2
    return box[0] - 2 <= x <= box[2] + 2 and box[1] - 2 <= y <= box[3] + 2


def _apart(above: TextLine, below: TextLine) -> bool:
    """Whether more than a line's usual distance lies between them."""
    return below.box[1] - above.box[3] > _APART * min(above.size, below.size)


def _again(line: TextLine, seen: Counter[tuple[str, int]], pages: int) -> bool:
    return pages > 1 and seen[_spot(line)] >= max(2, 0.3 * pages)


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
    return left, max(right, left + 100)
