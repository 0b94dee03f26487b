"""Pages that are merely full: what follows begins the next one only because nothing more had room."""

import itertools
import math
from collections.abc import Iterable, Sequence

from cluster.engines.layout.continued import is_next
from cluster.engines.layout.floating import floats
from cluster.engines.layout.model import Block, Document, Paragraph
from cluster.engines.layout.spacing import bottom_of

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
    """Take the page's begin from what goes on behind a full page; `ceilings` are where each page's notes begin.

    Else whatever is written before it, or another font, leaves a page that is nearly empty. What would find room on the
    page before keeps it.
    """
    for band, other in itertools.pairwise(document.bands):
        block = other.blocks[0]
        own = [each for each in band.blocks if not floats(each)]
        if not block.new_page or not own or not isinstance(block, Paragraph) or not is_next(document, band, other):
            continue
        if document.top(band.page) != document.top(other.page) or block.before > _LOWER * block.pitch:
            continue
        floor = min(document.sizes[band.page][1] - min(document.margins[3], MOST_BELOW), ceilings[band.page])
        before = max(_usual_before(block, other.blocks[1:]), _usual_before(block, own[::-1]))
        if floor + slack(document) - bottom_of(own[-1]) < before + _needs(block, other.blocks[1:], document.body):
            block.new_page, block.before = False, before


def _needs(head: Paragraph, rest: Sequence[Block], body: float) -> float:
    """The height without which the text goes to the next page; a heading's with what follows it."""
    need = head.pitch * (len(head.lines) if len(head.lines) <= _WHOLE else 2)
    after = rest[0] if rest and len(head.lines) == 1 and (head.size > body + 1 or head.lines[0].bold) else None
    return need + after.before + _needs(after, (), math.inf) if isinstance(after, Paragraph) else need


def _usual_before(head: Paragraph, others: Iterable[Block]) -> float:
    """The room above the next text that is set like it, which the first one on a page does not show; no gap's."""
    texts = (each for each in others if isinstance(each, Paragraph) and each.before <= _GAP * each.pitch)
    alike = (each for each in texts if abs(head.size - each.size) < 1 and abs(head.pitch - each.pitch) < 1)
    return next((each.before for each in alike), 0.0)
