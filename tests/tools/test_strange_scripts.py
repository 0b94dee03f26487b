"""Pictures to text: pages that are nearly blank, scripts and letters that the reader does not know."""

import time
from pathlib import Path

import numpy
import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.line import Line, Page
from cluster.engines.ocr.alphabet import Only, plain
from cluster.engines.ocr.legible import legible, strange
from tests import make_scans
from tests.make_scans import EN, LATIN, NOTO, SANS, STRANGE, VIETNAMESE, ZH
from tests.running import Ran, run_tool

pytestmark = pytest.mark.usefixtures("ocr_engine")


def extract(folder: Path, image: Image.Image, **options: object) -> Ran:
    image.save(folder / "a.png")
    return run_tool("image_to_text", folder / "run", [folder / "a.png"], **options)


def text_of(ran: Ran) -> str:
    assert ran.problem is None, ran.problem
    return ran.outputs[0].path.read_text(encoding="utf-8").strip()


def sheet(*lines: str, font: str, size: tuple[int, int] = (1600, 500), points: int = 44) -> Image.Image:
    """Lines below each other on white."""
    image = Image.new("RGB", size, "white")
    for number, line in enumerate(lines):
        place = size[0] // 12, size[1] // 8 + number * points * 2
        ImageDraw.Draw(image).text(place, line, fill="black", font=ImageFont.truetype(font, points))
    return image


@pytest.mark.parametrize(("line", "font"), [("Sehr geehrte Damen und Herren", LATIN), ("只有一行文字的页面", SANS)])
@pytest.mark.parametrize("points", [36, 52])
def test_one_line_on_a_big_page_is_found(tmp_path: Path, line: str, font: str, points: int) -> None:
    page = sheet(line, font=font, size=(3600, 4800), points=points)
    assert text_of(extract(tmp_path, page)) == line


def test_all_corners_of_a_sparse_page_are_read(tmp_path: Path) -> None:
    page = Image.new("RGB", (3600, 4800), "#f4f1e8")
    places = {"Ref. 2024/117": (300, 250), "第 3 页": (3000, 4500), "Signed in Geneva": (1500, 2400)}
    for words, place in places.items():
        ImageDraw.Draw(page).text(place, words, fill="#333", font=ImageFont.truetype(SANS, 48))
    found = text_of(extract(tmp_path, page))
    assert all(words.replace(" ", "") in found.replace(" ", "") for words in places), found


