"""Pieces of WordprocessingML as text, their elements in the schema's order. Lengths come in points."""

from collections.abc import Sequence

from cluster.engines.export.ooxml import attribute, clean, emu, family
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Box, Span, Style

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)


WHITE = 0xFFFFFF
#: The mark of a paragraph that a picture fills: no letter makes its line higher.
LOW_MARK = '<w:rPr><w:sz w:val="2"/><w:szCs w:val="2"/></w:rPr>'
COLUMN_BREAK = '<w:r><w:br w:type="column"/></w:r>'


def twips(points: float) -> int:
    """Twentieths of a point."""
    return round(points * 20)


def run_properties(style: Style, text: str, *, width: int = 100, more: float = 0, name: str | None = None) -> str:
    """w:rPr; `width` is percent of the letters' own, `more` what each letter has besides."""
    named = attribute(name or family(style.font))
    east = f" w:eastAsia={named}" if any(map(dense, text)) else ""
    # Said either way: a heading's style is bold by itself, that of a deep one italic.
    flags = "".join(
        f"<w:{tag}/>" if on else f'<w:{tag} w:val="0"/>' for tag, on in (("b", style.bold), ("i", style.italic))
    )
    flags += "<w:strike/>" if style.strike else ""
    wide = f'<w:spacing w:val="{twips(more)}"/>' if twips(more) else ""
    wide += f'<w:w w:val="{width}"/>' if width != 100 else ""
    size = round(style.size * 2)
    under = '<w:u w:val="single"/>' if style.underline else ""
    raised = '<w:vertAlign w:val="superscript"/>' if style.raised else ""
    return (
        f"<w:rPr><w:rFonts w:ascii={named} w:hAnsi={named}{east} w:cs={named}/>{flags}"
        f'<w:color w:val="{style.colour & 0xFFFFFF:06X}"/>{wide}'
        f'<w:sz w:val="{size}"/><w:szCs w:val="{size}"/>{under}{raised}</w:rPr>'
    )


def run(span: Span, *, width: int = 100, more: float = 0, name: str | None = None) -> str:
    """A w:r of the span's text; tabs as such."""
    parts = span.text.split("\t")
    texts = [f'<w:t xml:space="preserve">{clean(part)}</w:t>' if part else "" for part in parts]
    props = run_properties(span.style, span.text, width=width, more=more, name=name)
    return f"<w:r>{props}{'<w:tab/>'.join(texts)}</w:r>"


def field(style: Style, code: str, shown: str) -> str:
    """A field with the text that it shows until it is worked out."""
    props = run_properties(style, shown)

    def mark(kind: str) -> str:
        return f'<w:r>{props}<w:fldChar w:fldCharType="{kind}"/></w:r>'

    return (
        f'{mark("begin")}<w:r>{props}<w:instrText xml:space="preserve">{code}</w:instrText></w:r>'
        f"{mark('separate')}<w:r>{props}<w:t>{clean(shown)}</w:t></w:r>{mark('end')}"
    )


def paragraph_properties(
    *,
    style: str = "",
    page_break: bool = False,
    keep: bool | None = None,
    together: bool = False,
    frame: str = "",
    number: tuple[int, int] | None = None,
    tabs: Sequence[tuple[float, str, str]] = (),
    before: float = 0,
    after: float = 0,
    pitch: float = 0,
    left: float = 0,
    right: float = 0,
    first: float = 0,
    align: str = "left",
    marked: str = "",
    section: str = "",
    fill: int | None = None,
    border: str = "",
) -> str:
    """w:pPr; number is (numId, level), a tab (place, kind, leader), `pitch` an exact height of lines (0: their own).

    `keep`: with the next, where its style does not tell; `together`: no line alone at a page's end; `marked` is the
    w:rPr of a list's mark, `border` a side of w:pBdr.
    """
    out = [f'<w:pStyle w:val="{style}"/>'] if style else []
    out += [] if keep is None else [f'<w:keepNext w:val="{int(keep)}"/>']
    out += ["<w:pageBreakBefore/>"] if page_break else []
    out += [frame, f'<w:widowControl w:val="{int(together)}"/>']
    if number:
        out.append(f'<w:numPr><w:ilvl w:val="{number[1]}"/><w:numId w:val="{number[0]}"/></w:numPr>')
    out += [f"<w:pBdr>{border}</w:pBdr>"] if border else []
    if fill not in (None, WHITE):
        out.append(f'<w:shd w:val="clear" w:color="auto" w:fill="{fill:06X}"/>')
    if tabs:
        stops = (f'<w:tab w:val="{kind}"{leader} w:pos="{twips(place)}"/>' for place, kind, leader in tabs)
        out.append(f"<w:tabs>{''.join(stops)}</w:tabs>")
    line = f' w:line="{max(20, twips(pitch))}" w:lineRule="exact"' if pitch else ""
    out.append(f'<w:spacing w:before="{twips(before)}" w:after="{twips(after)}"{line}/>')
    hang = f'w:hanging="{twips(-first)}"' if first < 0 else f'w:firstLine="{twips(first)}"'
    out.append(f'<w:ind w:left="{twips(left)}" w:right="{twips(right)}" {hang}/>')
    out.append(f'<w:jc w:val="{align}"/>{marked}{section}')
    return f"<w:pPr>{''.join(out)}</w:pPr>"


