"""Fonts cut down to what the pages draw.

MuPDF empties the glyphs that are not drawn (numbers stay, so text and encodings do not change); only the
font programs are taken over from it, nothing else of the document. Type 1 becomes CFF; TrueType loses
what only typesetting needs. What is written here is packed once, with all other streams.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.burden import unpacked
from cluster.engines.pdf.drawn import Drawn, Key
from cluster.engines.pdf.libraries import import_pymupdf

if TYPE_CHECKING:
    import pikepdf

FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")


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
        for key in FONT_FILES if each.get("/Type") == "/FontDescriptor" else ():
            if isinstance(stream := each.get(key), pikepdf.Stream):
                program = found.setdefault(stream.objgen, Program(stream, key))
                program.descriptors.append(each)
                by_descriptor[each.objgen] = program
    for font in fonts:
        if (used := by_descriptor.get(font["/FontDescriptor"].objgen)) is not None:
            used.fonts.append(font)
    return found


def subset_fonts(pdf: "pikepdf.Pdf", drawn: Drawn, document: Any, *, hints: bool, keep: frozenset[int]) -> None:
    """Make the font programs smaller; `document` is the same file opened by PyMuPDF.

    hints: keep TrueType hinting. keep: pages (from 0) whose fonts stay as they are.
    """
    pymupdf = import_pymupdf()
    typed = _in_forms(pdf)
    found = {key: program for key, program in programs(pdf).items() if not _pages(program, drawn) & keep}
    subsets = [program for key, program in found.items() if program.key != "/FontFile" and key not in typed]
    if subsets:
        try:
            document.subset_fonts()
        except (RuntimeError, pymupdf.mupdf.FzErrorBase):
            subsets = []
    for program in subsets:
        _take(program, document)
    for key, program in found.items():
        if program.key == "/FontFile":
            whole = key in typed or any(each.objgen in drawn.whole for each in program.descriptors)
            _as_cff(pdf, program, None if whole else _codes(program.fonts, drawn))
        elif program.key == "/FontFile2":
            _slimmed(program, hints)


def _pages(program: Program, drawn: Drawn) -> set[int]:
    return set[int]().union(*(drawn.written.get(each.objgen, set()) for each in program.descriptors))


def _codes(fonts: list[Any], drawn: Drawn) -> set[int] | None:
    """Codes that the pages show; None when nothing is known of a font."""
    if not fonts or any(font.objgen not in drawn.codes for font in fonts):
        return None
    return set[int]().union(*(drawn.codes[font.objgen] for font in fonts))


def _as_cff(pdf: "pikepdf.Pdf", program: Program, codes: set[int] | None) -> None:
    import pikepdf

    from cluster.engines.compress.type1 import Unreadable, to_cff

    before = unpacked(program.stream)
    if before is None:
        return
    choose = None if codes is None else partial(_glyph_names, codes, program.fonts)
    try:
        made = to_cff(before, choose)
    except (Unreadable, ValueError, TypeError, RuntimeError):
        return
    if len(made) < len(before):
        stream = pikepdf.Stream(pdf, made)
        stream["/Subtype"] = pikepdf.Name.Type1C
        shared = pdf.make_indirect(stream)
        for descriptor in program.descriptors:
            descriptor["/FontFile3"] = shared
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


def _slimmed(program: Program, hints: bool) -> None:
    """A descendant of a composite font is drawn by glyph number; others look glyphs up."""

    from cluster.engines.compress.truetype import slim

    lookup = not program.fonts or any(font.get("/Subtype") != "/CIDFontType2" for font in program.fonts)
    stream = program.stream
    data = unpacked(stream)
    made = slim(data, lookup=lookup, hints=hints, name=program.name) if data is not None else None
    if made and data and len(made) < len(data):
        stream.write(made)
        stream["/Length1"] = len(made)


def _take(program: Program, document: Any) -> None:
    stream = program.stream
    try:
        data = document.xref_stream(stream.objgen[0])
    except (RuntimeError, ValueError, import_pymupdf().mupdf.FzErrorBase):
        return
    before = unpacked(stream)
    if before is None or not data or len(data) >= len(before):
        return
    stream.write(bytes(data))
    if "/Length1" in stream:
        stream["/Length1"] = len(data)
    for descriptor in program.descriptors:
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
