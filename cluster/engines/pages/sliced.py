"""A document whose pages are cut into slices, each a page of its own with what lies on it.

    with Binder(path) as binder:
        binder.add(Sliced(whole, [Slice(0, box), Slice(0, other), Slice(1)]))
        binder.close()

A slice keeps the page's coordinates: only its boxes change, so links, annotations, fields and destinations stay where
they are and belong to the slice they lie on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cluster.engines.pages.part import Part
from cluster.engines.pages.scissors import Scissors
from cluster.engines.pages.slices import Box
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref

#: What tells of the whole page.
_LEFT = b"/CropBox /BleedBox /TrimBox /ArtBox /Thumb /PieceInfo /VP /B /Metadata /StructParents".split()
#: Destination kind -> which of its operands are x and y.
_POINTS = {
    b"/XYZ": (2, 3),
    b"/FitH": (None, 2),
    b"/FitBH": (None, 2),
    b"/FitV": (2, None),
    b"/FitBV": (2, None),
    b"/FitR": (2, 5),
}
#: A destination stands at the corner of what it shows, often a hair above it.
_INSIDE = 2.0


@dataclass(frozen=True, slots=True)
class Slice:
    """What stands at a place: of the page at position `page` what lies in `box`, or all of it."""

    page: int
    box: Box | None = None


class Sliced(Part):
    """`slices` in their order; the slices of a page follow each other."""

    tagged = False

    def __init__(self, whole: Whole, slices: Sequence[Slice]) -> None:
        super().__init__(whole, [each.page for each in slices])
        self.slices = slices
        self._made: list[int] = []
        #: Page -> places of its slices, where it is cut.
        self._cut: dict[int, list[int]] = {}
        for place, each in enumerate(slices):
            if each.box:
                self._cut.setdefault(each.page, []).append(place)
        self._shared: tuple[int, dict[int, list[Any]]] = -1, {}

    @property
    def alike(self) -> bool:
        return False

    def open(self, sink: Sink) -> None:
        """Every slice gets its number."""
        super().open(sink)
        first: set[int] = set()
        for each in self.slices:
            again = each.page in first
            first.add(each.page)
            self._made.append(sink.reserve() if again else self.copier.claim(self.whole.leaves[each.page].number))
        self.scissors = Scissors(self.whole.document, self.whole.document.path, self.copier)

    def standing(self) -> Iterator[tuple[int, int, bool]]:
        """While a slice is written, what refers to its page refers to it."""
        for at, place, _ in super().standing():
            numbered = self.whole.leaves[at].number
            first = self.copier.claimed[numbered]
            self.copier.stand_in(numbered, self._made[place])
            yield at, place, False
            self.copier.stand_in(numbered, first)
        self.scissors.close()

    def dressed(self, entries: dict[bytes, Any], place: int) -> dict[bytes, Any]:
        """The page with the content of its slice."""
        cut = self.slices[place]
        if cut.box is None:
            return {key: value for key, value in entries.items() if key != b"/StructParents"}
        content = self.scissors.cut(cut.page, self.whole.leaves[cut.page].number, cut.box)
        kept = {key: value for key, value in entries.items() if key not in _LEFT}
        made = self.copier.own(self.copier.sink.add_stream(b"", content.data))
        box = [b"%.4f" % value for value in cut.box]
        return kept | {b"/MediaBox": box, b"/Contents": made, b"/Resources": content.resources}

    def notes(self, listed: Any, place: int) -> Any:
        """The annotations that lie on the slice; replies and windows go with what they belong to."""
        page = self.slices[place].page
        if page not in self._cut:
            return listed
        if self._shared[0] != page:
            self._shared = page, self._sorted(listed, page)
        return self._shared[1].get(place, [])

    def place(self, target: Any) -> list[Any] | None:
        """As of any part; a page that is cut is its slice that shows the destination."""
        found = super().place(target)
        if found is None:
            return None
        page = self.whole.index[found[0]]
        if page not in self._cut:
            return found
        kind = self.whole.document.get(found[1]) if len(found) > 1 else None
        across, up = _POINTS.get(kind, (None, None)) if type(kind) is bytes else (None, None)
        x, y = self._operand(found, across), self._operand(found, up)
        x, y = None if x is None else x + _INSIDE, None if y is None else y - _INSIDE
        return [self.copier.own(self._made[self._nearest(page, x, y)]), *found[1:]]

    def _operand(self, place: list[Any], index: int | None) -> float | None:
        return _float(self.whole.document.get(place[index])) if index is not None and index < len(place) else None

    def _sorted(self, listed: Any, page: int) -> dict[int, list[Any]]:
        """Place -> its annotations."""
        document, places, sorted_ = self.whole.document, dict[Any, int](), dict[int, list[Any]]()
        held = document.array(listed)
        for each in sorted(held, key=lambda one: self._belongs(one) is not None):
            above = self._belongs(each)
            place = places.get(above) if above is not None else None
            place = self._of(page, document.dictionary(each)) if place is None else place
            if type(each) is Ref:
                places[each] = place
        for each in held:
            place = places[each] if type(each) is Ref else self._of(page, document.dictionary(each))
            sorted_.setdefault(place, []).append(each)
        return sorted_

    def _belongs(self, each: Any) -> Ref | None:
        """The annotation that this one is a window of or a reply to."""
        annotation = self.whole.document.dictionary(each)
        window = self.whole.document.get(annotation.get(b"/Subtype")) == b"/Popup"
        above = annotation.get(b"/Parent" if window else b"/IRT")
        return above if type(above) is Ref else None

    def _of(self, page: int, annotation: dict[bytes, Any]) -> int:
        """The place of the slice that the middle of an annotation lies on, or lies nearest to."""
        rect = [_float(self.whole.document.get(each)) for each in self.whole.document.array(annotation.get(b"/Rect"))]
        if len(rect) != 4 or None in rect:
            return self._cut[page][0]
        x0, y0, x1, y1 = (each or 0.0 for each in rect)
        return self._nearest(page, (x0 + x1) / 2, (y0 + y1) / 2)

    def _nearest(self, page: int, x: float | None, y: float | None) -> int:
        """The first of the slices nearest to a point; None is any."""

        def away(place: int) -> float:
            left, bottom, right, top = self.slices[place].box or (0.0, 0.0, 0.0, 0.0)
            return _beyond(x, left, right) + _beyond(y, bottom, top)

        return min(self._cut[page], key=away)


def _beyond(value: float | None, low: float, high: float) -> float:
    return 0.0 if value is None else max(low - value, value - high, 0.0)


def _float(token: Any) -> float | None:
    try:
        return float(token) if type(token) is bytes else None
    except ValueError:
        return None
