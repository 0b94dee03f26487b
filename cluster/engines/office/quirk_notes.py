"""Endnotes of a Word document that LibreOffice shall have right behind their text, as Word does.

LibreOffice has them on a page of their own behind all; but what stands in a section (its own kind, not Word's) may have
them behind it. Here bookmarks are put around the texts that become such ones once they are open (steps.py).
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from cluster.engines.office.merge_said import is_on
from cluster.engines.office.merge_sections import low
from cluster.engines.office.merge_styles import arrange
from cluster.engines.office.package import W, box_of

#: How bookmarks begin that span a text behind which its endnotes stand.
GATHERED = "PapercraneEndnotes"
#: What stands in a body.
BLOCKS = (W + "p", W + "tbl", W + "sdt")
#: From here on ids of bookmarks are free.
_FREE = 1 << 30


def span_notes(settings: Any, body: Any) -> bool:
    """Bookmarks around each text behind which its endnotes stand.

    None where columns begin or end within it: LibreOffice would have a part of its notes behind them.
    """
    if next(body.iter(W + "endnoteReference"), None) is None:
        return False
    count = 0
    for blocks, sections in _texts(body, _apart(settings)):
        noted = any(next(each.iter(W + "endnoteReference"), None) is not None for each in blocks)
        if noted and not any(map(_goes_on, sections[1:])):
            _span(blocks, count, broken=not any(map(_goes_on, sections[:1])))
            count += 1
    return count > 0


def _apart(settings: Any) -> bool:
    """Whether the settings have endnotes behind each section."""
    place = settings.find(f"{W}endnotePr/{W}pos") if settings is not None else None
    return place is not None and place.get(f"{W}val") == "sectEnd"


def _texts(body: Any, apart: bool) -> Iterator[tuple[list[Any], list[Any]]]:
    """What has its endnotes behind it: the whole, or where they stand `apart` each section that does not leave them to
    the next. Blocks, and the sections in which they are."""
    blocks, sections = list[Any](), list[Any]()
    for block in [each for each in body if each.tag in BLOCKS]:
        blocks.append(block)
        ended = block.findall(f"{W}pPr/{W}sectPr")
        sections += ended
        if apart and ended and not is_on(ended[0].find(W + "noEndnote")):
            yield blocks, sections
            blocks, sections = [], []
    yield blocks, sections + body.findall(W + "sectPr")


def _goes_on(section: Any) -> bool:
    """Whether a section begins on the page of the one before."""
    kind = section.find(W + "type")
    return kind is not None and kind.get(f"{W}val") == "continuous"


def _span(blocks: list[Any], number: int, broken: bool) -> None:
    """A bookmark around blocks. A paragraph before them takes the break and the paper of the page that they begin, one
    behind them the end of their section: where their notes need a page more, the next one would begin behind these."""
    if blocks[0].getprevious() is not None:
        blocks[0].addprevious(low())
        if broken:
            unbreak(blocks[0])
    if blocks[0].tag != W + "p":
        blocks[0].addprevious(low())
        blocks.insert(0, blocks[0].getprevious())
    if (section := blocks[-1].find(f"{W}pPr/{W}sectPr")) is not None:
        _end_behind(blocks, section)
    names = {f"{W}id": str(_FREE + number), f"{W}name": f"{GATHERED}{number}"}
    begin = blocks[0].makeelement(W + "bookmarkStart", names)
    end = begin.makeelement(W + "bookmarkEnd", {f"{W}id": names[f"{W}id"]})
    box_of(blocks[0]).addnext(begin)
    blocks[-1].append(end) if blocks[-1].tag == W + "p" else blocks[-1].addnext(end)


def _end_behind(blocks: list[Any], section: Any) -> None:
    """Let a section end in a low paragraph behind its last one, which falls away where nothing is in it: LibreOffice
    drops such ones. A blank in the low one keeps it."""
    last, tail = blocks[-1], low()
    tail.find(W + "pPr").append(section)
    tail.append(tail.makeelement(W + "r"))
    tail[-1].append(deepcopy(tail.find(f"{W}pPr/{W}rPr")))
    tail[-1].append(tail.makeelement(W + "t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"}))
    tail[-1][-1].text = " "
    last.addnext(tail)
    if len(blocks) > 1 and not shows(last):
        last.getparent().remove(blocks.pop())
    if blocks[-1].tag != W + "p":
        tail.addprevious(low())
        blocks.append(tail.getprevious())


def shows(paragraph: Any) -> bool:
    """Whether a paragraph has anything in its runs."""
    return any(each.tag != W + "rPr" for run in paragraph.iter(W + "r") for each in run)


def unbreak(block: Any) -> None:
    """Where a page begins anyway no break is before its first paragraph, nor by its style."""
    held = box_of(next(block.iter(W + "p"), block))
    for each in held.findall(W + "pageBreakBefore"):
        held.remove(each)
    held.append(held.makeelement(W + "pageBreakBefore", {f"{W}val": "0"}))
    arrange(held)