def inline_picture(relation: str, number: int, size: tuple[float, float], text: str = "") -> str:
    """A w:r with a picture in the line; `text` is what it says."""
    width, height = size
    return (
        f'<w:r>{LOW_MARK}<w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">'
        f'<wp:extent cx="{emu(width)}" cy="{emu(height)}"/>{_named(number, text)}'
        f"{_graphic(relation, number, width, height)}</wp:inline></w:drawing></w:r>"
    )


def floating_picture(relation: str, number: int, box: Box, text: str = "", *, around: bool) -> str:
    """A w:r with a picture at that place of the page, behind the text unless that flows `around` it; as above."""
    graphic = _graphic(relation, number, box[2] - box[0], box[3] - box[1])
    wrap = '<wp:wrapSquare wrapText="bothSides"/>' if around else "<wp:wrapNone/>"
    return _anchored(number, box, graphic, wrap, text, behind=not around)


def turned_box(number: int, box: Box, paragraph: str, way: str) -> str:
    """A w:r with a box at that place of the page, whose paragraph runs upwards (`way`: vert270) or downwards (vert)."""
    size = f'cx="{emu(box[2] - box[0])}" cy="{emu(box[3] - box[1])}"'
    graphic = (
        '<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp>'
        f'<wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/><a:ln><a:noFill/></a:ln></wps:spPr>'
        f"<wps:txbx><w:txbxContent>{paragraph}</w:txbxContent></wps:txbx>"
        f'<wps:bodyPr vert="{way}" wrap="square" lIns="0" tIns="0" rIns="0" bIns="0"><a:noAutofit/></wps:bodyPr>'
        "</wps:wsp></a:graphicData></a:graphic>"
    )
    return _anchored(number, box, graphic, "<wp:wrapNone/>", behind=False)


def _anchored(number: int, box: Box, graphic: str, wrap: str, text: str = "", *, behind: bool) -> str:
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    place = '<wp:position{0} relativeFrom="page"><wp:posOffset>{1}</wp:posOffset></wp:position{0}>'
    return (
        '<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="1" '
        f'behindDoc="{int(behind)}" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>'
        f"{place.format('H', emu(left))}{place.format('V', emu(top))}"
        f'<wp:extent cx="{emu(width)}" cy="{emu(height)}"/><wp:effectExtent l="0" t="0" r="0" b="0"/>'
        f"{wrap}{_named(number, text)}{graphic}</wp:anchor></w:drawing></w:r>"
    )


def _named(number: int, text: str) -> str:
    """The picture's name, and what it says for who can't see it."""
    told = f" descr={attribute(text)}" if text else ""
    return f'<wp:docPr id="{number}" name="Picture {number}"{told}/>'


def _graphic(relation: str, number: int, width: float, height: float) -> str:
    return (
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>'
        f'<pic:nvPicPr><pic:cNvPr id="{number}" name="picture {number}"/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{emu(width)}" cy="{emu(height)}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
    )


def section(
    size: tuple[float, float],
    margins: tuple[float, float, float, float],
    *,
    references: str = "",
    columns: str = "",
    header: float = 18,
    footer: float = 18,
    new_page: bool = True,
    first_apart: bool = False,
    number: int | None = None,
    roman: str = "",
) -> str:
    """w:sectPr of that page size; margins are left, top, right, bottom; `number` is its first page's, `roman` Word's
    word for numbers written so."""
    width, height = (max(72, min(twips(side), 31680)) for side in size)
    lying = ' w:orient="landscape"' if width > height else ""
    left, top, right, bottom = (twips(max(0, margin)) for margin in margins)
    form = f' w:fmt="{roman}"' if roman else ""
    start = f' w:start="{number}"' if number is not None else ""
    numbered = f"<w:pgNumType{form}{start}/>" if form or start else ""
    return (
        f'<w:sectPr>{references}<w:type w:val="{"nextPage" if new_page else "continuous"}"/>'
        f'<w:pgSz w:w="{width}" w:h="{height}"{lying}/><w:pgMar w:top="{top}" w:right="{right}" w:bottom="{bottom}" '
        f'w:left="{left}" w:header="{twips(header)}" w:footer="{twips(footer)}" w:gutter="0"/>{numbered}'
        f"{columns}{'<w:titlePg/>' if first_apart else ''}</w:sectPr>"
    )


def columns(count: int, gap: float, uneven: Sequence[tuple[float, float]] = ()) -> str:
    """w:cols; `uneven` are the width of each and the room behind it, where they are not as wide as each other."""
    each = "".join(f'<w:col w:w="{twips(wide)}" w:space="{twips(room)}"/>' for wide, room in uneven)
    usual = f'<w:cols w:num="{count}" w:space="{twips(gap or 20)}"'
    return f'{usual} w:equalWidth="0">{each}</w:cols>' if each else f"{usual}/>"
