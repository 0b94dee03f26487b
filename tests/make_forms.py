"""Forms, layers and destinations of the kinds that meet when documents are joined."""

from collections.abc import Callable
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from tests.make import edit, text
from tests.make_structure import field


def form(path: Path, names: list[str], *, value: str = "10", font: Name = Name.Helvetica, pages: int = 1) -> Path:
    """A form of text fields on page 1 (the next ones further down, then on page 2 …) in the font /Helv = `font`.

    The field `total`, when there is one, is computed from the others by a script that names them.
    """
    with edit(text(path, pages)) as pdf:
        for index, name in enumerate(names):
            page = 1 + index * pages // len(names)
            field(pdf, page, name, value, (300, 90 + 30 * index, 500, 110 + 30 * index))
        fields = pdf.Root.AcroForm.Fields
        pdf.Root.AcroForm.DR.Font.Helv.BaseFont = font
        if "total" in names:
            script = f'event.value = this.getField("{names[0]}").value * 2; var other = "{names[0]}er";'
            total = fields[names.index("total")]
            total.AA = Dictionary(C=Dictionary(S=Name.JavaScript, JS=String(script)))
            pdf.Root.AcroForm.CO = Array([total])
    return path


def nested(path: Path, value: str) -> Path:
    """`person.name` and `person.age` below one parent, on one page."""
    with edit(form(path, ["name", "age"], value=value)) as pdf:
        kids = list(pdf.Root.AcroForm.Fields)
        parent = pdf.make_indirect(Dictionary(T=String("person"), FT=Name.Tx, Kids=Array(kids)))
        for kid in kids:
            kid.Parent = parent
        pdf.Root.AcroForm.Fields = Array([parent])
    return path


def signed(path: Path) -> Path:
    """A document with a signature field that holds a (worthless) signature."""
    with edit(form(path, ["signature"])) as pdf:
        it = pdf.Root.AcroForm.Fields[0]
        it.FT = Name.Sig
        it.V = pdf.make_indirect(
            Dictionary(Type=Name.Sig, ByteRange=Array([0, 1, 2, 3]), Contents=String("signed-marker"))
        )
        pdf.Root.AcroForm.SigFlags = 3
    return path


def chinese_field(path: Path, value: str) -> Path:
    """A text field whose look the reader has to draw."""
    with edit(form(path, ["姓名"])) as pdf:
        it = pdf.Root.AcroForm.Fields[0]
        it.V = String(value)
        del it["/AP"]
        pdf.Root.AcroForm.NeedAppearances = True
    return path


def asking(path: Path, *values: str) -> Path:
    """Fields in red frames, their values to the left, in the middle and to the right: readers have to draw them all."""
    with edit(form(path, [f"asking{number}" for number in range(len(values))])) as pdf:
        for number, (it, value) in enumerate(zip(pdf.Root.AcroForm.Fields, values, strict=True)):
            it.V, it.Q, it.DA = String(value), number % 3, String("/Helv 11 Tf 0 0 1 rg")
            it.MK = Dictionary(BC=Array([1, 0, 0]), BG=Array([1, 1, 0.8]))
            if "/AP" in it:
                del it.AP
        pdf.Root.AcroForm.NeedAppearances = True
    return path


def layers(path: Path, hidden: str, shown: str, colour: str = "1 0 0") -> Path:
    """Two layers, one of them hidden: it would fill the page with `colour`."""
    with edit(text(path, 1)) as pdf:
        groups = [pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(name))) for name in (hidden, shown)]
        page = pdf.pages[0]
        page.obj.Resources.Properties = Dictionary(L0=groups[0], L1=groups[1])
        drawn = f"/OC /L0 BDC {colour} rg 0 0 600 850 re f EMC /OC /L1 BDC 0 0 1 rg 100 100 50 50 re f EMC"
        page.contents_add(drawn.encode())
        pdf.Root.OCProperties = Dictionary(
            OCGs=Array(groups), D=Dictionary(ON=Array(groups[1:]), OFF=Array(groups[:1]), Order=Array(groups))
        )
    return path


