"""Keep a recogniser to the letters of one language: no 0 read as 〇 in English, no 一 for a dash."""

import unicodedata
from typing import TYPE_CHECKING, Any

from cluster.engines.ocr import Language

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SCRIPTS: dict[Language, tuple[str, ...]] = {
    "zh": ("CJK", "IDEOGRAPHIC", "FULLWIDTH"),
    "ja": ("CJK", "IDEOGRAPHIC", "FULLWIDTH", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"),
    "en": (),
    "latin": (),
}


class Only:
    """Stands before a CTC decoder: takes away what `language` does not write, then decodes as before."""

    def __init__(self, decode: Any) -> None:
        self._decode = decode
        self.language: Language = "auto"
        self._masks: dict[Language, NDArray[Any]] = {}

    def __call__(self, scores: "NDArray[Any]", *rest: Any, **named: Any) -> Any:
        if self.language != "auto":
            scores = scores * self._mask(self.language)
        return self._decode(scores, *rest, **named)

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
