"""From lines anywhere on a page to text in the order people read it: gutters, rows, blocks, paragraphs.

1. The page's skew is taken out of the boxes.
2. Gutters: upright empty strips with full lines on both sides, or with tables whose rows do not stand level. They part
   columns.
3. Pieces of one row that no gutter parts are one row.
4. Rows above each other are blocks; blocks are ordered by Breuel's two rules (what stands above in the same
   columns comes first; what stands left comes first unless something wide lies between).
5. Blocks fall into paragraphs at indents, short last lines and larger gaps.
"""

import functools
import itertools
import math
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cluster.engines.layout.gutters import Gutter, Piece, find_gutters
from cluster.engines.layout.line import Line, Page
from cluster.engines.layout.turning import runs_down, turned

#: What is written without blanks between its letters: 汉字, kana, their marks and full-width forms.
_DENSE = "⺀-〿぀-ヿ㇀-㏿㐀-䶿一-鿿豈-﫿︰-﹏＀-￯\U00020000-\U0003ffff"
_BETWEEN = re.compile(f"(?<=[{_DENSE}])[ \\u3000]+(?=[{_DENSE}])")
_ENDS_DENSE = re.compile(f"[{_DENSE}]$")
_STARTS_DENSE = re.compile(f"^[{_DENSE}]")
_WIDE = 1.5
#: Letters this much higher than the last line's are a heading, or the text below one.
_BIGGER = 1.55
_HYPHEN = re.compile("(?<=[a-z])-$")


@dataclass
class Row:
    """Pieces side by side, left to right."""

    pieces: list[Piece]

    @property
    def left(self) -> float:
        return self.pieces[0].left

    @property
    def right(self) -> float:
        return max(piece.right for piece in self.pieces)

    @property
    def top(self) -> float:
        return min(piece.top for piece in self.pieces)

    @property
    def bottom(self) -> float:
        return max(piece.bottom for piece in self.pieces)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def height(self) -> float:
        return statistics.median(piece.height for piece in self.pieces)

    @property
    def has_cells(self) -> bool:
        """Whether it is a table's or a form's: such rows are no running text."""
        return any(self._is_wide(last, piece) for last, piece in itertools.pairwise(self.pieces))

    @property
    def text(self) -> str:
        """A wide gap is a tab: two cells of a form are not one word."""
        told = tidy(self.pieces[0].line.text)
        for last, piece in itertools.pairwise(self.pieces):
            wide = self._is_wide(last, piece)
            told = f"{told}\t{tidy(piece.line.text)}" if wide else join(told, tidy(piece.line.text))
        return told

    def _is_wide(self, last: Piece, piece: Piece) -> bool:
        return piece.left - last.right > _WIDE * self.height


@dataclass
class Block:
    """Rows above each other."""

    rows: list[Row]

    @property
    def left(self) -> float:
        return min(row.left for row in self.rows)

    @property
    def right(self) -> float:
        return max(row.right for row in self.rows)

    @property
    def top(self) -> float:
        return self.rows[0].top

    @property
    def bottom(self) -> float:
        return max(row.bottom for row in self.rows)


@dataclass
class Paragraph:
    """Rows of running text."""

    rows: list[Row]

    @property
    def text(self) -> str:
        return functools.reduce(join, (row.text for row in self.rows))


def arrange(lines: Sequence[Line]) -> list[Block]:
    """Blocks in reading order, each with its rows."""
    pieces = straighten(lines)
    gutters = [each for each in find_gutters(pieces) if not each.in_table]
    blocks = _blocks(_rows(pieces, gutters))
    for gutter in gutters:
        blocks = [part for block in blocks for part in _parted(block, gutter)]
    return order_blocks(blocks)


def paragraphs(block: Block) -> list[Paragraph]:
    """The block's rows, parted where a paragraph begins."""
    found: list[Paragraph] = []
    for number, row in enumerate(block.rows):
        if number == 0 or _begins(block, number):
            found.append(Paragraph([]))
        found[-1].rows.append(row)
    return found


def tidy(text: str) -> str:
    """No blanks between 汉字, single ones elsewhere."""
    return re.sub(r"\s+", " ", _BETWEEN.sub("", text)).strip()


