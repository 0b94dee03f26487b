"""Compress tells while one looks how small each level gets the file; the button says it, and it comes about."""

import re

from playwright.sync_api import expect

from tests import make_scan
from tests.site.people import person_of

SIZE = re.compile(r"约 (\d+) KB")


def test_a_level_tells_its_size_and_keeps_its_word(visitor, tmp_path):
    visitor.open("/PdfCompress").drop(make_scan.scan(tmp_path / "扫描.pdf", 2))
    asides = visitor.options().locator(".field-choice-aside")
    expect(asides).to_have_count(3)
    told = [int(SIZE.search(each).group(1)) for each in asides.all_inner_texts()]
    assert told == sorted(told, reverse=True), told
    expect(visitor.see("start")).to_have_text(f"压缩到约 {told[1]} KB")
    visitor.options().get_by_role("radio", name=re.compile("强力")).check(force=True)
    expect(visitor.see("start")).to_have_text(f"压缩到约 {told[2]} KB")
    visitor.options().get_by_role("switch", name="转为灰度").click()
    expect(visitor.see("start")).to_have_text("压缩")
    visitor.options().get_by_role("switch", name="转为灰度").click()
    tries = person_of(visitor.page, visitor.address).get("/api/user/user/getUserRights", toolId=1)["remainingTries"]
    visitor.finish()
    made = int(visitor.see("result").get_attribute("data-size")) / 1024
    assert abs(told[2] - made) <= 0.2 * made + 1
    after = person_of(visitor.page, visitor.address).get("/api/user/user/getUserRights", toolId=1)["remainingTries"]
    assert after == tries - 1, "only what was started takes a try"


def test_two_files_are_told_together(visitor, tmp_path):
    files = [make_scan.scan(tmp_path / f"{number}.pdf", 1, words=f"第 {number} 份") for number in (1, 2)]
    visitor.open("/PdfCompress").drop(*files)
    expect(visitor.see("start")).to_contain_text("压缩 2 个文件到约")
