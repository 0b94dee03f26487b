"""Fonts cut down to what the pages draw.

MuPDF empties the glyphs that are not drawn (numbers stay, so text and encodings do not change); only the
font programs are taken over from it, nothing else of the document. Type 1 becomes CFF; TrueType loses
what only typesetting needs.
"""

import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cluster.engines.placements import Drawn, Key

if TYPE_CHECKING:
    import pikepdf

FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")


def descriptors(pdf: "pikepdf.Pdf") -> list[tuple[Any, str]]:
    """Every font descriptor with an embedded program, and the key of the program."""
    import pikepdf

    return [
        (each, key)
        for each in pdf.objects
        if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/FontDescriptor"
        for key in FONT_FILES
        if isinstance(each.get(key), pikepdf.Stream)
    ]


def subset_fonts(pdf: "pikepdf.Pdf", drawn: Drawn, document: Any, *, hints: bool) -> None:
    """Make the font programs smaller; `document` is the same file opened by PyMuPDF. `hints` keeps TrueType hinting."""
    typed = _in_forms(pdf)
    users = _users(pdf)
    found = descriptors(pdf)
    loose = [(descriptor, key) for descriptor, key in found if descriptor[key].objgen not in typed]
    if any(key != "/FontFile" for _, key in loose):
        try:
            document.subset_fonts()
        except RuntimeError:
            loose = []
        for descriptor, key in loose:
            if key != "/FontFile":
                _take(descriptor, key, document)
    for descriptor, key in found:
        fonts = users.get(descriptor.objgen, [])
        if key == "/FontFile":
            whole = descriptor.objgen in drawn.whole or descriptor[key].objgen in typed
            _as_cff(pdf, descriptor, None if whole else _codes(fonts, drawn), fonts)
        elif key == "/FontFile2":
            _slimmed(descriptor, fonts, hints)


def _users(pdf: "pikepdf.Pdf") -> dict[Key, list[Any]]:
    """Font descriptor -> the fonts that name it."""
    import pikepdf

    found: dict[Key, list[Any]] = {}
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and isinstance(each.get("/FontDescriptor"), pikepdf.Dictionary):
            found.setdefault(each["/FontDescriptor"].objgen, []).append(each)
    return found


def _codes(fonts: list[Any], drawn: Drawn) -> set[int] | None:
    """Codes that the pages show; None when nothing is known of a font."""
    if not fonts or any(font.objgen not in drawn.codes for font in fonts):
        return None
    return set[int]().union(*(drawn.codes[font.objgen] for font in fonts))


def _as_cff(pdf: "pikepdf.Pdf", descriptor: Any, codes: set[int] | None, fonts: list[Any]) -> None:
    import pikepdf

    from cluster.engines import type1
    from cluster.engines.charstring import Unreadable

    program = descriptor["/FontFile"]
    try:
        font = type1.read_type1(bytes(program.read_bytes()))
        keep = None if codes is None else _glyph_names(codes, fonts, type1.built_in_encoding(font))
        made = zlib.compress(type1.to_cff(font, str(descriptor.get("/FontName", "/Font"))[1:], keep), 9)
    except (type1.Unreadable, Unreadable, pikepdf.PdfError, ValueError, TypeError, KeyError, RuntimeError):
        return
    if len(made) < len(program.read_raw_bytes()):
        stream = pikepdf.Stream(pdf, b"")
        stream.write(made, filter=pikepdf.Name.FlateDecode)
        stream["/Subtype"] = pikepdf.Name.Type1C
        descriptor["/FontFile3"] = pdf.make_indirect(stream)
        del descriptor["/FontFile"]
        _forget_sets(descriptor)


def _glyph_names(codes: set[int], fonts: list[Any], built_in: list[str]) -> set[str]:
    """Every name that a shown code may have, in whatever encoding a reader believes in."""
    from fontTools.agl import UV2AGL
    from fontTools.encodings.MacRoman import MacRoman
    from fontTools.encodings.StandardEncoding import StandardEncoding

    latin = [UV2AGL.get(ord(bytes([code]).decode("cp1252", "replace")), "") for code in range(256)]
    names = {table[code] for code in codes for table in (built_in, StandardEncoding, MacRoman, latin)}
    for font in fonts:
        names |= {name for code, name in _differences(font) if code in codes}
    return names


def _differences(font: Any) -> Iterable[tuple[int, str]]:
    import pikepdf

    encoding = font.get("/Encoding")
    if not isinstance(encoding, pikepdf.Dictionary):
        return
    code = 0
    for each in encoding.get("/Differences", []):
        if isinstance(each, pikepdf.Name):
            yield code, str(each)[1:]
            code += 1
        else:
            code = int(each)


def _slimmed(descriptor: Any, fonts: list[Any], hints: bool) -> None:
    """A descendant of a composite font is drawn by glyph number; others look glyphs up."""
    import pikepdf

    from cluster.engines.truetype import slim

    program = descriptor["/FontFile2"]
    lookup = not fonts or any(font.get("/Subtype") != "/CIDFontType2" for font in fonts)
    try:
        made = slim(bytes(program.read_bytes()), lookup=lookup, hints=hints, name=str(descriptor.get("/FontName", "")))
    except (pikepdf.PdfError, RuntimeError):
        return
    if made and len(zlib.compress(made, 9)) < len(program.read_raw_bytes()):
        program.write(zlib.compress(made, 9), filter=pikepdf.Name.FlateDecode)
        program["/Length1"] = len(made)


def _take(descriptor: Any, key: str, document: Any) -> None:
    import pikepdf

    program = descriptor[key]
    try:
        data = document.xref_stream(program.objgen[0])
        if not data or len(data) >= len(program.read_bytes()):
            return
    except (RuntimeError, ValueError):
        return
    rest = {name: program.get(name) for name in ("/Subtype", "/Length2", "/Length3") if name in program}
    program.write(zlib.compress(data, 9), filter=pikepdf.Name.FlateDecode)
    for name, value in rest.items():
        program[name] = value
    if "/Length1" in program:
        program["/Length1"] = len(data)
    _forget_sets(descriptor)


def _forget_sets(descriptor: Any) -> None:
    for name in ("/CIDSet", "/CharSet"):
        if name in descriptor:
            del descriptor[name]


def _in_forms(pdf: "pikepdf.Pdf") -> set[Key]:
    """Font programs that form fields write with: people may yet type any letter."""
    import pikepdf

    form = pdf.Root.get("/AcroForm")
    if not isinstance(form, pikepdf.Dictionary) or not len(form.get("/Fields", [])):
        return set()
    fonts = form.get("/DR", pikepdf.Dictionary()).get("/Font", pikepdf.Dictionary())
    found: set[Key] = set()
    for font in fonts.as_dict().values():
        for each in (font, *font.get("/DescendantFonts", [])):
            descriptor = each.get("/FontDescriptor")
            if descriptor is not None:
                found |= {descriptor[key].objgen for key in FONT_FILES if key in descriptor}
    return found
