"""Tables where people said that they are: what stands in such an area is one table, whatever a finder would say."""

from collections.abc import Iterator, Sequence

from cluster.engines.layout.aligned import edges_of, grid_of
from cluster.engines.layout.document import table_of
from cluster.engines.layout.grid import Grid
from cluster.engines.layout.grids import grids
from cluster.engines.layout.model import Box, Sheet, Table, TextLine
from cluster.engines.layout.rows import around

#: A hand that draws along a table's frame misses it by so much (points).
_MISSED = 6.0
#: Share of the lines that may stand in cells of several rows: more, and the rules part only some of the rows.
_TALL = 0.4


def laid(sheet: Sheet, area: Box) -> Box:
    """The area of the page as it is shown, on the sheet: around it where the page lies askew."""
    left, top, right, bottom = area
    if sheet.seen is None:
        return area
    corners = [sheet.seen.laid(x, y) for x in (left, right) for y in (top, bottom)]
    return around((x, y, x, y) for x, y in corners)


def lines_in(sheet: Sheet, area: Box) -> list[TextLine]:
    """The lines whose middle stands in the area of the page as it is shown."""
    return [line for line in sheet.lines if _within(_middle(sheet, line.box), area)]


def _middle(sheet: Sheet, box: Box) -> tuple[float, float]:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return sheet.seen.shown(x, y) if sheet.seen else (x, y)


def _within(point: tuple[float, float], area: Box) -> bool:
    return area[0] <= point[0] <= area[2] and area[1] <= point[1] <= area[3]


def table_in(sheet: Sheet, area: Box) -> Table | None:
    """The area's table, ruled or not; None where nothing is written."""
    lines = lines_in(sheet, area)
    if not lines:
        return None
    there = laid(sheet, area)
    rules = [*_clipped(sheet.rules, there)]
    grid = _ruled(rules, lines)
    fills = _clipped([box for box, _ in sheet.fills], there)
    return table_of(grid or grid_of(lines, [*rules, *edges_of([*fills])]), lines, sheet, ruled=grid is not None)


def _clipped(rules: Sequence[Box], area: Box) -> Iterator[Box]:
    """What lies in the area or is missed by it; what goes on from there is cut at the area's side."""
    left, top, right, bottom = area
    near = left - _MISSED, top - _MISSED, right + _MISSED, bottom + _MISSED
    for rule in rules:
        x0, y0 = (own if own >= most else side for own, most, side in zip(rule[:2], near[:2], area[:2], strict=True))
        x1, y1 = (own if own <= most else side for own, most, side in zip(rule[2:], near[2:], area[2:], strict=True))
        if x0 <= x1 and y0 <= y1:
            yield x0, y0, x1, y1


def _ruled(rules: Sequence[Box], lines: Sequence[TextLine]) -> Grid | None:
    """The grid that the rules make within their frame, where they part rows and columns of all the lines."""
    if not rules:
        return None
    left, top, right, bottom = around([*rules, *(line.box for line in lines)])
    flat = [(left, y, right, y) for y in (top, bottom)]
    upright = [(x, top, x, bottom) for x in (left, right)]
    found = grids([*rules, *flat, *upright], lines)
    if len(found) != 1 or min(len(found[0].columns), len(found[0].rows)) < 3:
        return None
    tall = sum(found[0].slots[found[0].slot_at(line.box)].rows > 1 for line in lines)
    return found[0] if tall <= _TALL * len(lines) else None
