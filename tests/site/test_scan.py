"""PDF to scan: what the preview shows is the result's page, and the page stays alive while it is computed."""

import base64
import io
from pathlib import Path

import pikepdf
from PIL import Image
from playwright.sync_api import expect

from tests import look, make
from tests.corpus import CORPUS
from tests.make_chinese import chinese
from tests.site.conftest import Visitor

TEX = CORPUS / "pypdfsamples/004-pdflatex-4-pages/pdflatex-4-pages.pdf"
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
    shown = stage.get_by_role("img", name=f"第 {page} 页的扫描效果")
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
    """Pages with their own tilt: Chinese, turned and cropped, and by TeX, whose letters' widths have fractions."""
    path = chinese(tmp_path / "合同.pdf", 2)
    with make.edit(path) as pdf, pikepdf.open(make.geometry(tmp_path / "odd.pdf")) as odd:
        pdf.pages.append(odd.pages[6])
        if TEX.exists():
            with pikepdf.open(TEX) as tex:
                pdf.pages.append(tex.pages[0])
        count = len(pdf.pages)
    visitor.open("/Pdf2ScanPdf").drop(path)
    shown = [preview(visitor, 1)]
    for page in range(2, count + 1):
        visitor.page.get_by_role("button", name="下一页").click()
        shown.append(preview(visitor, page))
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    made = pictures(saved)
    assert saved.stat().st_size / len(made) <= 302_000
    assert all(alike(*pair) >= 0.98 for pair in zip(shown, made, strict=True))
    assert alike(shown[0], shown[1].resize(shown[0].size)) < 0.95
