"""Rows of an xlsx whose height the file leaves to its reader: Excel gives them what their text needs, LibreOffice not.

Excel says every row's height itself when it saves; files that programs write seldom do.
"""

import re
import zipfile
from pathlib import Path
from typing import Any

from cluster.engines.office.package import parsed
from cluster.engines.office.sheet_parts import worksheets

_STYLES = "xl/styles.xml"
_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*[^/>])>(.*?)</(?:\w+:)?row>", re.S)
_SAID = re.compile(rb"\s(?:ht|hidden)=")
_NUMBER, _STYLE = re.compile(rb'\sr="(\d+)"'), re.compile(rb'\ss="(\d+)"')
#: All rows are as high as the sheet says.
_FIXED = re.compile(rb'<(?:\w+:)?sheetFormatPr\b[^>]*\scustomHeight="(?:1|true)"')
#: A font so much larger than the book's own needs a higher row.
_LARGER = 1.2


def unmeasured(path: Path) -> dict[str, list[list[int]]]:
    """The first and last of rows that lie together, from 0, by the names of their sheets."""
    from lxml.etree import XMLSyntaxError

    try:
        with zipfile.ZipFile(path) as archive:
            styles = _high_styles(parsed(archive.read(_STYLES)))
            found = {name: _spans(archive.read(part), styles) for name, part in worksheets(archive)} if styles else {}
    except (KeyError, XMLSyntaxError):  # LibreOffice may read it all the same
        return {}
    return {name: spans for name, spans in found.items() if spans}


def _high_styles(tree: Any) -> set[int]:
    """The numbers of styles that wrap their text or have a large font."""
    sizes = [float(next((size.get("val") for size in font.iterfind("{*}sz")), 11)) for font in tree.iter("{*}font")]
    usual = _LARGER * (sizes[0] if sizes else 11)
    found = set()
    for number, style in enumerate(tree.iterfind("{*}cellXfs/{*}xf")):
        wraps = any(each.get("wrapText") in ("1", "true") for each in style.iterfind("{*}alignment"))
        font = int(style.get("fontId", 0))
        if wraps or (font < len(sizes) and sizes[font] > usual):
            found.add(number)
    return found


def _spans(sheet: bytes, styles: set[int]) -> list[list[int]]:
    spans: list[list[int]] = []
    if _FIXED.search(sheet):
        return spans
    for number, row in enumerate(_ROW.finditer(sheet)):
        if _SAID.search(row[1]) or not any(int(style[1]) in styles for style in _STYLE.finditer(row[2])):
            continue
        said = _NUMBER.search(row[1])
        place = int(said[1]) - 1 if said else number
        if spans and spans[-1][1] == place - 1:
            spans[-1][1] = place
        else:
            spans.append([place, place])
    return spans
