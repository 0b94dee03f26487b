"""A docx as what is written in it: paragraphs with their headings and lists, tables, headers and footers, notes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluster.engines.office import package
from cluster.engines.office.package import OFFICE, Package

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = f"{{{OFFICE}}}"
#: What stands around paragraphs and tables without being seen, and what in a run is no text of its paragraph.
_AROUND = ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "AlternateContent", "Choice")
_UNSEEN = ("del", "moveFrom", "txbxContent", "rPr", "pPr", "instrText", "Fallback")
_BLANKS = ("tab", "br", "cr")
_HEADING = re.compile(r"(?:heading|标题) ?([1-9])")


@dataclass(frozen=True)
class Text:
    """A paragraph; `level` is a heading's from 1 (0: none), `depth` a list item's from 0."""

    text: str
    level: int = 0
    depth: int | None = None


#: A cell: row, column, how many of each it covers, its text.
Cell = tuple[int, int, int, int, str]


@dataclass
class Written:
    """What a docx holds."""

    texts: list[Text] = field(default_factory=list)
    tables: list[list[Cell]] = field(default_factory=list)
    margins: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    floating: int = 0


def read(path: Path) -> Written:
    """The docx at `path`."""
    return _Reader(package.read(path)).read()


class _Reader:
    def __init__(self, held: Package) -> None:
        self.held = held
        self.tree = held.tree(held.main)
        self.styles = {each.get(W + "styleId"): each for each in self._all("styles", "style")}
        usual = (name for name, each in self.styles.items() if each.get(W + "default") in ("1", "true"))
        self.usual = next((name for name in usual if self.styles[name].get(W + "type") == "paragraph"), None)
        levels = {each.get(W + "abstractNumId"): each for each in self._all("numbering", "abstractNum")}
        self.lists = {
            each.get(W + "numId"): levels.get(_value(each, "abstractNumId")) for each in self._all("numbering", "num")
        }

    def _all(self, kind: str, tag: str) -> list[Any]:
        part = self.held.of_kind(kind)
        return list(self.held.tree(part).findall(W + tag)) if part else []

    def read(self) -> Written:
        body, found = self.tree.find(W + "body"), Written()
        self._walk(body, found)
        found.floating = sum(1 for tag in ("txbxContent", "framePr") for _ in body.iter(W + tag))
        found.margins = list(self._margins(body))
        for kind in ("footnote", "endnote"):
            used = {each.get(W + "id") for each in body.iter(f"{W}{kind}Reference")}
            notes = [each for each in self._all(f"{kind}s", kind) if each.get(W + "id") in used]
            found.notes += ["".join(text_of(each) for each in note.iter(W + "p")) for note in notes]
        return found

    def _margins(self, body: Any) -> Iterator[str]:
        seen = set()
        for section in body.iter(W + "sectPr"):
            for each in (each for each in section if each.tag in (W + "headerReference", W + "footerReference")):
                seen.add(each.get(f"{_R}id"))
        relations = self.held.relations.get(self.held.main, {})
        for name in sorted(seen & relations.keys()):
            for each in self.held.tree(relations[name].target).iter(W + "p"):
                if text_of(each).strip():
                    yield text_of(each)

    def _walk(self, parent: Any, found: Written) -> None:
        for each in parent:
            name = _name(each)
            if name == "p":
                if text_of(each).strip():
                    found.texts.append(self._text(each))
                for box in each.iter(W + "txbxContent"):
                    if not any(_name(above) in ("txbxContent", "Fallback") for above in box.iterancestors()):
                        self._walk(box, found)
            elif name == "tbl":
                self._table(each, found)
            elif name in _AROUND:
                self._walk(each, found)

    def _text(self, paragraph: Any) -> Text:
        own = paragraph.find(W + "pPr")
        known = [own, *(each.find(W + "pPr") for each in self._styles(_value(own, "pStyle")))]
        outline, number, depth = (_first(known, path) for path in ("outlineLvl", "numPr/numId", "numPr/ilvl"))
        for style in self._styles(_value(own, "pStyle")) if outline is None else ():
            name = (_value(style, "name") or "").lower()
            named = _HEADING.fullmatch(name)
            outline = str(int(named[1]) - 1) if named else "0" if name in ("title", "标题") else outline
        level = int(outline) + 1 if outline is not None and int(outline) < 9 else 0
        listed = not level and self._shown(self.lists.get(number), depth or "0")
        return Text(text_of(paragraph), level, int(depth or 0) if listed else None)

    def _styles(self, name: str | None) -> Iterator[Any]:
        seen, name = set[str](), name or self.usual
        while name in self.styles and name not in seen:
            seen.add(name)
            yield self.styles[name]
            name = _value(self.styles[name], "basedOn")

    def _shown(self, levels: Any, depth: str) -> bool:
        """Whether a list shows a mark at that depth."""
        if levels is None:
            return False
        if levels.find(W + "numStyleLink") is not None:
            return True
        own = next((each for each in levels.findall(W + "lvl") if each.get(W + "ilvl") == depth), None)
        return own is not None and _value(own, "numFmt") != "none" and bool((_value(own, "lvlText") or "").strip())

    def _table(self, table: Any, found: Written) -> None:
        cells: list[list[Any]] = []
        going_on: dict[int, list[Any]] = {}
        for row, line in enumerate(_inside(table, "tr")):
            column = int(_value(line.find(W + "trPr"), "gridBefore") or 0)
            for cell in _inside(line, "tc"):
                own = cell.find(W + "tcPr")
                wide, merge = int(_value(own, "gridSpan") or 1), own.find(W + "vMerge") if own is not None else None
                if merge is not None and merge.get(W + "val") != "restart" and column in going_on:
                    going_on[column][2] += 1
                else:
                    texts = (each for each in cell.iter(W + "p") if _name(each.getparent()) == "tc")
                    cells.append([row, column, 1, wide, " ".join(map(text_of, texts))])
                    going_on.pop(column, None)
                    if merge is not None:
                        going_on[column] = cells[-1]
                self._walk(cell, found)
                column += wide
        found.tables.append([(row, column, high, wide, text) for row, column, high, wide, text in cells])


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _inside(parent: Any, name: str) -> Iterator[Any]:
    for each in parent:
        if each.tag == W + name:
            yield each
        elif _name(each) in _AROUND:
            yield from _inside(each, name)


def _value(parent: Any, path: str) -> str | None:
    found = parent.find("/".join(W + each for each in path.split("/"))) if parent is not None else None
    return found.get(W + "val") if found is not None else None


def _first(known: list[Any], path: str) -> str | None:
    return next((value for each in known if (value := _value(each, path)) is not None), None)


def text_of(parent: Any) -> str:
    """The text that a paragraph shows, without its text boxes."""
    out = []
    for each in parent:
        name = _name(each)
        if name == "t":
            out.append(each.text or "")
        elif name in _BLANKS:
            out.append(" ")
        elif name == "noBreakHyphen":
            out.append("-")
        elif name == "sym":
            out.append(chr(int(each.get(W + "char") or "20", 16)))
        elif name and name not in _UNSEEN and each.find(f"{W}rPr/{W}vanish") is None:
            out.append(text_of(each))
    return "".join(out)
