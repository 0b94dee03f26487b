"""Documents whose pages share resources: what splitting must take apart."""

from pathlib import Path

from pikepdf import Array, Dictionary, Name, Object, Pdf

from tests.make_chinese import chinese_font, hexadecimal
from tests.make_scan import jpeg_bytes


def shared(path: Path, pages: int = 6) -> Path:
    """One /Resources for all pages, inherited from the page tree, with a font, a picture and a form for each page.

    Page n uses font Fn, picture Imn and form Fmn; form Fmn draws picture Gn from its own shared
    /Resources. The bytes of what belongs to page n hold `only-page-n.` (also inside pictures).
    """
    with Pdf.new() as pdf:
        numbers = range(1, pages + 1)
        inner = pdf.make_indirect(
            Dictionary(XObject=Dictionary({f"/G{n}": _picture(pdf, n, "inner") for n in numbers}))
        )
        forms = {f"/Fm{n}": _form(pdf, n, inner) for n in numbers}
        pictures = {f"/Im{n}": _picture(pdf, n, "outer") for n in numbers}
        fonts = {f"/F{n}": chinese_font(pdf, f"AAAAA{chr(64 + n % 26)}+only-page-{n}.") for n in numbers}
        common = Dictionary(Font=Dictionary(fonts), XObject=Dictionary(pictures | forms))
        for number in numbers:
            pdf.add_blank_page(page_size=(595, 842))
            page = pdf.pages[-1].obj
            del page["/Resources"]
            page.Contents = pdf.make_stream(_content(number))
        pdf.Root.Pages.Resources = pdf.make_indirect(common)
        pdf.save(path)
    return path


def _content(number: int) -> bytes:
    return b"BT /F%d 20 Tf 40 780 Td %b Tj ET q 100 0 0 150 40 500 cm /Im%d Do Q q /Fm%d Do Q %% only-page-%d." % (
        number,
        hexadecimal(f"第 {number} 页"),
        number,
        number,
        number,
    )


def _picture(pdf: Pdf, number: int, place: str) -> Object:
    comment = f"{place} only-page-{number}.".encode()
    jpeg = jpeg_bytes(f"{place} {number}", (200, 300))
    # The comment segment makes the bytes of this picture findable wherever they are copied.
    marked = jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]
    image = pdf.make_stream(
        b"",
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=200,
        Height=300,
        ColorSpace=Name.DeviceRGB,
        BitsPerComponent=8,
    )
    image.write(marked, filter=Name.DCTDecode)
    return image


def _form(pdf: Pdf, number: int, resources: Object) -> Object:
    return pdf.make_stream(
        b"q 100 0 0 150 0 0 cm /G%d Do Q %% only-page-%d." % (number, number),
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, 100, 150]),
        Matrix=Array([1, 0, 0, 1, 200, 500]),
        Resources=resources,
    )
