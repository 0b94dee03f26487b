"""Letters of Helvetica, Arial and Arial Narrow that a document names and does not carry, in the preview's face.

pdf.js has Liberation Sans for them, pdfium a face of its own: widths are the same, but no letter is, and pages of such
text were .95 to .97 alike. What is drawn gets the preview's face, and Arial Narrow the same at its share of the width
(site/scripts/pdfjs.mjs makes it so there: pdf.js laid broad letters over each other). For Times and Courier both have
the same ones.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluster.engines.fonts.faces import Face, named
from cluster.engines.fonts.narrow import narrowed
from cluster.engines.fonts.programs import FONT_FILES, base_names, differences
from cluster.engines.pdf.libraries import import_pikepdf
from cluster.engines.pdf.nodes import entries, get, is_dictionary, items

if TYPE_CHECKING:
    import pikepdf

#: As pdf.js reads names: `Arial,Bold`, `Arial-BoldMT`, `Helvetica-BoldOblique`, `ArialNarrow`; black ones are others.
_LENT = re.compile(rb"/(?:Helvetica|Arial(?:MT|(Narrow))?)(?:-(?=.)(Bold)?(Italic|Oblique)?(?:MT)?)?")
#: Of Arial's widths Arial Narrow has so much.
_NARROW = 0.82
_CODES = range(256)
_NONSYMBOLIC = 32
_NARROWEST = 0.9


@dataclass(frozen=True)
class _Lent:
    """A face at a share of its width."""

    face: Face
    share: float = 1.0

    @property
    def program(self) -> bytes:
        return self.face.path.read_bytes() if self.share == 1 else narrowed(self.face, self.share)

    def has(self, letter: str) -> bool:
        return bool(self.face.glyph(letter))

    def width(self, letter: str) -> int:
        return round(self.face.advance(self.face.glyph(letter)) * self.share)


def lend(pdf: "pikepdf.Pdf") -> int:
    """Put the face into fonts of the document, wherever they stand; into how many."""
    lender = _Lender(pdf)
    for each in list(pdf.objects):
        if isinstance(each, import_pikepdf().Stream):
            lender.fonts(each.get("/Resources"))
        elif is_dictionary(each):
            lender.font(each)
            lender.fonts(each.get("/Resources"))
            lender.fonts(each.get("/DR"))
    return lender.lent


class _Lender:
    """Has each style once."""

    def __init__(self, pdf: "pikepdf.Pdf") -> None:
        self.pdf = pdf
        self.lent = 0
        self._descriptors = dict[_Lent, Any]()

    def fonts(self, resources: Any) -> None:
        for _, font in entries(get(resources, "/Font")):
            self.font(font)

    def font(self, font: Any) -> None:
        face = _face(font)
        with suppress(TypeError, ValueError, OverflowError):  # an encoding that nobody can read stays as it is
            letters = face and _letters(font, face)
            if face and letters and _are_of(face, font, letters):
                self._lend(font, face, letters)

    def _lend(self, font: Any, face: _Lent, letters: dict[int, str]) -> None:
        from pikepdf import Array, Name

        own, missing = _widths(font), get(font, "/FontDescriptor", "/MissingWidth")
        beside = {code: face.width(letters.get(code, " ")) if missing is None else missing for code in _CODES}
        font.FirstChar, font.LastChar = 0, 255
        font.Widths = Array([own.get(code, beside[code]) for code in _CODES])
        font.Subtype, font.FontDescriptor = Name.TrueType, self._descriptor(face)
        font.Encoding = _encoding(letters)
        self.lent += 1

    def _descriptor(self, face: _Lent) -> Any:
        from pikepdf import Array, Dictionary, Name

        if face not in self._descriptors:
            program = face.program
            made = Dictionary(
                Type=Name.FontDescriptor, FontName=Name.LiberationSans, Flags=_NONSYMBOLIC, ItalicAngle=0, Ascent=905,
                Descent=-212, CapHeight=729, StemV=80, FontBBox=Array([-1000, -400, 2100, 1100]),
                FontFile2=self.pdf.make_stream(program, Length1=len(program)),
            )  # fmt: skip
            self._descriptors[face] = self.pdf.make_indirect(made)
        return self._descriptors[face]


def _face(font: Any) -> _Lent | None:
    """The one that stands for a font without a program of its own; None where none does, or it is not installed."""
    pikepdf = import_pikepdf()
    if not is_dictionary(font) or get(font, "/Subtype") not in ("/Type1", "/TrueType", "/MMType1"):
        return None
    name, held = font.get("/BaseFont"), get(font, "/FontDescriptor")
    if not isinstance(name, pikepdf.Name) or any(get(held, key) is not None for key in FONT_FILES):
        return None
    plain = name.unparse().replace(b"#20", b"").replace(b",", b"-").replace(b"_", b"-")
    found = _LENT.fullmatch(plain)
    face = found and named("Liberation Sans", bool(found[2]), bool(found[3]))
    return _Lent(face, _NARROW if found[1] else 1.0) if found and face else None


def _letters(font: Any, face: _Lent) -> dict[int, str] | None:
    """What a font's codes stand for; None where the encoding names a letter that the face lacks."""
    from fontTools.agl import toUnicode

    own = {code: name for code, name in differences(font) if name != ".notdef"}
    named = {**dict(enumerate(base_names(font))), **own}
    letters = {code: letter for code in _CODES if (letter := toUnicode(named.get(code, ""))[:1])}
    if any(code not in letters or not face.has(letters[code]) for code in own):
        return None
    return {code: letter for code, letter in letters.items() if face.has(letter)}


def _are_of(face: _Lent, font: Any, letters: dict[int, str]) -> bool:
    """Whether the font's widths leave room for the letters: into narrower ones pdfium squeezes its own, and better."""
    told = [(wide, face.width(letters[code])) for code, wide in _widths(font).items() if wide > 0 and code in letters]
    return sum(wide for wide, _ in told) >= _NARROWEST * sum(own for _, own in told)


def _widths(font: Any) -> dict[int, float]:
    """Those that the font tells, by code."""
    return dict(enumerate(map(float, items(font.get("/Widths"))), int(font.get("/FirstChar", 0))))


def _encoding(letters: dict[int, str]) -> "pikepdf.Dictionary":
    from pikepdf import Array, Dictionary, Name

    told = [part for code, letter in letters.items() for part in (code, Name(f"/uni{ord(letter):04X}"))]
    return Dictionary(Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=Array(told))
