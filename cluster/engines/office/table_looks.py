"""How Excel paints the tables of an xlsx that have one of its own styles: LibreOffice leaves them bare.

    looks = table_looks(path)

The styles stand in no file; what they have in common is said here: heads, stripes, lines, in a colour of the theme.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cluster.engines.office.package import parsed
from cluster.engines.office.sheet_parts import column_of, related, worksheets

_STYLE = re.compile(r"TableStyle(Light|Medium|Dark)(\d+)")
_AREA = re.compile(r"\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)")
_THEME = "xl/theme/theme1.xml"
_ACCENTS = (0x000000, 0x4472C4, 0xED7D31, 0xA5A5A5, 0xFFC000, 0x5B9BD5, 0x70AD47)
_WHITE, _BLACK, _GREY = 0xFFFFFF, 0x000000, 0xD9D9D9
_FAMILY = 7


@dataclass(frozen=True)
class Look:
    """One table: its first and last column and row, from 0; how many rows its head and its totals have; its colours.

    None stands for what the style leaves alone; `lines` are above and below it, by `inner` also between "rows", or all.
    """

    sheet: str
    area: tuple[int, int, int, int]
    heads: int
    totals: int
    head: int | None
    words: int | None
    body: int | None
    stripe: int | None
    lines: int | None
    inner: str = ""


def table_looks(path: Path) -> list[dict[str, Any]]:
    """The Looks of the tables, as plain facts."""
    from lxml.etree import XMLSyntaxError

    try:
        with zipfile.ZipFile(path) as archive:
            return [asdict(each) for each in _looks(archive)]
    except (KeyError, ValueError, XMLSyntaxError):  # LibreOffice may read it all the same
        return []


def _looks(archive: zipfile.ZipFile) -> Iterator[Look]:
    names, accents = set(archive.namelist()), None
    for sheet, part in worksheets(archive):
        folder, _, file = part.rpartition("/")
        if f"{folder}/_rels/{file}.rels" not in names:
            continue
        for kind, target in related(archive, part).values():
            if kind == "table":
                accents = accents or _accents(archive)
                yield from _look(sheet, parsed(archive.read(target)), accents)


def _look(sheet: str, table: Any, accents: tuple[int, ...]) -> Iterator[Look]:
    info = next(table.iter("{*}tableStyleInfo"), None)
    area = _AREA.fullmatch(table.get("ref", ""))
    style = _STYLE.fullmatch(info.get("name", "")) if info is not None else None
    if info is None or not style or not area:
        return
    place = column_of(area[1]), int(area[2]) - 1, column_of(area[3]), int(area[4]) - 1
    heads, totals = int(table.get("headerRowCount", 1)), int(table.get("totalsRowCount", 0))
    colours = _colours(style[1], int(style[2]), accents)
    if info.get("showRowStripes") not in ("1", "true"):
        colours["stripe"] = None
    yield Look(sheet, place, heads, totals, **colours)


def _colours(family: str, number: int, accents: tuple[int, ...]) -> dict[str, Any]:
    """What a style paints, by its family and number."""
    group, accent = divmod(number - 1, _FAMILY)
    colour = accents[accent]
    pale, paler, line = (_tinted(colour, share) for share in (0.6, 0.8, 0.4))
    plain = {"head": None, "words": None, "body": None, "stripe": paler, "lines": colour, "inner": ""}
    dark_head = plain | {"head": colour, "words": _WHITE}
    styles = {
        ("Light", 0): plain,
        ("Light", 1): dark_head | {"stripe": None, "inner": "rows"},
        ("Light", 2): plain | {"inner": "all"},
        ("Medium", 0): dark_head | {"lines": line, "inner": "rows"},
        ("Medium", 1): dark_head | {"body": paler, "stripe": pale, "lines": _WHITE, "inner": "all"},
        ("Medium", 2): dark_head | {"stripe": _GREY, "lines": _BLACK},
        ("Medium", 3): plain | {"head": pale, "body": paler, "stripe": pale, "lines": line, "inner": "all"},
        ("Dark", 0): plain | {"head": _BLACK, "words": _WHITE, "body": pale, "stripe": line, "lines": None},
        ("Dark", 1): dark_head | {"body": paler, "stripe": pale, "lines": None},
    }
    return dict(styles[family, min(group, 3 if family == "Medium" else 2 if family == "Light" else 1)])


def _tinted(colour: int, share: float) -> int:
    """A colour with so much white in it; of black, Excel takes greys a little lighter."""
    share += 0 if colour else 0.05
    parts = (colour >> 16, colour >> 8 & 255, colour & 255)
    red, green, blue = (round(part + (255 - part) * share) for part in parts)
    return red << 16 | green << 8 | blue


def _accents(archive: zipfile.ZipFile) -> tuple[int, ...]:
    """Black, then the theme's six colours."""
    if _THEME not in archive.namelist():
        return _ACCENTS
    theme = parsed(archive.read(_THEME))
    found = [next(theme.iter(f"{{*}}accent{number}"), None) for number in range(1, _FAMILY)]
    colours = [each[0].get("val", "") if each is not None and len(each) else "" for each in found]
    return (_BLACK, *(int(each, 16) if each else usual for each, usual in zip(colours, _ACCENTS[1:], strict=True)))
