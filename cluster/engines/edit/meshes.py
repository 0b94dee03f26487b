"""Shadings told as triangles and patches (types 4 to 7) without those that lie in places to be cleared.

A piece goes when all of it lies in one place. Of one that reaches out, what is seen tells all of it: its edges are
straight or one curve, its colours are blended evenly. What stays is told again piece by piece, each for itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf

from cluster.engines.edit.scene import Box
from cluster.engines.edit.shapes import Boxes, Point, bounds
from cluster.engines.pdf.images import channels_of
from cluster.engines.pdf.matrix import Matrix, place
from cluster.engines.pdf.nodes import get, items
from cluster.engines.pdf.streams import decoded

_BY_PLACE, _TRIANGLES, _LATTICE, _COONS, _TENSOR = 1, 4, 5, 6, 7
#: Points and colours of a patch that is told whole.
_PATCH = {_COONS: 12, _TENSOR: 16}
_COLOURS = 4
#: More pieces than a page can show.
_MOST = 500_000

Corner = tuple[int, ...]
"""Numbers as they are stored: across, up; of a triangle's corner its colour follows."""


@dataclass(frozen=True)
class Piece:
    """A triangle's corners, or the points of a patch with the colours of its four corners."""

    points: tuple[Corner, ...]
    colours: tuple[Corner, ...] = ()


def without(pdf: "pikepdf.Pdf", shading: Any, matrix: Matrix, boxes: Boxes) -> Any:
    """A copy that lacks the pieces which lie in the boxes, `matrix` taking its units to the page's; None where it has
    none of them there or is no mesh.

    Raises ValueError where its data are not understood, or are the samples of a picture; too_large_when_opened.
    """
    if _is_pictured(shading):
        raise ValueError("a picture told as a function")
    if not isinstance(shading, pikepdf.Stream) or shading.get("/ShadingType") not in range(_TRIANGLES, _TENSOR + 1):
        return None
    mesh = _Mesh.of(shading)
    pieces = list(mesh.pieces())
    kept = [each for each in pieces if not _is_hidden(mesh.reach(each, matrix), boxes)]
    if len(kept) == len(pieces):
        return None
    left = ("/Length", "/Filter", "/DecodeParms", "/VerticesPerRow")
    entries: dict[str, Any] = {key: value for key, value in shading.items() if key not in left}
    kind = {"/ShadingType": _TRIANGLES if mesh.kind == _LATTICE else mesh.kind, "/BitsPerFlag": 8}
    return pdf.make_stream(b"".join(map(mesh.told, kept)), pikepdf.Dictionary({**entries, **kind}))


def _is_pictured(shading: Any) -> bool:
    """Whether each point's colour is looked up in a table, as in a picture."""
    function = get(shading, "/Function")
    tables = [each for each in items(function) or [function] if isinstance(each, pikepdf.Stream)]
    return get(shading, "/ShadingType") == _BY_PLACE and any(each.get("/FunctionType") == 0 for each in tables)


def _is_hidden(reach: Box, boxes: Boxes) -> bool:
    x0, y0, x1, y1 = reach
    return any(a <= x0 and b <= y0 and x1 <= c and y1 <= d for a, b, c, d in boxes.near(reach))


