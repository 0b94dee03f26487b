"""A book's pages: headers of parts and of left pages, footnotes that go on, endnotes, borders, typed numbers."""

from pathlib import Path

from cluster.engines.pdf.libraries import import_pymupdf
from tests.make_reading import ENGLISH, Sheet
from tests.once import once

#: What stands above right and left pages of each part.
HEADS = {"one": ("The First Part", "A Book of Cranes"), "two": ("The Second Part", "A Book of Cranes")}
FOOTNOTE = "See the register of the valley, which was begun in the year of the flood"
FURTHER = "and went on for a century."
ENDNOTES = ("The station was closed later.", "No stop is known from before.")
TYPED = (f"1. {ENGLISH}", f"2. {ENGLISH}")
_LEFT, _RIGHT = 72.0, 523.0


@once
def book(path: Path) -> Path:
    """Eight pages: four of each part. The second ends within a paragraph, the fourth is blank but for its margins, the
    last holds the endnotes."""
    with import_pymupdf().open() as document:
        for number in range(8):
            sheet = Sheet(document)
            _margins(sheet, number)
            if number not in (3, 7):
                sheet.prose(prose(number))
            if number == 0:
                _first(sheet)
            elif number == 1:
                _note(sheet, 780, "", FURTHER)
            elif number in (4, 5):
                _referred(sheet, f"Ends part {number}", "i" * (number - 3))
            elif number == 7:
                for at, text in enumerate(ENDNOTES, 1):
                    _marked(sheet, _LEFT, 80 + 20.0 * at, "i" * at, text)
        document.save(path)
    return path


def prose(number: int) -> str:
    """A page's own text: what comes again in one place is a header."""
    words = ENGLISH.removesuffix(".").split()
    return " ".join([*words[3 * number :], *words[: 3 * number]]).capitalize() + "."


def _margins(sheet: Sheet, number: int) -> None:
    right, left = HEADS["one" if number < 4 else "two"]
    if number % 2:
        sheet.line(_LEFT, left, 9, "helv", y=40)
    else:
        sheet.line(_RIGHT - 65, right, 9, "helv", y=40)
    sheet.line(290, str(number % 4 + 1), 9, "helv", y=815)


def _first(sheet: Sheet) -> None:
    """A heading over a border, a referred footnote, typed numbers, an underlined word."""
    sheet.line(_LEFT, "On cranes", 18, "helv")
    sheet.page.draw_line((_LEFT, sheet.y + 3), (_RIGHT, sheet.y + 3))
    sheet.y += 34
    for text in TYPED:
        sheet.prose(text)
    _referred(sheet, "A valley", "1")
    sheet.line(_LEFT, "underlined", font="helv")
    sheet.page.draw_line((_LEFT, sheet.y + 1.5), (_LEFT + 52, sheet.y + 1.5))
    _note(sheet, 780, "1", FOOTNOTE)


def _referred(sheet: Sheet, text: str, mark: str) -> None:
    sheet.line(_LEFT, text, font="helv")
    wide = import_pymupdf().get_text_length(text, "helv", 11)
    sheet.line(_LEFT + wide + 0.5, mark, 6.5, "helv", y=sheet.y - 4)
    sheet.y += 26


def _note(sheet: Sheet, y: float, mark: str, text: str) -> None:
    sheet.page.draw_line((_LEFT, y - 14), (_LEFT + 110, y - 14))
    _marked(sheet, _LEFT, y, mark, text)


def _marked(sheet: Sheet, x: float, y: float, mark: str, text: str) -> None:
    sheet.line(x, mark, 5.5, "helv", y=y - 3)
    sheet.line(x + 4 * len(mark), text, 8.5, "helv", y=y)
