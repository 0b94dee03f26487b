"""Words and numbers found through a document, as MuPDF reads it: hidden text layers too."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.engines.edit.scene import Box
from cluster.engines.edit.shapes import bounds, corners, landed
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.pdf.matrix import Matrix

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
#: Bytes of a term's pattern matter little, hits do: a page of nothing but hits.
_MOST = 20_000


@dataclass(frozen=True)
class Hit:
    """Where something stands: on a page (from 1) the boxes, in its own units, and the words that each of them shows."""

    page: int
    boxes: tuple[Box, ...]
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.words)


Search = Callable[[str], Iterator[tuple[int, int]]]


def search_for(terms: Sequence[str], presets: Sequence[str], *, case: bool, word: bool) -> list[Search]:
    """What finds terms (blanks and line ends between their letters count for nothing) and numbers of the presets."""
    made = [_term(term, case, word) for term in terms if term.strip()]
    return made + [_PRESETS[each] for each in presets]


def find(path: Path, searches: Sequence[Search]) -> Iterator[Hit]:
    """The hits in a document without a lock, page by page."""
    pymupdf = import_pymupdf()
    with pymupdf.open(path, filetype="pdf") as document:
        for page in document:
            page.set_rotation(0)
            text, letters = _read(page)
            spans = sorted({span for search in searches for span in search(text)})
            last = 0
            for start, end in spans[:_MOST]:
                if start >= last:
                    last = end
                    yield _hit(page.number + 1, letters[start:end])


def _term(term: str, case: bool, word: bool) -> Search:
    letters = r"\s*".join(re.escape(letter) for letter in "".join(term.split()))
    pattern = re.compile(rf"(?<!\w){letters}(?!\w)" if word else letters, 0 if case else re.IGNORECASE)
    return lambda text: (found.span() for found in pattern.finditer(text))


def _numbers(pattern: str, fits: Callable[[str], bool]) -> Search:
    compiled = re.compile(pattern)

    def search(text: str) -> Iterator[tuple[int, int]]:
        for found in compiled.finditer(text):
            if fits(re.sub(r"[\s-]", "", found[0])):
                yield found.span()

    return search


def _is_id(number: str) -> bool:
    return _CHECKS[sum(int(a) * b for a, b in zip(number[:17], _WEIGHTS, strict=True)) % 11] == number[17].upper()


def _is_card(number: str) -> bool:
    digits = [int(each) for each in reversed(number)]
    doubled = [sum(divmod(2 * each, 10)) for each in digits[1::2]]
    return 13 <= len(digits) <= 19 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


_PRESETS: dict[str, Search] = {
    "id_card": _numbers(
        r"(?<![0-9A-Za-z])[1-9]\d{5}[ -]?(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[ -]?\d{3}[0-9Xx]"
        r"(?![0-9A-Za-z])",
        _is_id,
    ),
    "phone": _numbers(r"(?<![0-9])(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![0-9])", lambda _: True),
    "bank_card": _numbers(r"(?<![0-9])[3-6]\d{3}(?:[ -]?\d){9,15}(?![0-9])", _is_card),
    "email": _numbers(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}", lambda _: True),
}


@dataclass(frozen=True)
class _Letter:
    """A letter in the page's units, its line, and whether that is level."""

    text: str
    box: Box
    line: int
    level: bool


def _read(page: Any) -> tuple[str, list[_Letter]]:
    """The page's text with a line feed after each line, and a letter for each of its characters."""
    pymupdf = import_pymupdf()
    told = ~page.transformation_matrix
    back: Matrix = (told.a, told.b, told.c, told.d, told.e, told.f)
    letters: list[_Letter] = []
    number = 0
    for block in page.get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE)["blocks"]:
        for line in block.get("lines", ()):
            number += 1
            level = min(abs(each) for each in line["dir"]) < 1e-3
            for char in (char for span in line["spans"] for char in span["chars"]):
                box = bounds(landed(back, corners(char["bbox"])))
                letters += [_Letter(each, box, number, level) for each in char["c"]]
            letters.append(_Letter("\n", (0, 0, 0, 0), number, False))
    return "".join(letter.text for letter in letters), letters


def _hit(page: int, letters: Sequence[_Letter]) -> Hit:
    """A box for each line; for each letter of one that leans."""
    boxes: list[Box] = []
    words: list[str] = []
    last: int | None = None
    for letter in letters:
        if letter.text.isspace():
            if words:
                words[-1] += " " if letter.text != "\n" else ""
            continue
        if letter.line == last and letter.level:
            a, b = boxes[-1], letter.box
            boxes[-1] = min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])
            words[-1] += letter.text
        else:
            boxes.append(letter.box)
            words.append(letter.text)
        last = letter.line
    return Hit(page, tuple(boxes), tuple(words))
