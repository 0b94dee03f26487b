"""Lines no thinner than the preview draws them: what is thinner than a pixel gets a pixel in both, and the preview's
pixels are larger, so that its hairlines were twice as dark as the result's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cluster.engines.draw.boxes import Edit
from cluster.engines.pdf.tokens import Operation

_DEEPEST = 1000


@dataclass(frozen=True)
class _Pen:
    """Points of a unit, and the line's width as it is told and as it was set instead."""

    scale: float
    told: float = 1.0
    set: float = 1.0


class Hairlines:
    """Follows the operations of some content in which a unit is `scale` points and a line `least` points wide or more.

    scales: points of a unit where forms are drawn, by their names as they are written.
    """

    def __init__(self, least: float, scale: float) -> None:
        self.scales = dict[bytes, float]()
        self._least, self._pen = least, _Pen(scale)
        self._held = list[_Pen]()

    def follow(self, data: bytes, operation: Operation) -> Iterator[Edit]:
        """What is to stand behind this operation for the lines that follow."""
        match operation.operator:
            case b"q" if len(self._held) < _DEEPEST:
                self._held.append(self._pen)
            case b"Q" if self._held:
                self._pen = self._held.pop()
            case b"Do" | b"cm" | b"w":
                words = [data[each.start : each.end] for each in operation.operands]
                yield from self._changed(operation, words)

    def _changed(self, operation: Operation, words: list[bytes]) -> Iterator[Edit]:
        match operation.operator:
            case b"Do" if words:
                self.scales[words[0]] = self._pen.scale
            case b"cm" if len(words) == 6:
                self._pen = replace(self._pen, scale=self._pen.scale * scale_of(words))
                yield from self._thickened(operation)
            case b"w" if len(words) == 1:
                self._pen = replace(self._pen, told=_number(words[0]), set=_number(words[0]))
                yield from self._thickened(operation)

    def _thickened(self, operation: Operation) -> Iterator[Edit]:
        pen = self._pen
        wanted = max(pen.told, self._least / pen.scale) if pen.scale else pen.told
        if wanted != pen.set:
            self._pen = replace(pen, set=wanted)
            yield operation.end, operation.end, b" %.5f w" % wanted


def scale_of(matrix: Sequence[Any]) -> float:
    """How much longer a matrix makes lines; 1 for none."""
    if len(matrix) != 6:
        return 1.0
    a, b, c, d = map(_number, matrix[:4])
    return float(abs(a * d - b * c) ** 0.5)


def _number(word: Any) -> float:
    """0 for what is no number, as readers take it."""
    try:
        return float(word)
    except (TypeError, ValueError):
        return 0.0
