"""Word to PDF: what LibreOffice reads otherwise than Word does comes out as Word shows it."""

from pathlib import Path

import pypdfium2
import pytest

from tests import look
from tests.make_office import OFFICE, docx
from tests.running import run_tool

pytestmark = pytest.mark.usefixtures("office_engine")
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_SECTION = (
    '<w:sectPr><w:pgSz w:w="9000" w:h="6000"/><w:pgMar w:top="1000" w:right="900" w:bottom="1000" w:left="900" '
    'w:header="500" w:footer="500" w:gutter="0"/></w:sectPr>'
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


def noted(path: Path, body: str, kind: str = "footnote") -> Path:
    """A document with a note behind what is in its body."""
    note = f'<w:{kind} w:id="2">{text("the note")}</w:{kind}>'
    part = f"<w:{kind}s {_W}>{_LINES.format(kind)}{note}</w:{kind}s>"
    relation = f'<Relationship Id="n" Type="{OFFICE}/{kind}s" Target="{kind}s.xml"/>'
    end = text("noted", more=f'<w:r><w:{kind}Reference w:id="2"/></w:r>')
    return docx(path, body + end + _SECTION, relations=relation, parts={f"word/{kind}s.xml": part.encode()})


def drawn(path: Path) -> Path:
    return run_tool("word_to_pdf", path.parent / f"run {path.stem}", [path]).path


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
    body = table(row(text("cell", box)))
    plain = docx(tmp_path / "plain.docx", table(row(text("cell"))) + text("noted") + _SECTION)
    made = drawn(noted(tmp_path / "noted.docx", body, kind))
    assert top_of(made, "cell") == pytest.approx(top_of(drawn(plain), "cell"), abs=0.2)
    assert "the note" in "".join(look.texts_of(made))


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
