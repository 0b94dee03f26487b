"""PDF to scan: what the preview shows is the result's page, and the page stays alive while it is computed."""

import base64
import io
import re
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests import look, make
from tests.corpus import CORPUS, first_pages
from tests.make_chinese import chinese
from tests.site.conftest import DESKTOP_ONLY, Visitor

_MULTICOLUMN = "pypdfsamples/026-latex-multicolumn/multicolumn.pdf"
#: Small print, tables and rules that nobody here wrote, of TeX, Word, LibreOffice, Google and others. Of the last
#: seven three do not carry Helvetica or Arial, two are full of thin boxes, and two do not carry Arial Narrow.
_REAL = [
    _MULTICOLUMN,
    "pypdfsamples/002-trivial-libre-office-writer/002-trivial-libre-office-writer.pdf",
    "pypdfsamples/004-pdflatex-4-pages/pdflatex-4-pages.pdf",
    "pypdfsamples/009-pdflatex-geotopo/GeoTopo-komprimiert.pdf",
    "pypdfsamples/011-google-doc-document/google-doc-document.pdf",
    "pypdfsamples/021-pdfa/crazyones-pdfa.pdf",
    "pypdfsamples/024-annotations/annotated_pdf.pdf",
    "pdfplumber/tests/pdfs/issue-33-lorem-ipsum.pdf",
    "pdfplumber/tests/pdfs/federal-register-2020-17221.pdf",
    "pdfplumber/tests/pdfs/scotus-transcript-p1.pdf",
    "pdfplumber/tests/pdfs/la-precinct-bulletin-2014-p1.pdf",
    "pdfplumber/tests/pdfs/senate-expenditures.pdf",
    "pdfplumber/examples/pdfs/background-checks.pdf",
    "found/pdflib__with_annots.pdf",
    "foreign/pdfbox__yaddatest.pdf",
    "pdfplumber/examples/pdfs/ca-warn-report.pdf",
    "foreign/pdflib__standard_fonts_demo.pdf",
    "camelot/tests/files/tabula/schools.pdf",
    "camelot/tests/files/tabula/icdar2013-dataset/competition-dataset-eu/eu-001.pdf",
    "camelot/tests/files/tableception.pdf",
    "camelot/tests/files/column_span_1.pdf",
    "pdfplumber/tests/pdfs/chelsea_pdta.pdf",
]

_PIXELS = """(image) => {
  const canvas = Object.assign(document.createElement('canvas'), {
    width: image.naturalWidth,
    height: image.naturalHeight,
  });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/png').split(',')[1];
}"""


def preview(visitor: Visitor, page: int) -> Image.Image:
    """The scan that is shown of this page, in all its pixels."""
    stage = visitor.page.locator(f'[data-testid=scan][data-page="{page}"][data-phase=ready]')
    shown = stage.get_by_role("img", name=re.compile(f"第 {page} 页的扫描效果|Page {page} as a scan"))
    expect(shown).to_be_visible()
    return Image.open(io.BytesIO(base64.b64decode(shown.evaluate(_PIXELS))))


def pictures(path: Path) -> list[Image.Image]:
    """The picture that each page of a result is."""
    with pikepdf.open(path) as pdf:
        return [pikepdf.PdfImage(page.Resources.XObject.Im).as_pil_image().copy() for page in pdf.pages]


def alike(shown: Image.Image, made: Image.Image) -> float:
    assert shown.size == made.size
    return look.ssim(shown.convert("RGB"), made.convert("RGB"))


def test_the_preview_is_the_result(visitor, tmp_path):
    """Presets and what is set by hand, pages with their own tilt, on Chinese and on a turned, cropped page."""
    path = chinese(tmp_path / "合同.pdf", 2)
    with make.edit(path) as pdf, pikepdf.open(make.geometry(tmp_path / "odd.pdf")) as odd:
        pdf.pages.append(odd.pages[6])
    visitor.open("/Pdf2ScanPdf").drop(path)
    first = preview(visitor, 1)
    visitor.page.get_by_role("button", name="下一页").click()
    shown = [first, preview(visitor, 2)]
    visitor.page.get_by_role("button", name="下一页").click()
    shown.append(preview(visitor, 3))
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    made = pictures(saved)
    assert saved.stat().st_size / len(made) <= 302_000
    assert all(alike(*pair) >= 0.98 for pair in zip(shown, made, strict=True))
    assert alike(shown[0], shown[1].resize(shown[0].size)) < 0.95


@DESKTOP_ONLY
@pytest.mark.skipif(not all((CORPUS / name).is_file() for name in _REAL), reason="the corpus is not here")
def test_the_preview_is_the_result_of_real_files(visitor, tmp_path):
    """The first page of each of twenty-two, put together as they are, so that one task is enough."""
    path = tmp_path / "第一页.pdf"
    with pikepdf.new() as pdf:
        for name in _REAL:
            with pikepdf.open(CORPUS / name) as real:
                pdf.pages.append(real.pages[0])
        pdf.save(path)
    visitor.open("/Pdf2ScanPdf").drop(path)
    shown = [preview(visitor, 1)]
    for page in range(2, len(_REAL) + 1):
        visitor.page.get_by_role("button", name="下一页").click()
        shown.append(preview(visitor, page))
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    told = {name: alike(*pair) for name, *pair in zip(_REAL, shown, pictures(saved), strict=True)}
    assert {name: round(each, 4) for name, each in told.items() if each < 0.98} == {}
    with pikepdf.open(saved) as made:
        assert max(len(page.Resources.XObject.Im.read_raw_bytes()) for page in made.pages) <= 300_000


def test_in_english_a_worn_copy_keeps_its_words(visitor, tmp_path):
    """Another preset, another seed and the words kept: what is shown is what is saved, and the words are found in it."""
    path = first_pages(tmp_path / "columns.pdf", _MULTICOLUMN, 1, lambda path: make.text(path, 1))
    words = look.text_of(path).split()
    visitor.open("/en/Pdf2ScanPdf").drop(path)
    plain = preview(visitor, 1)
    visitor.options().get_by_role("radio", name=re.compile("^Worn copy")).check(force=True)
    visitor.options().get_by_role("switch", name="Keep the words searchable").set_checked(True, force=True)
    visitor.page.get_by_role("button", name="Shuffle").click()
    expect(visitor.page.get_by_role("button", name="Reset")).to_be_visible()
    shown = preview(visitor, 1)
    assert plain.convert("RGB").getpixel((20, 20)) != shown.convert("RGB").getpixel((20, 20))
    expect(visitor.see("scan-size")).to_contain_text("This page: about")
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    (made,) = pictures(saved)
    assert saved.name == "columns_scan.pdf" and made.mode == "L"
    assert alike(shown, made) >= 0.98
    assert set(words) - set(look.text_of(saved).split()) == set()