def test_what_stands_close_together_on_a_sparse_page_is_read_once(tmp_path: Path) -> None:
    """Such a page is searched place by place, and the paper around one shows the next one's lines, whole or cut."""
    page = Image.new("RGB", (1275, 1651), "white")
    drawing, font = ImageDraw.Draw(page), ImageFont.truetype(LATIN, 26)
    words = [f"{kind} {number}" for kind in ("left", "middle", "right") for number in range(12)]
    for at, word in enumerate(words):
        column, row = divmod(at, 12)
        drawing.text((150 + 330 * column, 150 + 30 * row + 36 * (row // 3)), word, fill="black", font=font)
    found = text_of(extract(tmp_path, page)).replace(" ", "").replace("\n", "")
    assert all(found.count(word.replace(" ", "")) == 1 + (word.endswith(" 1")) * 2 for word in words), found


@pytest.mark.parametrize("script", STRANGE)
def test_a_strange_script_is_told_not_guessed(tmp_path: Path, script: str) -> None:
    line, font = STRANGE[script]
    problem = extract(tmp_path, sheet(line, line, line, font=font)).problem
    assert problem and problem.reason == "script_not_supported"
    assert problem.facts["lines"] == problem.facts["unread"] == 3
    assert "3 行" in problem.text("zh") and "3 lines" in problem.text("en")


def test_a_strange_line_among_others_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    line, _ = STRANGE["hangul"]
    ran = extract(tmp_path, sheet("这份文件有中文的说明", "也有一行韩文：如下", line, "最后又是中文的内容", font=SANS))
    assert "这份文件有中文的说明" in text_of(ran)
    assert ran.noted("lines_unread") == {"count": 1}


@pytest.mark.parametrize("scan", [make_scans.page(ZH[:3]), make_scans.page(EN[:3], font=LATIN)])
def test_known_scripts_are_not_suspected(tmp_path: Path, scan: make_scans.Scan) -> None:
    ran = extract(tmp_path, make_scans.noisy(scan).image)
    assert ran.problem is None
    assert ran.noted("lines_unread") is None and ran.noted("letters_passed_over") is None


def test_noise_is_not_legible() -> None:
    long = ((0.0, 0.0), (600.0, 0.0), (600.0, 40.0), (0.0, 40.0))
    assert legible(Line(long, "Words of a line", 0.9))
    assert not legible(Line(long, "Words of a line", 0.6))
    assert not legible(Line(long, "5 L", 0.9))


def test_short_lines_tell_that_the_script_is_known() -> None:
    """A table of numbers under a caption that is cut off: its lines are too short to be doubted."""
    caption = Line(((0.0, 0.0), (200.0, 0.0), (200.0, 16.0), (0.0, 16.0)), "un 1 m", 0.4)
    numbers = [
        Line(((x, y), (x + 30, y), (x + 30, y + 24), (x, y + 24)), "15.1", 0.99)
        for x in (0.0, 60.0, 120.0)
        for y in (30.0, 60.0, 90.0)
    ]
    assert strange([Page(300, 200, 0, (caption, *numbers))]) == (1, 1, False)
    assert strange([Page(300, 200, 0, (caption, *numbers[:2]))]) == (1, 1, True)


def test_letters_beyond_the_alphabet_are_told(tmp_path: Path) -> None:
    assert extract(tmp_path, sheet(VIETNAMESE, font=NOTO)).noted("letters_passed_over") is not None


@pytest.mark.parametrize(
    "line", ["Über die großen Füße der Grünhäupter", "Élève français à Noël: où êtes-vous?", "Zażółć gęślą jaźń", EN[0]]
)
def test_marked_letters_of_the_alphabet_raise_no_alarm(tmp_path: Path, line: str) -> None:
    ran = extract(tmp_path, sheet(line, font=NOTO, points=36, size=(2400, 400)))
    assert text_of(ran) == line
    assert ran.noted("letters_passed_over") is None


@pytest.mark.parametrize(
    ("steps", "read", "told"),
    [
        # what the reader said of "tiếng": ê is nearly as likely as blank
        ([(0, 1, 0, 0), (1, 0, 0, 0), (0.51, 0, 0.49, 0), (1, 0, 0, 0), (0, 0, 0, 1)], "tên", True),
        ([(0, 1, 0, 0), (1, 0, 0, 0), (0.99, 0, 0.004, 0), (1, 0, 0, 0), (0, 0, 0, 1)], "tn", True),
        ([(0, 1, 0, 0), (1, 0, 0, 0), (0.99, 0, 0.0004, 0), (1, 0, 0, 0), (0, 0, 0, 1)], "tn", False),
        # beside a letter it is the letter's echo
        ([(0, 1, 0, 0), (0.5, 0, 0.49, 0), (0, 0, 1, 0), (1, 0, 0, 0), (0, 0, 0, 1)], "tên", False),
    ],
)
def test_the_nearest_letter_stands_for_one_beyond_the_alphabet(
    steps: list[tuple[float, ...]], read: str, told: bool
) -> None:
    only = Only(("blank", "t", "ê", "n"))
    heard = only.read(only.steps(numpy.array(steps, dtype=numpy.float32)))
    assert heard.text == read
    assert heard.passed_over is told


def test_full_width_signs_in_latin_text_are_plain() -> None:
    assert plain("AT＆T and Marks ＆ Spencer，Ltd．") == "AT&T and Marks & Spencer,Ltd."
    assert plain("你好，世界！（完）") == "你好，世界！（完）"
    assert plain("公司 AT＆T 的报告，第３页") == "公司 AT&T 的报告，第３页"


@pytest.mark.parametrize("size", [(1, 65_535), (65_535, 1), (16, 65_535)])
def test_a_picture_too_narrow_for_letters_ends_in_seconds(tmp_path: Path, size: tuple[int, int]) -> None:
    began = time.monotonic()
    problem = extract(tmp_path, Image.new("L", size, 255)).problem
    assert problem and problem.reason == "no_text_found"
    assert time.monotonic() - began < 60
