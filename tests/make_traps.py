"""Small documents in which something is easily lost: each draws one thing that real files do and readers trip over."""

import zlib
from collections.abc import Iterable
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from tests import make
from tests.raw import RawPdf


def revised(path: Path, source: Path, marker: str, ending: bytes) -> Path:
    """`source` saved again with `marker` on its first page; `ending` stands after the newest trailer."""
    data = source.read_bytes()
    with pikepdf.open(source) as pdf:
        number, size, root = pdf.pages[0].obj.Contents.objgen[0], int(pdf.trailer.Size), pdf.Root.objgen[0]
    words = f"BT /F1 18 Tf 40 700 Td ({marker}) Tj ET".encode()
    body = b"\n%d 0 obj\n<</Length %d>>stream\n%b\nendstream\nendobj\n" % (number, len(words), words)
    before = int(data[data.rindex(b"startxref") + 9 :].split()[0])
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n" % (number, len(data) + 1)
    path.write_bytes(data + body + table + b"<</Size %d/Root %d 0 R/Prev %d>>\n" % (size, root, before) + ending)
    return path


def second_generation(path: Path) -> Path:
    """Object 4 was freed and given again: a reference to its first life leads nowhere, one to its second to words."""
    raw = RawPdf(path)
    raw.add(b"<</Type/Catalog/Pages 2 0 R>>")
    raw.add(b"<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>")
    font = b"/Resources<</Font<</F1 5 0 R>>>>/MediaBox[0 0 300 200]"
    raw.add(b"<</Type/Page/Parent 2 0 R/Contents 4 1 R%b>>" % font)
    raw.stream(b"", b"BT /F1 24 Tf 20 100 Td (second life) Tj ET")
    raw.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    raw.add(b"<</Type/Page/Parent 2 0 R/Contents 4 0 R%b>>" % font)
    raw.close(1)
    data = path.read_bytes().replace(b"4 0 obj", b"4 1 obj")
    row = b"%010d 00000 n" % raw.offsets[3]
    path.write_bytes(data.replace(row, row.replace(b"00000 n", b"00001 n")))
    return path


