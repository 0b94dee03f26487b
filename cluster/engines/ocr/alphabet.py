"""Keep a recogniser to the letters of one language: no 0 read as 〇 in English, no 一 for a dash.

And find out which letters it does not know. Vietnamese ế or ạ it passes over in silence and with certainty; but
where one stands, its nearest relative (ê, a) is a shade less impossible than between two letters that it knows.
"""

import re
import threading
import unicodedata
from typing import TYPE_CHECKING, Any

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


class Only:
    """Stands before a CTC decoder: takes away what `language` does not write, then decodes as before."""

    def __init__(self, decode: Any) -> None:
        self._decode = decode
        self.language: Language = "auto"
        self._masks: dict[Language, NDArray[Any]] = {}
        self._marked = _marked(decode.character)
        self._last = threading.local()

    @property
    def passed_over(self) -> bool:
        """Whether the line this thread decoded last has letters that the recogniser does not know."""
        return bool(self._last.passed_over)

    def __call__(self, scores: "NDArray[Any]", *rest: Any, **named: Any) -> Any:
        if self.language != "auto":
            scores = scores * self._mask(self.language)
        heard = [self._listen(line) for line in scores]
        self._last.passed_over = any(heard)
        return self._decode(scores, *rest, **named)

    def _listen(self, line: "NDArray[Any]") -> bool:
        """Take the likely relatives of unknown letters into `line` (steps x letters); whether there are such letters.

        Only steps between blanks count: beside a letter it is that letter's own echo.
        """
        silent = line.argmax(axis=1) == 0
        alone = silent.copy()
        alone[1:] &= silent[:-1]
        alone[:-1] &= silent[1:]
        heard = line[:, self._marked].max(axis=1) * alone
        for step in (heard >= _TAKEN).nonzero()[0]:
            line[step, 0] = 0
        return bool(heard.sum() >= _TOLD)

    def _mask(self, language: Language) -> "NDArray[Any]":
        import numpy

        if language not in self._masks:
            letters = self._decode.character
            # "blank" stands first: the decoder's own sign for no letter.
            kept = [number == 0 or writes(language, letter) for number, letter in enumerate(letters)]
            self._masks[language] = numpy.array(kept, dtype=numpy.float32)
        return self._masks[language]


def only(recogniser: Any) -> Only:
    """Put an `Only` before the recogniser's decoder."""
    recogniser.postprocess_op = Only(recogniser.postprocess_op)
    return recogniser.postprocess_op  # type: ignore[no-any-return]


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
