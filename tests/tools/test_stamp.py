"""Stamps: true to the millimetre where the preview drew them; slices of a cross-page seal make the seal again."""

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFilter

from cluster.engines.marks import seam
from cluster.engines.marks.place import View
from cluster.engines.pictures.white import without_white
from tests import look, make
from tests.running import Ran, run_tool
from tests.tools.test_watermark import red_box, seen_size

SAMPLES = Path(__file__).parent.parent / "samples"
MM, DPI = 72 / 25.4, 300
#: Whole numbers of pixels at 300 dpi (a hair less: renderers round up), so that a page's edge is a pixel's.
SHEETS = [(595.199, 841.199), (841.199, 595.199), (611.999, 791.999), (479.999, 681.599)]


def seal(path: Path, paper: str = "white") -> Path:
    """A picture of a seal on paper: a ring, a star and a bar; no company's."""
    picture = Image.new("RGB", (1000, 1000), paper)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((50, 50, 950, 950), outline="#cc0000", width=45)
    star = [(500, 230), (575, 430), (790, 440), (620, 570), (680, 780), (500, 660), (320, 780), (380, 570), (210, 440),
            (425, 430)]  # fmt: skip
    draw.polygon(star, fill="#cc0000")
    draw.rectangle((300, 820, 700, 860), fill="#cc0000")
    picture.filter(ImageFilter.GaussianBlur(3)).save(path)
    return path


def stamped(folder: Path, source: Path, stamp: dict[str, Any] | None = None, **options: Any) -> Ran:
    picture = folder / "seal.png"
    made = stamp or {"kind": "seal", "file": "u/seal.png", "width": 36}
    extras = {"u/seal.png": picture if picture.exists() else seal(picture)}
    return run_tool("stamp", folder / "run", [source], extras=extras, stamp=made, **options)


def mixed(path: Path, pages: int) -> Path:
    """Sheets of several sizes, turned in every way."""
    with pikepdf.new() as pdf:
        for number in range(pages):
            page = pdf.add_blank_page(page_size=SHEETS[number % len(SHEETS)])
            page.obj.Rotate = number % 3 * 90 if number % 5 else 270
            if number % 7 == 3:
                page.obj.MediaBox = pikepdf.Array([-30, 60, -30 + 599.999, 60 + 719.999])
        pdf.save(path)
    return path


def rejoined(path: Path, edge: str, parts: list[float], seal_points: tuple[float, float], along: float) -> Image.Image:
    """The slices of all pages, cropped from their renders at 300 dpi and laid side by side."""
    width, height = (round(side / 72 * DPI) for side in seal_points)
    whole = Image.new("RGB", (width, height), "white")
    length = width if edge in ("right", "left") else height
    with pypdfium2.PdfDocument(path) as document:
        for page, part in zip(document, pairwise(parts), strict=True):
            begin, end = (round(share * length) for share in part)
            across, down = (math.ceil(side / 72 * DPI) for side in page.get_size())
            left, top = round(across * along - width / 2), round(down * along - height / 2)
            size = end - begin
            cut, to = {
                "right": ((across - size, top, size, height), (begin, 0)),
                "left": ((0, top, size, height), (width - end, 0)),
                "top": ((left, 0, width, size), (0, height - end)),
                "bottom": ((left, down - size, width, size), (0, begin)),
            }[edge]
            whole.paste(cropped(page, (across, down), cut), to)
    return whole


def cropped(page: Any, sheet: tuple[int, int], cut: tuple[int, int, int, int]) -> Image.Image:
    """Of the page's picture at 300 dpi the part at left, top with width, height; the rest is not drawn."""
    left, top, width, height = cut
    unseen = [left, sheet[1] - top - height, sheet[0] - left - width, top]
    # What is cropped is rounded up, so half a pixel less.
    crop = [max(0.0, side - 0.5) / DPI * 72 for side in unseen]
    return page.render(scale=DPI / 72, crop=crop).to_pil().convert("RGB")


def likeness(one: Image.Image, two: Image.Image) -> float:
    """SSIM at the best of the shifts by part of a pixel that laying paper edge to edge leaves open."""
    return max(
        look.ssim(one, two.transform(two.size, Image.Transform.AFFINE, (1, 0, dx, 0, 1, dy), Image.Resampling.BICUBIC))
        for dx in (-0.5, 0, 0.5)
        for dy in (-0.5, 0, 0.5)
    )


