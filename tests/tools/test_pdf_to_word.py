"""PDF to Word: real paragraphs, lists, tables, headers and notes; pages that look alike; scans and lying letters."""

import re
import time
import zipfile
from pathlib import Path

import docx
import pytest
from docx.document import Document
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.oxml.ns import qn

from cluster.engines.pdf.open import open_pymupdf
from cluster.engines.reading.digital import ground_of
from cluster.engines.reading.preflight import doubtful, likeness
from cluster.kinds import PDF
from tests import look, make, make_reading
from tests.bench.word import written
from tests.corpus import CORPUS
from tests.make_office import source_of
from tests.make_reading import ENGLISH, HEADER, ITEMS, PROSE
from tests.running import Ran, run_tool


def converted(folder: Path, file: Path, **options: object) -> tuple[Document, Ran]:
    ran = run_tool("pdf_to_word", folder / "ran", [file], **options)
    assert ran.problem is None, ran.problem
    return docx.Document(str(ran.path)), ran


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Document, Ran]:
    folder = tmp_path_factory.mktemp("report")
    return converted(folder, make_reading.report(folder / "报告.pdf"))


def test_broken_lines_are_whole_paragraphs(report):
    texts = [each.text for each in report[0].paragraphs if each.text.strip()]
    assert [text for text in texts if text in PROSE] == list(PROSE) * 3
    assert ENGLISH in texts


def test_headings_lists_and_links_are_words_own(report):
    document, ran = report
    heads = [each for each in document.paragraphs if each.style.name.startswith("Heading")]
    assert [each.text for each in heads] == ["一、概述", "二、概述", "三、概述"]
    assert {each.style.name for each in heads} == {"Heading 1"}
    items = [each for each in document.paragraphs if each._p.pPr is not None and each._p.pPr.numPr is not None]
    assert [each.text for each in items] == list(ITEMS)
    (link,) = document.element.body.iter(qn("w:hyperlink"))
    assert document.part.rels[link.get(qn("r:id"))].target_ref == "https://example.com/"
    assert len(document.inline_shapes) == 1
    assert ran.noted("headings_made") == {"count": 3} and ran.noted("items_made") == {"count": 3}


def test_tables_have_their_merged_cells(report):
    ruled, aligned = report[0].tables
    assert ruled.cell(0, 1).text == ruled.cell(0, 2).text == "问题"
    assert ruled.cell(0, 0)._tc is ruled.cell(1, 0)._tc and ruled.cell(0, 3)._tc is ruled.cell(1, 3)._tc
    assert [cell.text for cell in ruled.rows[2].cells] == ["生产一部", "1,204", "3", "85.5%"]
    assert [[cell.text for cell in row.cells] for row in aligned.rows] == make_reading.ALIGNED


def test_a_forms_open_cells_are_cells(tmp_path):
    """One area that is no rectangle does not cost the table; rules that end alone part cells whose edge is undrawn."""
    _, ran = converted(tmp_path, make_reading.form(tmp_path / "form.pdf"))
    (cells,) = written.read(ran.path).tables
    assert {text: (row, column, down, across) for row, column, down, across, text in cells if text} == make_reading.FORM


def test_headers_and_footers_leave_the_text(report):
    document, _ = report
    section = document.sections[0]
    assert [each.text for each in section.header.paragraphs] == [HEADER]
    assert "PAGE" in section.footer._element.xml and "NUMPAGES" not in section.footer._element.xml
    assert HEADER not in "".join(each.text for each in document.paragraphs)


def test_nothing_floats_in_what_flows(report):
    with zipfile.ZipFile(report[1].path) as file:
        body = file.read("word/document.xml").decode()
    assert not re.search("txbxContent|framePr|wp:anchor", body)


def test_columns_are_columns(tmp_path):
    document, _ = converted(tmp_path, make_reading.two_columns(tmp_path / "two.pdf"))
    counts = [each._sectPr.find(qn("w:cols")).get(qn("w:num")) for each in document.sections]
    assert counts == ["1", "2"]
    assert [each.text for each in document.paragraphs if "column" in each.text] == [
        f"column{number} {' '.join([ENGLISH] * 4)}" for number in (0, 1)
    ]


