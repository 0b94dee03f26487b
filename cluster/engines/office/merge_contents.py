"""A page of contents before a merged Word document: a field that Word updates, filled so that it shows without that.

contents = Contents(tree, styles, title)    the entries' numbers are asked of whoever lays the document out
contents.fill(numbers_shown(pdf, contents.entries))
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.engines.office.merge_words import run_of
from cluster.engines.office.package import W

#: Headings so deep are listed, no more than so many; an entry shows so many letters.
_DEEPEST, _MOST, _LONGEST = 3, 2000, 200
_HEADING = re.compile(r"heading ?([1-9])")
_NUMBER = re.compile(r"(\d+|[ivxlcIVXLC]+)\s*$")
#: Twips: how far an entry of each level is set in, and a page's text is wide where no section says so.
_STEP, _WIDE = 400, 9000
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@dataclass(frozen=True)
class Entry:
    """A heading's words, its level from 1, and the text that holds its page's number."""

    words: str
    level: int
    number: Any


def headings(tree: Any, styles: Any) -> list[tuple[Any, int, str]]:
    """The document's headings down to the third level, in order: paragraph, level from 1, words."""
    levels, found = _levels(styles), []
    for paragraph in tree.iter(W + "p"):
        level, words = _level(paragraph, levels), "".join(_words(paragraph)).strip()
        inside = next(paragraph.iterancestors(W + "txbxContent", W + "tbl"), None)
        if 1 <= level <= _DEEPEST and words and inside is None:
            found.append((paragraph, level, words[:_LONGEST]))
    return found[:_MOST]


def _words(paragraph: Any) -> Iterator[str]:
    for each in paragraph.iter(W + "t", W + "tab"):
        if next(each.iterancestors(W + "del", W + "moveFrom"), None) is None:
            yield (each.text or "") if each.tag == W + "t" else " "


def _levels(styles: Any) -> dict[str, int]:
    """Each style's level, its own or the one that it is based on; 0 for none."""
    known = {each.get(W + "styleId"): each for each in styles.iter(W + "style")} if styles is not None else {}
    return {name: _style_level(name, known) for name in known}


def _style_level(name: str | None, known: dict[str | None, Any]) -> int:
    seen = set[str | None]()
    while name in known and name not in seen:
        seen.add(name)
        style = known[name]
        outline, named = style.find(f"{W}pPr/{W}outlineLvl"), style.find(W + "name")
        if outline is not None:
            return _outline(outline)
        if named is not None and (found := _HEADING.fullmatch(named.get(W + "val", "").lower())):
            return int(found[1])
        based = style.find(W + "basedOn")
        name = based.get(W + "val") if based is not None else None
    return 0


def _outline(mark: Any) -> int:
    value = mark.get(W + "val", "9")
    return int(value) + 1 if value.isdigit() and int(value) < 9 else 0


def _level(paragraph: Any, levels: dict[str, int]) -> int:
    own, style = (paragraph.find(f"{W}pPr/{W}{tag}") for tag in ("outlineLvl", "pStyle"))
    return _outline(own) if own is not None else levels.get(style.get(W + "val"), 0) if style is not None else 0


