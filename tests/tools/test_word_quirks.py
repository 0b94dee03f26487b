"""Word to PDF: what LibreOffice reads otherwise than Word does comes out as Word shows it."""

from pathlib import Path

import numpy
import pymupdf
import pypdfium2
import pytest

from tests import look
from tests.make_office import OFFICE, docx
from tests.running import run_tool
from tests.tools.test_word_merge import merge
from tests.valid import faults

pytestmark = pytest.mark.usefixtures("office_engine")
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_SECTION = (
    '<w:sectPr><w:pgSz w:w="9000" w:h="6000"/><w:pgMar w:top="1000" w:right="900" w:bottom="1000" w:left="900" '
    'w:header="500" w:footer="500" w:gutter="0"/></w:sectPr>'
)
_SET = f'<Relationship Id="s" Type="{OFFICE}/settings" Target="settings.xml"/>'
_MODE = (
    '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" '
    'w:val="{}"/></w:compat>'
)
_LINES = "".join(
    f'<w:{{0}} w:type="{kind}" w:id="{n}"><w:p><w:r><w:{kind}/></w:r></w:p></w:{{0}}>'
    for n, kind in enumerate(("separator", "continuationSeparator"))
)


def text(words: str, box: str = "", look_: str = "", more: str = "") -> str:
    return f"<w:p><w:pPr>{box}</w:pPr><w:r><w:rPr>{look_}</w:rPr><w:t>{words}</w:t></w:r>{more}</w:p>"


def table(*rows: str) -> str:
    grid = '<w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="3000"/></w:tblGrid>'
    return f'<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="dxa"/></w:tblPr>{grid}{"".join(rows)}</w:tbl>'


def row(content: str, box: str = "", span: int = 2) -> str:
    cell = f'<w:tcPr><w:tcW w:w="{1000 + 2000 * span}" w:type="dxa"/><w:gridSpan w:val="{span}"/></w:tcPr>{content}'
    return f"<w:tr><w:trPr>{box}</w:trPr><w:tc>{cell}</w:tc></w:tr>"


def settings(content: str) -> dict[str, bytes]:
    return {"word/settings.xml": f"<w:settings {_W}>{content}</w:settings>".encode()}


def noted(path: Path, body: str, kind: str = "footnote", place: str = "") -> Path:
    """A document whose body has the notes 2, 3 …; `place` is where its endnotes stand."""
    notes = "".join(f'<w:{kind} w:id="{n}">{text(f"note{n}")}</w:{kind}>' for n in (2, 3))
    parts = {f"word/{kind}s.xml": f"<w:{kind}s {_W}>{_LINES.format(kind)}{notes}</w:{kind}s>".encode()}
    relations = f'<Relationship Id="n" Type="{OFFICE}/{kind}s" Target="{kind}s.xml"/>'
    if place:
        parts |= settings(f'<w:endnotePr><w:pos w:val="{place}"/></w:endnotePr>')
        relations += _SET
    return docx(path, body, relations=relations, parts=parts)


def reference(number: int, kind: str = "endnote") -> str:
    return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'


def section(width: int = 9000, more: str = "") -> str:
    return _SECTION.replace("9000", str(width)).replace("</w:sectPr>", f"{more}</w:sectPr>")


def drawn(path: Path) -> Path:
    return run_tool("word_to_pdf", path.parent / f"run {path.stem}", [path]).path


def spans(path: Path) -> list[tuple[str, float, str]]:
    """The pieces of the first page: words, size, font."""
    with pymupdf.open(path) as document:
        blocks = document[0].get_text("dict")["blocks"]
    lines = [line for block in blocks for line in block["lines"]]
    return [(each["text"], each["size"], each["font"]) for line in lines for each in line["spans"]]


