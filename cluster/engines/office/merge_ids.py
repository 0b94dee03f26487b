"""Ids that a whole Word document may have once each: of drawings, shapes, content controls and notes."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from cluster.engines.office.merge_parts import NOTES, TYPE, rename
from cluster.engines.office.package import Package, W

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_VML = "{urn:schemas-microsoft-com:vml}"


def renumber(package: Package, tree: Any) -> None:
    """Let drawings and content controls of `tree`, and of the headers and notes beside it, have ids of their own."""
    free, taken = count(1), set[str]()
    _number(tree, free, taken)
    for part in [each for each in package.parts if each != package.main and _is_text(package, each)]:
        beside = package.tree(part)
        _number(beside, free, taken)
        package.put(part, beside)
    _name_shapes(tree)


def _is_text(package: Package, part: str) -> bool:
    """Whether a part has drawings or content controls: a header, a footer, notes, comments."""
    held = package.parts[part]
    return package.types.get(part, "").startswith(TYPE) and (b":docPr " in held or b":sdtPr" in held)


def _number(tree: Any, free: "count[int]", taken: set[str]) -> None:
    for each in tree.iter(_DRAWING):
        each.set("id", str(next(free)))
    for each in tree.iter(W + "sdtPr"):
        mark = each.find(W + "id")
        if mark is None:
            continue
        while mark.get(W + "val") in taken:
            mark.set(W + "val", str((int(mark.get(W + "val")) + 7919) % (1 << 31)))
        taken.add(mark.get(W + "val"))


def _name_shapes(tree: Any) -> None:
    """Shapes of old drawings have a name each, by which an embedded object knows its own; their kinds stand once."""
    names, kinds = set[str](), set[str]()
    for each in list(tree.iter(f"{_VML}shape", f"{_VML}shapetype")):
        name = each.get("id", "")
        if name and each.tag == f"{_VML}shapetype":
            if name in kinds:
                each.getparent().remove(each)
            kinds.add(name)
        elif name in names:
            each.set("id", made := f"{name}_{len(names)}")
            for other in each.itersiblings():
                if other.get("ShapeID") == name:
                    other.set("ShapeID", made)
            names.add(made)
        elif name:
            names.add(name)


def number_notes(package: Package, tree: Any) -> None:
    """Give notes the ids 1, 2, 3 … as they stand in their part: LibreOffice finds them by counting.

    The lines above them get those below and behind: Word takes a file whose ids are not unique for a damaged one.
    """
    for kind, (name, marks) in NOTES.items():
        part = package.of_kind(kind)
        if part is None or kind == "comments":
            continue
        notes = package.tree(part)
        every = notes.findall(W + name)
        listed = [each for each in every if each.get(W + "type") in (None, "normal")]
        ids = {each.get(W + "id"): str(number) for number, each in enumerate(listed, 1)}
        rename(iter(listed), "id", ids)
        rename(tree.iter(*(W + mark for mark in marks)), "id", ids)
        _number_lines(package, name, [each for each in every if each not in listed], len(listed))
        package.put(part, notes)


def _number_lines(package: Package, name: str, lines: Sequence[Any], count: int) -> None:
    """Ids for what stands between text and `count` notes, which the settings name, too."""
    free = [-1, 0, *range(count + 1, count + len(lines))]
    ids = {each.get(W + "id"): str(number) for each, number in zip(lines, free, strict=False)}
    rename(iter(lines), "id", ids)
    if (part := package.of_kind("settings")) is not None:
        settings = package.tree(part)
        rename(settings.iter(W + name), "id", ids)
        package.put(part, settings)
