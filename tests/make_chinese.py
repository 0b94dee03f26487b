"""Chinese text with an embedded, subset font."""

import functools
from pathlib import Path

from fontTools import subset, ttLib
from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from tests.once import once

FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
#: Every character that these documents may use.
CHINESE = "第页共机密纸鹤文档中文字体嵌入测试章节合同发票一二三四五六七八九十0123456789 ①€—…龘-/.:Pageabcdkmr"


@functools.cache
def _subset() -> tuple[bytes, dict[str, int]]:
    font = ttLib.TTFont(FONT, fontNumber=2, lazy=True)
    wanted = subset.Options()
    wanted.layout_features, wanted.hinting = [], False
    cut = subset.Subsetter(wanted)
    cut.populate(text=CHINESE)
    cut.subset(font)
    # CID-keyed: a glyph is named after its CID, which is what Identity-H text holds.
    cids = {chr(code): int(name[3:]) for code, name in font.getBestCmap().items()}
    return font["CFF "].compile(font), cids


def chinese_font(pdf: Pdf, name: str = "ABCDEF+NotoSansCJKsc-Regular") -> Object:
    """A Type0 font with the glyphs of CHINESE, embedded."""
    program, cids = _subset()
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name("/" + name),
        Flags=4,
        FontBBox=Array([-1002, -1048, 2928, 1808]),
        ItalicAngle=0,
        Ascent=880,
        Descent=-120,
        CapHeight=733,
        StemV=80,
        FontFile3=pdf.make_stream(program, Subtype=Name.CIDFontType0C),
    )
    below = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType0,
        BaseFont=Name("/" + name),
        DW=1000,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
    )
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=Name("/" + name + "-Identity-H"),
            Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(below)]),
            ToUnicode=pdf.make_stream(_to_unicode(cids)),
        )
    )


def hexadecimal(text: str) -> bytes:
    """`text` as the string of a Tj in that font."""
    cids = _subset()[1]
    return b"<" + "".join(f"{cids[letter]:04X}" for letter in text).encode() + b">"


@once
def chinese(path: Path, pages: int = 3, *, title: str = "第 {n} 页 机密 ①€—…龘") -> Path:
    """Pages of Chinese text; `title` may only use the letters of CHINESE."""
    with Pdf.new() as pdf:
        font = chinese_font(pdf)
        for number in range(1, pages + 1):
            pdf.add_blank_page(page_size=(595, 842))
            page = pdf.pages[-1].obj
            page.Resources = Dictionary(Font=Dictionary(F1=font))
            words = hexadecimal(title.format(n=number))
            body = hexadecimal(f"纸鹤 文档 中文 测试 章节 {number}")
            page.Contents = pdf.make_stream(b"BT /F1 20 Tf 40 780 Td %b Tj 0 -40 Td %b Tj ET" % (words, body))
        pdf.save(path)
    return path


def _to_unicode(cids: dict[str, int]) -> bytes:
    lines = [f"<{cid:04X}> <{letter.encode('utf-16-be').hex()}>" for letter, cid in cids.items()]
    blocks = [lines[start : start + 100] for start in range(0, len(lines), 100)]
    maps = "".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar\n" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Own def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n" + maps + "endcmap\nend\nend\n"
    ).encode()
