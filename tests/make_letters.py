"""A page of text in embedded fonts of every kind, each of which shows a secret word with letters of its own."""

import functools
import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
from fontTools import subset, ttLib
from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from cluster.engines.fonts.tounicode import to_unicode
from cluster.engines.fonts.type1 import to_cff
from tests.make_chinese import chinese_font, hexadecimal
from tests.make_scans import LATIN
from tests.make_type1 import code, program

#: What stays and what goes; no letter stands in both.
STAYS, GOES, STAYS_ZH, GOES_ZH = "opens", "Quick", "纸鹤", "机密"
#: The column of the secret words as seen: x, y, width, height.
COLUMN = (200.0, 0.0, 200.0, 400.0)
Coded = tuple[Object, Callable[[str], bytes]]
_TAG = "/ABCDEF+"


def letters(path: Path, goes: str = GOES, goes_zh: str = GOES_ZH) -> Path:
    """One page of 400 × 400: on the left what stays, on the right what goes, in seven fonts."""
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(400, 400))
        fonts: list[Coded] = [_composite(pdf), _simple(pdf), _mac(pdf), _type1(pdf), _type1c(pdf), _type3(pdf)]
        drawn = []
        for at, (_, coded) in enumerate(fonts):
            texts = (coded(STAYS), coded(goes))
            drawn.append(b"BT /F%d 20 Tf 20 %d Td %b Tj 200 0 Td %b Tj ET" % (at, 360 - 40 * at, *texts))
        drawn.append(b"BT /Z 20 Tf 20 80 Td %b Tj 200 0 Td %b Tj ET" % (hexadecimal(STAYS_ZH), hexadecimal(goes_zh)))
        page = pdf.pages[0].obj
        named = {f"/F{at}": font for at, (font, _) in enumerate(fonts)}
        page.Resources = Dictionary(Font=Dictionary({**named, "/Z": chinese_font(pdf)}))
        page.Contents = pdf.make_stream(b"\n".join(drawn))
        pdf.save(path)
    return path


@functools.cache
def _truetype() -> tuple[bytes, dict[str, int]]:
    """A subset with the letters, and their numbers in it."""
    font = ttLib.TTFont(LATIN, lazy=True)
    wanted = subset.Options(layout_features=[], glyph_names=True, legacy_cmap=True)
    cut = subset.Subsetter(wanted)
    cut.populate(text=STAYS + GOES)
    cut.subset(font)
    font.save(held := io.BytesIO())
    return held.getvalue(), {chr(place): font.getGlyphID(name) for place, name in font.getBestCmap().items()}


def _literal(text: str) -> bytes:
    return b"(%b)" % text.encode()


def _descriptor(pdf: Pdf, name: str, flags: int, **file: Object) -> Object:
    return pdf.make_indirect(
        Dictionary(Type=Name.FontDescriptor, FontName=Name(_TAG + name), Flags=flags, ItalicAngle=0, Ascent=900,
                   FontBBox=Array([-200, -300, 1100, 1000]), Descent=-200, CapHeight=700, StemV=80,
                   CharSet=String("".join(f"/{letter}" for letter in STAYS + GOES)), **file)
    )  # fmt: skip


def _plain(pdf: Pdf, name: str, kind: str, descriptor: Object, **more: Object) -> Object:
    told = {letter.encode(): letter for letter in STAYS + GOES}
    return pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name(kind), BaseFont=Name(_TAG + name), FirstChar=32, LastChar=126,
                   Widths=Array([700 if chr(32 + at) in STAYS + GOES else 0 for at in range(95)]),
                   FontDescriptor=descriptor, ToUnicode=pdf.make_stream(to_unicode(told)), **more)
    )  # fmt: skip


def _composite(pdf: Pdf) -> Coded:
    """Type 0 with TrueType below, whose CIDs a table turns into glyphs."""
    data, numbers = _truetype()
    cids = {letter: 100 + at for at, letter in enumerate(STAYS + GOES)}
    table = bytearray(2 * 200)
    for letter, cid in cids.items():
        table[2 * cid : 2 * cid + 2] = numbers[letter].to_bytes(2, "big")
    below = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name(_TAG + "Two"), DW=1000,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        W=Array([100, Array([640] * 5), 105, 109, 641]), CIDToGIDMap=pdf.make_stream(bytes(table)),
        FontDescriptor=_descriptor(pdf, "Two", 4, FontFile2=pdf.make_stream(data, Length1=len(data))),
    )  # fmt: skip
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name(_TAG + "Two"), Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(below)]),
        ToUnicode=pdf.make_stream(to_unicode({cid.to_bytes(2, "big"): letter for letter, cid in cids.items()})),
    )  # fmt: skip
    return pdf.make_indirect(font), lambda text: b"<" + b"".join(b"%04X" % cids[each] for each in text) + b">"


