"""Parts of one Word document carried into another's package: pictures, charts, headers, notes, with their relations."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from cluster.engines.office.merge_styles import INSIDE, TABLE, USUAL
from cluster.engines.office.package import OFFICE, Package, Relation, W, parsed, widened, written

R = f"{{{OFFICE}}}"
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
#: Notes: the part, its root, one note, and the marks in a text that name one.
NOTES = {
    "footnotes": ("footnote", ("footnoteReference",)),
    "endnotes": ("endnote", ("endnoteReference",)),
    "comments": ("comment", ("commentReference", "commentRangeStart", "commentRangeEnd")),
}
#: The id of a piece of data, in the part that tells of it.
_STORE = re.compile(rb'\bitemID="([^"]{1,80})"')
#: What says nothing but its relation.
_NOTHING_ELSE = tuple(W + tag for tag in ("headerReference", "footerReference", "attachedTemplate", "altChunk"))
#: Field instructions that name a bookmark.
_NAMING = re.compile(r"\b((?:PAGE|NOTE)?REF\s+|HYPERLINK\s.*?\\l\s+\"?)([^\s\"\\]+)", re.I)
#: Marks of tracked changes and their like, whose ids must differ.
_CHANGES = ("ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tcPrChange",
            "trPrChange", "tblGridChange", "numberingChange", "cellIns", "cellDel", "cellMerge", "moveFromRangeStart",
            "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd")  # fmt: skip


@dataclass
class Carrier:
    """Carries what `other` has into `base`, as its document number `number`; texts are rewritten on the way."""

    base: Package
    other: Package
    number: int
    styles: dict[str, str]
    lists: dict[str, str]
    names: dict[str, str] = field(default_factory=dict)
    notes: dict[str, dict[str, str]] = field(default_factory=dict)
    carried: dict[str, str] = field(default_factory=dict)
    shift: int = 0

    def body(self) -> Any:
        """The body of `other`, rewritten for `base`."""
        tree = self.other.tree(self.other.main)
        self.shift = 1 + _largest_id(self.base)
        self.names = _new_names(self.base.tree(self.base.main), tree, self.number)
        for kind in NOTES:
            self.notes[kind] = self._join_notes(kind)
        body = tree.find(W + "body")
        self.rewrite(body, self.other.main, self.base.main)
        return body

    def rewrite(self, tree: Any, owner: str, new_owner: str) -> None:
        """Styles, lists, notes, bookmarks and relations of a text become those that `base` has."""
        self._relations(tree, owner, new_owner)
        for tag in ("pStyle", "rStyle", "tblStyle"):
            self._forget_lost(tree, tag)
            rename(tree.iter(W + tag), "val", self.styles)
        rename(tree.iter(W + "numId"), "val", self.lists)
        self._dress(tree)
        for kind, (_, marks) in NOTES.items():
            rename(tree.iter(*(W + mark for mark in marks)), "id", self.notes.get(kind, {}))
        self._rename(tree)

    def _forget_lost(self, tree: Any, tag: str) -> None:
        """A style that the document does not have is none; `base` may have one of that name."""
        for each in [each for each in tree.iter(W + tag) if each.get(W + "val") not in self.styles]:
            each.getparent().remove(each)

    def _dress(self, tree: Any) -> None:
        """What names no style has its document's usual one."""
        usual, inside, table = (self.styles.get(name) for name in (USUAL, INSIDE, TABLE))
        if usual:
            for paragraph in tree.iter(W + "p"):
                in_table = (
                    inside and next(paragraph.iterancestors(W + "tbl", W + "txbxContent"), paragraph).tag == W + "tbl"
                )
                _name(paragraph, "pPr", "pStyle", inside if in_table else usual, usual if in_table else None)
        if table:
            for each in tree.iter(W + "tbl"):
                _name(each, "tblPr", "tblStyle", table, None)

    def _rename(self, tree: Any) -> None:
        rename(tree.iter(W + "bookmarkStart"), "name", self.names)
        rename(tree.iter(W + "hyperlink"), "anchor", self.names)
        for each in tree.iter(W + "instrText"):
            each.text = _NAMING.sub(self._naming, each.text or "")
        for each in tree.iter(W + "fldSimple"):
            each.set(W + "instr", _NAMING.sub(self._naming, each.get(W + "instr", "")))
        for each in tree.iter(W + "bookmarkStart", W + "bookmarkEnd", *(W + tag for tag in _CHANGES)):
            each.set(W + "id", str(int(each.get(W + "id", "0")) + self.shift))
        for name in ("paraId", "textId"):
            for each in tree.iter(W + "p", W + "tr"):
                each.attrib.pop(f"{{http://schemas.microsoft.com/office/word/2010/wordml}}{name}", None)

    def _naming(self, found: "re.Match[str]") -> str:
        return found[1] + self.names.get(found[2], found[2])

    def _relations(self, tree: Any, owner: str, new_owner: str) -> None:
        """Every attribute that names a relation of `owner` names one of `new_owner` now."""
        held, made = self.other.relations.get(owner, {}), dict[str, str]()
        for each in list(tree.iter()):
            for name in [name for name, value in each.attrib.items() if name.startswith(R) and value]:
                old = each.get(name)
                if old in held:
                    made[old] = made.get(old) or self.base.relate(new_owner, self._moved(held[old]))
                    each.set(name, made[old])
                else:
                    _unrelate(each, name)

    def _moved(self, relation: Relation) -> Relation:
        if relation.outside or relation.target not in self.other.parts:
            return relation
        return Relation(relation.type, self.carry(relation.target))

    def carry(self, part: str) -> str:
        """The name in `base` of a part of `other`, brought over with all it refers to."""
        if part in self.carried:
            return self.carried[part]
        made = self.carried[part] = f"/word/file{self.number}{part.removeprefix('/word')}"
        kind = self.other.types.get(part, "application/octet-stream")
        self.base.types[made] = kind
        self.base.parts[made] = self.other.parts[part]
        if kind in (f"{TYPE}header+xml", f"{TYPE}footer+xml"):
            tree = self.other.tree(part)
            self.rewrite(tree, part, made)
            self.base.put(made, tree)
        else:
            held = self.other.relations.get(part, {})
            if held:
                self.base.relations[made] = {name: self._moved(each) for name, each in held.items()}
        return made

    def _join_notes(self, kind: str) -> dict[str, str]:
        """The notes of one kind stand behind those of `base`; the new id of each."""
        theirs = self.other.of_kind(kind)
        if theirs is None:
            return {}
        tag, tree = W + NOTES[kind][0], self.other.tree(theirs)
        mine = self.base.of_kind(kind) or self._begin_notes(kind, tree, tag)
        into = self.base.tree(mine)
        if kind != "comments":
            _separate(into, tag)
        ids, free = {}, 1 + max((int(each.get(W + "id")) for each in into.iter(tag)), default=0)
        for each in [each for each in tree.findall(tag) if each.get(W + "type") in (None, "normal")]:
            ids[each.get(W + "id")] = str(free)
            each.set(W + "id", str(free))
            free += 1
            self.rewrite(each, theirs, mine)
            into.append(each)
        self.base.put(mine, widened(into, tree))
        return ids

    def _begin_notes(self, kind: str, tree: Any, tag: str) -> str:
        """A part with nothing but the separators of `other`."""
        part = f"/word/{kind}.xml"
        made = deepcopy(tree)
        for each in [each for each in made.findall(tag) if each.get(W + "type") in (None, "normal")]:
            made.remove(each)
        self.base.relate(self.base.main, Relation(f"{OFFICE}/{kind}", part))
        self.base.put(part, made, f"{TYPE}{kind}+xml")
        return part

    def carry_rest(self) -> None:
        """What the document itself refers to without a mark in its text: data behind content controls."""
        for relation in self.other.relations.get(self.other.main, {}).values():
            if relation.kind == "customXml" and relation.target in self.other.parts:
                self.base.relate(self.base.main, self._moved(relation))


