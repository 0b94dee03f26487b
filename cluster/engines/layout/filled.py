"""Pages that are merely full: what follows begins the next one only because nothing more had room."""

import itertools
import math
from collections.abc import Iterable, Sequence

from cluster.engines.layout.continued import is_next
from cluster.engines.layout.floating import floats
from cluster.engines.layout.model import Block, Document, Figure, Paragraph, Table
from cluster.engines.layout.spacing import LINE, bottom_of

#: A page's lower margin (points) is this at most, however little stands on the pages.
MOST_BELOW = 90.0
#: Room below a page's lowest line for what turns out higher: less than another line takes, in usual heights.
_SLACK, _MOST_SLACK = 0.4, 8.0
#: A text of so many lines is not parted, of a longer one two lines are kept together.
_WHOLE = 3
#: A page begins by itself where its text begins, not so many lines lower.
_LOWER = 1.0
#: Room above a text from so many lines on is a gap of its own.
_GAP = 2.0


def slack(document: Document) -> float:
    """Points by which pages of a flowing document are higher than those they come from."""
    return min(_MOST_SLACK, _SLACK * document.body)


def flow_on(document: Document, ceilings: Sequence[float]) -> None:
    """Take the begin of pages and of columns from what goes on behind a full one; `ceilings` are where notes begin.

    Else whatever is written before it, or another font, leaves a page that is nearly empty. What would find room before
    keeps it.
    """
    for band, other in itertools.pairwise(document.bands):
        block = other.blocks[0]
        new = block.new_page and is_next(document, band, other)
        new = new and document.top(band.page) == document.top(other.page)
        if new and block.before <= _LOWER * _pitch_of(block, document):
            own = [each for each in band.blocks if not floats(each)]
            block.new_page = not _flows(own, other.blocks, document, ceilings)
    for band in document.bands:
        for at, block in enumerate(band.blocks):
            if block.new_column:
                own = [each for each in band.blocks[:at] if not floats(each)]
                block.new_column = not _flows(own, band.blocks[at:], document, ceilings)


def _flows(own: Sequence[Block], rest: Sequence[Block], document: Document, ceilings: Sequence[float]) -> bool:
    """Whether the first of the rest stands behind the others only because it has no room; then it is set like them."""
    if not own:
        return False
    block, page = rest[0], own[-1].page
    floor = min(document.sizes[page][1] - min(document.margins[3], MOST_BELOW), ceilings[page])
    before = block.before
    if isinstance(block, Paragraph):
        before = max(_usual_before(block, each) for each in (rest[1:], own[::-1]))
    if floor + slack(document) - bottom_of(own[-1]) >= before + _needs(block, rest[1:], document.body):
        return False
    block.before = before
    return True


def _pitch_of(block: Block, document: Document) -> float:
    return block.pitch if isinstance(block, Paragraph) else LINE * document.body


def _needs(head: Block, rest: Sequence[Block], body: float) -> float:
    """The height without which it goes to the next page: a table's rows that come again and one more, a heading's with
    what follows it."""
    if isinstance(head, Table):
        return head.rows[min(head.heads + 1, len(head.rows) - 1)] - head.rows[0]
    if isinstance(head, Figure):
        return head.box[3] - head.box[1]
    need = head.pitch * (len(head.lines) if len(head.lines) <= _WHOLE else 2)
    after = rest[0] if rest and len(head.lines) == 1 and (head.size > body + 1 or head.lines[0].bold) else None
    return need + after.before + _needs(after, (), math.inf) if isinstance(after, Paragraph) else need


def _usual_before(head: Paragraph, others: Iterable[Block]) -> float:
    """The room above the next text that is set like it, which the first one on a page does not show; no gap's."""
    texts = (each for each in others if isinstance(each, Paragraph) and each.before <= _GAP * each.pitch)
    alike = (each for each in texts if abs(head.size - each.size) < 1 and abs(head.pitch - each.pitch) < 1)
    return next((each.before for each in alike), 0.0)
