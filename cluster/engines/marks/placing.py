"""Put several marks on pages, each where it was put by hand; equal ones on equal pages are one object."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cluster.engines.marks.overlay import Layer, Mark, Overlay, together
from cluster.engines.marks.place import View, pointed, view_of

if TYPE_CHECKING:
    import pikepdf


@dataclass(frozen=True)
class At:
    """Which mark, how high in points, its centre as fractions of the visible page, turned by `angle`."""

    mark: int
    height: float
    point: tuple[float, float]
    angle: float = 0

    def centre(self, view: View) -> tuple[float, float]:
        """In visible points."""
        return pointed(view, *self.point)


@dataclass
class Drawn:
    """Marks as they are needed: `draw(number, height)` makes one, each height once."""

    draw: Callable[[int, float], Mark]
    _made: dict[tuple[int, float], Mark] = field(default_factory=dict)

    def __call__(self, at: At) -> Mark:
        key = at.mark, round(at.height, 2)
        if key not in self._made:
            self._made[key] = self.draw(*key)
        return self._made[key]


def place(
    pdf: "pikepdf.Pdf", marks: Drawn, on_pages: Mapping[int, Sequence[At]], told: Callable[[int, int], None]
) -> None:
    """Draw all there is on its pages (1-based), `told(done, total)` meanwhile."""
    overlay, pages = Overlay(pdf, ""), list(pdf.pages)
    forms: dict[Any, Any] = {}
    for done, number in enumerate(sorted(on_pages)):
        page, view = pages[number - 1], view_of(pages[number - 1])
        key = tuple(on_pages[number]), round(view.width, 3), round(view.height, 3)
        if key not in forms:
            layers = [Layer(marks(at), [at.centre(view)], at.angle) for at in on_pages[number]]
            forms[key] = together(pdf, [layer.form(pdf, view) for layer in layers], view)
        overlay.add(page, forms[key], view)
        if done % 100 == 0:
            told(done, len(on_pages))
