"""Signature fields of an open PDF: who changes a document breaks what it was signed with."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.nodes import Key, get, is_dictionary, items

if TYPE_CHECKING:
    import pikepdf

_DEEPEST = 32


def signatures(pdf: "pikepdf.Pdf") -> int:
    """Signed signature fields: any change to the document breaks them."""
    tops = items(get(pdf.Root, "/AcroForm", "/Fields"))
    return sum(is_signed(field) for top in tops for field in terminals(top))


def is_signed(field: Any) -> bool:
    """Whether a field holds a signature."""
    kind = field.get("/FT") or get(field, "/Parent", "/FT")
    return bool(kind == "/Sig") and is_dictionary(field.get("/V"))


def terminals(top: Any) -> Iterator[Any]:
    """The fields below `top` that hold values."""
    for field in every(top):
        below = any("/T" in kid for kid in items(field.get("/Kids")) if is_dictionary(kid))
        if not below and ("/T" in field or "/Parent" not in field):
            yield field


def every(top: Any) -> Iterator[Any]:
    """A field, its kids and theirs, widgets too."""
    seen: set[Key] = set()
    waiting = [(top, 0)]
    while waiting:
        field, depth = waiting.pop()
        if not is_dictionary(field) or field.objgen in seen or depth > _DEEPEST:
            continue
        if field.is_indirect:
            seen.add(field.objgen)
        yield field
        waiting += [(kid, depth + 1) for kid in reversed(items(field.get("/Kids")))]


def full_name(field: Any) -> str:
    """The names of the field and those above it, with full stops between."""
    names: list[str] = []
    for _ in range(_DEEPEST):
        if not is_dictionary(field):
            break
        if "/T" in field:
            names.append(str(field["/T"]))
        field = field.get("/Parent")
    return ".".join(reversed(names))
