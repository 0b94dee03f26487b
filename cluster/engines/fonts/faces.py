"""Installed fonts: which face draws which character.

A family is a list of preferred faces; a character none of them has is looked for in the
sans family and then in every other installed font, so one string may use several faces.
"""

import functools
import io
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from cluster.hands import FALLBACK, Hand, file_of, is_hand
from cluster.problem import FaultProblem, InputProblem

Printed = Literal["sans", "serif", "mono"]
Family = Printed | Hand

#: Where Debian, Ubuntu and macOS (system and Homebrew) keep fonts.
FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path("/System/Library/Fonts"),
    Path("/Library/Fonts"),
    Path.home() / "Library/Fonts",
)

#: Family names in order of preference: the first has 汉字 and Latin of one design.
PREFERRED: dict[Printed, tuple[str, ...]] = {
    "sans": ("Noto Sans CJK SC", "PingFang SC", "Liberation Sans", "Carlito", "DejaVu Sans"),
    "serif": ("Noto Serif CJK SC", "Songti SC", "Liberation Serif", "Caladea", "DejaVu Serif"),
    "mono": ("Noto Sans Mono CJK SC", "Liberation Mono", "DejaVu Sans Mono"),
}
_FILES = (
    "NotoSansCJK", "NotoSerifCJK", "PingFang", "Songti", "LiberationSans", "LiberationSerif", "LiberationMono",
    "Carlito", "Caladea", "DejaVuSans", "DejaVuSerif",
)  # fmt: skip
# Joiners, selectors, marks of order: they have no ink, and fonts disagree on having them.
_INKLESS = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0xFEFF, *range(0xFE00, 0xFE10)])


@dataclass(frozen=True)
class Face:
    """One face of a font file (`index` within a collection)."""

    path: Path
    index: int

    @property
    def units(self) -> int:
        """Units of the em square."""
        return int(opened(self).face.upem)

    def glyph(self, letter: str) -> int:
        """The glyph's number, 0 when the face lacks it."""
        return int(opened(self).get_nominal_glyph(ord(letter)) or 0)

    def advance(self, glyph: int) -> float:
        """Width in thousandths of an em."""
        return float(opened(self).get_glyph_h_advance(glyph)) * 1000 / self.units


@functools.cache
def opened(face: Face) -> Any:
    """The face as a HarfBuzz font; the file is mapped, not read, unless it is packed."""
    import uharfbuzz

    if face.path.suffix == ".woff":
        return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob(_unpacked(face.path)), face.index))
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(face.path)), face.index))


def _unpacked(path: Path) -> bytes:
    from fontTools.ttLib import TTFont

    whole = io.BytesIO()
    with TTFont(path, lazy=True) as font:
        font.flavor = None
        font.save(whole, reorderTables=None)
    return whole.getvalue()


def clean(text: str) -> str:
    """Composed accents, tabs as spaces, and no characters that never have ink."""
    plain = text.replace("\t", "    ").translate(_INKLESS)
    # NFC also exchanges characters (Ω for Ohm, compatibility 汉字), so it is used only where accents stand alone.
    return unicodedata.normalize("NFC", plain) if any(map(unicodedata.combining, plain)) else plain


def split(text: str, family: Family = "sans", bold: bool = False) -> list[tuple[Face, str]]:
    """`text` cut into runs of one face each, in order.

    Raises InputProblem glyph_missing naming every character that no installed font has.
    """
    found = {letter: face_of(letter, family, bold) for letter in set(text)}
    if missing := [letter for letter in dict.fromkeys(text) if found[letter] is None]:
        raise InputProblem("glyph_missing", text="".join(missing)[:40])
    runs: list[tuple[Face, str]] = []
    for letter in text:
        face = found[letter]
        if runs and runs[-1][0] == face:
            runs[-1] = (face, runs[-1][1] + letter)
        elif face:
            runs.append((face, letter))
    return runs


@functools.cache
def face_of(letter: str, family: Family = "sans", bold: bool = False) -> Face | None:
    """The first face that has `letter`: the family's own, the sans faces, then any font."""
    for face in (*family_faces(family, bold), *family_faces("sans", bold), *family_faces(family, False)):
        if face.glyph(letter):
            return face
    return next((face for face in _others() if face.glyph(letter)), None)


@functools.cache
def family_faces(family: Family, bold: bool) -> tuple[Face, ...]:
    """The installed faces of PREFERRED, in its order; of a hand its own, and the one that has 汉字."""
    if is_hand(family):
        return tuple(_hand(name) for name in dict.fromkeys((family, FALLBACK)))
    found = (named(name, bold) for name in PREFERRED[cast(Printed, family)])
    return tuple(face for face in found if face)


def named(name: str, bold: bool = False, italic: bool = False) -> Face | None:
    """The installed face of one of the families in PREFERRED; None where it is not installed."""
    style = ("Regular", "Bold", "Italic", "Bold Italic")[bold + 2 * italic]
    return _named().get((name, style))


def _hand(name: str) -> Face:
    if not file_of(name).is_file():
        raise FaultProblem(f"the face {name} is not in PAPERCRANE_HANDS", "engine_unavailable")
    return Face(file_of(name), 0)


@functools.cache
def _named() -> dict[tuple[str, str], Face]:
    """(family, style) -> face, of the files whose names promise a preferred family."""
    found: dict[tuple[str, str], Face] = {}
    for path in _files():
        if path.name.startswith(_FILES):
            for face in _faces(path):
                found.setdefault(_name(face), face)
    return found


@functools.cache
def _others() -> tuple[Face, ...]:
    return tuple(face for path in _files() for face in _faces(path) if _usable(face))


@functools.cache
def _files() -> tuple[Path, ...]:
    kinds = {".ttf", ".otf", ".ttc", ".otc"}
    found = (path for folder in FOLDERS for path in folder.rglob("*") if path.suffix.lower() in kinds)
    return tuple(sorted(found, key=lambda path: ("Regular" not in path.stem, path)))


def _faces(path: Path) -> Iterator[Face]:
    import uharfbuzz

    count = int(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)), 0).count)
    return (Face(path, index) for index in range(count))


def _name(face: Face) -> tuple[str, str]:
    from uharfbuzz import OTNameIdPredefined as Id

    named = opened(face).face.get_name
    family = named(Id.TYPOGRAPHIC_FAMILY) or named(Id.FONT_FAMILY) or ""
    style = named(Id.TYPOGRAPHIC_SUBFAMILY) or named(Id.FONT_SUBFAMILY) or ""
    return family, "Regular" if style in ("Book", "Roman") else style


def _usable(face: Face) -> bool:
    """Outlines that may be embedded: no colour bitmaps, no licence that forbids it (OS/2 fsType bit 1)."""
    font = opened(face).face
    tags = {str(tag) for tag in font.table_tags}
    if not tags & {"glyf", "CFF "} or tags & {"CBDT", "sbix", "COLR", "SVG "}:
        return False
    licence = bytes(font.reference_table("OS/2").data)[8:10] if "OS/2" in tags else b"\0\0"
    return int.from_bytes(licence, "big") & 0xF != 2
