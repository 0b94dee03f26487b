"""Documents that hold the same secret in every way that a page can, and lines of text to be changed."""

import io
from pathlib import Path

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from PIL import Image, ImageDraw

from tests.make import edit, helvetica
from tests.make_chinese import chinese_font, hexadecimal
from tests.make_structure import bookmarks, field, metadata, note

SECRET = "Quaggamire"
#: Where the secrets of page 1 lie, as seen: x, y, width, height of the upper left corner; and where nothing is secret.
PLACE = (100.0, 100.0, 200.0, 200.0)
#: Coordinates that stand in no other path than the secret one.
LINES = (b"153.4567", b"611.2345", b"171.8181")


def secrets(path: Path) -> Path:
    """Two pages of 400 × 800 that share a form and a picture; of page 1 the PLACE holds a secret in text (kerned,
    hidden, in a form, as actual text), in paths, pictures of all kinds, a comment and a field; and so do a bookmark,
    the title and the metadata. What is not in the place are neighbours on the same lines and edges."""
    with Pdf.new() as pdf:
        font = helvetica(pdf)
        shared = _form(pdf, b"BT /F1 12 Tf 110 560 Td (sharedword) Tj 200 0 Td (formneighbour) Tj ET", font)
        pictures = Dictionary(
            Raw=_raw(pdf),
            Jpeg=_jpeg(pdf),
            Jpx=_jpx(pdf),
            Fax=_fax(pdf),
            Mask=_mask(pdf),
            Soft=_soft(pdf),
            Shared=shared,
        )
        for number in (1, 2):
            pdf.add_blank_page(page_size=(400, 800))
            page = pdf.pages[-1].obj
            page.Resources = Dictionary(Font=Dictionary(F1=font), XObject=pictures)
            page.Contents = pdf.make_stream(_content() if number == 1 else b"/Shared Do q 60 0 0 60 20 20 cm /Raw Do Q")
        page = pdf.pages[0].obj
        page.Thumb = _raw(pdf)
        page.Resources.Properties = Dictionary(Told=Dictionary(ActualText=String(SECRET)))
        pdf.save(path)
    with edit(path) as pdf:
        note(pdf, 1, SECRET)
        pdf.pages[0].obj.Annots[-1].Rect = Array([210, 620, 230, 640])
        field(pdf, 1, "secret-field", SECRET, (110, 510, 200, 525))
        bookmarks(pdf, [(f"About {SECRET} only", 1, 0)])
        metadata(pdf, title=f"Title {SECRET}", author="纸鹤")
    return path


def _content() -> bytes:
    """PLACE is 100..300 by 500..700 in the page's units."""
    kerned = b"[(be)-20(fore )50(Qua)-30(gga)10(mi)5(re)-13000( afterwards)]TJ"
    return b"\n".join(
        [
            b"0.9 0.95 1 rg 0 490 400 40 re f 0 g",
            b"BT /F1 12 Tf 66 680 Td %b ET" % kerned,
            b"/Span <</ActualText (%b)>> BDC BT /F1 12 Tf 120 660 Td (Quag) Tj 0 Ts (gamire) ' ET EMC"
            % SECRET.encode(),
            b"/Span /Told BDC BT /F1 12 Tf 120 632 Td (Other) Tj ET EMC",
            b"q BT /F1 12 Tf 3 Tr 120 645 Td (%b) Tj ET Q" % SECRET.encode(),
            b"0.2 0.4 0.1 rg 0 0 1 RG 2 w",
            b"q 1 0 0 1 0 0 cm 153.4567 611.2345 m 171.8181 620 l 180 605 l h B Q",
            b"20 595 m 380 595 l S 90 585 60 20 re S 40 560 m 90 590 150 590 200 560 c S",
            b"/Shared Do",
            *(
                b"q 40 0 0 40 %d 600 cm /%b Do Q" % (80 + 42 * at, name)
                for at, name in enumerate((b"Raw", b"Jpeg", b"Jpx", b"Fax", b"Mask"))
            ),
            b"q 60 0 0 60 270 530 cm /Soft Do Q q 0 30 -30 0 290 650 cm /Raw Do Q",
            b"q 20 0 0 20 95 530 cm BI /W 4 /H 4 /BPC 8 /CS /G ID " + b"QUAGGAMIREQUAGGA" + b" EI Q",
        ]
    )


def _form(pdf: Pdf, content: bytes, font: Object) -> Stream:
    made = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 400, 800]))
    made.Resources = Dictionary(Font=Dictionary(F1=font))
    return made


def _pattern(mode: str) -> Image.Image:
    image = Image.new("RGB", (80, 80), (200, 220, 240))
    pen = ImageDraw.Draw(image)
    for at in range(0, 80, 8):
        pen.line((at, 0, 79 - at, 79), (255 - at * 3, at * 3, 90), 2)
    return image.convert(mode)


def _picture(pdf: Pdf, data: bytes, space: Name | None, bits: int, **entries: object) -> Stream:
    made = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Image, Width=80, Height=80, BitsPerComponent=bits)
    if space is not None:
        made.ColorSpace = space
    for key, value in entries.items():
        made[f"/{key}"] = value
    return made


def _raw(pdf: Pdf) -> Stream:
    return _picture(pdf, _pattern("RGB").tobytes(), Name.DeviceRGB, 8)


