"""Signing as people do: by hand on the desktop and the phone, by name, with a picture, with a certificate."""

import re

import pytest
from playwright.sync_api import expect

from tests import make, make_chinese
from tests.make_certificates import PASSWORD, p12
from tests.site.conftest import DESKTOP_ONLY
from tests.tools.test_sign import picture
from tests.tools.test_sign_certificate import pdfsig, poppler
from tests.tools.test_watermark import red_box


def write(visitor, strokes=2):
    """Wavy lines on the pad."""
    pad = visitor.see("pad")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    mouse = visitor.page.mouse
    for stroke in range(strokes):
        y = box["y"] + box["height"] * (0.4 + 0.2 * stroke)
        mouse.move(box["x"] + box["width"] * 0.2, y)
        mouse.down()
        for step in range(1, 13):
            mouse.move(box["x"] + box["width"] * (0.2 + 0.05 * step), y + (-1) ** step * box["height"] * 0.1, steps=3)
        mouse.up()


def make_red(visitor):
    visitor.see("sign-maker").get_by_role("button", name=re.compile("红色|Red")).click()


def test_a_drawn_signature_and_a_date(visitor, tmp_path):
    visitor.open("/PdfSign").drop(make_chinese.chinese(tmp_path / "合同.pdf", 2))
    expect(visitor.see("start")).to_be_disabled()
    visitor.see("make-signature").click()
    expect(visitor.see("sign-use")).to_be_disabled()
    make_red(visitor)
    write(visitor)
    visitor.see("sign-use").click()
    expect(visitor.see("thing")).to_have_count(1)
    visitor.see("make-date").click()
    visitor.see("sign-use").click()
    expect(visitor.see("thing")).to_have_count(2)
    visitor.finish()
    expect(visitor.see("receipt")).to_contain_text("1 页已签名")
    result = visitor.save(tmp_path / "saved" if (tmp_path / "saved").mkdir() else tmp_path / "saved")
    left, top, right, bottom = red_box(result, 1)
    assert abs((left + right) / 2 - 0.7 * 595) < 3 and abs((top + bottom) / 2 - 0.84 * 842) < 3
    assert abs(bottom - top - 48) < 3
