"""A page as its picture tells: words by the OCR engine, rules and pictures by their pixels."""

import bisect
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.grids import grids
from cluster.engines.layout.gutters import Piece
from cluster.engines.layout.letters import dense
from cluster.engines.layout.line import Page
from cluster.engines.layout.model import Box, Seen, Sheet, Span, Style, TextLine
from cluster.engines.layout.order import straighten, tidy
from cluster.engines.layout.turning import runs_down, turned
from cluster.engines.ocr import client as ocr
from cluster.engines.ocr.reader import Language
from cluster.engines.reading.dashes import dashes
from cluster.engines.reading.figures import figures_on, with_figures
from cluster.engines.reading.leaning import lean
from cluster.engines.reading.seen_rules import between_rules, drawn_rules
from cluster.engines.reading.snug import snug
from cluster.engines.reading.strokes import bold

if TYPE_CHECKING:
    import pymupdf
    from numpy.typing import NDArray
    from PIL.Image import Image

#: Pixels an inch at which a page is read.
DPI = 200
#: Share of a line's box above its base line; and its letters' size, in heights of the box.
_BASELINE, _SIZE = 0.8, 0.78
#: As many letters that are as wide as high tell the size by the line's width; the marks that end one take half of it.
_TELLING, _HALF = 4, "。，、；："
#: Marks below it, as quotes and dashes, are written in every script.
_HAN = "\u2e80"
#: A line this many times as high as it is wide runs down.
_UPRIGHT = 1.5
#: The next line of a text begins nearer (heights) below the last one than this.
_CLOSE = 0.6
#: Sizes that differ by less than this from the usual one are it.
_ALIKE = 0.2
#: … and those of lines of fewer letters, whose boxes are too high, by less than this.
_FEW, _FEW_ALIKE = 12, 0.45
#: Radians from which on a page is turned to find its rules: they leave a row of pixels within some points.
_ASKEW = 0.002
#: Colours that differ by less than this (of 765) are one.
_SEEN = 60


def drawn(page: "pymupdf.Page") -> "Image":
    """The page as it is seen, in as many pixels as the OCR engine takes."""
    from PIL import Image

    pixels = page.rect.width * page.rect.height * (DPI / 72) ** 2
    scale = DPI / 72 * min(1.0, (ocr.READ_PIXELS / max(1.0, pixels)) ** 0.5)
    made = page.get_pixmap(matrix=_matrix(scale), alpha=False)
    return Image.frombytes("RGB", (made.width, made.height), made.samples)


def _matrix(scale: float) -> Any:
    from cluster.engines.pdf.libraries import import_pymupdf

    return import_pymupdf().Matrix(scale, scale)


def sheet_of(
    image: "Image", number: int, width: float, language: Language, folder: Path, *, pictures: bool = True
) -> Sheet:
    """The picture of a page that is `width` points wide, read, turned upright and straightened."""
    return laid(ocr.read(image, language), image, number, width / image.width, folder, pictures=pictures)


def laid(found: Page, image: "Image", number: int, scale: float, folder: Path, *, pictures: bool = True) -> Sheet:
    """What was read of the picture as a sheet, turned upright and straightened; a pixel is `scale` points."""
    down_page = runs_down(found.lines)
    if down_page:
        # Word's lines run across: the page is laid on its side, and they follow each other as they are read.
        found = replace(turned(found, 270), turned=(found.turned + 270) % 360)
    if found.turned:
        image = image.rotate(-found.turned, expand=True)
    angle = lean(image, found.lines)
    unread = [replace(each, text="?") for each in found.unread]  # they stand somewhere, too
    pieces = straighten((*found.lines, *unread), angle)
    straight, right, down = _straight(image, angle)
    moved = list(_moved(pieces, right, down))
    there, missed = moved[: len(moved) - len(unread)], moved[len(moved) - len(unread) :]
    grey = _grey(straight)
    rules = tuple(_scaled(box, scale) for box in drawn_rules(grey, there, scale))
    heavy = bold(there, list(_sizes(there)), grey)
    lines = tuple(between_rules(_lines(list(snug(there, grey)), heavy, scale), rules))
    lines += tuple(dashes(grey, scale, lines, rules))
    rules = tuple(_parting(rules, lines)) if down_page else rules
    boxes = tuple(_scaled((each.left, each.top, each.right, each.bottom), scale) for each in missed)
    sheet = Sheet(number, straight.width * scale, straight.height * scale, lines, (), rules, unread=boxes)
    if pictures:
        sheet = with_figures(sheet, straight, folder / f"{number}")
    else:
        sheet = replace(sheet, drawn=figures_on(sheet, straight))
    seen = Seen(image.width * scale, image.height * scale, found.turned, angle, engines=found.engines)
    sheet = replace(sheet, width=image.width * scale, height=image.height * scale, seen=seen)
    return sheet.moved(-right * scale, -down * scale)


