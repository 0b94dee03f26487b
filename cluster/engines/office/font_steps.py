"""Which fonts an open document names, and what stands in for those that are not here; runs beside server.py."""

import ctypes
import ctypes.util
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

#: So many cell formats, and shapes, are asked at most: each costs calls.
_ASKED = 400
#: fontconfig's numbers: FcMatchPattern, FcResultMatch.
_PATTERN, _MATCHED = 0, 0
_NOBODY = "no font has this name"


def fonts(document: Any) -> dict[str, list[str]]:
    """Font families that the document's text names, by script. Slow (a call a style): docx has fonts.py."""
    asked: dict[str, set[str]] = {"CharFontName": set(), "CharFontNameAsian": set()}
    for dressed in islice(_dressed(document.component), _ASKED):
        for name, found in asked.items():
            with suppress(Exception):  # a style without this property
                # Nothing at all where a style leaves the font to another.
                found.add((dressed.getPropertyValue(name) or "").split(";")[0].strip())
    return {"western": sorted(asked["CharFontName"]), "asian": sorted(asked["CharFontNameAsian"])}


def stand_ins(document: Any, names: list[str]) -> dict[str, str]:
    """Those of `names` that no installed font has: the family that is taken, "" where the name is unknown."""
    here = _installed(document.office)
    # RTF names fonts that it does not have by their number.
    return {name: _taken(name) for name in names if name and not name.isdecimal() and name.lower() not in here}


def _dressed(component: Any) -> Iterable[Any]:
    """What has fonts in this document: cells, shapes, or styles."""
    if component.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
        return _formats(component.Sheets)
    is_text = component.supportsService("com.sun.star.text.GenericTextDocument")
    return _styles(component) if is_text else _shapes(component.DrawPages)


def _formats(sheets: Any) -> Iterator[Any]:
    for sheet in _each(sheets):
        if sheet.IsVisible:
            yield from _each(sheet.UniqueCellFormatRanges)


def _shapes(pages: Any) -> Iterator[Any]:
    for page in _each(pages):
        yield from _each(page)


def _each(listed: Any) -> Iterator[Any]:
    return (listed.getByIndex(number) for number in range(listed.getCount()))


def _styles(component: Any) -> Iterator[Any]:
    automatic = component.AutoStyles
    for family in ("CharacterStyles", "ParagraphStyles"):
        if automatic.hasByName(family):
            styles = automatic.getByName(family).createEnumeration()
            while styles.hasMoreElements():
                yield styles.nextElement()
    for family in ("ParagraphStyles", "CharacterStyles"):
        named = component.StyleFamilies.getByName(family)
        for name in named.getElementNames():
            style = named.getByName(name)
            if style.isInUse():
                yield style


def _installed(office: Any) -> frozenset[str]:
    # Asked once: a document cannot install a font.
    if not office.fonts:
        toolkit = office.service("com.sun.star.awt.Toolkit")
        device = toolkit.createScreenCompatibleDevice(0, 0)
        office.fonts = frozenset(str(each.Name).lower() for each in device.getFontDescriptors())
    return frozenset(office.fonts)


def _taken(name: str) -> str:
    """The family that fontconfig, which LibreOffice asks, has for a name; "" where it has only its last resort."""
    found = _matched(name)
    return "" if found == _matched(_NOBODY) else found


@cache
def _matched(name: str) -> str:
    library = _fontconfig()
    pattern = library.FcPatternCreate()
    library.FcPatternAddString(pattern, b"family", name.encode())
    library.FcConfigSubstitute(None, pattern, _PATTERN)
    library.FcDefaultSubstitute(pattern)
    result, family = ctypes.c_int(), ctypes.c_char_p()
    match = library.FcFontMatch(None, pattern, ctypes.byref(result))
    found = match and library.FcPatternGetString(match, b"family", 0, ctypes.byref(family)) == _MATCHED
    made = (family.value or b"").decode("utf-8", "replace") if found else ""
    for each in (match, pattern):
        if each:
            library.FcPatternDestroy(each)
    return made


@cache
def _fontconfig() -> Any:
    library = ctypes.CDLL(ctypes.util.find_library("fontconfig") or "libfontconfig.so.1")
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    library.FcPatternCreate.restype = library.FcFontMatch.restype = pointer
    library.FcPatternAddString.argtypes = (pointer, text, text)
    library.FcConfigSubstitute.argtypes = (pointer, pointer, ctypes.c_int)
    library.FcDefaultSubstitute.argtypes = library.FcPatternDestroy.argtypes = (pointer,)
    library.FcFontMatch.argtypes = (pointer, pointer, ctypes.POINTER(ctypes.c_int))
    library.FcPatternGetString.argtypes = (pointer, text, ctypes.c_int, ctypes.POINTER(text))
    return library