def top_of(path: Path, words: str, page: int = 1) -> float:
    """How far above the foot of its page the first of the words stands, in points."""
    with pypdfium2.PdfDocument(path) as document:
        sheet = document[page - 1].get_textpage()
        found = sheet.search(words).get_next()
        assert found, f"no {words} on page {page}"
        return float(sheet.get_charbox(found[0])[3])


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
@pytest.mark.parametrize("box", ["", "<w:pageBreakBefore/>"])
def test_nothing_stands_above_a_table_that_begins_a_text_with_notes(tmp_path: Path, kind: str, box: str) -> None:
    body = table(row(text("cell", box))) + text("noted", more=reference(2, kind)) + _SECTION
    plain = docx(tmp_path / "plain.docx", table(row(text("cell"))) + text("noted") + _SECTION)
    made = drawn(noted(tmp_path / "noted.docx", body, kind))
    assert top_of(made, "cell") == pytest.approx(top_of(drawn(plain), "cell"), abs=0.2)
    assert "note2" in "".join(look.texts_of(made))


def test_a_last_empty_paragraph_is_as_low_as_it_says(tmp_path: Path) -> None:
    """The table leaves eight points of the page."""
    full = table(row(text("cell"), '<w:trHeight w:val="3840" w:hRule="exact"/>'))
    empty = '<w:p><w:pPr><w:rPr><w:sz w:val="{}"/></w:rPr></w:pPr></w:p>'
    counts = [
        look.page_count(drawn(docx(tmp_path / f"{size}.docx", full + empty.format(size) + _SECTION)))
        for size in (8, 40)
    ]
    assert counts == [1, 2]


def test_a_gap_in_a_table_is_no_higher_than_its_row(tmp_path: Path) -> None:
    tiny = text("tiny", look_='<w:sz w:val="8"/>')
    gap = '<w:grid{0} w:val="1"/><w:w{0} w:w="2000" w:type="dxa"/>'
    bodies = {side: table(row(tiny, gap.format(side), 1)) + text("below") for side in ("Before", "After")}
    bodies["none"] = table(row(tiny)) + text("below")
    tops = {
        name: top_of(drawn(docx(tmp_path / f"{name}.docx", body + _SECTION)), "below") for name, body in bodies.items()
    }
    assert tops == pytest.approx(dict.fromkeys(tops, tops["none"]), abs=0.2)


def test_endnotes_stand_right_behind_the_text(tmp_path: Path) -> None:
    """Though its pages differ in width."""
    body = text("first", more=reference(2)) + text("end", section()) + text("last", more=reference(3)) + section(12000)
    made = drawn(noted(tmp_path / "a.docx", body, "endnote"))
    assert look.sizes_of(made) == [(450, 300), (600, 300)]
    assert 0 < top_of(made, "last", 2) - top_of(made, "note2", 2) < 30
    assert top_of(made, "note3", 2)


@pytest.mark.parametrize("begin", ["", table(row(text("cell"))), text("broken", "<w:pageBreakBefore/>")])
@pytest.mark.parametrize("end", [text("end", section()), f"<w:p><w:pPr>{section()}</w:pPr></w:p>"])
@pytest.mark.parametrize("long", ["", text("line") * 12, table(row(text("cell")))])
def test_endnotes_stand_behind_their_section(tmp_path: Path, begin: str, end: str, long: str) -> None:
    """Though the next begins otherwise, and they may have no room on its last page."""
    body = begin + text("first", more=reference(2)) + long + end + begin + text("last", more=reference(3))
    made = drawn(noted(tmp_path / "a.docx", body + section(12000), "endnote", "sectEnd"))
    (*_, before, after), sizes = look.texts_of(made), look.sizes_of(made)
    assert "note2" in before
    assert "note3" in after
    assert sizes == [(450, 300)] * (len(sizes) - 1) + [(600, 300)]
    assert len(sizes) <= 3


