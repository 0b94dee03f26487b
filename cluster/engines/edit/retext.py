"""A stretch of shown text made to say something else, in its own font, size, colour and matrix."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from cluster.engines.edit.fonts import TextFont
from cluster.engines.edit.lines import Letter
from cluster.engines.edit.scene import Glyph, Piece, Scene, Show, Shown
from cluster.engines.edit.strike import silence
from cluster.engines.edit.writing import gone, number, shown
from cluster.engines.fonts.embed import Family
from cluster.engines.fonts.embed import Fonts as Faces
from cluster.engines.fonts.faces import clean
from cluster.engines.pdf.matrix import Matrix
from cluster.engines.pdf.nodes import get

#: Ems: a line ends where the next text stands farther away, and what is lower than this is another line.
_GAP, _SAME = 2.5, 0.3
#: Ems that text may stand over what clips it: side bearings, and clips that producers drew too close.
_SLACK = 0.3
_FIXED, _SERIF, _BOLD = 1 << 0, 1 << 1, 1 << 18
_SERIFS = (
    "song", "ming", "serif", "times", "simsun", "georgia", "roman", "fang", "kai", "cambria", "garamond", "sun", "minc",
    "ryumin", "batang", "宋", "明", "仿", "楷",
)  # fmt: skip
_FIXES = ("mono", "courier", "consol", "typewriter", "cmtt")


class Unwritable(Exception):
    """Upright writing in letters that its font does not have."""


class TooLong(Exception):
    """Text that would end where it cannot be seen."""


@dataclass
class Retext:
    """Changes scenes of one document; `borrowed`: letters that came from other fonts, `tags`: see strike.silence."""

    faces: Faces
    borrowed: dict[str, None] = field(default_factory=dict)
    tags: set[int] = field(default_factory=set)

    def change(self, run: list[Letter], text: str, *, reflow: bool) -> None:
        """The letters of the run give way to `text`, or nothing changes. Raises Unwritable, TooLong, glyph_missing."""
        first, scene = run[0].show, run[0].scene
        taken = {id(letter.glyph) for letter in run}
        owners = {id(letter.show): (letter.show, letter.scene) for letter in run}
        new = list(self._pieces(scene, first, clean(text)))
        at = [index for index, part in enumerate(first.parts) if id(part) in taken]
        grown = _length(first, new) - _length(first, first.parts[at[0] : at[-1] + 1])
        _check_room(first, run[0].glyph, _length(first, new), grown)
        pushed = _pushed(scene, first, taken, grown * _unit(first)) if reflow else []
        back = [1000 * grown] if not reflow and at[-1] + 1 < len(first.parts) else []
        first.parts[at[0] : at[-1] + 1] = [*new, *back]
        for show, parts in pushed:
            show.parts = parts
            owners[id(show)] = show, scene
        for show, owner in owners.values():
            show.parts = [gone(show, each) if _is_of(each, taken) else each for each in show.parts]
            owner.edits[show.span] = shown(show)
            self.tags |= silence(owner, set(show.spoken))

    def _pieces(self, scene: Scene, show: Show, text: str) -> Iterator[Piece]:
        """Codes of the show's font, and letters of other ones where it lacks them."""
        strange = ""
        for letter in text:
            code = show.font.coded(letter) or (show.font.coded("\xa0") if letter == " " else None)
            if code is None:
                strange += letter
                continue
            if strange:
                yield self._borrow(scene, show, strange)
                strange = ""
            yield Piece(code.data, -gone(show, Glyph(code, show.start)) / 1000, own=True)
        if strange:
            yield self._borrow(scene, show, strange)

    def _borrow(self, scene: Scene, show: Show, letters: str) -> Piece:
        if show.font.vertical:
            raise Unwritable
        line = self.faces.line(letters, *nearest(show.font))
        self.borrowed |= dict.fromkeys(letter for letter in letters if not letter.isspace())
        names = {name: _font_name(scene, font).encode() for name, font in line.fonts.items()}
        own, size = show.name or _font_name(scene, show.font.object).encode(), number(show.size)
        told = [b"%b %b Tf %b Tj" % (names[name], size, codes) for name, codes in line.pieces]
        spacing = show.spacing / show.size * len(letters) if show.size else 0.0
        return Piece(b" ".join([*told, b"%b %b Tf" % (own, size)]), line.width + spacing, own=False)


