"""Follows a page's content, operator by operator, into a scene."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import pikepdf

from cluster.engines.edit.fonts import Fonts, TextFont
from cluster.engines.edit.scene import Box, Drawn, Glyph, Ink, Path, Scene, Show, Shown, Spoken, Subpath
from cluster.engines.pdf.matrix import WHOLE, Matrix, place, times
from cluster.engines.pdf.nodes import get, inherited, is_dictionary, items
from cluster.engines.pdf.open import visible_box
from cluster.engines.pdf.streams import decoded
from cluster.engines.pdf.tokens import Operation, operations
from cluster.problem import LimitProblem

#: Forms in forms, and what of all that a page draws is held in memory.
_DEEPEST, _MOST = 28, 3_000_000
#: Ways of showing text that draw nothing.
_UNSEEN = (3, 7)
#: Everything that a page can show.
_FAR = 1e9


@dataclass(slots=True)
class _State:
    matrix: Matrix
    font: TextFont | None = None
    name: bytes = b""
    size: float = 0.0
    spacing: float = 0.0
    words: float = 0.0
    wide: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    pen: float = 1.0
    dash: tuple[float, ...] = ()
    fill: Ink | None = None
    line: Ink | None = None
    mode: float = 0.0
    clip: Box = (-_FAR, -_FAR, _FAR, _FAR)


def read_page(page: "pikepdf.Page", fonts: Fonts) -> Scene:
    """All that the page's content draws, in the page's units. Raises too_large_when_opened."""
    held = page.obj.get("/Contents")
    streams = list(held) if isinstance(held, pikepdf.Array) else [held]
    data = b"\n".join(decoded(each) or b"" for each in streams if isinstance(each, pikepdf.Stream))
    scene = Scene(data, inherited(page, "/Resources"), WHOLE)
    reader = _Reader(scene, fonts, _Room(_MOST), 0, frozenset())
    reader.state.clip = visible_box(page)
    reader.read()
    return scene


def read_cell(pattern: Any, matrix: Matrix, fonts: Fonts) -> Scene:
    """What a tiling pattern's cell draws where `matrix` takes it. Raises too_large_when_opened."""
    scene = Scene(decoded(pattern) or b"", pattern.get("/Resources"), matrix)
    _Reader(scene, fonts, _Room(_MOST), 1, frozenset({pattern.objgen})).read()
    return scene


@dataclass
class _Room:
    left: int

    def take(self, count: int = 1) -> None:
        self.left -= count
        if self.left < 0:
            raise LimitProblem("too_large_when_opened")


