"""Styles and lists of one Word document beside another's: equal ones are shared, others kept apart under new names."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from cluster.engines.office.merge_said import compat
from cluster.engines.office.package import OFFICE, Package, Relation, W, parsed, widened

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
#: Under these are the styles of paragraphs that name none, of such ones in tables, and of tables that name none.
USUAL, INSIDE, TABLE = " paragraph", " paragraph in a table", " table"
#: Of a style's definition what does not change how it looks.
_SILENT = {W + tag for tag in (
    "name", "aliases", "basedOn", "next", "link", "rsid", "uiPriority", "semiHidden", "unhideWhenUsed", "qFormat",
    "locked", "autoRedefine", "nsid", "tmpl",
)}  # fmt: skip
#: What a property is where neither a style nor the defaults of its document name it.
_UNSAID = {
    "rPr": {"sz": {"val": "20"}, "szCs": {"val": "20"}, "kern": {"val": "0"}, "rFonts": dict.fromkeys(
        ("ascii", "hAnsi", "cs", "eastAsia"), "Times New Roman")},
    "pPr": {"spacing": {"before": "0", "after": "0", "line": "240", "lineRule": "auto"}, "jc": {"val": "left"}},
}  # fmt: skip
#: What the usual paragraph says as if it said nothing, in tables of Words before 2010: 11 and 12 points, on the left.
_OVERRIDDEN = {"sz": ("22", "24"), "jc": ("left", "start")}
_NO_STYLES = f'<w:styles xmlns:w="{W[1:-1]}"/>'.encode()
_BARE = (
    f'<w:style xmlns:w="{W[1:-1]}" w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>'
    "</w:style>"
).encode()
_NUMBERING = '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'


def join_styles(base: Package, other: Package, number: int, lists: "Lists") -> tuple[dict[str, str], dict[str, str]]:
    """Bring the styles and lists of `other` into `base`: the new id of each style, and the new numId of each list.

    What names no style has the ids of USUAL, INSIDE and TABLE.
    """
    here, there = base.of_kind("styles") or _begin(base), other.of_kind("styles")
    mine, theirs = base.tree(here), other.tree(there) if there else parsed(_NO_STYLES)
    _name_all(mine, theirs)
    _have_usual(theirs)
    inside = _bake_defaults(mine, theirs, tuple(_tables_first(each) for each in (base, other)))
    looks = _Looks(mine, _never), _Looks(theirs, lists.look)
    by_name = {_key(style): style for style in mine.iter(W + "style")}
    taken, ids = {style.get(W + "styleId") for style in mine.iter(W + "style")}, {}
    added = []
    for style in theirs.iter(W + "style"):
        old, twin = style.get(W + "styleId"), by_name.get(_key(style))
        if twin is not None and looks[0].of(twin) == looks[1].of(style):
            ids[old] = twin.get(W + "styleId")
            continue
        ids[old] = _free(old if twin is None else f"{old}F{number}", taken)
        added.append(_apart(style, ids[old], number if twin is not None else 0))
        if _is_usual(style, "paragraph"):
            ids[USUAL] = ids[old]
        if _is_usual(style, "table"):
            ids[TABLE] = ids[old]
    numbers = lists.join(ids)
    for style in added:
        _rename(style, ids, numbers)
        mine.append(style)
    if inside in ids:
        ids[INSIDE] = ids[inside]
    base.put(here, widened(mine, theirs))
    return ids, numbers


def _begin(package: Package) -> str:
    part = "/word/styles.xml"
    package.relate(package.main, Relation(f"{OFFICE}/styles", part))
    package.put(part, parsed(_NO_STYLES), f"{_TYPE}styles+xml")
    return part


def _have_usual(styles: Any) -> None:
    """Paragraphs without a style get one even where their document has none for them: else they take another's."""
    if not any(_is_usual(each, "paragraph") or _key(each) == ("paragraph", "normal") for each in styles):
        styles.append(parsed(_BARE))


def _name_all(*trees: Any) -> None:
    """A style without an id is called by its name; one without either by nobody."""
    for style in [each for tree in trees for each in tree.findall(W + "style") if not each.get(W + "styleId")]:
        name = style.find(W + "name")
        if name is None or not name.get(W + "val"):
            style.getparent().remove(style)
        else:
            style.set(W + "styleId", name.get(W + "val"))


def _never(_: str) -> str:
    return "a list of the first document"


