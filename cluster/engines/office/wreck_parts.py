"""What holds a package together, written anew where a wreck has lost it: types, relations, the list of sheets."""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote
from xml.sax.saxutils import quoteattr

from cluster.engines.office.package import OFFICE
from cluster.kinds import DOCX, ODP, ODS, ODT, PPTX, XLSX, Kind

_TYPES = "[Content_Types].xml"
_OOXML = "application/vnd.openxmlformats-officedocument."
_MAIN = {
    DOCX: ("word/document.xml", _OOXML + "wordprocessingml.document.main+xml"),
    XLSX: ("xl/workbook.xml", _OOXML + "spreadsheetml.sheet.main+xml"),
    PPTX: ("ppt/presentation.xml", _OOXML + "presentationml.presentation.main+xml"),
}
_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
#: Usual names of parts, the last words of their content types, and of the relation that the main part has to them.
_PARTS = (
    (r"xl/worksheets/sheet\d+\.xml", "spreadsheetml.worksheet+xml", ""),
    (r"xl/sharedStrings\.xml", "spreadsheetml.sharedStrings+xml", "sharedStrings"),
    (r"xl/styles\.xml", "spreadsheetml.styles+xml", "styles"),
    (r"word/styles\.xml", "wordprocessingml.styles+xml", "styles"),
    (r"word/numbering\.xml", "wordprocessingml.numbering+xml", "numbering"),
    (r"word/settings\.xml", "wordprocessingml.settings+xml", "settings"),
    (r"word/footnotes\.xml", "wordprocessingml.footnotes+xml", "footnotes"),
    (r"(?:xl|word|ppt)/theme/theme\d+\.xml", "theme+xml", "theme"),
    (r"word/header\d+\.xml", "wordprocessingml.header+xml", ""),
    (r"word/footer\d+\.xml", "wordprocessingml.footer+xml", ""),
    (r"ppt/slides/slide\d+\.xml", "presentationml.slide+xml", ""),
    (r"ppt/slideLayouts/slideLayout\d+\.xml", "presentationml.slideLayout+xml", ""),
    (r"ppt/slideMasters/slideMaster\d+\.xml", "presentationml.slideMaster+xml", ""),
    (r"\w+/drawings/drawing\d+\.xml", "drawing+xml", ""),
    (r"\w+/charts/chart\d+\.xml", "drawingml.chart+xml", ""),
)
#: Elements by which a main part lists others, and where those usually lie.
_LISTED = (
    (b"sheet", "worksheet", "worksheets/sheet"),
    (b"sldId", "slide", "slides/slide"),
    (b"sldMasterId", "slideMaster", "slideMasters/slideMaster"),
)
_IDS = re.compile(rb"\bId=[\"']([^\"']*)")
#: Where a Word section names a header or footer: with one that is gone, LibreOffice opens nothing.
_RUNNING = re.compile(rb"<(?:\w+:)?(?:header|footer)Reference\b[^>]*\b\w+:id=[\"']([^\"']*)[^>]*/>")
_PICTURES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "bmp": "image/bmp"}


def usual_parts(kind: Kind, parts: dict[str, bytes]) -> dict[str, bytes]:
    """The parts of a wreck and what holds them together; none where the main one, that says what to show, is gone."""
    if kind in (ODT, ODS, ODP):
        return _odf(kind, parts) if "content.xml" in parts else {}
    main, _ = _MAIN[kind]
    sheets = sorted((name for name in parts if re.fullmatch(_PARTS[0][0], name)), key=_number)
    if main not in parts and not (kind is XLSX and sheets):
        return {}
    folder, _, file = main.rpartition("/")
    made = {_TYPES: _types(kind, parts), "_rels/.rels": _relations([("rId1", "officeDocument", main)])}
    made[main] = parts.get(main) or _workbook(sheets)
    made[f"{folder}/_rels/{file}.rels"] = _relations(_main_relations(folder, made[main], parts))
    whole = {**made, **parts}
    whole = {name: _there(name, data, whole) for name, data in whole.items()}
    related = set(_IDS.findall(whole[f"{folder}/_rels/{file}.rels"]))
    whole[main] = _RUNNING.sub(lambda found: found[0] if found[1] in related else b"", whole[main])
    return whole