def _unrelate(node: Any, name: str) -> None:
    """Let go of a relation that does not exist, or another document's is taken for it."""
    if node.tag in _NOTHING_ELSE:
        node.getparent().remove(node)
    else:
        node.attrib.pop(name)


def part_stores(base: Package, other: Package, number: int) -> None:
    """Data behind content controls of `other` gets a new id where `base` has it: Word fills the controls by it."""
    taken = set(_stores(base))
    for each in [each for each in _stores(other) if each in taken]:
        made = f"{{{uuid5(NAMESPACE_OID, f'{each.decode()} {number}')}}}".upper().encode()
        for name, data in other.parts.items():
            if each in data and other.types.get(name, "").endswith("xml"):
                other.parts[name] = data.replace(each, made)


def _stores(package: Package) -> list[bytes]:
    kept = [name for name, kind in package.types.items() if kind.endswith(".customXmlProperties+xml")]
    return [each for name in kept for each in _STORE.findall(package.parts.get(name, b""))]


def _separate(notes: Any, tag: str) -> None:
    """The two lines above notes come first, or LibreOffice takes the first notes for them."""
    if any(each.get(W + "type") == "separator" for each in notes):
        return
    for number, kind in enumerate(("separator", "continuationSeparator")):
        made = notes.makeelement(tag, {W + "type": kind, W + "id": str(number - 1)})
        paragraph, run = (made.makeelement(W + name) for name in ("p", "r"))
        run.append(run.makeelement(W + kind))
        paragraph.append(run)
        made.append(paragraph)
        notes.insert(number, made)


def rename(nodes: Iterator[Any], name: str, names: dict[str, str]) -> None:
    """Give each node's attribute `name` its new value, where it has one."""
    for each in nodes:
        old = each.get(W + name)
        if old in names:
            each.set(W + name, names[old])


def _name(node: Any, box_tag: str, tag: str, style: str | None, instead: str | None) -> None:
    """Give a paragraph or table a style where it has none, or where it has the one that is `instead` of it."""
    box = node.find(W + box_tag)
    if box is None:
        box = node.makeelement(W + box_tag)
        node.insert(0, box)
    named = box.find(W + tag)
    if named is None:
        named = box.makeelement(W + tag)
        box.insert(0, named)
    elif named.get(W + "val") != instead:
        return
    named.set(W + "val", style)


