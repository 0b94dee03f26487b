"""What a PDF carries besides ink: bookmarks, links, fields, notes, attachments, labels, tags.

Every function changes an open pikepdf.Pdf; pages count from 1.
"""

from collections.abc import Mapping, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, OutlineItem, Pdf, String

Rectangle = tuple[float, float, float, float]


def outline_item(pdf: Pdf, title: str, page: int) -> OutlineItem:
    """A bookmark that opens `page` at its top."""
    return OutlineItem(title, page - 1, "XYZ", left=0, top=800, zoom=0)


def bookmarks(pdf: Pdf, entries: Sequence[tuple[str, int, int]]) -> None:
    """`entries` are (title, page, level), level 0 is the top, in reading order."""
    with pdf.open_outline() as outline:
        path: list[OutlineItem] = []
        for title, page, level in entries:
            item = outline_item(pdf, title, page)
            siblings = path[level - 1].children if level else outline.root
            siblings.append(item)
            path[level:] = [item]


def destination(pdf: Pdf, name: str, page: int) -> None:
    """A named destination (name tree)."""
    if "/Names" not in pdf.Root:
        pdf.Root.Names = pdf.make_indirect(Dictionary())
    if "/Dests" not in pdf.Root.Names:
        pdf.Root.Names.Dests = pikepdf.NameTree.new(pdf).obj
    pikepdf.NameTree(pdf.Root.Names.Dests)[name] = Dictionary(D=_target(pdf, page))


def link(pdf: Pdf, page: int, to: int, box: Rectangle = (20, 20, 120, 40)) -> None:
    """A link from `page` to page `to`."""
    _annotate(pdf, page, Dictionary(Subtype=Name.Link, Rect=Array(list(box)), Dest=_target(pdf, to)))


def named_link(pdf: Pdf, page: int, name: str, box: Rectangle = (130, 20, 230, 40)) -> None:
    """A link from `page` to a named destination."""
    action = Dictionary(S=Name.GoTo, D=String(name))
    _annotate(pdf, page, Dictionary(Subtype=Name.Link, Rect=Array(list(box)), A=action))


def web_link(pdf: Pdf, page: int, address: str, box: Rectangle = (240, 20, 340, 40)) -> None:
    """A link from `page` to the web."""
    action = Dictionary(S=Name.URI, URI=String(address))
    _annotate(pdf, page, Dictionary(Subtype=Name.Link, Rect=Array(list(box)), A=action))


def note(pdf: Pdf, page: int, text: str, box: Rectangle = (20, 60, 40, 80)) -> None:
    """A sticky note with its pop-up."""
    made = _annotate(pdf, page, Dictionary(Subtype=Name.Text, Rect=Array(list(box)), Contents=String(text)))
    popup = Dictionary(Subtype=Name.Popup, Rect=Array([60, 60, 200, 120]), Parent=made)
    made.Popup = _annotate(pdf, page, popup)


def field(pdf: Pdf, page: int, name: str, value: str, box: Rectangle = (20, 90, 220, 110)) -> None:
    """A text field with its value drawn."""
    drawn = f"/Tx BMC q BT /Helv 10 Tf 2 6 Td ({value}) Tj ET Q EMC".encode("ascii", "replace")
    form = _form(pdf)
    width, height = box[2] - box[0], box[3] - box[1]
    look = pdf.make_stream(
        drawn, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, width, height]), Resources=form.DR
    )
    widget = Dictionary(
        Subtype=Name.Widget,
        FT=Name.Tx,
        T=String(name),
        V=String(value),
        DA=String("/Helv 10 Tf 0 g"),
        F=4,
        P=pdf.pages[page - 1].obj,
        Rect=Array(list(box)),
        AP=Dictionary(N=look),
    )
    form.Fields.append(_annotate(pdf, page, widget))


def attach(pdf: Pdf, name: str, data: bytes) -> None:
    """An embedded file of the document."""
    pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, data, filename=name)


def labels(pdf: Pdf, styles: Mapping[int, str]) -> None:
    """From page -> /S style (D, r, R, a, A); numbering starts again at each."""
    numbers = [part for page, style in sorted(styles.items()) for part in (page - 1, Dictionary(S=Name("/" + style)))]
    pdf.Root.PageLabels = Dictionary(Nums=Array(numbers))


def metadata(pdf: Pdf, **facts: str) -> None:
    """title, author, subject, keywords: in /Info and as XMP."""
    for key, value in facts.items():
        pdf.docinfo["/" + key.capitalize()] = value
    with pdf.open_metadata(set_pikepdf_as_editor=False) as meta:
        meta.load_from_docinfo(pdf.docinfo)


def tags(pdf: Pdf) -> None:
    """A structure tree: one Document, one P a page holding the page's whole content."""
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, RoleMap=Dictionary(Body=Name.P)))
    document = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Document, P=root))
    paragraphs = [_tagged(pdf, document, page.obj, index) for index, page in enumerate(pdf.pages)]
    document.K = Array(paragraphs)
    root.K = Array([document])
    numbers = [part for index, made in enumerate(paragraphs) for part in (index, Array([made]))]
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=Array(numbers)))
    root.ParentTreeNextKey = len(paragraphs)
    pdf.Root.StructTreeRoot = root
    pdf.Root.MarkInfo = Dictionary(Marked=True)
    pdf.Root.Lang = String("zh-CN")


def _tagged(pdf: Pdf, parent: pikepdf.Object, page: pikepdf.Object, index: int) -> pikepdf.Object:
    content = page.Contents.read_bytes() if isinstance(page.Contents, pikepdf.Stream) else b""
    page.Contents = pdf.make_stream(b"/P <</MCID 0>> BDC " + content + b" EMC")
    page.StructParents = index
    page.Tabs = Name.S
    actual = String(f"alternative text {index + 1}")
    return pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, P=parent, Pg=page, K=0, Alt=actual))


def _target(pdf: Pdf, page: int) -> Array:
    return Array([pdf.pages[page - 1].obj, Name.XYZ, 0, 800, 0])


def _annotate(pdf: Pdf, page: int, annotation: Dictionary) -> pikepdf.Object:
    annotation["/Type"] = Name.Annot
    made = pdf.make_indirect(annotation)
    target = pdf.pages[page - 1].obj
    if "/Annots" not in target:
        target.Annots = Array()
    target.Annots.append(made)
    return made


def _form(pdf: Pdf) -> pikepdf.Object:
    if "/AcroForm" not in pdf.Root:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
        pdf.Root.AcroForm = pdf.make_indirect(
            Dictionary(
                Fields=Array(),
                DA=String("/Helv 10 Tf 0 g"),
                DR=Dictionary(Font=Dictionary(Helv=pdf.make_indirect(font))),
            )
        )
    return pdf.Root.AcroForm