@pytest.mark.parametrize(("pages", "edge"), [(2, "right"), (2, "bottom"), (20, "left"), (20, "top"), (300, "right")])
def test_slices_make_the_seal_again(tmp_path: Path, pages: int, edge: str):
    source = mixed(tmp_path / "a.pdf", pages)
    uneven = pages == 20
    ran = stamped(tmp_path, source, on="seam", seam={"edge": edge, "most": 300, "uneven": uneven, "seed": 7})
    assert ran.noted("seam_stamped") == {"count": pages, "detail": "1"}
    with Image.open(tmp_path / "seal.png") as picture:
        whole = without_white(picture)
    points = seam.on_grid(36 * MM), seam.on_grid(36 * MM * whole.height / whole.width)
    parts = seam.cuts(pages, points[0] if edge in ("right", "left") else points[1], uneven=uneven, seed=7)
    found = rejoined(ran.path, edge, parts, points, 0.5)
    wanted = Image.new("RGB", whole.size, "white")
    wanted.paste(whole, mask=whole.getchannel("A"))
    assert likeness(wanted.resize(found.size, Image.Resampling.LANCZOS), found) >= 0.98
    assert ran.path.stat().st_size < source.stat().st_size + 200_000 + 700 * pages
    assert len({image[0] for image in look.images_of(ran.path)}) <= 2, "one picture and its mask"


def test_groups_edges_and_pages(tmp_path: Path):
    """21 pages, at most 20 under a seal: 11 and 10; odd pages only; kept clear for trimming."""
    source = make.blank(tmp_path / "a.pdf", 21, size=(400, 400))
    ran = stamped(tmp_path, source, on="seam")
    assert ran.noted("seam_stamped") == {"count": 21, "detail": "2"}
    odd = run_tool("stamp", tmp_path / "odd", [source], extras={"s": tmp_path / "seal.png"},
                   stamp={"kind": "seal", "file": "s", "width": 36}, on="seam",
                   seam={"edge": "left", "pages": "odd", "trim": 10, "along": 0, "most": 2})  # fmt: skip
    assert [red_box(odd.path, page) is not None for page in range(1, 6)] == [True, False, True, False, True]
    left, top, right, bottom = red_box(odd.path, 1) or (0, 0, 0, 0)
    assert (left, right - left) == (pytest.approx(10 * MM, abs=2), pytest.approx(18 * MM, abs=2))
    assert (top, bottom - top) == (pytest.approx(0, abs=2), pytest.approx(36 * MM, abs=2))


def test_a_single_page_is_skipped_and_told(tmp_path: Path):
    source = make.text(tmp_path / "a.pdf", 1)
    ran = stamped(tmp_path, source, on="seam")
    assert ran.noted("seam_skipped") == {} and ran.noted("pages_stamped") is None
    assert look.looks_like(source, ran.path) == 1
    both = run_tool("stamp", tmp_path / "both", [source], extras={"s": tmp_path / "seal.png"}, on="both",
                    stamp={"kind": "seal", "file": "s"})  # fmt: skip
    assert both.noted("pages_stamped") == {"count": 1} and both.noted("seam_skipped") == {}


@pytest.mark.parametrize("kind", ["seal", "text"])
def test_lands_where_the_preview_draws_it(tmp_path: Path, kind: str):
    """/Rotate × CropBox × boxes off the origin × UserUnit: 20 pages, within 2 pt; as large as its millimetres."""
    words = {"kind": "text", "preset": "own", "text": "H", "frame": "box", "size": 40, "colour": "#ff0000"}
    stamp = {"kind": "seal", "file": "u/seal.png", "width": 30} if kind == "seal" else words
    layout = {"how": "spots", "spots": [{"x": 0.6, "y": 0.4}]}
    ran = stamped(tmp_path, make.geometry(tmp_path / "a.pdf"), stamp, layout=layout, ink=False)
    for page in range(1, 21):
        width, height = seen_size(ran.path, page)
        left, top, right, bottom = red_box(ran.path, page) or (0, 0, 0, 0)
        assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((0.6 * width, 0.4 * height), abs=2), page
        if kind == "seal":
            assert right - left == pytest.approx(30 * MM, abs=2)
        else:
            assert bottom - top == pytest.approx(40 * 1.6, abs=2)