def _largest_id(package: Package) -> int:
    found = re.findall(
        rb"<w:(?:bookmarkStart|ins|del|move\w+|\w+Change)\b[^>]*?\bw:id=\"(\d+)\"", package.parts[package.main]
    )
    return max(map(int, found), default=0)


def _new_names(mine: Any, theirs: Any, number: int) -> dict[str, str]:
    """Bookmarks of both documents that have one name: the later one's new names."""
    taken = {each.get(W + "name") for each in mine.iter(W + "bookmarkStart")}
    wanted = {each.get(W + "name") for each in theirs.iter(W + "bookmarkStart")}
    return {name: f"{name}_{number}" for name in wanted & taken if name}


def drop_lost(package: Package) -> None:
    """Take out what no longer holds: styles for older readers, and what refers to addresses that were cut."""
    held = package.relations.get(package.main, {})
    for key in [key for key, each in held.items() if each.kind == "stylesWithEffects"]:
        package.parts.pop(held.pop(key).target, None)
    for part in [each for each in package.parts if package.types.get(each, "").startswith(TYPE)]:
        held, tree = package.relations.get(part, {}), package.tree(part)
        lost = [
            (node, name)
            for node in tree.iter("*")
            for name, value in node.attrib.items()
            if name.startswith(R) and value and value not in held
        ]
        for node, name in lost:
            _unrelate(node, name)
        if lost:
            package.put(part, tree)


def plain_theme(package: Package, base: Package, apart: bool) -> None:
    """Where the themes differ or fonts are `apart`, fonts and colours that `package` takes from its own are written."""
    mine, theirs = base.of_kind("theme"), package.of_kind("theme")
    if base.parts.get(mine or "") == package.parts.get(theirs or "") and not apart:
        return
    faces, colours = _theme(package.tree(theirs), _script(package)) if theirs else (_NO_FACES, {})
    for part, kind in package.types.items():
        if part in package.parts and kind.startswith(TYPE) and kind.endswith("+xml"):
            tree = parsed(package.parts[part])
            _write_out(tree, faces, colours)
            package.parts[part] = written(tree)


def _write_out(tree: Any, faces: dict[str, str], colours: dict[str, str]) -> None:
    for fonts in tree.iter(W + "rFonts"):
        for slot in ("ascii", "hAnsi", "eastAsia", "cs"):
            named = fonts.attrib.pop(f"{W}{slot}Theme" if slot != "cs" else f"{W}cstheme", None)
            if named and (face := faces.get(named)):
                fonts.set(W + slot, face)
    for each in tree.iter():
        for name in ("themeColor", "themeTint", "themeShade", "themeFill", "themeFillTint", "themeFillShade"):
            each.attrib.pop(W + name, None)
        if isinstance(each.tag, str) and each.tag == _A + "schemeClr" and each.get("val") in colours:
            each.tag = _A + "srgbClr"
            each.set("val", colours[each.get("val")])


_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
#: What texts that ask a theme get where there is none.
_NO_FACES = dict.fromkeys(
    (f"{size}{tail}" for size in ("major", "minor") for tail in ("Ascii", "HAnsi", "EastAsia", "Bidi")),
    "Times New Roman",
)
#: Names of text and paper in a drawing, and what a theme calls them.
_ALIASES = {"tx1": "dk1", "bg1": "lt1", "tx2": "dk2", "bg2": "lt2"}


#: What a theme calls the writing of a language.
_SCRIPTS = {"zh-CN": "Hans", "zh-SG": "Hans", "zh-TW": "Hant", "zh-HK": "Hant", "ja-JP": "Jpan", "ko-KR": "Hang"}


def _script(package: Package) -> str:
    """The writing by which the document takes an East Asian face from its theme; "" where it does not say."""
    part = package.of_kind("settings")
    said = package.tree(part).find(W + "themeFontLang") if part else None
    return _SCRIPTS.get(said.get(W + "eastAsia", ""), "") if said is not None else ""


def _theme(theme: Any, script: str) -> tuple[dict[str, str], dict[str, str]]:
    """Faces by the names that texts have for them, and colours (RRGGBB)."""
    faces, colours = dict[str, str](), dict[str, str]()
    for size in ("major", "minor"):
        scheme = theme.find(f".//{_A}{size}Font")
        for tag, tails in (("latin", ("Ascii", "HAnsi")), ("ea", ("EastAsia",)), ("cs", ("Bidi",))):
            node = scheme.find(_A + tag) if scheme is not None else None
            local = scheme.find(f"{_A}font[@script='{script}']") if scheme is not None and tag == "ea" else None
            face = (node.get("typeface") if node is not None else "") or (
                local.get("typeface") if local is not None else ""
            )
            faces |= dict.fromkeys((f"{size}{tail}" for tail in tails), face or "")
    for node in theme.find(f".//{_A}clrScheme"):
        if len(node):
            colours[node.tag.removeprefix(_A)] = node[0].get("lastClr") or node[0].get("val")
    return faces, colours | {name: colours[key] for name, key in _ALIASES.items() if key in colours}
