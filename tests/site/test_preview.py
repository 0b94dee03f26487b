"""The watermark's preview and its result, laid over each other: rule 3 of the tools, 2 pt on every kind of page."""

import io
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy
import pikepdf
import pytest
from PIL import Image
from playwright.sync_api import expect

from cluster.engines.fonts import embed as fonts
from cluster.engines.marks import place as marks
from tests import look

VECTORS = json.loads((Path(__file__).parent.parent / "samples" / "marks.json").read_text())
BOXES = [([0, 0, 400, 600], None), ([-100, -50, 300, 550], [-50, 0, 250, 500])]
PAPERS = list(product(BOXES, (0, 90, 180, 270), (1, 2)))
BLUE, RED = (0, 0, 1), (1, 0, 0)


def paper(pdf: pikepdf.Pdf, media: list[float], crop: list[float] | None, turn: int, unit: float) -> pikepdf.Page:
    """A page with a blue square at two corners of what is seen of it."""
    page = pdf.add_blank_page()
    x0, y0, x1, y1 = crop or media
    page.contents_add(b"0 0 1 rg %d %d 20 20 re %d %d 20 20 re f" % (x0 + 10, y0 + 10, x1 - 30, y1 - 30))
    page.mediabox = pikepdf.Array(media)
    if crop:
        page.cropbox = pikepdf.Array(crop)
    page.obj.Rotate, page.obj.UserUnit = turn, unit
    return page


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: f"{case['page']}-{case['mark']}-{case['layout']}")
def test_the_vectors_shared_with_the_preview(case: dict[str, Any]):
    """site/src/editors/marks.test.ts holds the preview to the same numbers."""
    with pikepdf.new() as pdf:
        form = case["page"]
        view = marks.view_of(paper(pdf, form["media"], form["crop"], form["rotate"], form["unit"]))
    assert [view.width, view.height] == case["view"]
    box = mark_size(case["mark"], view)
    assert box == pytest.approx(case["box"], abs=0.01)
    assert centres(case, view, box) == [pytest.approx(centre, abs=0.01) for centre in case["centres"]]


def mark_size(kind: str, view: marks.View) -> tuple[float, float]:
    if kind == "image":
        (width, height), share = VECTORS["image"]["pixels"], VECTORS["image"]["width"] / 100
        return view.width * share, view.width * share * height / width
    text = VECTORS["text"]
    lines = text["text"].splitlines()
    return max(map(fonts.width, lines)) * text["size"], len(lines) * fonts.LEADING * text["size"]


def centres(case: dict[str, Any], view: marks.View, box: tuple[float, float]) -> list[tuple[float, float]]:
    layout, angle = case["layout"], case["angle"]
    if layout["how"] == "place":
        return [marks.placed(view, layout["place"], (layout["margin"], layout["margin"]), marks.cover(*box, angle))]
    if layout["how"] == "point":
        return [marks.pointed(view, layout["x"], layout["y"])]
    return marks.tiled(view, *box, (layout["gap_x"], layout["gap_y"]), angle)


def spread(picture: Image.Image, colour: tuple[int, int, int]) -> numpy.ndarray:
    """Centre (x, y) and standard deviation (x, y) of a colour, in pixels; its edges' half tones count as such."""
    red, green, blue = (numpy.asarray(picture.convert("RGB"), float)[..., band] for band in range(3))
    share = (red - numpy.maximum(green, blue) if colour == RED else blue - numpy.maximum(red, green)).clip(0) / 255
    found = []
    for axis in (0, 1):
        weight = share.sum(axis)
        places = numpy.arange(len(weight)) + 0.5
        mean = (weight * places).sum() / weight.sum()
        found.append((mean, (weight * (places - mean) ** 2).sum() / weight.sum()))
    return numpy.array([[mean for mean, _ in found], [variance**0.5 for _, variance in found]])


def placed_red(picture: Image.Image) -> numpy.ndarray:
    """Where the red mark is and how far it reaches, seen from the page's blue squares."""
    (origin, scale), (centre, reach) = spread(picture, BLUE), spread(picture, RED)
    return numpy.array([(centre - origin) / scale, reach / scale])


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("preview") / "papers.pdf"
    with pikepdf.new() as pdf:
        for (media, crop), turn, unit in PAPERS:
            paper(pdf, media, crop, turn, unit)
        pdf.save(path)
    return path


def previews(desk) -> list[Image.Image]:
    """The preview of every page, without the frame around the mark."""
    pictures = []
    for number in range(1, len(PAPERS) + 1):
        page = desk.page.locator(f'[data-testid="marked-page"][data-page="{number}"]')
        expect(page.locator('[data-phase="drawn"]')).to_be_visible()
        pictures.append(Image.open(io.BytesIO(page.screenshot(style=".canvas-handle { visibility: hidden }"))))
        if number < len(PAPERS):
            desk.page.get_by_role("button", name="下一页").click()
    return pictures


def set_up(desk, kind: str, tmp_path: Path) -> None:
    """Text at a corner, or a turned picture dragged to a point; red and opaque."""
    options = desk.see("options")
    if kind == "text":
        options.get_by_label("水印文字").fill("机密 Ag①")
        options.get_by_label("颜色: 颜色代码").fill("#ff0000")
        options.get_by_role("tab", name="九宫格").click()
        options.get_by_role("radio", name="右下").check(force=True)
        options.get_by_role("textbox", name="边距").fill("70")
    else:
        Image.new("RGB", (300, 150), "#ff0000").save(tmp_path / "red.png")
        options.get_by_role("tab", name="图片").click()
        options.locator("input[type=file]").set_input_files(str(tmp_path / "red.png"))
        options.get_by_role("tab", name="拖动定位").click()
        drag(desk, 0.15, -0.2)
    options.get_by_role("textbox", name="旋转角度").fill("0" if kind == "text" else "30")
    options.get_by_role("textbox", name="不透明度").fill("100")


def drag(desk, right: float, down: float) -> None:
    """Move the mark by fractions of the page with the mouse."""
    page, handle = desk.see("marked-page").bounding_box(), desk.page.locator(".canvas-handle")
    grip = handle.bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x + right * page["width"], y + down * page["height"], steps=3)
    desk.page.mouse.up()


@pytest.mark.parametrize("kind", ["text", "image"])
def test_the_result_is_where_the_preview_drew_it(desk, papers: Path, tmp_path: Path, kind: str):
    """/Rotate × UserUnit × boxes off the origin with a CropBox: 16 pages, centre and reach of the mark."""
    desk.open("/watermark").drop(papers)
    expect(desk.see("marked-page")).to_be_visible()
    set_up(desk, kind, tmp_path)
    pictures = previews(desk)
    desk.finish()
    saved = desk.save(tmp_path / "out")
    for number, (picture, (_, _, unit)) in enumerate(zip(pictures, PAPERS, strict=True), 1):
        result = look.render(saved, number, dpi=144)
        points = spread(result, BLUE)[1] * unit / 2
        apart = numpy.abs(placed_red(picture) - placed_red(result)) * points
        assert apart.max() < 2, (PAPERS[number - 1], apart)
