"""Cut what leads out of an office file before LibreOffice reads it: it would fetch addresses and embed local pictures.

    path, count = cut(source, work.scratch("cut"))

Links that people click stay. What is cut: relationships to other files, ODF's and SVG's `href`s, fields that
include, and for flat files the same in their one part. The sandbox's mounts are the second wall, not the first.
"""

import base64
import binascii
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from cluster.engines.office import fields as office_fields
from cluster.engines.office import html as office_html
from cluster.engines.office.address import is_outside
from cluster.engines.office.package import rewrite
from cluster.files import Source
from cluster.kinds import DOC, DOCX, FODT, HTML, ODP, ODS, ODT, PPTX, RTF, WORDML, XLSX

_ODF = (ODT, ODS, ODP)
_OOXML = (DOCX, XLSX, PPTX)
#: Elements whose `href` is a link to click, a script's name (scripts are off), or a chart's way to its document.
_HARMLESS = ("a", "event-listener", "chart", "button")
_HREF = re.compile(rb"[\w.-]*(?:href|src)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I)
_SVG = re.compile(rb"<(?:\w+:)?svg\b", re.I)
_SVG_IN = 4096
#: Elements that hold a picture's bytes in base64.
_INLINE = ("binary-data", "binData")
_UNPACKED = 64 << 20
#: How a package's end record begins, and how long it is where nothing follows it.
_END, _END_SIZE = b"PK\x05\x06", 22


def cut(source: Source, folder: Path) -> tuple[Path, int]:
    """The file for LibreOffice, and how many references it has no more; `source.path` itself when it had none."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / source.path.name
    count = _cut_package(source, path) if source.kind in (*_ODF, *_OOXML) else _cut_flat(source, path)
    return (path, count) if path.exists() else (source.path, 0)


def _cut_flat(source: Source, path: Path) -> int:
    ways: dict[Any, Callable[[bytes], tuple[bytes, int]]] = {
        FODT: lambda data: cut_xml(data, flat=True),
        WORDML: lambda data: cut_xml(data, flat=True),
        RTF: office_fields.cut_rtf,
        DOC: office_fields.cut_doc,
        HTML: office_html.cut_html,
    }
    if source.kind not in ways:
        return 0
    data, count = ways[source.kind](source.path.read_bytes())
    if count or source.kind is HTML:  # rewritten in any case: what was checked is what is read
        path.write_bytes(data)
    return count


def _cut_package(source: Source, path: Path) -> int:
    total, changed = 0, {}
    with zipfile.ZipFile(source.path) as archive:
        for entry in archive.infolist():
            if clean := _cleaner(source, archive, entry):
                data, count = clean(archive.read(entry))
                if count:
                    changed[entry.filename] = data
                    total += count
        if changed or not _ends(source.path):
            rewrite(archive, changed, path)
    return total


def _ends(path: Path) -> bool:
    """Whether nothing follows a package's end record: behind a longer comment LibreOffice does not find it."""
    with path.open("rb") as stream:
        stream.seek(-_END_SIZE, 2)
        return stream.read(4) == _END


def _cleaner(
    source: Source, archive: zipfile.ZipFile, entry: zipfile.ZipInfo
) -> Callable[[bytes], tuple[bytes, int]] | None:
    """What to do with an entry; pictures are told by their content, because LibreOffice does, too."""
    name = entry.filename.lower()
    if name.endswith(".rels"):
        return cut_relations
    if name.endswith(".xml"):
        if name.startswith("meta-inf/") or name.endswith("meta.xml"):
            return None
        return cut_xml if source.kind in _ODF else office_fields.cut_docx if source.kind is DOCX else None
    with archive.open(entry) as stream:
        return cut_picture if _maybe_svg(stream.read(_SVG_IN)) else None


def _maybe_svg(head: bytes) -> bool:
    return head.startswith(b"\x1f\x8b") or b"<" in head.lstrip()[:4] or b"<\0" in head[:8] or b"\0<" in head[:8]


def cut_picture(data: bytes) -> tuple[bytes, int]:
    """A vector picture without references; LibreOffice reads packed ones, too."""
    if data.startswith(b"\x1f\x8b"):
        data = zlib.decompressobj(31).decompress(data, _UNPACKED)
    return cut_xml(data, flat=True) if _SVG.search(data[:_SVG_IN].replace(b"\0", b"")) else (data, 0)


def cut_relations(data: bytes) -> tuple[bytes, int]:
    """An OOXML relationships part without those that lead out of the package; links to click stay."""
    if b"External" not in data and b":/" not in data.replace(b"http://schemas.", b"").replace(b"http://purl.", b""):
        return data, 0
    root = _parsed(data)
    out = [each for each in (() if root is None else root) if isinstance(each.tag, str) and _leads_out(each)]
    for each in out:
        root.remove(each)
    return (_written(root) if out else data), len(out)


def _leads_out(relation: Any) -> bool:
    if relation.get("Type", "").endswith("/hyperlink"):
        return False
    target = unquote(relation.get("Target", ""))
    return relation.get("TargetMode", "").lower() == "external" or bool(re.match(r"[a-z][a-z0-9+.-]*:", target, re.I))


def cut_xml(data: bytes, flat: bool = False) -> tuple[bytes, int]:
    """ODF or SVG without `href`s out of the package (`flat`: out of the part)."""
    if _plain(data) and not any(is_outside(_text(found[1] or found[2] or b""), flat) for found in _HREF.finditer(data)):
        return data, 0
    root = _parsed(data)
    if root is None:
        return data, 0  # nothing that an XML reader would find
    count = sum(_cut_inline(element) for element in root.iter() if str(element.tag).endswith(_INLINE))
    for element, name in _references(root):
        if is_outside(element.get(name), flat):
            del element.attrib[name]
            count += 1
    return (_written(root) if count else data), count


def _cut_inline(element: Any) -> int:
    try:
        data = base64.b64decode(element.text or "")
    except (binascii.Error, ValueError):
        return 0
    clean, count = cut_picture(data) if _maybe_svg(data[:_SVG_IN]) else (data, 0)
    if count:
        element.text = base64.b64encode(clean).decode()
    return count


def _references(root: Any) -> Iterator[tuple[Any, str]]:
    for element in root.iter():
        if not isinstance(element.tag, str) or element.tag.rpartition("}")[2] in _HARMLESS:
            continue
        for name in list(element.attrib):
            if name.rpartition("}")[2] in ("href", "src"):
                yield element, name


def _plain(data: bytes) -> bool:
    """Whether the bytes can be searched as they are: an XML of one byte a character, no character references."""
    head = data[:200].lower()
    known = b"encoding=" not in head or b"utf-8" in head
    return known and b"\0" not in head and b"&#" not in data and not any(each.encode() in data for each in _INLINE)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace").replace("&amp;", "&")


def _parsed(data: bytes) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, recover=True)
    return etree.fromstring(data, parser)


def _written(root: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
