"""Fields of a form given values, and looks that every reader shows."""

from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Name, String

from cluster.engines.forms.drawn import draw_looks, widgets_of
from cluster.engines.forms.flatten import fields_of
from cluster.engines.forms.look import draw_values, room_of
from cluster.engines.forms.signed import full_name
from cluster.engines.forms.ticked import draw_ticks, states_of
from cluster.engines.pdf.nodes import get, items, said
from cluster.problem import InputProblem

_READ_ONLY, _RADIO, _BUTTON, _COMBO, _EDIT, _MANY = 1 << 0, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 21
Value = bool | str | Sequence[str]


def fill(pdf: "pikepdf.Pdf", values: dict[str, Value]) -> int:
    """Give fields, by their full names, values; how many were filled.

    Raises InputProblem field_unknown, field_unfit, glyph_missing.
    """
    fields = {full_name(each): each for each in fields_of(pdf)}
    drawn: list[Any] = []
    for name, value in values.items():
        field = fields.get(name)
        if field is None:
            raise InputProblem("field_unknown", field=name[:80])
        flags = _flags(field)
        kind = str(said(field, "/FT"))
        if flags & _READ_ONLY or kind not in _FILLERS or (kind == "/Btn" and flags & _BUTTON):
            raise _unfit(name, value)
        draw_ticks(pdf, field)
        if not _FILLERS[kind](field, value, flags):
            raise _unfit(name, value)
        drawn += [field] if kind != "/Btn" else []
    draw_looks(pdf, drawn)
    draw_values(pdf, drawn)
    form = get(pdf.Root, "/AcroForm")
    if "/XFA" in form:
        del form["/XFA"]  # it would show the values of before
    return len(values)


def _unfit(name: str, value: Value) -> InputProblem:
    told = value if isinstance(value, bool | str) else ", ".join(value)
    return InputProblem("field_unfit", field=name[:80], text=str(told)[:80])


def _flags(field: Any) -> int:
    found = said(field, "/Ff")
    return int(found) if isinstance(found, int) else 0


def _text(field: Any, value: Value, flags: int) -> bool:
    longest = said(field, "/MaxLen")
    if not isinstance(value, str) or (isinstance(longest, int) and 0 < longest < len(value)):
        return False
    field["/V"] = String(value)
    if "/RV" in field:
        del field["/RV"]
    return True


def _choice(field: Any, value: Value, flags: int) -> bool:
    wanted = [value] if isinstance(value, str) else [] if isinstance(value, bool) else list(value)
    if isinstance(value, bool) or (len(wanted) > 1 and not flags & _MANY):
        return False
    told: dict[str, tuple[int, str]] = {}
    for at, each in enumerate(items(said(field, "/Opt"))):
        pair = [str(one) for one in items(each)] or [str(each)]
        told |= dict.fromkeys(reversed(pair), (at, pair[0]))
    chosen = [told.get(each) for each in wanted]
    if None in chosen and not (flags & _COMBO and flags & _EDIT and len(wanted) == 1):
        return False
    values = [String(one[1] if one else name) for one, name in zip(chosen, wanted, strict=True)]
    field["/V"] = values[0] if len(values) == 1 else Array(values)
    if "/I" in field:
        del field["/I"]
    places = sorted(one[0] for one in chosen if one)
    if places and not flags & _COMBO:
        field["/I"] = Array(places)
        rows = min((room_of(widget).rows() for widget in widgets_of(field)), default=1)
        field["/TI"] = places[0] if places[-1] >= rows else 0  # a choice that is scrolled out is not seen
    return True


def _button(field: Any, value: Value, flags: int) -> bool:
    widgets = widgets_of(field)
    states = [states_of(widget) for widget in widgets]
    state = _state(field, value, states, radio=bool(flags & _RADIO))
    if state is None:
        return False
    field["/V"] = Name(state)
    for widget, own in zip(widgets, states, strict=True):
        widget["/AS"] = Name(state if state in own else "/Off")
    return True


def _state(field: Any, value: Value, states: list[list[str]], *, radio: bool) -> str | None:
    """The name of the look that shows the value; None where it has none."""
    known = list(dict.fromkeys(each for own in states for each in own))
    if value is False or value in ("", "Off"):
        return "/Off"
    if value is True:
        return (known or ["/Yes"])[0] if not radio or len(known) == 1 else None
    if not isinstance(value, str):
        return None
    if f"/{value}" in known:
        return f"/{value}"
    told = [str(each) for each in items(said(field, "/Opt"))]
    told = told if value in told else [_number(widget) for widget in widgets_of(field)]
    own = states[told.index(value)] if value in told and told.index(value) < len(states) else []
    return own[0] if own else None


def _number(widget: Any) -> str:
    """How pdf.js calls a widget: the site offers a button without a name of its own under it."""
    number, generation = widget.objgen
    return f"{number}R{generation or ''}"


_FILLERS = {"/Tx": _text, "/Ch": _choice, "/Btn": _button}
