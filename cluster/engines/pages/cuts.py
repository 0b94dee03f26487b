"""Where to cut a document: each way of splitting as a list of parts."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cluster.engines.pages.outline import Outline
from cluster.engines.pages.take import measured
from cluster.engines.pages.whole import Whole
from cluster.pages import format_pages, parse_pages

_FILES = re.compile(r"[;；\n]")
_TERMS = re.compile(r"[,，、]")
_NAME = 40


@dataclass(frozen=True)
class Cut:
    """One part: positions from 0 in their order, and what its name carries."""

    pages: tuple[int, ...]
    name: str

    def as_share(self) -> dict[str, object]:
        """For JSON: pages in the range grammar."""
        return {"pages": format_pages(page + 1 for page in self.pages), "name": self.name}


def pages_name(pages: Iterable[int]) -> str:
    """`1-3,5` of positions; shortened when it would fill the file name."""
    listed = list(pages)
    name = format_pages(page + 1 for page in listed)
    return name if len(name) <= _NAME else f"{listed[0] + 1}-{listed[-1] + 1}_{len(listed)}p"


def _cut(pages: Iterable[int], name: str = "") -> Cut:
    held = tuple(pages)
    return Cut(held, name or pages_name(held))


def by_ranges(text: str, count: int, *, joined: bool) -> list[Cut]:
    """One part for each range: `1-3;4-6`, or `1-3,4-6` without semicolons; or all of them in one."""
    several = _FILES.split(text) if _FILES.search(text) else _TERMS.split(text)
    wanted = [part for part in several if part.strip()] or ([text] if text.strip() else ["all"])
    parts = [[page - 1 for page in parse_pages(part, count)] for part in wanted]
    if joined:
        return [_cut(page for part in parts for page in part)]
    return [_cut(part) for part in parts]


def every(step: int, count: int) -> list[Cut]:
    """Parts of `step` pages; the last may be shorter."""
    return [_cut(range(start, min(count, start + step))) for start in range(0, count, step)]


def into(parts: int, count: int) -> list[Cut]:
    """At most `parts` parts whose lengths differ by one page at most."""
    parts = min(parts, count)
    edges = [math.floor(count * each / parts) for each in range(parts + 1)]
    return [_cut(range(start, stop)) for start, stop in pairwise(edges)]


def odd_even(count: int, names: tuple[str, str]) -> list[Cut]:
    """The odd pages and, when there are any, the even ones."""
    return [_cut(range(first, count, 2), names[first]) for first in (0, 1) if first < count]


def by_bookmarks(whole: Whole, level: int) -> list[Cut]:
    """A part from each bookmark of `level` or above to the next, named after it; empty without bookmarks."""
    count = len(whole.leaves)
    titles: dict[int, str] = {}
    for item in whole.once(Outline).items:
        if item.level <= level and item.place is not None:
            titles.setdefault(item.page, item.title)
    if not titles:
        return []
    starts = sorted({0, *titles})
    ends = [*starts[1:], count]
    return [
        _cut(range(start, stop), _title(titles[start]) if start in titles else "")
        for start, stop in zip(starts, ends, strict=True)
    ]


def at_blanks(blank: Sequence[int], count: int, *, keep: bool) -> list[Cut]:
    """Parts between blank pages; kept ones end the part before them."""
    stops = set(blank)
    parts: list[list[int]] = [[]]
    for page in range(count):
        if page not in stops:
            if parts[-1] and parts[-1][-1] in stops:
                parts.append([])
            parts[-1].append(page)
        elif keep:
            parts[-1].append(page)
        elif parts[-1]:
            parts.append([])
    return [_cut(part) for part in parts if part]


def by_size(whole: Whole, limit: int, told: Callable[[int], None]) -> list[Cut]:
    """As few parts in page order as keep each under `limit` bytes; a page that alone is larger stands alone."""
    parts: list[list[int]] = []
    scale = measured(whole)
    for page in range(len(whole.leaves)):
        if not parts or scale.with_page(page) > limit:
            parts.append([])
            scale = measured(whole)
            scale.with_page(page)
        parts[-1].append(page)
        if page % 100 == 0:
            told(page)
    return [_cut(part) for part in parts]


def halves(cut: Cut) -> list[Cut]:
    """The part in two."""
    middle = len(cut.pages) // 2
    return [_cut(cut.pages[:middle]), _cut(cut.pages[middle:])]


def distinct(cuts: Iterable[Cut]) -> list[Cut]:
    """The same parts with names that differ, also where case does not count: two chapters may have one title."""
    taken: set[str] = set()
    named = []
    for cut in cuts:
        name, number = cut.name, 2
        while name.casefold() in taken:
            name, number = f"{cut.name} ({number})", number + 1
        taken.add(name.casefold())
        named.append(Cut(cut.pages, name))
    return named


def _title(title: str) -> str:
    return re.sub(r"\s+", " ", title).strip()[:60]
