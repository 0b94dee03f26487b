"""Two pages that share what they can share; each word `canary-N-KIND` in it belongs to page N alone.

What a document holds of a page stands in many places: whoever takes one page out must leave all of the other's behind.
"""

import io
import struct
from pathlib import Path

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from PIL import Image

from tests import make
from tests.make_structure import bookmarks, destination, link

#: What each page has of its own.
_DRAWN = "text font glyph inner picture jpx jbig2 globals mask softmask pattern tile shading form layer membership"
_TAGGED = "property title alt actual expansion summary class id"
_AROUND = "destination old bookmark prefix field value default tooltip name attachment note thumbnail metadata"
KINDS = " ".join((_DRAWN, _TAGGED, _AROUND, "script association private")).split()


def canaries(path: Path, *, light: bool = False) -> Path:
    """`light`: the shared resources are small dictionaries without pictures, fonts or streams."""
    with make.edit(make.text(path, 2)) as pdf:
        shared = pdf.make_indirect(Dictionary())
        for number in (1, 2):
            word = f"canary-{number}-"
            more = () if light else (_membership, _font, _glyph, _pictures, _paints, _masked)
            drawn = [each(pdf, shared, word, number) for each in (_properties, *more)]
            page = pdf.pages[number - 1].obj
            page.Contents = pdf.make_stream(b"\n".join([b"%% %btext" % word.encode(), *drawn]))
            page.Resources = shared
            _around(pdf, page, word)
            _filled(pdf, number, word)
        _layers(pdf, shared)
        _structure(pdf)
        _told(pdf)
    return path


def _add(pdf: Pdf, shared: Object, kind: str, held: Object | Dictionary | Array, name: str) -> bytes:
    """Put `held` among the shared resources; how content names it."""
    if f"/{kind}" not in shared:
        shared[f"/{kind}"] = Dictionary()
    shared[f"/{kind}"][f"/{name}"] = pdf.make_indirect(held)
    return f"/{name}".encode()


def _properties(pdf: Pdf, shared: Object, word: str, number: int) -> bytes:
    """A layer and a property list."""
    layer = Dictionary(Type=Name.OCG, Name=String(word + "layer"))
    names = (
        _add(pdf, shared, "Properties", layer, f"L{number}"),
        _add(pdf, shared, "Properties", Dictionary(Word=String(word + "property")), f"P{number}"),
    )
    return b"/OC %b BDC EMC /Span %b BDC EMC" % names


def _membership(pdf: Pdf, shared: Object, word: str, number: int) -> bytes:
    """Another layer, by way of the rule that shows it."""
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(word + "membership")))
    return b"/OC %b BDC EMC" % _add(pdf, shared, "Properties", Dictionary(Type=Name.OCMD, OCGs=layer), f"M{number}")


def _font(pdf: Pdf, shared: Object, word: str, number: int) -> bytes:
    """A font of one drawn glyph."""
    font = _drawn_font(pdf, {"A": f"% {word}font".encode()}, 65)
    return b"BT %b 9 Tf (A) Tj ET" % _add(pdf, shared, "Font", font, f"F{number}")


def _glyph(pdf: Pdf, shared: Object, word: str, number: int) -> bytes:
    """One glyph of a font that both pages show, drawn with a form of that font's own."""
    fonts = shared.get("/Font", Dictionary())
    if "/Both" not in fonts:
        letters = {"AB"[n]: b"/X%d Do %% canary-%d-glyph" % (n, n + 1) for n in (0, 1)}
        both = _drawn_font(pdf, letters, 65)
        both.Resources = Dictionary(XObject={f"/X{n}": _form(pdf, f"% canary-{n + 1}-inner") for n in (0, 1)})
        _add(pdf, shared, "Font", both, "Both")
    return b"BT /Both 9 Tf (%c) Tj ET" % (64 + number)


def _drawn_font(pdf: Pdf, letters: dict[str, bytes], first: int) -> Dictionary:
    drawings = {f"/{name}": pdf.make_stream(b"1000 0 d0 " + drawing) for name, drawing in letters.items()}
    font = Dictionary(Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 9, 9]), CharProcs=drawings)
    font.FirstChar, font.LastChar, font.Widths = first, first + len(letters) - 1, Array([1000] * len(letters))
    font.FontMatrix = Array([0.001, 0, 0, 0.001, 0, 0])
    font.Encoding = Dictionary(Differences=Array([first, *(Name(f"/{name}") for name in letters)]))
    return font


