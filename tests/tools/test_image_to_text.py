"""Image extract text: the words as they stand on the picture, in the order people read them."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pymupdf
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

from cluster import hands
from cluster.engines.ocr import client as ocr
from cluster.engines.ocr.alphabet import writes
from cluster.engines.pages.pictures import Frame
from cluster.engines.pictures.rows import Samples
from tests import look, make_scans
from tests.make_scans import EN, ZH, Scan
from tests.running import Ran, run_tool

pytestmark = pytest.mark.usefixtures("ocr_engine")

_ZH, _EN = ZH[:2], EN[:2]
_SMALL = (1240, 700)


def extract(folder: Path, path: Path, **options: object) -> Ran:
    return run_tool("image_to_text", folder / "run", [path], **options)


def text_of(ran: Ran) -> str:
    assert ran.problem is None, ran.problem
    return ran.outputs[0].path.read_text(encoding="utf-8")


def told_of(ran: Ran) -> Any:
    return json.loads(ran.outputs[1].path.read_text(encoding="utf-8"))


def error(ran: Ran, scan: Scan) -> float:
    return make_scans.error_rate(text_of(ran), "".join(scan.words))


_CASES = {
    "zh": make_scans.page(ZH),
    "en": make_scans.page(EN, font=make_scans.LATIN),
    "hard zh": make_scans.noisy(make_scans.skewed(make_scans.page(_ZH, font=make_scans.SERIF, size=_SMALL))),
    "hard en": make_scans.noisy(make_scans.skewed(make_scans.page(_EN, font=make_scans.LATIN, size=_SMALL), -2)),
}


@pytest.mark.parametrize("case", _CASES)
def test_scans_are_read_without_error(tmp_path: Path, case: str) -> None:
    ran = extract(tmp_path, _CASES[case].save(tmp_path / "a.png"))
    assert error(ran, _CASES[case]) <= 0.001
    assert ran.noted("turned") is None


@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.parametrize("case", ["hard zh", "hard en"])
def test_turned_pages_are_turned_first_and_told(tmp_path: Path, case: str, turn: int) -> None:
    scan = make_scans.turned(_CASES[case], turn)
    ran = extract(tmp_path, scan.save(tmp_path / "a.png"))
    assert error(ran, scan) <= 0.002
    assert ran.noted("turned") == {"detail": 360 - turn}


@pytest.mark.parametrize(
    ("words", "count", "title", "font"),
    [
        (ZH, 2, "", make_scans.SANS),
        (EN, 2, "A Title Across the Page", make_scans.LATIN),
        (ZH, 3, "横跨全页的大标题", make_scans.SERIF),
    ],
)
def test_columns_are_read_one_after_the_other(
    tmp_path: Path, words: tuple[str, ...], count: int, title: str, font: str
) -> None:
    scan = make_scans.columns(words, count, title=title, font=font)
    ran = extract(tmp_path, scan.save(tmp_path / "a.png"))
    assert error(ran, scan) <= (0.03 if words[0] == ZH[0] else 0.05)


def test_paragraphs_are_whole_and_without_blanks_between_han(tmp_path: Path) -> None:
    scan = make_scans.page(_ZH)
    ran = extract(tmp_path, scan.save(tmp_path / "a.png"))
    assert text_of(ran).split("\n")[:-1] == list(scan.words)
    assert not re.search("[一-鿿] +[一-鿿]", text_of(ran))


def test_words_keep_their_blanks(tmp_path: Path) -> None:
    ran = extract(tmp_path, make_scans.page(_EN, font=make_scans.LATIN).save(tmp_path / "a.png"))
    assert EN[0] in text_of(ran)


def test_line_by_line(tmp_path: Path) -> None:
    scan = make_scans.page(_ZH)
    path = scan.save(tmp_path / "a.png")
    lines = text_of(extract(tmp_path, path, layout="lines")).split()
    assert len(lines) > len(scan.words)
    assert "".join(lines) == "".join(scan.words)


def test_lines_boxes_and_scores_for_correction(tmp_path: Path) -> None:
    ran = extract(tmp_path, make_scans.page(("合同编号",), points=60).save(tmp_path / "a.png"))
    (page,) = told_of(ran)["pages"]
    (line,) = page["paragraphs"][0]["lines"]
    assert (page["width"], page["height"]) == make_scans.A4
    assert line["text"] == "合同编号"
    assert line["score"] > 0.9
    left, top = make_scans.A4[0] // 12, make_scans.A4[1] // 14
    assert line["box"][0] == pytest.approx([left, top], abs=25)
    assert line["box"][2] == pytest.approx([left + 240, top + 75], abs=25)


@pytest.mark.parametrize("turn", [0, 90])
def test_searchable_pdf_shows_the_picture_and_holds_its_words_where_they_stand(tmp_path: Path, turn: int) -> None:
    straight = make_scans.columns(ZH[:4], title="标题")
    scan = make_scans.turned(straight, turn)
    ran = extract(tmp_path, scan.save(tmp_path / "a.jpg", quality=95), output="pdf")
    path = ran.outputs[0].path
    assert make_scans.error_rate(look.text_of(path), "".join(scan.words)) <= 0.03
    shown = look.render(path)
    assert look.ssim(shown, straight.image.resize(shown.size, Image.Resampling.LANCZOS)) > 0.97
    assert ran.outputs[0].pages == look.page_count(path) == 1


def test_photographs_lie_as_their_exif_says(tmp_path: Path) -> None:
    scan = make_scans.page(_ZH)
    exif = Image.Exif()
    exif[0x0112] = 6
    path = make_scans.turned(scan, 270).save(tmp_path / "a.jpg", exif=exif, quality=95)
    ran = extract(tmp_path, path)
    assert error(ran, scan) <= 0.001
    assert ran.noted("turned") is None


def test_a_photographed_page_is_read_flat_and_its_lines_stand_on_the_photograph(tmp_path: Path) -> None:
    """Two columns seen aslant, in shadow, on their head: the boxes of red words hold what is red of the photograph."""
    scan = make_scans.columns(ZH[:4], title="标题")
    pen = ImageDraw.Draw(scan.image)
    pen.text((scan.image.width // 14, 1500), "红色文字", "red", ImageFont.truetype(make_scans.SANS, 40))
    photo = make_scans.turned(make_scans.photographed(scan, lean=0.2, shadow=0.4), 180)
    path = photo.save(tmp_path / "a.jpg", quality=92)
    ran = extract(tmp_path, path)
    assert ran.noted("flattened") == {} and ran.noted("turned") == {"detail": 180}
    assert make_scans.error_rate(text_of(ran), "".join(scan.words) + "红色文字") <= 0.005
    (page,) = told_of(ran)["pages"]
    assert (page["width"], page["height"], page["turned"]) == (*photo.image.size, 180)
    lines = {line["text"]: line["box"] for each in page["paragraphs"] for line in each["lines"]}
    upright = numpy.asarray(photo.image.rotate(180)).astype(int)
    red = upright[..., 0] > upright[..., 1] + 60
    inside = Image.new("1", photo.image.size)
    ImageDraw.Draw(inside).polygon([tuple(point) for point in lines["红色文字"]], fill=1)
    assert (red & numpy.asarray(inside)).sum() > 0.97 * red.sum() > 500
    again = corrected(tmp_path, path, told_of(ran))
    assert text_of(again) == text_of(ran)


def test_handwriting_is_marked_where_it_is_doubtful(tmp_path: Path) -> None:
    """In the text, in the receipt and in the data; not once it was corrected, and not where nobody wants marks."""
    page = make_scans.page(ZH[:1], size=(1240, 600))
    face = io.BytesIO()
    font = TTFont(hands.file_of("liu-jian-mao-cao"))
    font.flavor = None
    font.save(face)
    face.seek(0)
    ImageDraw.Draw(page.image).text((103, 400), ZH[1][:20], "black", ImageFont.truetype(face, 44))
    path = page.save(tmp_path / "a.png")
    ran = extract(tmp_path, path)
    printed, written = text_of(ran).splitlines()
    assert printed == ZH[0] and written.endswith("[?]") and "甲方" in written
    assert ran.noted("lines_doubtful") == {"count": 1}
    data = told_of(ran)
    lines = [line for part in data["pages"][0]["paragraphs"] for line in part["lines"]]
    assert [line["doubtful"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert "[?]" not in text_of(extract(tmp_path, path, marks=False))
    lines[-1]["said"] = lines[-1]["text"]
    assert text_of(corrected(tmp_path, path, data)).splitlines()[1] == lines[-1]["said"]


def test_every_page_of_a_tiff(tmp_path: Path) -> None:
    first, second = make_scans.page(("第一页的文字",)), make_scans.page(("第二页的文字",))
    path = first.save(tmp_path / "a.tiff", save_all=True, append_images=[second.image])
    assert text_of(extract(tmp_path, path)).split() == ["第一页的文字", "第二页的文字"]
    assert look.page_count(extract(tmp_path / "pdf", path, output="pdf").outputs[0].path) == 2


def test_long_screenshot(tmp_path: Path) -> None:
    scan = make_scans.page(ZH * 2, size=(600, 3600), points=28)
    assert error(extract(tmp_path, scan.save(tmp_path / "a.png")), scan) <= 0.002


@pytest.mark.parametrize("ink", ["black", "white", "gold"])
def test_transparent_picture(tmp_path: Path, ink: str) -> None:
    scan = make_scans.page(("透明底色",), size=(600, 200), points=60)
    clear = Image.new("RGBA", scan.image.size, ink)
    clear.putalpha(scan.image.convert("L").point(lambda value: 255 - value))
    clear.save(tmp_path / "a.png")
    assert text_of(extract(tmp_path, tmp_path / "a.png")).strip() == "透明底色"


def test_english_only_takes_no_han_for_letters() -> None:
    assert [writes("en", letter) for letter in ("a", "1", ".", "—", "一", "口", "é")] == [True] * 4 + [False] * 3
    assert writes("latin", "é") and writes("ja", "の") and not writes("zh", "の")


def test_japanese(tmp_path: Path) -> None:
    scan = make_scans.page(("図書館は町の中心にあります。", "カタカナとひらがな"), size=(900, 400), points=40)
    assert error(extract(tmp_path, scan.save(tmp_path / "a.png"), language="ja"), scan) == 0


@pytest.mark.parametrize("turn", [0, 90])
def test_lines_that_run_down_are_read_from_right_to_left(tmp_path: Path, turn: int) -> None:
    """Also of a page that lies; it is shown upright, and its words are found where they stand."""
    scan = make_scans.upright(_ZH)
    path = make_scans.turned(scan, turn).save(tmp_path / "a.png")
    ran = extract(tmp_path, path)
    assert error(ran, scan) <= 0.002
    assert ran.noted("turned") == ({"detail": 360 - turn} if turn else None)
    (page,) = told_of(ran)["pages"]
    assert (page["width"], page["height"], page["turned"]) == (*make_scans.A4, (360 - turn) % 360)
    firsts = [each["lines"][0]["box"][0] for each in page["paragraphs"]]
    assert firsts[0][0] > firsts[1][0] + 60  # the second paragraph begins left of the first
    pdf = extract(tmp_path / "pdf", path, output="pdf").outputs[0].path
    with pymupdf.open(pdf) as document:
        (box,) = document[0].search_for(scan.words[0][:4])
        assert box.height > 3 * box.width and box.x0 > document[0].rect.width * 0.8
    again = corrected(tmp_path, path, told_of(ran))
    assert text_of(again) == text_of(ran)


def test_short_lines_of_a_nearly_empty_page_are_read_once(tmp_path: Path) -> None:
    scan = make_scans.page(
        ("根据 RFC 9110 第 15 节的规定，HTTP status 404 表示 Not Found，服务器 server-01 无法找到资源。",)
    )
    assert error(extract(tmp_path, scan.save(tmp_path / "a.png")), scan) <= 0.002


def test_a_blank_page_has_no_text(tmp_path: Path) -> None:
    Image.new("RGB", (800, 600), "white").save(tmp_path / "a.png")
    problem = extract(tmp_path, tmp_path / "a.png").problem
    assert problem and problem.reason == "no_text_found"


def test_a_pixel_bomb_is_refused_by_its_header(tmp_path: Path) -> None:
    Image.new("1", (20_000, 20_000)).save(tmp_path / "a.png")
    problem = extract(tmp_path, tmp_path / "a.png").problem
    assert problem and problem.reason == "too_large_when_opened"


@pytest.mark.parametrize("name", ["b.png", "b.jpg", "b.webp", "b.tif", "large.jpg"])
def test_of_a_cut_off_picture_what_is_there_is_read_and_told(tmp_path: Path, name: str) -> None:
    """A JPEG of more pixels than are read is decoded at a half."""
    path, lines = tmp_path / name, [f"{text[:12]}第{at}行" for at, text in enumerate(make_scans.ZH * 3)]
    made = make_scans.page(lines, points=26).image
    made = made.resize((3720, 5262)) if name.startswith("large") else made
    made.save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    ran = extract(tmp_path, path, layout="lines")
    assert ran.noted("picture_cut") == {"detail": name}
    found = ran.outputs[0].path.read_text("utf-8").splitlines()
    assert found[:6] == lines[:6] and len(found) < len(lines)


def test_of_a_picture_of_which_nothing_is_left_the_damage_is_told(tmp_path: Path) -> None:
    data = make_scans.page(_ZH).save(tmp_path / "a.png").read_bytes()
    (tmp_path / "b.png").write_bytes(data[:60])
    problem = extract(tmp_path, tmp_path / "b.png").problem
    assert problem and problem.reason == "damaged_file"


def corrected(folder: Path, picture: Path, data: object, **options: object) -> Ran:
    """A second run with this data; no picture is read."""
    (folder / "data.json").write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    extras = {"uploads/x/y/data.json": folder / "data.json"}
    return run_tool(
        "image_to_text", folder / "again", [picture], extras=extras, corrected="uploads/x/y/data.json", **options
    )


def test_a_correction_comes_back_and_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a page that lay on its side: as text and as a searchable PDF, its words where they stand."""
    path = make_scans.turned(make_scans.page(("一二三四五六七八九十", "第二段在这里")), 90).save(tmp_path / "a.png")
    data = told_of(extract(tmp_path, path))
    line = data["pages"][0]["paragraphs"][0]["lines"][0]
    line["text"] = line["text"].replace("五六", "伍陆")
    monkeypatch.setattr(ocr, "read", None)
    again = corrected(tmp_path, path, data)
    assert "一二三四伍陆七八九十" in text_of(again) and "第二段在这里" in text_of(again)
    assert again.noted("corrected") == {} and told_of(again)["pages"][0]["turned"] == 270
    pdf = corrected(tmp_path, path, data, output="pdf")
    assert "伍陆" in look.text_of(pdf.outputs[0].path).replace(" ", "")


