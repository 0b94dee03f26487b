"""The distance of lines in a paragraph, and the space above each block, from where base lines lie on the page."""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from cluster.engines.layout.floating import floats
from cluster.engines.layout.model import Band, Block, Document, Figure, Paragraph, Table

#: Word processors lay the base line of a line of exact height at this share of it.
ASCENT = 0.8
#: A single line's height, in heights of its letters.
LINE = 1.2
#: Base lines are told this exactly (points).
_NEAR = 0.5


def even(bands: Sequence[Band]) -> None:
    """Give single lines the distance that other lines of their size have, where most of them have room for it.

    A text that begins a page stands where that distance puts it, not below what would be left free above it.
    """
    usual, found = _usual(bands), defaultdict[float, list[tuple[Paragraph, bool]]](list)
    for band in bands:
        own = [block for block in band.blocks if not floats(block)]
        for last, text, after in zip([None, *own], own, [*own[1:], None], strict=False):
            if isinstance(text, Paragraph) and not text.pitch and _size(text) in usual:
                found[_size(text)].append((text, _has_room(text, usual[_size(text)], last, after)))
    for size, texts in found.items():
        fit = [text for text, has_room in texts if has_room]
        for text in fit if 2 * len(fit) > len(texts) else ():
            text.pitch = usual[size]


def _usual(bands: Sequence[Band]) -> Mapping[float, float]:
    """By size of letters how far most of their lines are from each other, where most are alike."""
    found = defaultdict[float, Counter[float]](Counter)
    for block in (block for band in bands for block in band.blocks):
        if isinstance(block, Paragraph) and block.pitch:
            found[_size(block)][round(block.pitch, 1)] += len(block.lines)
    most = {size: count.most_common(1)[0] for size, count in found.items()}
    return {size: pitch for size, (pitch, lines) in most.items() if 2 * lines > found[size].total()}


def _size(text: Paragraph) -> float:
    """In half points: what is as good as alike is alike."""
    return round(2 * text.size) / 2


def _has_room(text: Paragraph, pitch: float, last: Block | None, after: Block | None) -> bool:
    base, low = text.lines[0].base, -math.inf if last is None or last.page != text.page else bottom_of(last)
    top = math.inf if after is None or after.page != text.page else top_of(after)
    return base - low > ASCENT * pitch - _NEAR and top - base > (1 - ASCENT) * pitch - _NEAR


def set_spacing(document: Document) -> None:
    """Set `pitch` of paragraphs, `before` of all blocks, and which of them end a page."""
    standing = [block for block in document.blocks if not floats(block)]
    for block, after in itertools.pairwise(standing):
        if isinstance(block, Paragraph):
            block.ends_page = after.page > _ends_on(block)
    for band in document.bands:
        own = [block for block in band.blocks if not floats(block)]
        for block, after in itertools.zip_longest(own, own[1:]):
            if isinstance(block, Paragraph):
                _pitch(block, after)
    last: Band | None = None
    for band in document.bands:
        _band(band, last, document.top(band.page))
        last = band


def _pitch(text: Paragraph, after: Block | None) -> None:
    """The usual distance, or less where the next block stands closer."""
    first, last, count = text.lines[0], text.lines[-1], len(text.lines)
    text.pitch = text.pitch or text.size * LINE
    if last.base < first.base or after is None or after.page != text.page:
        return
    top = after.lines[0].base if isinstance(after, Paragraph) else after.box[1] + text.pitch * ASCENT
    if 0 < top - first.base < count * text.pitch:
        text.pitch = max(0.95 * text.size, (top - first.base) / count)


def _band(band: Band, last: Band | None, margin: float) -> None:
    low: float | None = None
    page = band.page
    if last is not None:
        ended = (block for block in last.blocks if _ends_on(block) == page and not floats(block))
        low = max(map(bottom_of, ended), default=None)
    for block in band.blocks:
        if floats(block):
            continue
        top = top_of(block)
        if low is not None and block.page == page and top > low - 30:
            block.before = max(0.0, top - low)
        elif low is None or block.page != page:
            block.before = max(0.0, top - margin) if block.new_page or last is None else 0
        low, page = bottom_of(block), _ends_on(block)


def _ends_on(block: Block) -> int:
    """The page of its last line."""
    return block.page if isinstance(block, Figure) or block.ends_on is None else block.ends_on


def top_of(block: Block) -> float:
    """Where its first line begins."""
    return block.lines[0].base - ASCENT * _pitch_of(block) if isinstance(block, Paragraph) else block.box[1]


def bottom_of(block: Block) -> float:
    """Where its last line ends."""
    if isinstance(block, Figure | Table):
        return block.floor if isinstance(block, Table) and block.floor is not None else block.box[3]
    return block.lines[-1].base + (1 - ASCENT) * _pitch_of(block)


def _pitch_of(text: Paragraph) -> float:
    return text.pitch or LINE * text.size
