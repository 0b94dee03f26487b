"""One document on its way into a result: which of its pages, and where each comes to stand."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from cluster.engines.pages.copier import Copier, Shapes, shifted
from cluster.engines.pages.edits import Edits
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref


class Part:
    """`pages` are positions in the document (repeats allowed), `places` those in the result, both from 0.

    `turns` are degrees clockwise by place; `title` is what the document is called. A part that has every page
    carries over also what hangs on none, unless it is wanted `thin`: cut to what the pages use, as others are.
    """

    #: Whether its accessibility tags come along.
    tagged = True
    #: Whether the document's scripts come along.
    scripted = True

    def __init__(
        self,
        whole: Whole,
        pages: Sequence[int],
        places: Sequence[int] | None = None,
        *,
        title: str = "",
        turns: Mapping[int, int] | None = None,
        attachments: bool = True,
        thin: bool = False,
    ) -> None:
        self.whole, self.pages, self.title = whole, pages, title
        self.places = range(len(pages)) if places is None else places
        self.turns = turns or {}
        self.here = set(pages)
        self.complete = not thin and len(self.here) == len(whole.leaves)
        self.attachments = attachments
        self.thin = not self.complete
        self.edits = Edits(whole.document)
        #: What structure keys grow by; None takes them away.
        self.shift: int | None = 0
        #: Place -> how much larger the page becomes there.
        self.factors: dict[int, float] = {}

    @property
    def alike(self) -> bool:
        """Whether pages are written as they are, but for where they stand and what is on them."""
        return self.complete and not self.edits and not self.turns

    def dressed(self, entries: dict[bytes, Any], place: int) -> dict[bytes, Any]:
        """The entries of the page that stands at `place`."""
        return entries

    def notes(self, listed: Any, place: int) -> Any:
        """Of a page's /Annots those that stand at `place`."""
        return listed

    def open(self, sink: Sink) -> None:
        """Begin to carry over: every page gets its number; what must change is known by now."""
        whole, shapes = self.whole, self.whole.shapes
        if self.complete or self.edits or self.shift != 0:
            shapes = Shapes(
                whole.document,
                whole.usage,
                complete=self.complete,
                thin=self.thin,
                edit=self.edits if self.edits else None,
                shift=self.shift,
            )
        self.copier = Copier(whole.document, shapes, whole.index, sink)
        for at in self.pages:
            self.copier.claim(whole.leaves[at].number)

    def standing(self) -> Iterator[tuple[int, int, bool]]:
        """Each page's position, its place, and whether it stood before."""
        done: set[int] = set()
        for at, place in zip(self.pages, self.places, strict=True):
            yield at, place, at in done
            done.add(at)

    def first(self) -> bytes:
        """The destination that shows the page that stands first."""
        at = min(zip(self.places, self.pages, strict=True))[1]
        return b"[%b/XYZ null null null]" % self.copier.refer(self.whole.leaves[at].number)

    def place(self, target: Any) -> list[Any] | None:
        """The destination `[page, fit, …]` that `target` names or is; None when its page is not here."""
        place = self.whole.targets.explicit(target)
        if place is None or self.whole.index[place[0]] not in self.here:
            return None
        factor = self._first_factors.get(self.whole.index[place[0]]) if self.factors else None
        if factor is None:
            return place
        from cluster.engines.pages.scale import scaled_place

        return scaled_place(self.whole.document, place, factor)

    @cached_property
    def _first_factors(self) -> dict[int, float | None]:
        """By position: leads go to where a page stands first."""
        pairs = zip(reversed(self.pages), reversed(self.places), strict=True)
        return {at: self.factors.get(place) for at, place in pairs}

    def led(self, node: dict[bytes, Any]) -> dict[bytes, Any] | None:
        """A link or bookmark with its lead in this result; None when that is left out. Other leads stay."""
        action = self.whole.document.dictionary(node.get(b"/A"))
        if b"/Dest" in node:
            place = self._kept(node[b"/Dest"])
            return None if place is None else {**node, b"/Dest": place}
        if action.get(b"/S") != b"/GoTo":
            return node
        place = self._kept(action.get(b"/D"))
        if place is None:
            return None
        kept = {key: value for key, value in action.items() if key != b"/SD"}
        return {**node, b"/A": {**kept, b"/D": place}}

    def _kept(self, target: Any) -> Any:
        place = self.place(target)
        if place is None:
            # What leads nowhere in its own document is no loss, and none of another's.
            dead = self.complete and self.whole.targets.explicit(target) is None
            return self.whole.document.get(target) if dead and type(target) is not Ref else None
        found = self.whole.document.get(target)
        # A name stays a name: its destination comes along.
        return found if type(found) is bytes else place

    def shifted(self, entries: dict[bytes, Any]) -> dict[bytes, Any]:
        """`entries` with their structure keys as they are in the result."""
        return shifted(entries, self.shift)
