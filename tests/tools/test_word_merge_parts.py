"""Word merge: what lies beside the text comes along whole, and the result holds to the schemas."""

import re
from pathlib import Path

import pytest

from cluster.engines.office import package
from tests import look, make_office
from tests.make_office import OFFICE, docx, paragraph
from tests.tools.test_word_merge import merge, part, pdf
from tests.valid import faults

pytestmark = pytest.mark.usefixtures("office_engine")
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = f'xmlns:r="{OFFICE}"'
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/"
_NEWER = (
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="w14"'
)
_KINDS = {
    "/word/charts/chart1.xml": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    "/customXml/itemProps1.xml": "application/vnd.openxmlformats-officedocument.customXmlProperties+xml",
}
_STORE = "{11111111-2222-3333-4444-555555555555}"
_CHART = (
    f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{_DRAWING}wordprocessingDrawing"><wp:extent cx="3600000" cy="1800000"/>'
    f'<wp:docPr id="1" name="c"/><a:graphic xmlns:a="{_DRAWING}main"><a:graphicData uri="{_DRAWING}chart">'
    f'<c:chart xmlns:c="{_DRAWING}chart" r:id="chart"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
)
_BARS = (
    f'<c:chartSpace xmlns:c="{_DRAWING}chart" {_R}><c:chart><c:plotArea><c:barChart><c:barDir val="col"/>'
    '<c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numLit><c:ptCount val="1"/><c:pt idx="0"><c:v>7</c:v></c:pt>'
    '</c:numLit></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/>'
    '<c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:axPos val="l"/>'
    '<c:crossAx val="1"/></c:valAx></c:plotArea></c:chart><c:externalData r:id="data"/></c:chartSpace>'
)
_OBJECT = (
    '<w:p><w:r><w:object><v:shape xmlns:v="urn:schemas-microsoft-com:vml" id="s" style="width:50pt;height:50pt"/>'
    '<o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Embed" ProgID="Package" '
    'ShapeID="s" DrawAspect="Content" ObjectID="_1" r:id="object"/></w:object></w:r></w:p>'
)
_CONTROL = (
    '<w:sdt><w:sdtPr><w:id w:val="77"/><w:dataBinding w:xpath="/a" '
    f'w:storeItemID="{_STORE}"/><w:text/></w:sdtPr><w:sdtContent>TEXT</w:sdtContent></w:sdt>'
)
_STYLES = (
    f'<w:styles {_W} {_NEWER}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial"/><w:sz w:val="{{}}"/>'
    '</w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal">'
    '<w:name w:val="Normal"/><w:rPr><w:spacing w:val="2"/><w:shd w:val="clear" w:fill="FFFF00"/>'
    '<w14:ligatures w14:val="all"/></w:rPr></w:style></w:styles>'
)


def rich(path: Path, word: str, size: int) -> Path:
    """A chart with its workbook, an embedded object, and a control that is bound to data."""
    named = {"chart": ("chart", "charts/chart1.xml"), "object": ("package", "embeddings/o.bin"),
             "data": ("customXml", "../customXml/item1.xml")}  # fmt: skip
    relations = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{to}"/>' for name, (kind, to) in named.items()
    )
    types = (
        make_office.types_of("/word/document.xml")
        .decode()
        .replace("ms-office.vbaProject", "openxmlformats-officedocument.oleObject")
    )
    kinds = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in _KINDS.items())
    properties = "http://schemas.openxmlformats.org/officeDocument/2006/customXml"
    parts = {
        "[Content_Types].xml": types.replace("</Types>", f"{kinds}</Types>").encode(),
        "word/styles.xml": _STYLES.format(size).encode(),
        "word/charts/chart1.xml": _BARS.encode(),
        "word/charts/_rels/chart1.xml.rels": related("data", "package", "../embeddings/book.bin"),
        "word/embeddings/book.bin": f"book {word}".encode(),
        "word/embeddings/o.bin": f"object {word}".encode(),
        "customXml/item1.xml": f"<a>{word}</a>".encode(),
        "customXml/_rels/item1.xml.rels": related("p", "customXmlProps", "itemProps1.xml"),
        "customXml/itemProps1.xml": f'<ds:datastoreItem ds:itemID="{_STORE}" xmlns:ds="{properties}"/>'.encode(),
    }
    return docx(path, _CHART + _OBJECT + _CONTROL.replace("TEXT", paragraph(word)), relations=relations, parts=parts)