class _Reader:
    """Follows one stream."""

    def __init__(self, scene: Scene, fonts: Fonts, room: _Room, depth: int, above: frozenset[Any]) -> None:
        self.scene, self.data, self.fonts, self.room = scene, scene.data, fonts, room
        self.depth, self.above = depth, above
        self.state, self.stack = _State(scene.matrix), list[_State]()
        self.text = self.line = WHOLE
        self.moved = True
        self.subpaths: list[Subpath] = []
        self.begun: int | None = None
        self.clips = b""
        self.open: list[int] = []

    def read(self, state: "_State | None" = None) -> None:
        if state:
            self.state = copy(state)
            self.state.matrix = self.scene.matrix
        for each in operations(self.data):
            self.room.take()
            if not each.operator:
                self.scene.unread += 1
            elif act := _ACTS.get(each.operator):
                act(self, each)

    def words(self, each: Operation) -> list[bytes]:
        return [self.data[token.start : token.end] for token in each.operands]

    def numbers(self, each: Operation, count: int) -> list[float]:
        found = [_number(word) for word in self.words(each)[-count:]]
        return found + [0.0] * (count - len(found))

    # graphics state

    def save(self, _: Operation) -> None:
        self.stack.append(copy(self.state))

    def restore(self, _: Operation) -> None:
        if self.stack:
            self.state = self.stack.pop()

    def concat(self, each: Operation) -> None:
        a, b, c, d, e, f = self.numbers(each, 6)
        self.state.matrix = times((a, b, c, d, e, f), self.state.matrix)

    def look(self, each: Operation) -> None:
        held = self.resource("/ExtGState", each)
        font = get(held, "/Font")
        if isinstance(font, pikepdf.Array) and len(font) == 2:
            self.state.font, self.state.size = self.fonts.of(font[0]), _number(font[1])
            self.state.name = b""
        if get(held, "/LW") is not None:
            self.state.pen = _number(get(held, "/LW"))
        told = items(get(held, "/D"))
        if len(told) == 2:
            self.state.dash = _dash([*items(told[0]), told[1]])
        group = get(held, "/SMask", "/G")
        if isinstance(group, pikepdf.Stream) and (inner := self.below(group)):
            self.scene.masks.append(((each.start, each.end), held, inner))

    def below(self, form: Any) -> Scene | None:
        """What a form draws; None where it is drawn within itself, or too deep."""
        if self.depth >= _DEEPEST or form.objgen in self.above:
            return None
        inner = Scene(decoded(form) or b"", form.get("/Resources") or self.scene.resources, self.inside(form))
        state = copy(self.state)
        box = [_number(each) for each in items(form.get("/BBox"))]
        if len(box) == 4:
            x0, y0, x1, y1 = box
            shown: Subpath = ((x0, y0), [(x1, y0), (x1, y1), (x0, y1)], True)
            state.clip = _within(state.clip, [shown], inner.matrix)
        _Reader(inner, self.fonts, self.room, self.depth + 1, self.above | {form.objgen}).read(state)
        return inner

    def ink(self, each: Operation) -> None:
        held, words = self.resource("/Pattern", each), self.words(each)
        told = (each.start, each.end), b" ".join(words[:-1]), each.operator
        made = Ink(*told, held, self.scene) if isinstance(held, pikepdf.Stream) or is_dictionary(held) else None
        setattr(self.state, "fill" if each.operator.islower() else "line", made)

    def resource(self, category: str, each: Operation) -> Any:
        words = self.words(each)
        return named(self.scene.resources, category, words[-1]) if words else None

    # text

    def begin(self, _: Operation) -> None:
        self.text = self.line = WHOLE
        self.moved = True

    def font(self, each: Operation) -> None:
        words = self.words(each)
        if len(words) >= 2:
            self.state.font = self.fonts.of(named(self.scene.resources, "/Font", words[-2]))
            self.state.name, self.state.size = words[-2], _number(words[-1])

    def move(self, each: Operation) -> None:
        x, y = self.numbers(each, 2)
        if each.operator == b"TD":
            self.state.leading = -y
        self.shift(x, y)

    def shift(self, x: float, y: float) -> None:
        self.text = self.line = times((1, 0, 0, 1, x, y), self.line)
        self.moved = True

    def next_line(self, _: Operation) -> None:
        self.shift(0, -self.state.leading)

    def stand(self, each: Operation) -> None:
        a, b, c, d, e, f = self.numbers(each, 6)
        self.text = self.line = (a, b, c, d, e, f)
        self.moved = True

    def show(self, each: Operation) -> None:
        lead = b""
        if each.operator in (b"'", b'"'):
            if each.operator == b'"':
                words = self.words(each)
                self.state.words, self.state.spacing = (_number(word) for word in (words + [b"0"] * 2)[:2])
                lead = b"%b Tw %b Tc " % tuple((words + [b"0"] * 2)[:2])
            self.shift(0, -self.state.leading)
            lead += b"T* "
        state = self.state
        font, inks = state.font or self.fonts.of(None), tuple(ink for ink in (state.fill, state.line) if ink)
        start = self.here()
        parts = list(self.parts(each, font))
        self.scene.shows.append(
            Show(
                (each.start, each.end), parts, font, state.name, state.size, state.spacing, state.words, lead,
                tuple(self.open), self.moved, start, self.here(), state.clip, state.mode in _UNSEEN, inks,
            )
        )  # fmt: skip
        self.moved = False

    def here(self) -> Matrix:
        """Ems at the text position to the page."""
        state = self.state
        base = (state.size * state.wide, 0.0, 0.0, state.size, 0.0, state.rise)
        return times(times(base, self.text), state.matrix)

    def parts(self, each: Operation, font: TextFont) -> Iterator[Shown]:
        state = self.state
        for token in each.operands if each.operator != b'"' else each.operands[-1:]:
            if token.kind == "number":
                adjusted = _number(self.data[token.start : token.end])
                self.go(-adjusted / 1000 * state.size, font)
                yield adjusted
            elif token.kind in ("string", "hex"):
                for code in font.codes(_string(self.data[token.start : token.end])):
                    self.room.take()
                    origin = (1.0, 0.0, 0.0, 1.0, *code.shift)
                    yield Glyph(code, times(origin, self.here()))
                    extra = state.spacing + (state.words if code.data == b" " else 0.0)
                    self.go(code.advance * state.size + extra, font)

    def go(self, by: float, font: TextFont) -> None:
        x, y = (0.0, by) if font.vertical else (by * self.state.wide, 0.0)
        self.text = times((1, 0, 0, 1, x, y), self.text)

    # paths

    def path(self, each: Operation) -> None:
        if self.begun is None:
            self.begun = each.start
        match each.operator:
            case b"m":
                x, y = self.numbers(each, 2)
                self.subpaths.append(((x, y), [], False))
            case b"re":
                x, y, w, h = self.numbers(each, 4)
                self.subpaths.append(((x, y), [(x + w, y), (x + w, y + h), (x, y + h)], True))
                self.subpaths.append(((x, y), [], False))
            case b"h":
                if self.subpaths:
                    first, segments, _ = self.subpaths[-1]
                    self.subpaths[-1] = first, segments, True
                    self.subpaths.append((first, [], False))
            case _:
                self.segment(each)

    def segment(self, each: Operation) -> None:
        if not self.subpaths:
            return
        first, segments, _ = self.subpaths[-1]
        last = segments[-1][-2:] if segments else first
        if each.operator == b"l":
            segments.append(tuple(self.numbers(each, 2)))
        elif each.operator == b"c":
            segments.append(tuple(self.numbers(each, 6)))
        else:
            a, b, c, d = self.numbers(each, 4)
            segments.append((*last, a, b, c, d) if each.operator == b"v" else (a, b, c, d, c, d))

    def clip(self, each: Operation) -> None:
        self.clips = each.operator

    def paint(self, each: Operation) -> None:
        kept = [one for one in self.subpaths if one[1] or one[2]]
        if self.begun is not None and kept and (each.operator != b"n" or self.clips):
            state, span = self.state, (self.begun, each.end)
            made = (span, kept, state.matrix, each.operator, state.pen, self.clips, tuple(self.open), state.dash)
            used = ((state.fill, b"fFBb"), (state.line, b"SsBb"))
            inks = tuple(ink for ink, operators in used if ink and each.operator[:1] in operators)
            self.scene.paths.append(Path(*made, inks))
        if self.clips and kept:
            self.state.clip = _within(self.state.clip, kept, self.state.matrix)
        self.subpaths, self.begun, self.clips = [], None, b""

    def pen(self, each: Operation) -> None:
        (self.state.pen,) = self.numbers(each, 1)

    def dash(self, each: Operation) -> None:
        told = [self.data[token.start : token.end] for token in each.operands if token.kind == "number"]
        self.state.dash = _dash(told)

    # what is drawn whole

    def draw(self, each: Operation) -> None:
        held = self.resource("/XObject", each)
        if not isinstance(held, pikepdf.Stream):
            return
        span = each.start, each.end
        if held.get("/Subtype") == "/Image":
            self.scene.pictures.append(Drawn(span, held, self.state.matrix, spoken=tuple(self.open)))
        elif held.get("/Subtype") == "/Form" and (inner := self.below(held)):
            self.scene.forms.append((span, held, inner))

    def inside(self, form: Any) -> Matrix:
        own = form.get("/Matrix")
        found = [_number(each) for each in own] if isinstance(own, pikepdf.Array) and len(own) == 6 else list(WHOLE)
        return times((found[0], found[1], found[2], found[3], found[4], found[5]), self.state.matrix)

    def shade(self, each: Operation) -> None:
        self.scene.pictures.append(Drawn((each.start, each.end), None, self.state.matrix))

    def inline(self, each: Operation) -> None:
        span = each.start, each.end
        self.scene.pictures.append(Drawn(span, None, self.state.matrix, each, tuple(self.open)))

    # marked spans

    def mark(self, each: Operation) -> None:
        self.open.append(len(self.scene.marks))
        held, inline = None, False
        if each.operator == b"BDC" and len(each.operands) >= 2:
            inline = each.operands[1].kind == "mark"
            text = self.data[each.operands[1].start : each.operands[-1].end]
            held = _parsed(text) if inline else named(self.scene.resources, "/Properties", text)
        self.scene.marks.append(Spoken(each, held, inline))

    def unmark(self, _: Operation) -> None:
        if self.open:
            self.open.pop()


