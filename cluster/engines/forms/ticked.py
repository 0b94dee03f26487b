"""Looks of boxes to tick and of radio buttons that have none: readers draw nothing of their own for them."""

from itertools import chain, count
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
#: The sign of a round button, and how far from its corners a quarter of a circle bends, in radii.
_ROUND, _BEND = "l", 0.5523


def draw_ticks(pdf: "pikepdf.Pdf", field: Any) -> None:
    """Give the boxes or buttons of a field two looks where they have none to choose from, in the colours /MK names."""
    import pikepdf

    flags = said(field, "/Ff") or 0
    if said(field, "/FT") != "/Btn" or flags & _BUTTON:
        return
    fonts = pikepdf.Dictionary(
        ZaDb=pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.ZapfDingbats)
    )
    widgets = widgets_of(field)
    taken = {state for widget in widgets for state in states_of(widget)}
    for at, widget in enumerate(widgets):
        if states_of(widget) or not (flags & _RADIO or _is_bare(widget)):
            continue
        state = _own_state(widget, at, taken) if flags & _RADIO else _state(widget)
        taken.add(state)
        off, on = (_radio if flags & _RADIO else _box)(widget)
        made = {
            name: form_of(pdf, room_of(widget), each, pikepdf.Dictionary(Font=fonts))
            for name, each in {state: off + on, "/Off": off}.items()
        }
        widget["/AP"] = pikepdf.Dictionary(N=pikepdf.Dictionary(made))


def states_of(widget: Any) -> list[str]:
    """The names of its looks when it is on."""
    held = get(widget, "/AP", "/N")
    return [key for key in dict(held.items()) if key != "/Off"] if is_dictionary(held) else []


def _is_bare(widget: Any) -> bool:
    return not is_dictionary(get(widget, "/AP", "/N"))


def _state(widget: Any) -> str:
    """The name of being on: the one that it says it has."""
    told = [str(each) for each in (get(widget, "/AS"), said(widget, "/V")) if each is not None]
    return next((each for each in told if each.startswith("/") and each != "/Off"), "/Yes")


def _own_state(widget: Any, at: int, taken: set[str]) -> str:
    """A button's name of being on, which no other of its group has: its own, or its place's number."""
    told = str(get(widget, "/AS") or "")
    names = [told] if told.startswith("/") and told != "/Off" else []
    return next(each for each in chain(names, (f"/{number}" for number in count(at))) if each not in taken)


def _box(widget: Any) -> tuple[bytes, bytes]:
    return _paper(widget), _tick(widget, room_of(widget))


def _radio(widget: Any) -> tuple[bytes, bytes]:
    """Round, unless it has a sign of its own; a dot of half its width says that it is on."""
    if _sign(widget, _ROUND) != _ROUND:
        return _box(widget)
    room, ground, (border, pen) = room_of(widget), _colour(get(widget, "/MK", "/BG")), _border(widget)
    middle, reach = (room.wide / 2, room.high / 2), min(room.wide, room.high) / 2
    made = [b"q %b %b f Q " % (ground, _circle(middle, reach))] if ground else []
    if border:
        made.append(b"q %.2f w %b %b s Q " % (pen, border.upper(), _circle(middle, max(reach - pen / 2, 0.1))))
    return b"".join(made), b"q %b %b f Q" % (room.colour, _circle(middle, reach / 2))


def _circle(middle: tuple[float, float], radius: float) -> bytes:
    """Four quarters from the right, each bent along the sides of the square around it."""
    x, y = middle
    told = [b"%.3f %.3f m" % (x + radius, y)]
    for a, b in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        steps = ((a - _BEND * b, b + _BEND * a), (_BEND * a - b, _BEND * b + a), (-b, a))
        told.append(b"%b c" % b" ".join([b"%.3f %.3f" % (x + radius * u, y + radius * v) for u, v in steps]))
    return b" ".join([*told, b"h"])


def _tick(widget: Any, room: Room) -> bytes:
    sign = _sign(widget, "4")
    size = room.size or 0.8 * min(room.wide, room.high)
    at = room.wide / 2 - _HALF * size, room.high / 2 - _MIDDLE * size
    return b"q %b BT /ZaDb %.2f Tf %.2f %.2f Td (%b) Tj ET Q" % (room.colour, size, *at, sign.encode())


def _sign(widget: Any, other: str) -> str:
    """The letter of Zapf Dingbats that it asks for, or another."""
    told = str(get(widget, "/MK", "/CA") or "")
    return told if len(told) == 1 and told in _SIGNS else other


def _border(widget: Any) -> tuple[bytes, float]:
    """The colour, none where none is drawn, and how wide it is."""
    told = get(widget, "/BS", "/W")
    pen = float(told) if isinstance(told, int) else 1.0
    return _colour(get(widget, "/MK", "/BC")) if pen else b"", pen


def _paper(widget: Any) -> bytes:
    """Background and border."""
    room, ground, (border, pen) = room_of(widget), _colour(get(widget, "/MK", "/BG")), _border(widget)
    made = [b"q %b 0 0 %.2f %.2f re f Q " % (ground, room.wide, room.high)] if ground else []
    if border:
        inner = pen / 2, pen / 2, room.wide - pen, room.high - pen
        made.append(b"q %.2f w %b %.2f %.2f %.2f %.2f re S Q " % (pen, border.upper(), *inner))
    return b"".join(made)


def _colour(told: Any) -> bytes:
    """Operators of a colour of /MK, for areas; none where it has none."""
    parts = [float(each) for each in items(told)]
    operator = {1: "g", 3: "rg", 4: "k"}.get(len(parts))
    return " ".join([*(f"{part:.3f}" for part in parts), operator]).encode() if operator else b""
