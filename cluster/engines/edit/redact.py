"""Places of a document whose contents are removed for good, and the proof that nothing is left in them."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pikepdf

from cluster.engines.edit.follow import read_page
from cluster.engines.edit.fonts import Fonts
from cluster.engines.edit.forget import Forgotten, Gone, forget
from cluster.engines.edit.paths import Uncuttable
from cluster.engines.edit.scene import Box, Scene
from cluster.engines.edit.shapes import Boxes, bounds, corners, grown, overlap, room
from cluster.engines.edit.strike import Struck, Unreadable, silence_tags, strike
from cluster.engines.edit.writing import write_page
from cluster.engines.fonts.embed import Fonts as Faces
from cluster.engines.fonts.programs import set_apart
from cluster.engines.marks.overlay import Overlay, form_of, operands
from cluster.engines.marks.place import view_of
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.pdf.matrix import WHOLE, Matrix, inverse, times
from cluster.engines.pdf.nodes import get, inherited, is_dictionary, items
from cluster.engines.pdf.open import visible_box
from cluster.problem import InputProblem

Look = Literal["black", "white", "none"]
#: Points by which a comment must reach into a place to go with it.
_TOUCH = 0.3
#: The proof is drawn at so many pixels a point, and at most so many in all; darker than this is ink.
_FINE, _LARGEST, _PALE = 2.0, 16_000_000, 245
#: How far above its origin the middle of a letter's body lies, in ems.
_MIDDLE = 0.325
#: Pixels at the rim of a place that its neighbours may tint.
_RIM = 2


@dataclass(frozen=True)
class Place:
    """A box in visible points, upper left origin, with what shall be seen there."""

    box: tuple[float, float, float, float]
    look: Look = "black"
    label: str = ""


@dataclass
class Removed:
    """What went from the document; `words` are those that stood in the places."""

    places: int = 0
    letters: int = 0
    paths: int = 0
    pictures: int = 0
    annotations: int = 0
    fields: int = 0
    words: list[str] = field(default_factory=list)
    gone: Gone = field(default_factory=Gone)
    forgotten: Forgotten = field(default_factory=Forgotten)


def redact(pdf: "pikepdf.Pdf", places: dict[int, list[Place]], fonts: Fonts, faces: Faces) -> Removed:
    """Remove what lies in the places, by page (from 1), prove it, and draw their looks.

    Raises InputProblem redaction_unsure where something cannot be removed, or not for sure.
    """
    set_apart(pdf)
    removed = Removed()
    images: dict[Any, Any] = {}
    pages = list(pdf.pages)
    for number in sorted(places):
        page = pages[number - 1]
        boxes = boxes_in(page, [place.box for place in places[number]])
        removed.places += len(boxes)
        try:
            scene = read_page(page, fonts)
            struck = strike(pdf, scene, Boxes(boxes, _frame(page)), images, removed.gone, fonts)
        except (Unreadable, Uncuttable) as error:
            raise InputProblem("redaction_unsure", page=number) from error
        write_page(pdf, page, scene)
        _count(removed, struck)
        silence_tags(pdf, page, struck.tags)
        _strip(pdf, page, boxes, removed)
        _prove(pdf, number, boxes, scene)
    removed.forgotten = forget(pdf, removed.gone, fonts)
    for number, held in places.items():
        _draw(pdf, pages[number - 1], held, faces)
    return removed


def boxes_in(page: "pikepdf.Page", boxes: Sequence[tuple[float, float, float, float]]) -> list[Box]:
    """Boxes (x, y, width, height as seen, from the upper left) in the page's own units."""
    view = view_of(page)
    return [view.in_page((x, view.height - y - h, x + w, view.height - y)) for x, y, w, h in boxes]


def _frame(page: "pikepdf.Page") -> Matrix:
    """The page's units to points as seen, from the upper left."""
    view = view_of(page)
    back = inverse(view.matrix)
    return times(back, (1, 0, 0, -1, 0, view.height)) if back else WHOLE


def _count(removed: Removed, struck: Struck) -> None:
    removed.letters += struck.letters
    removed.paths += struck.paths
    removed.pictures += struck.pictures
    removed.words += [words for words in struck.words if words.strip()]


