"""Fonts cut down to what the pages draw.

MuPDF empties the glyphs that are not drawn (numbers stay, so text and encodings do not change); only the
font programs are taken over from it, nothing else of the document. Type 1 becomes CFF; TrueType loses
what only typesetting needs. What is written here is packed once, with all other streams.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

from cluster.engines.fonts.programs import FONT_FILES, Program, forget_sets, glyph_names, programs
from cluster.engines.pdf.burden import unpacked
from cluster.engines.pdf.drawn import Drawn, Key
from cluster.engines.pdf.libraries import import_pymupdf

if TYPE_CHECKING:
    import pikepdf


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

    from cluster.engines.fonts.type1 import Unreadable, to_cff

    before = unpacked(program.stream)
    if before is None:
        return
    choose = None if codes is None else partial(glyph_names, codes, program.fonts)
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
            forget_sets(descriptor)


def _slimmed(program: Program, hints: bool) -> None:
    """A descendant of a composite font is drawn by glyph number; others look glyphs up."""

    from cluster.engines.fonts.truetype import slim

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
        forget_sets(descriptor)


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
