"""Lines of a slide as wide as they were on the page: what each letter and each blank has more or less than its own."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cluster.engines.export.ooxml import face, family
from cluster.engines.export.widths import own_width
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Span, TextLine

#: What blanks of justified lines have more or less, and letters, at most, in heights of letters.
_BLANK_MORE, _BLANK_LESS, _LETTER_MORE = 1.5, 0.12, 0.15
#: LibreOffice gives a letter room in whole dots of 600 to an inch; blanks take what that leaves.
_STEP = 72 / 600
#: A line ends by itself where its next word is so much too wide for the box, in heights of letters.
_SURELY = 0.3
#: What is so near (points) to its own width is left as it is.
_SAME = 0.2
_BLANKS = re.compile("( +)")
_ENDS = re.compile(r"[\s-]")
_TAB = re.compile(r" *\t[ \t]*")
#: A box that is so near (points) to its text with the blanks at its end holds these, too.
_HELD = 0.5


@dataclass(frozen=True)
class Piece:
    """Letters of one look, with `more` points after each."""

    span: Span
    more: float = 0.0


def pieces(line: TextLine) -> list[Piece]:
    """The line in pieces that fill its box's width; as they are where the widths of its letters are not known."""
    if line.tabs and "\t" in line.text:
        return _after_tab(line)
    line = trimmed(line)
    return _fitted(line.spans, line)


def trimmed(line: TextLine) -> TextLine:
    """Without the blanks at its end, unless its box holds just them, too; a tab is a blank, for it leads nowhere."""
    line = replace(line, spans=tuple(replace(span, text=_TAB.sub(" ", span.text)) for span in line.spans))
    last = line.spans[-1]
    if last.text == last.text.rstrip() or abs((own_width(line) or 0) - line.width) < _HELD:
        return line
    return replace(line, spans=(*line.spans[:-1], replace(last, text=last.text.rstrip())))


def _after_tab(line: TextLine) -> list[Piece]:
    """A tab leads to its place; what follows the last is fitted."""
    spans, rest = list(line.spans), list[Span]()
    while spans and "\t" not in spans[-1].text:
        rest.insert(0, spans.pop())
    before, _, after = spans[-1].text.rpartition("\t")
    spans[-1] = replace(spans[-1], text=f"{before}\t")
    rest = [span for span in (replace(spans[-1], text=after), *rest) if span.text]
    left, top, right, bottom = line.box
    last = line.tabs[-1]
    if not rest or not left < last < right:
        return [Piece(span) for span in line.spans]
    fitted = trimmed(replace(line, spans=tuple(rest), box=(last, top, right, bottom)))
    return [*map(Piece, spans), *_fitted(fitted.spans, fitted)]


def _fitted(spans: Sequence[Span], line: TextLine) -> list[Piece]:
    letter, blank = _room(line)
    spans = [*spans[:-1], replace(spans[-1], text=spans[-1].text.rstrip())]
    parts = [replace(span, text=text) for span in spans for text in _split(span.text, letter != blank) if text]
    return [Piece(part, blank if part.text.isspace() else letter) for part in parts]


def _split(text: str, apart: bool) -> list[str]:
    return _BLANKS.split(text) if apart else [text]


def _room(line: TextLine) -> tuple[float, float]:
    """What a letter and a blank have more, in points."""
    if not (own := own_width(line)) or len(line.text) < 2:
        return 0.0, 0.0
    more, blanks, count, size = line.width - own, line.text.count(" "), len(line.text) - 1, line.size
    if abs(more) < _SAME:
        return 0.0, 0.0
    kept = all(face(span.style) == family(span.style.font) for span in line.spans)
    if kept and blanks and -_BLANK_LESS * size < more / blanks < _BLANK_MORE * size:
        return 0.0, more / blanks
    if abs(more / count) > _LETTER_MORE * size:
        return (0.0, more / blanks) if blanks and 0 < more / blanks < _BLANK_MORE * size else (0.0, 0.0)
    # Never too wide: a cell would break the line.
    letter = math.floor(more / count / _STEP) * _STEP
    return (letter, letter + (more - letter * count) / blanks) if blanks else (letter, letter)


def ends_itself(above: TextLine, below: TextLine, right: float) -> bool:
    """Whether text that flows up to `right` breaks between the lines without being told."""
    text, last = below.text.strip(), above.text.rstrip()[-1:]
    if not text or last == "-" or own_width(above) is None or own_width(below) is None:
        return False
    if dense(last) or dense(text[0]):
        return right - above.box[2] < (1 - _SURELY) * below.size
    word = _ENDS.split(text, maxsplit=1)[0]
    share = len(word) / len(text) * below.width
    return right - above.box[2] < 0.8 * share + (0.25 - _SURELY) * below.size