def _strip(pdf: "pikepdf.Pdf", page: "pikepdf.Page", boxes: Sequence[Box], removed: Removed) -> None:
    """Comments, links and fields that the boxes touch, and what tells of the page beside it."""
    for key in ("/Thumb", "/PieceInfo", "/Metadata"):
        if key in page.obj:
            del page.obj[key]
    held = items(page.obj.get("/Annots"))
    taken = {at for at, each in enumerate(held) if _is_touched(each, boxes)}
    for _ in range(2):  # replies and windows go with what they belong to
        keys = {held[at].objgen for at in taken if held[at].is_indirect}
        taken |= {at for at, each in enumerate(held) if _belongs(each) in keys}
    if not taken:
        return
    kept = [each for at, each in enumerate(held) if at not in taken]
    page.obj["/Annots"] = pdf.make_indirect(pikepdf.Array(kept))
    removed.annotations += len(taken)
    for each in (held[at] for at in sorted(taken)):
        removed.gone.take_annotation(each)
        if get(each, "/Subtype") == "/Widget":
            _forget(pdf, each)
            removed.fields += 1


def _is_touched(annotation: Any, boxes: Sequence[Box]) -> bool:
    rect = [float(each) for each in items(get(annotation, "/Rect")) if isinstance(each, int | float) or _is_real(each)]
    if len(rect) != 4:
        return False
    outline = corners((min(rect[0], rect[2]), min(rect[1], rect[3]), max(rect[0], rect[2]), max(rect[1], rect[3])))
    return any(overlap(outline, corners(box), _TOUCH) for box in boxes)


def _is_real(node: Any) -> bool:
    try:
        float(node)
    except (TypeError, ValueError):
        return False
    return True


def _belongs(annotation: Any) -> Any:
    """What it is a reply to or a window of."""
    for key in ("/IRT", "/Parent"):
        above = get(annotation, key)
        if is_dictionary(above) and get(annotation, "/Subtype") != "/Widget" and above.is_indirect:
            return above.objgen
    return None


def _forget(pdf: "pikepdf.Pdf", widget: Any) -> None:
    """A field without its value, everywhere it is shown; the widget itself is no part of it any more."""
    own = widget if "/T" in widget or "/Parent" not in widget else widget["/Parent"]
    for node in (widget, own, *items(own.get("/Kids"))):
        if is_dictionary(node):
            for key in ("/V", "/DV", "/RV", "/AP", "/I"):
                if key in node:
                    del node[key]
    above = widget.get("/Parent")
    for holder, key in ((above, "/Kids"), (get(pdf.Root, "/AcroForm"), "/Fields")):
        listed = items(get(holder, key))
        if is_dictionary(holder) and any(_same(each, widget) for each in listed):
            holder[key] = pikepdf.Array([each for each in listed if not _same(each, widget)])
    if get(pdf.Root, "/AcroForm", "/XFA") is not None:
        del pdf.Root["/AcroForm"]["/XFA"]


def _same(one: Any, other: Any) -> bool:
    return is_dictionary(one) and one.is_indirect and one.objgen == other.objgen


def _draw(pdf: "pikepdf.Pdf", page: "pikepdf.Page", places: Sequence[Place], faces: Faces) -> None:
    """The looks of a page's places over its content."""
    view = view_of(page)
    content, used = list[bytes](), pikepdf.Dictionary()
    for place in places:
        x, y, w, h = place.box
        bottom = view.height - y - h
        if place.look != "none":
            shade = 0 if place.look == "black" else 1
            content.append(b"%d g %s re f" % (shade, operands(x, bottom, w, h)))
        if place.label:
            line = faces.line(place.label)
            size = min(h * 0.7, w * 0.92 / max(line.width, 0.01))
            at = x + (w - line.width * size) / 2, bottom + h / 2 - 0.36 * size
            ink = 1 if place.look == "black" else 0
            content.append(b"%d g BT 1 0 0 1 %s Tm %s ET" % (ink, operands(*at), line.draw(size)))
            for name, font in line.fonts.items():
                used[name] = font
    if content:
        box = (0, 0, view.width, view.height)
        form = form_of(pdf, b"\n".join(content), box, pikepdf.Dictionary(Font=used))
        Overlay(pdf, artifact="").add(page, form, view)


