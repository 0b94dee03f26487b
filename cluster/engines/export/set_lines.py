"""Lines of a slide as they stood on the page: what the letters of words and the blanks between them have more."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from cluster.engines.export.drawn_widths import UNIT, drawn_width
from cluster.engines.export.ooxml import face, family
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Span, TextLine

#: What blanks of justified lines have more, at most, and letters more and less, in heights of letters.
_BLANK_MORE, _LETTER_MORE, _LETTER_LESS = 1.5, 0.15, 0.12
#: A line ends by itself where its next word is so much too wide for the box, in heights of letters.
_SURELY = 0.3
#: What is so near (points) to its own width is left as it is: a line, a word, a blank.
_SAME, _WORD_SAME, _BLANK_SAME = 0.2, 0.15, 0.06
#: And a line whose words stand so near their places by themselves, in heights of letters.
_NEARLY = 0.012
_PARTS = re.compile(r"\t| +|[^ \t]+")
_WORD, _LAST_WORD = re.compile(r"[^ \t]+"), re.compile(r"[^ \t]+$")
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
    """The line in pieces that stand where they stood; as they are where the widths of its letters are not known."""
    if placed(line):
        return list(_joined(_placed(line if line.tabs else untabbed(line))))
    if line.tabs and "\t" in line.text:
        return _after_tab(line)
    line = trimmed(line)
    return _fitted(line.spans, line)


def held(made: Sequence[Piece], wide: float) -> Sequence[Piece]:
    """The pieces of a line, their letters nearer to each other where it would be wider than `wide` and break."""
    lack = _drawn(made) - wide
    letters = sum(len(piece.span.text) - 1 for piece in made if not piece.span.text.isspace())
    if lack <= 0 or not letters:
        return made
    nearer = [_nearer(piece, math.ceil(lack / letters / UNIT)) for piece in made]
    return nearer if _drawn(nearer) <= wide else made


def placed(line: TextLine) -> bool:
    """Whether it is known where its letters stand, one behind the other from the left."""
    known = (len(span.places) == len(span.text) + 1 and span.places[0] <= span.places[-1] for span in line.spans)
    return all(known)


def starts(line: TextLine) -> float:
    """Where its first letter shall begin."""
    if not placed(line):
        return line.box[0]
    span = line.spans[0]
    found = _WORD.match(span.text)
    return span.places[0] + (_aside(span.cut(*found.span())) if found else 0.0)


def ends(line: TextLine) -> float:
    """Where the room of its last letter shall end."""
    if not placed(line):
        return line.box[2]
    span = line.spans[-1]
    found = _LAST_WORD.search(span.text)
    return line.box[2] + (_aside(span.cut(*found.span())) if found else 0.0)


def _drawn(made: Sequence[Piece]) -> float:
    """How wide the pieces are drawn; 0 where that is not known. What has less takes nothing off its last letter."""
    widths = [drawn_width(piece.span) for piece in made]
    more = sum(piece.more * (len(piece.span.text) - (piece.more < 0)) for piece in made)
    return 0.0 if None in widths else sum(width or 0.0 for width in widths) + more


def _nearer(piece: Piece, units: int) -> Piece:
    if piece.span.text.isspace():
        return piece
    return replace(piece, more=max(piece.more - units * UNIT, -_least(piece.span.style.size)))


def _least(size: float) -> float:
    """What letters have less at most, in whole units."""
    return math.floor(_LETTER_LESS * size / UNIT) * UNIT


def _aside(word: Span) -> float:
    """How far its letters stand right of their places: others than its own stand in the middle of their room."""
    if face(word.style) == family(word.style.font):
        return 0.0
    return _more(word, word.places[-1] - word.places[0] - _own(word)) / 2


def narrowed(line: TextLine, wide: float) -> TextLine:
    """The line, all that stands on it nearer to its start, so that it is `wide` points wide."""
    start, end = starts(line), ends(line)
    share = wide / (end - start) if end > start else 1.0
    spans = (replace(span, places=[start + share * (each - start) for each in span.places]) for span in line.spans)
    left, top, right, bottom = line.box
    return replace(line, spans=tuple(spans), box=(left, top, start + share * (right - start), bottom))


def untabbed(line: TextLine) -> TextLine:
    """With blanks for tabs, which lead nowhere."""
    return replace(line, spans=tuple(replace(span, text=span.text.replace("\t", " ")) for span in line.spans))


def trimmed(line: TextLine) -> TextLine:
    """Without the blanks at its end, unless its box holds just them, too; a tab is a blank, for it leads nowhere."""
    if placed(line):
        line, last = untabbed(line), line.spans[-1]
        return replace(line, spans=(*line.spans[:-1], last.cut(0, len(last.text.rstrip()))))
    line = replace(line, spans=tuple(replace(span, text=_TAB.sub(" ", span.text)) for span in line.spans))
    last = line.spans[-1]
    if last.text == last.text.rstrip() or abs((_own_width(line.spans) or 0) - line.width) < _HELD:
        return line
    return replace(line, spans=(*line.spans[:-1], replace(last, text=last.text.rstrip())))


def _placed(line: TextLine) -> Iterator[Piece]:
    """Words by their letters, then the blanks after them: what one misses the next makes up for."""
    tabs, at = list(line.tabs), starts(line)
    parts = [span.cut(*found.span()) for span in line.spans for found in _PARTS.finditer(span.text)]
    while parts and parts[-1].text.isspace():
        parts.pop()
    parts = list(_middled(parts))
    if not tabs and _nearly(parts, at, _NEARLY * line.size):
        yield from map(Piece, parts)
        return
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        if part.text == "\t":
            at = tabs.pop(0) if tabs else part.places[-1]
            yield Piece(part)
            continue
        more = _more(part, _ends(part, after) - at - _own(part))
        at += _own(part) + more * (len(part.text) - (more < 0))
        yield Piece(part, more)


def _middled(parts: Sequence[Span]) -> Iterator[Span]:
    """Words with their letters in the middle of their room, and blanks up to there."""
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        word = after if part.text.isspace() else part
        aside = _aside(word) if word and not word.text.isspace() else 0.0
        yield replace(part, places=[each + aside for each in part.places]) if aside else part


def _nearly(parts: Sequence[Span], at: float, most: float) -> bool:
    """Whether they stand in their places by themselves, `most` points off."""
    ends = accumulate(map(_own, parts), initial=at)
    return all(abs(end - part.places[0]) < most for end, part in zip(ends, parts, strict=False))


def _own(part: Span) -> float:
    own = drawn_width(part)
    return part.places[-1] - part.places[0] if own is None else own


def _ends(part: Span, after: Span | None) -> float:
    """Where it shall end, so that the blank after it, which can be made wider alone, has its room."""
    if after is None or after.text.strip() or after.text == "\t":
        return part.places[-1]
    return min(part.places[-1], after.places[-1] - _own(after))


def _more(part: Span, missing: float) -> float:
    """What each letter gets of the points that are missing, in whole units; LibreOffice takes nothing off the last."""
    size, count, blank = part.style.size, len(part.text), part.text.isspace()
    if abs(missing) < (_BLANK_SAME if blank else _WORD_SAME) or (missing < 0 and count == 1):
        return 0.0
    if missing < 0:
        return -min(round(-missing / (count - 1) / UNIT) * UNIT, _least(size))
    # A blank that leads far away is as wide as that.
    return min(round(missing / count / UNIT), math.inf if blank else math.floor(_LETTER_MORE * size / UNIT)) * UNIT


def _joined(parts: Iterator[Piece]) -> Iterator[Piece]:
    """Neighbours of one look that have the same as one; what has less stays alone."""
    for (_, more, _), same in groupby(
        enumerate(parts), lambda each: (each[1].span.style, each[1].more, each[0] if each[1].more < 0 else -1)
    ):
        spans = [piece.span for _, piece in same]
        yield Piece(replace(spans[0], text="".join(span.text for span in spans), places=()), more)


def _after_tab(line: TextLine) -> list[Piece]:
    """A tab leads to its place; what follows the last is fitted."""
    spans, rest = list(line.spans), list[Span]()
    while spans and "\t" not in spans[-1].text:
        rest.insert(0, spans.pop())
    before, _, after = spans[-1].text.rpartition("\t")
    spans[-1] = replace(spans[-1], text=f"{before}\t", places=())
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


def _own_width(spans: Sequence[Span]) -> float | None:
    widths = [drawn_width(span) for span in spans]
    return None if None in widths else sum(width for width in widths if width is not None)


def _room(line: TextLine) -> tuple[float, float]:
    """What a letter and a blank have more, in points."""
    if not (own := _own_width(line.spans)) or len(line.text) < 2:
        return 0.0, 0.0
    more, blanks, count, size = line.width - own, line.text.count(" "), len(line.text) - 1, line.size
    if abs(more) < _SAME:
        return 0.0, 0.0
    kept = all(face(span.style) == family(span.style.font) for span in line.spans)
    if kept and blanks and 0 < more / blanks < _BLANK_MORE * size:
        return 0.0, more / blanks
    if abs(more / count) > _LETTER_MORE * size:
        return (0.0, more / blanks) if blanks and 0 < more / blanks < _BLANK_MORE * size else (0.0, 0.0)
    if more < 0:
        # As one run: of each LibreOffice takes nothing off the last letter.
        return (round(more / count / UNIT) * UNIT,) * 2
    # Never too wide: a cell would break the line.
    letter = math.floor(more / count / UNIT) * UNIT
    return (letter, letter + (more - letter * count) / blanks) if blanks else (letter, letter)


def ends_itself(above: TextLine, below: TextLine, right: float) -> bool:
    """Whether text that flows up to `right` breaks between the lines without being told."""
    text, last = below.text.strip(), above.text.rstrip()[-1:]
    if not text or last == "-" or not _known(above) or not _known(below):
        return False
    if dense(last) or dense(text[0]):
        return right - above.box[2] < (1 - _SURELY) * below.size
    word = _ENDS.split(text, maxsplit=1)[0]
    share = len(word) / len(text) * below.width
    return right - above.box[2] < 0.8 * share + (0.25 - _SURELY) * below.size


def _known(line: TextLine) -> bool:
    return placed(line) or _own_width(line.spans) is not None
