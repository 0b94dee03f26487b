"""Keep a recogniser to the letters of one language: no 0 read as 〇 in English, no 一 for a dash.

And find out which letters it does not know. Vietnamese ế or ạ it passes over in silence and with certainty; but
where one stands, its nearest relative (ê, a) is a shade less impossible than between two letters that it knows.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cluster.engines.ocr.reader import Language

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SCRIPTS: dict[Language, tuple[str, ...]] = {
    "zh": ("CJK", "IDEOGRAPHIC", "FULLWIDTH"),
    "ja": ("CJK", "IDEOGRAPHIC", "FULLWIDTH", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"),
    "en": (),
    "latin": (),
}
#: Probability of a marked letter, blank around it, from which on it is taken; and that tells of an unknown letter.
#: (Measured: lines of ten European languages stay below 0.001, each line of Vietnamese comes to 0.002 and more.)
_TAKEN, _TOLD = 0.15, 0.002
_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_WIDE_IN_LATIN = re.compile(r"(?<=[A-Za-z0-9]) ?[\uff01-\uff5e] ?(?=[A-Za-z0-9])")


class Steps(NamedTuple):
    """At each step of a line: its likeliest letter (a number), and how likely that, none (blank), a marked one are."""

    letters: "NDArray[Any]"
    sure: "NDArray[Any]"
    blank: "NDArray[Any]"
    marked: "NDArray[Any]"


class Heard(NamedTuple):
    """A line's text, the mean and the least certainty of its letters, that of the likeliest letter that was left out,
    and how loud unknown letters are.
    """

    text: str
    score: float
    least: float
    missed: float
    unknown: float

    @property
    def passed_over(self) -> bool:
        """Whether the line has letters that the recogniser does not know."""
        return self.unknown >= _TOLD


class Only:
    """Reads a recogniser's letters (the first of `letters` is blank), without those that `language` does not write."""

    def __init__(self, letters: Sequence[str]) -> None:
        self._letters = letters
        self.language: Language = "auto"
        self.marked = _marked(letters)
        self._masks: dict[Language, NDArray[Any]] = {}

    def steps(self, scores: "NDArray[Any]") -> Steps:
        """What is likeliest of `scores` (steps x letters), which are changed."""
        if self.language != "auto":
            scores *= self._mask(self.language)
        blank, marked = scores[:, 0].copy(), scores[:, self.marked].max(axis=1)
        # Without blank, but the whole row: a part of it is looked through in three times the time.
        scores[:, 0] = 0
        letters = scores.argmax(axis=1)
        return Steps(letters, scores[range(len(letters)), letters], blank, marked)

    def kept(self, letters: "NDArray[Any]") -> Any:
        """1 for each of the letters (their numbers) that the language writes, else 0."""
        return 1 if self.language == "auto" else self._mask(self.language)[letters]

    def read(self, steps: Steps) -> Heard:
        """The letters that are likelier than none, the same one at neighbouring steps once; and likely relatives of
        unknown letters.

        Those count at steps between blanks only: beside a letter it is that letter's own echo.
        """
        import numpy

        silent = steps.blank >= steps.sure
        alone = silent.copy()
        alone[1:] &= silent[:-1]
        alone[:-1] &= silent[1:]
        relatives = steps.marked * alone
        found = steps.letters * (~silent | (relatives >= _TAKEN))
        first = found != 0
        first[1:] &= found[1:] != found[:-1]
        if not first.any():
            return Heard("", 0.0, 0.0, 0.0, float(relatives.sum()))
        # A letter is heard at several steps, at some of them less clearly.
        clearest = numpy.maximum.reduceat(steps.sure * (found != 0), first.nonzero()[0])
        text = "".join(self._letters[each] for each in found[first])
        score, least = float(steps.sure[first].mean()), float(clearest.min())
        return Heard(text, score, least, _missed(steps, found), float(relatives.sum()))

    def _mask(self, language: Language) -> "NDArray[Any]":
        import numpy

        if language not in self._masks:
            kept = [number == 0 or writes(language, letter) for number, letter in enumerate(self._letters)]
            self._masks[language] = numpy.array(kept, dtype=numpy.float32)
        return self._masks[language]


def _missed(steps: Steps, found: "NDArray[Any]") -> float:
    """How likely the likeliest letter is at a step where none was found, nor this one beside it."""
    other = found == 0
    other[1:] &= steps.letters[1:] != found[:-1]
    other[:-1] &= steps.letters[:-1] != found[1:]
    return float((steps.sure * other).max())


def writes(language: Language, letter: str) -> bool:
    """Whether `language` writes `letter`; digits, marks and signs belong to all."""
    if letter.isascii():
        return True
    if not unicodedata.category(letter[0]).startswith("L"):
        return language not in ("en", "latin") or unicodedata.east_asian_width(letter[0]) not in ("W", "F")
    script = unicodedata.name(letter[0], "?").split()[0]
    return script in _SCRIPTS[language] or (language == "latin" and script == "LATIN")


def plain(text: str) -> str:
    """Full-width forms as Latin text writes them; between 汉字 and kana they stay."""
    if any(letter >= "⺀" and unicodedata.category(letter) == "Lo" for letter in text):
        return _WIDE_IN_LATIN.sub(lambda found: found[0].translate(_WIDE), text)
    return text.translate(_WIDE) if any(letter.isascii() and letter.isalpha() for letter in text) else text


def _marked(letters: Any) -> "NDArray[Any]":
    """Numbers of the Latin and Greek letters with marks."""
    import numpy

    return numpy.array([number for number, letter in enumerate(letters) if number and _has_marks(letter)])


def _has_marks(letter: str) -> bool:
    script = unicodedata.name(letter[0], "?").split()[0] if letter else ""
    return script in ("LATIN", "GREEK") and len(unicodedata.normalize("NFD", letter)) > 1
