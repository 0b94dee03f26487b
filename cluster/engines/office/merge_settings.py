"""What a Word document says once for all its pages, where another is put behind it."""

import re
from typing import Any

from cluster.engines.office.merge_said import holds, put, said, turn_on
from cluster.engines.office.merge_sections import sections
from cluster.engines.office.merge_styles import fill
from cluster.engines.office.package import Package, W

#: Where squeezing of punctuation shows.
_SQUEEZED = re.compile("[\u3001-\u3003\u3008-\u3011\uff01-\uff0f\uff1a-\uff20]")


def agree(base: Package, other: Package) -> None:
    """Let `base` say what `other` says, where nothing in `base` looks different by that."""
    tree = base.tree(base.main)
    for name, shows in _SHOWS.items():
        theirs, mine = (said(each, name) for each in (other, base))
        if theirs is not None and _look(theirs) != _look(mine) and not shows(tree):
            put(base, theirs)
    _hyphenate(base, other)


def notes_behind_sections(package: Package) -> bool:
    """Whether endnotes stand behind each section."""
    place = said(package, "endnotePr/pos")
    return place is not None and place.get(f"{W}val") == "sectEnd"


def part_notes(package: Package, tree: Any) -> bool:
    """Let endnotes stand behind their section, where there are any."""
    if tree.find(f".//{W}endnoteReference") is None:
        return False
    held = said(package, "endnotePr")
    made = tree.makeelement(W + "endnotePr") if held is None else held
    for each in made.findall(W + "pos"):
        made.remove(each)
    made.insert(0, made.makeelement(W + "pos", {f"{W}val": "sectEnd"}))
    put(package, made)
    return True


def _punctuation_shows(tree: Any) -> bool:
    return any(_SQUEEZED.search(each.text or "") for each in tree.iter(W + "t"))


def _tabs_show(tree: Any) -> bool:
    """A tab in a text, or a list: a tab stands behind its numbers."""
    return tree.find(f".//{W}r/{W}tab") is not None or tree.find(f".//{W}numPr") is not None


def _margins_show(tree: Any) -> bool:
    margins = [each for section in sections(tree) for each in section.findall(W + "pgMar")]
    return any(each.get(f"{W}left") != each.get(f"{W}right") for each in margins)


#: Settings, and whether a document shows them.
_SHOWS = {
    "characterSpacingControl": _punctuation_shows,
    "defaultTabStop": _tabs_show,
    "mirrorMargins": _margins_show,
}


def _look(node: Any) -> str:
    return "" if node is None else str(node.get(f"{W}val", "on"))


def _hyphenate(base: Package, other: Package) -> None:
    """Where one of both parts words at the ends of lines, the other's styles say that they do not."""
    here, there = (holds(each, "autoHyphenation") for each in (base, other))
    if here == there:
        return
    whole = other if here else base
    part = whole.of_kind("styles")
    if part is not None:
        styles = whole.tree(part)
        keep = styles.makeelement(W + "suppressAutoHyphens")
        for style in styles.iter(W + "style"):
            if style.get(f"{W}type") == "paragraph" and style.find(W + "basedOn") is None:
                fill(style, "pPr", [keep])
        whole.put(part, styles)
    if there:
        turn_on(base, "autoHyphenation")
