"""The placing surface and its results, laid over each other: rule 3 of the tools, 2 pt on every kind of page."""

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
from tests import look, make

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
    """site/src/editors/place/marks.test.ts holds the preview to the same numbers."""
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
        # The page's own policy lets no foreign style in.
        page.evaluate("page => page.querySelectorAll('.canvas-handle').forEach(each => each.style.opacity = 0)")
        pictures.append(Image.open(io.BytesIO(page.screenshot())))
        if number < len(PAPERS):
            desk.page.get_by_role("button", name="下一页").click()
    return pictures


def fill_red(options) -> None:
    options.get_by_label("颜色: 颜色代码").fill("#ff0000")


def text_mark(desk, red: Path) -> None:
    """Text at a corner."""
    options = desk.see("options")
    options.get_by_label("水印文字").fill("机密 Ag①")
    fill_red(options)
    options.get_by_role("tab", name="九宫格").click()
    options.get_by_role("radio", name="右下").check(force=True)
    options.get_by_role("textbox", name="边距").fill("70")
    options.get_by_role("textbox", name="旋转角度").fill("0")
    options.get_by_role("textbox", name="不透明度").fill("100")


def picture_mark(desk, red: Path) -> None:
    """A picture dragged to a point, then turned."""
    options = desk.see("options")
    options.get_by_role("tab", name="图片").click()
    options.locator("input[type=file]").set_input_files(str(red))
    options.get_by_role("tab", name="拖动定位").click()
    drag(desk, 0.15, -0.2)
    options.get_by_role("textbox", name="旋转角度").fill("30")
    options.get_by_role("textbox", name="不透明度").fill("100")


def number(desk, red: Path) -> None:
    """A large number, dragged from the foot to the head of the page."""
    options = desk.see("options")
    options.get_by_label("格式", exact=True).select_option(label="自定义")
    options.get_by_label("自定义格式").fill("Ag 三①")
    options.get_by_role("textbox", name="字号").fill("40")
    fill_red(options)
    drag(desk, 0.3, -0.7)
    expect(options.get_by_role("radio", name="右上")).to_be_checked()


def own_seal(desk, red: Path) -> None:
    """A seal in millimetres at a place, then by hand."""
    options = desk.see("options")
    options.locator("input[type=file]").set_input_files(str(red))
    options.get_by_role("textbox", name="宽度").fill("50")
    options.get_by_role("textbox", name="旋转角度").fill("-20")
    drag(desk, -0.3, -0.3)


def drag(desk, right: float, down: float) -> None:
    """Move what is on the first page by fractions of it with the mouse."""
    page = desk.page.locator('[data-testid="marked-page"][data-page="1"]')
    sheet, grip = page.bounding_box(), page.get_by_test_id("thing").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x + right * sheet["width"], y + down * sheet["height"], steps=3)
    desk.page.mouse.up()


@pytest.mark.parametrize(
    ("route", "set_up"),
    [("/watermark", text_mark), ("/watermark", picture_mark), ("/PageNumber", number), ("/InsertStamp", own_seal)],
)
def test_the_result_is_where_the_preview_drew_it(desk, papers: Path, tmp_path: Path, route: str, set_up):
    """/Rotate × UserUnit × boxes off the origin with a CropBox: 16 pages, centre and reach of what is put there."""
    Image.new("RGB", (300, 150), "#ff0000").save(tmp_path / "red.png")
    desk.open(route).drop(papers)
    expect(desk.see("marked-page").first).to_be_visible()
    set_up(desk, tmp_path / "red.png")
    pictures = previews(desk)
    desk.finish()
    saved = desk.save(tmp_path / "out")
    for page, (picture, (_, _, unit)) in enumerate(zip(pictures, PAPERS, strict=True), 1):
        result = look.render(saved, page, dpi=144)
        points = spread(result, BLUE)[1] * unit / 2
        apart = numpy.abs(placed_red(picture) - placed_red(result)) * points
        assert apart.max() < 2, (PAPERS[page - 1], apart)


def test_things_are_moved_by_keys_turned_undone_and_copied(visitor, tmp_path: Path):
    """Everything that a hand does there can be done without one, and taken back; a copy lands on its page."""
    visitor.open("/InsertStamp").drop(make.text(tmp_path / "a.pdf", 3))
    options = visitor.options()
    options.get_by_role("tab", name="文字章").click()
    options.get_by_role("tab", name="拖动定位").click()
    thing = visitor.page.locator('[data-page="1"] [data-testid="thing"]')
    thing.focus()
    before = thing.bounding_box()
    for key in ("Shift+ArrowLeft", "ArrowUp", "+", "["):
        visitor.page.keyboard.press(key)
    moved = thing.bounding_box()
    assert moved["x"] < before["x"] and moved["y"] < before["y"] and moved["height"] > before["height"]
    for _ in range(4):
        visitor.page.keyboard.press("Control+z")
    assert thing.bounding_box() == before
    visitor.see("thing-list").locator("summary").click()
    visitor.see("thing-list").get_by_label("复制到页").fill("3")
    visitor.see("thing-list").get_by_role("button", name="复制", exact=True).click()
    options.get_by_label("页码范围").first.fill("1")
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    assert ["已审核" in text for text in look.texts_of(saved)] == [True, False, True]
