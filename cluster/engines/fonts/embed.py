"""The one font service: text as PDF glyphs, whole, extractable, embedded as small subsets.

    fonts = Fonts(pdf)
    line = fonts.line("第1页/共10页 ①€", "sans")     # glyph_missing when no font has a character
    line = fonts.unseen("🐢")                         # for text that is only found: it takes every character
    content = b"BT 1 0 0 1 %f %f Tm " % (x, y) + line.draw(12) + b" ET"
    resources.Font = line.fonts                       # of the form or page that draws it
    ...
    fonts.embed()                                     # once, after the last line

A glyph's code is its number in the font file, so that lines can be written before it is known
which glyphs the document needs; `embed` then cuts the fonts to those. `cluster.engines.fonts.faces`
chooses the faces (and serves drawing into pictures).
"""

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cluster.engines.fonts.blank import Blanks
from cluster.engines.fonts.charset import with_cids
from cluster.engines.fonts.faces import Face, Family, clean, face_of, opened, split
from cluster.engines.fonts.tounicode import to_unicode

if TYPE_CHECKING:
    import pikepdf

__all__ = ["ASCENT", "LEADING", "Family", "Fonts", "Line", "width"]

#: Line pitch and the depth of the baseline below the top of its line, in ems.
LEADING = 1.2
ASCENT = 0.98

# Layout, names and hinting are for editors and screens of 1995; a PDF needs outlines and widths.
_UNNEEDED = ("GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "DSIG", "kern", "name", "post", "OS/2", "cmap",
             "gasp", "hdmx", "VDMX", "LTSH", "FFTM", "STAT", "meta", "PfEd")  # fmt: skip


def width(text: str, family: Family = "sans", bold: bool = False) -> float:
    """How wide `text` is, in ems."""
    runs = split(clean(text), family, bold)
    return sum(face.advance(face.glyph(letter)) for face, run in runs for letter in run) / 1000


@dataclass(frozen=True)
class Line:
    """A line of text ready to draw: `width` in ems, `fonts` for the /Font resources."""

    text: str
    width: float
    pieces: tuple[tuple[str, bytes], ...]
    fonts: "pikepdf.Dictionary"

    def draw(self, size: float) -> bytes:
        """Operators for inside BT … ET; they begin at the text position."""
        return b" ".join(b"%s %.4f Tf %s Tj" % (name.encode(), size, codes) for name, codes in self.pieces)


@dataclass
class _Embedded:
    """A face in the result: the letters it stands for and the font object to be filled."""

    face: Face
    name: str
    object: Any
    letters: dict[int, str] = field(default_factory=dict)

    def take(self, run: str) -> bool:
        """Add the letters of `run`, unless one of them would give another's glyph a second meaning."""
        wanted: dict[int, str] = {}
        for letter in run:
            glyph = self.face.glyph(letter)
            if wanted.setdefault(glyph, self.letters.get(glyph, letter)) != letter:
                return False
        self.letters.update(wanted)
        return True


class Fonts:
    """The fonts of one PDF; equal faces are embedded once."""

    def __init__(self, pdf: "pikepdf.Pdf") -> None:
        self.pdf = pdf
        self._embedded: list[_Embedded] = []
        self._blanks = Blanks(pdf)

    def line(self, text: str, family: Family = "sans", bold: bool = False) -> Line:
        """One line of text; raises glyph_missing."""
        from pikepdf import Dictionary

        plain = clean(text)
        pieces: list[tuple[str, bytes]] = []
        used: dict[str, Any] = {}
        total = 0.0
        for face, run in split(plain, family, bold):
            for font, part in self._assign(face, run):
                glyphs = [face.glyph(letter) for letter in part]
                used[font.name] = font.object
                pieces.append((font.name, b"<" + b"".join(b"%04X" % glyph for glyph in glyphs) + b">"))
                total += sum(map(face.advance, glyphs))
        return Line(plain, total / 1000, tuple(pieces), Dictionary(used))

    def unseen(self, text: str) -> Line:
        """A line to be found and copied only: what no face has says what it is, and draws nothing."""
        runs = groupby(clean(text), lambda letter: face_of(letter) is not None)
        lines = [self.line("".join(run)) if had else self._blank("".join(run)) for had, run in runs]
        return _joined(lines)

    def _blank(self, text: str) -> Line:
        from pikepdf import Dictionary

        taken = [self._blanks.take(letter) for letter in text]
        pieces = tuple((name, codes) for name, codes, _ in taken)
        return Line(text, float(len(text)), pieces, Dictionary({name: font for name, _, font in taken}))

    def embed(self) -> None:
        """Fill every font object with its subset; call once, after the last line."""
        for font in self._embedded:
            _fill(self.pdf, font)
        self._blanks.embed()

    def _assign(self, face: Face, run: str) -> list[tuple[_Embedded, str]]:
        """The run whole, or letter by letter where two of its characters share a glyph (⼀ and 一)."""
        if font := self._taker(face, run):
            return [(font, run)]
        return [(font, letter) for letter in run if (font := self._taker(face, letter))]

    def _taker(self, face: Face, run: str) -> _Embedded | None:
        """A font of `face` that took `run`; a new one when the others gave its glyphs to other characters."""
        for font in self._embedded:
            if font.face == face and font.take(run):
                return font
        made = _Embedded(face, f"/PF{len(self._embedded)}", None)
        if not made.take(run):
            return None
        made.object = self._reserve()
        self._embedded.append(made)
        return made

    def _reserve(self) -> Any:
        from pikepdf import Dictionary, Name

        return self.pdf.make_indirect(Dictionary(Type=Name.Font))