class Contents:
    """Puts the page before the first paragraph of a document; `entries` are what it lists."""

    def __init__(self, tree: Any, styles: Any, title: str) -> None:
        self.body = tree.find(W + "body")
        found = headings(tree, styles)
        self.entries: list[Entry] = []
        lines = [self._title(title)]
        for number, (paragraph, level, words) in enumerate(found):
            lines.append(self._line(_bookmark(paragraph, number), words, level))
        if not found:
            return
        self._ends = lines[1], lines[-1]
        lines.append(self._node("p", self._node("r", self._node("br", type="page"))))
        gallery = self._node("docPartGallery", val="Table of Contents")
        kind = self._node("sdtPr", self._node("docPartObj", gallery, self._node("docPartUnique")))
        self.body.insert(0, self._node("sdt", kind, self._node("sdtContent", *lines)))

    def fill(self, numbers: Sequence[str]) -> None:
        """Say each entry's page, and make all of them the field: inside of it LibreOffice works no number out."""
        for entry, number in zip(self.entries, numbers, strict=True):
            entry.number.text = number
        first, last = self._ends
        for at, each in enumerate(self._field(f'TOC \\o "1-{_DEEPEST}" \\h \\z \\u'), 1):
            first.insert(at, each)
        last.append(self._mark("end"))

    def _node(self, tag: str, *children: Any, **values: str) -> Any:
        made = self.body.makeelement(W + tag, {W + name: value for name, value in values.items()})
        made.extend(children)
        return made

    def _text(self, words: str) -> Any:
        return run_of(self.body, words)

    def _mark(self, kind: str) -> Any:
        return self._node("r", self._node("fldChar", fldCharType=kind))

    def _field(self, code: str) -> list[Any]:
        told = self._node("instrText")
        told.text = f" {code} "
        told.set(_SPACE, "preserve")
        return [self._mark("begin"), self._node("r", told), self._mark("separate")]

    def _title(self, words: str) -> Any:
        run = run_of(self.body, words, large=True)
        props = self._node("pPr", self._node("keepNext"), self._node("spacing", before="0", after="240"))
        return self._node("p", props, run)

    def _line(self, bookmark: str, words: str, level: int) -> Any:
        place = self._node("tabs", self._node("tab", val="right", leader="dot", pos=str(self._wide())))
        tight = self._node("spacing", before="0", after="60")
        props = self._node("pPr", place, tight, self._node("ind", left=str(_STEP * (level - 1)), firstLine="0"))
        number = self._text("")
        self.entries.append(Entry(words, level, number[-1]))
        page = [*self._field(f"PAGEREF {bookmark} \\h"), number, self._mark("end")]
        link = self._node(
            "hyperlink", self._text(words), self._node("r", self._node("tab")), *page, anchor=bookmark, history="1"
        )
        return self._node("p", props, link)

    def _wide(self) -> int:
        """How wide the first section's text is."""
        section = next(self.body.iter(W + "sectPr"), None)
        size, margins = (section.find(W + tag) if section is not None else None for tag in ("pgSz", "pgMar"))
        if size is None or margins is None:
            return _WIDE
        sides = size.get(W + "w", "0"), margins.get(W + "left", "0"), margins.get(W + "right", "0")
        whole, left, right = (int(each) if each.lstrip("-").isdigit() else 0 for each in sides)
        return max(2000, whole - left - right)


def _bookmark(paragraph: Any, number: int) -> str:
    """Mark a heading, so that its entry leads there; Word looks for names like these."""
    name = f"_Toc9{number:08d}"
    start, end = (paragraph.makeelement(W + tag, {W + "id": str(100_000 + number)}) for tag in (
        "bookmarkStart", "bookmarkEnd"))  # fmt: skip
    start.set(W + "name", name)
    paragraph.insert(1 if paragraph.find(W + "pPr") is not None else 0, start)
    paragraph.append(end)
    return name


def numbers_shown(pdf: Path, entries: Sequence[Entry]) -> list[str]:
    """The page numbers that the entries show where the document is laid out as `pdf`; "" for what is not found."""
    lines, numbers = _lines(pdf), []
    for entry in entries:
        wanted, text, held = "".join(entry.words.split())[:40], "", ""
        for line in lines:
            text = "".join((held + line).split())
            if not text.startswith(wanted) and not wanted.startswith(text):
                held = ""
            elif found := _NUMBER.search(line):
                numbers.append(found[1])
                break
            else:
                held += line
        else:
            return numbers + [""] * (len(entries) - len(numbers))
    return numbers


def _lines(pdf: Path) -> Iterator[str]:
    """The lines of the pages as they are read, those of one height as one."""
    from cluster.engines.layout.model import Span, Style, TextLine
    from cluster.engines.layout.rows import level
    from cluster.engines.pdf.libraries import import_pymupdf

    look = Style("", 10)
    with import_pymupdf().open(pdf) as document:
        for page in document:
            raws = [line for block in page.get_text("dict")["blocks"] for line in block.get("lines", ())]
            pieces = [
                TextLine(tuple(raw["bbox"]), span["origin"][1], (Span("".join(s["text"] for s in raw["spans"]), look),))
                for raw in raws
                for span in raw["spans"][:1]
            ]
            yield from (line.text for line in level(pieces))
