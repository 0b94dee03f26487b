"""Numbers on pages: how they are written, which page has which, and what the pattern makes of them.

The page editor counts and writes by the same rules; tests/samples/numbers.json holds both to the same words.

    sections   "1=i, 5=1": from page 1 on lower Roman from i, from page 5 on Arabic from 1. How the number is written
               says how its section counts: 1, 001, i, I, 一, a, A.
    pattern    {n} and {total} as the section writes them; {n:zh}, {n:roman}, {n:ROMAN}, {n:1} in a way of their own,
               {n:000} with zeros; {page} and {pages} as the document has them; {file}, {date}.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Style = Literal["1", "i", "I", "zh", "a", "A"]

_DIGITS = "零一二三四五六七八九"
_UNITS = ("", "十", "百", "千")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
#: Roman numbers end here; beyond, and below one, a number is written as digits.
_MOST_ROMAN = 3999
_NAMES: Mapping[str, Style] = {"zh": "zh", "roman": "i", "ROMAN": "I", "abc": "a", "ABC": "A"}


def chinese(number: int) -> str:
    """As one says it: 十二, 一百零五, 一万零一十; below a hundred million."""
    if number >= 10_000:
        rest = number % 10_000
        gap = "零" if 0 < rest < 1000 else ""
        return chinese(number // 10_000) + "万" + gap + (_below_ten_thousand(rest) if rest else "")
    spoken = _below_ten_thousand(number) or _DIGITS[0]
    return spoken.removeprefix("一") if 10 <= number < 20 else spoken


def _below_ten_thousand(number: int) -> str:
    spoken = ""
    for at in range(3, -1, -1):
        digit = number // 10**at % 10
        if digit:
            spoken += _DIGITS[digit] + _UNITS[at]
        elif spoken and not spoken.endswith("零") and number % 10**at:
            spoken += "零"
    return spoken


def roman(number: int) -> str:
    """In small letters; digits where Roman numbers end."""
    if not 1 <= number <= _MOST_ROMAN:
        return str(number)
    written = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written += letters * count
    return written


def letters(number: int) -> str:
    """a … z, aa, bb … as PDF's page labels count; digits below one and beyond 26 letters in a row."""
    if not 1 <= number <= 26 * 26:
        return str(number)
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def written(number: int, style: Style, digits: int = 1) -> str:
    """The number in a style; Arabic ones with zeros before them up to so many digits."""
    if style == "zh":
        return chinese(number)
    if style in ("i", "I"):
        return roman(number).upper() if style == "I" else roman(number)
    if style in ("a", "A"):
        return letters(number).upper() if style == "A" else letters(number)
    return str(number).zfill(digits)


@dataclass(frozen=True)
class Section:
    """From a page on: the first number and how it is written."""

    page: int
    first: int
    style: Style | None = None
    digits: int | None = None


_SECTION = re.compile(
    r"\s*(\d{1,6})\s*[=:：]\s*(\d{1,9}|[ivxlcdm]+|[IVXLCDM]+|[a-z]|[A-Z]|[零一二三四五六七八九十百千万]+)\s*"
)


def sections_of(text: str) -> list[Section] | None:
    """Sections as they are typed, in the order of their pages; None where that makes no sense."""
    found: dict[int, Section] = {}
    for part in re.split(r"[,，;；\n]", text):
        if not part.strip():
            continue
        match = _SECTION.fullmatch(part)
        section = _section(int(match[1]), match[2]) if match else None
        if section is None or section.page < 1 or section.page in found:
            return None
        found[section.page] = section
    return [found[page] for page in sorted(found)]


def _section(page: int, shown: str) -> Section | None:
    if shown.isdecimal():
        return Section(page, int(shown), "1", len(shown) if shown.startswith("0") and len(shown) > 1 else None)
    # A letter alone is one of the alphabet, but i, v and x are mostly Roman.
    alone = len(shown) == 1 and shown not in "ivxIVX"
    styles: Sequence[Style] = ("a", "A", "zh") if alone else ("i", "I", "zh")
    for style in styles:
        for number in range(1, 1000):
            if written(number, style) == shown:
                return Section(page, number, style)
    return None


@dataclass(frozen=True)
class Number:
    """What one page shows: its number, the last one of its section, and how both are written."""

    number: int
    total: int
    style: Style
    digits: int


@dataclass(frozen=True)
class Counting:
    """How the chosen pages of a document are counted.

    `everything`: pages without a number count, too. Sections begin with their own numbers; before the first one, and
    without any, `first` and `style` hold.
    """

    first: int = 1
    style: Style = "1"
    digits: int = 1
    everything: bool = False
    sections: Sequence[Section] = ()

    def of(self, chosen: Sequence[int], pages: int) -> dict[int, Number]:
        """By page, of the `chosen` ones (ascending) of so many."""
        numbers: dict[int, Number] = {}
        begins = [Section(1, self.first), *(each for each in self.sections if each.page <= pages)]
        begins = begins[1:] if len(begins) > 1 and begins[1].page == 1 else begins
        ends = [each.page - 1 for each in begins[1:]] + [pages]
        for section, last in zip(begins, ends, strict=True):
            counted = range(section.page, last + 1) if self.everything else chosen
            inside = [page for page in counted if section.page <= page <= last]
            mine = {page: self._number(section, at) for at, page in enumerate(inside)}
            total = max((each.number for each in mine.values()), default=0)
            numbers |= {page: replace(mine[page], total=total) for page in chosen if page in mine}
        return numbers

    def _number(self, section: Section, at: int) -> Number:
        return Number(section.first + at, 0, section.style or self.style, section.digits or self.digits)


def told(pattern: str, number: Number, values: Mapping[str, str]) -> str:
    """The pattern with its numbers and the other `values`; names nobody knows stay as written."""

    def fill(found: re.Match[str]) -> str:
        name, way = found[1], found[2]
        if name not in ("n", "total"):
            return values.get(name, found[0]) if way is None else found[0]
        value = number.number if name == "n" else number.total
        if way is None:
            return written(value, number.style, number.digits)
        if way in _NAMES:
            return written(value, _NAMES[way])
        return written(value, "1", len(way)) if re.fullmatch(r"0*1?", way) and way else found[0]

    return re.sub(r"\{(\w+)(?::(\w+))?\}", fill, pattern)


def mirrored(place: str) -> str:
    """The place on the other side of a fold."""
    swapped = {"left": "right", "right": "left"}
    return "-".join(swapped.get(part, part) for part in place.split("-"))