def _jpeg(pdf: Pdf) -> Stream:
    held = io.BytesIO()
    _pattern("RGB").save(held, "JPEG", quality=95)
    return _picture(pdf, held.getvalue(), Name.DeviceRGB, 8, Filter=Name.DCTDecode)


def _jpx(pdf: Pdf) -> Stream:
    held = io.BytesIO()
    _pattern("RGB").save(held, "JPEG2000")
    return _picture(pdf, held.getvalue(), Name.DeviceRGB, 8, Filter=Name.JPXDecode)


def _fax(pdf: Pdf) -> Stream:
    from cluster.engines.pictures.encode import fax

    made = fax(_pattern("L").convert("1"))
    parms = Dictionary(made.parms)
    return _picture(pdf, made.data, Name.DeviceGray, 1, Filter=Name.CCITTFaxDecode, DecodeParms=parms)


def _mask(pdf: Pdf) -> Stream:
    return _picture(pdf, _pattern("L").convert("1").tobytes(), None, 1, ImageMask=True)


def _soft(pdf: Pdf) -> Stream:
    soft = _picture(pdf, _pattern("L").tobytes(), Name.DeviceGray, 8)
    return _picture(pdf, _pattern("RGB").tobytes(), Name.DeviceRGB, 8, SMask=soft)


#: Lines of the contract, as they stand on its page.
PARTY, SUM, LEANING = "合同 第二章 一二三四五", "发票 1203 €", "机密 文档"


def contract(path: Path) -> Path:
    """A contract in an embedded subset, a turned page: a line in one string, one in kerned pieces inside a form, a line
    that leans, one in Type 1 with Differences, and one in Type 3."""
    with Pdf.new() as pdf:
        font = chinese_font(pdf)
        pdf.add_blank_page(page_size=(500, 700))
        page = pdf.pages[0].obj
        inner = b"BT /F1 14 Tf 60 560 Td [%b 30 %b -120 %b]TJ 1 0 0 1 260 560 Tm %b Tj ET" % tuple(
            hexadecimal(text) for text in ("发票 ", "12", "03 €", "文档")
        )
        pieces = Dictionary(F1=font, F2=_differences(pdf), F3=_drawn(pdf))
        page.Resources = Dictionary(Font=pieces, XObject=Dictionary(Fm=_form(pdf, inner, font)))
        page.Resources.XObject.Fm.Resources.Font.F1 = font
        page.Contents = pdf.make_stream(
            b"0.8 0 0 rg BT /F1 18 Tf 50 620 Td %b Tj 0 -300 Td %b Tj ET /Fm Do "
            b"BT 0.866 0.5 -0.5 0.866 80 400 Tm /F1 16 Tf %b Tj ET BT /F2 12 Tf 60 250 Td (\\001\\002\\003) Tj ET "
            b"BT /F3 10 Tf 60 200 Td (AA) Tj ET" % (hexadecimal(PARTY), hexadecimal("测试 一"), hexadecimal(LEANING))
        )
        pdf.save(path)
    return path


def _differences(pdf: Pdf) -> Object:
    coded = Dictionary(Type=Name.Encoding, Differences=Array([1, Name.C, Name.a, Name.t]))
    return pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Times-Roman"), Encoding=coded, FirstChar=1,
                   LastChar=3, Widths=Array([667, 444, 278]))
    )  # fmt: skip


def _drawn(pdf: Pdf) -> Object:
    box = pdf.make_stream(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
    return pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 500, 700]),
                   FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]), CharProcs=Dictionary(A=box), FirstChar=65, LastChar=65,
                   Encoding=Dictionary(Differences=Array([65, Name.A])), Widths=Array([600]), Resources=Dictionary())
    )  # fmt: skip


def questionnaire(path: Path) -> Path:
    """A text field, a comb of six, a box to tick, two radio buttons and a list."""
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(400, 400))
        pdf.save(path)
    with edit(path) as pdf:
        for at, name in enumerate(("name", "comb", "agree", "city")):
            field(pdf, 1, name, "", (50, 340 - 40 * at, 250, 360 - 40 * at))
        fields = pdf.Root.AcroForm.Fields
        fields[1].Ff, fields[1].MaxLen = 1 << 24, 6
        for key in ("/AP", "/V"):
            del fields[2][key]
        fields[2].FT, fields[2].AP = Name.Btn, Dictionary(N=Dictionary(On=_tick(pdf), Off=_tick(pdf, b"")))
        fields[3].FT, fields[3].Ff = Name.Ch, 1 << 17
        fields[3].Opt = Array([Array([String("bj"), String("北京")]), Array([String("sh"), String("上海")])])
        radio = pdf.make_indirect(Dictionary(T=String("size"), FT=Name.Btn, Ff=1 << 15, Kids=Array([])))
        for at, state in enumerate(("Small", "Large")):
            kid = pdf.make_indirect(
                Dictionary(Type=Name.Annot, Subtype=Name.Widget, Parent=radio, AS=Name.Off, F=4,
                           Rect=Array([50 + 40 * at, 150, 70 + 40 * at, 170]),
                           AP=Dictionary(N=Dictionary({f"/{state}": _tick(pdf), "/Off": _tick(pdf, b"")})))
            )  # fmt: skip
            radio.Kids.append(kid)
            pdf.pages[0].obj.Annots.append(kid)
        fields.append(radio)
    return path


def _tick(pdf: Pdf, content: bytes = b"2 2 16 16 re f") -> Stream:
    return pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 20, 20]))
