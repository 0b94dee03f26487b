"""What a table's maker left undrawn: its outer sides, and edges of rows that its upright rules tell."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.nested import Rule
from cluster.engines.layout.rows import rows_of

#: Rules this near (points) are one.
NEAR = 2.6
#: An upright rule that is longer (points) and ends alone parts cells whose upper or lower edge is not drawn.
STUB, ALONE = 8.0, 4.0
#: More upright rules are not looked through for such ends.
MOST_UPRIGHT = 600
#: A row is at most so many letters high whose columns only flat rules tell.
_HIGH = 5
_MOST_FLAT = 3000
#: Upright rules that end so near (points) to where the next one begins are one that was drawn row by row.
_MEETS = 1.5
#: So many columns of them tell a row's edge.
_COLUMNS = 3
#: A column at an open side is wider (points); this share of the flat rules reach over it, and of the rows have text.
_WIDE, _MOST = 12.0, 0.6
#: Of a table with so many flat rules, whose first and last reach over the column, fewer do.
_FRAMED, _ROWS = 0.4, 3
#: Text with a gap of so many letters' heights is of several columns, where more than this share of the rows has one.
_GAP, _FEW = 2.0, 0.2


def sides(across: Sequence[Rule], down: Sequence[Rule], lines: Sequence[TextLine]) -> Iterator[Rule]:
    """The sides of a table that is open at the left, or at the right: most flat rules go on there, over text.

    With a single upright rule both sides have to be open: one alone is a chart's axis.
    """
    if not across or not down:
        return
    inner = merged(rule.at for rule in down)
    made = [_side(across, inner[0], -1, lines), _side(across, inner[-1], 1, lines)]
    found = [each for each in made if each]
    if (len(inner) > 1 or len(found) > 1) and not is_parted(
        sorted([*inner, *(each.at for each in found)]), found, lines
    ):
        yield from found


def _side(across: Sequence[Rule], inner: float, way: int, lines: Sequence[TextLine]) -> Rule | None:
    """The open side left (`way` -1) or right (1) of the outermost upright rule."""
    ends = [rule.end if way > 0 else rule.start for rule in across]
    far = max(ends) if way > 0 else min(ends)
    own = merged(rule.at for rule, end in zip(across, ends, strict=True) if abs(end - far) < NEAR)
    rows = merged(rule.at for rule in across)
    # Where the first and the last rule go on, a cell may be of many rows, and most of them empty.
    least = _FRAMED if own[0] - rows[0] < NEAR > rows[-1] - own[-1] and len(rows) >= _ROWS else _MOST
    if abs(far - inner) < _WIDE or len(own) < max(2, least * len(rows)):
        return None
    left, right = sorted((inner, far))
    held = [
        line
        for line in lines
        if left - NEAR < line.box[0] and line.box[2] < right + NEAR and own[0] < line.base < own[-1]
    ]
    filled = {bisect_right(own, (line.box[1] + line.box[3]) / 2) for line in held}
    enough = 1 if least < _MOST else _MOST * (len(own) - 1)
    return Rule(far, own[0], own[-1]) if len(filled) >= enough else None


def is_parted(edges: Sequence[float], found: Sequence[Rule], lines: Sequence[TextLine]) -> bool:
    """Whether text with wide gaps stands between two of the edges in many rows: most columns have no rules."""
    top, bottom = min((rule.start for rule in found), default=0), max((rule.end for rule in found), default=0)
    inside = (line for line in lines if top < line.base < bottom and edges[0] < line.box[0] < edges[-1])
    rows = rows_of(inside)
    return sum(any(_is_wide(*pair, edges) for pair in pairwise(row)) for row in rows) > _FEW * len(rows)


def _is_wide(one: TextLine, other: TextLine, edges: Sequence[float]) -> bool:
    places = [bisect_right(edges, (line.box[0] + line.box[2]) / 2) for line in (one, other)]
    return places[0] == places[1] and other.box[0] - one.box[2] > _GAP * one.size


def caps(across: Sequence[Rule], down: Sequence[Rule], lines: Sequence[TextLine]) -> Iterator[Rule]:
    """The upper and lower edge of a table without one: most upright rules go on there, with a line of several texts."""
    columns, rows = merged(rule.at for rule in down), merged(rule.at for rule in across)
    if len(columns) < _COLUMNS or not rows:
        return
    for y, inner in ((min(rule.start for rule in down), rows[0]), (max(rule.end for rule in down), rows[-1])):
        top, bottom = sorted((y, inner))
        on = merged(rule.at for rule in down if rule.start < bottom - ALONE and rule.end > top + ALONE)
        held = [line for line in lines if top < (line.box[1] + line.box[3]) / 2 < bottom]
        own = [line for line in held if columns[0] < (line.box[0] + line.box[2]) / 2 < columns[-1]]
        apart = {bisect_right(columns, (line.box[0] + line.box[2]) / 2) for line in own}
        if len(on) >= _MOST * len(columns) and len(apart) > 1 and len(rows_of(own)) == 1:
            yield Rule(y, columns[0], columns[-1])


def meeting(down: Sequence[Rule]) -> Iterator[tuple[int, int]]:
    """The numbers of upright rules of which one begins where the other ends."""
    ordered = sorted(range(len(down)), key=lambda at: down[at].start)
    starts = [down[at].start for at in ordered]
    for number, rule in enumerate(down):
        first, last = bisect_left(starts, rule.end - _MEETS), bisect_right(starts, rule.end + _MEETS)
        yield from ((number, at) for at in ordered[first:last] if at != number and abs(down[at].at - rule.at) < _MEETS)


def columns_of(across: Sequence[Rule], down: Sequence[Rule], lines: Sequence[TextLine]) -> Iterator[Rule]:
    """Edges of columns that flat rules tell which were drawn cell by cell, in rows of several texts without others."""
    joints: dict[int, list[float]] = defaultdict(list)
    rows = merged(rule.at for rule in across)
    for one, _ in meeting(across) if len(across) < _MOST_FLAT else ():
        at = min(range(len(rows)), key=lambda row: abs(rows[row] - across[one].at))
        joints[at].append(across[one].end)
    sides = merged(rule.at for rule in down)
    for row, (top, bottom) in enumerate(pairwise(rows)):
        middle = (top + bottom) / 2
        drawn = any(
            rule.start < middle < rule.end and sides[0] < rule.at - NEAR < sides[-1] - 2 * NEAR for rule in down
        )
        found = [x for x in merged(joints[row]) if any(abs(x - other) < NEAR for other in joints[row + 1])]
        held = [line for line in lines if top < line.base < bottom]
        if not held or bottom - top > _HIGH * max(line.size for line in held):
            continue
        own = [line.box for line in held]
        crossed = any(box[0] < x - _MEETS and box[2] > x + _MEETS for x in found for box in own)
        if not drawn and not crossed and len({bisect_right(found, (box[0] + box[2]) / 2) for box in own}) > 1:
            yield from (Rule(x, top, bottom) for x in found)


def between(across: Sequence[Rule], down: Sequence[Rule], lines: Sequence[TextLine]) -> Iterator[Rule]:
    """Edges of rows that upright rules tell which were drawn row by row, where no flat one is and no text stands."""
    if len(down) > MOST_UPRIGHT:
        return
    drawn = merged(rule.at for rule in across)
    joints: dict[float, list[float]] = defaultdict(list)
    found = [((down[one].end + down[other].start) / 2, down[one].at) for one, other in meeting(down)]
    heights = merged(y for y, _ in found)
    for y, at in found:
        joints[min(heights, key=lambda each: abs(each - y))].append(at)
    for y, places in joints.items():
        columns = merged(places)
        if len(columns) < _COLUMNS or any(abs(edge - y) <= ALONE for edge in drawn):
            continue
        for left, right in pairwise(columns):
            if not any(_crosses(line.box, y, left, right) for line in lines):
                yield Rule(y, left, right)


def ends(flat: Sequence[Rule], upright: Sequence[Rule], lines: Sequence[TextLine]) -> Iterator[Rule]:
    """Edges of rows that are not drawn: where upright rules end between others that go on, and no text stands."""
    edges = merged(rule.at for rule in flat)
    long = [rule for rule in upright if rule.end - rule.start > STUB]
    found = [(rule, y) for rule in long for y in (rule.start, rule.end)]
    for rule, y in found if len(upright) < MOST_UPRIGHT else ():
        if any(abs(edge - y) <= ALONE for edge in edges) or any(_goes_on(rule, each, y) for each in upright):
            continue
        on = [each.at for each in upright if each.start < y - ALONE and each.end > y + ALONE]
        left = max((at for at in on if at < rule.at - NEAR), default=None)
        right = min((at for at in on if at > rule.at + NEAR), default=None)
        if left is not None and right is not None and not any(_crosses(line.box, y, left, right) for line in lines):
            yield Rule(y, left, right)


def _goes_on(rule: Rule, other: Rule, y: float) -> bool:
    """Whether a rule that ends at `y` is drawn on by the other."""
    return other is not rule and abs(other.at - rule.at) <= NEAR and other.start - ALONE < y < other.end + ALONE


def _crosses(box: Box, y: float, left: float, right: float) -> bool:
    """Whether the text's middle half lies at `y`, between `left` and `right`."""
    quarter = (box[3] - box[1]) / 4
    return box[1] + quarter < y < box[3] - quarter and box[0] < right and box[2] > left


def merged(values: Iterable[float]) -> list[float]:
    """Values in groups of near ones, each by its mean."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= NEAR:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]