def _setting(name: str, scale: float = 1.0) -> Callable[[_Reader, Operation], None]:
    def act(reader: _Reader, each: Operation) -> None:
        (value,) = reader.numbers(each, 1)
        setattr(reader.state, name, value * scale)

    return act


_ACTS: dict[bytes, Callable[[_Reader, Operation], None]] = {
    b"q": _Reader.save, b"Q": _Reader.restore, b"cm": _Reader.concat, b"gs": _Reader.look, b"w": _Reader.pen,
    b"d": _Reader.dash,
    b"BT": _Reader.begin, b"Tf": _Reader.font, b"Td": _Reader.move, b"TD": _Reader.move, b"T*": _Reader.next_line,
    b"Tm": _Reader.stand, b"Tc": _setting("spacing"), b"Tw": _setting("words"), b"Tz": _setting("wide", 0.01),
    b"TL": _setting("leading"), b"Ts": _setting("rise"),
    b"Tr": _setting("mode"),
    **dict.fromkeys((b"scn", b"SCN", b"sc", b"SC", b"cs", b"CS", b"g", b"G", b"rg", b"RG", b"k", b"K"), _Reader.ink),
    **dict.fromkeys((b"Tj", b"TJ", b"'", b'"'), _Reader.show),
    **dict.fromkeys((b"m", b"l", b"c", b"v", b"y", b"h", b"re"), _Reader.path),
    **dict.fromkeys((b"W", b"W*"), _Reader.clip),
    **dict.fromkeys((b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"S", b"s", b"n"), _Reader.paint),
    b"Do": _Reader.draw, b"sh": _Reader.shade, b"BI": _Reader.inline,
    b"BDC": _Reader.mark, b"BMC": _Reader.mark, b"EMC": _Reader.unmark,
}  # fmt: skip


