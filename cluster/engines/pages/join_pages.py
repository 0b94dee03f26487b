"""Make pages stand on their own before they are carried over: inherited entries, links to pages left out."""

from dataclasses import dataclass
from typing import Any

import pikepdf

from cluster.engines.pages.excerpt import Part
from cluster.engines.pdf.nodes import get, is_dictionary, items

_INHERITED = ("/Resources", "/MediaBox", "/CropBox", "/Rotate")
_DEEPEST = 50


@dataclass
class Tally:
    """Links and other annotations of the chosen pages, and how many of the links went."""

    links: int = 0
    links_lost: int = 0
    annotations: int = 0
    annotations_lost: int = 0


def prepare_pages(part: Part, tally: Tally) -> None:
    """Change the chosen pages in memory so that they need nothing of the page tree or of other pages."""
    _inherit(part)
    if not part.whole:
        _forget_others(part)
    if part.doubled:
        _separate(part)
    for page in part.pages:
        _look(part, page, tally)


def _inherit(part: Part) -> None:
    known: dict[tuple[int, int], dict[str, Any]] = {(0, 0): {}}
    for page in part.pages:
        above = page.get("/Parent")
        if not is_dictionary(above):
            continue
        if above.objgen not in known:
            known[above.objgen] = _attributes(above)
        for key, value in known[above.objgen].items():
            if key not in page:
                page[key] = value


def _attributes(node: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(_DEEPEST):
        if not is_dictionary(node):
            break
        found = {key: node[key] for key in _INHERITED if key in node} | found
        node = node.get("/Parent")
    return found


def _forget_others(part: Part) -> None:
    """Article beads chain all pages, and shared resources hold what only other pages draw."""
    for page in part.pages:
        if "/B" in page:
            del page["/B"]
        pikepdf.Page(page).remove_unreferenced_resources()


def _separate(part: Part) -> None:
    """A page that is named again becomes a page of its own; a field cannot be doubled, its look can."""
    seen: set[tuple[int, int]] = set()
    for index, page in enumerate(part.pages):
        if page.objgen not in seen:
            seen.add(page.objgen)
            continue
        twin = part.pdf.make_indirect(pikepdf.Dictionary(page))
        if "/StructParents" in twin:
            del twin["/StructParents"]
        kept = [each for each in items(page.get("/Annots")) if get(each, "/Subtype") not in ("/Widget", "/Popup")]
        twin["/Annots"] = pikepdf.Array([_copied(part, each, twin) for each in kept if is_dictionary(each)])
        part.pages[index] = twin
        part.transcript.numbers[twin.objgen] = part.numbers[index]


def _copied(part: Part, annotation: Any, page: Any) -> Any:

    made = pikepdf.Dictionary(annotation)
    for key in ("/Popup", "/IRT", "/StructParent"):
        if key in made:
            del made[key]
    if "/P" in made:
        made["/P"] = page
    return part.pdf.make_indirect(made)


def _look(part: Part, page: Any, tally: Tally) -> None:
    if "/Annots" not in page:
        return
    kept, lost = [], 0
    for each in items(page["/Annots"]):
        subtype = str(each.get("/Subtype", "")) if is_dictionary(each) else ""
        if subtype == "/Link":
            tally.links += 1
            if not part.holds(part.targets.page(each)):
                lost += 1
                part.transcript.numbers[each.objgen] = None
                continue
        elif subtype not in ("/Widget", "/Popup", ""):
            tally.annotations += 1
        kept.append(each)
    if lost:
        tally.links_lost += lost
        page["/Annots"] = part.pdf.make_indirect(_array(kept))


def _array(values: list[Any]) -> Any:

    return pikepdf.Array(values)
