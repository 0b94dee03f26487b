"""What is asked of or done to an open document before its export; runs beside server.py."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uno

from cluster.engines.office import font_steps, sheet_cells, sheet_steps, sheet_tables, slide_steps


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


def rendered(document: Any) -> int:
    """Pages that an export has now; for a spreadsheet, which lays them out only when asked."""
    return int(document.component.getRendererCount(document.component, ()))


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


def gather_endnotes(document: Any, prefix: str) -> int:
    """Let the endnotes of each text that a bookmark named `prefix` … spans stand right behind it, as Word has them.

    LibreOffice has them on a page of their own behind all, but at its end what stands in a section. Returns how many.
    """
    component = document.component
    marks, text = component.getBookmarks(), component.getText()
    found = [marks.getByName(name) for name in marks.getElementNames() if name.startswith(prefix)]
    for mark in found:
        section = component.createInstance("com.sun.star.text.TextSection")
        section.EndnoteIsCollectAtTextEnd = True
        with suppress(Exception):  # a text that no section can hold: its notes stay where they are
            text.insertTextContent(text.createTextCursorByRange(mark.getAnchor()), section, True)
        text.removeTextContent(mark)
    return len(found)


def _dispatch(document: Any, command: str) -> None:
    helper = document.office.service("com.sun.star.frame.DispatchHelper")
    helper.executeDispatch(document.component.CurrentController.Frame, command, "", 0, ())


STEPS: dict[str, Callable[..., Any]] = {
    "size": lambda document: size(document.component),
    "changes": changes,
    "plain_names": plain_names,
    "refresh": refresh,
    "gather_endnotes": gather_endnotes,
    "fonts": font_steps.fonts,
    "stand_ins": font_steps.stand_ins,
    "sheets": sheet_steps.sheets,
    "lay_out": sheet_steps.lay_out,
    "dress_table": sheet_steps.dress_table,
    "fit_rows": sheet_steps.fit_rows,
    "place_pictures": lambda document, pictures: sheet_cells.place_pictures(document, pictures, named_value),
    "paint_tables": sheet_tables.paint_tables,
    "rendered": rendered,
    "slides": slide_steps.slides,
    "entitle": slide_steps.entitle,
    "fit_notes": slide_steps.fit_notes,
}
