"""Word documents put together into one: each keeps what it has, under names of its own where they clash.

made = Merged(read(first), Wishes(join="section"))
made.add(read(second), heading="附件二")
made.write(path)
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.engines.office import merge_ids, merge_parts, merge_sections, package
from cluster.engines.office.merge_contents import Contents, headings
from cluster.engines.office.merge_fonts import call_fonts, carry_fonts
from cluster.engines.office.merge_parts import Carrier
from cluster.engines.office.merge_said import holds, turn_on
from cluster.engines.office.merge_settings import agree, notes_behind_sections, part_notes
from cluster.engines.office.merge_spaces import space_paragraphs
from cluster.engines.office.merge_styles import Lists, join_styles
from cluster.engines.office.merge_tables import place_tables
from cluster.engines.office.merge_tabs import place_tabs
from cluster.engines.office.merge_words import run_of
from cluster.engines.office.package import Package, W, box_of, widened

#: The setting that left pages have headers of their own.
_FACING = "evenAndOddHeaders"


@dataclass(frozen=True)
class Wishes:
    """How documents meet: `join` is page, section or continuous; `keep_setup` each one's page, headers and footers;
    `continued` lists and page numbers go on."""

    join: str = "section"
    keep_setup: bool = True
    continued: bool = False


class Merged:
    """The first document, to which others are added."""

    def __init__(self, first: Package, wishes: Wishes) -> None:
        self.base, self.wishes, self.count = first, wishes, 1
        self.tree = first.tree(first.main)
        held = merge_sections.sections(self.body)
        self.model = held[0] if held else None
        #: Of each document whether its endnotes stand behind each section; and the sections of those that begin a page.
        self.apart, self.texts = [notes_behind_sections(first)], list[list[Any]]()
        if len(held) == 1:  # the last one till now, whose way to begin LibreOffice passes over: no longer
            merge_sections.begin(held[0], "nextPage")

    @property
    def body(self) -> Any:
        return self.tree.find(W + "body")

    def add(self, other: Package, heading: str = "") -> None:
        """Put a document behind those that are there; `heading` stands before it."""
        self.count += 1
        self.apart.append(notes_behind_sections(other))
        agree(self.base, other)
        merge_parts.part_stores(self.base, other, self.count)
        place_tables(self.base, other)
        space_paragraphs(self.base, other)
        place_tabs(self.base, other)
        names = carry_fonts(self.base, other, self.count)
        merge_parts.plain_theme(other, self.base, apart=bool(names))
        call_fonts(other, names)
        lists = Lists(self.base, other, self.count, self.wishes.continued)
        carrier = Carrier(self.base, other, self.count, *join_styles(self.base, other, self.count, lists))
        self._save()
        body = carrier.body()
        carrier.carry_rest()
        facing = holds(other, _FACING), holds(self.base, _FACING)
        if heading:
            body.insert(0, _heading(body, heading))
        self.tree = widened(self.tree, other.tree(other.main))
        if facing[0] and not facing[1]:
            self._face()
        self._meet(body, repeat=facing[1] and not facing[0])

    def lead(self, heading: str) -> None:
        """A heading before the first document."""
        self.body.insert(0, _heading(self.body, heading))

    def contents(self, title: str) -> Contents:
        """A page of contents before all that is there."""
        part = self.base.of_kind("styles")
        return Contents(self.tree, self.base.tree(part) if part else None, title)

    def write(self, path: Path) -> None:
        """Write the whole. Where each document begins a page its endnotes stand behind it."""
        if self.texts and part_notes(self.base, self.tree):
            for apart, sections in zip(self.apart, self.texts, strict=True):
                merge_sections.leave_notes([] if apart else sections)
        merge_ids.renumber(self.base, self.tree)
        merge_ids.number_notes(self.base, self.tree)
        self._save()
        merge_parts.drop_lost(self.base)
        package.write(self.base, path)

    def _save(self) -> None:
        self.base.put(self.base.main, self.tree)

    def _meet(self, body: Any, repeat: bool) -> None:
        """Join the bodies as wished: with a section between them, or as one text."""
        apart = self.wishes.join == "section" or self.wishes.keep_setup
        if not apart:
            self._run_on(body)
            return
        theirs = merge_sections.last_section(body)
        mine = self.body
        merge_sections.end_section(mine)
        merge_sections.lead_in(body)
        first = merge_sections.sections(body)[0]
        merge_sections.begin(first, "continuous" if self.wishes.join == "continuous" else "nextPage")
        merge_sections.number_pages(first, restart=not self.wishes.continued)
        for each in merge_sections.sections(body):
            if not self.wishes.keep_setup and self.model is not None:
                merge_sections.like(each, self.model)
        if self.wishes.keep_setup:
            before = merge_sections.sections(mine)
            merge_sections.keep_heads(self.base, before, merge_sections.sections(body), repeat, self.count)
        if self.wishes.join != "continuous":
            self.texts += [] if self.texts else [merge_sections.sections(mine)]
            self.texts.append(merge_sections.sections(body))
        for each in [each for each in body if each is not theirs]:
            mine.append(each)
        mine.append(theirs)

    def _run_on(self, body: Any) -> None:
        """One text: the other's sections fall away, the first's last one holds for all."""
        for each in merge_sections.sections(body):
            each.getparent().remove(each)
        end = merge_sections.last_section(self.body)
        if self.wishes.join == "page":
            _break_before(body)
        for each in list(body):
            end.addprevious(each)

    def _face(self) -> None:
        """Left pages have headers of their own now: those of documents without any repeat their usual ones."""
        turn_on(self.base, _FACING)
        merge_sections.keep_heads(self.base, [], merge_sections.sections(self.body), True, self.count)


def headed(package: Package) -> bool:
    """Whether a document has headings that contents can list."""
    part = package.of_kind("styles")
    return bool(headings(package.tree(package.main), package.tree(part) if part else None))


def _heading(body: Any, text: str) -> Any:
    """A paragraph that stands in contents lists, whatever styles there are."""
    paragraph = body.makeelement(W + "p")
    box = paragraph.makeelement(W + "pPr")
    for tag, values in (("keepNext", {}), ("spacing", {"before": "240", "after": "240"}), ("outlineLvl", {"val": "0"})):
        box.append(box.makeelement(W + tag, {W + name: value for name, value in values.items()}))
    paragraph.extend((box, run_of(paragraph, text, large=True)))
    return paragraph


def _break_before(body: Any) -> None:
    """Let a body begin on a new page."""
    first = body[0] if len(body) else None
    if first is None or first.tag != W + "p":
        first = body.makeelement(W + "p")
        body.insert(0, first)
    box = box_of(first)
    if box.find(W + "pageBreakBefore") is None:
        before = [each for each in box if each.tag in (W + "pStyle", W + "keepNext", W + "keepLines")]
        box.insert(len(before), box.makeelement(W + "pageBreakBefore"))
