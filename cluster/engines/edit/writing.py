"""Edited content written back: streams spliced by span, forms and resources that others share are copied."""

from collections.abc import Iterator
from copy import copy
from typing import Any

import pikepdf

from cluster.engines.edit.scene import Glyph, Piece, Scene, Show
from cluster.engines.pdf.nodes import inherited, is_dictionary


def number(value: float) -> bytes:
    """As PDF writes numbers: no exponent, no idle zeros."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return b"0" if text in ("-0", "") else text.encode()


def numbers(*values: float) -> bytes:
    """Several, with blanks between."""
    return b" ".join(map(number, values))


def shown(show: Show) -> bytes:
    """The operators that show the parts which the show has now."""
    made, held = list[bytes](), list[bytes | float]()
    for part in show.parts:
        if isinstance(part, Piece) and not part.own:
            made += [_array(held), part.told] if held else [part.told]
            held = []
        else:
            held.append(part.code.data if isinstance(part, Glyph) else part.told if isinstance(part, Piece) else part)
    return show.lead + b" ".join([*made, _array(held)] if held or not made else made)


def _array(parts: "list[bytes | float]") -> bytes:
    joined: list[bytes | float] = []
    for each in parts:
        if joined and isinstance(each, bytes) == isinstance(joined[-1], bytes):
            joined[-1] += each  # type: ignore[operator]
        else:
            joined.append(each)
    told = [b"<%b>" % each.hex().encode() if isinstance(each, bytes) else number(each) for each in joined]
    return b"[" + b" ".join(told) + b"]TJ"


def gone(show: Show, glyph: Glyph) -> float:
    """The adjustment that goes on as far as a glyph does, without it."""
    if not show.size:
        return 0.0
    extra = show.spacing + (show.words if glyph.code.data == b" " else 0.0)
    return -1000 * (glyph.code.advance + extra / show.size)


def write_page(pdf: "pikepdf.Pdf", page: "pikepdf.Page", scene: Scene) -> bool:
    """Give the page what its scene became; False when nothing was edited."""
    if not is_edited(scene):
        return False
    data, resources = _written(pdf, scene)
    page.obj["/Contents"] = pdf.make_stream(data)
    if resources is not inherited(page, "/Resources"):
        page.obj["/Resources"] = resources
    return True


def is_edited(scene: Scene) -> bool:
    """Whether it, a form or a soft mask in it was."""
    return any(each.edits or each.added for each in scene.whole())


def copied(scene: Scene) -> Iterator[Any]:
    """The forms and groups of soft masks that were edited: copies are drawn instead of them."""
    masks = ((span, state["/SMask"]["/G"], inner) for span, state, inner in scene.masks)
    for _, form, inner in (*scene.forms, *masks):
        if is_edited(inner):
            yield form
        yield from copied(inner)


def _written(pdf: "pikepdf.Pdf", scene: Scene) -> tuple[bytes, Any]:
    edits = dict(scene.edits)
    for span, form, inner in scene.forms:
        if span not in edits and is_edited(inner):
            edits[span] = scene.name("/XObject", write_form(pdf, form, inner), "Fm").encode() + b" Do"
    for span, state, inner in scene.masks:
        if is_edited(inner):
            mask = {**dict(state["/SMask"].items()), "/G": write_form(pdf, state["/SMask"]["/G"], inner)}
            made = pikepdf.Dictionary({**dict(state.items()), "/SMask": pikepdf.Dictionary(mask)})
            edits[span] = scene.name("/ExtGState", made, "Gs").encode() + b" gs"
    parts, copied = list[bytes](), 0
    for (start, end), new in sorted(edits.items()):
        if start >= copied:
            parts += (scene.data[copied:start], b" ", new, b" ")
            copied = end
    return b"".join(parts) + scene.data[copied:], _resources(scene)


def write_form(pdf: "pikepdf.Pdf", form: Any, inner: Scene) -> Any:
    """A copy of a form or pattern that draws what it became."""
    data, resources = _written(pdf, inner)
    left = ("/Length", "/Filter", "/DecodeParms", "/Resources", "/PieceInfo", "/Metadata", "/LastModified")
    entries = {key: value for key, value in form.items() if key not in left}
    return pdf.make_stream(data, pikepdf.Dictionary({**entries, "/Resources": resources}))


def _resources(scene: Scene) -> Any:
    """The same, or a copy with what was added."""
    if not scene.added:
        return scene.resources if scene.resources is not None else pikepdf.Dictionary()
    own = copy(scene.resources) if is_dictionary(scene.resources) else pikepdf.Dictionary()
    for category in {category for category, _ in scene.added}:
        held = own.get(category)
        own[category] = copy(held) if is_dictionary(held) else pikepdf.Dictionary()
    for (category, name), value in scene.added.items():
        own[category][name] = value
    return own
