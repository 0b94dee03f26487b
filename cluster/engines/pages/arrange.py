"""Arrange pages of documents in any order, turned, repeated, with blank pages between: a list becomes a document.

    arrange(opener, sources, [Slot(0, 2), Blank(), Slot(1, 0, turn=90)], path)

One document is open at a time and memory holds one object of it, however many pages the list has.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cluster.engines.pages.bind import Binder
from cluster.engines.pages.blank import Paper, write_blank
from cluster.engines.pages.opening import Opener
from cluster.engines.pages.outline import Bookmarks
from cluster.engines.pages.part import Part
from cluster.engines.pages.scale import factor_for, visible_size
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.counts import Counts
from cluster.files import Source
from cluster.paper import A4, Size


@dataclass(frozen=True, slots=True)
class Slot:
    """A page: `file` is an index into the sources, `page` a position from 0, `turn` degrees clockwise.

    `fit`: it becomes as wide as the nearest page before it that does not say so.
    """

    file: int
    page: int
    turn: int = 0
    fit: bool = False


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty page of `size` points, or as large as the nearest page before it, else (or with `after`) after it."""

    size: Size | None = None
    paper: Paper = "plain"
    after: bool = False


@dataclass(frozen=True)
class Arranged:
    """What the result holds. `doubled` are fields on pages that stand again: there they only show their value;
    `telling`: some document has pages that did not come along, whose letters the fonts may tell."""

    pages: int
    before: Counts
    after: Counts
    renamed: int
    doubled: int
    signatures: int
    xfa: bool
    tags: bool
    telling: bool


def arrange(
    opener: Opener,
    sources: Sequence[Source],
    order: Sequence[Slot | Blank],
    path: Path,
    *,
    told: Callable[[int], None] | None = None,
) -> Arranged:
    """Write the pages of `order` to `path`; `told` hears how many are written, now and then.

    Raises what opening a source raises, told of that source.
    """
    files = sorted({slot.file for slot in order if isinstance(slot, Slot)})
    sizes, short = _Sizes(order), False
    with Binder(path, outline=Bookmarks(), twins=len(files) > 1) as binder:
        for file in files:
            with (
                opener.desk.about(sources[file]),
                opener.whole(sources[file], binder.form.change(alone=len(files) == 1)) as whole,
            ):
                short |= _add(binder, whole, file, order, sizes, told) < len(whole.leaves)
        for place, slot in enumerate(order):
            if isinstance(slot, Blank):
                size = slot.size or sizes.beside(place, after=slot.after)
                binder.add_page(
                    lambda sink, number, above, size=size, paper=slot.paper: write_blank(  # type: ignore[misc]
                        sink, number, above, size, paper
                    ),
                    place,
                )
        binder.close()
        form, tags = binder.form, binder.tags
        return Arranged(
            binder.pages,
            *binder.counts(),
            form.renamed,
            binder.tally.doubled,
            form.signatures,
            form.xfa,
            bool(tags.kept),
            short and binder.fonts,
        )


def _add(
    binder: Binder,
    whole: Whole,
    file: int,
    order: Sequence[Slot | Blank],
    sizes: "_Sizes",
    told: Callable[[int], None] | None,
) -> int:
    """The pages of one file (how many different ones), and the sizes of those beside which another wants to know."""
    mine = {place: slot for place, slot in enumerate(order) if isinstance(slot, Slot) and slot.file == file}
    part = Part(
        whole,
        [slot.page for slot in mine.values()],
        list(mine),
        turns={place: slot.turn for place, slot in mine.items() if slot.turn},
    )
    sizes.note(whole, mine)
    for place, slot in mine.items():
        if slot.fit:
            width = sizes.beside(place)[0]
            if factor := factor_for(whole.document, whole.page(slot.page), width):
                part.factors[place] = factor
    binder.add(part, told)
    return len({slot.page for slot in mine.values()})


class _Sizes:
    """Sizes of the pages that stand beside those which take theirs."""

    def __init__(self, order: Sequence[Slot | Blank]) -> None:
        asking = [isinstance(each, Blank) or each.fit for each in order]
        #: Place -> the nearest page before it, and after it, that has a size of its own.
        self._before = _nearest(range(len(order)), asking)
        self._after = _nearest(range(len(order) - 1, -1, -1), asking)
        self._wanted = {*self._before.values(), *self._after.values()}
        self._known: dict[int, Size] = {}

    def note(self, whole: Whole, mine: Mapping[int, Slot]) -> None:
        """Learn the sizes of one file's pages."""
        for place in mine.keys() & self._wanted:
            width, height = visible_size(whole.document, whole.page(mine[place].page))
            self._known[place] = (height, width) if mine[place].turn % 180 else (width, height)

    def beside(self, place: int, *, after: bool = False) -> Size:
        """The size of the nearest page before that place, else after it; the other way round with `after`."""
        ways = (self._after, self._before) if after else (self._before, self._after)
        found = (self._known.get(way[place]) for way in ways if place in way)
        return next((size for size in found if size), A4)


def _nearest(places: range, asking: Sequence[bool]) -> dict[int, int]:
    """Place that asks -> the last one passed that does not."""
    found: dict[int, int] = {}
    last = None
    for place in places:
        if not asking[place]:
            last = place
        elif last is not None:
            found[place] = last
    return found
