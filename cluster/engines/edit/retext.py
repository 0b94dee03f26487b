"""A stretch of shown text made to say something else, in its own font, size, colour and matrix."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cluster.engines.edit.fonts import TextFont
from cluster.engines.edit.lines import Letter
from cluster.engines.edit.scene import Glyph, Part, Piece, Scene, Show
from cluster.engines.edit.strike import silence
from cluster.engines.edit.writing import gone, number, shown
from cluster.engines.fonts.embed import Family
from cluster.engines.fonts.embed import Fonts as Faces
from cluster.engines.fonts.faces import clean
from cluster.engines.pdf.matrix import Matrix
from cluster.engines.pdf.nodes import get

#: Ems: a line ends where the next text stands farther away, and what is lower than this is another line.
_GAP, _SAME = 2.5, 0.3
_FIXED, _SERIF, _BOLD = 1 << 0, 1 << 1, 1 << 18
_SERIFS = ("song", "ming", "serif", "times", "simsun", "georgia", "roman", "fang", "kai", "cambria", "garamond", "sun")
_FIXES = ("mono", "courier", "consol", "typewriter", "cmtt")


class Unwritable(Exception):
    """Upright writing in letters that its font does not have."""


@dataclass
class Retext:
    """Changes scenes of one document; `borrowed`: letters that came from other fonts, `tags`: see strike.silence."""

    faces: Faces
    borrowed: dict[str, None] = field(default_factory=dict)
    tags: set[int] = field(default_factory=set)

    def change(self, run: list[Letter], text: str, *, reflow: bool) -> None:
        """The letters of the run give way to `text`. Raises Unwritable, glyph_missing."""
        scene = run[0].scene
        taken = {id(letter.glyph) for letter in run}
        shows = list({id(letter.show): letter.show for letter in run}.values())
        first, others = shows[0], shows[1:]
        new = list(self._pieces(scene, first, clean(text)))
        at = [index for index, part in enumerate(first.parts) if id(part) in taken]
        grown = _length(first, new) - _length(first, first.parts[at[0] : at[-1] + 1])
        back = [1000 * grown] if not reflow and at[-1] + 1 < len(first.parts) else []
        first.parts[at[0] : at[-1] + 1] = [*new, *back]
        if reflow:
            _push(scene, first, taken, grown * _unit(first))
        else:
            for show in others:
                show.parts = [gone(show, part) if id(part) in taken else part for part in show.parts]  # type: ignore[arg-type]
        for show in shows:
            scene.edits[show.span] = shown(show)
        self.tags |= silence(scene, {mark for show in shows for mark in show.spoken})

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
    name = font.name.lower()
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


def _push(scene: Scene, first: Show, taken: set[int], moved: float) -> None:
    """What follows on the line of a show moves by so much along it, and closes up where letters were taken."""
    at = next(index for index, show in enumerate(scene.shows) if show is first)
    end = first.stop
    for show in scene.shows[at + 1 :]:
        if not _goes_on(show, first, end):
            break
        unit = _unit(show)
        left = [part for part in show.parts if id(part) not in taken]
        shrunk = _length(show, [part for part in show.parts if id(part) in taken]) * unit
        if show.moved and unit:
            left.insert(0, -1000 * moved / unit)
        if show.moved or shrunk:
            show.parts = left
            scene.edits[show.span] = shown(show)
        moved -= shrunk
        end = show.stop


def _length(show: Show, parts: Sequence[Part]) -> float:
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