def _parting(rules: Sequence[Box], lines: Sequence[TextLine]) -> Iterator[Box]:
    """The rules without those that merely stand between lines and around them, as old books have them."""
    frames = [grid.box for grid in grids(rules, lines) if len(grid.columns) == 2]
    for rule in rules:
        x, y = (rule[0] + rule[2]) / 2, (rule[1] + rule[3]) / 2
        if not any(box[0] - 3 < x < box[2] + 3 and box[1] - 3 < y < box[3] + 3 for box in frames):
            yield rule


def _straight(image: "Image", angle: float) -> "tuple[Image, float, float]":
    """The picture turned back by its skew, and how far its pixels then lie from `straighten`'s places."""
    import cv2
    import numpy
    from PIL import Image

    if abs(angle) < _ASKEW:
        return image, 0, 0
    sine, cosine, (width, height) = math.sin(-angle), math.cos(-angle), image.size
    right, down = max(0.0, height * sine), max(0.0, -width * sine)
    size = math.ceil(width * cosine + abs(height * sine)), math.ceil(height * cosine + abs(width * sine))
    turn = numpy.array([[cosine, -sine, right], [sine, cosine, down]])
    white = (255, 255, 255)
    return Image.fromarray(cv2.warpAffine(numpy.asarray(image), turn, size, borderValue=white)), right, down


def _moved(pieces: Iterable[Piece], right: float, down: float) -> Iterator[Piece]:
    for each in pieces:
        left, top = each.left + right, each.top + down
        yield replace(each, left=left, top=top, right=each.right + right, bottom=each.bottom + down)


def shades(image: "Image", boxes: Sequence[Box], scale: float) -> tuple[tuple[Box, int], ...]:
    """The boxes with the colour of most of each, as the picture of `scale` pixels a point shows it."""
    found = []
    for left, top, right, bottom in boxes:
        inner = _scaled((left + 1, top + 1, max(left + 2, right - 1), max(top + 2, bottom - 1)), scale)
        x0, y0, x1, y1 = map(round, inner)
        found.append(((left, top, right, bottom), _commonest(image.crop((x0, y0, x1, y1)))))
    return tuple(found)


def rule_colour(image: "Image", boxes: Sequence[Box], scale: float) -> int:
    """The colour of most boxes' upper edges, black where none are seen: what differs from both their sides."""
    votes: Counter[int] = Counter()
    for left, top, right, _ in boxes:
        x, y, far = round((left + right) / 2 * scale), round(top * scale), round(2 * scale)
        pixels: Any = image.crop((x, y - far, x + 1, y + far + 1)).get_flattened_data()
        ways = [(_apart(each, pixels[0]), _apart(each, pixels[-1]), each) for each in pixels]
        seen = [(above + below, each) for above, below, each in ways if min(above, below) > _SEEN]
        if seen:
            votes[_packed(max(seen)[1])] += 1
    return votes.most_common(1)[0][0] if votes else 0


