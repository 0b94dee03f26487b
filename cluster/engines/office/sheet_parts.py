"""Where the sheets of an xlsx lie in its package."""

import posixpath
import zipfile
from collections.abc import Iterator

from cluster.engines.office.package import parsed

_BOOK = "xl/workbook.xml"


def related(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """The last word of the type, and the part, of what a part refers to in the package, by the references' names."""
    folder, file = posixpath.split(part)
    found = {}
    for each in parsed(archive.read(f"{folder}/_rels/{file}.rels")):
        if each.get("TargetMode") != "External":
            place = posixpath.normpath(posixpath.join("/", folder, each.get("Target", "")))
            found[each.get("Id", "")] = each.get("Type", "").rpartition("/")[2], place[1:]
    return found


def worksheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Names of worksheets and of their parts."""
    relations = related(archive, _BOOK)
    for sheet in parsed(archive.read(_BOOK)).iter("{*}sheet"):
        named = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), "")
        kind, part = relations.get(named, ("", ""))
        if kind == "worksheet":
            yield sheet.get("name", ""), part


def column_of(letters: str) -> int:
    """A column by its name, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1
