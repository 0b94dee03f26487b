"""PDF to image: what a reader shows, in the pixels that were asked for, in bounded memory."""

import faulthandler
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import pikepdf
import psutil
import pytest
from PIL import Image, ImageChops, ImageStat

from cluster.engines.draw.pages import in_workers
from cluster.kinds import PDF, kind_of
from cluster.problem import DeadlineProblem, FaultProblem, LimitProblem
from cluster.settings import ROOT
from cluster.tool import Source
from tests import look, make, make_traps
from tests.running import Ran, run_tool

DPI = {"how": "dpi", "dpi": 100}


def drawn(folder: Path, source: Path, **options: Any) -> Ran:
    return run_tool("pdf_to_image", folder / "run", [source], **options)


def pictures(ran: Ran) -> list[Image.Image]:
    assert ran.problem is None, ran.problem
    found = []
    for output in ran.outputs:
        with Image.open(output.path) as picture:
            picture.load()
            found.append(picture)
    return found


def reason(ran: Ran) -> str:
    assert ran.problem
    assert not any(output.path.exists() for output in ran.outputs)
    return ran.problem.reason


def photograph(path: Path, size: tuple[float, float] = (300, 200)) -> Path:
    """A page filled by a picture with grain and colours."""
    noise = Image.effect_noise((300, 200), 40).convert("RGB")
    image = Image.blend(noise, Image.radial_gradient("L").resize((300, 200)).convert("RGB"), 0.5)
    image.putpixel((0, 0), (255, 0, 0))
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=size)
        made = pdf.make_stream(
            image.tobytes(), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=300, Height=200,
            ColorSpace=pikepdf.Name.DeviceRGB, BitsPerComponent=8,
        )  # fmt: skip
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=made))
        page.obj.Contents = pdf.make_stream(b"q %f 0 0 %f 0 0 cm /I Do Q" % size)
        pdf.save(path)
    return path


@pytest.mark.parametrize(("form", "floor"), [("png", 0.999), ("tiff", 0.999), ("jpg", 0.95), ("webp", 0.93)])
@pytest.mark.parametrize("draw", [lambda path: make.rich(path, 4), photograph])
def test_pictures_show_the_page(tmp_path: Path, draw: Any, form: str, floor: float):
    """Annotations and field values too, since look.render shows them."""
    source = draw(tmp_path / "合同.pdf")
    ran = drawn(tmp_path, source, format=form, size=DPI)
    assert ran.outputs[0].name == "合同_图片_001." + {"tiff": "tif"}.get(form, form)
    assert len(ran.outputs) == look.page_count(source)
    for page, (picture, output) in enumerate(zip(pictures(ran), ran.outputs, strict=True), 1):
        assert kind_of(output.path) is output.kind
        assert output.pages is None
        assert look.ssim(picture.convert("RGB"), look.render(source, page, 100)) > floor