def named(resources: Any, category: str, name: bytes) -> Any:
    """What a name as content writes it stands for; None where nothing is."""
    held = get(resources, category)
    if not is_dictionary(held):
        return None
    try:
        return held.get(pikepdf.Object.parse(name))
    except (pikepdf.PdfError, ValueError, TypeError):
        return None


def _parsed(text: bytes) -> Any:
    try:
        return pikepdf.Object.parse(text)
    except (pikepdf.PdfError, ValueError):
        return None


def _string(word: bytes) -> bytes:
    found = _parsed(word)
    return bytes(found) if isinstance(found, pikepdf.String) else b""


def _within(clip: Box, subpaths: list[Subpath], matrix: Matrix) -> Box:
    """The box around what a clip leaves of another."""
    points = [place(matrix, *first) for first, _, _ in subpaths]
    for _, segments, _ in subpaths:
        points += [place(matrix, each[at], each[at + 1]) for each in segments for at in range(0, len(each), 2)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(clip[0], min(xs)), max(clip[1], min(ys)), min(clip[2], max(xs)), min(clip[3], max(ys))


def _dash(told: Sequence[Any]) -> tuple[float, ...]:
    """Lengths of dashes and gaps and their phase; none where they make a whole line."""
    *lengths, phase = map(_number, told) if told else (0.0,)
    return (*lengths, phase) if sum(lengths) > 0 and min(lengths) >= 0 else ()


def _number(word: Any) -> float:
    try:
        found = float(word)
    except (TypeError, ValueError):
        return 0.0
    return found if abs(found) < 1e12 else 0.0