@pytest.mark.parametrize(
    "change",
    [
        "no JSON",
        "{}",
        lambda data: data["pages"].pop(),
        lambda data: data["pages"][0].update(width=data["pages"][0]["width"] + 1),
        lambda data: data["pages"][0].update(turned=45),
        lambda data: data["pages"][0]["paragraphs"][0]["lines"][0].update(box=[[1, 1]] * 4),
        lambda data: data["pages"][0]["paragraphs"][0]["lines"][0].update(box=[[0, 0], [1e300, 0], [1, 1], [0, 1]]),
    ],
)
def test_data_of_something_else_is_refused(tmp_path: Path, change: Any) -> None:
    box = [[10, 10], [300, 10], [300, 40], [10, 40]]
    page = {
        "width": 700,
        "height": 200,
        "turned": 0,
        "paragraphs": [{"text": "字", "lines": [{"text": "字", "box": box}]}],
    }
    data: Any = {"pages": [page]}
    path = make_scans.page(("字",), size=(700, 200)).save(tmp_path / "a.png")
    assert corrected(tmp_path, path, data).problem is None
    if callable(change):
        change(data)
    problem = corrected(tmp_path, path, data if callable(change) else change).problem
    assert problem and problem.reason == "correction_unfit"


def test_turning_on_from_any_orientation() -> None:
    bare = Frame(1, 1, Samples(b"", b"", 1))
    assert [bare.turned(degrees).orientation for degrees in (0, 90, 180, 270)] == [1, 6, 3, 8]
    assert replace(bare, orientation=8).turned(90).orientation == 1
    assert replace(bare, orientation=2).turned(90).turned(270).orientation == 2


def test_without_its_engine_the_fault_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "HOME", tmp_path)
    monkeypatch.setattr(ocr, "_READY_SECONDS", 0)
    problem = extract(tmp_path, make_scans.page(("字",)).save(tmp_path / "a.png")).problem
    assert problem and problem.reason == "engine_unavailable"
