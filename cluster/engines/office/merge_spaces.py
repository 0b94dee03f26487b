"""Space between the paragraphs of a Word document as it was, behind another that reckons it otherwise.

Between two paragraphs Word leaves the larger of what the upper one wants below and the lower one above; where a
document says "don't use HTML paragraph auto spacing", it leaves both.
"""

from collections.abc import Iterator
from typing import Any

from cluster.engines.office.merge_said import holds, is_on
from cluster.engines.office.merge_styles import arrange
from cluster.engines.office.package import Package, W, box_of, parsed

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_ADDS = "doNotUseHTMLParagraphAutoSpacing"
_NO = ("0", "false", "off")


def space_paragraphs(base: Package, other: Package) -> None:
    """Change what paragraphs of `other` want below them so that the rule of `base` leaves what its own did."""
    here, there = (holds(each, f"compat/{_ADDS}") for each in (base, other))
    if here == there:
        return
    part = other.of_kind("styles")
    wishes = _Wishes(other.tree(part) if part else None)
    for name in [each for each in other.parts if other.types.get(each, "").startswith(_TYPE)]:
        tree = parsed(other.parts[name])
        for upper, lower in _neighbours(tree):
            below, above = wishes.between(upper, lower)
            if below and above:
                _want(upper, below + above if there else max(below - above, 0))
        other.put(name, tree)


def _neighbours(tree: Any) -> Iterator[tuple[Any, Any]]:
    for paragraph in tree.iter(W + "p"):
        following = paragraph.getnext()
        if following is not None and following.tag == W + "p":
            yield paragraph, following


def _want(paragraph: Any, below: int) -> None:
    """Write the twips wanted below a paragraph; said in lines it would go before them."""
    box = box_of(paragraph)
    spacing = box.find(W + "spacing")
    if spacing is None:
        spacing = box.makeelement(W + "spacing")
        box.append(spacing)
        arrange(box)
    spacing.attrib.pop(f"{W}afterLines", None)
    spacing.set(f"{W}after", str(below))
    spacing.set(f"{W}afterLines", "0")


class Properties:
    """What holds for paragraphs: by themselves, their style, what it is based on, and the defaults."""

    def __init__(self, styles: Any) -> None:
        held = () if styles is None else styles.iter(W + "style")
        self.styles = {each.get(f"{W}styleId"): each for each in held if each.get(f"{W}type") == "paragraph"}
        self.usual = next((name for name, each in self.styles.items() if each.get(f"{W}default") == "1"), "")
        self.defaults = None if styles is None else styles.find(f"{W}docDefaults/{W}pPrDefault/{W}pPr")

    def style(self, paragraph: Any) -> str:
        """The id of a paragraph's style."""
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        return self.usual if named is None else str(named.get(f"{W}val"))

    def boxes(self, paragraph: Any) -> Iterator[Any]:
        """The properties that hold for a paragraph, nearest first; what a table's style says is not known."""
        yield from paragraph.findall(W + "pPr")
        style, passed = self.styles.get(self.style(paragraph)), set[str]()
        while style is not None and style.get(f"{W}styleId") not in passed:
            passed.add(style.get(f"{W}styleId"))
            yield from style.findall(W + "pPr")
            above = style.find(W + "basedOn")
            style = self.styles.get(above.get(f"{W}val")) if above is not None else None
        if self.defaults is not None and next(paragraph.iterancestors(W + "tbl"), None) is None:
            yield self.defaults


class _Wishes(Properties):
    """What paragraphs want above and below."""

    def between(self, upper: Any, lower: Any) -> tuple[int, int]:
        """Twips: what the upper one wants below and the lower one above; 0 where that does not count."""
        below, above = self._wanted(upper, "after"), self._wanted(lower, "before")
        if self.style(upper) == self.style(lower):
            below, above = (
                0 if self._says(each, "contextualSpacing") else wanted
                for each, wanted in ((upper, below), (lower, above))
            )
        return below, above

    def _wanted(self, paragraph: Any, side: str) -> int:
        for box in self.boxes(paragraph):
            spacing = box.find(W + "spacing")
            if spacing is not None and spacing.get(f"{W}{side}Autospacing", "0") not in _NO:
                return 0
            if spacing is not None and (said := spacing.get(f"{W}{side}", "")).isdecimal():
                return int(said)
        return 0

    def _says(self, paragraph: Any, tag: str) -> bool:
        found = (each for box in self.boxes(paragraph) for each in box.findall(W + tag))
        return is_on(next(found, None))
