"""What is asked of or done to an open presentation before its export; runs beside server.py."""

from typing import Any

import uno

#: A bookmark shows so much of a title.
_LONGEST = 80
_TITLE = "com.sun.star.presentation.TitleTextShape"
_NOTES, _SLIDE = "com.sun.star.presentation.NotesShape", "com.sun.star.presentation.PageShape"
#: Of a page of notes that LibreOffice made for a slide without any, what the slide takes, and what is above it.
_SHARE, _ABOVE = 0.8, 0.075


def slides(document: Any) -> list[bool]:
    """Whether each slide is shown."""
    pages = document.component.DrawPages
    return [bool(pages.getByIndex(number).Visible) for number in range(pages.getCount())]


def entitle(document: Any) -> None:
    """Name slides by their titles, which is what bookmarks show."""
    pages = document.component.DrawPages
    taken: set[str] = set()
    for number in range(pages.getCount()):
        page = pages.getByIndex(number)
        title = " ".join(_title(page).split())[:_LONGEST]
        if title and title not in taken:  # two pages cannot have one name
            page.Name = title
            taken.add(title)


def _title(page: Any) -> str:
    for number in range(page.getCount()):
        shape = page.getByIndex(number)
        if shape.ShapeType == _TITLE:
            return str(shape.String)
    return ""


def fit_notes(document: Any) -> None:
    """Keep the slide of each page of notes on the paper, and make long notes as small as they must be."""
    pages = document.component.DrawPages
    for number in range(pages.getCount()):
        page = pages.getByIndex(number).getNotesPage()
        for shape in [page.getByIndex(each) for each in range(page.getCount())]:
            if shape.ShapeType == _SLIDE and shape.Position.X + shape.Size.Width > page.Width:
                _put_slide(page, shape)
            elif shape.ShapeType == _NOTES and shape.String:
                shape.TextFitToSize = uno.Enum("com.sun.star.drawing.TextFitToSizeType", "AUTOFIT")


def _put_slide(page: Any, shape: Any) -> None:
    size, place = shape.Size, shape.Position
    scale = page.Width * _SHARE / size.Width
    size.Width, size.Height = int(size.Width * scale), int(size.Height * scale)
    place.X, place.Y = (page.Width - size.Width) // 2, int(page.Height * _ABOVE)
    shape.Size, shape.Position = size, place