def join(before: str, after: str) -> str:
    """Two lines of one paragraph: a blank between words, none between 汉字, a broken word mended."""
    if _HYPHEN.search(before) and after[:1].islower():
        return before[:-1] + after
    if _ENDS_DENSE.search(before) or _STARTS_DENSE.search(after):
        return before + after
    return f"{before} {after}"


def skew(lines: Iterable[Line]) -> float:
    """The median slope of long lines, in radians, clockwise."""
    sides = [line.box[:2] for line in lines if line.text.strip()]
    slopes = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in sides if b[0] - a[0] > 80]
    return statistics.median(slopes) if slopes else 0.0


def straighten(lines: Iterable[Line], angle: float | None = None) -> list[Piece]:
    """Rectangles after the page's skew (`angle`, where it is known) is taken out, about the upper left corner; of a
    page whose writing runs down, as they lie when it is turned so that its lines run across."""
    kept = [line for line in lines if line.text.strip()]
    if runs_down(kept):
        # Seen from its right side such a page has its lines from left to right, one below the other.
        lying = turned(Page(0, 0, 0, tuple(kept)), 270).lines
        return [replace(piece, line=line) for piece, line in zip(straighten(lying, angle), kept, strict=True)]
    angle = skew(kept) if angle is None else angle
    sine, cosine = math.sin(-angle), math.cos(-angle)
    pieces = []
    for line in kept:
        points = [(x * cosine - y * sine, x * sine + y * cosine) for x, y in line.box]
        xs, ys = zip(*points, strict=True)
        # Quads are a little slanted themselves: the mean of each side is truer than the outermost point.
        upper, lower = (ys[0] + ys[1]) / 2, (ys[2] + ys[3]) / 2
        pieces.append(Piece(line, min(xs), min(upper, lower), max(xs), max(upper, lower)))
    return pieces


def _rows(pieces: Sequence[Piece], gutters: Sequence[Gutter]) -> list[Row]:
    """Join pieces at the same height, from left to right, unless a gutter lies between them."""
    rows: list[Row] = []
    for piece in sorted(pieces, key=lambda each: each.left):
        mates = [row for row in rows if _follows(row.pieces[-1], piece, gutters)]
        if mates:
            max(mates, key=lambda row: row.right).pieces.append(piece)
        else:
            rows.append(Row([piece]))
    return sorted(rows, key=lambda row: row.top)


def _follows(one: Piece, other: Piece, gutters: Sequence[Gutter]) -> bool:
    """Whether `other` continues the row that ends with `one`."""
    low, high = sorted((one.height, other.height))
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    if not (shared > 0.6 * low and other.left > one.right - low and high < 2.5 * low):
        return False
    middle = (one.middle + other.middle) / 2
    return not any(
        gutter.top <= middle <= gutter.bottom and one.right <= gutter.right + 1 and other.left >= gutter.left - 1
        for gutter in gutters
    )


def _blocks(rows: Sequence[Row]) -> list[Block]:
    """Rows that follow each other closely, one below and one above, in blocks."""
    below = [_neighbours(row, rows, number) for number, row in enumerate(rows)]
    above_count = [0] * len(rows)
    for found in below:
        for number in found:
            above_count[number] += 1
    chained: dict[int, Block] = {}
    blocks: list[Block] = []
    for number, row in enumerate(rows):
        block = chained.get(number)
        if block is None:
            block = Block([])
            blocks.append(block)
        block.rows.append(row)
        if len(below[number]) == 1 and above_count[below[number][0]] == 1 and _continues(block, rows[below[number][0]]):
            chained[below[number][0]] = block
    return blocks


def _continues(block: Block, row: Row) -> bool:
    """Whether `row` is more of the block: letters of its size, and not suddenly wider after a gap."""
    last = block.rows[-1]
    low, high = sorted((last.height, row.height))
    wider = row.right > block.right + 2 * high and row.top - last.bottom > 0.7 * high
    return high < _BIGGER * low and not wider


