"""Put one stamp on pages and across their edges; equal stamps on equal pages are one object."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cluster.engines.marks.overlay import Layer, Mark, Overlay, together
from cluster.engines.marks.place import View, cover, placed, pointed, view_of
from cluster.engines.marks.seam import Edge, cuts, slice_of

if TYPE_CHECKING:
    import pikepdf


@dataclass(frozen=True)
class Spot:
    """Where a stamp stands: at a place, `margin` points from the edges, or its centre at a point (fractions of the
    visible page from its upper left corner); how large beside the stamp itself, and how it is turned."""

    place: str | None = None
    margin: float = 0
    point: tuple[float, float] = (0.5, 0.5)
    scale: float = 1
    angle: float = 0

    def centre(self, view: View, mark: Mark) -> tuple[float, float]:
        """In visible points."""
        if self.place is None:
            return pointed(view, *self.point)
        return placed(view, self.place, (self.margin, self.margin), cover(mark.width, mark.height, self.angle))


@dataclass(frozen=True)
class Fan:
    """How a seal lies across edges: cluster.engines.marks.seam says what each means; `trim` in points."""

    edge: Edge
    along: float
    trim: float
    uneven: bool
    seed: int


@dataclass
class Stamper:
    """The stamp of one document: `mark` draws it at a scale."""

    pdf: "pikepdf.Pdf"
    mark: Callable[[float], Mark]
    opacity: float
    ink: bool
    _marks: dict[float, Mark] = field(default_factory=dict)
    _forms: dict[Any, Any] = field(default_factory=dict)

    def stamp(
        self,
        on_pages: Mapping[int, Sequence[Spot]],
        groups: Sequence[Sequence[int]],
        fan: Fan,
        told: Callable[[int, int], None],
    ) -> int:
        """Put all there is on its pages (1-based), `told(done, total)` meanwhile; on how many."""
        slices = self._slices(groups, fan)
        overlay, pages = Overlay(self.pdf, ""), list(self.pdf.pages)
        stamped = sorted({*on_pages, *slices})
        for done, number in enumerate(stamped):
            page, view = pages[number - 1], view_of(pages[number - 1])
            forms = [self._form(view, spot) for spot in on_pages.get(number, ())]
            forms += [self._slice(view, slices[number], fan)] if number in slices else []
            overlay.add(page, together(self.pdf, forms, view), view)
            if done % 100 == 0:
                told(done, len(stamped))
        return len(stamped)

    def _slices(self, groups: Sequence[Sequence[int]], fan: Fan) -> dict[int, tuple[float, float]]:
        """Each page's part of its seal, from the inner side."""
        found: dict[int, tuple[float, float]] = {}
        for at, group in enumerate(groups):
            mark = self._drawn(1)
            length = mark.width if fan.edge in ("right", "left") else mark.height
            ends = cuts(len(group), length, uneven=fan.uneven, seed=fan.seed + at)
            found |= {page: (ends[n], ends[n + 1]) for n, page in enumerate(group)}
        return found

    def _slice(self, view: View, part: tuple[float, float], fan: Fan) -> Any:
        mark = self._drawn(1)
        cut = slice_of(view, fan.edge, part, (mark.width, mark.height), along=fan.along, trim=fan.trim)
        return self._layer(mark).part(self.pdf, cut.box, cut.corner)

    def _form(self, view: View, spot: Spot) -> Any:
        key = (spot, round(view.width, 3), round(view.height, 3))
        if key not in self._forms:
            mark = self._drawn(spot.scale)
            self._forms[key] = self._layer(mark, [spot.centre(view, mark)], spot.angle).form(self.pdf, view)
        return self._forms[key]

    def _layer(self, mark: Mark, centres: Sequence[tuple[float, float]] = (), angle: float = 0) -> Layer:
        return Layer(mark, centres, angle, self.opacity, self.ink)

    def _drawn(self, scale: float) -> Mark:
        if scale not in self._marks:
            self._marks[scale] = self.mark(scale)
        return self._marks[scale]
