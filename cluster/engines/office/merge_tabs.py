"""Tabs of a Word document that lead where they led, behind another whose usual tab stops stand at another distance."""

from typing import Any

from cluster.engines.office.merge_said import said
from cluster.engines.office.merge_spaces import Properties
from cluster.engines.office.merge_styles import arrange
from cluster.engines.office.package import Package, W, box_of, parsed

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
#: Twips between tab stops where nothing says it; and how far they are written, which is wider than most paper.
_APART, _FAR = 720, 14400
#: Word has no more stops than so many in a paragraph.
_MOST = 60


def place_tabs(base: Package, other: Package) -> None:
    """Write the usual tab stops of `other` into its paragraphs with tabs, where those of `base` stand elsewhere."""
    step = _apart(other)
    if step == _apart(base) or not step:
        return
    part = other.of_kind("styles")
    properties = Properties(other.tree(part) if part else None)
    for name in [each for each in other.parts if other.types.get(each, "").startswith(_TYPE)]:
        tree = parsed(other.parts[name])
        for paragraph in [each for each in tree.iter(W + "p") if each.find(f".//{W}r/{W}tab") is not None]:
            _place(paragraph, list(properties.boxes(paragraph)), step)
        other.put(name, tree)


def _apart(package: Package) -> int:
    told = said(package, "defaultTabStop")
    value = told.get(f"{W}val", "") if told is not None else ""
    return int(value) if value.isdecimal() else _APART


def _place(paragraph: Any, boxes: list[Any], step: int) -> None:
    """Stops behind the last that is told and the indent, which is one itself; a list's indent is not known here."""
    if any(box.find(W + "numPr") is not None for box in boxes):
        return
    stops = [each for box in boxes for each in box.iterfind(f"{W}tabs/{W}tab") if each.get(f"{W}val") != "clear"]
    ends = [_twips(each.get(f"{W}pos")) for each in stops]
    indents = (each.get(f"{W}left") or each.get(f"{W}start") for box in boxes for each in box.iterfind(W + "ind"))
    begin = max([*ends, _twips(next((each for each in indents if each), "")), 0]) // step + 1
    held = box_of(paragraph)
    listed = held.find(W + "tabs")
    if listed is None:
        listed = held.makeelement(W + "tabs")
        held.append(listed)
        arrange(held)
    for number in range(begin, min(_FAR // step + 1, begin + _MOST - len(stops))):
        listed.append(listed.makeelement(W + "tab", {f"{W}val": "left", f"{W}pos": str(number * step)}))


def _twips(told: str | None) -> int:
    return int(told) if told and told.lstrip("-").isdecimal() else 0
