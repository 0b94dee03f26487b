"""What is asked of an open presentation before its export; runs beside server.py."""

from typing import Any


def slides(document: Any) -> dict[str, int]:
    """How many slides there are, and how many of them are hidden."""
    pages = document.component.DrawPages
    shown = [pages.getByIndex(number).Visible for number in range(pages.getCount())]
    return {"slides": len(shown), "hidden": shown.count(False)}
