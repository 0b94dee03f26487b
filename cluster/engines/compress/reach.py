"""A PDF of a wanted size: the finest pictures that fit in what the rest leaves."""

from collections.abc import Callable
from dataclasses import replace

from cluster.engines.compress.recode import Aim
from cluster.engines.compress.recoder import Recoder
from cluster.engines.compress.squeeze import EXACT, Made, Plan, squeeze, walked
from cluster.engines.pdf.open import opened
from cluster.files import Desk, Source

#: Coarseness 0 is 300 dpi at quality 92, coarseness 1 is 30 dpi at quality 8.
_FINEST, _COARSEST = (300, 92), (30, 8)
_PROBES = 7
#: Pictures may fill this much of what is left for them before the search ends.
_CLOSE = 0.94


def aim_at(coarseness: float) -> Aim:
    """Resolution falls geometrically, quality evenly."""
    dpi = round(_FINEST[0] * (_COARSEST[0] / _FINEST[0]) ** coarseness)
    quality = round(_FINEST[1] + (_COARSEST[1] - _FINEST[1]) * coarseness)
    return Aim(dpi=dpi, above=dpi, quality=(quality, quality), mono_dpi=max(100, dpi * 2))


def reach(desk: Desk, source: Source, size: int, *, strip: bool) -> Made | None:
    """A result of at most `size` bytes and close to it; the smallest there is when it is out of reach."""
    recoder = Recoder()
    made = squeeze(desk, replace(EXACT, strip=strip), source, recoder)
    if made is not None and made.size <= size:
        return made
    bare = squeeze(desk, Plan(aim_at(1.0), strip=strip), source, recoder)
    if bare is None or bare.size >= size:
        return bare or made
    room = size - (bare.size - bare.weight.images)
    coarseness = _fitting(_weighed(desk, source, recoder), room)
    while coarseness < 1:
        finer = squeeze(desk, Plan(aim_at(coarseness), strip=strip), source, recoder)
        if finer is None or finer.size <= size:
            return finer or bare
        coarseness += 0.03
    return squeeze(desk, Plan(aim_at(1.0), strip=strip), source, recoder)


def _weighed(desk: Desk, source: Source, recoder: Recoder) -> Callable[[float], int]:
    def weighed(coarseness: float) -> int:
        with opened(source, desk.scratch, desk.max_pages) as found:
            return recoder.weigh(found.pdf, walked(found.pdf, source).pictures, aim_at(coarseness))

    return weighed


def _fitting(weighed: Callable[[float], int], room: int) -> float:
    """The least coarseness whose pictures fit in `room` bytes, to about one part in a hundred."""
    low, high = 0.0, 1.0
    for _ in range(_PROBES):
        middle = (low + high) / 2
        size = weighed(middle)
        if size > room:
            low = middle
        else:
            high = middle
            if size >= room * _CLOSE:
                break
    return high