def _apart(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _commonest(part: "Image") -> int:
    """The colour of most of a picture, by some thousand of its pixels."""
    few: Any = part.resize((min(64, part.width), min(64, part.height)), 0).get_flattened_data()
    return _packed(Counter(few).most_common(1)[0][0])


def _packed(pixel: tuple[int, int, int]) -> int:
    red, green, blue = pixel
    return red << 16 | green << 8 | blue


def _scaled(box: Box, scale: float) -> Box:
    return box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale


def usual_size(pieces: Iterable[Piece]) -> float:
    """The size (pixels) that half of the letters do not exceed."""
    sizes = sorted((size_of(piece), len(piece.line.text)) for piece in pieces)
    counts = list(itertools.accumulate(count for _, count in sizes))
    return sizes[bisect.bisect_left(counts, counts[-1] / 2)][0]


def size_of(piece: Piece) -> float:
    """The size of the line's letters in pixels: the boxes of short lines are too high, those of upright ones long."""
    wide = piece.right - piece.left
    if piece.height > _UPRIGHT * wide and len(piece.line.text) > 1:
        return max(1.0, wide * _SIZE)
    if not _told(piece):
        return max(1.0, piece.height * _SIZE)
    text = tidy(piece.line.text)
    full = sum(map(dense, text))
    return max(1.0, wide / (full + 0.5 * (len(text) - full) - 0.5 * (text[-1] in _HALF)))


def _together(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """The lines in groups that follow each other closely, in letters of much the same size."""
    groups: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda each: each.top):
        going = (group for group in groups if _goes_on(group[-1], piece))
        mine = max(going, key=lambda group: group[-1].bottom, default=None)
        if mine is None:
            groups.append([piece])
        else:
            mine.append(piece)
    yield from groups


def _goes_on(above: Piece, piece: Piece) -> bool:
    if piece.top - above.bottom > _CLOSE * piece.height or piece.middle <= above.middle:
        return False
    shared = min(above.right, piece.right) - max(above.left, piece.left)
    low, high = sorted((size_of(above), size_of(piece)))
    alike = _FEW_ALIKE if min(len(above.line.text), len(piece.line.text)) < _FEW else _ALIKE
    return shared > 0.5 * min(above.right - above.left, piece.right - piece.left) and high < (1 + alike) * low


def _told(piece: Piece) -> bool:
    """Whether the line's width tells the size of its letters."""
    full = sum(map(dense, piece.line.text))
    return full >= max(_TELLING, len(piece.line.text) / 2) and piece.right - piece.left > 2 * piece.height


def _sizes(pieces: Sequence[Piece]) -> Iterator[float]:
    """The sizes of the lines' letters, in pixels: of those that follow each other closely the usual one."""
    sizes = {id(piece): usual_size(group) for group in _together(pieces) for piece in group}
    return (sizes[id(piece)] for piece in pieces)


def _lines(pieces: Sequence[Piece], heavy: Sequence[bool], scale: float) -> Iterator[TextLine]:
    if not pieces:
        return
    usual = usual_size(pieces) * scale
    for piece, own, is_bold in zip(pieces, _sizes(pieces), heavy, strict=True):
        size = own * scale
        alike = _FEW_ALIKE if len(piece.line.text) < _FEW and not _told(piece) else _ALIKE
        size = usual if abs(size - usual) < alike * usual else size
        text = tidy(piece.line.words)
        if not text:
            continue  # somebody struck it out
        font = "SimSun" if any(letter >= _HAN for letter in text) else "Times New Roman"
        span = Span(text, Style(font, max(1.0, round(size * 2) / 2), bold=is_bold))
        box = _scaled((piece.left, piece.top, piece.right, piece.bottom), scale)
        yield TextLine(box, (piece.top + _BASELINE * piece.height) * scale, (span,), (), piece.line.score)


def _grey(image: "Image") -> "NDArray[Any]":
    import numpy

    return numpy.asarray(image.convert("L"))


def beside(own: Sheet, seen: Sheet) -> Sheet:
    """A page of both: its own text, and what is seen where it has none."""
    turned = seen.seen is not None and seen.seen.turned
    if turned or (round(own.width), round(own.height)) != (round(seen.width), round(seen.height)):
        return seen
    more = tuple(line for line in seen.lines if not any(_over(line.box, other.box) for other in own.lines))
    return replace(seen, lines=(*own.lines, *more))


def _over(one: Box, other: Box) -> bool:
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide > 0 and high > 0.4 * (one[3] - one[1])
