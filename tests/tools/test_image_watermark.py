"""Image watermark: where, how large, in which colours; what the picture was, it stays."""

from pathlib import Path

import numpy
import pytest
from PIL import Image, ImageChops, ImageCms

from tests import look, make_scans
from tests.bench.side_by_side import ours, run
from tests.running import Ran, run_tool

TEXT = {"kind": "text", "text": "机密 ①", "colour": "#cc0000", "size": 10}


def marked(folder: Path, file: Path, mark: dict[str, object] = TEXT, **options: object) -> Ran:
    made = run_tool("image_watermark", folder / "marked", [file], mark=mark, **options)
    assert made.problem is None, made.problem
    return made


def result(folder: Path, file: Path, mark: dict[str, object] = TEXT, **options: object) -> Image.Image:
    return Image.open(marked(folder, file, mark, **options).path)


def plain(
    path: Path, size: tuple[int, int] = (300, 200), colour: object = "white", mode: str = "RGB", **saved: object
) -> Path:
    Image.new(mode, size, colour).save(path, **saved)  # type: ignore[arg-type]
    return path


def box(image: Image.Image) -> tuple[float, ...]:
    """What of a white picture is no longer white, as shares of it: left, top, right, bottom."""
    found = ImageChops.invert(image.convert("L")).point(lambda value: 255 * (value > 20)).getbbox()
    assert found
    return tuple(round(edge / side, 2) for edge, side in zip(found, image.size * 2, strict=True))


def test_marks_look_alike_on_pictures_of_any_size(tmp_path: Path) -> None:
    made = [result(tmp_path / str(n), plain(tmp_path / f"{n}.png", (300 * n, 200 * n))) for n in (1, 8)]
    assert box(made[0]) == pytest.approx(box(made[1]), abs=0.02)
    assert look.ssim(made[0], made[1].convert("RGB").resize(made[0].size)) > 0.93
    high = box(made[1])[3] - box(made[1])[1]
    assert 0.06 < high < 0.12, "letters are a tenth of the shorter side"


@pytest.mark.parametrize(
    ("place", "left", "top"), [("top-left", True, True), ("top-right", False, True), ("bottom-left", True, False)]
)
def test_a_mark_stands_at_its_place(tmp_path: Path, place: str, left: bool, top: bool) -> None:
    file = plain(tmp_path / "a.png")
    found = box(result(tmp_path, file, layout={"how": "place", "place": place, "margin": 4}))
    assert (found[2] < 0.5, found[3] < 0.5) == (left, top)
    assert found[0] == pytest.approx(4 * 2 / 300, abs=0.02) if left else found[2] > 0.94


def test_tiles_cover_and_opacity_is_what_it_says(tmp_path: Path) -> None:
    file = plain(tmp_path / "a.png", (800, 800))
    tiles = result(tmp_path, file, layout={"how": "tiled", "gap_x": 5, "gap_y": 5}, angle=30, opacity=50)
    ink = numpy.asarray(ImageChops.invert(tiles.convert("L"))) > 20
    assert all(ink[y : y + 200, x : x + 200].any() for y in range(0, 800, 200) for x in range(0, 800, 200))
    assert tiles.convert("RGB").getextrema()[1][0] == pytest.approx(128, abs=3)


def test_what_a_camera_wrote_is_honoured_then_kept_or_removed(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Camera"
    plain(tmp_path / "a.jpg", exif=exif)
    bare = marked(tmp_path / "bare", tmp_path / "a.jpg")
    assert bare.noted("facts_removed") == {} and b"Camera" not in bare.path.read_bytes()
    kept = Image.open(marked(tmp_path / "kept", tmp_path / "a.jpg", facts=True).path)
    assert kept.getexif().get(0x010F) == "Camera" and 0x0112 not in kept.getexif()
    assert Image.open(bare.path).size == kept.size == (200, 300)


def test_alpha_profile_and_cmyk_stay(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    clear = result(tmp_path / "1", plain(tmp_path / "a.png", colour=(0, 0, 255, 0), mode="RGBA", icc_profile=profile))
    assert clear.mode == "RGBA" and clear.info["icc_profile"] == profile
    assert clear.getpixel((10, 10)) == (0, 0, 255, 0) and clear.getchannel("A").getextrema()[1] > 140
    press = result(tmp_path / "2", plain(tmp_path / "b.jpg", colour=(0, 200, 200, 0), mode="CMYK"))
    assert press.mode == "CMYK"
    assert all(abs(a - b) < 6 for a, b in zip(press.getpixel((10, 10)), (0, 200, 200, 0), strict=True))
    grey = plain(tmp_path / "c.png", colour=90, mode="L")
    assert result(tmp_path / "3", grey, {**TEXT, "colour": "#ffffff"}).mode == "L"
    assert result(tmp_path / "4", grey).mode == "RGB"


def test_a_picture_is_a_mark_too(tmp_path: Path) -> None:
    logo = plain(tmp_path / "logo.png", (50, 50), (0, 160, 0, 255), "RGBA")
    ran = run_tool(
        "image_watermark", tmp_path / "out", [plain(tmp_path / "a.png")], extras={"up/logo.png": logo},
        mark={"kind": "image", "file": "up/logo.png", "width": 20}, opacity=100,
        layout={"how": "place", "place": "centre"},
    )  # fmt: skip
    found = Image.open(ran.path).convert("RGB")
    assert box(found) == pytest.approx((0.4, 0.35, 0.6, 0.65), abs=0.02) and found.getpixel((150, 100)) == (0, 160, 0)
    gone = run_tool(
        "image_watermark", tmp_path / "x", [tmp_path / "a.png"], mark={"kind": "image", "file": "up/no.png"}
    )
    assert gone.problem and gone.problem.reason == "file_unknown"


def test_formats_and_what_moves(tmp_path: Path) -> None:
    heic = make_scans.heic(make_scans.page(["纸鹤"], size=(300, 200)), tmp_path / "p.heic")
    assert marked(tmp_path / "h", heic).outputs[0].name == "p_水印.jpg"
    frames = [Image.new("RGB", (60, 40), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    gif = marked(tmp_path / "g", tmp_path / "a.gif")
    assert gif.outputs[0].name == "a_水印.png" and gif.noted("first_frame") == {"detail": "a.gif"}
    for kind, name in (("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP"), ("tiff", "TIFF")):
        assert result(tmp_path / kind, tmp_path / "a.gif", format=kind).format == name
    long = run_tool(
        "image_watermark", tmp_path / "l", [plain(tmp_path / "l.png", (20_000, 50))], mark=TEXT, format="webp"
    )
    assert long.problem and long.problem.reason == "option_invalid"
    missing = run_tool("image_watermark", tmp_path / "m", [heic], mark={**TEXT, "text": "\U000e0fff"})
    assert missing.problem and missing.problem.reason == "glyph_missing"


def test_a_hundred_million_pixels_fit(tmp_path: Path) -> None:
    file = plain(tmp_path / "a.jpg", (10_000, 10_000), quality=50)
    assert run(ours("image_watermark", [file], tmp_path / "out", mark=TEXT)).mb < 1200
    big = run_tool(
        "image_watermark", tmp_path / "big", [plain(tmp_path / "b.png", (10_001, 10_000), 1, "1")], mark=TEXT
    )
    assert big.problem and big.problem.reason == "too_large_when_opened"


def test_a_picture_that_is_cut_off_is_marked_as_far_as_it_goes_and_told(tmp_path: Path) -> None:
    path = make_scans.page().save(tmp_path / "a.png")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert marked(tmp_path, path).noted("picture_cut") == {"detail": "a.png"}
