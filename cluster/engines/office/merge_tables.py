"""Tables of a Word document where they stood, behind another that sets tables by other rules."""

from collections.abc import Iterator
from typing import Any

from cluster.engines.office.merge_said import compat
from cluster.engines.office.package import Package, W, parsed

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
#: From this mode of Word's on (2013) a table's edge stands at the margin; before, the text in its cells did.
_EDGES = 15
#: Twips between a cell's edge and its text where nothing says it.
_PADDING = 108
#: Of a table's properties those that stand before its indent in the schema's order.
_BEFORE = {W + tag for tag in (
    "tblStyle", "tblpPr", "tblOverlap", "bidiVisual", "tblStyleRowBandSize", "tblStyleColBandSize", "tblW", "jc",
    "tblCellSpacing",
)}  # fmt: skip


def place_tables(base: Package, other: Package) -> None:
    """Indent the tables of `other` so that the rule of `base` sets them where its own did."""
    here, there = (_edges_count(each) for each in (base, other))
    if here == there:
        return
    part = other.of_kind("styles")
    styles = {each.get(f"{W}styleId"): each for each in other.tree(part).iter(W + "style")} if part else {}
    for name in [each for each in other.parts if other.types.get(each, "").startswith(_TYPE)]:
        tree = parsed(other.parts[name])
        for table in tree.iter(W + "tbl"):
            if next(table.iterancestors(W + "tbl", W + "txbxContent"), None) is None:
                _indent(table, styles, 1 if there else -1)
        other.put(name, tree)


def _edges_count(package: Package) -> bool:
    mode = compat(package, "compatibilityMode")
    return mode.isdecimal() and int(mode) >= _EDGES


def _indent(table: Any, styles: dict[str, Any], way: int) -> None:
    """Move a table by its cells' padding; one in the middle, on the right or of a right-to-left page stays."""
    boxes = list(_said(table, styles))
    sides = (each.get(f"{W}val") for box in boxes for each in box.findall(W + "jc"))
    if not boxes or next(sides, "left") not in ("left", "start") or boxes[0].find(W + "bidiVisual") is not None:
        return
    padding = _width(boxes, ("tblCellMar/w:left", "tblCellMar/w:start"), _PADDING)
    own = boxes[0].find(W + "tblInd")
    indent = _width(boxes, ("tblInd",), 0) + way * padding
    if own is None:
        own = boxes[0].makeelement(W + "tblInd")
        boxes[0].insert(sum(each.tag in _BEFORE for each in boxes[0]), own)
    own.set(f"{W}w", str(indent))
    own.set(f"{W}type", "dxa")


def _said(table: Any, styles: dict[str, Any]) -> Iterator[Any]:
    """The properties of a table, then those of its style and of what that is based on."""
    own = table.find(W + "tblPr")
    if own is None:
        return
    yield own
    usual = (each for each in styles.values() if each.get(f"{W}type") == "table" and each.get(f"{W}default") == "1")
    named, passed = own.find(W + "tblStyle"), set[str]()
    style = styles.get(named.get(f"{W}val")) if named is not None else next(usual, None)
    while style is not None and style.get(f"{W}styleId") not in passed:
        passed.add(style.get(f"{W}styleId"))
        yield from style.findall(W + "tblPr")
        above = style.find(W + "basedOn")
        style = styles.get(above.get(f"{W}val")) if above is not None else None


def _width(boxes: list[Any], paths: tuple[str, ...], unsaid: int) -> int:
    """Twips that the first of the boxes tells at one of the paths."""
    found = (each for box in boxes for path in paths for each in box.findall(f"w:{path}", {"w": W[1:-1]}))
    said = (each.get(f"{W}w", "") for each in found if each.get(f"{W}type", "dxa") == "dxa")
    return next((int(each) for each in said if each.lstrip("-").isdecimal()), unsaid)