def _simple(pdf: Pdf) -> Coded:
    data, _ = _truetype()
    descriptor = _descriptor(pdf, "Three", 32, FontFile2=pdf.make_stream(data, Length1=len(data)))
    return _plain(pdf, "Three", "/TrueType", descriptor, Encoding=Name.WinAnsiEncoding), _literal


def _mac(pdf: Pdf) -> Coded:
    """A symbolic TrueType font, in which readers find a code's glyph by the program's own table."""
    font = ttLib.TTFont(io.BytesIO(_truetype()[0]))
    font["cmap"].tables = [table for table in font["cmap"].tables if table.platformID == 1]
    font.save(held := io.BytesIO())
    data = held.getvalue()
    file = pdf.make_stream(data, Length1=len(data))
    return _plain(pdf, "Four", "/TrueType", _descriptor(pdf, "Four", 4, FontFile2=file)), _literal


@functools.cache
def _drawn() -> bytes:
    """Type 1: every letter is a box of its own height; .notdef, which readers give the first number, comes last."""
    glyphs = {
        letter: code(0, 700, "hsbw", 100, "hmoveto", 400, "hlineto", 100 + 50 * at, "vlineto", -400, "hlineto",
                     "closepath", "endchar")
        for at, letter in enumerate(STAYS + GOES)
    }  # fmt: skip
    return program({**glyphs, ".notdef": code(0, 700, "hsbw", "endchar")})


def _type1(pdf: Pdf) -> Coded:
    data = _drawn()
    clear, sealed = data.index(b"eexec") + 6, data.index(b"0" * 64)
    file = pdf.make_stream(data, Length1=clear, Length2=sealed - clear, Length3=len(data) - sealed)
    coded = Dictionary(Type=Name.Encoding, Differences=Array([81, Name.Q, 115, Name.s]))
    return _plain(pdf, "Five", "/Type1", _descriptor(pdf, "Five", 4, FontFile=file), Encoding=coded), _literal


def _type1c(pdf: Pdf) -> Coded:
    file = pdf.make_stream(to_cff(_drawn(), None), Subtype=Name.Type1C)
    return _plain(pdf, "Six", "/Type1", _descriptor(pdf, "Six", 4, FontFile3=file)), _literal


def _type3(pdf: Pdf) -> Coded:
    drawings = {
        f"/{letter}": pdf.make_stream(b"700 0 0 0 700 700 d1 100 0 400 %d re f" % (100 + 50 * at))
        for at, letter in enumerate(STAYS + GOES)
    }
    coded = [each for letter in sorted(STAYS + GOES) for each in (ord(letter), Name("/" + letter))]
    font = _plain(pdf, "Seven", "/Type3", Dictionary(), Encoding=Dictionary(Differences=Array(coded)))
    del font["/FontDescriptor"], font["/BaseFont"]
    font.CharProcs, font.FontBBox = Dictionary(drawings), Array([0, 0, 700, 700])
    font.FontMatrix, font.Resources = Array([0.001, 0, 0, 0.001, 0, 0]), Dictionary()
    return font, _literal


def outlines(path: Path) -> set[str]:
    """Every outline of the document's fonts, whatever they are called."""
    found = set()
    with pikepdf.open(path) as pdf:
        for each in pdf.objects:
            if isinstance(each, Dictionary):
                found |= {str(value.read_bytes()) for value in dict(each.get("/CharProcs", {})).values()}
                for key in ("/FontFile", "/FontFile2", "/FontFile3"):
                    if key in each:
                        found |= _outlines(each[key].read_bytes())
    return found


def _outlines(data: bytes) -> set[str]:
    from fontTools.cffLib import CFFFontSet
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    if data.startswith(b"\0\1\0\0"):
        glyphs = ttLib.TTFont(io.BytesIO(data)).getGlyphSet()
        names = list(glyphs.keys())
    else:
        held = CFFFontSet()
        held.decompile(io.BytesIO(to_cff(data, None) if data.startswith(b"%!") else data), None)
        glyphs = held[0].CharStrings
        names = list(glyphs.keys())
    found = set()
    for name in names:
        pen = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(pen)
        found.add(str(pen.value))
    return found - {"[]"}