def _pictures(pdf: Pdf, shared: Object, word: str, number: int) -> bytes:
    """A plain one with a soft mask, JPEG 2000 with a comment, and JBIG2 with its globals."""
    plain = _picture(pdf, (word + "picture ").encode().ljust(768, b"."), Name.DeviceRGB)
    plain.SMask = _picture(pdf, (word + "mask ").encode().ljust(256, b"."), Name.DeviceGray)
    drawing = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(drawing, "JPEG2000", comment=(word + "jpx").encode())
    jpx = _picture(pdf, drawing.getvalue(), Name.DeviceRGB, Filter=Name.JPXDecode)
    known = pdf.make_stream(_comment(0, word + "globals"))
    page = struct.pack(">IBBI", 1, 48, 1, 19) + struct.pack(">IIIIBH", 16, 16, 0, 0, 0, 0)
    bitonal = _picture(pdf, page + _comment(2, word + "jbig2"), Name.DeviceGray, Filter=Name.JBIG2Decode)
    bitonal.BitsPerComponent, bitonal.DecodeParms = 1, Dictionary(JBIG2Globals=known)
    named = zip("ABC", (plain, jpx, bitonal), strict=True)
    return b"".join(b"%b Do " % _add(pdf, shared, "XObject", each, f"I{kind}{number}") for kind, each in named)


def _picture(pdf: Pdf, data: bytes, space: Name, **more: object) -> Stream:
    picture = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Image, Width=16, Height=16, BitsPerComponent=8)
    picture.ColorSpace = space
    for key, value in more.items():
        picture[f"/{key}"] = value
    return picture


def _comment(segment: int, text: str) -> bytes:
    """A segment of JBIG2 that says something and draws nothing."""
    told = struct.pack(">I", 0x20000000) + b"by\0" + text.encode() + b"\0\0"
    return struct.pack(">IBBI", segment, 62, 1 if segment else 0, len(told)) + told


def _paints(pdf: Pdf, shared: Object, word: str, number: int) -> bytes:
    """A tiling pattern with a form of its own, and a shading whose function is a table."""
    tile = pdf.make_stream(f"/X Do % {word}pattern".encode(), PatternType=1, PaintType=1, TilingType=1)
    inner = _form(pdf, f"% {word}tile")
    tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 9, 9]), 9, 9
    tile.Resources = Dictionary(XObject=Dictionary(X=inner))
    table = pdf.make_stream(f"{word}shading".encode().ljust(32, b"."), FunctionType=0, BitsPerSample=8)
    table.Domain, table.Range, table.Size = Array([0, 1]), Array([0, 1]), Array([32])
    shade = Dictionary(ShadingType=2, ColorSpace=Name.DeviceGray, Coords=Array([0, 0, 9, 9]), Function=table)
    names = _add(pdf, shared, "Pattern", tile, f"T{number}"), _add(pdf, shared, "Shading", shade, f"S{number}")
    return b"/Pattern cs %b scn 0 0 9 9 re f %b sh" % names


def _form(pdf: Pdf, content: str) -> Stream:
    form = pdf.make_stream(content.encode(), Type=Name.XObject, Subtype=Name.Form)
    form.BBox, form.Resources = Array([0, 0, 9, 9]), Dictionary()
    return form


def _masked(pdf: Pdf, shared: Object, word: str, number: int) -> bytes:
    """A form, and what is drawn through a mask of luminosity."""
    group = _form(pdf, f"% {word}softmask")
    group.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    mask = Dictionary(SMask=Dictionary(Type=Name.Mask, S=Name.Luminosity, G=group))
    form = _add(pdf, shared, "XObject", _form(pdf, f"% {word}form"), f"X{number}")
    return b"%b gs %b Do" % (_add(pdf, shared, "ExtGState", mask, f"G{number}"), form)


