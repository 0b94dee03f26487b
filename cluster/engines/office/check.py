"""Look at an office file before LibreOffice does: bombs, DOCTYPEs, symlinks, overlaps.

Every part is really unpacked (and thrown away), because the sizes a zip tells are its maker's words.
"""

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from cluster.engines.pdf.open import check_source
from cluster.files import Source
from cluster.kinds import DOCX, FODT, ODP, ODS, ODT, OFFICE_BROKEN, PPTX, SHEETML, WORDML, XLSX
from cluster.problem import InputProblem, LimitProblem, PasswordProblem

ENTRIES = 10_000
UNPACKED = 512 << 20
RATIO = 100
#: Below this a high ratio costs nothing; a page of blanks packs 300 : 1.
_RATIO_FROM = 16 << 20
PICTURE_PIXELS = 100_000_000
_CHUNK = 256 << 10
_XML = (".xml", ".rels", ".svg", ".vml", ".rdf", ".xhtml", ".html", ".fodt")
_RASTER = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp")
_DOCTYPES = tuple("<!DOCTYPE".encode(name) for name in ("utf-8", "utf-16-le", "utf-16-be"))
_PACKAGES = (DOCX, XLSX, PPTX, ODT, ODS, ODP)
_FLAT = (FODT, WORDML, SHEETML)
#: A flat file is one part, and a part with a picture in it is read as a tree.
FLAT = 64 << 20


_NOTHING = re.compile("(?!)")


@dataclass
class Found:
    """What the check met on its way: worth a line on the receipt."""

    macros: bool = False
    parts: dict[str, bytes] = field(default_factory=dict, repr=False)


def check_office(source: Source, keep: re.Pattern[str] = _NOTHING) -> Found:
    """Refuse what must not reach LibreOffice. `keep` matches the names of parts whose bytes the caller wants.

    Raises empty_file, not_supported_type, damaged_file, unsafe_content, too_large_when_opened, password_required.
    """
    check_source(source)
    if source.kind is OFFICE_BROKEN:
        raise InputProblem("damaged_file", file=source.name)
    found = Found()
    if source.kind in _FLAT:
        _check_flat(source)
    if source.kind in _PACKAGES:
        try:
            _check_package(source, found, keep)
        except (zipfile.BadZipFile, zlib.error, struct.error, OSError, ValueError, NotImplementedError) as error:
            raise InputProblem("damaged_file", file=source.name) from error
    return found


def _check_flat(source: Source) -> None:
    if source.size > FLAT:
        raise _too_large(source)
    data = source.path.read_bytes()
    if any(mark in data for mark in _DOCTYPES):
        raise _unsafe(source)


def _check_package(source: Source, found: Found, keep: re.Pattern[str]) -> None:
    with zipfile.ZipFile(source.path) as archive, source.path.open("rb") as stream:
        entries = archive.infolist()
        if len(entries) > ENTRIES:
            raise _too_large(source)
        _check_places(source, entries, stream)
        total = 0
        for entry in entries:
            total += _check_entry(source, entry, stream, found, keep, UNPACKED - total)


def _check_places(source: Source, entries: list[zipfile.ZipInfo], stream: IO[bytes]) -> None:
    """No name twice, none that leaves the package, no symlink, no two entries over the same bytes."""
    names = [entry.filename for entry in entries]
    if len(set(names)) != len(names):
        raise _unsafe(source)
    if any(name.startswith("/") or ".." in name.split("/") for name in names):
        raise _unsafe(source)
    if any(stat.S_ISLNK(entry.external_attr >> 16) for entry in entries):
        raise _unsafe(source)
    end = 0
    for entry in sorted(entries, key=lambda each: each.header_offset):
        if entry.header_offset < end:
            raise _unsafe(source)
        end = _data_start(entry, stream) + entry.compress_size


def _data_start(entry: zipfile.ZipInfo, stream: IO[bytes]) -> int:
    stream.seek(entry.header_offset)
    head = stream.read(30)
    if head[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile("no local header")
    name, extra = struct.unpack("<HH", head[26:30])
    return entry.header_offset + 30 + int(name) + int(extra)


def _check_entry(
    source: Source, entry: zipfile.ZipInfo, stream: IO[bytes], found: Found, keep: re.Pattern[str], left: int
) -> int:
    if entry.flag_bits & 1:
        raise InputProblem("damaged_file", file=source.name)
    name = entry.filename.lower()
    wanted = name.endswith(_XML)
    size, tail = 0, b""
    kept: list[bytes] = []
    for chunk in _unpack(entry, stream):
        size += len(chunk)
        if size > left or (size > _RATIO_FROM and size > RATIO * max(1, entry.compress_size)):
            raise _too_large(source)
        if wanted and any(mark in tail + chunk for mark in _DOCTYPES):
            raise _unsafe(source)
        if keep.fullmatch(entry.filename) or name.endswith("manifest.xml") or (name.endswith(_RASTER) and not kept):
            kept.append(chunk)
        tail = chunk[-32:]
    _look(source, entry, b"".join(kept), found, keep)
    return size


def _look(source: Source, entry: zipfile.ZipInfo, data: bytes, found: Found, keep: re.Pattern[str]) -> None:
    name = entry.filename.lower()
    if keep.fullmatch(entry.filename):
        found.parts[entry.filename] = data
    if name.endswith("vbaproject.bin") or name.startswith(("basic/", "scripts/")):
        found.macros = True
    if name == "meta-inf/manifest.xml" and b"encryption-data" in data and not source.password:
        raise PasswordProblem("password_required", file=source.name)
    if name.endswith(_RASTER) and _pixels(data) > PICTURE_PIXELS:
        raise _too_large(source)


def _unpack(entry: zipfile.ZipInfo, stream: IO[bytes]) -> Iterator[bytes]:
    """The entry's bytes as an unpacker that trusts no declared size would see them."""
    stream.seek(_data_start(entry, stream))
    left = entry.compress_size
    packed = zlib.decompressobj(-15) if entry.compress_type == zipfile.ZIP_DEFLATED else None
    if packed is None and entry.compress_type != zipfile.ZIP_STORED:
        raise NotImplementedError(entry.compress_type)
    while left > 0 and (data := stream.read(min(left, 64 << 10))):
        left -= len(data)
        if packed is None:
            yield data
            continue
        while data:
            yield packed.decompress(data, _CHUNK)
            data = packed.unconsumed_tail
    if packed is not None:
        yield packed.flush()


def _pixels(head: bytes) -> int:
    import io

    from PIL import Image

    try:
        with Image.open(io.BytesIO(head)) as picture:
            return picture.width * picture.height
    except Image.DecompressionBombError:
        return PICTURE_PIXELS + 1
    except Exception:  # not a picture that can be measured: LibreOffice shows an empty frame
        return 0


def _too_large(source: Source) -> LimitProblem:
    return LimitProblem("too_large_when_opened", file=source.name)


def _unsafe(source: Source) -> InputProblem:
    return InputProblem("unsafe_content", file=source.name)