def _key(style: Any) -> tuple[str, str]:
    name = style.find(W + "name")
    return style.get(W + "type", ""), (name.get(W + "val", "") if name is not None else "").lower()


def _free(wanted: str, taken: set[str]) -> str:
    while wanted in taken:
        wanted += "x"
    taken.add(wanted)
    return wanted


def _apart(style: Any, name: str, number: int) -> Any:
    """A copy under a new id; where its name is taken, under a new name, and no default any more."""
    made = deepcopy(style)
    made.set(W + "styleId", name)
    made.attrib.pop(W + "default", None)
    if number:
        made.set(W + "customStyle", "1")
        title = made.find(W + "name")
        if title is not None:
            title.set(W + "val", f"{title.get(W + 'val')} ({number})")
    return made


def _rename(style: Any, ids: dict[str, str], numbers: dict[str, str]) -> None:
    for tag in ("basedOn", "next", "link"):
        for each in style.findall(W + tag):
            each.set(W + "val", ids.get(each.get(W + "val"), each.get(W + "val")))
    for each in style.iter(W + "numId"):
        each.set(W + "val", numbers.get(each.get(W + "val"), each.get(W + "val")))


class _Looks:
    """What styles look like, with all that they are based on, as words that can be compared."""

    def __init__(self, styles: Any, list_look: Callable[[str], str]) -> None:
        self.by_id = {style.get(W + "styleId"): style for style in styles.iter(W + "style")}
        self.list_look, self.known = list_look, dict[str, str]()

    def of(self, style: Any) -> str:
        name = style.get(W + "styleId")
        if name not in self.known:
            self.known[name] = ""  # a style based on itself ends here
            parent = style.find(W + "basedOn")
            above = self.by_id.get(parent.get(W + "val")) if parent is not None else None
            self.known[name] = "|".join(self._own(style)) + "/" + (self.of(above) if above is not None else "")
        return self.known[name]

    def _own(self, style: Any) -> Iterator[str]:
        for part in style:
            if part.tag not in _SILENT:
                yield look_of(part)
        for each in style.iter(W + "numId"):
            yield self.list_look(each.get(W + "val"))


def look_of(node: Any) -> str:
    """A node's markup without what changes from one saving to the next."""
    from lxml import etree

    copy = deepcopy(node)
    for each in list(
        copy.iter(W + "numId", W + "numStyleLink", W + "styleLink", W + "pStyle", *_SILENT - {W + "name"})
    ):
        if each.getparent() is not None:
            each.getparent().remove(each)
    for each in copy.iter():
        for name in [name for name in each.attrib if "rsid" in name or name.endswith(("abstractNumId", "durableId"))]:
            del each.attrib[name]
    etree.cleanup_namespaces(copy)
    return str(etree.tostring(copy, method="c14n").decode())


def _tables_first(package: Package) -> bool:
    """Whether a table's style goes before what the usual paragraph says of _OVERRIDDEN, as in Words before 2010."""
    return compat(package, "overrideTableStyleFontSizeAndJustification") not in ("1", "true", "on")


def _bake_defaults(mine: Any, theirs: Any, tables_first: tuple[bool, ...]) -> str:
    """Where the defaults of both differ, write those of `theirs` into its styles that are based on nothing.

    A table's style stands between the defaults and the paragraph's own: in tables the usual paragraph keeps a style
    without those that a table's style speaks of. Its id is returned ("" where nothing differed). `tables_first` tells
    of both whether it goes before some that the usual paragraph says itself.
    """
    usual = next((each for each in theirs.iter(W + "style") if _is_usual(each, "paragraph")), None)
    inside = "" if usual is None else f"{usual.get(W + 'styleId')}InTables"
    copy, baked, tables = deepcopy(usual), tables_first[0] != tables_first[1], _said_by_tables(theirs)
    if copy is not None and tables_first[1]:
        _give_way(copy, tables | _said_for_tables(theirs))
    for box in ("pPr", "rPr"):
        wanted, here = (_defaults(tree, box) for tree in (theirs, mine))
        if _script(wanted) == _script(here):  # other tongues of one writing look alike
            wanted.pop(W + "lang", None)
            here.pop(W + "lang", None)
        if {tag: look_of(node) for tag, node in wanted.items()} == {tag: look_of(node) for tag, node in here.items()}:
            continue
        missing = [_unsaid(box, tag) for tag in here if tag not in wanted]
        given, baked = [*wanted.values(), *(each for each in missing if each is not None)], True
        for style in theirs.iter(W + "style"):
            if style.get(W + "type") in ("paragraph", "table") and style.find(W + "basedOn") is None:
                fill(style, box, given)
        if copy is not None:
            fill(copy, box, [node for node in given if node.tag not in tables])
    if not baked or copy is None:
        return ""
    copy.set(W + "styleId", inside)
    copy.attrib.pop(W + "default", None)
    copy.find(W + "name").set(W + "val", f"{_key(copy)[1]} in tables")
    theirs.append(copy)
    return inside