def test_spots_have_their_own_size_angle_and_pages(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", 3, size=(400, 400))
    spots = [{"x": 0.25, "y": 0.25}, {"x": 0.75, "y": 0.75, "scale": 2, "pages": "2,3"}]
    stamp = {"kind": "text", "preset": "own", "text": "■", "frame": "none", "size": 50, "colour": "#ff0000"}
    ran = stamped(tmp_path, source, stamp, layout={"how": "spots", "spots": spots}, pages="1-2", ink=False)
    boxes = [red_box(ran.path, page) for page in (1, 2, 3)]
    assert boxes[0] and boxes[0][2] < 200
    assert boxes[1] and boxes[1][0] < 150 and boxes[1][2] > 300
    assert boxes[2] and boxes[2][0] > 200
    assert boxes[2][2] - boxes[2][0] == pytest.approx(2 * (boxes[0][2] - boxes[0][0]), abs=2)


@pytest.mark.parametrize(
    ("stamp", "words"),
    [
        ({"kind": "text", "preset": "confidential"}, "机密"),
        ({"kind": "text", "preset": "own", "text": "已付款 ①€龘𠮷\n{file}", "frame": "double"}, "已付款 ①€龘𠮷 合同"),
        ({"kind": "date", "day": "2026-01-31"}, "2026年1月31日"),
        ({"kind": "date", "day": "2026-01-31", "format": "chinese"}, "二〇二六年一月三十一日"),
        ({"kind": "date", "day": "2026-01-31", "format": "en", "frame": "box"}, "31 Jan 2026"),
    ],
)
def test_words_are_text(tmp_path: Path, stamp: dict[str, Any], words: str):
    ran = stamped(tmp_path, make.text(tmp_path / "合同.pdf", 2), stamp)
    assert ran.outputs[0].name == "合同_盖章.pdf"
    assert all(words in " ".join(found.split("\r\n")) for found in look.texts_of(ran.path))


def test_presets_speak_the_language(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf")
    ran = run_tool("stamp", tmp_path / "en", [source], language="en", stamp={"kind": "text", "dated": True})
    assert look.text_of(ran.path).split()[0] == "REVIEWED" and "20" in look.text_of(ran.path)
    wrong = run_tool("stamp", tmp_path / "no", [source], stamp={"kind": "date", "day": "2026-02-30"}).problem
    assert wrong and wrong.facts["field"] == "stamp.day"


def test_white_goes_and_leaves_no_grey(tmp_path: Path):
    """On white it looks as it did; on black there is ink or nothing, also where the photo was in shadow."""
    vectors = json.loads((SAMPLES / "white.json").read_text())
    width, height = vectors["size"]
    picture = Image.frombytes("RGB", (width, height), bytes(vectors["picture"]))
    found = without_white(picture)
    assert list(found.size) == vectors["left"]
    assert numpy.asarray(found).reshape(-1).tolist() == pytest.approx(vectors["seal"], abs=1)
    for paper in ("white", "#e9e4d8"):
        with Image.open(seal(tmp_path / f"{paper}.png", paper)) as photo:
            cleared = numpy.asarray(without_white(photo), float)
        there = cleared[..., 3:] / 255
        on_black = cleared[..., :3] * there
        # Grey is what has green and blue in it where it has red.
        assert (on_black[..., 1:].max(axis=2) < 0.3 * on_black[..., 0] + 16).all()
        assert cleared[..., 3].max() > 220
        assert (there[0] < 0.9).any(), "edges are soft"


def test_ink_lets_text_through(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", size=(200, 200))
    with make.edit(source) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"0 0 0 rg 95 0 10 200 re f")
    stamp = {"kind": "text", "preset": "own", "text": "■", "frame": "none", "size": 100, "colour": "#ff0000"}
    layout = {"how": "place", "place": "centre"}
    shown = {
        ink: look.render(run_tool("stamp", tmp_path / str(ink), [source], stamp=stamp, layout=layout, ink=ink).path)
        for ink in (True, False)
    }
    assert shown[True].getpixel((100, 110)) == (0, 0, 0)
    assert shown[False].getpixel((100, 110)) == (255, 0, 0)


def test_slices_are_those_of_the_preview():
    """site/src/editors/place/model.test.ts holds the preview to the same numbers."""
    vectors = json.loads((SAMPLES / "seam.json").read_text())
    for count, length, uneven, seed, wanted in vectors["cuts"]:
        assert seam.cuts(count, length, uneven=uneven, seed=seed) == pytest.approx(wanted, abs=1e-8)
    for pages, most, sizes in vectors["groups"]:
        assert [len(group) for group in seam.groups(range(pages), most)] == sizes
    for case in vectors["slices"]:
        view = View(*case["view"], (1, 0, 0, 1, 0, 0))
        found = seam.slice_of(view, case["edge"], case["part"], vectors["seal"], along=case["along"], trim=case["trim"])
        assert (found.box, found.corner) == (pytest.approx(case["box"]), pytest.approx(case["corner"]))


def test_what_cannot_be(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf")
    (tmp_path / "seal.png").write_text("no picture")
    assert stamped(tmp_path, source).problem.reason == "not_supported_type"  # type: ignore[union-attr]
    missing = run_tool("stamp", tmp_path / "x", [source], stamp={"kind": "seal", "file": "nowhere"}).problem
    assert missing and missing.reason == "file_unknown"


def test_everything_else_stays(tmp_path: Path):
    source = make.rich(tmp_path / "a.pdf", 8)
    ran = stamped(tmp_path, source, on="both")
    for what in (look.outline_of, look.links_of, look.destinations_of, look.fields_of, look.notes_of,
                 look.attachments_of, look.labels_of, look.title_of, look.tagged_pages):  # fmt: skip
        assert what(ran.path) == what(source), what.__name__
