"""What is asked of or done to an open presentation before its export; runs beside server.py."""

from typing import Any

#: A bookmark shows so much of a title.
_LONGEST = 80
_TITLE = "com.sun.star.presentation.TitleTextShape"


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
