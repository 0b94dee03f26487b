"""A signature field that waits for its signature: where it is seen."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluster.engines.forms.signed import full_name, is_signed, terminals
from cluster.engines.marks.place import view_of
from cluster.engines.pdf.matrix import inverse, place
from cluster.engines.pdf.nodes import get, items, said

if TYPE_CHECKING:
    import pikepdf

#: Sides of less points are nothing to see.
_LEAST = 1.0


@dataclass(frozen=True)
class Empty:
    """The page (from 0), centre, width and height as seen, in visible points; no width: it is not seen."""

    page: int = 0
    centre: tuple[float, float] = (0.0, 0.0)
    width: float = 0.0
    height: float = 0.0


def find_empty(pdf: "pikepdf.Pdf", name: str) -> Empty | None:
    """The field of this full name; None where there is none, or it is signed."""
    for top in items(get(pdf.Root, "/AcroForm", "/Fields")):
        for field in terminals(top):
            if said(field, "/FT") == "/Sig" and full_name(field) == name and not is_signed(field):
                return _seen(pdf, [field, *items(field.get("/Kids"))])
    return None


def _seen(pdf: "pikepdf.Pdf", widgets: list[Any]) -> Empty:
    keys = {each.objgen for each in widgets if each.is_indirect}
    for number, page in enumerate(pdf.pages):
        for each in items(page.obj.get("/Annots")):
            if each.is_indirect and each.objgen in keys and len(items(get(each, "/Rect"))) == 4:
                return _empty(number, view_of(page).matrix, [float(side) for side in each["/Rect"]])
    return Empty()


def _empty(number: int, matrix: Any, sides: list[float]) -> Empty:
    back = inverse(matrix)
    if back is None:
        return Empty()
    (x0, y0), (x1, y1) = place(back, *sides[:2]), place(back, *sides[2:])
    width, height = abs(x1 - x0), abs(y1 - y0)
    if min(width, height) < _LEAST:
        return Empty(number)
    return Empty(number, ((x0 + x1) / 2, (y0 + y1) / 2), width, height)