def _joined(lines: list[Line]) -> Line:
    from pikepdf import Dictionary

    fonts = Dictionary({name: font for line in lines for name, font in line.fonts.items()})
    pieces = tuple(piece for line in lines for piece in line.pieces)
    return Line("".join(line.text for line in lines), sum(line.width for line in lines), pieces, fonts)


def _fill(pdf: "pikepdf.Pdf", font: _Embedded) -> None:
    from pikepdf import Array, Dictionary, Name, String

    program, kind = _subset(font.face, sorted(font.letters))
    name = Name(f"/{_tag(font)}+{_postscript(font.face)}")
    stream = pdf.make_stream(program)
    if kind == "FontFile3":
        stream.Subtype = Name.CIDFontType0C
    else:
        stream.Length1 = len(program)
    below = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType0 if kind == "FontFile3" else Name.CIDFontType2,
        BaseFont=name,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        FontDescriptor=pdf.make_indirect(_descriptor(font.face, name, kind, stream)),
        DW=1000,
        W=Array(_widths(font)),
    )
    if kind == "FontFile2":
        below.CIDToGIDMap = Name.Identity
    font.object.Subtype = Name.Type0
    font.object.BaseFont = name
    font.object.Encoding = Name("/Identity-H")
    font.object.DescendantFonts = Array([pdf.make_indirect(below)])
    letters = {glyph.to_bytes(2, "big"): text for glyph, text in font.letters.items()}
    font.object.ToUnicode = pdf.make_stream(to_unicode(letters))


def _descriptor(face: Face, name: Any, kind: str, stream: Any) -> Any:
    from pikepdf import Array, Dictionary, Name

    extents = opened(face).get_font_extents("ltr")
    scale = 1000 / face.units
    up, down = round(extents.ascender * scale), round(extents.descender * scale)
    made = Dictionary(
        Type=Name.FontDescriptor, FontName=name, Flags=4, FontBBox=Array([-1000, down, 3000, up]), ItalicAngle=0,
        Ascent=up, Descent=down, CapHeight=round(up * 0.75), StemV=80,
    )  # fmt: skip
    made[f"/{kind}"] = stream
    return made


def _widths(font: _Embedded) -> list[Any]:
    from pikepdf import Array

    return [part for glyph in sorted(font.letters) for part in (glyph, Array([round(font.face.advance(glyph), 2)]))]


def _subset(face: Face, glyphs: list[int]) -> tuple[bytes, str]:
    """The font program with `glyphs` under their old numbers, and the descriptor's key for it."""
    import uharfbuzz as hb

    font = opened(face).face
    outlines = "glyf" if "glyf" in font.table_tags else "CFF "
    keyed = outlines == "CFF " and _is_cid_keyed(bytes(font.reference_table("CFF ").data[:2048]))
    wanted = hb.SubsetInput()
    wanted.sets(hb.SubsetInputSets.GLYPH_INDEX).update(glyphs)
    wanted.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(int.from_bytes(tag.encode(), "big") for tag in _UNNEEDED)
    wanted.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE
    if "fvar" in font.table_tags:
        wanted.pin_all_axes_to_default(font)
    if not keyed:
        wanted.flags |= hb.SubsetFlags.RETAIN_GIDS
    cut = wanted.subset(font)
    if outlines == "glyf":
        return bytes(cut.blob.data), "FontFile2"
    program = bytes(cut.reference_table("CFF ").data)
    # Keeping the numbers of a 65,535-glyph CFF costs 110 KB of nothing; its charset can carry them instead.
    return (with_cids(program, [0, *(glyph for glyph in glyphs if glyph)]) if keyed else program), "FontFile3"


def _is_cid_keyed(head: bytes) -> bool:
    """Whether the top DICT has the ROS operator (12 30)."""
    return b"\x0c\x1e" in head


def _postscript(face: Face) -> str:
    from uharfbuzz import OTNameIdPredefined as Id

    name = opened(face).face.get_name(Id.POSTSCRIPT_NAME) or face.path.stem
    return "".join(letter for letter in name if letter.isascii() and (letter.isalnum() or letter == "-")) or "Font"


def _tag(font: _Embedded) -> str:
    """Six letters that differ between subsets of one document."""
    number, letters = sum(font.letters) * 7919 + len(font.letters) + int(font.name[3:]), ""
    for _ in range(6):
        number, rest = divmod(number, 26)
        letters += chr(65 + rest)
    return letters