def _give_way(style: Any, said: set[str]) -> None:
    """Take out of a style what a table's style goes before, where one or the defaults say it."""
    for each in [each for tag in _OVERRIDDEN for each in style.findall(f"*/{W}{tag}") if each.tag in said]:
        if each.get(W + "val") in _OVERRIDDEN[each.tag.removeprefix(W)]:
            each.getparent().remove(each)


def _said_by_tables(styles: Any) -> set[str]:
    """The properties of text that any style of tables names."""
    tables = [each for each in styles.iter(W + "style") if each.get(W + "type") == "table"]
    return {node.tag for each in tables for box in each.iter(W + "pPr", W + "rPr") for node in box}


def _said_for_tables(styles: Any) -> set[str]:
    """The properties of text that styles of tables have of the defaults."""
    if not any(each.get(W + "type") == "table" for each in styles.iter(W + "style")):
        return set()
    return {tag for box in ("pPr", "rPr") for tag in _defaults(styles, box)}


def _is_usual(style: Any, kind: str) -> bool:
    return style.get(W + "type") == kind and style.get(W + "default") in ("1", "true")


def _defaults(styles: Any, box: str) -> dict[str, Any]:
    found = styles.find(f"{W}docDefaults/{W}{box}Default/{W}{box}")
    return {} if found is None else {node.tag: node for node in found}


def _script(defaults: dict[str, Any]) -> str:
    """The East Asian language of the defaults, which chooses the forms of letters."""
    said = defaults.get(W + "lang")
    return said.get(W + "eastAsia", "") if said is not None else ""


def _unsaid(box: str, tag: str) -> Any:
    values = _UNSAID[box].get(tag.removeprefix(W))
    if values is None:
        return None
    made = parsed(_NUMBERING.encode()).makeelement(tag)
    for name, value in values.items():
        made.set(W + name, value)
    return made


def fill(style: Any, box: str, given: list[Any]) -> None:
    """What the style does not say itself is said by `given`, attribute by attribute."""
    held = style.find(W + box)
    if held is None:
        held = style.makeelement(W + box)
        behind = ("rPr", "tblPr", "trPr", "tcPr", "tblStylePr")[box == "rPr" :]
        place = next((each for each in style if each.tag in [W + tag for tag in behind]), None)
        style.append(held) if place is None else place.addprevious(held)
    for node in given:
        own = held.find(node.tag)
        if own is None:
            held.append(deepcopy(node))
            continue
        for name, value in node.attrib.items():
            if name not in own.attrib and _THEMED.get(name, name) not in own.attrib:
                own.set(name, value)
    arrange(held)


def arrange(box: Any) -> None:
    """Put what stands in a pPr or rPr into the schema's order."""
    order = _ORDER[box.tag] | _LAST
    box[:] = sorted(box, key=lambda each: order.get(each.tag, 99))


#: Two names for the same of a font: a theme's goes before the one that is told, so only one may be filled in.
_THEMED = {f"{W}{slot}": f"{W}{slot}Theme" for slot in ("ascii", "hAnsi", "eastAsia")} | {f"{W}cs": f"{W}cstheme"}
_THEMED |= {theme: slot for slot, theme in _THEMED.items()}
#: The schema's order of what stands in pPr and in rPr.
_CHILDREN = {
    W + "pPr": """
    pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs
    suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd
    snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment
    textboxTightWrap outlineLvl divId cnfStyle""",
    W + "rPr": """
    rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish
    webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang
    eastAsianLayout specVanish oMath""",
}
_ORDER = {box: {W + tag: at for at, tag in enumerate(tags.split())} for box, tags in _CHILDREN.items()}
#: What follows all of these; newer Words' own properties stand before it.
_LAST = {W + tag: at for at, tag in enumerate(("rPr", "sectPr", "pPrChange", "rPrChange"), 100)}


# Lists