def _prove(pdf: "pikepdf.Pdf", number: int, boxes: Sequence[Box], scene: Scene) -> None:
    """MuPDF finds no letter and no ink in the boxes, but for what letters that stay paint into them."""
    page = pdf.pages[number - 1]
    visible = visible_box(page)
    with import_pymupdf().open(stream=_alone(pdf, page, visible), filetype="pdf") as document:
        letters = Boxes(_letters(document[0], visible))
        sheet = _Sheet(document[0], visible)
    for taken in _rooms(scene, boxes):
        sheet.clear(grown(taken, 1))
    for box in boxes:
        if letters.near(box) or sheet.is_inked(box):
            raise InputProblem("redaction_unsure", page=number)


def _alone(pdf: "pikepdf.Pdf", page: "pikepdf.Page", visible: Box) -> bytes:
    """The page's content alone, upright, its corner at the origin."""
    entries = {key: page.obj[key] for key in ("/Contents", "/Group") if key in page.obj}
    sheet = pikepdf.Dictionary(
        {
            **entries,
            "/Type": pikepdf.Name.Page,
            "/Resources": inherited(page, "/Resources") or pikepdf.Dictionary(),
            "/MediaBox": pikepdf.Array([round(each, 4) for each in visible]),
        }
    )
    with pikepdf.new() as held:
        held.pages.append(pikepdf.Page(pdf.make_indirect(sheet)))
        held.save(made := io.BytesIO())
        return made.getvalue()


def _letters(seen: Any, visible: Box) -> Iterator[Box]:
    """The hearts of the letters that MuPDF reads, in the page's units."""
    pymupdf = import_pymupdf()
    for block in seen.get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                yield from (_heart(each, span["size"], line, visible) for each in span["chars"] if each["c"].strip())


def _heart(char: Any, size: float, line: Any, visible: Box) -> Box:
    """A little square in the middle of a letter."""
    x0, y0, x1, y1 = char["bbox"]
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    if line["wmode"]:  # MuPDF takes a letter's origin, which lies between its feet, for where it hangs
        right, down = line["dir"]
        sunk = (abs(right) * (x1 - x0) + abs(down) * (y1 - y0)) / 2 + _MIDDLE * size
        x, y = x - sunk * right, y - sunk * down
    x, y = x + visible[0], visible[3] - y
    half = min(size, x1 - x0, y1 - y0) * 0.1
    return x - half, y - half, x + half, y + half


def _rooms(scene: Scene, boxes: Sequence[Box]) -> Iterator[Box]:
    """What letters that stay may paint into the boxes."""
    struck = Boxes(boxes)
    for show in (show for each in scene.every() for show in each.shows):
        taken = (bounds(room(glyph, show.font)) for glyph in show.glyphs)
        yield from (each for each in taken if struck.near(each))


class _Sheet:
    """A page as MuPDF draws it, in shades of grey."""

    def __init__(self, seen: Any, visible: Box) -> None:
        import numpy

        pymupdf = import_pymupdf()
        self.visible = visible
        self.scale = min(_FINE, (_LARGEST / max(1.0, seen.rect.width * seen.rect.height)) ** 0.5)
        matrix = pymupdf.Matrix(self.scale, self.scale)
        drawn = seen.get_pixmap(matrix=matrix, annots=False, colorspace=pymupdf.csGRAY)
        self.pixels = numpy.frombuffer(drawn.samples, numpy.uint8).reshape(drawn.height, drawn.width).copy()

    def clear(self, box: Box) -> None:
        """Whatever is drawn there is known."""
        self.pixels[self._inside(box)] = 255

    def is_inked(self, box: Box) -> bool:
        """Whether anything is drawn in the box."""
        return bool((self.pixels[self._inside(box, _RIM)] < _PALE).sum() > 2)

    def _inside(self, box: Box, rim: int = 0) -> tuple[slice, slice]:
        left, bottom, right, top = self.visible[0], self.visible[1], self.visible[2], self.visible[3]
        x0, x1 = ((min(max(each, left), right) - left) * self.scale for each in (box[0], box[2]))
        y0, y1 = ((top - min(max(each, bottom), top)) * self.scale for each in (box[3], box[1]))
        return slice(round(y0) + rim, max(0, round(y1) - rim)), slice(round(x0) + rim, max(0, round(x1) - rim))
