"""Which engine reads a picture: RapidOCR, or EasyOCR where PAPERCRANE_OCR asks for it and it has the weights.

RapidOCR turns the picture upright and, where the language is open, reads a sample that tells it.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line, Quad
from cluster.engines.ocr.down import lowered
from cluster.engines.ocr.easy import EasyReader
from cluster.engines.ocr.models import speed
from cluster.engines.ocr.rapid import RapidReader
from cluster.engines.ocr.reader import Language, Reader
from cluster.engines.ocr.upright import Upright, upright
from cluster.engines.ocr.weights import gathered
from cluster.problem import FaultProblem
from cluster.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

RAPID, EASY = "RapidOCR", "EasyOCR"
#: Lines, evenly taken, that tell in which language a picture is written.
_SAMPLE = 8
#: Where the language was guessed, a line that EasyOCR reads less surely than this is RapidOCR's, if that is surer.
_DOUBT = 0.7


@dataclass(frozen=True)
class Read:
    """What was found to be read, the lines in the picture as it lay to be read, and the engines that read them."""

    found: Upright
    lines: list[Line]
    engines: tuple[str, ...]


class Engines:
    """RapidOCR, and EasyOCR or None."""

    def __init__(self, rapid: RapidReader, easy: EasyReader | None) -> None:
        self._rapid, self._easy = rapid, easy

    def read(self, picture: "NDArray[Any]", language: Language, *, turn: bool) -> Read:
        """Read `picture` (RGB, height x width x 3), with `turn` upright first; as it lies where nothing is read so."""
        read = self._read(picture, language, turn=turn)
        vainly = read.found.turned and not any(line.text for line in read.lines)
        return self._read(picture, language, turn=False) if vainly else read

    def _read(self, picture: "NDArray[Any]", language: Language, *, turn: bool) -> Read:
        found = _found(self._rapid, picture, language, turn)
        if self._easy and (told := self._language(found, language)) in self._easy.languages:
            return self._by_easy(self._easy, found, told, guessed=language == "auto")
        return Read(found, _lines(self._rapid, found, language), (RAPID,))

    def warm(self) -> None:
        """Read something small: what is slow only once is over then."""
        import numpy

        small = numpy.full((48, 320, 3), 255, numpy.uint8)
        self._rapid.recognise(small, [((0, 0), (320, 0), (320, 48), (0, 48))], "auto")

    def _language(self, found: Upright, language: Language) -> Language:
        """The language itself, or the one that a sample seems to be written in."""
        if language != "auto" or not found.boxes:
            return language
        sample = found.boxes[:: -(-len(found.boxes) // _SAMPLE)]
        return written_in("".join(line.text for line in self._rapid.recognise(found.picture, sample, "auto")))

    def _by_easy(self, easy: EasyReader, found: Upright, language: Language, *, guessed: bool) -> Read:
        lines = easy.recognise(found.picture, easy.find(found.picture), language)
        doubtful = [line.box for line in lines if guessed and line.score < _DOUBT]
        better = {line.box: line for line in self._rapid.recognise(found.picture, doubtful, "auto")}
        kept = [max(line, better.get(line.box, line), key=lambda each: each.score) for line in lines]
        mixed = any(line is not other for line, other in zip(lines, kept, strict=True))
        return Read(found, kept, (EASY, RAPID) if mixed else (EASY,))


def engines(chosen: Settings, home: Path) -> Engines:
    """As PAPERCRANE_OCR says: `rapid`; `easy`, which must be there; `auto`, EasyOCR where it runs on a GPU.

    On a processor EasyOCR takes several times RapidOCR's time for twice its errors, so `auto` leaves it out there.
    `home`: a folder that is ours.
    """
    easy = None if chosen.ocr == "rapid" else _easy(chosen, home)
    return Engines(RapidReader(**speed()._asdict()), easy)


def _easy(chosen: Settings, home: Path) -> EasyReader | None:
    named = Path(chosen.easyocr_models) if chosen.easyocr_models else None
    try:
        easy = EasyReader(gathered(named, home / "weights"))
    except FaultProblem:
        if chosen.ocr == "easy":
            raise
        return None
    return easy if easy.gpu or chosen.ocr == "easy" else None


def written_in(text: str) -> Language:
    """Kana are Japanese, 汉字 Chinese, letters with marks some Latin language, and all else English."""
    scripts = {unicodedata.name(letter, "?").split()[0] for letter in text if letter.isalpha() and not letter.isascii()}
    if scripts & {"HIRAGANA", "KATAKANA"}:
        return "ja"
    if scripts & {"CJK"}:
        return "zh"
    return "latin" if scripts & {"LATIN"} else "en"


def _found(reader: Reader, picture: "NDArray[Any]", language: Language, turn: bool) -> Upright:
    found = upright(reader, picture, language) if turn else Upright(picture, 0, reader.find(picture))
    return replace(found, picture=lowered(found.picture, found.boxes)) if found.down else found


def _lines(reader: Reader, found: Upright, language: Language) -> list[Line]:
    """The lines in the boxes' order; what was read while turning is not read again."""
    known = {line.box: line for line in found.known}
    rest: Sequence[Quad] = [box for box in found.boxes if box not in known]
    known |= {line.box: line for line in reader.recognise(found.picture, rest, language)}
    return [known[box] for box in found.boxes]