class Lists:
    """The lists of `other` in `base`: anew, or where they look alike going on (`continued`)."""

    def __init__(self, base: Package, other: Package, number: int, continued: bool) -> None:
        self.base, self.other, self.number, self.continued = base, other, number, continued
        part = other.of_kind("numbering")
        self.theirs: Any = other.tree(part) if part else None
        self.mine = self._own()

    def _own(self) -> Any:
        part = self.base.of_kind("numbering")
        return self.base.tree(part) if part else parsed(_NUMBERING.encode())

    def look(self, name: str) -> str:
        """What the list of `other` with this numId looks like."""
        abstract = _abstract_of(self.theirs, name) if self.continued and self.theirs is not None else None
        return "a list of the first document" if abstract is not None and self._twin(abstract) else f"list {name} apart"

    def join(self, styles: dict[str, str]) -> dict[str, str]:
        """Bring them over; the new numId of each."""
        if self.theirs is None:
            return {}
        shift = 1 + max((int(each.get(W + "abstractNumId")) for each in self.mine.iter(W + "abstractNum")), default=-1)
        next_number = 1 + max((int(each.get(W + "numId")) for each in self.mine.findall(W + "num")), default=0)
        self._drop_pictures()
        kinds = {old: self._abstract(each, int(old) + shift, styles) for old, each in self._abstracts()}
        ids = {}
        for each in self.theirs.findall(W + "num"):
            old, kind = each.get(W + "numId"), each.find(W + "abstractNumId").get(W + "val")
            twin = (
                self._running(kinds.get(kind, "")) if self.continued and each.find(W + "lvlOverride") is None else None
            )
            ids[old] = twin or str(next_number)
            if twin is None:
                made = deepcopy(each)
                made.set(W + "numId", ids[old])
                made.find(W + "abstractNumId").set(W + "val", kinds.get(kind, kind))
                self.mine.append(made)
                next_number += 1
        self._put()
        return ids

    def _abstracts(self) -> Iterator[tuple[str, Any]]:
        return ((each.get(W + "abstractNumId"), each) for each in self.theirs.findall(W + "abstractNum"))

    def _abstract(self, origin: Any, name: int, styles: dict[str, str]) -> str:
        """The definition in `base`, by its number there: a twin where lists go on, else a copy."""
        if self.continued and (twin := self._twin(origin)):
            return twin
        made = deepcopy(origin)
        made.set(W + "abstractNumId", str(name))
        for mark in made.findall(W + "nsid"):  # by it Word knows a list again
            mark.set(W + "val", f"{(int(mark.get(W + 'val', '0'), 16) + self.number * 0x1F35) & 0xFFFFFFFF:08X}")
        for each in made.iter(W + "pStyle", W + "numStyleLink", W + "styleLink"):
            each.set(W + "val", styles.get(each.get(W + "val"), each.get(W + "val")))
        nums = self.mine.find(W + "num")
        self.mine.append(made) if nums is None else nums.addprevious(made)
        return str(name)

    def _twin(self, origin: Any) -> str:
        look = look_of(origin)
        found = (each for each in self.mine.findall(W + "abstractNum") if look_of(each) == look)
        return next((str(each.get(W + "abstractNumId")) for each in found), "")

    def _running(self, kind: str) -> str | None:
        for each in self.mine.findall(W + "num"):
            if each.find(W + "abstractNumId").get(W + "val") == kind and each.find(W + "lvlOverride") is None:
                return str(each.get(W + "numId"))
        return None

    def _drop_pictures(self) -> None:
        """Bullets that are pictures become what the level says beside."""
        for each in list(self.theirs.iter(W + "lvlPicBulletId", W + "numPicBullet")):
            each.getparent().remove(each)

    def _put(self) -> None:
        self.mine = widened(self.mine, self.theirs)
        part = self.base.of_kind("numbering")
        if part is None:
            part = "/word/numbering.xml"
            self.base.relate(self.base.main, Relation(f"{OFFICE}/numbering", part))
        self.base.put(part, self.mine, f"{_TYPE}numbering+xml")


def _abstract_of(numbering: Any, name: str) -> Any:
    for each in numbering.findall(W + "num"):
        if each.get(W + "numId") == name:
            kind = each.find(W + "abstractNumId").get(W + "val")
            return next(
                (found for found in numbering.findall(W + "abstractNum") if found.get(W + "abstractNumId") == kind),
                None,
            )
    return None