def test_fields_and_notes_are_drawn(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", size=(300, 300))
    with make.edit(source) as pdf:
        make.field(pdf, 1, "name", "a value that is long enough to see", (20, 20, 220, 40))
        make.note(pdf, 1, "stamped", (100, 200, 140, 240))
        stamp = next(each for each in pdf.pages[0].obj.Annots if each.Subtype == "/Text")
        drawing = pdf.make_stream(b"1 0 0 rg 0 0 40 40 re f", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form)
        drawing.BBox, stamp.AP = pikepdf.Array([0, 0, 40, 40]), pikepdf.Dictionary(N=drawing)
    (picture,) = pictures(drawn(tmp_path, source, size={"how": "dpi", "dpi": 72}))
    assert look.ink(picture.crop((20, 260, 220, 280))) > 0.05
    assert picture.convert("RGB").getpixel((120, 80)) == (255, 0, 0)


@pytest.mark.timeout(20)
def test_fields_without_end_are_not_counted(tmp_path: Path):
    """Each field names the one below it twice, 40 levels deep: pdfium would follow every way down."""
    file = make_traps.endless_fields(tmp_path / "a.pdf")
    with make.edit(file) as pdf:
        pdf.pages[0].contents_add(b"0 0 200 200 re f")
    assert look.ink(Image.open(run_tool("pdf_to_image", tmp_path, [file]).path)) > 0.02


def test_every_kind_of_page_has_its_size(tmp_path: Path):
    """/Rotate, CropBox and UserUnit: pixels = visible points × dpi / 72."""
    ran = drawn(tmp_path, make.geometry(tmp_path / "a.pdf"), size={"how": "dpi", "dpi": 144})
    sizes = [picture.size for picture in pictures(ran)]
    wanted = [
        size for w, h in ((400, 600), (300, 460), (400, 600), (300, 500), (400, 600)) for size in 2 * [(w, h), (h, w)]
    ]
    assert sizes == [(2 * w, 2 * h) for w, h in wanted]


def test_a_width_in_pixels(tmp_path: Path):
    (picture,) = pictures(drawn(tmp_path, make.text(tmp_path / "a.pdf", 1), size={"how": "width", "width": 1000}))
    assert picture.size == (1000, 1416)


@pytest.mark.parametrize("form", ["png", "jpg", "tiff"])
def test_resolution_is_written_into_the_file(tmp_path: Path, form: str):
    (picture,) = pictures(
        drawn(tmp_path, make.text(tmp_path / "a.pdf", 1), format=form, size={"how": "dpi", "dpi": 300})
    )
    assert [float(part) for part in picture.info["dpi"]] == pytest.approx([300, 300], abs=1)


@pytest.mark.parametrize(("form", "most"), [("png", 0), ("jpg", 4), ("tiff", 0)])
def test_strips_join_without_a_seam(tmp_path: Path, form: str, most: float):
    """Two strips (JPEG: two restart intervals) against the page drawn at once."""
    source = photograph(tmp_path / "a.pdf", (360, 240))
    ran = drawn(tmp_path, source, format=form, quality=95, size={"how": "width", "width": 4500})
    (whole,) = pictures(ran)
    assert whole.size == (4500, 3000)
    changed = ImageChops.difference(whole.convert("RGB"), look.render(source, dpi=900))
    rows = [ImageStat.Stat(changed.crop((0, top, 4500, top + 10))).mean for top in range(0, 3000, 10)]
    assert max(max(row) for row in rows) <= most


@pytest.mark.parametrize("form", ["png", "jpg", "webp", "tiff"])
def test_grey_and_one_bit(tmp_path: Path, form: str):
    source = photograph(tmp_path / "a.pdf")
    (grey,) = pictures(run_tool("pdf_to_image", tmp_path / "g", [source], format=form, colour="grey", size=DPI))
    red, green, blue = grey.convert("RGB").split()
    colours = [ImageChops.difference(red, other).getextrema()[1] for other in (green, blue)]
    assert max(colours) <= (4 if form == "webp" else 0)
    shown = look.render(source, dpi=100).convert("L").convert("RGB")
    assert look.ssim(grey.convert("RGB"), shown) > 0.9
    if form in ("png", "tiff"):
        (bits,) = pictures(run_tool("pdf_to_image", tmp_path / "b", [source], format=form, colour="bw", size=DPI))
        assert bits.mode == "1"
        dark = shown.convert("L").point(lambda v: 255 * (v > 127))
        assert look.ssim(bits.convert("RGB"), dark.convert("RGB")) > 0.95


def test_dots_keep_the_greys_of_a_photograph(tmp_path: Path):
    source = photograph(tmp_path / "a.pdf")
    (bits,) = pictures(drawn(tmp_path, source, colour="bw", dither=True, size=DPI))
    shown = look.render(source, dpi=100).convert("L")
    assert bits.mode == "1"
    for left, top in product((0, bits.width // 2), (0, bits.height // 2)):
        corner = (left, top, left + bits.width // 2, top + bits.height // 2)
        mean, dots = (ImageStat.Stat(each.convert("L").crop(corner)).mean[0] for each in (shown, bits))
        assert dots == pytest.approx(mean, abs=6), corner


def test_transparent_paper(tmp_path: Path):
    (picture,) = pictures(drawn(tmp_path, make.text(tmp_path / "a.pdf", 1), transparent=True, size=DPI))
    assert picture.mode == "RGBA"
    assert picture.getpixel((5, 5)) == (0, 0, 0, 0)
    over = Image.new("RGBA", picture.size, "white")
    over.alpha_composite(picture)
    assert look.ssim(over.convert("RGB"), look.render(tmp_path / "a.pdf", dpi=100)) > 0.98


def test_only_the_chosen_pages_in_their_order(tmp_path: Path):
    ran = drawn(tmp_path, make.text(tmp_path / "a.pdf", 12), pages="12,3,3,1-2", size={"how": "dpi", "dpi": 72})
    assert [output.name[-7:-4] for output in ran.outputs] == ["012", "003", "001", "002"]
    assert look.ssim(pictures(ran)[0].convert("RGB"), look.render(tmp_path / "a.pdf", 12)) > 0.99
    assert ran.steps[-1] == (4, 4, "rendering")


def test_pages_that_are_not_there(tmp_path: Path):
    assert reason(drawn(tmp_path, make.text(tmp_path / "a.pdf", 3), pages="4")) == "page_range_invalid"


@pytest.mark.parametrize("form", ["png", "jpg", "webp", "tiff"])
def test_one_long_picture(tmp_path: Path, form: str):
    """Pages of different width, one under the other and equally wide."""
    source = make.geometry(tmp_path / "a.pdf")
    ran = drawn(tmp_path, source, format=form, into="long", pages="1-3", size={"how": "width", "width": 600})
    (whole,) = pictures(ran)
    assert whole.size == (600, 900 + 400 + 900)
    top = 0
    for page, height in ((1, 900), (2, 400), (3, 900)):
        part = whole.convert("RGB").crop((0, top, 600, top + height))
        expected = look.render(source, page, 72 * 3).resize((600, height), Image.Resampling.LANCZOS)
        assert look.ssim(part, expected) > 0.85, page
        top += height


@pytest.mark.parametrize(("form", "limit"), [("jpg", 65_500), ("webp", 16_383), ("png", 250_000)])
def test_a_long_picture_that_its_format_cannot_hold(tmp_path: Path, form: str, limit: int):
    source = make.text(tmp_path / "a.pdf", 200)
    ran = drawn(tmp_path, source, format=form, into="long", size={"how": "width", "width": 1200})
    assert reason(ran) == "picture_too_long"
    assert ran.problem.facts["limit"] == limit  # type: ignore[union-attr]
    assert str(limit) in ran.problem.text("zh")  # type: ignore[union-attr]


def test_a_tiff_of_many_pages(tmp_path: Path):
    source = make.text(tmp_path / "a.pdf", 5)
    ran = drawn(tmp_path, source, format="tiff", into="document", colour="bw", size=DPI)
    with Image.open(ran.path) as tiff:
        assert tiff.n_frames == 5
        tiff.seek(4)
        assert tiff.info["compression"] == "group4"
        expected = look.render(source, 5, 100).convert("L").point(lambda v: 255 * (v > 127))
        assert look.ssim(tiff.convert("RGB"), expected.convert("RGB")) > 0.97
    read, pages = cv2.imreadmulti(str(ran.path), flags=cv2.IMREAD_GRAYSCALE)
    assert (read, len(pages)) == (True, 5)
    assert 0 < (pages[4] < 128).mean() < 0.2  # a second reader sees some black on white


def test_many_pages_in_one_file_need_tiff(tmp_path: Path):
    assert reason(drawn(tmp_path, make.text(tmp_path / "a.pdf", 2), into="document")) == "option_invalid"


@pytest.mark.parametrize("size", [DPI, {"how": "width", "width": 20_000}])
def test_absurd_pages_are_refused_before_drawing(tmp_path: Path, size: dict[str, Any]):
    assert reason(drawn(tmp_path, make.huge_box(tmp_path / "a.pdf"), size=size)) == "too_large_when_opened"


@pytest.mark.parametrize("form", ["png", "jpg"])
def test_a_hundred_megapixels_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str):
    source = make.text(tmp_path / "a.pdf", 1, size=(842, 842), lines=50)
    options = json.dumps({"format": form, "size": {"how": "width", "width": 10_000}})
    told = tmp_path / "told.json"
    launch = [sys.executable, "tests/bench/launch.py", told, sys.executable, "-m", "tests.bench.one"]
    subprocess.run([*launch, "pdf_to_image", tmp_path / "run", options, source], check=True, cwd=ROOT)
    assert json.loads(told.read_text())["mb"] < 250
    (output,) = (tmp_path / "run").rglob("out/*")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    with Image.open(output) as picture:
        assert picture.size == (10_000, 10_000)


def test_passwords(tmp_path: Path):
    source = make.encrypted(tmp_path / "a.pdf", make.text(tmp_path / "plain.pdf"), user="geheim")
    assert reason(drawn(tmp_path, source)) == "password_required"
    assert reason(run_tool("pdf_to_image", tmp_path / "w", [source], passwords={0: "x"})) == "password_wrong"
    right = run_tool("pdf_to_image", tmp_path / "r", [source], passwords={0: "geheim"})
    assert len(pictures(right)) == 3


def test_a_damaged_file_is_still_drawn_and_the_repair_told(tmp_path: Path):
    source = make.damaged(tmp_path / "a.pdf", make.text(tmp_path / "plain.pdf"))
    ran = drawn(tmp_path, source, size=DPI)
    assert [note.what for note in ran.notes] == ["repaired", "pages_drawn"]
    shown = pictures(ran)
    assert look.ssim(shown[2].convert("RGB"), look.render(tmp_path / "plain.pdf", 3, 100)) > 0.99


def _aborts(drawer: Any, jobs: Any) -> Iterator[None]:
    faulthandler.disable()  # this death is wanted: no dump of it in the log
    os.abort()
    yield


def _runs_out_of_time(drawer: Any, jobs: Any) -> Iterator[None]:
    os.kill(os.getpid(), signal.SIGXCPU)
    yield


def _has_a_bug(drawer: Any, jobs: Any) -> Iterator[None]:
    yield
    raise KeyError("x")


@pytest.mark.parametrize(
    ("draw", "kind"), [(_aborts, LimitProblem), (_runs_out_of_time, DeadlineProblem), (_has_a_bug, FaultProblem)]
)
def test_a_worker_that_dies_is_a_problem_of_its_file(tmp_path: Path, draw: Any, kind: type[Exception]):
    path = make.text(tmp_path / "a.pdf", 4)
    source = Source(path, "a.pdf", PDF, path.stat().st_size)
    before = psutil.Process().children()
    with pytest.raises(kind):
        in_workers(source, range(4), draw, lambda done: None)
    assert psutil.Process().children() == before


def test_a_crop_box_that_misses_the_page_crops_nothing(tmp_path: Path) -> None:
    plain = make.text(tmp_path / "a.pdf", 1, size=(200, 200))
    with make.edit(make.text(tmp_path / "b.pdf", 1, size=(200, 200))) as pdf:
        pdf.pages[0].obj.CropBox = pikepdf.Array([500, 500, 700, 700])
    whole, missed = (run_tool("pdf_to_image", tmp_path / each.stem, [each]) for each in (plain, tmp_path / "b.pdf"))
    with Image.open(whole.path) as one, Image.open(missed.path) as other:
        assert ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox() is None
