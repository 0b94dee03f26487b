"""How the letters of a line get to their places: how wide they are by themselves, and what they have more."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from cluster.engines.export.ooxml import face, family
from cluster.engines.export.widths import rounded, width_of
from cluster.engines.export.word_file import WordFile
from cluster.engines.layout.model import Span, Style, TextLine

_BLANK = re.compile("( +)")
#: Blanks, or letters that are put into their place together: twentieths of a point add up.
_TOGETHER = re.compile(" +|[^ ]{1,12}")
#: What a blank of a justified line may have more, and a letter, in heights of letters.
_BLANK_MORE, _LETTER_MORE = 1.5, 0.12
#: What is this near to its own width is left as it is.
_NEARLY = 0.99
#: Points that words, and blanks, may be off their places.
_OFF, _BLANK_OFF = 0.15, 0.04
#: Sizes of letters are rounded to half points: in their own font they may be so many points larger.
_ROUNDED = 0.3
#: A blank has this percent of its width, at least, and a word.
_NARROW, _TIGHT = 10, 80
#: Letters that are raised have this share of their size.
_RAISED = 0.58


@dataclass(frozen=True)
class Part:
    """Letters of one style: `percent` of their own width, and points that each has more."""

    span: Span
    percent: int = 100
    more: float = 0.0


@dataclass(frozen=True)
class Fit:
    """How a line gets its width: the parts of each of its spans; `wide` is its width in points, if known."""

    wide: float | None
    spans: Sequence[Sequence[Part]]


def fitting(file: WordFile, line: TextLine) -> Fit:
    """Each word in its place where that is known, else blanks all alike, as in a justified line."""
    own = own_width(file, line)
    if not own:
        return Fit(None, [[Part(span)] for span in line.spans])
    if all(len(span.places) == len(span.text) + 1 for span in line.spans):
        return _placed(file, line)
    return _spread(file, line, own)


def face_of(file: WordFile, style: Style) -> str:
    """One that goes with the file, or else one that people have."""
    return style.font if style.font in file.fonts else face(style)


def own_width(file: WordFile, line: TextLine) -> float | None:
    """How wide its letters are by themselves; None where that is not known."""
    widths = [_width(file, span) for span in line.spans]
    return None if None in widths else sum(width for width in widths if width is not None)


def _itself(file: WordFile, line: TextLine) -> bool:
    """Whether its letters are of their own fonts."""
    return all(face_of(file, span.style) in (span.style.font, family(span.style.font)) for span in line.spans)


def _placed(file: WordFile, line: TextLine) -> Fit:
    """What words miss their letters have more, and what is left then, the blanks after them."""
    percent, start = _percent(file, line), line.spans[0].places[0]
    spans, at = [], start
    for span in line.spans:
        parts = []
        for found in _TOGETHER.finditer(span.text):
            word = replace(span, text=found[0], places=())
            own = (_width(file, word) or 0.0) * percent / 100
            part = _part(word, percent, own, span.places[found.end()] - at, line.size)
            at += own * part.percent / percent + len(found[0]) * part.more
            parts.append(part)
        spans.append(list(_joined(parts)))
    return Fit(max(at, line.spans[-1].places[-1]) - start, spans)


def _part(word: Span, percent: int, own: float, wide: float, size: float) -> Part:
    """A word or a blank of its `own` width as `wide` as that is, in twentieths of a point for each letter.

    LibreOffice takes nothing off blanks, nor off the last letter of a run: what is too wide is narrowed.
    """
    missing, blank = wide - own, word.text.isspace()
    if abs(missing) < (_BLANK_OFF if blank else _OFF):
        return Part(word, percent)
    if missing < 0:
        return Part(word, max(percent * (_NARROW if blank else _TIGHT) // 100, round(percent * wide / own)))
    more = min(missing / len(word.text), size * (_BLANK_MORE if blank else _LETTER_MORE))
    return Part(word, percent, round(20 * more) / 20)


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Neighbours that have the same as one."""
    for _, same in groupby(parts, lambda part: (part.percent, part.more)):
        first, *others = same
        text = first.span.text + "".join(part.span.text for part in others)
        yield replace(first, span=replace(first.span, text=text))


def _percent(file: WordFile, line: TextLine) -> int:
    """How wide words are, in percent of their own letters; letters that are only set apart keep their shapes."""
    real = own = 0.0
    for span in line.spans:
        for found in re.finditer("[^ ]+", "" if span.style.raised else span.text):
            real += span.places[found.end()] - span.places[found.start()]
            own += _width(file, replace(span, text=found[0])) or 0.0
    share = real / own if own else 1.0
    if _itself(file, line) and (share - 1) * line.size > _ROUNDED:
        return 100
    return round(100 * share) if 0.5 < share < 2 else 100


def _spread(file: WordFile, line: TextLine, own: float) -> Fit:
    """Letters are narrowed where they are too wide (blanks cannot be, in LibreOffice), or of another font than theirs.

    What is missing blanks have more.
    """
    percent, size = math.floor(100 * line.width / own), line.size
    if _itself(file, line):
        percent = 100 if line.width > _NEARLY * own else percent
    percent = percent if 50 < percent < 200 else 100
    more, blanks, letters = line.width - own * percent / 100, line.text.count(" "), len(line.text) - 1
    wide = max(own, line.width)
    if more <= 0:
        return Fit(wide, _alike(line, percent))
    if blanks and more < blanks * _BLANK_MORE * size:
        return Fit(wide, _alike(line, percent, blank=more / blanks))
    if letters and more < letters * _LETTER_MORE * size:
        return Fit(wide, _alike(line, percent, blank=more / letters, letter=more / letters))
    return Fit(wide, _alike(line, round(100 * line.width / own) if line.width < 2 * own else 100))


def _alike(line: TextLine, percent: int, blank: float = 0.0, letter: float = 0.0) -> list[list[Part]]:
    """The spans, blanks apart where they have more."""
    return [
        [
            Part(replace(span, text=text), percent, blank if text.isspace() else letter)
            for text in (_BLANK.split(span.text) if blank else [span.text])
            if text
        ]
        for span in line.spans
    ]


def _width(file: WordFile, span: Span) -> float | None:
    """The span's width in its family, in points; None where its widths are not known."""
    style = span.style
    size = rounded(style.size) * (_RAISED if style.raised else 1)
    if font := file.fonts.get(style.font):
        return size * sum(font.widths[letter] for letter in span.text)
    known = file.known.get((face(style), style.bold, style.italic), {})
    if all(letter in known for letter in span.text):
        return size * sum(known[letter] for letter in span.text)
    return width_of(span, size)