def test_columns_below_authors_and_a_date_are_read_one_after_the_other(tmp_path):
    document, _ = converted(tmp_path, make_reading.article(tmp_path / "article.pdf"))
    texts = [each.text for each in document.paragraphs]
    assert [text for text in texts if "column" in text] == [
        f"column{number} {' '.join([ENGLISH] * 8)}" for number in (0, 1)
    ]
    assert texts.index("3 January 2024") < texts.index(f"column0 {' '.join([ENGLISH] * 8)}")


def test_a_narrow_column_beside_two_is_one_of_three_as_wide_as_it_was(tmp_path):
    document, _ = converted(tmp_path, make_reading.review(tmp_path / "review.pdf"))
    texts = [each.text for each in document.paragraphs]
    assert [text for text in texts if text.startswith(("notes", "prose"))] == [
        f"{name} {' '.join([ENGLISH] * times)}" for name, times in (("notes", 2), ("prose0", 4), ("prose1", 4))
    ]
    assert not document.tables
    wides = [int(each.get(qn("w:w"))) / 20 for each in document.sections[-1]._sectPr.iter(qn("w:col"))]
    assert len(wides) == 3
    assert 1.6 * wides[0] < wides[1] == pytest.approx(wides[2], abs=12)


def test_a_hyphen_at_a_lines_end_stays_where_the_word_has_it_elsewhere(tmp_path):
    path = tmp_path / "hyphens.pdf"
    lines = (
        "Steel shows strain-rate effects, and what information there is of strain-",
        "rate tests comes from this laboratory, which gives more of such infor-",
        "mation than others; with the state-of-the-art rig it is said that state-of-",
        "the-art results can be had only where people know their rig and labora-",
    )
    with make_reading.import_pymupdf().open() as pdf:
        page = pdf.new_page()
        for at, text in enumerate([*lines, "tory work."]):
            page.insert_text((72, 100 + 14 * at), text, fontname="helv", fontsize=12)
        pdf.save(path)
    document, _ = converted(tmp_path, path)
    whole = re.sub("(strain|of)- ", r"\1-", re.sub("(infor|labora)- ", r"\1", " ".join([*lines, "tory work."])))
    assert "\n".join(each.text for each in document.paragraphs) == whole


def test_ruled_lists_beside_each_other_are_tables_in_columns(tmp_path, office_engine):
    document, ran = converted(tmp_path, make_reading.listings(tmp_path / "lists.pdf"))
    assert [[cell.text for row in table.rows for cell in row.cells] for table in document.tables] == [
        [text for row in range(9) for text in (f"Tank {column}.{row}", f"{column}.{row} litres")] for column in range(3)
    ]
    with make_reading.import_pymupdf().open(run_tool("word_to_pdf", tmp_path / "shown", [ran.path]).path) as shown:
        places = [shown[0].search_for(f"Tank {column}.0")[0].x0 for column in range(3)]
    assert places == pytest.approx([63, 228, 393], abs=12)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no file drawn here makes LibreOffice do it")
def test_a_table_at_the_end_of_columns_stays_in_its_column(tmp_path, office_engine):
    _, ran = converted(tmp_path, CORPUS / "found" / "pymupdf__test_3848.pdf", pages="1-2")
    with make_reading.import_pymupdf().open(run_tool("word_to_pdf", tmp_path / "shown", [ran.path]).path) as shown:
        assert [box.x0 > 400 for box in shown[0].search_for("Swing Motor")] == [True]


def test_letters_that_are_filled_and_drawn_round_are_bold(tmp_path):
    path = tmp_path / "bolder.pdf"
    with make_reading.import_pymupdf().open() as pdf:
        page = pdf.new_page()
        for y, text, mode in ((100, "年度报告", 2), (130, "董事会", 0)):
            page.insert_text((72, y), text, fontname="china-s", fontsize=12, render_mode=mode, border_width=0.03)
        pdf.save(path)
    document, _ = converted(tmp_path, path)
    assert [(run.text, bool(run.bold)) for each in document.paragraphs for run in each.runs] == [
        ("年度报告", True),
        ("董事会", False),
    ]


