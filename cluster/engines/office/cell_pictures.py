"""Pictures that an xlsx has in its cells, not above them: WPS's DISPIMG and Excel's "place in cell".

LibreOffice shows an error in their stead.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cluster.engines.office.package import parsed
from cluster.engines.office.sheet_parts import column_of, related, worksheets

_WPS = "xl/cellimages.xml"
_METADATA = "xl/metadata.xml"
_VALUES, _KEYS = "xl/richData/rdrichvalue.xml", "xl/richData/rdrichvaluestructure.xml"
_RELATIONS = "xl/richData/richValueRel.xml"
_LOCAL = "_rvRel:LocalImageIdentifier"
_NAMED = re.compile(rb'<(?:\w+:)?c\b([^>]*)>\s*<(?:\w+:)?f\b[^>]*>[^<]*DISPIMG\((?:&quot;|")([^"&<]+)', re.I)
_NUMBERED = re.compile(rb'<(?:\w+:)?c\b([^>]*\svm="(\d+)"[^>]*)>')
_PLACE = re.compile(rb'\sr="([A-Z]+)(\d+)"')
#: More than so many are left as they are.
_MOST = 2000


@dataclass(frozen=True)
class CellPicture:
    """A picture's own file, and the cell that shows it; columns and rows count from 0."""

    sheet: str
    column: int
    row: int
    file: str


def cell_pictures(path: Path, folder: Path) -> list[dict[str, Any]]:
    """The CellPictures of the xlsx at `path`, as plain facts; the files are written to `folder`."""
    from lxml.etree import XMLSyntaxError

    try:
        with zipfile.ZipFile(path) as archive:
            parts = _by_name(archive) | _by_number(archive)
            return [asdict(each) for each in islice(_shown(archive, parts, folder), _MOST)] if parts else []
    except (KeyError, IndexError, ValueError, XMLSyntaxError):  # nothing that could be shown
        return []


def _shown(archive: zipfile.ZipFile, parts: dict[str, str], folder: Path) -> Iterator[CellPicture]:
    files: dict[str, Path] = {}
    for name, part in worksheets(archive):
        sheet = archive.read(part)
        for pattern in (_NAMED, _NUMBERED):
            for found in pattern.finditer(sheet):
                place, picture = _PLACE.search(found[1]), parts.get(found[2].decode("utf-8", "replace"))
                if place and picture:
                    if picture not in files:
                        files[picture] = _written(archive, picture, folder / str(len(files)))
                    yield CellPicture(name, column_of(place[1].decode()), int(place[2]) - 1, str(files[picture]))


def _written(archive: zipfile.ZipFile, part: str, file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(archive.read(part))
    return file


def _by_name(archive: zipfile.ZipFile) -> dict[str, str]:
    """WPS's pictures: their parts by the names that formulas call them."""
    if _WPS not in archive.namelist():
        return {}
    relations, found = related(archive, _WPS), {}
    for picture in parsed(archive.read(_WPS)).iter("{*}pic"):
        name, blip = next(picture.iter("{*}cNvPr")), next(picture.iter("{*}blip"))
        embedded = next((value for key, value in blip.attrib.items() if key.endswith("}embed")), "")
        if embedded in relations:
            found[name.get("name", "")] = relations[embedded][1]
    return found


def _by_number(archive: zipfile.ZipFile) -> dict[str, str]:
    """Excel's pictures: their parts by the numbers that cells give their values, from 1."""
    if not {_METADATA, _VALUES, _KEYS, _RELATIONS} <= set(archive.namelist()):
        return {}
    metadata = parsed(archive.read(_METADATA))
    rich = next(each for each in metadata.iter("{*}futureMetadata") if each.get("name") == "XLRICHVALUE")
    values = [int(next(block.iter("{*}rvb")).get("i")) for block in rich.iter("{*}bk")]
    pictures, found = _local(archive), {}
    for number, block in enumerate(metadata.iterfind("{*}valueMetadata/{*}bk"), 1):
        value = values[int(next(block.iter("{*}rc")).get("v"))]
        if value in pictures:
            found[str(number)] = pictures[value]
    return found


def _local(archive: zipfile.ZipFile) -> dict[int, str]:
    """The parts of pictures by the numbers of the rich values that are one."""
    keys = [[key.get("n") for key in each.iter("{*}k")] for each in parsed(archive.read(_KEYS)).iter("{*}s")]
    relations, named = related(archive, _RELATIONS), []
    for each in parsed(archive.read(_RELATIONS)).iter("{*}rel"):
        named.append(next((value for key, value in each.attrib.items() if key.endswith("}id")), ""))
    found = {}
    for number, value in enumerate(parsed(archive.read(_VALUES)).iter("{*}rv")):
        own = keys[int(value.get("s", 0))]
        if _LOCAL in own:
            said = [each.text for each in value.iter("{*}v")][own.index(_LOCAL)]
            found[number] = relations[named[int(said or 0)]][1]
    return found