def nearest(font: TextFont) -> tuple[Family, bool]:
    """The family and weight of the font service that look most like a font."""
    # Chinese programs write names in their own encoding.
    name = font.name.lower() + font.name.encode("latin-1", "ignore").decode("gbk", "ignore")
    held = get(font.object, "/FontDescriptor")
    if held is None and font.kind == "/Type0":
        below = get(font.object, "/DescendantFonts")
        held = get(below[0], "/FontDescriptor") if below is not None and len(below) else None
    flags = get(held, "/Flags")
    flags = int(flags) if isinstance(flags, int) else 0
    bold = bool(flags & _BOLD) or "bold" in name or "black" in name or "heavy" in name
    if flags & _FIXED or any(each in name for each in _FIXES):
        return "mono", bold
    serif = flags & _SERIF or any(each in name for each in _SERIFS)
    return ("serif" if serif and "sans" not in name else "sans"), bold


def _font_name(scene: Scene, font: Any) -> str:
    for (category, name), value in scene.added.items():
        if category == "/Font" and value.objgen == font.objgen and font.is_indirect:
            return name
    return scene.name("/Font", font, "PF")


def _is_of(part: Shown, taken: set[int]) -> TypeGuard[Glyph]:
    return isinstance(part, Glyph) and id(part) in taken


def _check_room(show: Show, begin: Glyph, length: float, grown: float) -> None:
    """Raise TooLong for a text that grew out of what can be seen: over the page's edge, out of a table's cell."""
    a, b, _, _, e, f = begin.matrix
    _check_seen(show, (e + a * length, f + b * length), grown)


def _check_seen(show: Show, end: tuple[float, float], grown: float) -> None:
    left, bottom, right, top = show.clip
    slack = _SLACK * _unit(show)
    if grown > 0 and not (left - slack <= end[0] <= right + slack and bottom - slack <= end[1] <= top + slack):
        raise TooLong


def _pushed(scene: Scene, first: Show, taken: set[int], moved: float) -> list[tuple[Show, list[Shown]]]:
    """What follows on the line of a show, as it moves by so much along it and closes up where letters were taken."""
    at = next(index for index, show in enumerate(scene.shows) if show is first)
    end, found = first.stop, list[tuple[Show, list[Shown]]]()
    unit = _unit(first) or 1.0
    along = first.start[0] / unit, first.start[1] / unit
    _check_seen(first, (end[4] + along[0] * moved, end[5] + along[1] * moved), moved)
    for show in scene.shows[at + 1 :]:
        if not _goes_on(show, first, end):
            break
        mine = [part for part in show.parts if _is_of(part, taken)]
        left = [part for part in show.parts if not _is_of(part, taken)]
        shrunk = _length(show, mine) * _unit(show)
        if show.moved and _unit(show):
            left.insert(0, -1000 * moved / _unit(show))
        if show.moved or shrunk:
            found.append((show, left))
        moved -= shrunk
        end = show.stop
        _check_seen(show, (end[4] + along[0] * moved, end[5] + along[1] * moved), moved)
    return found


def _length(show: Show, parts: Sequence[Shown]) -> float:
    """How far parts of a show go on, in ems."""
    total = 0.0
    for part in parts:
        if isinstance(part, Glyph):
            total -= gone(show, part) / 1000
        elif isinstance(part, Piece):
            total += part.width
        else:
            total -= part / 1000
    return total


def _unit(show: Show) -> float:
    """The length of its em on the page, along its line."""
    return math.hypot(*show.start[:2])


def _goes_on(show: Show, first: Show, end: Matrix) -> bool:
    """Whether a show stands on the line of the first one, near the end of what came before."""
    a, b = first.start[:2]
    unit = math.hypot(a, b)
    if not unit:
        return False
    x, y = show.start[4] - end[4], show.start[5] - end[5]
    along, across = (x * a + y * b) / unit, (y * a - x * b) / unit
    return abs(across) <= _SAME * unit and -unit <= along <= _GAP * unit
