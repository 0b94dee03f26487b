"""The distance of lines in a paragraph, and the space above each block, from where base lines lie on the page."""

import itertools

from cluster.engines.layout.floating import floats
from cluster.engines.layout.model import Band, Block, Document, Figure, Paragraph, Table

#: Word processors lay the base line of a line of exact height at this share of it.
ASCENT = 0.8
#: A single line's height, in heights of its letters.
LINE = 1.2


def set_spacing(document: Document) -> None:
    """Set `pitch` of paragraphs and `before` of all blocks."""
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
    return block.lines[0].base - ASCENT * block.pitch if isinstance(block, Paragraph) else block.box[1]


def bottom_of(block: Block) -> float:
    """Where its last line ends."""
    if isinstance(block, Figure | Table):
        return block.floor if isinstance(block, Table) and block.floor is not None else block.box[3]
    return block.lines[-1].base + (1 - ASCENT) * block.pitch