@dataclass
class _Mesh:
    """How a shading's data are stored. All of its records must fill whole bytes: readers differ where they do not."""

    kind: int
    data: bytes
    flag: int
    coordinate: int
    component: int
    channels: int
    decode: list[float]
    row: int
    at: int = 0

    @classmethod
    def of(cls, shading: Any) -> "_Mesh":
        channels = 1 if "/Function" in shading else channels_of(shading.get("/ColorSpace"))
        flag, coordinate, component = (
            int(shading.get(key, 0)) for key in ("/BitsPerFlag", "/BitsPerCoordinate", "/BitsPerComponent")
        )
        decode, data = [float(each) for each in items(shading.get("/Decode"))], decoded(shading)
        kind, row = int(shading["/ShadingType"]), int(shading.get("/VerticesPerRow", 0))
        flag = 0 if kind == _LATTICE else flag
        whole = not any(each % 8 for each in (flag, 2 * coordinate, channels * component))
        if not whole or not channels or not coordinate or not component or len(decode) < 4 or data is None:
            raise ValueError("a mesh that readers read differently")
        return cls(kind, data, flag, coordinate, component, channels, decode, row)

    def pieces(self) -> Iterator[Piece]:
        """As they are told. Raises ValueError where they are not whole, or too many."""
        read: Callable[[], Iterator[Piece]] = {
            _TRIANGLES: self._triangles, _LATTICE: self._lattice,
        }.get(self.kind, self._patches)  # fmt: skip
        for count, piece in enumerate(read()):
            if count > _MOST:
                raise ValueError("too many pieces")
            yield piece

    def _triangles(self) -> Iterator[Piece]:
        corners: list[Corner] = []
        while self.at < len(self.data):
            flag, corner = self._number(self.flag) & 3, self._corner()
            if flag and len(corners) == 3:
                corners = [corners[1] if flag == 1 else corners[0], corners[2], corner]
            else:
                corners = [corner]
                for _ in range(2):
                    self._number(self.flag)
                    corners.append(self._corner())
            yield Piece(tuple(corners))

    def _lattice(self) -> Iterator[Piece]:
        if self.row < 2:
            raise ValueError("a row of one")
        above: list[Corner] = []
        while self.at < len(self.data):
            row = [self._corner() for _ in range(self.row)]
            for at in range(self.row - 1 if above else 0):
                yield Piece((above[at], above[at + 1], row[at]))
                yield Piece((above[at + 1], row[at], row[at + 1]))
            above = row

    def _patches(self) -> Iterator[Piece]:
        last, points = Piece(()), _PATCH[self.kind]
        while self.at < len(self.data):
            flag = self._number(self.flag) & 3
            shared: tuple[Corner, ...] = ()
            colours: tuple[Corner, ...] = ()
            if flag:
                if not last.points:
                    raise ValueError("it goes on from no patch")
                shared = tuple(last.points[(3 * flag + each) % 12] for each in range(4))
                colours = last.colours[flag], last.colours[(flag + 1) % 4]
            shared += tuple(self._numbers(2, self.coordinate) for _ in range(points - len(shared)))
            colours += tuple(self._numbers(self.channels, self.component) for _ in range(_COLOURS - len(colours)))
            yield (last := Piece(shared, colours))

    def _corner(self) -> Corner:
        return self._numbers(2, self.coordinate) + self._numbers(self.channels, self.component)

    def _number(self, bits: int) -> int:
        return self._numbers(1, bits)[0]

    def _numbers(self, count: int, bits: int) -> Corner:
        """So many numbers, which together fill bytes."""
        size = count * bits // 8
        if self.at + size > len(self.data):
            raise ValueError("its data end early")
        whole = int.from_bytes(self.data[self.at : self.at + size], "big")
        self.at += size
        return tuple(whole >> bits * (count - 1 - each) & (1 << bits) - 1 for each in range(count))

    def told(self, piece: Piece) -> bytes:
        """The data of a piece for itself."""
        if not piece.colours:
            return b"".join(b"\0" + self._stored(each) for each in piece.points)
        points = b"".join(_packed(each, self.coordinate) for each in piece.points)
        return b"\0" + points + b"".join(_packed(each, self.component) for each in piece.colours)

    def _stored(self, corner: Corner) -> bytes:
        return _packed(corner[:2], self.coordinate) + _packed(corner[2:], self.component)

    def reach(self, piece: Piece, matrix: Matrix) -> Box:
        """The box around it on the page."""
        x0, x1, y0, y1 = self.decode[:4]
        most = (1 << self.coordinate) - 1
        points = [(x0 + x * (x1 - x0) / most, y0 + y * (y1 - y0) / most) for x, y, *_ in piece.points]
        inner = [_inner(points, at) for at in (0, 3, 6, 9)] if self.kind == _COONS else []
        return bounds([place(matrix, x, y) for x, y in [*points, *inner]])


def _packed(numbers: Corner, bits: int) -> bytes:
    whole = 0
    for each in numbers:
        whole = whole << bits | each
    return whole.to_bytes(len(numbers) * bits // 8, "big")


def _inner(points: Sequence[Point], at: int) -> Point:
    """The control point that a Coons patch has beside its corner `at` (ISO 32000-2, 8.7.4.5.8)."""
    shares = ((0, -4), (1, 6), (-1, 6), (3, -2), (-3, -2), (4, 3), (-4, 3), (6, -1))
    x, y = (sum(share * points[(at + step) % 12][axis] for step, share in shares) / 9 for axis in (0, 1))
    return x, y
