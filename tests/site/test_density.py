"""A page is the same at every pixel ratio: what lies where, and what it looks like, is that of ratio 1."""

import io
from contextlib import ExitStack

import numpy
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests import make, make_office, make_scans
from tests.site.conftest import SIZES, visiting
from tests.stack import wait_for

#: Ratios that desktops and phones have, beside 1.
DENSITIES = {"desktop": (1.25, 2), "phone": (2, 3)}
#: Tool pages with what is dropped on them.
TOOLS = {
    "/PdfCompress": lambda folder: [make.text(folder / "a.pdf", 3)],
    "/PdfMerge": lambda folder: [make.text(folder / "a.pdf", 2), make.text(folder / "b.pdf", 1)],
    "/PdfSplit": lambda folder: [make.text(folder / "a.pdf", 5)],
    "/PdfRotate": lambda folder: [make.text(folder / "a.pdf", 5)],
    "/watermark": lambda folder: [make.text(folder / "a.pdf", 2)],
    "/Pdf2Image": lambda folder: [make.text(folder / "a.pdf", 2)],
    "/BigPdfSplit": lambda folder: [make.text(folder / "a.pdf", 3)],
    "/Word2Pdf": lambda folder: [make_office.chapters(folder / "a.docx")],
    "/Image2Text": lambda folder: [make_scans.page(["纸鹤让文档变得简单"]).save(folder / "a.png")],
}
#: Those that draw pages.
DRAWN = ("/PdfSplit", "/PdfRotate", "/watermark")
#: What a person sees or presses, and where it lies in CSS pixels.
GEOMETRY = """() => [...document.querySelectorAll('[data-testid=workbench] *')]
  .filter((element) => element.matches('button, canvas, img, input, p, h2, label'))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && height > 1)
  .map(([{ tagName }, { x, y, width, height }]) => [tagName, x, y + scrollY, width, height])"""
#: Pictures that reach over a button they are not in.
OVERLAPS = """() => {
  const box = (element) => element.getBoundingClientRect();
  // Of a page that is scrolled away only what its room shows.
  const shown = (picture) => {
    const [own, room] = [box(picture), box(picture.closest('.canvas-room') ?? picture)];
    return {
      left: Math.max(own.left, room.left), right: Math.min(own.right, room.right),
      top: Math.max(own.top, room.top), bottom: Math.min(own.bottom, room.bottom),
    };
  };
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const editor = document.querySelector('[data-testid=editor]');
  const buttons = [...(editor?.querySelectorAll('button') ?? [])]
    .filter((one) => !one.matches('.canvas-handle') && one.checkVisibility());
  return [...(editor?.querySelectorAll('.page-picture canvas') ?? [])].flatMap((picture) =>
    buttons.filter((button) => !button.contains(picture) && meet(shown(picture), box(button)))
      .map((button) => button.ariaLabel));
}"""


def ready(visitor, route, files):
    """All that the tool page shows of the chosen files has come."""
    visitor.is_in("Success")
    if route in DRAWN:
        expect(visitor.page.locator('[data-phase="drawn"]').first).to_be_visible()
    if route != "/Word2Pdf":
        expect(visitor.page.locator("[data-testid=thumbnail], .file-thumb img")).to_have_count(len(files))
    expect(visitor.page.locator('[data-phase="waiting"], .skeleton, [data-testid=editor-loading]')).to_have_count(0)
    visitor.page.wait_for_load_state("networkidle")


def looked_at(visitor):
    """Geometry, overlaps and a picture of the page."""
    picture = visitor.see("workbench").screenshot(animations="disabled")
    return visitor.page.evaluate(GEOMETRY), visitor.page.evaluate(OVERLAPS), Image.open(io.BytesIO(picture))


def rest(visitors):
    """Nothing moved on any page for one moment, the same for all: notes and pictures have come."""
    before = [visitor.page.evaluate(GEOMETRY) for visitor in visitors]
    visitors[0].page.wait_for_timeout(300)
    return [visitor.page.evaluate(GEOMETRY) for visitor in visitors] == before


def apart(one: Image.Image, other: Image.Image) -> float:
    """The greatest difference (0 … 255) of any square of 32 CSS pixels: 10 where only letters are smoothed otherwise.

    `one` is the picture at ratio 1. Each square is the mean of the picture's own pixels: brought to the size of the
    other first, in whole levels, small print at ratio 1.25 differed by two more than it does.
    """
    size = (one.width // 32, one.height // 32)
    grays = [each.convert("L").convert("F") for each in (one, other)]
    squares = [numpy.asarray(each.resize(size, Image.Resampling.BOX)) for each in grays]
    return float(numpy.abs(squares[0] - squares[1]).max())


@pytest.mark.parametrize("size", list(SIZES))
@pytest.mark.parametrize("route", list(TOOLS))
def test_a_tool_page_is_the_same_at_every_density(browser, stack, tmp_path, route, size):
    files = TOOLS[route](tmp_path)
    with ExitStack() as open_pages:
        visitors = {
            density: open_pages.enter_context(visiting(browser, stack, size, device_scale_factor=density))
            for density in (1, *DENSITIES[size])
        }
        for visitor in visitors.values():  # while one is waited for, the others come to rest
            visitor.open(route).drop(*files)
        for visitor in visitors.values():
            ready(visitor, route, files)
        wait_for(lambda: rest(list(visitors.values())))
        seen = {density: looked_at(visitor) for density, visitor in visitors.items()}
    plain, _, picture = seen[1]
    for density, (places, overlapping, dense) in seen.items():
        assert overlapping == [], density
        assert [name for name, *_ in places] == [name for name, *_ in plain], density
        moved = numpy.abs(numpy.array([box for _, *box in places]) - numpy.array([box for _, *box in plain]))
        assert moved.max() <= 2, (density, plain[int(moved.max(1).argmax())], places[int(moved.max(1).argmax())])
        difference = apart(picture, dense)
        assert difference < 12, (density, difference)
