"""Font programs embedded in a document: which there are, who draws with them, and what their glyphs are called."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.drawn import Key
from cluster.engines.pdf.nodes import get, is_dictionary, items

if TYPE_CHECKING:
    import pikepdf

FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_NONSYMBOLIC = 32


@dataclass
class Program:
    """An embedded font program, the descriptors that share it and the fonts that draw with it."""

    stream: Any
    key: str
    descriptors: list[Any] = field(default_factory=list)
    fonts: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.descriptors[0].get("/FontName", "/Font"))[1:]


def programs(pdf: "pikepdf.Pdf") -> dict[Key, Program]:
    """Every embedded font program by object key."""
    import pikepdf

    found: dict[Key, Program] = {}
    by_descriptor: dict[Key, Program] = {}
    fonts: list[Any] = []
    for each in pdf.objects:
        if not isinstance(each, pikepdf.Dictionary):
            continue
        if isinstance(each.get("/FontDescriptor"), pikepdf.Dictionary):
            fonts.append(each)
        for key in FONT_FILES if each.get("/Type", "/FontDescriptor") == "/FontDescriptor" else ():
            if isinstance(stream := each.get(key), pikepdf.Stream):
                program = found.setdefault(stream.objgen, Program(stream, key))
                program.descriptors.append(each)
                by_descriptor[each.objgen] = program
    for font in fonts:
        if (used := by_descriptor.get(font["/FontDescriptor"].objgen)) is not None:
            used.fonts.append(font)
    return found


def set_apart(pdf: "pikepdf.Pdf") -> None:
    """Make fonts and descriptors that stand directly in what uses them objects: only those can be told apart and cut.

    What was read of the document before holds the old ones.
    """
    import pikepdf

    for each in list(pdf.objects):
        if isinstance(each, pikepdf.Dictionary | pikepdf.Stream):
            _set_descriptors_apart(pdf, each)
            _set_fonts_apart(pdf, each.get("/Resources"))


def _set_fonts_apart(pdf: "pikepdf.Pdf", resources: Any) -> None:
    fonts = get(resources, "/Font")
    for name in fonts.keys() if is_dictionary(fonts) else ():
        font = fonts[name]
        if is_dictionary(font) and not font.is_indirect:
            _set_descriptors_apart(pdf, font)
            _set_fonts_apart(pdf, get(font, "/Resources"))
            _set_apart(pdf, fonts, name)


def _set_descriptors_apart(pdf: "pikepdf.Pdf", font: Any) -> None:
    for holder in (font, *items(get(font, "/DescendantFonts"))):
        _set_apart(pdf, holder, "/FontDescriptor")


def _set_apart(pdf: "pikepdf.Pdf", holder: Any, key: str) -> None:
    held = get(holder, key)
    if is_dictionary(held) and not held.is_indirect:
        holder[key] = pdf.make_indirect(held)


def glyph_names(codes: set[int], fonts: list[Any], built_in: list[str]) -> set[str]:
    """Every name that a shown code may have in any of the fonts, in whatever encoding a reader believes in."""
    return set[str]().union(*(_names(codes, font, built_in) for font in fonts or [None]))


def _names(codes: set[int], font: Any, built_in: list[str]) -> set[str]:
    own = dict(differences(font))
    named = {own[code] for code in codes & own.keys()}
    return named | {table[code] for code in codes - own.keys() for table in _tables(font, built_in)}


def _tables(font: Any, built_in: list[str]) -> list[list[str]]:
    """The one that the font names, or all that readers believe in where it names none."""
    known = _told(font)
    return [known] if known else [built_in, *_encodings().values()]


def base_names(font: Any) -> list[str]:
    """The 256 names below the differences of a simple font that carries no program."""
    flags = get(font, "/FontDescriptor", "/Flags")
    latin = get(font, "/Subtype") == "/TrueType" and not (isinstance(flags, int) and flags & _NONSYMBOLIC)
    return _told(font) or _encodings()["/WinAnsiEncoding" if latin else "/StandardEncoding"]


def _told(font: Any) -> list[str] | None:
    said = get(font, "/Encoding")
    return _encodings().get(str(get(said, "/BaseEncoding") if is_dictionary(said) else said))


@cache
def _encodings() -> dict[str, list[str]]:
    from fontTools.agl import UV2AGL
    from fontTools.encodings.MacRoman import MacRoman
    from fontTools.encodings.StandardEncoding import StandardEncoding

    latin = [UV2AGL.get(ord(bytes([code]).decode("cp1252", "replace")), "") for code in range(256)]
    return {"/StandardEncoding": StandardEncoding, "/MacRomanEncoding": MacRoman, "/WinAnsiEncoding": latin}


def differences(font: Any) -> Iterable[tuple[int, str]]:
    """Codes and the names that the font's encoding gives them of its own."""
    import pikepdf

    code = 0
    for each in items(get(get(font, "/Encoding"), "/Differences")):
        if isinstance(each, pikepdf.Name):
            yield code, str(each)[1:]
            code += 1
        else:
            code = int(each)


def forget_sets(descriptor: Any) -> None:
    """Lists of the glyphs that the program had."""
    for name in ("/CIDSet", "/CharSet"):
        if name in descriptor:
            del descriptor[name]
