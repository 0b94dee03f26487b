"""The pictures on the picture of a page: photographs, charts and maps, told by their pixels.

What differs from the paper, without letters, is joined where it lies close; a patch of it is a picture where it is
filled, or drawn with more than level rules, and no table and no ground of text. Words in a picture stay in it and in
what it tells, as a chart's do; where most of what is written stands in pictures (a cover, a poster, a map), they are
painted out of them and stand over them as text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.drawn import area, holds, shared
from cluster.engines.layout.grid import Grid
from cluster.engines.layout.grids import grids
from cluster.engines.layout.model import Box, Picture, Sheet, TextLine
from cluster.engines.layout.rows import around
from cluster.engines.reading import paper
from cluster.engines.reading.drawings import labelled

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

#: Points a pixel in which pictures are looked for.
_POINT = 0.75
#: Square points of a page that would take too much memory thereby: it is larger than A0.
_HUGE = 10_000_000
#: Ink differs by so much (of 255) from the paper in one of its colours, which squares of so many pixels tell.
_INK, _SQUARE = 40, 12
#: Times that the paper is told anew without what was no paper, and how much darker than it that is (of 255).
_TURNS, _OFF = 4, 24
#: Greys that are counted as one, and as many squares at least tell a surface.
_LEVELS, _ENOUGH = 8, 24
#: Gaps within a picture (points) that are part of it, and what of a line's height its letters may reach out of its box.
_GAP, _OUT = 6, 0.15
#: A picture covers so much of the page, in so many points each way; what fills more of the page is all of it.
_LEAST, _SIDE, _ALL = 0.01, 40, 0.9
#: Points around words by which it is told what they stand on, and the share of paper's pixels there that are none.
_EDGE, _AROUND, _BARE = 2.0, 6.0, 0.3
#: Share of a box that a photograph fills, and that of a drawing's strokes which are no rules.
_FILLED, _DRAWN = 0.4, 0.012
#: Of a box of which text covers more than this it is the ground; of a drawing's less, and its longest line is so long.
_GROUND, _FULL, _LONG = 0.3, 0.2, 60
#: Of a photograph in a table or a frame words cover this share at most.
_FEW = 0.05
#: A patch with words is a fill where its pixels are so nearly all of so many colours, as near (of 255) to each.
_FLAT, _COLOURS, _ONE = 0.93, 2, 14
#: … or where so nearly all of them differ by less than this (of 255) from those beside them, as where it fades.
_FADING = 4
#: Cells of a table that hold words: so many at least, and that share of them; a larger one where words cover little of
#: it, as of a chart's grid.
_CELLS, _HELD, _SPARSE, _FULL_CELLS = 4, 0.4, 0.1, 0.7
#: Share of what is filled that is the photograph, where rules touch it.
_CORE = 0.8
#: Points from each other at most where axes meet.
_MEET = 5.0
#: A drawing's axes reach over so much more than it does.
_OVER = 1.1
#: Share of a photograph that may lie in the next cell.
_SLIVER = 0.05
#: What pictures cover more of than this may be the picture of a page.
_PAGE = 0.6
#: Share of what is written from which on words in pictures are text.
_MOST = 0.5


def with_figures(sheet: Sheet, image: "Image", stem: Path) -> Sheet:
    """The sheet, which is as straight as its picture, with the pictures in it; they are written beside `stem`."""
    import numpy

    scale = image.width / sheet.width
    boxes, own = _found(sheet, image)
    if not boxes:
        return sheet
    stem.parent.mkdir(parents=True, exist_ok=True)
    pixels = numpy.array(image.convert("RGB"))
    if _is_most(own, sheet):
        return _painted(sheet, pixels, boxes, own, stem)
    over = [line.box for line in sheet.lines if line not in own and any(area(shared(box, line.box)) for box in boxes)]
    pixels, _ = paper.cleared(pixels, over, scale)
    pictures = [
        Picture(box, _saved(pixels, box, scale, stem, at), " ".join(line.text for line in own if holds(box, line.box)))
        for at, box in enumerate(boxes)
    ]
    rules = tuple(rule for rule in sheet.rules if not any(holds(box, rule) for box in boxes))
    lines = tuple(line for line in sheet.lines if line not in own)
    return replace(sheet, lines=lines, pictures=tuple(pictures), rules=rules)


def figures_on(sheet: Sheet, image: "Image") -> tuple[Box, ...]:
    """The boxes of the pictures on the sheet, which is as straight as its picture; none where all of it is in them."""
    boxes, own = _found(sheet, image)
    whole = sum(map(area, boxes)) > _PAGE * sheet.width * sheet.height
    return () if whole and _is_most(own, sheet) else tuple(boxes)


def _found(sheet: Sheet, image: "Image") -> tuple[list[Box], list[TextLine]]:
    """Where pictures lie, and the lines in them; on a page larger than A0 none are looked for."""
    if sheet.width * sheet.height > _HUGE:
        return [], []
    small = _small(image, sheet.width)
    ink = _unlettered(_ink(small), sheet.lines)
    boxes = _boxes(small, ink, sheet)
    return boxes, [line for line in sheet.lines if any(_owns(box, line.box, ink) for box in boxes)]


def _is_most(own: Sequence[TextLine], sheet: Sheet) -> bool:
    return _written(own) > _MOST * _written(sheet.lines)


def _painted(sheet: Sheet, pixels: "NDArray[Any]", boxes: Sequence[Box], own: Sequence[TextLine], stem: Path) -> Sheet:
    """The sheet with its words in their colours over pictures without them."""
    scale = pixels.shape[1] / sheet.width
    clear, colours = paper.cleared(pixels, [line.box for line in sheet.lines], scale)
    lines = tuple(
        _coloured(line, colour) if line in own else line for line, colour in zip(sheet.lines, colours, strict=True)
    )
    pictures = tuple(Picture(box, _saved(clear, box, scale, stem, at), cleared=True) for at, box in enumerate(boxes))
    rules = tuple(rule for rule in sheet.rules if not any(holds(box, rule) for box in boxes))
    return replace(sheet, lines=lines, pictures=pictures, rules=rules)


def _coloured(line: TextLine, colour: int) -> TextLine:
    return replace(line, spans=tuple(replace(span, style=replace(span.style, colour=colour)) for span in line.spans))


def _saved(pixels: "NDArray[Any]", box: Box, scale: float, stem: Path, at: int) -> Path:
    from PIL import Image

    path = stem.with_name(f"{stem.name}-seen-{at}.jpg")  # the page's own pictures have bare numbers
    left, top, right, bottom = (max(0, round(side * scale)) for side in box)
    Image.fromarray(pixels[top:bottom, left:right]).save(path, quality=88)
    return path


def _written(lines: Iterable[TextLine]) -> float:
    """How much is written: the room of its letters."""
    return sum(area(line.box) for line in lines)


def _owns(box: Box, words: Box, ink: "NDArray[Any]") -> bool:
    """Whether the words are the picture's: what stands in a photograph's corner on bare paper is none of its."""
    if not holds(box, words):
        return False
    left, top, right, bottom = words
    ring, inner = (
        ink[y0:y1, x0:x1]
        for x0, y0, x1, y1 in (
            _pixels((left - each, top - each, right + each, bottom + each)) for each in (_AROUND, _EDGE)
        )
    )
    x0, y0, x1, y1 = _pixels(box)
    bare = ring.sum() - inner.sum() < _BARE * (ring.size - inner.size)
    return not (bare and ink[y0:y1, x0:x1].mean() > _FILLED)


def _boxes(small: "NDArray[Any]", free: "NDArray[Any]", sheet: Sheet) -> list[Box]:
    """Where pictures lie, those within others left out; `free` is the ink without letters."""
    strokes = _unruled(free, sheet.rules)
    tables = list(_tables(sheet))
    bare = [each for each in _patches(strokes) if _is_filled(*each, small, sheet)]
    found, others = list[Box](), list[Box]()
    for box, filled in sorted(_patches(free), key=lambda each: -area(each[0])):
        if any(_in_table(box, table.box, sheet) for table in tables):
            others.append(box)
        elif _is_filled(box, filled, small, sheet):
            # A frame or a form's cell that touches it is none of it.
            core = next((own for own, most in bare if _within(own, box) and most > _CORE * filled), box)
            found.append(_with_axes(core, sheet))
        elif filled > _FILLED * area(box):
            others.append(box)
        elif any(_within(box, other) for other in others) or not _is_drawn(box, strokes, sheet):
            others += [box] if _text_in(box, sheet) > _FULL * area(box) else []
        else:
            found.append(_with_labels(box, sheet))
    found += [box for box, _ in bare if _text_in(box, sheet) <= _FEW * area(box) and not _is_over_cells(box, tables)]
    inside = (0.0, 0.0, sheet.width, sheet.height)
    return [shared(box, inside) for box in _apart(found)]


def _apart(boxes: Sequence[Box]) -> list[Box]:
    """The boxes, those together that share a part: labels of one chart reach over another."""
    found: list[Box] = []
    for box in boxes:
        while met := [other for other in found if area(shared(box, other))]:
            box = around((box, *met))
            found = [other for other in found if other not in met]
        found.append(box)
    return found


def _tables(sheet: Sheet) -> Iterator[Grid]:
    """Grids of rules that part words into cells."""
    for grid in grids(sheet.rules, sheet.lines):
        held = Counter(grid.slot_at(line.box) for line in sheet.lines if holds(grid.box, line.box))
        share = _HELD if _text_in(grid.box, sheet) > _SPARSE * area(grid.box) else _FULL_CELLS
        if len(held) >= max(_CELLS, share * len(grid.slots)) and max(held.values()) <= held.total() / 2:
            yield grid


def _is_over_cells(box: Box, tables: Iterable[Grid]) -> bool:
    """Whether it lies in a table, and there in several cells: shades of those do."""
    within = (grid for grid in tables if _within(box, grid.box))
    return any(sum(area(shared(box, slot.box)) > _SLIVER * area(box) for slot in grid.slots) > 1 for grid in within)


def _in_table(box: Box, table: Box, sheet: Sheet) -> bool:
    """Whether it lies in the table, or most of its words do."""
    own = [line for line in sheet.lines if holds(box, line.box)]
    held = sum(holds(table, line.box) for line in own)
    return area(shared(box, table)) > area(box) / 2 or (held > len(own) / 2)


def _text_in(box: Box, sheet: Sheet) -> float:
    """How much of the box lines of text cover."""
    return sum(area(shared(box, line.box)) for line in sheet.lines)


def _with_labels(box: Box, sheet: Sheet) -> Box:
    """A drawing with its axes and what is written at its sides, unless that is much."""
    box = _with_axes(box, sheet)
    grown = labelled(box, sheet.lines)
    return grown if _is_sparse(grown, sheet) else box


def _with_axes(box: Box, sheet: Sheet) -> Box:
    """A curve or a bar with the axes that it is drawn over, unless much is written between those; edges are none."""
    grown = around((box, *_axes(box, sheet.rules)))
    return grown if area(grown) > _OVER * area(box) and _is_sparse(grown, sheet) else box


def _axes(box: Box, rules: Sequence[Box]) -> Iterator[Box]:
    """An upright rule beside the drawing and a flat one below it that meet, and reach as far."""
    for upright in rules:
        beside = upright[3] - upright[1] > upright[2] - upright[0] and upright[0] < box[0] + _MEET
        if beside and upright[1] < box[1] + _MEET and box[3] - _MEET < upright[3]:
            for flat in rules:
                below = abs(flat[1] - upright[3]) < _MEET and abs(flat[0] - upright[0]) < _MEET
                if below and flat[2] > box[2] - _MEET:
                    yield from (upright, flat)


def _within(box: Box, other: Box) -> bool:
    return box[0] >= other[0] - 2 and box[1] >= other[1] - 2 and box[2] <= other[2] + 2 and box[3] <= other[3] + 2


def _small(image: "Image", width: float) -> "NDArray[Any]":
    import cv2
    import numpy

    pixels = numpy.asarray(image.convert("RGB"))
    factor = width / _POINT / image.width
    size = max(1, round(image.width * factor)), max(1, round(image.height * factor))
    made: NDArray[Any] = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    return made


def _ink(pixels: "NDArray[Any]") -> "NDArray[Any]":
    """What differs from the paper, which may be darker towards one side: a shadow is no ink."""
    import numpy

    apart = numpy.abs(pixels.astype(numpy.float32) - _paper(pixels)).max(axis=2)
    found: NDArray[Any] = (apart > _INK).astype(numpy.uint8)
    return found


def _paper(pixels: "NDArray[Any]") -> "NDArray[Any]":
    """The colour of the paper everywhere: a surface of the second degree through what most squares show."""
    import cv2
    import numpy

    high, wide = max(2, pixels.shape[0] // _SQUARE), max(2, pixels.shape[1] // _SQUARE)
    squares = cv2.resize(pixels, (wide, high), interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(numpy.float32)
    terms = _terms(high, wide)
    greys = squares.mean(axis=1)
    usual = numpy.bincount((greys / _LEVELS).astype(int)).argmax() * _LEVELS + _LEVELS / 2
    near = numpy.abs(greys - usual) < 2 * _OFF
    found = numpy.zeros((terms.shape[1], 3))
    found[0] = usual
    for _ in range(_TURNS):
        if near.sum() < _ENOUGH:
            break
        found = numpy.linalg.lstsq(terms[near], squares[near], rcond=None)[0]
        near = numpy.abs(squares - terms @ found).max(axis=1) < _OFF
    made: NDArray[Any] = (_terms(*pixels.shape[:2]) @ found).reshape(pixels.shape).clip(0, 255)
    return made


def _terms(high: int, wide: int) -> "NDArray[Any]":
    """What a surface of the second degree is made of, for each point of a picture."""
    import numpy

    y, x = (each.ravel() for each in numpy.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(numpy.float32))
    made: NDArray[Any] = numpy.stack([numpy.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    return made


def _unlettered(ink: "NDArray[Any]", lines: Sequence[TextLine]) -> "NDArray[Any]":
    """The ink without the letters."""
    left = ink.copy()
    for line in lines:
        more = _OUT * (line.box[3] - line.box[1])
        x0, y0, x1, y1 = _pixels((line.box[0] - more, line.box[1] - more, line.box[2] + more, line.box[3] + more))
        left[y0:y1, x0:x1] = 0
    return left


def _unruled(ink: "NDArray[Any]", rules: Sequence[Box]) -> "NDArray[Any]":
    left = ink.copy()
    for rule in rules:
        x0, y0, x1, y1 = _pixels((rule[0] - 2, rule[1] - 2, rule[2] + 2, rule[3] + 2))
        left[y0:y1, x0:x1] = 0
    return left


def _pixels(box: Box) -> tuple[int, int, int, int]:
    left, top, right, bottom = (max(0, round(side / _POINT)) for side in box)
    return left, top, right, bottom


def _patches(ink: "NDArray[Any]") -> Iterator[tuple[Box, float]]:
    """Where ink lies close together, large enough for a picture, and how much (points) is filled there."""
    import cv2

    near = cv2.getStructuringElement(cv2.MORPH_RECT, (round(_GAP / _POINT),) * 2)
    closed = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, near)
    solid = cv2.morphologyEx(closed, cv2.MORPH_OPEN, near)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    for at, (x, y, w, h, _) in enumerate(stats[1:count].tolist(), 1):
        if w * h < _LEAST * ink.size or min(w, h) * _POINT < _SIDE:
            continue
        filled = float(((labels == at) & (solid > 0))[y : y + h, x : x + w].sum()) * _POINT**2
        yield (x * _POINT, y * _POINT, (x + w) * _POINT, (y + h) * _POINT), filled


def _is_filled(box: Box, filled: float, pixels: "NDArray[Any]", sheet: Sheet) -> bool:
    """Whether it is a photograph: filled, neither with text nor behind it."""
    return filled > _FILLED * area(box) and not _is_ground(box, pixels, sheet)


def _is_ground(box: Box, pixels: "NDArray[Any]", sheet: Sheet) -> bool:
    """Whether it is what text stands on."""
    own = [line for line in sheet.lines if holds(box, line.box)]
    return _text_in(box, sheet) > _GROUND * area(box) or (bool(own) and _is_flat(box, pixels, own))


def _is_flat(box: Box, pixels: "NDArray[Any]", lines: Sequence[TextLine]) -> bool:
    """Whether all but its words is of one colour or two, as bands behind headings are, or fades."""
    import cv2
    import numpy

    x0, y0, x1, y1 = _pixels(box)
    seen = numpy.ones(pixels.shape[:2], numpy.uint8)
    free, shown = _unlettered(seen, lines)[y0:y1, x0:x1] > 0, pixels[y0:y1, x0:x1]
    edges = cv2.morphologyEx(shown, cv2.MORPH_GRADIENT, numpy.ones((2, 2), numpy.uint8)).max(axis=2)
    part = shown[free].astype(int)
    if (edges[free] < _FADING).mean() > _FLAT:
        return True
    count = len(part)
    for _ in range(_COLOURS):
        if not len(part):
            return True
        codes = part // _ONE @ (1 << 16, 1 << 8, 1)
        values, times = numpy.unique(codes, return_counts=True)
        usual = numpy.median(part[codes == values[times.argmax()]], axis=0)
        part = part[numpy.abs(part - usual).max(axis=1) >= _ONE]
    return len(part) < (1 - _FLAT) * count


def _is_drawn(box: Box, strokes: "NDArray[Any]", sheet: Sheet) -> bool:
    """Whether it is a chart, a plan or a map: drawn with strokes that are no rules, and with few words."""
    empty = not any(holds(box, line.box) for line in sheet.lines)
    if not _is_sparse(box, sheet) or (empty and area(box) > _ALL * sheet.width * sheet.height):
        return False
    x0, y0, x1, y1 = _pixels(box)
    return bool(strokes[y0:y1, x0:x1].mean() > _DRAWN)


def _is_sparse(box: Box, sheet: Sheet) -> bool:
    """Whether it has as few words as drawings have, and no sentences."""
    own = [line for line in sheet.lines if holds(box, line.box)]
    return _text_in(box, sheet) <= _FULL * area(box) and max((len(line.text) for line in own), default=0) <= _LONG
