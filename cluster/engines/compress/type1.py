"""Type 1 font programs written as CFF: the same outlines and hints, without the encryption that defeats Flate."""

from collections import Counter
from typing import Any

from cluster.engines.compress.charstring import Glyph, translate


class Unreadable(Exception):
    """The font program is not one we can translate whole."""


def read_type1(program: bytes) -> Any:
    """The font dictionary of a FontFile stream, glyph programs and subroutines as plain bytes."""
    from fontTools.misc.psLib import suckfont

    try:
        font = suckfont(_with_trailer(program), "latin-1")
        private = font["Private"]
        skipped = int(private.get("lenIV", 4))
        font["CharStrings"] = {name: _decrypted(code, skipped) for name, code in font["CharStrings"].items()}
        private["Subrs"] = [_decrypted(code, skipped) if code else b"" for code in private.get("Subrs", [])]
        return font
    except Exception as error:  # the parser runs the program as PostScript, which may fail in any way
        raise Unreadable from error


def _decrypted(code: bytes, skipped: int) -> bytes:
    from fontTools.misc.eexec import decrypt

    return bytes(decrypt(code, 4330)[0][skipped:]) if skipped >= 0 else bytes(code)


def _with_trailer(program: bytes) -> bytes:
    """The trailer is often cut off in a PDF, or followed by padding; the parser wants it whole."""
    end = program.rfind(b"cleartomark")
    if end >= 0:
        return program[:end] + b"cleartomark\n"
    return program + b"\n" + b"0" * 512 + b"\ncleartomark\n"


def built_in_encoding(font: Any) -> list[str]:
    """256 glyph names."""
    from fontTools.encodings.StandardEncoding import StandardEncoding

    encoding = font.get("Encoding")
    if encoding == "StandardEncoding" or encoding is None:
        return list(StandardEncoding)
    names = [str(name) for name in encoding]
    return (names + [".notdef"] * 256)[:256]


def to_cff(font: Any, name: str, keep: set[str] | None) -> bytes:
    """A bare CFF font with the glyphs in `keep` (None: all), their hints and the built-in encoding."""
    strings = font["CharStrings"]
    subrs = font["Private"].get("Subrs", [])
    glyphs: dict[str, Glyph] = {}
    wanted = [".notdef", *sorted((keep & set(strings)) if keep is not None else set(strings))]
    while wanted:
        each = wanted.pop()
        if each not in glyphs and each in strings:
            glyphs[each] = translate(strings[each], subrs)
            wanted += glyphs[each].parts
    if ".notdef" not in glyphs or any(part not in glyphs for glyph in glyphs.values() for part in glyph.parts):
        raise Unreadable
    order = [".notdef", *sorted(set(glyphs) - {".notdef"})]
    encoding = [each if each in glyphs else ".notdef" for each in built_in_encoding(font)]
    return _built(name, order, glyphs, _private(font["Private"]), list(font.get("FontMatrix", [])), encoding)


def _private(old: Any) -> dict[str, Any]:
    """The hinting values, as CFF knows them."""
    found: dict[str, Any] = {}
    for key in ("BlueValues", "OtherBlues", "FamilyBlues", "FamilyOtherBlues", "StemSnapH", "StemSnapV"):
        if old.get(key):
            found[key] = [round(each) for each in old[key]]
    for key in ("StdHW", "StdVW"):
        if old.get(key):
            found[key] = round(old[key][0])
    for key in ("BlueScale", "BlueShift", "BlueFuzz", "LanguageGroup"):
        if key in old:
            found[key] = old[key]
    if old.get("ForceBold") in (True, "true", 1):
        found["ForceBold"] = 1
    return found


def _built(
    name: str,
    order: list[str],
    glyphs: dict[str, Glyph],
    private: dict[str, Any],
    matrix: list[float],
    encoding: list[str],
) -> bytes:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.misc.psCharStrings import T2CharString

    usual = Counter(glyph.width for glyph in glyphs.values()).most_common(1)[0][0]
    private |= {"defaultWidthX": usual, "nominalWidthX": usual}
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(order)
    info: dict[str, Any] = {}
    if matrix and matrix != [0.001, 0, 0, 0.001, 0, 0]:
        info["FontMatrix"] = matrix
    charstrings = {each: T2CharString(program=glyphs[each].program(usual)) for each in order}
    builder.setupCFF(name, info, charstrings, private)
    top = builder.font["CFF "].cff[0]
    top.Encoding = encoding
    for key in ("FontBBox", "isFixedPitch"):
        top.rawDict.pop(key, None)
    data: bytes = builder.font["CFF "].compile(builder.font)
    return data
