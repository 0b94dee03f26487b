"""Sections of one Word document behind another's: page setup, headers, footers, page numbers."""

from copy import deepcopy
from typing import Any

from cluster.engines.office.merge_parts import R
from cluster.engines.office.package import OFFICE, Package, Relation, W, box_of, parsed

_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
#: As low as can be: what stands in a margin pushes the text.
_LOW = (
    f'<w:p xmlns:w="{W[1:-1]}"><w:pPr><w:snapToGrid w:val="0"/>'
    '<w:spacing w:before="0" w:after="0" w:line="1" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr></w:p>'
)
_EMPTY = f'<w:{{root}} xmlns:w="{W[1:-1]}">{_LOW}</w:{{root}}>'
#: Of a section what is its page: taken from the first document where all shall look like it.
_PAGE = {W + tag for tag in ("headerReference", "footerReference", "pgSz", "pgMar", "titlePg", "pgBorders", "docGrid")}
#: Children of sectPr in the schema's order, of those that are put in here.
_ORDER = [W + tag for tag in (
    "headerReference", "footerReference", "footnotePr", "endnotePr", "type", "pgSz", "pgMar", "paperSrc", "pgBorders",
    "lnNumType", "pgNumType", "cols", "formProt", "vAlign", "noEndnote", "titlePg", "textDirection", "bidi",
    "rtlGutter", "docGrid", "printerSettings", "sectPrChange",
)]  # fmt: skip


def low() -> Any:
    """A paragraph with nothing to be seen, as low as can be."""
    return parsed(_LOW.encode())


def last_section(body: Any) -> Any:
    """The section that a body ends with; made where it names none."""
    found = body.find(W + "sectPr")
    if found is None:
        found = body.makeelement(W + "sectPr")
        body.append(found)
    return found


def end_section(body: Any) -> Any:
    """Let the body's last section end here, in its last paragraph; returns it. What follows needs one of its own.

    LibreOffice drops an empty paragraph in which a section ends: one with nothing to be seen stands behind it.
    """
    section = last_section(body)
    body.remove(section)
    last = body[-1] if len(body) else None
    if last is None or last.tag != W + "p" or all(each.tag == W + "pPr" for each in last):
        last = low()
        body.append(last)
    box = box_of(last)
    change = box.find(W + "pPrChange")
    box.append(section) if change is None else change.addprevious(section)
    return section


def sections(body: Any) -> list[Any]:
    """All sections of a body, in their order."""
    return list(body.iter(W + "sectPr"))


def begin(section: Any, how: str) -> None:
    """How a section starts: nextPage, continuous."""
    kind = section.find(W + "type")
    if kind is None:
        kind = section.makeelement(W + "type")
        _put(section, kind)
    kind.set(W + "val", how)


def lead_in(body: Any) -> None:
    """A section begins with a paragraph: LibreOffice gives a table that begins one the page of the section before."""
    if len(body) and body[0].tag == W + "tbl":
        body.insert(0, low())


def number_pages(section: Any, restart: bool) -> None:
    """Let page numbers begin at 1 in a section, or go on."""
    box = section.find(W + "pgNumType")
    if box is None and restart:
        box = section.makeelement(W + "pgNumType")
        _put(section, box)
    if restart:
        box.set(W + "start", box.get(W + "start", "1"))
    elif box is not None:
        box.attrib.pop(W + "start", None)


def leave_notes(sections: list[Any]) -> None:
    """Let endnotes stand behind the last of a document's sections, where each one has its own."""
    for each in sections[:-1]:
        if each.find(W + "noEndnote") is None:
            _put(each, each.makeelement(W + "noEndnote"))


def like(section: Any, model: Any) -> None:
    """Give a section the paper, margins, headers and footers of another."""
    for each in [each for each in section if each.tag in _PAGE]:
        section.remove(each)
    for each in [each for each in model if each.tag in _PAGE]:
        _put(section, deepcopy(each))


def keep_heads(package: Package, before: list[Any], held: list[Any], repeat: bool, number: int) -> None:
    """Give a document's sections (`held`) the headers and footers that they had alone.

    Its first one would show those of the sections `before`: where it has none it gets empty ones. Where left pages
    have their own now and the document knew of none, they `repeat` its usual ones.
    """
    shown, bare = {each.tag for section in before for each in section}, {"header", "footer"}
    for section in held:
        pages = ["default", *(["first"] if section.find(W + "titlePg") is not None else [])]
        for kind in ("header", "footer"):
            marks = section.findall(f"{W}{kind}Reference")
            names = {each.get(W + "type", "default"): each.get(f"{R}id") for each in marks}
            bare -= {kind} if marks else set()
            if section is held[0] and f"{W}{kind}Reference" in shown:
                for page in (page for page in pages if page not in names):
                    names[page] = _refer(section, kind, page, _empty(package, kind, number))
            if kind in bare and f"{W}{kind}Reference" in shown:
                _clear(section, kind)
            if repeat and "default" in names:
                _repeat(section, marks, kind, names["default"])


def _clear(section: Any, kind: str) -> None:
    """A header with nothing in it stands at the paper's edge: near the text it pushes it."""
    margins = section.find(W + "pgMar")
    if margins is not None:
        margins.set(W + kind, "0")


def _repeat(section: Any, marks: list[Any], kind: str, name: str) -> None:
    """Left pages show what all pages showed; what the document had for them was asleep."""
    for mark in marks:
        if mark.get(W + "type") == "even":
            section.remove(mark)
    _refer(section, kind, "even", name)


def _refer(section: Any, kind: str, page: str, name: str) -> str:
    reference = section.makeelement(f"{W}{kind}Reference")
    reference.set(W + "type", page)
    reference.set(f"{R}id", name)
    section.insert(0, reference)
    return name


def _empty(package: Package, kind: str, number: int) -> str:
    part = f"/word/file{number}/empty_{kind}.xml"
    root = {"header": "hdr", "footer": "ftr"}[kind]
    package.parts[part] = _EMPTY.format(root=root).encode()
    package.types[part] = f"{_TYPE}{kind}+xml"
    return package.relate(package.main, Relation(f"{OFFICE}/{kind}", part))


def _put(section: Any, node: Any) -> None:
    """Insert where the schema wants it."""
    place = _ORDER.index(node.tag)
    for each in section:
        if each.tag in _ORDER and _ORDER.index(each.tag) > place:
            each.addprevious(node)
            return
    section.append(node)
