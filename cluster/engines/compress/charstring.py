"""Type 1 glyph programs told in Type 2: subroutines written out, hint replacement as hint masks, flex as curves."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

Stem = tuple[float, float]

#: More stems than this, and a glyph goes without hints.
_MOST_STEMS = 96
_DEEPEST = 10
_SIMPLE = {
    4: "vmoveto",
    5: "rlineto",
    6: "hlineto",
    7: "vlineto",
    8: "rrcurveto",
    21: "rmoveto",
    22: "hmoveto",
    30: "vhcurveto",
    31: "hvcurveto",
}


class Unreadable(ValueError):
    """The program does not follow the rules."""


@dataclass
class Glyph:
    """One glyph in Type 2: its drawing, hint groups (drawing index, horizontal, vertical stems) and accent parts."""

    width: float = 0.0
    drawing: list[Any] = field(default_factory=list)
    groups: list[tuple[int, set[Stem], set[Stem]]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    accent: list[float] = field(default_factory=list)

    def program(self, usual: float) -> list[Any]:
        """The whole program; `usual` is the width that need not be written."""
        lead = [] if self.width == usual else [_whole(self.width - usual)]
        if self.parts:
            return [*lead, *map(_whole, self.accent), "endchar"]
        rows = sorted(set[Stem]().union(*(group[1] for group in self.groups)))
        columns = sorted(set[Stem]().union(*(group[2] for group in self.groups)))
        if (not rows and not columns) or len(rows) + len(columns) > _MOST_STEMS:
            return [*lead, *self.drawing, "endchar"]
        masked = len(self.groups) > 1 or _overlap(rows) or _overlap(columns)
        body = self._masked(rows, columns) if masked else self.drawing
        tail = "hm" if masked else ""
        return [*lead, *_stems(rows, "hstem" + tail), *_stems(columns, "vstem" + tail), *body, "endchar"]

    def _masked(self, rows: list[Stem], columns: list[Stem]) -> list[Any]:
        body: list[Any] = []
        at = 0
        for index, across, up in self.groups:
            bits = [stem in across for stem in rows] + [stem in up for stem in columns]
            bits += [False] * (-len(bits) % 8)
            mask = bytes(sum(bit << (7 - i) for i, bit in enumerate(bits[n : n + 8])) for n in range(0, len(bits), 8))
            body += [*self.drawing[at:index], "hintmask", mask]
            at = index
        return body + self.drawing[at:]


def translate(code: bytes, subrs: list[bytes]) -> Glyph:
    """The glyph that a decrypted Type 1 charstring draws."""
    run = _Run(subrs)
    try:
        run.run(code, 0)
    except (IndexError, ZeroDivisionError, KeyError) as error:
        raise Unreadable from error
    return run.glyph


class _Run:
    def __init__(self, subrs: list[bytes]) -> None:
        self.subrs = subrs
        self.glyph = Glyph(groups=[(0, set(), set())])
        self.stack: list[float] = []
        self.back: list[float] = []
        self.x = self.y = self.bearing = 0.0
        self.told = [0.0, 0.0]  # where Type 2 believes the pen is
        self.flex: list[tuple[float, float]] | None = None
        self.done = False

    def run(self, code: bytes, depth: int) -> None:
        if depth > _DEEPEST:
            raise Unreadable
        at = 0
        while at < len(code) and not self.done:
            first = code[at]
            if first >= 32:
                value, at = _number(code, at)
                self.stack.append(value)
                continue
            at += 1
            if first == 12:
                self.escaped(code[at])
                at += 1
            elif first == 10:
                self.run(self.subrs[int(self.stack.pop())], depth + 1)
            elif first == 11:
                return
            else:
                self.plain(first)

    def plain(self, operator: int) -> None:
        stack = self.stack
        if operator == 13:
            self.begin(stack[0], 0.0, stack[1])
        elif operator == 14:
            self.done = True
        elif operator in (1, 3):
            self.stem(operator == 3, stack[0], stack[1])
        elif operator in (4, 21, 22):
            self.move(operator)
        elif operator in _SIMPLE:
            self.draw(operator)
        elif operator != 9:  # closepath: Type 2 closes by itself
            raise Unreadable
        stack.clear()

    def begin(self, x: float, y: float, width: float) -> None:
        self.x, self.y, self.bearing, self.glyph.width = x, y, x, width

    def stem(self, upright: bool, low: float, size: float) -> None:
        if size < 0 and size not in (-20, -21):
            low, size = low + size, -size
        _, across, up = self.glyph.groups[-1]
        (up if upright else across).add((low + (self.bearing if upright else 0), size))

    def move(self, operator: int) -> None:
        stack = self.stack
        dx, dy = {4: (0.0, stack[0]), 22: (stack[0], 0.0)}.get(operator) or (stack[0], stack[1])
        self.x, self.y = self.x + dx, self.y + dy
        if self.flex is None:
            self.emit([self.x - self.told[0], self.y - self.told[1]], "rmoveto")

    def draw(self, operator: int) -> None:
        self.emit(list(self.stack), _SIMPLE[operator])

    def emit(self, numbers: list[float], operator: str) -> None:
        """Write one drawing step and follow the pen."""
        self.glyph.drawing += [*map(_whole, numbers), operator]
        dx, dy = _travel(numbers, operator)
        self.told = [self.told[0] + dx, self.told[1] + dy]
        self.x, self.y = self.told

    def escaped(self, operator: int) -> None:
        stack = self.stack
        if operator == 12:
            divisor = stack.pop()
            stack.append(stack.pop() / divisor)
            return
        if operator == 16:
            self.other(int(stack.pop()), int(stack.pop()))
            return
        if operator == 17:
            stack.append(self.back.pop() if self.back else 0.0)
            return
        if operator in (1, 2):
            for at in (0, 2, 4):
                self.stem(operator == 1, stack[at], stack[at + 1])
        elif operator == 6:
            self.accented()
        elif operator == 7:
            self.begin(stack[0], stack[1], stack[2])
        elif operator not in (0, 33):  # dotsection; setcurrentpoint follows flex, which we have followed
            raise Unreadable
        stack.clear()

    def accented(self) -> None:
        from fontTools.encodings.StandardEncoding import StandardEncoding

        bearing, x, y, base, accent = self.stack[:5]
        self.glyph.parts = [StandardEncoding[int(base)], StandardEncoding[int(accent)]]
        self.glyph.accent = [self.bearing + x - bearing, y, base, accent]
        self.done = True

    def other(self, number: int, count: int) -> None:
        arguments = [self.stack.pop() for _ in range(count)]
        if number == 1:
            self.flex = []
        elif number == 2 and self.flex is not None:
            self.flex.append((self.x, self.y))
        elif number == 0 and self.flex is not None:
            self.flexed(self.flex)
            self.back = [arguments[0], arguments[1]]
        elif number == 3:
            self.regroup()
            self.back = arguments[:1]
        else:
            self.back = arguments

    def flexed(self, points: list[tuple[float, float]]) -> None:
        """Seven points: the reference, which is not drawn, and two curves."""
        if len(points) != 7:
            raise Unreadable
        self.flex = None
        for curve in (points[1:4], points[4:7]):
            at = (self.told[0], self.told[1])
            numbers: list[float] = []
            for point in curve:
                numbers += [point[0] - at[0], point[1] - at[1]]
                at = point
            self.emit(numbers, "rrcurveto")

    def regroup(self) -> None:
        """Hints from here on replace those before."""
        here = len(self.glyph.drawing)
        if self.glyph.groups[-1][0] == here:
            self.glyph.groups[-1] = (here, set(), set())
        else:
            self.glyph.groups.append((here, set(), set()))


def _number(code: bytes, at: int) -> tuple[float, int]:
    first = code[at]
    if first <= 246:
        return first - 139, at + 1
    if first <= 250:
        return (first - 247) * 256 + code[at + 1] + 108, at + 2
    if first <= 254:
        return -(first - 251) * 256 - code[at + 1] - 108, at + 2
    four = bytes(code[place] for place in range(at + 1, at + 5))  # a cut program ends in IndexError
    return int.from_bytes(four, "big", signed=True), at + 5


def _travel(numbers: list[float], operator: str) -> tuple[float, float]:
    match operator:
        case "hlineto":
            return numbers[0], 0
        case "vlineto":
            return 0, numbers[0]
        case "vhcurveto":
            return numbers[1] + numbers[3], numbers[0] + numbers[2]
        case "hvcurveto":
            return numbers[0] + numbers[1], numbers[2] + numbers[3]
    return sum(numbers[::2]), sum(numbers[1::2])


def _stems(stems: list[Stem], operator: str) -> list[Any]:
    """Stem hints, each told from the end of the one before; at most 22 an operator, for the argument stack."""
    program: list[Any] = []
    at = 0.0
    for begin in range(0, len(stems), 22):
        for low, size in stems[begin : begin + 22]:
            program += [_whole(low - at), _whole(size)]
            at = low + size
        program.append(operator)
    return program


def _overlap(stems: list[Stem]) -> bool:
    return any(low + max(size, 0) >= after for (low, size), (after, _) in pairwise(stems))


def _whole(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 4)
