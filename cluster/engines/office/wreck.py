"""A package without its table of contents, told anew from what its entries say of themselves.

A download that broke off, a stick pulled out too early: the end is gone, and with it the table; parts before it stand.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cluster.engines.office.wreck_parts import usual_parts
from cluster.files import Source
from cluster.kinds import DOCX, ODP, ODS, ODT, PPTX, XLSX, is_its_own
from cluster.problem import InputProblem

_PACKAGES = (DOCX, XLSX, PPTX, ODT, ODS, ODP)
_LOCAL = b"PK\x03\x04"
_HEAD = struct.Struct("<4s5H3L2H")
#: What parts of a wreck may unpack to, and how many there may be: below what a sound package may.
_UNPACKED, _ENTRIES = 128 << 20, 5_000
#: Parts that are worth having when they break off: people's words. LibreOffice opens nothing where others do.
_WORDS = re.compile(
    r"word/(?:document|footnotes|endnotes)\.xml|xl/(?:worksheets/sheet\d+|sharedStrings)\.xml|ppt/slides/slide\d+\.xml"
    r"|content\.xml|.+\.(?:png|jpe?g)"
)
_DESCRIPTOR = re.compile(rb"PK\x07\x08|PK\x03\x04|PK\x01\x02")
#: A cell's number in a table of texts.
_SHARED = re.compile(rb'(<(?:\w+:)?c\b[^>]*\bt="s"[^>]*>)\s*<(?:\w+:)?v>\d*</(?:\w+:)?v>')


@dataclass(frozen=True)
class _Part:
    """An entry as far as it goes, and whether it goes to its end."""

    name: str
    data: bytes
    whole: bool


def salvaged(source: Source, folder: Path) -> tuple[Source, bool | None]:
    """A package that opens, and whether some of it is missing; None where the source is no wreck.

    Raises damaged_file where its main part is not there.
    """
    if source.kind not in _PACKAGES or _opens(source.path):
        return source, None
    found, cut = _found(source.path.read_bytes()[:_UNPACKED])
    parts = usual_parts(source.kind, {part.name: part.data for part in found})
    if not parts:
        raise InputProblem("damaged_file", file=source.name)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / source.path.name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else None)
    return replace(source, path=path, size=path.stat().st_size), cut


def _opens(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return is_its_own(archive)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def _found(data: bytes) -> tuple[list[_Part], bool]:
    """The parts that can be read, those that break off as far as they are of use, and whether the last one does."""
    found, cut = [], True
    known = set()
    for part, ends in _entries(data):
        closed = part.data if part.whole else _kept(part)
        cut = not part.whole or ends
        if closed and part.name not in known and not part.name.endswith("/"):
            known.add(part.name)
            found.append(replace(part, data=closed))
    if "xl/sharedStrings.xml" not in known:
        found = [replace(part, data=_SHARED.sub(rb"\1", part.data)) for part in found]
    return found, cut


def _entries(data: bytes) -> Iterator[tuple[_Part, bool]]:
    """Every entry in the file's order, and whether the file ends with it."""
    at, left = data.find(_LOCAL), _UNPACKED
    for _ in range(_ENTRIES):
        if at < 0 or at + _HEAD.size > len(data):
            return
        _, _, flags, method, _, _, _, packed, _, name, extra = _HEAD.unpack_from(data, at)
        start = at + _HEAD.size + name
        told = data[at + _HEAD.size : start].decode("utf-8", "replace")
        body, whole, end = _unpacked(data, start + extra, packed, flags, method, left)
        left -= len(body)
        at = data.find(_LOCAL, end)
        yield _Part(told, body, whole), at < 0 and end >= len(data)
        if left <= 0:
            return


def _unpacked(data: bytes, start: int, packed: int, flags: int, method: int, most: int) -> tuple[bytes, bool, int]:
    """An entry's bytes, whether they are all there, and where it ends. A locked one, or one of another way, is none."""
    if flags & 1 or method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return b"", False, start + packed
    if method == zipfile.ZIP_STORED:
        after = None if packed or not flags & 8 else _DESCRIPTOR.search(data, start)
        end = after.start() if after else start + packed
        return data[start:end], end <= len(data), end
    unpacker = zlib.decompressobj(-15)
    try:
        body = unpacker.decompress(memoryview(data)[start:], most)
    except zlib.error:
        return b"", False, start + packed
    return body, unpacker.eof, len(data) - len(unpacker.unused_data) if unpacker.eof else max(start + packed, start)


def _kept(part: _Part) -> bytes:
    """What stays of a part that breaks off."""
    if not _WORDS.fullmatch(part.name):
        return b""
    return _closed(part.data) if part.name.endswith(".xml") else part.data


def _closed(data: bytes) -> bytes:
    """XML that breaks off, with its open elements closed; nothing where not even its root is there."""
    from lxml import etree

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=True)
    try:
        tree = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        return b""
    return b"" if tree is None else bytes(etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True))