def test_what_stands_at_the_right_edge_behind_a_gap_is_set_to_it(tmp_path):
    """It would be broken off where its letters turn out wider; what stands before is set from the left.

    A number with such gaps further on is no list's.
    """
    path = tmp_path / "dated.pdf"
    with make_reading.import_pymupdf().open() as pdf:
        sheet = make_reading.Sheet(pdf)
        wide = make_reading.import_pymupdf().get_text_length("Market News", "helv", 11)
        for x, text in ((72, "3. Round-Up, weekly"), (250, "24 February"), (523 - wide, "Market News")):
            sheet.line(x, text, font="helv", y=150)
        sheet.y = 180
        sheet.prose(" ".join([ENGLISH] * 3))
        pdf.save(path)
    document, _ = converted(tmp_path, path)
    (head,) = (each for each in document.paragraphs if each.text == "3. Round-Up, weekly\t24 February\tMarket News")
    assert head._p.pPr.numPr is None
    stops = [(stop.alignment, stop.position.pt) for stop in head.paragraph_format.tab_stops]
    assert stops == [(WD_TAB_ALIGNMENT.LEFT, 178), (WD_TAB_ALIGNMENT.RIGHT, pytest.approx(451, abs=1.5))]


def test_verses_in_two_columns_are_read_one_column_after_the_other(tmp_path):
    document, _ = converted(tmp_path, make_reading.poem(tmp_path / "poem.pdf"))
    told = re.findall(r"verse (\d\.\d\d)", "\n".join(each.text for each in document.paragraphs))
    assert told == [f"{column}.{verse:02}" for column in (0, 1) for verse in range(14)]


def test_pages_of_one_line_each_are_text_and_no_headers(tmp_path):
    path = tmp_path / "lines.pdf"
    with make_reading.import_pymupdf().open() as pdf:
        for number in range(6):
            pdf.new_page().insert_text((72, 50), f"Potato {number}")
        pdf.save(path)
    document, _ = converted(tmp_path, path)
    assert [each.text for each in document.paragraphs] == [f"Potato {number}" for number in range(6)]


def test_words_of_a_footer_that_only_numbers_tell_apart_are_all_there(tmp_path):
    path = tmp_path / "grey.pdf"
    with make_reading.import_pymupdf().open() as pdf:
        for _ in range(3):
            page = pdf.new_page()
            page.insert_text((72, 300), "Greys")
            for at in range(4):
                page.insert_text((72 + 120 * at, 800), f"A = 0.{at}5")
        pdf.save(path)
    document, _ = converted(tmp_path, path)
    (footer,) = (section.footer for section in document.sections)
    told = "\n".join(each.text for each in footer.paragraphs)
    assert [f"A = 0.{at}5" in told for at in range(4)] == [True] * 4


@pytest.mark.started
def test_like_the_page(tmp_path, office_engine):
    path = make_reading.report(tmp_path / "报告.pdf")
    _, ran = converted(tmp_path, path, layout="exact")
    (drawn,) = run_tool("word_to_pdf", tmp_path / "back", [ran.path]).outputs
    assert look.page_count(drawn.path) == 3
    for page in (1, 2, 3):
        one = look.render(path, page)
        assert look.ssim(one, look.render(drawn.path, page).resize(one.size)) > 0.85, page
    assert HEADER in look.text_of(drawn.path, 1) and "1,204" in look.text_of(drawn.path, 1)


def test_chosen_pages_and_no_pictures(tmp_path):
    document, ran = converted(tmp_path, make_reading.report(tmp_path / "a.pdf"), pages="2", pictures=False)
    assert "二、概述" in [each.text for each in document.paragraphs] and len(document.inline_shapes) == 0
    assert ran.noted("pages_read") == {"count": 1}


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_pages_are_read_upright(tmp_path, turn):
    """Also those of which a part is shown."""
    path = make_reading.report(tmp_path / "a.pdf")
    with make.edit(path) as pdf:
        for page in pdf.pages:
            page.MediaBox = [-300, -400, 1000, 1500]
            page.CropBox = [0, 0, 595, 842]
            page.rotate(turn, relative=True)
    document, _ = converted(tmp_path, path)
    assert PROSE[0] in [each.text for each in document.paragraphs]


