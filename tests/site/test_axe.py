"""axe finds nothing: pages as they come, with a file chosen, and with a result; in light and in dark."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from cluster.catalogue import TOOLS
from tests import make, make_broken, make_scan
from tests.site.audit import violations
from tests.site.conftest import Visitor, visiting

ROUTES = [tool.route for tool in TOOLS.values()]
PAGES = ["/", *ROUTES, "/About", "/privacy", "/nothing-here", "/en", "/en/PdfMerge", "/en/watermark", "/en/About"]


@pytest.fixture(scope="module")
def unmoved(browser, stack) -> Iterator[Visitor]:
    """Somebody who asked for less motion."""
    with visiting(browser, stack, reduced_motion="reduce") as made:
        yield made


@pytest.fixture
def calm(unmoved) -> Iterator[Visitor]:
    """The same, in a new tab."""
    made = Visitor(unmoved.page.context.new_page(), unmoved.address)
    yield made
    made.page.close()
    assert made.crashes == []


@pytest.mark.parametrize("path", PAGES)
def test_pages_as_they_come(calm, path):
    calm.open(path)
    assert violations(calm.page) == []


def test_a_batch_with_a_bad_file(calm, tmp_path):
    """Files with a password prompt, options, a receipt, and what went wrong."""
    locked = make_broken.encrypted(tmp_path / "密.pdf", make.text(tmp_path / "plain.pdf", 2), user="芝麻开门")
    bad = make_broken.truncated(tmp_path / "坏.pdf", make.text(tmp_path / "whole.pdf", 3), 0.02)
    calm.open("/PdfCompress").drop(make_scan.scan(tmp_path / "好.pdf", 1), locked, bad)
    expect(calm.see("password-prompt")).to_be_visible()
    assert violations(calm.page) == []
    calm.see("password").fill("芝麻开门")
    calm.finish()
    expect(calm.see("failures")).to_be_visible()
    assert violations(calm.page) == []


def test_nothing_but_bad_files(calm, tmp_path):
    bad = make_broken.truncated(tmp_path / "坏.pdf", make.text(tmp_path / "whole.pdf", 3), 0.02)
    calm.open("/PdfRotate").drop(bad)
    calm.start()
    expect(calm.see("failed")).to_be_visible()
    assert violations(calm.page) == []


def test_a_refused_file(calm, tmp_path):
    (tmp_path / "图.txt").write_text("text")
    calm.open("/PdfCompress")
    calm.see("file-input").first.set_input_files(str(tmp_path / "图.txt"))
    expect(calm.see("refusals")).to_be_visible()
    assert violations(calm.page) == []