def _parted(block: Block, gutter: Gutter) -> list[Block]:
    """The block cut where the gutter begins and ends, if its rows stand beside it and also run across, above or below:
    a column and the text over the page's width that follows it closely are two."""
    places = [(row.middle > gutter.top) + (row.middle > gutter.bottom) for row in block.rows]
    across = any(row.left < gutter.left and row.right > gutter.right for row in block.rows)
    if 1 not in places or not across:
        return [block]
    parts = itertools.groupby(zip(places, block.rows, strict=True), key=lambda pair: pair[0])
    return [Block([row for _, row in part]) for _, part in parts]


def _neighbours(row: Row, rows: Sequence[Row], number: int) -> list[int]:
    """Rows directly below `row` that share its columns and its size of letters."""
    found: list[int] = []
    for other_number in range(number + 1, len(rows)):
        other = rows[other_number]
        if other.top - row.bottom > 1.6 * row.height:
            break
        shared = min(row.right, other.right) - max(row.left, other.left)
        under = other.top > row.top + 0.5 * row.height
        if under and shared > 0 and not any(_covers(rows[each], other) for each in found):
            found.append(other_number)
    return found


def _covers(upper: Row, lower: Row) -> bool:
    shared = min(upper.right, lower.right) - max(upper.left, lower.left)
    return shared > 0 and upper.bottom <= lower.top + 0.5 * lower.height


def order_blocks(blocks: Sequence[Block]) -> list[Block]:
    """Breuel's partial order, then the topmost of what may come next."""
    blocks, feet = _feet(blocks)
    count = len(blocks)
    before = [[_precedes(blocks, one, other) for other in range(count)] for one in range(count)]
    left = set(range(count))
    ordered: list[Block] = []
    while left:
        free = [each for each in left if not any(before[other][each] for other in left if other != each)]
        chosen = min(free or left, key=lambda each: (blocks[each].top, blocks[each].left))
        left.remove(chosen)
        ordered.append(blocks[chosen])
    return [*ordered, *feet]


def _feet(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Single lines below all running text (page numbers, running feet) come last, whatever column they touch."""
    floor = max((block.bottom for block in blocks if len(block.rows) > 1), default=math.inf)
    feet = [block for block in blocks if len(block.rows) == 1 and block.top >= floor]
    rest = [block for block in blocks if block not in feet]
    return rest, sorted(feet, key=lambda block: (block.top, block.left))


def _precedes(blocks: Sequence[Block], one: int, other: int) -> bool:
    a, b = blocks[one], blocks[other]
    if one == other:
        return False
    if _share(a, b):
        return a.top < b.top
    if a.left >= b.left or _stacked(blocks, b, a):
        return False
    return not any(
        _share(each, a) and _share(each, b) and b.bottom < (each.top + each.bottom) / 2 < a.top for each in blocks
    )


def _stacked(blocks: Sequence[Block], upper: Block, lower: Block) -> bool:
    """Whether one simply follows the other downwards: nothing stands beside either in the other's columns, as it would
    in columns. (A title in the middle, and a heading at the left below it.)"""
    if upper.bottom > lower.top + 0.3 * (lower.rows[0].height + upper.rows[-1].height):
        return False
    pairs = (lower, upper), (upper, lower)
    return not any(_level(each, one) and _share(each, other) for each in blocks for one, other in pairs)


def _level(a: Block, b: Block) -> bool:
    """Whether they stand side by side."""
    return a is not b and min(a.bottom, b.bottom) - max(a.top, b.top) > 0.3 * a.rows[0].height


def _share(a: Block, b: Block) -> bool:
    """Whether they stand in the same columns."""
    return min(a.right, b.right) - max(a.left, b.left) > 0.1 * min(a.right - a.left, b.right - b.left)


def _begins(block: Block, number: int) -> bool:
    """Whether a paragraph begins with this row of the block."""
    row, last = block.rows[number], block.rows[number - 1]
    size = max(row.height, last.height)
    if row.has_cells or last.has_cells:
        return True
    if row.top - last.bottom > 0.9 * size or size > 1.6 * min(row.height, last.height):
        return True
    indented = row.left - block.left > 1.2 * size and last.left - block.left < 0.8 * size
    short = block.right - last.right > max(3 * size, 0.12 * (block.right - block.left))
    return indented or short
