"""Looks of boxes to tick that have none: readers draw nothing of their own for them, whatever they hold."""

from typing import TYPE_CHECKING, Any

from cluster.engines.forms.drawn import widgets_of
from cluster.engines.forms.look import Room, form_of, room_of
from cluster.engines.pdf.nodes import get, is_dictionary, items, said

if TYPE_CHECKING:
    import pikepdf

_RADIO, _BUTTON = 1 << 15, 1 << 16
#: Half of what a sign of Zapf Dingbats is wide, and the height of its middle, in ems.
_HALF, _MIDDLE = 0.385, 0.34
_SIGNS = "48lnuH"


def draw_ticks(pdf: "pikepdf.Pdf", field: Any) -> None:
    """Give the boxes of a field two looks where they have none to choose from, in the colours that /MK names."""
    import pikepdf

    if said(field, "/FT") != "/Btn" or (said(field, "/Ff") or 0) & (_RADIO | _BUTTON):
        return
    fonts = pikepdf.Dictionary(
        ZaDb=pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.ZapfDingbats)
    )
    for widget in widgets_of(field):
        if is_dictionary(get(widget, "/AP", "/N")) and not isinstance(get(widget, "/AP", "/N"), pikepdf.Stream):
            continue
        room, paper = room_of(widget), _paper(widget)
        looks = {_state(widget): paper + _tick(widget, room), "/Off": paper}
        made = {name: form_of(pdf, room, each, pikepdf.Dictionary(Font=fonts)) for name, each in looks.items()}
        widget["/AP"] = pikepdf.Dictionary(N=pikepdf.Dictionary(made))


def _state(widget: Any) -> str:
    """The name of being on: the one that it says it has."""
    told = [str(each) for each in (get(widget, "/AS"), said(widget, "/V")) if each is not None]
    return next((each for each in told if each.startswith("/") and each != "/Off"), "/Yes")


def _tick(widget: Any, room: Room) -> bytes:
    told = str(get(widget, "/MK", "/CA") or "")
    sign = told if len(told) == 1 and told in _SIGNS else "4"
    size = room.size or 0.8 * min(room.wide, room.high)
    at = room.wide / 2 - _HALF * size, room.high / 2 - _MIDDLE * size
    return b"q %b BT /ZaDb %.2f Tf %.2f %.2f Td (%b) Tj ET Q" % (room.colour, size, *at, sign.encode())


def _paper(widget: Any) -> bytes:
    """Background and border."""
    room, told = room_of(widget), get(widget, "/BS", "/W")
    pen = float(told) if isinstance(told, int) else 1.0
    ground, border = (_colour(get(widget, "/MK", key)) for key in ("/BG", "/BC"))
    made = [b"q %b 0 0 %.2f %.2f re f Q " % (ground, room.wide, room.high)] if ground else []
    if border and pen:
        inner = pen / 2, pen / 2, room.wide - pen, room.high - pen
        made.append(b"q %.2f w %b %.2f %.2f %.2f %.2f re S Q " % (pen, border.upper(), *inner))
    return b"".join(made)


def _colour(told: Any) -> bytes:
    """Operators of a colour of /MK, for areas; none where it has none."""
    parts = [float(each) for each in items(told)]
    operator = {1: "g", 3: "rg", 4: "k"}.get(len(parts))
    return " ".join([*(f"{part:.3f}" for part in parts), operator]).encode() if operator else b""
