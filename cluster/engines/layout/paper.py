"""The margins of a document's pages, by where their text stands."""

from collections.abc import Sequence
from statistics import median

from cluster.engines.layout.floating import floats
from cluster.engines.layout.model import Block, Document, Paragraph
from cluster.engines.layout.spacing import ASCENT, LINE, bottom_of, top_of

#: A page that begins so far (points) above most has a margin of its own.
_HIGHER = 30


def page_margins(
    document: Document, left: float, right: float, floors: Sequence[float]
) -> tuple[float, float, float, float]:
    """What text leaves free at the left, above, at the right and below, in points; pages that begin higher are told.

    It stands between `left` and `right`; `floors` are where each page's lowest notes end.
    """
    width = document.sizes[0][0] if document.sizes else 595.0
    tops, bottoms = [], []
    for band in document.bands:
        height = document.sizes[band.page][1]
        own = [block for block in band.blocks if not floats(block)]
        tops.append(min(map(_top, own)))
        bottoms.append(height - max(*(max(block.box[3], bottom_of(block)) for block in own), floors[band.page]))
    usual = [top for top in tops if top > median(tops) - _HIGHER]
    pages = [band.page for band in document.bands]
    begun = [at for at, page in enumerate(pages) if at == 0 or pages[at - 1] != page]
    low = median(tops) - _HIGHER if tops else 0.0
    document.high = {pages[at]: max(0.0, tops[at]) for at in begun if tops[at] <= low}
    far = max([right, *(band.right for band in document.bands if band.right < width)])
    return left, min(usual, default=72.0), max(18.0, width - far), max(18.0, min(bottoms, default=72.0))


def _top(block: Block) -> float:
    """Where a page may begin with it: with the first line of a paragraph, or with any other."""
    if not isinstance(block, Paragraph):
        return block.box[1]
    return min(top_of(block), block.lines[0].base - ASCENT * LINE * block.size)
