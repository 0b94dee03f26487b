"""An embedded font program as a TrueType file of its own: outlines alone, under the letters that they are drawn for.

Nothing else of the program goes over: no hinting, no layout, no names; a reader of the file meets tables of ours.
"""

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cluster.engines.fonts.type1 import Unreadable, cut_numbers

_SFNT = (b"\0\1\0\0", b"true", b"OTTO")
#: Bits of OS/2's fsType: what may be done with a document that carries the font. Writing in it is what Word is for.
_REFUSED, _EDITABLE, _WHOLE, _PIXELS = 0x0006, 0x0008, 0x0100, 0x0200
#: Where Type 1 and CFF say the same.
_SAID = re.compile(rb"/FSType\s+(\d+)\s+def")
#: Letters of a file at most; and how far a curve may lie from the one it stands for, in thousandths of the size.
_MOST, _OFF = 6000, 0.5
#: A blank where the program has none, in heights of letters.
_BLANK = 0.25
_BLANKS = " \xa0"
_LOOKS = ("Regular", "Bold", "Italic", "Bold Italic")

#: Draws the glyph of a number with a pen, and tells its width in units of the size.
_Draw = Callable[[int, Any], float]


@dataclass(frozen=True)
class Carried:
    """A TrueType file, and the widths of its letters in heights of letters."""

    data: bytes
    widths: Mapping[str, float]


def may_carry(program: bytes) -> bool:
    """Whether the font's makers let it be cut and go with documents that are edited; who says nothing does."""
    bits = _rights(program)
    return not (bits & (_WHOLE | _PIXELS) or (bits & _REFUSED and not bits & _EDITABLE))


def carry(program: bytes, glyphs: Mapping[str, int], name: str, bold: bool, italic: bool) -> Carried | None:
    """The `glyphs` (numbers by letters) as a file called `name`; None where they cannot be read."""
    if not 0 < len(glyphs) <= _MOST:
        return None
    try:
        size, cubic, draw = _opened(program, set(glyphs.values()))
        return _made(size, {letter: _drawn(size, cubic, draw, at) for letter, at in glyphs.items()}, name, bold, italic)
    except Exception:  # whatever a hostile font makes of libraries that trust it
        return None


def _rights(program: bytes) -> int:
    if program.startswith(_SFNT):
        import uharfbuzz as hb

        table = bytes(hb.Face(program).reference_table("OS/2").data)
        return int.from_bytes(table[8:10], "big")
    said = _SAID.search(program)
    return int(said[1]) if said else 0


def _opened(program: bytes, wanted: set[int]) -> tuple[int, bool, _Draw]:
    """Units of the size, whether curves are cubic, and what draws."""
    if not program.startswith(_SFNT):
        return _postscript(program, wanted)
    import uharfbuzz as hb

    face = hb.Face(program)
    font = hb.Font(face)

    def draw(at: int, pen: Any) -> float:
        font.draw_glyph_with_pen(at, pen)
        return float(font.get_glyph_h_advance(at))

    return face.upem, "CFF " in face.table_tags, draw


def _postscript(program: bytes, wanted: set[int]) -> tuple[int, bool, _Draw]:
    """The same of Type 1 and CFF. Raises Unreadable."""
    from fontTools.cffLib import CFFFontSet

    fonts, (data, places) = CFFFontSet(), cut_numbers(program, wanted)
    fonts.decompile(io.BytesIO(data), None)
    font = fonts[0]
    matrix = font.rawDict.get("FontMatrix") or [0.001, 0, 0, 0.001, 0, 0]
    if matrix[0] <= 0 or matrix[0] != matrix[3] or any(matrix[1:3]) or any(matrix[4:]):
        raise Unreadable
    names = font.getGlyphOrder()

    def draw(at: int, pen: Any) -> float:
        outline = font.CharStrings[names[places[at]]]
        outline.draw(pen)
        return float(outline.width)

    return round(1 / matrix[0]), True, draw


def _drawn(size: int, cubic: bool, draw: _Draw, at: int) -> tuple[Any, int]:
    """A glyph of a TrueType font, and its width."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    # Outlines of the two kinds run round the other way.
    width = draw(at, Cu2QuPen(pen, _OFF * size / 1000, reverse_direction=True) if cubic else pen)
    return pen.glyph(), round(width)


def _made(size: int, drawn: dict[str, tuple[Any, int]], name: str, bold: bool, italic: bool) -> Carried:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    empty = TTGlyphPen(None).glyph()
    for blank in _BLANKS:
        drawn.setdefault(blank, drawn.get(" ") or (empty, round(_BLANK * size)))
    codes = {ord(letter): f"u{ord(letter):X}" for letter in sorted(drawn)}
    glyphs = {".notdef": (empty, size // 2)} | {codes[ord(letter)]: each for letter, each in sorted(drawn.items())}
    font = FontBuilder(size, isTTF=True)
    font.setupGlyphOrder(list(glyphs))
    font.setupCharacterMap(codes)
    font.setupGlyf({key: glyph for key, (glyph, _) in glyphs.items()})
    lefts = font.font["glyf"]
    font.setupHorizontalMetrics({key: (width, getattr(lefts[key], "xMin", 0)) for key, (_, width) in glyphs.items()})
    font.setupHorizontalHeader(ascent=round(0.8 * size), descent=-round(0.2 * size))
    font.setupNameTable({"familyName": name, "styleName": _LOOKS[bold + 2 * italic], "psName": name.replace(" ", "-")})
    font.setupOS2(
        sTypoAscender=round(0.8 * size),
        sTypoDescender=-round(0.2 * size),
        usWinAscent=round(0.8 * size),
        usWinDescent=round(0.2 * size),
        usWeightClass=700 if bold else 400,
        fsSelection=(0x20 if bold else 0) | italic | (0 if bold or italic else 0x40),
        fsType=_EDITABLE,
    )
    font.setupPost(keepGlyphNames=False)
    font.font["head"].macStyle = bold | 2 * italic
    font.save(held := io.BytesIO())
    return Carried(held.getvalue(), {letter: width / size for letter, (_, width) in drawn.items()})
