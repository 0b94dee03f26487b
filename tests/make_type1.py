"""Type 1 font programs drawn in code, as they lie in a PDF's FontFile."""

from pathlib import Path

import pikepdf
from fontTools.misc.eexec import encrypt
from pikepdf import Array, Dictionary, Name

_OPERATORS = {"hstem": 1, "vstem": 3, "vmoveto": 4, "rlineto": 5, "hlineto": 6, "vlineto": 7, "rrcurveto": 8,
              "closepath": 9, "callsubr": 10, "return": 11, "hsbw": 13, "endchar": 14, "rmoveto": 21, "hmoveto": 22,
              "seac": (12, 6), "div": (12, 12), "callothersubr": (12, 16), "pop": (12, 17),
              "setcurrentpoint": (12, 33)}  # fmt: skip


def code(*words: int | str) -> bytes:
    """A Type 1 charstring: numbers and operators by name."""
    out = b""
    for word in words:
        if isinstance(word, str):
            name = _OPERATORS[word]
            out += bytes(name if isinstance(name, tuple) else (name,))
        else:
            out += b"\xff" + word.to_bytes(4, "big", signed=True)
    return out


#: The subroutines every Type 1 font begins with (flex end, flex begin, flex point, nothing, hint replacement),
#: and one with a second hint.
SUBRS = (
    code(3, 0, "callothersubr", "pop", "pop", "setcurrentpoint", "return"),
    code(0, 1, "callothersubr", "return"),
    code(0, 2, "callothersubr", "return"),
    code("return"),
    code(1, 3, "callothersubr", "pop", "callsubr", "return"),
    code(100, 20, "hstem", "return"),
)
_HEAD = """%!PS-AdobeFont-1.0: Drawn 1.0
11 dict begin
/FontName /Drawn def
/PaintType 0 def
/FontType 1 def
/FontMatrix [0.001 0 0 0.001 0 0] readonly def
/FontBBox {0 -200 1000 800} readonly def
ENCODING
currentdict end
currentfile eexec
"""
_PRIVATE = """dup /Private 10 dict dup begin
/RD {string currentfile exch readstring pop} executeonly def
/ND {noaccess def} executeonly def
/NP {noaccess put} executeonly def
/BlueValues [-10 0 500 510] def
/StdVW [30] def
/ForceBold true def
/BlueScale 0.039625 def
/MinFeature {16 16} def
/password 5839 def
"""


def program(
    glyphs: dict[str, bytes],
    encoding: dict[int, str] | None = None,
    subrs: tuple[bytes, ...] = SUBRS,
    private: str = "",
) -> bytes:
    """A whole font; `glyphs` shall hold .notdef.

    encoding: None for the standard one. private: more of the private dictionary.
    """
    sealed = (_PRIVATE + private).encode() + b"/Subrs %d array\n" % len(subrs)
    for number, subr in enumerate(subrs):
        sealed += b"dup %d " % number + _bytes(subr) + b" NP\n"
    sealed += b"ND\n2 index /CharStrings %d dict dup begin\n" % len(glyphs)
    for name, drawing in glyphs.items():
        sealed += b"/%s " % name.encode() + _bytes(drawing) + b" ND\n"
    sealed += (
        b"end\nend\nreadonly put\nnoaccess put\ndup/FontName get exch definefont pop\nmark currentfile closefile\n"
    )
    head = _HEAD.replace("ENCODING", _encoding(encoding)).encode()
    return head + encrypt(b"\0" * 4 + sealed, 55665)[0] + b"\n" + (b"0" * 64 + b"\n") * 8 + b"cleartomark\n"


def _bytes(charstring: bytes) -> bytes:
    sealed = encrypt(b"\0" * 4 + charstring, 4330)[0]
    return b"%d RD " % len(sealed) + sealed


def _encoding(codes: dict[int, str] | None) -> str:
    if codes is None:
        return "/Encoding StandardEncoding def"
    puts = "".join(f"dup {number} /{name} put\n" for number, name in codes.items())
    return f"/Encoding 256 array\n0 1 255 {{1 index exch /.notdef put}} for\n{puts}readonly def"


def page(path: Path) -> Path:
    """A page with the letters A and B of a Type 1 font of many drawn glyphs."""
    box = code(0, 700, "hsbw", 100, "hmoveto", 500, "hlineto", 600, "vlineto", -500, "hlineto", "closepath", "endchar")
    empty = code(0, 700, "hsbw", "endchar")
    data = program({".notdef": empty} | {chr(letter): box for letter in range(ord("A"), ord("Z") + 1)})
    clear, sealed = data.index(b"eexec") + 6, data.index(b"0" * 64)
    with pikepdf.new() as pdf:
        held = pdf.make_stream(data, Length1=clear, Length2=sealed - clear, Length3=len(data) - sealed)
        descriptor = Dictionary(
            Type=Name.FontDescriptor, FontName=Name("/Drawn"), Flags=4, FontBBox=Array([0, -200, 1000, 800]),
            ItalicAngle=0, Ascent=800, Descent=-200, CapHeight=600, StemV=80, FontFile=held,
        )  # fmt: skip
        font = Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Drawn"), FirstChar=65, LastChar=66,
            Widths=Array([700, 700]), FontDescriptor=pdf.make_indirect(descriptor),
        )  # fmt: skip
        pdf.add_blank_page(page_size=(300, 200))
        pdf.pages[0].Resources = Dictionary(Font=Dictionary(F1=pdf.make_indirect(font)))
        pdf.pages[0].Contents = pdf.make_stream(b"BT /F1 48 Tf 20 100 Td (AB) Tj ET")
        pdf.save(path)
    return path