def test_endnotes_stay_where_columns_begin(tmp_path: Path) -> None:
    """In such a text they would stand on two pages."""
    columns = '<w:type w:val="continuous"/><w:cols w:num="2" w:space="200"/>'
    body = text("first", more=reference(2)) + text("end", section()) + text("line") * 20
    made = drawn(noted(tmp_path / "a.docx", body + text("last", more=reference(3)) + section(9000, columns), "endnote"))
    assert sum("note2" in each and "note3" in each for each in look.texts_of(made)) == 1


@pytest.mark.parametrize("setup", ["keep", "first"])
def test_endnotes_of_merged_files_stay_behind_their_own(tmp_path: Path, setup: str) -> None:
    two = text("first", more=reference(2)) + text("end", section()) + text("last", more=reference(3)) + section(12000)
    files = [noted(tmp_path / f"{n}.docx", two, "endnote") for n in "ab"]
    merged = merge(*files, docx(tmp_path / "c.docx", text("plain") + _SECTION), setup=setup).path
    found = [[f"note{n}" in each for n in (2, 3)] for each in look.texts_of(drawn(merged))]
    assert found == [[False, False], [True, True]] * 2 + [[False, False]]
    assert set(faults(merged)) <= set(faults(files[0]))


@pytest.mark.parametrize("mode", [12, 14, 15])
@pytest.mark.parametrize(
    ("leader", "line", "behind"),
    [("none", '<w:u w:val="single"/>', ""), ("dot", "", ""), ("none", '<w:u w:val="single"/>', "  ")],
)
def test_a_line_to_write_on_in_a_cell(tmp_path: Path, mode: int, leader: str, line: str, behind: str) -> None:
    """It is drawn by a tab at the paragraph's end."""
    tab = f'<w:r><w:rPr>{line}</w:rPr><w:tab/><w:t xml:space="preserve">{behind}</w:t></w:r>'
    stop = f'<w:tabs><w:tab w:val="right" w:leader="{leader}" w:pos="4000"/></w:tabs>'
    body = table(row(text("name:", stop, more=tab))) + _SECTION
    made = drawn(docx(tmp_path / "a.docx", body, relations=_SET, parts=settings(_MODE.format(mode))))
    dark = numpy.asarray(look.render(made).convert("L"))[:, 90:] < 250
    assert dark.any(axis=0).sum() > 100
    assert look.texts_of(made)[0].rstrip(" .") == "name:"


def test_a_number_before_a_marked_paragraph_is_as_large_as_its_text(tmp_path: Path) -> None:
    """A style of letters that says nothing of sizes marks the second paragraph, a bold one the third."""
    styles = (
        f'<w:styles {_W}><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="60"/></w:rPr></w:rPrDefault></w:docDefaults>'
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:rPr>'
        '<w:sz w:val="20"/></w:rPr></w:style><w:style w:type="character" w:styleId="Span"><w:name w:val="Span"/>'
        '</w:style><w:style w:type="character" w:styleId="Bold"><w:name w:val="Bold"/><w:basedOn w:val="Span"/><w:rPr>'
        "<w:b/></w:rPr></w:style></w:styles>"
    )
    numbering = (
        f'<w:numbering {_W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1">'
        '<w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    counted = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    marks = ["", '<w:rPr><w:rStyle w:val="Span"/></w:rPr>', '<w:rPr><w:rStyle w:val="Bold"/></w:rPr>']
    made = drawn(
        docx(
            tmp_path / "a.docx",
            "".join(text("item", counted + mark) for mark in marks) + _SECTION,
            relations=f'<Relationship Id="n" Type="{OFFICE}/numbering" Target="numbering.xml"/>',
            parts={"word/styles.xml": styles.encode(), "word/numbering.xml": numbering.encode()},
        )
    )
    numbers = [span for span in spans(made) if span[0].strip() in ("1.", "2.", "3.")]
    assert [size for _, size, _ in numbers] == [10, 10, 10]
    assert ["Bold" in font for _, _, font in numbers] == [False, False, True]