def _around(pdf: Pdf, page: Object, word: str) -> None:
    """What hangs on the page beside its content."""
    spec = Dictionary(Type=Name.Filespec, F=String(word + "name"))
    spec.EF = Dictionary(F=pdf.make_stream((word + "attachment").encode(), Type=Name.EmbeddedFile))
    note = Dictionary(Type=Name.Annot, Subtype=Name.FileAttachment, Rect=Array([0, 0, 9, 9]), FS=spec)
    note.Contents = String(word + "note")
    page.Annots = pdf.make_indirect(Array([pdf.make_indirect(note)]))
    page.Thumb = _picture(pdf, (word + "thumbnail ").encode().ljust(768, b"."), Name.DeviceRGB)
    page.Metadata = pdf.make_stream((word + "metadata").encode(), Type=Name.Metadata, Subtype=Name.XML)
    page.AA = Dictionary(O=Dictionary(S=Name.JavaScript, JS=String(word + "script")))
    other = Dictionary(Type=Name.Filespec, F=String("a"), EF=Dictionary(F=pdf.make_stream(b"a")))
    other.Desc = String(word + "association")
    page.AF = Array([pdf.make_indirect(other)])
    page.PieceInfo = Dictionary(Own=Dictionary(Private=pdf.make_stream((word + "private").encode())))


def _filled(pdf: Pdf, number: int, word: str) -> None:
    """A field, and all that leads to the page."""
    make.field(pdf, number, word + "field", word + "value")
    field = pdf.Root.AcroForm.Fields[-1]
    field.DV, field.TU = String(word + "default"), String(word + "tooltip")
    destination(pdf, word + "destination", number)
    link(pdf, number, 3 - number)


def _layers(pdf: Pdf, shared: Object) -> None:
    """Layers in every list that can name them."""
    held = shared.Properties
    layers = [each for n in (1, 2) for each in _layers_of(held, n)]
    pdf.Root.OCProperties = Dictionary(OCGs=Array(layers), D=Dictionary())
    shown = pdf.Root.OCProperties.D
    for key in ("/ON", "/Order", "/Locked"):
        shown[key] = Array(layers)
    shown.RBGroups = Array([Array(layers)])
    shown.AS = Array([Dictionary(Event=Name.View, OCGs=Array(layers), Category=Array([Name.View]))])


def _layers_of(properties: Object, number: int) -> list[Object]:
    membership = properties.get(f"/M{number}")
    return [properties[f"/L{number}"], *([membership.OCGs] if membership else [])]


def _structure(pdf: Pdf) -> None:
    """A section a page with a paragraph in it, both with words of their own."""
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, ClassMap=Dictionary()))
    sections, parents, ids = [], Array(), Array()
    for index, page in enumerate(pdf.pages):
        word = f"canary-{index + 1}-"
        section = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Sect, P=root, T=String(word + "title")))
        text = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, P=section, Pg=page.obj, K=0))
        text.Alt, text.ActualText, text.E = (String(word + each) for each in ("alt", "actual", "expansion"))
        text.ID, text.C = String(word + "id"), Name(f"/C{index}")
        text.A = Dictionary(O=Name.Table, Summary=String(word + "summary"))
        root.ClassMap[f"/C{index}"] = Dictionary(O=Name.Table, Summary=String(word + "class"))
        page.obj.StructParents, section.K = index, Array([text])
        page.obj.Contents.write(b"/P <</MCID 0>> BDC\n" + page.obj.Contents.read_bytes() + b"\nEMC")
        sections.append(section)
        ids.extend([text.ID, text])
        parents.extend([index, Array([text])])
    root.K, root.ParentTree, root.IDTree = Array(sections), Dictionary(Nums=parents), Dictionary(Names=ids)
    pdf.Root.StructTreeRoot = pdf.make_indirect(root)


def _told(pdf: Pdf) -> None:
    """Bookmarks, old names and labels."""
    bookmarks(pdf, [(f"canary-{number}-bookmark", number, 0) for number in (1, 2)])
    pages = [page.obj for page in pdf.pages]
    pdf.Root.Dests = Dictionary({f"/canary-{n}-old": Array([page, Name.Fit]) for n, page in enumerate(pages, 1)})
    labels = [part for n in (1, 2) for part in (n - 1, Dictionary(S=Name.D, P=String(f"canary-{n}-prefix")))]
    pdf.Root.PageLabels = Dictionary(Nums=Array(labels))
