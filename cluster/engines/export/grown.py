"""Fonts that people lack: what stands for them on slides has the size by which its words come nearest to theirs.

Else their letters would stand apart by all that the other family is narrower.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cluster.engines.export.drawn_widths import drawn_width, is_wide
from cluster.engines.export.ooxml import KNOWN, family
from cluster.engines.layout.model import Sheet, Span, Style

#: Words of a font that are measured; and how much smaller and larger letters may be, at most.
_WORDS, _LEAST, _MOST = 300, 0.94, 1.06
_WORD = re.compile("[^ \t]+")


def grown(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The sheets, letters of fonts that people lack as large as what stands for them shall be."""
    words: defaultdict[Style, list[Span]] = defaultdict(list)
    for span in (span for sheet in sheets for line in sheet.lines for span in line.spans):
        if family(span.style.font) not in KNOWN and len(own := words[_font(span.style)]) < _WORDS:
            own += _words(span)
    shares = {font: _share(own) for font, own in words.items()}
    return [_sized(sheet, shares) for sheet in sheets]


def _font(style: Style) -> Style:
    return Style(style.font, 1.0, style.bold, style.italic, kind=style.kind)


def _words(span: Span) -> Iterator[Span]:
    if len(span.places) == len(span.text) + 1 and not span.style.raised:
        yield from (span.cut(*found.span()) for found in _WORD.finditer(span.text))


def _share(words: Sequence[Span]) -> float:
    """How many times as large letters have to be for words as wide as these; 汉字 are as wide in every font."""
    text = "".join(word.text for word in words)
    if any(map(is_wide(text), text)):
        return 1.0
    known = [(own, word.places[-1] - word.places[0]) for word in words if (own := drawn_width(word))]
    own, wide = (sum(each) for each in zip(*known, strict=True)) if known else (1.0, 1.0)
    return min(_MOST, max(_LEAST, wide / own))


def _sized(sheet: Sheet, shares: Mapping[Style, float]) -> Sheet:
    def sized(span: Span) -> Span:
        share = shares.get(_font(span.style), 1.0)
        return replace(span, style=replace(span.style, size=span.style.size * share)) if share != 1 else span

    return replace(sheet, lines=tuple(replace(line, spans=tuple(map(sized, line.spans))) for line in sheet.lines))