def test_letters_that_lie_are_doubted():
    assert not doubtful("".join(PROSE)) and not doubtful(ENGLISH)
    assert doubtful("".join(chr(0x6000 + ord(letter) % 0x3000) for letter in "".join(PROSE)))
    assert doubtful("\ue001\ue002" * 30) and doubtful("xkcd bcdf ghjk " * 20)


@pytest.mark.started
def test_scans_and_lying_letters_are_read(tmp_path, ocr_engine):
    document, ran = converted(tmp_path, make_reading.scanned_table(tmp_path / "scan.pdf"))
    (table,) = document.tables
    assert [cell.text for cell in table.rows[1].cells] == ["生产一部", "1204", "85%"]
    assert ran.noted("pages_scanned") == {"count": 1, "detail": "1"}
    poisoned, ran = converted(tmp_path / "lies", make_reading.poisoned(tmp_path / "lies.pdf"))
    text = "".join(each.text for each in poisoned.paragraphs)
    assert likeness(text, "".join(PROSE) * 2) > 0.98
    assert ran.noted("pages_garbled") == {"count": 1, "detail": "1"}
    off = run_tool("pdf_to_word", tmp_path / "off", [make_reading.scanned_table(tmp_path / "scan.pdf")], ocr="off")
    assert off.noted("pages_scanned") is None


@pytest.mark.started
@pytest.mark.parametrize("strokes", [(3, 700), (2.5, 400)], ids=["wide", "dense"])
def test_the_few_letters_of_a_drawing_are_kept_where_none_are_seen(tmp_path, ocr_engine, strokes):
    """Whatever way round the strokes seem to stand: dense ones look the more like letters upside down."""
    document, ran = converted(tmp_path, make_reading.sketch(tmp_path / "a.pdf", "Plan 42", *strokes))
    assert ran.noted("pages_scanned") and "Plan 42" in "".join(each.text for each in document.paragraphs)


def test_a_page_of_thousands_of_links_is_read_in_seconds(tmp_path):
    """PyMuPDF's own list of them looks through all for each one: nine seconds of CPU here."""
    began = time.process_time()
    document, _ = converted(tmp_path, make_reading.linked(tmp_path / "a.pdf", 4000))
    assert time.process_time() - began < 4
    linked = {each.address for each in document.paragraphs[0].hyperlinks}
    assert linked and all(address.startswith("https://example.org/") for address in linked)


def test_the_ground_of_a_page_of_thousands_of_underlines_is_made_in_seconds(tmp_path):
    with open_pymupdf(source_of(make.text(tmp_path / "a.pdf", 1), PDF)) as document:
        began = time.process_time()
        lines = [(10.0, 10 + at % 700, 500.0, 11 + at % 700) for at in range(2000)]
        assert ground_of(document[0], tmp_path / "ground", ((), lines)) is None
        assert time.process_time() - began < 12  # 29 with all of them


def test_a_share_goes_where_its_pages_need(tmp_path):
    from cluster.tools.pdf_to_word import TOOL
    from tests.parts import ENGINES

    assert TOOL.lane not in ENGINES and TOOL.plan is not None
    ran = run_tool("pdf_to_word", tmp_path, [make.blank(tmp_path / "blank.pdf", 2)])
    assert ran.problem is None and ran.noted("nothing_read") == {}


def test_letters_of_a_drawn_font_whose_box_lies_stay_in_their_cells(tmp_path):
    document, _ = converted(tmp_path, make_reading.tall_letters(tmp_path / "a.pdf"), ocr="off")
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == make_reading.TALL
    runs = [run for row in table.rows for cell in row.cells for each in cell.paragraphs for run in each.runs]
    assert not any(run.underline or run.font.strike for run in runs)