def drawing(path: Path, *pages: Iterable[bytes | Stream]) -> Path:
    """Pages that all have the pictures /Red and /Blue and the font /F1, each with these content streams."""
    with pikepdf.new() as pdf:
        pictures = Dictionary(Red=_picture(pdf, b"\xff\x00\x00"), Blue=_picture(pdf, b"\x00\x00\xff"))
        resources = pdf.make_indirect(Dictionary(XObject=pictures, Font=Dictionary(F1=make.helvetica(pdf))))
        for streams in pages:
            pdf.add_blank_page(page_size=(200, 200))
            pdf.pages[-1].obj.Resources = resources
            pdf.pages[-1].obj.Contents = Array([pdf.make_stream(each) for each in streams])
        pdf.save(path, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return path


def spoiled(path: Path, content: bytes, coded: str) -> Path:
    """A page whose content has bytes that do not decode, after its picture: `coded` is /FlateDecode or ASCIIHex."""
    drawing(path, [content])
    data = zlib.compress(content, 9) if coded == "FlateDecode" else content.hex().encode() + b">"
    middle = len(data) * 3 // 4
    with make.edit(path) as pdf:
        bad = data[:middle] + (b"\x00\xff\x00\xff" if coded == "FlateDecode" else b"Z") + data[middle + 4 :]
        pdf.pages[0].obj.Contents[0].write(bad, filter=Name(f"/{coded}"))
    return path


def gbk_names(path: Path) -> Path:
    """A page that calls its font and its picture by a name in GBK, as Chinese programs write: it is no UTF-8."""
    drawing(path, [b"BT /F1 24 Tf 20 100 Td (gbk name) Tj ET q 50 0 0 50 20 20 cm /Red Do Q"])
    name = "/宋体".encode("gbk")
    path.write_bytes(path.read_bytes().replace(b"/F1", name).replace(b"/Red", name))
    with pikepdf.open(path) as pdf:
        pdf.save(path.with_suffix(".whole"))
    return path.with_suffix(".whole").rename(path)


def widget_of_its_page(path: Path) -> Path:
    """Two fields whose /Parent is the page they stand on."""
    with make.edit(make.text(path, 2)) as pdf:
        for number in (1, 2):
            make.field(pdf, number, f"field-{number}", f"value-{number}")
            pdf.Root.AcroForm.Fields[-1].Parent = pdf.pages[number - 1].obj
    return path


def endless_fields(path: Path, levels: int = 40) -> Path:
    """A form whose fields name the field below them twice: 2 ** `levels` of them, in 2 KB. Poppler counts for ever."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        field = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("a")))
        for _ in range(levels):
            field = pdf.make_indirect(Dictionary(Kids=Array([field, field])))
            for kid in field.Kids:
                kid.Parent = field
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]))
        pdf.save(path)
    return path


def element_of_its_page(path: Path) -> Path:
    """A tag tree in which one element says that the page is above it."""
    with make.edit(make.text(path, 1)) as pdf:
        make.tags(pdf)
        lost = Dictionary(Type=Name.StructElem, S=Name.P, P=pdf.pages[0].obj, Pg=pdf.pages[0].obj, K=1)
        pdf.Root.StructTreeRoot.ParentTree.Nums[1].append(pdf.make_indirect(lost))
    return path


def flat_tags(path: Path, cells: int) -> Path:
    """One page whose tags are a single table of so many cells, each with a place in the content."""
    with make.edit(make.text(path, 1)) as pdf:
        page, root = pdf.pages[0].obj, pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        table = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Table, P=root))
        made = [
            pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.TD, P=table, Pg=page, K=number))
            for number in range(cells)
        ]
        table.K, root.K = Array(made), table
        root.ParentTree = pdf.make_indirect(Dictionary(Nums=Array([0, pdf.make_indirect(Array(made))])))
        page.StructParents = 0
        pdf.Root.StructTreeRoot = root
        pdf.Root.MarkInfo = Dictionary(Marked=True)
        pdf.save(path.with_suffix(".packed"), object_stream_mode=pikepdf.ObjectStreamMode.generate)
    path.with_suffix(".packed").replace(path)
    return path


def titled_tags(path: Path) -> Path:
    """Two pages below one section, whose title and the document's tell of both."""
    with make.edit(make.text(path, 2)) as pdf:
        make.tags(pdf)
        document = pdf.Root.StructTreeRoot.K[0]
        section = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Sect, P=document, K=document.K))
        for kid in document.K:
            kid.P = section
            kid.T = String(f"title of page {int(kid.Pg.StructParents) + 1}")
        section.T, document.T = String("section of page 2"), String("document of page 2")
        section.A = Array([Dictionary(O=Name.Layout), 0, pdf.make_indirect(_summary("summary of page 2"))])
        document.K = Array([section])
    return path


def _summary(words: str) -> Dictionary:
    return Dictionary(O=Name.Table, Summary=String(words), Placement=Name.Block)


def based(path: Path, base: str, address: str) -> Path:
    """A link and a bookmark to an address that counts from the document's own base."""
    with make.edit(make.text(path, 1)) as pdf:
        make.web_link(pdf, 1, address)
        make.bookmarks(pdf, [("there", 1, 0)])
        mark = pdf.Root.Outlines.First
        del mark["/Dest"]
        mark.A = Dictionary(S=Name.URI, URI=String(address))
        pdf.Root.URI = Dictionary(Base=String(base))
    return path


def _picture(pdf: Pdf, colour: bytes) -> Stream:
    entries = Dictionary(Type=Name.XObject, Subtype=Name.Image, Width=8, Height=8, BitsPerComponent=8)
    entries.ColorSpace = Name.DeviceRGB
    return pdf.make_stream(colour * 64, entries)