def related(name: str, kind: str, target: str) -> bytes:
    room = "http://schemas.openxmlformats.org/package/2006/relationships"
    told = f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{room}">{told}</Relationships>'.encode()


def beside(path: Path) -> list[list[bytes]]:
    """What lies behind each chart, object and piece of data that the document refers to, sorted by kind."""
    whole = package.read(path)
    held = whole.relations[whole.main].values()
    charts = [each.target for each in held if each.kind == "chart"]
    books = [whole.parts[each.target] for chart in charts for each in whole.relations[chart].values()]
    return [books] + [
        [whole.parts[each.target] for each in held if each.kind == kind] for kind in ("package", "customXml")
    ]


def stores(path: Path) -> list[str]:
    """The ids of the data that a document holds for its controls."""
    whole = package.read(path)
    parts = [
        whole.parts[name].decode() for name, kind in whole.types.items() if kind == _KINDS["/customXml/itemProps1.xml"]
    ]
    return [re.findall(r'itemID="([^"]+)"', each)[0] for each in parts]


def test_charts_objects_and_bound_controls_come_along(tmp_path: Path) -> None:
    files = [rich(tmp_path / "a.docx", "one", 22), rich(tmp_path / "b.docx", "two", 30)]
    made = merge(*files).path
    assert beside(made) == [[b"book one", b"book two"], [b"object one", b"object two"], [b"<a>one</a>", b"<a>two</a>"]]
    whole, alone = pdf(made), [pdf(path) for path in files]
    assert all(look.looks_like(own, whole, 1, page) >= 0.98 for page, own in enumerate(alone, 1))
    text = part(made, "word/document.xml")
    assert text.count('<w:id w:val="77"/>') == 1
    bound = re.findall(r'w:storeItemID="([^"]+)"', text)
    assert len(set(bound)) == 2 and bound == stores(made)
    assert faults(made) == []


def test_nothing_refers_to_what_is_not_there(tmp_path: Path) -> None:
    address = "http://127.0.0.1:9/x.png"
    linked = [make_office.linked_picture(tmp_path / f"{name}.docx", address) for name in ("a", "b")]
    made = merge(linked[0], make_office.commented(tmp_path / "c.docx"), linked[1])
    assert made.noted("remote_blocked") is not None
    assert "r:link" not in part(made.path, "word/document.xml")
    assert faults(made.path) == []


def test_newer_words_styles_come_into_an_older_file(tmp_path: Path) -> None:
    made = merge(docx(tmp_path / "old.docx", ("old",)), rich(tmp_path / "new.docx", "new", 30)).path
    assert 'Ignorable="w14"' in part(made, "word/styles.xml")
    assert faults(made) == []


def test_what_stands_in_a_header_has_ids_of_its_own(tmp_path: Path) -> None:
    header = f"<w:hdr {_W} {_R}>{_CHART}{_CONTROL.replace('TEXT', paragraph('head'))}</w:hdr>"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"
    types = make_office.types_of("/word/document.xml").decode()
    first = docx(
        tmp_path / "a.docx",
        paragraph("text") + '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>',
        relations=f'<Relationship Id="h" Type="{OFFICE}/header" Target="h.xml"/>',
        parts={
            "[Content_Types].xml": types.replace(
                "</Types>", f'<Override PartName="/word/h.xml" ContentType="{kind}"/></Types>'
            ).encode(),
            "word/h.xml": header.encode(),
            "word/_rels/h.xml.rels": related("chart", "chart", "charts/chart1.xml"),
            "word/charts/chart1.xml": _BARS.replace('<c:externalData r:id="data"/>', "").encode(),
        },
    )
    made = merge(first, rich(tmp_path / "b.docx", "word", 30)).path
    for wanted in (r'<wp:docPr id="(\d+)"', r'<w:sdtPr><w:id w:val="(\d+)"'):
        ids = [re.findall(wanted, part(made, name)) for name in ("word/document.xml", "word/h.xml")]
        assert [len(each) for each in ids] == [1, 1] and ids[0] != ids[1]
    assert faults(made) == []