def _there(name: str, data: bytes, parts: dict[str, bytes]) -> bytes:
    """Relations, less those to parts that are gone: with them LibreOffice opens nothing."""
    if not name.endswith(".rels"):
        return data
    folder = posixpath.dirname(posixpath.dirname(name))

    def kept(found: re.Match[bytes]) -> bytes:
        target = re.search(rb"\bTarget=[\"']([^\"']*)", found[0])
        if target is None or b"External" in found[0]:
            return found[0]
        place = posixpath.normpath(posixpath.join("/", folder, unquote(target[1].decode("utf-8", "replace"))))
        return found[0] if place.lstrip("/") in parts else b""

    return re.sub(rb"<(?:\w+:)?Relationship\s[^>]*/>", kept, data)


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name) or 0)


def _types(kind: Kind, parts: dict[str, bytes]) -> bytes:
    main, type_of_main = _MAIN[kind]
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    known = [("rels", relations), ("xml", "application/xml"), *_PICTURES.items()]
    text = "".join(f'<Default Extension="{end}" ContentType="{told}"/>' for end, told in known)
    named = [(main, type_of_main), *((name, _OOXML + told) for name, told, _ in _usual(parts))]
    text += "".join(f'<Override PartName={quoteattr("/" + name)} ContentType="{told}"/>' for name, told in named)
    return f'<Types xmlns="{_PACKAGE}content-types">{text}</Types>'.encode()


def _usual(parts: dict[str, bytes]) -> Iterator[tuple[str, str, str]]:
    """Name, content type and relation of the parts that have a usual name."""
    for name in parts:
        yield from ((name, told, relation) for pattern, told, relation in _PARTS if re.fullmatch(pattern, name))


def _main_relations(folder: str, main: bytes, parts: dict[str, bytes]) -> list[tuple[str, str, str]]:
    """What the main part lists, in its order, under the names it has for it; then what has one place."""
    made = []
    for tag, kind, place in _LISTED:
        listed = re.findall(rb"<(?:\w+:)?" + tag + rb"\b[^>]*\b\w+:id=[\"']([^\"']+)", main)
        there = sorted((name for name in parts if re.fullmatch(f"{folder}/{place}\\d+\\.xml", name)), key=_number)
        names = zip(listed, there, strict=False)
        made += [(told.decode("utf-8", "replace"), kind, name.removeprefix(f"{folder}/")) for told, name in names]
    named = [(relation, name) for name, _, relation in _usual(parts) if relation and name.startswith(f"{folder}/")]
    return made + [(f"usual{at}", kind, name.removeprefix(f"{folder}/")) for at, (kind, name) in enumerate(named)]


def _relations(held: list[tuple[str, str, str]]) -> bytes:
    text = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target={quoteattr(target)}/>' for name, kind, target in held
    )
    return f'<Relationships xmlns="{_PACKAGE}relationships">{text}</Relationships>'.encode()


def _workbook(sheets: list[str]) -> bytes:
    text = "".join(f'<sheet name="Sheet{at}" sheetId="{at}" r:id="rId{at}"/>' for at in range(1, len(sheets) + 1))
    return f'<workbook xmlns="{_SHEETS}" xmlns:r="{OFFICE}"><sheets>{text}</sheets></workbook>'.encode()


def _odf(kind: Kind, parts: dict[str, bytes]) -> dict[str, bytes]:
    """An OpenDocument package with its type first and a manifest."""
    name = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    held = [("/", kind.mime), *((part, "text/xml" if part.endswith(".xml") else "") for part in parts)]
    text = "".join(
        f'<m:file-entry m:full-path={quoteattr(part)} m:media-type="{told}"/>'
        for part, told in held
        if part not in ("mimetype", "META-INF/manifest.xml")
    )
    manifest = f'<m:manifest xmlns:m="{name}" m:version="1.2">{text}</m:manifest>'.encode()
    return {"mimetype": kind.mime.encode(), "META-INF/manifest.xml": manifest, **parts}