def old_destinations(path: Path, name: str, page: int, pages: int = 3) -> Path:
    """A destination named by a name object (PDF 1.1), a link and a bookmark that go there by action."""
    with edit(text(path, pages)) as pdf:
        target = Array([pdf.pages[page - 1].obj, Name.XYZ, 0, 700, 0])
        pdf.Root.Dests = pdf.make_indirect(Dictionary({f"/{name}": target}))
        action = Dictionary(S=Name.GoTo, D=Name(f"/{name}"))
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([10, 10, 50, 50]), A=action)
        pdf.pages[0].obj.Annots = Array([pdf.make_indirect(link)])
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("by action", action=action))
    return path


def goto_links(path: Path, name: str, page: int, pages: int = 3) -> Path:
    """A named destination and two actions that go there: one of a link, one of a page; and one into another file."""
    with edit(text(path, pages)) as pdf:
        target = Array([pdf.pages[page - 1].obj, Name.XYZ, 0, 700, 0])
        pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([String(name), target])))
        here = Dictionary(S=Name.GoTo, D=String(name))
        there = Dictionary(S=Name.GoToR, D=String(name), F=String("other.pdf"))
        pdf.pages[0].obj.Annots = Array([_link(pdf, here), _link(pdf, there)])
        pdf.pages[0].obj.AA = Dictionary(O=pdf.make_indirect(here))
    return path


def outline_loop(path: Path) -> Path:
    """Bookmarks that follow one another in a circle."""
    with edit(text(path, 2)) as pdf:
        one, two = (pdf.make_indirect(Dictionary(Title=String(title))) for title in ("one", "two"))
        one.Next, two.Next, two.First = two, one, one
        pdf.Root.Outlines = pdf.make_indirect(Dictionary(Type=Name.Outlines, First=one, Last=two, Count=2))
    return path


def inherited(path: Path, degrees: int) -> Path:
    """Two pages whose /Rotate, /MediaBox and /Resources stand on the page tree's root."""
    with edit(text(path, 2)) as pdf:
        root = pdf.Root.Pages
        root.Rotate, root.MediaBox, root.Resources = degrees, Array([0, 0, 400, 600]), pdf.pages[0].obj.Resources
        for page in pdf.pages:
            for key in ("/MediaBox", "/Resources"):
                del page.obj[key]
    return path


def page_streams(path: Path, change: Callable[[Pdf, Object], None]) -> Path:
    """A text document with `change` made to each page."""
    with edit(text(path, 2)) as pdf:
        for page in pdf.pages:
            change(pdf, page.obj)
    return path


def picture_of(pdf: Pdf, data: bytes) -> Stream:
    """A grey picture of raw samples, 100 wide."""
    return pdf.make_stream(
        data,
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=100,
        Height=len(data) // 100,
        ColorSpace=Name.DeviceGray,
        BitsPerComponent=8,
    )


def _link(pdf: Pdf, action: Object) -> Object:
    return pdf.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([10, 10, 50, 50]), A=action))


def xfa(path: Path) -> Path:
    """A form of two fields on page 1 of 2 that is an XFA form too, in four packets as Designer writes them."""
    template = b"""<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1" layout="tb">
<field name="name"><ui><textEdit/></ui></field><field name="city"><ui><textEdit/></ui></field></subform></template>"""
    data = b"""<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1>
<name>10</name><city>10</city></form1></xfa:data></xfa:datasets>"""
    packets = {
        "preamble": b'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">',
        "template": template,
        "datasets": data,
        "postamble": b"</xdp:xdp>",
    }
    with edit(form(path, ["name", "city"], pages=2)) as pdf:
        listed = [each for name, words in packets.items() for each in (String(name), pdf.make_stream(words))]
        pdf.Root.AcroForm.XFA = Array(listed)
    return path
