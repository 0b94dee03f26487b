"""What is asked of or done to an open document before its export; runs beside server.py."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import uno


def named_value(name: str, value: Any) -> Any:
    """A com.sun.star.beans.PropertyValue."""
    made = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
    made.Name, made.Value = name, value
    return made


def size(component: Any) -> dict[str, Any]:
    """Pages that an export has and characters; None where the document is no text."""
    try:
        characters = int(component.getPropertyValue("CharacterCount"))
    except Exception:  # not a text document
        return {"pages": None, "characters": None}
    # As in an export, without the blank pages that let a chapter begin on a right-hand one.
    skipping = (named_value("IsSkipEmptyPages", True),)
    return {"pages": component.getRendererCount(component, skipping), "characters": characters}


def changes(document: Any, how: str) -> int:
    """Settle tracked changes: accept, reject or show. Returns how many there were."""
    redlines = document.component.Redlines.createEnumeration()
    count = 0
    while redlines.hasMoreElements():
        redlines.nextElement()
        count += 1
    if count and how in ("accept", "reject"):
        command = ".uno:AcceptAllTrackedChanges" if how == "accept" else ".uno:RejectAllTrackedChanges"
        _dispatch(document, command)
    return count


def refresh(document: Any) -> int:
    """Bring contents lists up to date; twice, because a list that grew moves the pages it names."""
    indexes = document.component.getDocumentIndexes()
    for _ in range(2):
        document.component.refresh()
        for number in range(indexes.getCount()):
            indexes.getByIndex(number).update()
    return int(indexes.getCount())


#: com.sun.star.text.FilenameDisplayFormat
_PATHS, _NAME_AND_EXTENSION = (0, 1), 3


def plain_names(document: Any) -> int:
    """Let fields that print the file's path print its name: the path is ours. Returns how many there were."""
    listed = document.component.getTextFields().createEnumeration()
    count = 0
    while listed.hasMoreElements():
        field = listed.nextElement()
        if field.supportsService("com.sun.star.text.textfield.FileName") and field.FileFormat in _PATHS:
            field.IsFixed, field.FileFormat = False, _NAME_AND_EXTENSION
            count += 1
    if count:
        document.component.getTextFields().refresh()
    return count


def fonts(document: Any) -> dict[str, list[str]]:
    """Font families that the document's text names, by script. Slow (a call a style): docx has docx_fonts.py."""
    asked: dict[str, set[str]] = {"CharFontName": set(), "CharFontNameAsian": set()}
    for style in _styles(document.component):
        for name, found in asked.items():
            with suppress(Exception):  # a style without this property
                # Nothing at all where a style leaves the font to another.
                found.add((style.getPropertyValue(name) or "").split(";")[0].strip())
    return {"western": sorted(asked["CharFontName"]), "asian": sorted(asked["CharFontNameAsian"])}


def missing(document: Any, names: list[str]) -> list[str]:
    """Those of `names` that no installed font has."""
    here = _installed(document.office)
    return [name for name in names if name and name.lower() not in here]


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
        toolkit = _service(office, "com.sun.star.awt.Toolkit")
        device = toolkit.createScreenCompatibleDevice(0, 0)
        office.fonts = frozenset(str(each.Name).lower() for each in device.getFontDescriptors())
    return frozenset(office.fonts)


def _dispatch(document: Any, command: str) -> None:
    helper = _service(document.office, "com.sun.star.frame.DispatchHelper")
    helper.executeDispatch(document.component.CurrentController.Frame, command, "", 0, ())


def _service(office: Any, name: str) -> Any:
    return office.converter.service.createInstanceWithContext(name, office.converter.context)


STEPS: dict[str, Callable[..., Any]] = {
    "size": lambda document: size(document.component),
    "changes": changes,
    "plain_names": plain_names,
    "refresh": refresh,
    "fonts": fonts,
    "missing": missing,
}
