"""Numbers, seals and marks on real files, from the drop to the download: on a desktop in Chinese, on a phone in English.

A signature has its stories in test_sign.py, the scan look in test_scan.py.
"""

import re
from pathlib import Path

import numpy
from PIL import Image
from playwright.sync_api import expect

from cluster.engines.marks import seam
from cluster.engines.pictures.white import without_white
from tests import look, make, make_chinese, make_scans
from tests.corpus import first_pages, real
from tests.site.conftest import Visitor
from tests.tools.test_stamp import MM, likeness, mixed, rejoined, seal

LONG = "北京纸鹤文档科技有限公司与上海某某供应链管理有限公司技术服务合同（最终版，请勿外传）"


def at(visitor: Visitor, route: str) -> Visitor:
    """The tool in the language of the screen."""
    desktop = (visitor.page.viewport_size or {})["width"] > 1000
    return visitor.open(route if desktop else f"/en{route}")


def test_a_seal_across_twenty_pages_joins_again(visitor: Visitor, tmp_path: Path) -> None:
    """The fan is shown first; the slices of the downloaded file, laid side by side, are the seal."""
    source = first_pages(tmp_path / f"{LONG}.pdf", "pdf2docx/test/samples/demo-whisper_2_3.pdf", 20, drawn_twenty)
    at(visitor, "/InsertStamp").drop(source)
    options = visitor.options()
    options.locator("input[type=file]").set_input_files(str(seal(tmp_path / "seal.png")))
    options.get_by_role("radio", name=re.compile("^(骑缝|Across the edges)$")).check(force=True)
    expect(visitor.see("fan")).to_contain_text("20")
    visitor.finish()
    expect(visitor.see("receipt")).to_contain_text(re.compile("20 页|20 pages"))
    saved = visitor.save(tmp_path / "out")
    with Image.open(tmp_path / "seal.png") as picture:
        whole = without_white(picture)
    points = seam.on_grid(40 * MM), seam.on_grid(40 * MM * whole.height / whole.width)
    found = rejoined(saved, "right", seam.cuts(20, points[0], uneven=False, seed=1), points, 0.5)
    wanted = Image.new("RGB", whole.size, "white")
    wanted.paste(whole, mask=whole.getchannel("A"))
    assert likeness(wanted.resize(found.size, Image.Resampling.LANCZOS), found) >= 0.98


def drawn_twenty(path: Path) -> None:
    mixed(path, 20)


def test_numbers_go_on_through_files(visitor: Visitor, tmp_path: Path) -> None:
    """Bates numbers of two contracts; each page's own, and no page without."""
    one = real(tmp_path / f"{LONG}.pdf", "word/made_zh_two.pdf", lambda path: make_chinese.chinese(path, 3))
    two = real(tmp_path / "附件.pdf", "pypdfsamples/004-pdflatex-4-pages/pdflatex-4-pages.pdf", four_pages)
    at(visitor, "/PageNumber").drop(one, two)
    options = visitor.options()
    options.locator("details > summary").first.click()
    options.get_by_role("textbox", name=re.compile("^(最少位数|Digits)")).fill("6")
    options.get_by_label(re.compile("^(前缀|Before the number)$")).fill("PCR-")
    options.get_by_label(re.compile("^(多个文件连续编号|Count on through all files)$")).set_checked(True, force=True)
    visitor.finish()
    (tmp_path / "out").mkdir()
    texts = [text for nth in (0, 1) for text in look.texts_of(visitor.save(tmp_path / "out", nth))]
    assert [re.findall(r"PCR-\d{6}", text) for text in texts] == [[f"PCR-{each:06}"] for each in range(1, 8)]


def four_pages(path: Path) -> None:
    make.text(path, 4)


def test_pictures_of_all_sizes_are_marked_alike(visitor: Visitor, tmp_path: Path) -> None:
    """A ticket and a sign that is taller than wide: the same words at the same corner."""
    names = ("huochepiao.jpeg", "shupai.png")
    files = [real(tmp_path / f"{LONG}{name}", f"cnocr/docs/examples/{name}", drawn_picture) for name in names]
    at(visitor, "/ImageWatermark").drop(*files)
    options = visitor.options()
    options.get_by_label(re.compile("^(水印文字|Text)$")).last.fill("机密")
    options.get_by_label(re.compile("颜色代码|colour code", re.I)).first.fill("#ff0000")
    options.get_by_role("textbox", name=re.compile("^(不透明度|Opacity)")).fill("100")
    visitor.finish()
    (tmp_path / "out").mkdir()
    for nth, file in enumerate(files):
        shares = changed(file, visitor.save(tmp_path / "out", nth))
        assert shares[0] > 0.5 and shares[1] > 0.5, "at the lower right"


def drawn_picture(path: Path) -> None:
    make_scans.page().save(path)


def changed(before: Path, after: Path) -> tuple[float, float]:
    """The middle of what is other, as shares across and down."""
    with Image.open(before) as one, Image.open(after) as two:
        assert one.size == two.size
        apart = numpy.abs(numpy.asarray(one.convert("RGB"), int) - numpy.asarray(two.convert("RGB"), int)).max(2) > 60
    down, across = numpy.nonzero(apart)
    assert len(down) > 20
    return float(across.mean()) / apart.shape[1], float(down.mean()) / apart.shape[0]
