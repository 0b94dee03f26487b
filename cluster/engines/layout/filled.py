"""Pages that are merely full: what follows begins the next one only because nothing more had room."""

import itertools
from collections.abc import Sequence

from cluster.engines.layout.continued import is_next
from cluster.engines.layout.floating import floats
from cluster.engines.layout.model import Block, Document, Figure, Paragraph
from cluster.engines.layout.spacing import bottom_of

#: A page's lower margin (points) is this at most, however little stands on the pages.
MOST_BELOW = 90.0
#: What is left of a page's height (lines) beyond what the next block takes, at most: lines are kept together.
_SPARE = 1.0
#: A page begins by itself where its text begins, not so many lines lower.
_LOWER = 1.0


def flow_on(document: Document, ceilings: Sequence[float]) -> None:
    """Take the page's begin from what goes on behind a full page; `ceilings` are where each page's notes begin.

    Else whatever is written before it, or another font, leaves a page that is nearly empty.
    """
    for band, other in itertools.pairwise(document.bands):
        block = other.blocks[0]
        own = [each for each in band.blocks if not floats(each)]
        if not block.new_page or not own or not isinstance(block, Paragraph) or not is_next(document, band, other):
            continue
        if document.top(band.page) != document.top(other.page) or block.before > _LOWER * block.pitch:
            continue
        floor = min(document.sizes[band.page][1] - min(document.margins[3], MOST_BELOW), ceilings[band.page])
        if floor - bottom_of(own[-1]) < _needs(block, other.blocks[1:]):
            block.new_page, block.before = False, _usual_before(block, other.blocks[1:])


def _needs(head: Paragraph, rest: Sequence[Block]) -> float:
    """The height without which the text goes to the next page: two lines, be they of two texts, and what is spare."""
    need = head.pitch * (min(2, len(head.lines)) + _SPARE)
    after = rest[0] if rest and len(head.lines) == 1 else None
    return need + after.before + after.pitch if isinstance(after, Paragraph) else need


def _usual_before(head: Paragraph, rest: Sequence[Block]) -> float:
    """The room above the next text in such letters, which the first one on a page does not show."""
    after = next((each for each in rest if not isinstance(each, Figure)), None)
    return after.before if isinstance(after, Paragraph) and abs(head.size - after.size) < 1 else 0.0
