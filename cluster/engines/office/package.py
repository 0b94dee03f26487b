"""An OOXML package in memory: parts by name, their content types, and the relationships between them.

Names of parts begin with a slash, as content types have them. The package was checked before (check.py).
"""

import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_TYPES = "[Content_Types].xml"
_TYPES_NAME = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS_NAME = "http://schemas.openxmlformats.org/package/2006/relationships"
#: The transitional room of names; strict files have others, which say the same.
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#: What stands before names of WordprocessingML.
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_IGNORABLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Ignorable"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")


@dataclass
class Relation:
    """One relationship: `kind` is the last word of its type, `target` the name of a part, or an address (`outside`)."""

    type: str
    target: str
    outside: bool = False

    @property
    def kind(self) -> str:
        return self.type.rpartition("/")[2]


@dataclass
class Package:
    """Parts, types and relations; `main` is the document's part."""

    parts: dict[str, bytes]
    types: dict[str, str]
    relations: dict[str, dict[str, Relation]] = field(default_factory=dict)
    main: str = "/word/document.xml"

    def of_kind(self, kind: str) -> str | None:
        """The part that the main one has for a singular purpose: styles, numbering, footnotes …"""
        found = (each.target for each in self.relations.get(self.main, {}).values() if each.kind == kind)
        return next((target for target in found if target in self.parts), None)

    def relate(self, part: str, relation: Relation) -> str:
        """Add a relationship from `part`; returns its id."""
        held = self.relations.setdefault(part, {})
        number = len(held) + 1
        while f"rId{number}" in held:
            number += 1
        held[f"rId{number}"] = relation
        return f"rId{number}"

    def tree(self, part: str) -> Any:
        """The part as a tree."""
        return parsed(self.parts[part])

    def put(self, part: str, tree: Any, kind: str = "") -> None:
        """Write a tree back; a new part needs its content type."""
        self.parts[part] = written(tree)
        if kind:
            self.types[part] = kind


def read(path: Path) -> Package:
    """The package at `path`, strict names turned into the usual ones. Raises KeyError where it has no main part."""
    with zipfile.ZipFile(path) as archive:
        parts = {f"/{name}": archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    parts = {name: _usual(data) if name.endswith((".xml", ".rels")) else data for name, data in parts.items()}
    types = dict(_read_types(parts.pop(f"/{_TYPES}"), parts))
    package = Package({name: data for name, data in parts.items() if not name.endswith(".rels")}, types)
    for name, data in parts.items():
        if name.endswith(".rels"):
            folder, _, file = name.rpartition("/_rels/")
            owner = f"{folder}/{file.removesuffix('.rels')}" if file != ".rels" else "/"
            package.relations[owner] = dict(_read_relations(data, posixpath.dirname(owner)))
    package.main = next(each.target for each in package.relations["/"].values() if each.kind == "officeDocument")
    package.parts[package.main]
    return package


def write(package: Package, path: Path) -> None:
    """Write the package; the main part and the types come first, as readers expect."""
    files = {_TYPES: _written_types(package)}
    for owner, held in package.relations.items():
        folder, _, file = owner.rpartition("/")
        files[f"{folder}/_rels/{file}.rels".lstrip("/")] = _written_relations(held)
    files |= {name.lstrip("/"): data for name, data in package.parts.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def rewrite(archive: zipfile.ZipFile, changed: dict[str, bytes], path: Path) -> None:
    """Write a package again, those of its parts in `changed` as they are there."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
        for entry in archive.infolist():
            kind = entry.compress_type
            copy.writestr(entry.filename, changed.get(entry.filename) or archive.read(entry), compress_type=kind)


def restated(path: Path, folder: Path, changes: Callable[[zipfile.ZipFile], dict[str, bytes]]) -> Path:
    """The package for LibreOffice: a copy in `folder`, with what `changes` gives in the stead of its parts, or the one
    at `path` where that is nothing."""
    from lxml.etree import XMLSyntaxError

    try:
        with zipfile.ZipFile(path) as archive:
            changed = changes(archive)
            if not changed:
                return path
            folder.mkdir(parents=True, exist_ok=True)
            rewrite(archive, changed, folder / path.name)
    except (KeyError, XMLSyntaxError):  # LibreOffice may read it all the same
        return path
    return folder / path.name


def parsed(data: bytes) -> Any:
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))


def written(tree: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True))


def widened(tree: Any, other: Any) -> Any:
    """A root like `tree` with its children that knows the prefixes of both, and which of them old readers pass over."""
    from lxml import etree

    known = {**other.nsmap, **tree.nsmap}
    passed = f"{tree.get(_IGNORABLE, '')} {other.get(_IGNORABLE, '')}".split()
    made = etree.Element(tree.tag, nsmap={prefix: name for prefix, name in known.items() if prefix})
    for name, value in tree.attrib.items():
        made.set(name, value)
    if passed:
        made.set(_IGNORABLE, " ".join(dict.fromkeys(each for each in passed if each in known)))
    for child in list(tree):
        made.append(child)
    return made


def _usual(data: bytes) -> bytes:
    return _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data) if b"purl.oclc.org" in data else data


def _read_types(data: bytes, parts: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    tree = parsed(data)
    usual = {each.get("Extension", "").lower(): each.get("ContentType") for each in tree if "Extension" in each.attrib}
    named = {each.get("PartName"): each.get("ContentType") for each in tree if "PartName" in each.attrib}
    for name in parts:
        kind = named.get(name) or usual.get(name.rpartition(".")[2].lower())
        if kind:
            yield name, kind


def _read_relations(data: bytes, folder: str) -> Iterator[tuple[str, Relation]]:
    for each in parsed(data):
        target, outside = each.get("Target", ""), each.get("TargetMode", "") == "External"
        plain = target if outside else posixpath.normpath(posixpath.join(folder or "/", unquote(target).split("#")[0]))
        yield each.get("Id", ""), Relation(each.get("Type", ""), plain, outside)


def _written_types(package: Package) -> bytes:
    from lxml import etree

    tree = etree.Element(f"{{{_TYPES_NAME}}}Types", nsmap={None: _TYPES_NAME})
    rels = "application/vnd.openxmlformats-package.relationships+xml"
    etree.SubElement(tree, f"{{{_TYPES_NAME}}}Default", Extension="rels", ContentType=rels)
    etree.SubElement(tree, f"{{{_TYPES_NAME}}}Default", Extension="xml", ContentType="application/xml")
    for name in package.parts:
        if kind := package.types.get(name):
            etree.SubElement(tree, f"{{{_TYPES_NAME}}}Override", PartName=name, ContentType=kind)
    return written(tree)


def _written_relations(held: dict[str, Relation]) -> bytes:
    from lxml import etree

    tree = etree.Element(f"{{{_RELATIONS_NAME}}}Relationships", nsmap={None: _RELATIONS_NAME})
    for name, each in held.items():
        made = etree.SubElement(tree, f"{{{_RELATIONS_NAME}}}Relationship", Id=name, Type=each.type, Target=each.target)
        if each.outside:
            made.set("TargetMode", "External")
    return written(tree)


def box_of(paragraph: Any) -> Any:
    """A paragraph's properties; made where it has none."""
    box = paragraph.find(W + "pPr")
    if box is None:
        box = paragraph.makeelement(W + "pPr")
        paragraph.insert(0, box)
    return box
