"""Pictures among the documents to merge."""

import io
import zlib
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageDraw

from tests import look, make
from tests.running import run_tool

TURNS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def upright() -> Image.Image:
    """Red at the top left, blue at the bottom right, words in between."""
    image = Image.new("RGB", (320, 200), "white")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 100, 60), fill="red")
    pen.rectangle((220, 140, 319, 199), fill="blue")
    pen.text((120, 90), "paper crane", fill="black")
    return image


def page_of(folder: Path, *files: Path, **options: object) -> Path:
    ran = run_tool("merge", folder / "merged", list(files), **options)
    assert ran.noted("pictures_joined") == {"count": len(files)}
    return ran.path


@pytest.mark.parametrize("orientation", TURNS)
def test_exif_orientation(tmp_path: Path, orientation: int):
    turn = TURNS[orientation]
    stored = upright() if turn is None else upright().transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "p.jpg", quality=95, exif=exif, dpi=(72, 72))
    shown = look.render(page_of(tmp_path, tmp_path / "p.jpg")).convert("RGB")
    assert shown.size == (320, 200)
    assert look.ssim(shown, upright()) > 0.97
    assert shown.getpixel((20, 20))[0] > 240 and shown.getpixel((300, 190))[2] > 240


def test_jpeg_bytes_are_untouched(tmp_path: Path):
    upright().save(tmp_path / "p.jpg", quality=40, progressive=True)
    data = (tmp_path / "p.jpg").read_bytes()
    assert data in page_of(tmp_path, tmp_path / "p.jpg").read_bytes()


def saved(path: Path) -> Path:
    """The picture in the format and mode that the name tells."""
    mode = path.stem
    image = upright().convert(mode) if mode != "I;16" else upright().convert("I").point(lambda value: value * 256)
    if mode == "RGBA":
        image.putalpha(Image.new("L", image.size, 128))
    extra = {"lossless": True} if path.suffix == ".webp" else {"dpi": (72, 72)}
    (image.convert("I;16") if mode == "I;16" else image).save(path, **extra)
    return path


@pytest.mark.parametrize(
    "name",
    ["RGB.png", "P.png", "L.png", "1.png", "RGBA.png", "I;16.png", "RGB.webp", "RGBA.webp", "RGB.tif", "1.tif",
     "CMYK.tif", "RGB.bmp", "P.bmp", "P.gif", "L.jpg", "CMYK.jpg"],
)  # fmt: skip
def test_every_kind_looks_as_it_was(tmp_path: Path, name: str):
    path = page_of(tmp_path, saved(tmp_path / name))
    shown = look.render(path, 1, 96 if name.split(".")[1] in ("webp", "gif") else 72).convert("RGB")
    assert shown.size == (320, 200)
    mode = name.split(".")[0]
    expected = upright().convert({"1": "1", "L": "L", "I;16": "L"}.get(mode, "RGB"))
    if name.startswith("RGBA"):
        expected = Image.blend(Image.new("RGB", expected.size, "white"), upright(), 128 / 255)
    assert look.ssim(shown, expected.convert("RGB")) > (0.85 if mode == "CMYK" else 0.93)
    with pikepdf.open(path) as pdf:
        assert pdf.check_pdf_syntax() == []


def test_tiff_of_several_pages(tmp_path: Path):
    pages = [upright(), upright().convert("1"), upright().transpose(Image.Transpose.ROTATE_180)]
    pages[0].save(tmp_path / "s.tif", save_all=True, append_images=pages[1:], dpi=(72, 72))
    path = page_of(tmp_path, tmp_path / "s.tif")
    assert look.page_count(path) == 3
    assert look.render(path, 3).getpixel((20, 20)) == (0, 0, 255)
    picked = page_of(tmp_path / "picked", tmp_path / "s.tif", ranges=["3,1"])
    assert [look.render(picked, page).getpixel((20, 20)) for page in (1, 2)] == [(0, 0, 255), (255, 0, 0)]


def test_photographs_are_pages_and_no_posters(tmp_path: Path):
    Image.new("RGB", (4000, 3000), "grey").save(tmp_path / "photo.jpg", dpi=(72, 72))
    width, height = look.render(page_of(tmp_path, tmp_path / "photo.jpg")).size
    assert abs(width - 794) <= 1 and abs(height - 595) <= 1


def test_among_documents(tmp_path: Path):
    upright().save(tmp_path / "封面.png")
    file = make.rich(tmp_path / "b.pdf", 4)
    ran = run_tool("merge", tmp_path / "r", [tmp_path / "封面.png", file], outline="both", contents=True)
    assert [(entry.title, entry.page) for entry in look.outline_of(ran.path) if entry.level == 0] == [
        ("目录", 1),
        ("封面", 2),
        ("b", 3),
    ]
    assert [link.to for link in look.links_of(ran.path) if link.page == 1] == [2, 3]
    assert look.title_of(ran.path) == "报告 Report"


def test_colour_profiles_are_kept(tmp_path: Path):
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    upright().save(tmp_path / "p.jpg", icc_profile=profile)
    with pikepdf.open(page_of(tmp_path, tmp_path / "p.jpg")) as pdf:
        (image,) = pdf.pages[0].get_images().values()
        assert image.ColorSpace[0] == "/ICCBased"
        assert image.ColorSpace[1].read_bytes() == profile


def test_bad_pictures_have_a_reason(tmp_path: Path):
    held = io.BytesIO()
    upright().save(held, "WEBP")
    (tmp_path / "cut.webp").write_bytes(held.getvalue()[:60])
    cut = run_tool("merge", tmp_path / "c", [tmp_path / "cut.webp"])
    assert cut.problem and cut.problem.reason == "damaged_file"
    (tmp_path / "bomb.png").write_bytes(_png_header(40_000, 40_000))
    bomb = run_tool("merge", tmp_path / "b", [tmp_path / "bomb.png"])
    assert bomb.problem and bomb.problem.reason == "too_large_when_opened"


def _png_header(width: int, height: int) -> bytes:
    held = io.BytesIO()
    Image.new("L", (1, 1)).save(held, "PNG")
    data = held.getvalue()
    head = b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + data[24:29]
    return data[:12] + head + zlib.crc32(head).to_bytes(4, "big") + data[33:]


def test_an_iphone_photo_becomes_a_page(tmp_path):
    from tests import make_scans

    scan = make_scans.page(["纸鹤"])
    ran = run_tool("merge", tmp_path, [make_scans.heic(scan, tmp_path / "照片.heic")])
    assert look.page_count(ran.path) == 1
    drawn = look.render(ran.path).convert("RGB")
    assert look.ssim(drawn, scan.image.convert("RGB").resize(drawn.size)) > 0.9
