"""Count what a PDF carries besides ink, for the fidelity receipt: the same counting before and after."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pikepdf


@dataclass(frozen=True)
class Counts:
    """How many of each the document holds."""

    bookmarks: int = 0
    links: int = 0
    annotations: int = 0
    fields: int = 0
    attachments: int = 0
    destinations: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def count(pdf: "pikepdf.Pdf") -> Counts:
    """Counts of `pdf`; loops and broken trees count as far as they can be read."""
    links = others = 0
    for page in pdf.pages:
        subtypes = [_subtype(annotation) for annotation in _array(page.obj.get("/Annots"))]
        links += subtypes.count("/Link")
        others += sum(subtype not in ("/Link", "/Widget", "/Popup", "") for subtype in subtypes)
    root = pdf.Root
    return Counts(
        bookmarks=_siblings(_get(_get(root, "/Outlines"), "/First"), set()),
        links=links,
        annotations=others,
        fields=_terminal_fields(_array(_get(_get(root, "/AcroForm"), "/Fields")), set()),
        attachments=_names(_get(_get(root, "/Names"), "/EmbeddedFiles"), set()),
        destinations=_names(_get(_get(root, "/Names"), "/Dests"), set()) + len(_keys(_get(root, "/Dests"))),
    )


def _siblings(node: Any, seen: set[tuple[int, int]]) -> int:
    total, stack = 0, [node]
    while stack:
        node = stack.pop()
        if not _is_dictionary(node) or node.objgen in seen:
            continue
        seen.add(node.objgen)
        total += 1
        stack += [node.get("/Next"), node.get("/First")]
    return total


def _terminal_fields(nodes: list[Any], seen: set[tuple[int, int]]) -> int:
    total, stack = 0, list(nodes)
    while stack:
        node = stack.pop()
        if not _is_dictionary(node) or (node.is_indirect and node.objgen in seen):
            continue
        seen.add(node.objgen)
        kids = [kid for kid in _array(node.get("/Kids")) if _is_dictionary(kid) and "/T" in kid]
        stack += kids
        total += not kids
    return total


def _names(tree: Any, seen: set[tuple[int, int]]) -> int:
    total, stack = 0, [tree]
    while stack:
        node = stack.pop()
        if not _is_dictionary(node) or (node.is_indirect and node.objgen in seen):
            continue
        seen.add(node.objgen)
        total += len(_array(node.get("/Names"))) // 2
        stack += _array(node.get("/Kids"))
    return total


def _get(node: Any, key: str) -> Any:
    return node.get(key) if _is_dictionary(node) else None


def _keys(node: Any) -> list[str]:
    return list(node.keys()) if _is_dictionary(node) else []


def _subtype(annotation: Any) -> str:
    return str(annotation.get("/Subtype", "")) if _is_dictionary(annotation) else ""


def _is_dictionary(node: Any) -> bool:
    import pikepdf

    return isinstance(node, pikepdf.Dictionary)


def _array(node: Any) -> list[Any]:
    import pikepdf

    return list(node) if isinstance(node, pikepdf.Array) else []
