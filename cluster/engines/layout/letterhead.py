"""Pictures that pages share at one place, as letterheads and logos are: they belong to the headers, not to the text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from cluster.engines.layout.model import Picture, Running, Sheet

#: A cover may lack what so many of the other pages have, and two at least.
_SHARE, _LEAST = 0.8, 2
#: Points by which a picture may lie elsewhere.
_NEAR = 4.0
Key = tuple[bytes, int, int]


def part(sheets: Sequence[Sheet], runs: Sequence[Running]) -> list[Sheet]:
    """The sheets without the pictures that they share, which every run of pages gets."""
    places = [{_key(each): each for each in sheet.pictures} for sheet in sheets]
    count = Counter(key for own in places for key in own)
    shared = {key for key, times in count.items() if times >= max(_LEAST, _SHARE * (len(sheets) - 1))}
    if not shared:
        return list(sheets)
    for run in runs:
        own = next((own for own in places[run.page :] if shared <= own.keys()), places[-1])
        run.pictures = tuple(own[key] for key in shared if key in own)
    if shared.isdisjoint(places[0]):
        runs[0].bare, runs[0].first = True, runs[0].first or runs[0].usual
    return [
        replace(sheet, pictures=tuple(each for key, each in own.items() if key not in shared))
        for sheet, own in zip(sheets, places, strict=True)
    ]


def _key(picture: Picture) -> Key:
    left, top, *_ = picture.box
    drawn = blake2b(picture.path.read_bytes(), digest_size=16).digest()
    return drawn, round(left / _NEAR), round(top / _NEAR)
