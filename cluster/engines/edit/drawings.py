"""What is added to a page, as drawn: content in visible points (origin at the lower left corner) and the room it takes.

text      wraps at its box's width; the baseline of line i (from 0) lies (line·i + 0.98 + (line − 1.2) / 2) × size below
          the box's top, as cluster.engines.marks.place has it for lines of 1.2
picture   fills its box
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf

from cluster.engines.edit.scene import Box
from cluster.engines.edit.shapes import Point, bounds, corners, grown, landed
from cluster.engines.fonts.embed import ASCENT, LEADING, Family, Fonts
from cluster.engines.fonts.wrap import wrapped
from cluster.engines.marks.artwork import image_object
from cluster.engines.marks.overlay import operands, rgb
from cluster.engines.marks.place import Matrix, View, standing

#: How far italics lean (12 degrees); how near circles are to their curves; the sides of an arrow's head, in pens.
_LEAN, _ROUND, _HEAD = 0.2126, 0.5523, 4.5


@dataclass(frozen=True)
class Drawing:
    """Content and what it uses; `room` is the box it paints in, `lines` those of a text as it wrapped."""

    content: bytes
    room: Box
    resources: Any = field(default_factory=pikepdf.Dictionary)
    lines: tuple[str, ...] = ()


def upward(view: View, box: Sequence[float]) -> Box:
    """A box from the upper left corner (x, y, width, height) as left, bottom, right, top."""
    x, y, w, h = box
    return x, view.height - y - h, x + w, view.height - y


def turned(view: View, box: Sequence[float], angle: float) -> Matrix:
    """From a box with its lower left corner at 0,0 to where it stands, turned around its middle."""
    x0, y0, x1, y1 = upward(view, box)
    return standing(((x0 + x1) / 2, (y0 + y1) / 2), x1 - x0, y1 - y0, angle)


def text(act: Any, view: View, fonts: Fonts) -> Drawing:
    """Raises glyph_missing."""
    family: Family = act.font
    w, h = act.box[2], act.box[3]
    lines = wrapped(act.text, w / act.size, family, act.bold)
    matrix = turned(view, act.box, act.angle)
    drawn, used = [b"%s rg" % operands(*rgb(act.colour))], pikepdf.Dictionary()
    drop = ASCENT + (act.line - LEADING) / 2
    for at, words in enumerate(lines):
        line = fonts.line(words, family, act.bold)
        free = w - line.width * act.size
        x = {"left": 0.0, "center": free / 2, "right": free}[act.align]
        y = h - (act.line * at + drop) * act.size
        lean = _LEAN if act.italic else 0
        drawn.append(b"BT 1 0 %s 1 %s Tm %s ET" % (operands(lean), operands(x, y), line.draw(act.size)))
        for name, font in line.fonts.items():
            used[name] = font
    low = min(0.0, h - (act.line * len(lines)) * act.size)
    room = bounds(landed(matrix, corners(grown((0, low, w, h), act.size * 0.3))))
    content = b"q %s cm\n%s\nQ" % (operands(*matrix), b"\n".join(drawn))
    return Drawing(content, room, pikepdf.Dictionary(Font=used), tuple(lines))


def picture(act: Any, view: View, pdf: "pikepdf.Pdf", path: Path) -> Drawing:
    """Raises as image_object does."""
    image, _ = image_object(pdf, path, act.file.rpartition("/")[2])
    matrix = turned(view, act.box, act.angle)
    w, h = act.box[2], act.box[3]
    content = b"q %s cm %s 0 0 %s 0 0 cm /I Do Q" % (operands(*matrix), operands(w), operands(h))
    room = bounds(landed(matrix, corners((0, 0, w, h))))
    return Drawing(content, room, pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=image)))


def shape(act: Any, view: View) -> Drawing:
    """A line, an arrow, a rectangle or an ellipse."""
    (x0, y0), (x1, y1) = ends = [(x, view.height - y) for x, y in (act.begin, act.end)]
    box = bounds(ends)
    pen = b"%s RG %s w " % (operands(*rgb(act.colour)), operands(act.width))
    if act.shape in ("line", "arrow"):
        path = b"1 J 1 j %s m %s l S" % (operands(x0, y0), operands(x1, y1))
        path += _head((x0, y0), (x1, y1), act.width) if act.shape == "arrow" else b""
        return Drawing(pen + path, grown(box, act.width * (_HEAD if act.shape == "arrow" else 1)))
    fill = b"%s rg " % operands(*rgb(act.fill)) if act.fill else b""
    outline = _ellipse(box) if act.shape == "ellipse" else b"%s re " % operands(
        box[0], box[1], box[2] - box[0], box[3] - box[1]
    )  # fmt: skip
    return Drawing(pen + fill + outline + (b"B" if act.fill else b"S"), grown(box, act.width))


def _head(start: Point, tip: Point, pen: float) -> bytes:
    angle, size = math.atan2(tip[1] - start[1], tip[0] - start[0]), _HEAD * pen
    sides = [(tip[0] - size * math.cos(angle + turn), tip[1] - size * math.sin(angle + turn)) for turn in (-0.5, 0.5)]
    return b" %s m %s l %s l S" % (operands(*sides[0]), operands(*tip), operands(*sides[1]))


def _ellipse(box: Box) -> bytes:
    x, y, a, b = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    made = [b"%s m" % operands(x + a, y)]
    for cos, sin in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        u, v = -sin, cos  # a quarter further
        curve = (
            x + a * (cos + _ROUND * u), y + b * (sin + _ROUND * v), x + a * (u + _ROUND * cos),
            y + b * (v + _ROUND * sin), x + a * u, y + b * v,
        )  # fmt: skip
        made.append(b"%s c" % operands(*curve))
    return b" ".join([*made, b"h "])


def ink(act: Any, view: View) -> Drawing:
    """Strokes of a pen, round where they begin, turn and end."""
    strokes = [[(x, view.height - y) for x, y in path] for path in act.paths]
    drawn = [b"%s RG %s w 1 J 1 j" % (operands(*rgb(act.colour)), operands(act.width))]
    for stroke in strokes:
        points = stroke if len(stroke) > 1 else [stroke[0], stroke[0]]
        lines = [operands(*each) + (b" l" if at else b" m") for at, each in enumerate(points)]
        drawn.append(b" ".join([*lines, b"S"]))
    return Drawing(b"\n".join(drawn), grown(bounds([each for stroke in strokes for each in stroke]), act.width))


def quads(act: Any, view: View) -> list[tuple[Point, ...]]:
    """Corners of the marked boxes: lower left, lower right, upper right, upper left of each as its text runs."""
    return [landed(turned(view, box, act.angle), corners((0, 0, box[2], box[3]))) for box in act.boxes]


def mark(act: Any, view: View) -> Drawing:
    """Text marked: coloured as by a pen, or with a line below or through it."""
    drawn, all_ = list[bytes](), list[Point]()
    for (low, lower, upper, up), box in zip(quads(act, view), act.boxes, strict=True):
        all_ += [low, lower, upper, up]
        if act.style == "highlight":
            outline = b" ".join(
                operands(*each) + (b" l" if at else b" m") for at, each in enumerate((low, lower, upper, up))
            )
            drawn.append(outline + b" h f")
            continue
        share = 0.08 if act.style == "underline" else 0.42
        start, end = _between(low, up, share), _between(lower, upper, share)
        drawn.append(b"%s w %s m %s l S" % (operands(max(0.5, box[3] * 0.06)), operands(*start), operands(*end)))
    colour = operands(*rgb(act.colour))
    return Drawing(b"%s rg %s RG\n%s" % (colour, colour, b"\n".join(drawn)), grown(bounds(all_), 1))


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


#: The side of a note's sign, in points.
SIGN = 20.0


def note(act: Any, view: View) -> Drawing:
    """A sheet with lines, as readers draw notes, in the page's units and from the origin: however a page is turned,
    MuPDF neither stretches a note's look nor turns it around any other point."""
    scale = abs(view.matrix[0] + view.matrix[1])
    pen = b"%s 0 0 %s 0 0 cm %s rg 0.35 G 0.8 w" % (operands(scale), operands(scale), operands(*rgb(act.colour)))
    sheet = b"%s re B" % operands(1, 1, SIGN - 2, SIGN - 2)
    lines = [b"%s m %s l S" % (operands(4, at), operands(SIGN - 4, at)) for at in (6, 10, 14)]
    return Drawing(b"\n".join([pen, sheet, *lines]), (0, 0, SIGN * scale, SIGN * scale))
