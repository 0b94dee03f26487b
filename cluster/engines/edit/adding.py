"""Things added to pages: annotations with looks of their own, which readers move and delete, or content."""

import datetime
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from cluster.engines.edit import drawings
from cluster.engines.edit.drawings import Drawing
from cluster.engines.edit.scene import Box
from cluster.engines.edit.shapes import Point
from cluster.engines.fonts.embed import Fonts
from cluster.engines.marks.overlay import Overlay, form_of, operands, rgb
from cluster.engines.marks.place import View, view_of
from cluster.engines.pdf.matrix import place
from cluster.engines.pdf.nodes import items

#: /F: printed; a note neither grows nor turns with the page.
_PRINTED, _STEADY = 4, 28
_STYLES = {"highlight": "/Highlight", "underline": "/Underline", "strike": "/StrikeOut"}
_SHAPES = {"line": "/Line", "arrow": "/Line", "rectangle": "/Square", "ellipse": "/Circle"}


@dataclass
class Adding:
    """Adds to the pages of one document. `picture`: the file behind an upload's key; `words`: text below boxes."""

    pdf: "pikepdf.Pdf"
    fonts: Fonts
    picture: Callable[[str], Path]
    words: Callable[[int, Any], str]
    annotations: int = 0
    burned: int = 0
    _overlay: Any = field(init=False)

    def __post_init__(self) -> None:
        self._overlay = Overlay(self.pdf, artifact="")

    def add(self, act: Any) -> None:
        """Raises glyph_missing, and what pictures may raise."""
        page = self.pdf.pages[act.page - 1]
        view = view_of(page)
        drawing = self._drawing(act, view)
        form = self._form(act, drawing)
        if getattr(act, "burn", False):
            self._overlay.add(page, form, view)
            self.burned += 1
            return
        if act.kind != "note":
            form["/Matrix"] = _array(*view.matrix)
        made = self._annotation(act, view, drawing, form, page)
        held = page.obj.get("/Annots")
        page.obj["/Annots"] = self.pdf.make_indirect(Array([*items(held), *made]))
        self.annotations += 1

    def _drawing(self, act: Any, view: View) -> Drawing:
        match act.kind:
            case "text":
                return drawings.text(act, view, self.fonts)
            case "picture":
                return drawings.picture(act, view, self.pdf, self.picture(act.file))
            case "shape":
                return drawings.shape(act, view)
            case "ink":
                return drawings.ink(act, view)
            case "mark":
                return drawings.mark(act, view)
        return drawings.note(act, view)

    def _form(self, act: Any, drawing: Drawing) -> Any:
        content, resources = drawing.content, drawing.resources
        opacity = getattr(act, "opacity", 100) / 100
        lit = act.kind == "mark" and act.style == "highlight"
        if opacity < 1 or lit:
            look = Dictionary(Type=Name.ExtGState, ca=opacity, CA=opacity, BM=Name.Multiply if lit else Name.Normal)
            content, resources["/ExtGState"] = b"/G gs\n" + content, Dictionary(G=look)
        form = form_of(self.pdf, content, drawing.room, resources)
        form["/Group"] = Dictionary(S=Name.Transparency, I=not lit)
        return form

    def _annotation(self, act: Any, view: View, drawing: Drawing, form: Any, page: "pikepdf.Page") -> list[Any]:
        now = String(datetime.datetime.now(datetime.UTC).strftime("D:%Y%m%d%H%M%SZ"))
        made = Dictionary(
            Type=Name.Annot, Rect=_array(*_rect(act, view, drawing)), P=page.obj, F=_PRINTED, M=now, CreationDate=now,
            NM=String(str(uuid.uuid4())), AP=Dictionary(N=form),
        )  # fmt: skip
        if getattr(act, "opacity", 100) < 100:
            made["/CA"] = act.opacity / 100
        for key, value in self._facts(act, view).items():
            made[key] = value
        own = self.pdf.make_indirect(made)
        if act.kind != "note":
            return [own]
        x, y = place(view.matrix, act.at[0] + 30, view.height - act.at[1])
        window = Dictionary(
            Type=Name.Annot, Subtype=Name.Popup, Parent=own, Rect=_array(x, y - 90, x + 180, y), F=_STEADY
        )
        own["/Popup"] = self.pdf.make_indirect(window)
        return [own, own["/Popup"]]

    def _facts(self, act: Any, view: View) -> dict[str, Any]:
        """What makes it an annotation of its kind."""
        match act.kind:
            case "text":
                return _text_facts(act)
            case "picture":
                return {"/Subtype": Name.Stamp, "/Name": Name("/Image")}
            case "shape":
                return _shape_facts(act, view)
            case "ink":
                strokes = [_array(*_flat([_at(view, each) for each in path])) for path in act.paths]
                return {"/Subtype": Name.Ink, "/InkList": Array(strokes), "/C": _colour(act.colour), "/BS": _pen(act)}
            case "mark":
                return self._mark_facts(act, view)
        return {"/Subtype": Name.Text, "/Name": Name("/Comment"), "/Contents": String(act.text), "/F": _STEADY,
                "/C": _colour(act.colour)}  # fmt: skip

    def _mark_facts(self, act: Any, view: View) -> dict[str, Any]:
        points: list[float] = []
        for low, lower, upper, up in drawings.quads(act, view):
            # Upper left, upper right, lower left, lower right: what readers expect, not what the standard says.
            points += _flat([place(view.matrix, *each) for each in (up, upper, low, lower)])
        words = act.text or self.words(act.page, act)
        return {"/Subtype": Name(_STYLES[act.style]), "/QuadPoints": _array(*points), "/C": _colour(act.colour),
                "/Contents": String(words)}  # fmt: skip


def _text_facts(act: Any) -> dict[str, Any]:
    look = b"/Helv %s Tf %s rg" % (operands(act.size), operands(*rgb(act.colour)))
    return {
        "/Subtype": Name.FreeText, "/Contents": String(act.text), "/DA": String(look.decode()),
        "/Q": {"left": 0, "center": 1, "right": 2}[act.align], "/BS": Dictionary(W=0, S=Name.S),
    }  # fmt: skip


def _shape_facts(act: Any, view: View) -> dict[str, Any]:
    facts: dict[str, Any] = {"/Subtype": Name(_SHAPES[act.shape]), "/C": _colour(act.colour), "/BS": _pen(act)}
    if act.shape in ("line", "arrow"):
        head = Name.OpenArrow if act.shape == "arrow" else Name("/None")
        facts |= {"/L": _array(*_flat([_at(view, act.begin), _at(view, act.end)])), "/LE": Array([Name("/None"), head])}
    elif act.fill:
        facts["/IC"] = _colour(act.fill)
    return facts


def _rect(act: Any, view: View, drawing: Drawing) -> Box:
    """Where readers put the look. Notes they turn back themselves, around this box's upper left corner."""
    if act.kind != "note":
        return view.in_page(drawing.room)
    (x, y), (_, _, side, _) = _at(view, act.at), drawing.room
    return x, y - side, x + side, y


def _at(view: View, point: Point) -> Point:
    """A point from the upper left corner, in the page's units."""
    return place(view.matrix, point[0], view.height - point[1])


def _flat(points: list[Point]) -> list[float]:
    return [each for point in points for each in point]


def _pen(act: Any) -> Any:
    return Dictionary(W=act.width, S=Name.S)


def _colour(colour: str) -> Any:
    return _array(*rgb(colour))


def _array(*values: float) -> Any:
    return Array([round(value, 4) for value in values])
