"""PDF to Word of a book: notes, headers of its parts and sides, borders, typed numbers; and Office's own schemas."""

import re
import zipfile
from pathlib import Path

import docx
import pytest
from docx.document import Document
from docx.oxml.ns import qn

from cluster.engines.pdf.libraries import import_pymupdf
from tests import make_book, make_reading
from tests.make_book import ENDNOTES, FOOTNOTE, FURTHER, HEADS
from tests.running import run_tool
from tests.valid import faults


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    return run_tool("pdf_to_word", folder / "ran", [make_book.book(folder / "book.pdf")]).path


@pytest.fixture(scope="module")
def document(book: Path) -> Document:
    return docx.Document(str(book))


def notes(book: Path, kind: str) -> list[str]:
    with zipfile.ZipFile(book) as file:
        body, part = (file.read(f"word/{name}.xml").decode() for name in ("document", f"{kind}s"))
    texts = {found[1]: found[2] for found in re.finditer(rf'<w:{kind} w:id="(\d+)">(.*?)</w:{kind}>', part, re.S)}
    referred = re.findall(rf'<w:{kind}Reference w:id="(\d+)"', body)
    return ["".join(re.findall(r"<w:t[^>]*>([^<]*)", texts[number])).strip() for number in referred]


def test_notes_are_words_own_and_go_on_over_a_page(book):
    assert notes(book, "footnote") == [f"{FOOTNOTE} {FURTHER}"]
    assert notes(book, "endnote") == list(ENDNOTES)


def test_each_part_has_its_headers_and_left_pages_theirs(document):
    ((right, left), (other, _)) = HEADS.values()
    shown = [(each.header, each.even_page_header) for each in document.sections]
    texts = [tuple(part.paragraphs[0].text for part in each) for each in shown]
    assert list(dict.fromkeys(texts)) == [(right, left), (other, left)]
    assert document.settings.odd_and_even_pages_header_footer
    assert {right, left, other}.isdisjoint(each.text for each in document.paragraphs)
    starts = [each._sectPr.find(qn("w:pgNumType")) for each in document.sections]
    assert [each.get(qn("w:start")) for each in starts if each is not None][-1] == "1"


def test_a_border_underlines_nothing_and_a_rule_under_a_word_does(document):
    runs = {run.text: run.underline for each in document.paragraphs for run in each.runs}
    assert runs["underlined"] and not runs["On cranes"]


def test_numbers_that_were_typed_stay_text_and_blank_pages_stay(document):
    assert set(make_book.TYPED) <= {each.text for each in document.paragraphs}
    assert not any(each._p.pPr is not None and each._p.pPr.numPr is not None for each in document.paragraphs)
    breaks = [each for each in document.paragraphs if each.paragraph_format.page_break_before]
    assert "" in [each.text for each in breaks] and make_book.prose(1) in [each.text for each in breaks]


@pytest.mark.parametrize("options", [{}, {"layout": "exact"}])
def test_what_is_written_holds_to_the_schemas(tmp_path, options):
    for number, draw in enumerate((make_book.book, make_reading.report, make_reading.two_columns)):
        ran = run_tool("pdf_to_word", tmp_path / str(number), [draw(tmp_path / f"{number}.pdf")], **options)
        assert faults(ran.path) == []


def test_slides_hold_to_the_schemas(tmp_path):
    ran = run_tool("pdf_to_ppt", tmp_path / "ran", [make_reading.report(tmp_path / "a.pdf")])
    assert faults(ran.path) == []


def fielded(paragraph: str) -> str:
    """The paragraph's text with a # for every field."""
    words = re.sub(r'<w:fldChar w:fldCharType="begin".*?"end"/>', "<w:t>#</w:t>", paragraph, flags=re.S)
    return "".join(re.findall(r"<w:t(?: [^>]*)?>([^<]*)", words))


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        (lambda page: f"Chapter {1 + page // 4}", ["Chapter 1", "Chapter 2", "Chapter 3"]),
        (
            lambda page: f"Chapter {1 + page // 4} of 2024: {page + 1}",
            [f"Chapter {at} of 2024: #" for at in (1, 2, 3)],
        ),
        (lambda page: "Report of 2024", ["Report of 2024"]),
        (lambda page: f"Report, sheet {page + 1} of 12", ["Report, sheet # of #"]),
        (lambda page: f"Account {1000 + (page + 3) ** 2}", ["Account 1009"]),
    ],
)
def test_only_numbers_that_count_pages_are_fields_and_no_header_is_lost(tmp_path, head, shown):
    path = tmp_path / "chapters.pdf"
    with import_pymupdf().open() as pdf:
        for page in range(12):
            sheet = make_reading.Sheet(pdf)
            sheet.line(72, head(page), 9, "helv", y=40)
            sheet.prose(make_book.prose(page % 6))
        pdf.save(path)
    made = docx.Document(str(run_tool("pdf_to_word", tmp_path / "made", [path]).path))
    parts = [part for each in made.sections for part in (each.first_page_header, each.header)]
    assert [fielded(part.paragraphs[0]._p.xml) for part in parts if not part.is_linked_to_previous] == shown
    told = " ".join(each.text for each in made.paragraphs)
    assert [head(page) in told for page in range(12)] == [shown == ["Account 1009"] and page > 0 for page in range(12)]


@pytest.mark.parametrize(
    ("numbers", "shown", "start"),
    [
        (["59", "", "", ""], ["59"], None),
        (["", "2"], ["#"], None),
        (["12", "13", "31", "15", "16"], ["#"], "12"),
    ],
)
def test_page_numbers_go_on_as_most_pages_tell(tmp_path, numbers, shown, start):
    """What one page alone is called stays as it is called; one number that is printed wrong changes no other."""
    path = tmp_path / "numbered.pdf"
    with import_pymupdf().open() as pdf:
        for page, number in enumerate(numbers):
            sheet = make_reading.Sheet(pdf)
            sheet.prose(make_book.prose(page))
            sheet.line(290, number, 9, "helv", y=800)
        pdf.save(path)
    made = docx.Document(str(run_tool("pdf_to_word", tmp_path / "made", [path]).path))
    feet = [part for each in made.sections for part in (each.first_page_footer, each.footer)]
    texts = [fielded(part.paragraphs[0]._p.xml) for part in feet if not part.is_linked_to_previous]
    assert [text for text in texts if text] == shown
    starts = [each._sectPr.find(qn("w:pgNumType")) for each in made.sections]
    assert [each.get(qn("w:start")) for each in starts if each is not None] == ([start] if start else [])
