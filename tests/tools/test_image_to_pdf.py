"""Image to PDF: on which paper, in which order, turned how; bytes kept where they can be; drawings as vectors."""

import io
import subprocess
import time
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageFont

from cluster.engines.pages.mount import Mount
from cluster.engines.pictures.photograph import coded
from cluster.paper import A4, MM, PAPERS
from tests import look, make_scans
from tests.make_pictures import photograph
from tests.running import Ran, run_tool

_NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
SVG = f'<svg {_NAMES} width="300" height="200">{{}}</svg>'
RED = (
    '<style>.c{fill:#c00}</style><rect class="c" width="100" height="80"/>'
    '<text x="20" y="150" font-size="30">纸鹤 crane</text>'
)


def converted(folder: Path, *files: Path, **options: object) -> Ran:
    made = run_tool("image_to_pdf", folder / "made", list(files), **options)
    assert made.problem is None, made.problem
    return made


def corner(path: Path, size: tuple[int, int] = (300, 200), **saved: object) -> Path:
    """White, its upper left quarter red."""
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((0, 0, size[0] // 2 - 1, size[1] // 2 - 1), fill="#cc0000")
    image.save(path, **saved)
    return path


def seen(path: Path, page: int = 1) -> tuple[float, float]:
    """Where red is on the page, as shares of it: its middle from the left and the top."""
    shown = look.render(path, page)
    red, green, _ = shown.split()
    found = ImageChops.subtract(red, green).point(lambda value: 255 * (value > 100)).getbbox()
    assert found is not None
    return round((found[0] + found[2]) / 2 / shown.width, 2), round((found[1] + found[3]) / 2 / shown.height, 2)


def box(path: Path, page: int = 1) -> tuple[int, int]:
    with pikepdf.open(path) as pdf:
        return round(float(pdf.pages[page - 1].mediabox[2])), round(float(pdf.pages[page - 1].mediabox[3]))


def test_a_picture_lies_on_its_paper() -> None:
    wide, high = (300.0, 200.0), (200.0, 300.0)
    assert Mount(margin=10).placed(wide) == Mount(margin=10).placed(wide).scaled(320)
    assert Mount(margin=10).placed(wide).height == 220
    lying = Mount(A4).placed(wide)
    assert (lying.width, lying.height) == A4[::-1] and lying.across == pytest.approx(A4[1]) and lying.x == 0
    assert lying.y == pytest.approx((A4[0] - lying.up) / 2)
    standing = Mount(A4, "portrait", 20 * MM).placed(wide)
    assert (standing.width, standing.x) == (A4[0], pytest.approx(20 * MM))
    assert standing.up == pytest.approx((A4[0] - 40 * MM) * 2 / 3)
    filled = Mount(PAPERS["a5"], "landscape", 10 * MM, fill=True).placed(high)
    assert filled.across == pytest.approx(filled.width - 20 * MM) and filled.up > filled.height
    assert filled.cut == pytest.approx(10 * MM)


def test_paper_margin_and_turn_in_the_result(tmp_path: Path) -> None:
    files = [corner(tmp_path / "b.png"), corner(tmp_path / "a.jpg")]
    made = converted(tmp_path, *files, paper="a5", margin=10, turns=[90], order="name")
    assert [box(made.path, page) for page in (1, 2)] == [(595, 420), (420, 595)]
    # a.jpg is first by name and lies; b.png was turned to stand, so that its upper left went to the upper right.
    assert seen(made.path, 1)[0] < 0.4 and seen(made.path, 2)[0] > 0.6
    cut = converted(tmp_path / "cut", files[0], paper="a4", orientation="portrait", margin=30, fit="fill")
    shown = look.render(cut.path)
    edge = round(30 * MM) - 2
    assert shown.crop((0, 0, edge, shown.height)).getextrema() == ((255, 255),) * 3
    assert shown.getpixel((edge + 5, edge + 5))[1] < 60


def test_one_each_leaves_out_what_cannot_be_read(tmp_path: Path) -> None:
    bad = tmp_path / "坏.png"
    bad.write_bytes(corner(tmp_path / "好.png").read_bytes()[:40])
    made = converted(tmp_path, tmp_path / "好.png", bad, corner(tmp_path / "二.jpg"), into="each")
    assert [output.name for output in made.outputs] == ["好_转换.pdf", "二_转换.pdf"]
    assert made.noted("picture_left_out") == {"detail": "坏.png"} and made.noted("pictures_joined") == {"count": 2}
    alone = run_tool("image_to_pdf", tmp_path / "alone", [bad], into="each")
    assert alone.problem and alone.problem.reason == "damaged_file"
    together = run_tool("image_to_pdf", tmp_path / "all", [tmp_path / "好.png", bad])
    assert together.problem and together.problem.facts["file"] == "坏.png"


def test_the_time_taken_orders(tmp_path: Path) -> None:
    for name, when in (("a.jpg", "2024:05:02 08:00:00"), ("b.jpg", "2023:01:01 00:00:00"), ("c.jpg", "")):
        exif = Image.Exif()
        if when:
            exif.get_ifd(0x8769)[0x9003] = when
        corner(tmp_path / name, (300 + ord(name[0]), 200), exif=exif)
    made = converted(tmp_path, *(tmp_path / name for name in ("c.jpg", "a.jpg", "b.jpg")), order="taken")
    with pikepdf.open(made.path) as pdf:
        assert [int(next(iter(page.get_images().values())).Width) - 300 for page in pdf.pages] == [98, 97, 99]


def test_a_jpegs_bytes_are_its_own_without_what_follows(tmp_path: Path) -> None:
    held = io.BytesIO()
    photograph((300, 200)).convert("CMYK").save(held, "JPEG", progressive=True)
    (tmp_path / "film.jpg").write_bytes(held.getvalue() + b"ftypmp42 a telephone's film" * 20)
    data = converted(tmp_path, tmp_path / "film.jpg").path.read_bytes()
    assert held.getvalue() in data and b"telephone" not in data


def test_a_jpeg_filled_up_with_one_letter_takes_no_time() -> None:
    begun = time.process_time()
    assert coded(b"\xff\xd8" + b"\xff" * 1_000_000 + b"\x00" + b"\xff" * 9 + b"\xd9behind") == (0, 1_000_013)
    assert time.process_time() - begun < 1


def test_a_jpeg_of_a_coding_that_readers_lack_is_decoded(tmp_path: Path) -> None:
    held = io.BytesIO()
    corner(tmp_path / "a.jpg", progressive=True)
    data = (tmp_path / "a.jpg").read_bytes()
    assert coded(data) == (0xC2, len(data)) and coded(data + b"more") == (0xC2, len(data))
    Image.open(tmp_path / "a.jpg").save(held, "JPEG")
    assert coded(held.getvalue())[0] == 0xC0
    arithmetic = held.getvalue().replace(b"\xff\xc0", b"\xff\xc9", 1)
    assert coded(arithmetic)[0] == 0xC9


def test_what_a_scanner_says_of_its_size_is_believed(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x829A] = 0.01
    Image.new("1", (3508, 4961), 1).save(tmp_path / "a3.tif", dpi=(300, 300), compression="group4")
    Image.new("L", (3508, 4961)).save(tmp_path / "camera.jpg", dpi=(300, 300), exif=exif)
    made = converted(tmp_path, tmp_path / "a3.tif", tmp_path / "camera.jpg")
    assert [box(made.path, page) for page in (1, 2)] == [(842, 1191), (595, 842)]


def test_depth_profile_and_softness_are_kept(tmp_path: Path) -> None:
    deep = Image.linear_gradient("L").convert("I").point(lambda value: value * 257).convert("I;16")
    deep.save(tmp_path / "deep.tif")
    Image.linear_gradient("L").convert("1").save(tmp_path / "bit.png")
    lab = ImageCms.profileToProfile(
        corner(tmp_path / "x.png") and Image.open(tmp_path / "x.png"),
        ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB",
    )  # fmt: skip
    assert lab is not None
    lab.save(tmp_path / "lab.tif")
    made = converted(tmp_path, tmp_path / "deep.tif", tmp_path / "bit.png", tmp_path / "lab.tif")
    with pikepdf.open(made.path) as pdf:
        images = [next(iter(page.get_images().values())) for page in pdf.pages]
        assert [int(image.BitsPerComponent) for image in images] == [16, 1, 8]
        assert bytes(images[0].read_bytes())[:512:2] == b"\0" * 256 and images[0].read_bytes()[-1] == 255
    shown = look.render(made.path, 3)
    assert all(abs(a - b) < 16 for a, b in zip(shown.getpixel((20, 20)), (204, 0, 0), strict=True))


def test_photographs_of_other_formats_stay_small(tmp_path: Path) -> None:
    scan = photograph((1200, 900))
    clear = scan.convert("RGBA")
    clear.putalpha(Image.linear_gradient("L").resize(scan.size))
    clear.save(tmp_path / "soft.webp", quality=80)
    heic = make_scans.heic(make_scans.Scan(scan, []), tmp_path / "p.heic")
    made = converted(tmp_path, heic, tmp_path / "soft.webp")
    assert made.path.stat().st_size < 6 * (heic.stat().st_size + (tmp_path / "soft.webp").stat().st_size)
    with pikepdf.open(made.path) as pdf:
        images = [next(iter(page.get_images().values())) for page in pdf.pages]
        assert [str(image.Filter) for image in images] == ["/DCTDecode"] * 2 and "/SMask" in images[1]
    assert look.ssim(look.render(made.path).resize((600, 450)), scan.resize((600, 450))) > 0.95


@pytest.mark.parametrize("orientation", [2, 5, 6, 8])
def test_a_turned_tiff_stands_upright_once(tmp_path: Path, orientation: int) -> None:
    from tests.tools.test_merge_pictures import TURNS, upright

    turn = TURNS[orientation]
    assert turn is not None
    upright().transpose(turn).save(tmp_path / "t.tif", tiffinfo={274: orientation})
    shown = look.render(converted(tmp_path, tmp_path / "t.tif").path, dpi=96)
    assert shown.size == (320, 200) and look.ssim(shown, upright()) > 0.97


def test_a_jpeg_that_is_cut_off_is_kept_as_far_as_it_goes_and_told(tmp_path: Path) -> None:
    photograph((400, 300)).save(tmp_path / "whole.jpg")
    data = (tmp_path / "whole.jpg").read_bytes()
    (tmp_path / "cut.jpg").write_bytes(data[: len(data) * 6 // 10])
    made = converted(tmp_path, tmp_path / "whole.jpg", tmp_path / "cut.jpg")
    assert [note.facts for note in made.notes if note.what == "picture_cut"] == [{"detail": "cut.jpg"}]
    whole, cut = (look.render(made.path, page).crop((0, 0, 200, 60)) for page in (1, 2))
    assert look.ssim(whole, cut) > 0.99
    merged = run_tool("merge", tmp_path / "merged", [tmp_path / "whole.jpg", tmp_path / "cut.jpg"])
    assert merged.noted("picture_cut") == {"detail": "cut.jpg"}


@pytest.mark.parametrize(
    ("name", "mode"), [("a.png", "RGB"), ("b.png", "P"), ("c.png", "RGBA"), ("d.gif", "P"), ("e.tif", "RGB")]
)
def test_of_a_picture_that_is_cut_off_stays_what_is_there_and_the_rest_is_white(
    tmp_path: Path, name: str, mode: str
) -> None:
    path, photo = tmp_path / name, photograph((400, 300))
    (photo.quantize(64) if mode == "P" else photo.convert(mode)).save(path, interlace=False)
    whole = look.render(converted(tmp_path, path).path, dpi=96)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 7 // 10])
    ran = converted(tmp_path, path)
    assert ran.noted("picture_cut") == {"detail": name}
    cut = look.render(ran.path, dpi=96)
    assert cut.size == whole.size
    assert look.ssim(cut.crop((0, 0, 400, 150)), whole.crop((0, 0, 400, 150))) > 0.99
    assert all((low > 250 or mode == "P") and high - low < 3 for low, high in cut.crop((0, 250, 400, 300)).getextrema())


def test_of_a_tiff_that_is_cut_off_stay_the_pages_before(tmp_path: Path) -> None:
    path, photo = tmp_path / "a.tif", photograph((400, 300))
    photo.save(path, save_all=True, append_images=[photo, photo])
    path.write_bytes(path.read_bytes()[: 400 * 300 * 3 * 2 + 1000])
    ran = converted(tmp_path, path)
    assert look.page_count(ran.path) == 3 and ran.noted("picture_cut") == {"detail": "a.tif"}


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("lossless", [True, False])
def test_of_a_webp_that_is_cut_off_stays_what_is_there(tmp_path: Path, mode: str, lossless: bool) -> None:
    """What is whole and lossy is a fine JPEG in the PDF: hence not more alike than .98."""
    path, photo = tmp_path / "a.webp", photograph((400, 300))
    if mode == "RGBA":
        photo.putalpha(160)
    photo.save(path, lossless=lossless, quality=90)
    whole = look.render(converted(tmp_path, path).path, dpi=96)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 7 // 10])
    ran = converted(tmp_path, path)
    assert ran.noted("picture_cut") == {"detail": "a.webp"}
    cut = look.render(ran.path, dpi=96)
    assert look.ssim(cut.crop((0, 0, 400, 150)), whole.crop((0, 0, 400, 150))) > 0.98
    assert all(low > 250 for low, _ in cut.crop((0, 260, 400, 300)).getextrema())


@pytest.mark.parametrize(("name", "share"), [("a.webp", 0.002), ("a.png", 0.001), ("a.tif", 0.001)])
def test_a_picture_of_which_nothing_can_be_had_is_damaged(tmp_path: Path, name: str, share: float) -> None:
    path = tmp_path / name
    photograph((400, 300)).save(path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    problem = run_tool("image_to_pdf", tmp_path / "run", [path]).problem
    assert problem and problem.reason == "damaged_file"


def test_of_what_moves_the_first_picture_is_told(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (60, 40), colour) for colour in ("red", "blue")]
    for name in ("a.gif", "b.webp"):
        frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:])
    made = converted(tmp_path, tmp_path / "a.gif", tmp_path / "b.webp")
    assert [note.facts["detail"] for note in made.notes if note.what == "first_frame"] == ["a.gif", "b.webp"]
    assert look.render(made.path, 2).getpixel((20, 20))[0] > 240


def test_a_drawing_stays_one(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        (tmp_path / name).write_text(SVG.format(RED))
    made = converted(tmp_path, tmp_path / "a.svg", tmp_path / "b.svg", turns=[0, 90], paper="a4", margin=20)
    assert "纸鹤 crane" in look.text_of(made.path, 1)
    with pikepdf.open(made.path) as pdf:
        assert pdf.check_pdf_syntax() == [] and not any(page.get_images() for page in pdf.pages)
        assert "/StructTreeRoot" not in pdf.Root and "/Info" not in pdf.trailer
    room = (297 - 40) / 297
    assert [box(made.path, page) for page in (1, 2)] == [(842, 595), (595, 842)]
    assert seen(made.path, 1)[0] == pytest.approx(20 / 297 + room / 6, abs=0.02)
    assert seen(made.path, 2)[1] == pytest.approx(20 / 297 + room / 6, abs=0.02)
    assert box(converted(tmp_path / "bare", tmp_path / "a.svg").path) == (225, 150)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('<image href="file:///etc/passwd" width="9" height="9"/><image xlink:href="http://127.0.0.1:9/a.png"/>', ""),
        ('<script>alert(1)</script><use href="other.svg#a"/><image href="drawing.svg" width="9" height="9"/>', ""),
        ("<g>", "damaged_file"),
        ("&out;", "unsafe_content"),
        ("&lots;", "unsafe_content"),
    ],
)
def test_a_drawing_reaches_nothing_else(tmp_path: Path, body: str, reason: str) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    entities = f'<!ENTITY out SYSTEM "file:///etc/passwd"><!ENTITY l0 "ha">{laughs}<!ENTITY lots "&l8;">'
    head = f"<!DOCTYPE svg [{entities}]>" if "&" in body else ""
    (tmp_path / "a.svg").write_text(head + SVG.format(RED + body))
    made = run_tool("image_to_pdf", tmp_path / "made", [tmp_path / "a.svg"])
    assert (made.problem.reason if made.problem else "") == reason
    if not reason:
        assert made.noted("remote_blocked") == {}
        assert seen(made.path) == (0.17, 0.2)


def test_a_drawing_of_too_many_parts_or_pixels_has_a_reason(tmp_path: Path) -> None:
    held = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(held, "PNG")
    import base64

    inner = f'<image href="data:image/png;base64,{base64.b64encode(held.getvalue()).decode()}" width="9" height="9"/>'
    doubled = "".join(f'<g id="g{n}">{f"<use href={chr(34)}#g{n - 1}{chr(34)}/>" * 10}</g>' for n in range(1, 9))
    nested = f'<defs><g id="g0"><rect width="1" height="1"/></g>{doubled}</defs><use href="#g8"/>'
    for body, reason in ((inner, "too_large_when_opened"), (nested, "damaged_file")):
        (tmp_path / "a.svg").write_text(SVG.format(body))
        made = run_tool("image_to_pdf", tmp_path / reason, [tmp_path / "a.svg"])
        assert made.problem and made.problem.reason == reason


def test_a_hundred_million_pixels_take_little_memory(tmp_path: Path) -> None:
    from tests.bench.side_by_side import ours, run

    corner(tmp_path / "bomb.jpg", (20_000, 16_000), quality=20)
    bomb = run_tool("image_to_pdf", tmp_path / "bomb", [tmp_path / "bomb.jpg"])
    assert bomb.problem and bomb.problem.reason == "too_large_when_opened"
    corner(tmp_path / "a.jpg", (10_000, 10_000), quality=50)
    assert run(ours("image_to_pdf", [tmp_path / "a.jpg"], tmp_path / "out")).mb < 200
    assert subprocess.run(["qpdf", "--check", tmp_path / "out/0/0/out/0.pdf"], check=False).returncode == 0


@pytest.mark.usefixtures("ocr_engine")
def test_words_can_be_found_where_they_stand_and_bytes_stay(tmp_path: Path) -> None:
    """By three readers, on paper, upright and lying; beside a drawing and an empty picture, whose pages have none."""
    straight = make_scans.page(("纸鹤工具箱", "Folded paper crane"), size=(700, 300), points=40)
    lying = make_scans.turned(straight, 90)
    files = [straight.save(tmp_path / "a.jpg", quality=95), lying.save(tmp_path / "b.png")]
    (tmp_path / "c.svg").write_text(SVG.format(RED), "utf-8")
    Image.new("RGB", (300, 200), "white").save(tmp_path / "d.png")
    files += [tmp_path / "c.svg", tmp_path / "d.png", files[0]]
    made = converted(tmp_path, *files, searchable=True, paper="a4", margin=20, turns=[0, 0, 0, 0, 90])
    assert files[0].read_bytes() in made.path.read_bytes()
    assert made.noted("text_kept") == {} and made.noted("characters") == {"count": 3 * 21} and made.outputs[0].text
    # Along the line as its ink, across as high as a font is: read from left to right, and twice downwards.
    for page, bounds in ((1, (8, 18)), (2, (18, 8)), (5, (18, 8))):
        ink = ImageChops.invert(look.render(made.path, page, 72).convert("L")).point(lambda value: 255 * (value > 90))
        for find in (found_by_mupdf, found_by_pdfium, found_by_poppler):
            boxes = [find(made.path, page, word) for word in ("纸鹤工具箱", "Folded", "crane")]
            for axis in (0, 1):
                found = min(each[axis] for each in boxes), max(each[axis + 2] for each in boxes)
                assert found == pytest.approx(ink.getbbox()[axis::2], abs=bounds[axis]), (find, page)
    # The third word begins where it is seen to.
    lead = ImageFont.truetype(make_scans.SANS, 40).getlength("Folded paper ") + 700 // 12
    begins = 20 * MM + lead / 700 * (A4[1] - 40 * MM)
    assert found_by_mupdf(made.path, 1, "crane")[0] == pytest.approx(begins, abs=4)
    assert found_by_pdfium(made.path, 1, "crane")[0] == pytest.approx(begins, abs=4)


def found_by_mupdf(path: Path, page: int, word: str) -> tuple[float, ...]:
    import pymupdf

    with pymupdf.open(path) as document:
        (box,) = document[page - 1].search_for(word)
        return tuple(box)


def found_by_pdfium(path: Path, page: int, word: str) -> tuple[float, ...]:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        shown = document[page - 1]
        text = shown.get_textpage()
        at, count = text.search(word).get_next()
        boxes = [text.get_charbox(index, loose=True) for index in range(at, at + count)]
        left, down, right, up = zip(*boxes, strict=True)
        return min(left), shown.get_height() - max(up), max(right), shown.get_height() - min(down)


def found_by_poppler(path: Path, page: int, word: str) -> tuple[float, ...]:
    command = ["pdftotext", "-bbox", "-f", str(page), "-l", str(page), path, "-"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    line = next(line for line in told.splitlines() if f">{word}<" in line)
    return tuple(float(line.split(f'{name}="')[1].split('"')[0]) for name in ("xMin", "yMin", "xMax", "yMax"))
