"""Marks of the tool sign: where the preview drew them, curves as curves, words as words, seals without their paper."""

from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw

from tests import look, make
from tests.running import Ran, run_tool
from tests.tools.test_watermark import red_box, seen_size

RED = "#ff0000"
#: A wave of two curves, and a dot above it.
STROKES = [[4, 50, 6, 30, 10, 60, 90, 100, 50, 8, 140, 10, 170, 90, 196, 50], [150, 20, 6]]
INK = {"kind": "drawn", "strokes": STROKES, "width": 200, "height": 100, "colour": RED}
#: Fills its box.
BAR = {"kind": "drawn", "strokes": [[10, 10, 20, 80, 10, 120, 10, 190, 10]], "width": 200, "height": 20, "colour": RED}
HANDS = ["ma-shan-zheng", "zhi-mang-xing", "liu-jian-mao-cao", "long-cang", "caveat", "dancing-script"]


def spot(**more: Any) -> dict[str, Any]:
    return {"x": 0.6, "y": 0.4, "height": 20, **more}


def signed(folder: Path, source: Path, *marks: dict[str, Any], **options: Any) -> Ran:
    return run_tool("sign", folder / "run", [source], marks=list(marks), **options)


def picture(path: Path) -> Path:
    """Red ink on a photograph's grey paper."""
    made = Image.new("RGB", (600, 300), "#e8e6e0")
    ImageDraw.Draw(made).rectangle((100, 100, 500, 200), fill=RED)
    made.save(path)
    return path


@pytest.mark.parametrize("kind", ["drawn", "picture"])
def test_lands_where_the_preview_draws_it(tmp_path: Path, kind: str):
    """/Rotate × CropBox × boxes off the origin × UserUnit: 20 pages, its box within 2 pt."""
    file = {"u/ink.png": picture(tmp_path / "ink.png")}
    mark = BAR if kind == "drawn" else {"kind": "picture", "file": "u/ink.png"}
    source = make.geometry(tmp_path / "a.pdf")
    ran = signed(tmp_path, source, {**mark, "spots": [spot()]}, extras=file)
    across = 200 if kind == "drawn" else 80
    for page in range(1, 21):
        width, height = seen_size(ran.path, page)
        wanted = width * 0.6 - across / 2, height * 0.4 - 10, width * 0.6 + across / 2, height * 0.4 + 10
        assert red_box(ran.path, page) == pytest.approx(wanted, abs=2), page


def test_words_stand_upright_on_every_kind_of_page(tmp_path: Path):
    source = make.geometry(tmp_path / "a.pdf")
    mark = {"kind": "typed", "text": "HHHH", "face": "caveat", "colour": RED, "spots": [spot(height=60)]}
    ran = signed(tmp_path, source, mark)
    found = []
    for page in range(1, 21):
        width, height = seen_size(ran.path, page)
        left, top, right, bottom = red_box(ran.path, page) or (0, 0, 0, 0)
        found.append((left - width * 0.6, top - height * 0.4, right - width * 0.6, bottom - height * 0.4))
    assert all(box == pytest.approx(found[0], abs=2) for box in found)
    left, top, right, bottom = found[0]
    assert abs(left + right) < 20 and -30 < top < bottom < 30 and right - left > 2 * (bottom - top)


def test_curves_stay_curves_and_words_stay_words(tmp_path: Path):
    """No pixels; each curve with its own width; the words of six hands come out whole, of small subsets."""
    source = make.text(tmp_path / "a.pdf", 2)
    words = [{"kind": "typed", "text": "李明 Jane", "face": hand, "spots": [spot(y=0.1 + at / 10)]} for at, hand in
             enumerate(HANDS)]  # fmt: skip
    date = {"kind": "dated", "day": "2026-01-31", "spots": [spot(pages="2", y=0.9)]}
    ran = signed(tmp_path, source, {**INK, "spots": [spot(angle=30)]}, *words, date)
    assert look.images_of(ran.path) == []
    assert ran.noted("pages_signed") == {"count": 2}
    with pikepdf.open(ran.path) as pdf:
        streams = [bytes(each.read_bytes()) for each in pdf.objects if isinstance(each, pikepdf.Stream)]
    assert any(b"6 w 4 50 m 30 10 60 90 100 50 c S" in each and b"8 w 100 50 m" in each for each in streams)
    with pypdfium2.PdfDocument(ran.path) as document:
        found = document[1].get_textpage().get_text_range()
    assert found.count("李明 Jane") == 6 and "2026年1月31日" in found
    assert ran.path.stat().st_size < source.stat().st_size + 60_000


def test_turned_ink_turns_counter_clockwise_and_pages_are_chosen(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", 3, size=(400, 400))
    ran = signed(tmp_path, source, {**BAR, "spots": [spot(x=0.5, y=0.5, angle=90, pages="2-"), spot(pages="1", y=0.2)]})
    assert red_box(ran.path, 2) == pytest.approx((190, 100, 210, 300), abs=2)
    assert red_box(ran.path, 1) == pytest.approx((140, 70, 340, 90), abs=2)
    assert red_box(ran.path, 3) == red_box(ran.path, 2)


def test_paper_is_removed_and_what_lies_below_shows(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", 1, size=(400, 400))
    file = {"u/ink.png": picture(tmp_path / "ink.png")}
    mark = {"kind": "picture", "file": "u/ink.png"}
    kept = signed(tmp_path, source, {**mark, "clear": False, "spots": [spot(height=90)]},
                  extras=file)  # fmt: skip
    cleared = signed(tmp_path / "b", source, {"kind": "picture", "file": "u/ink.png", "spots": [spot(height=30)]},
                     extras=file)  # fmt: skip
    corner = (240 - 80, 160 - 40)
    assert look.render(kept.path, 1, dpi=72).getpixel(corner) == pytest.approx((232, 230, 224), abs=3)
    assert look.render(cleared.path, 1, dpi=72).getpixel(corner) == (255, 255, 255)
    assert red_box(cleared.path, 1) == pytest.approx((180, 145, 300, 175), abs=2)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "nothing_to_sign"),
        ({"marks": [{**INK, "spots": []}]}, "nothing_to_sign"),
        ({"marks": [{**INK, "spots": [spot(pages="9")]}]}, "page_range_invalid"),
        ({"marks": [{"kind": "dated", "day": "2026-02-30", "spots": [spot()]}]}, "option_invalid"),
        ({"marks": [{"kind": "typed", "text": "\U0001f9ff\ue000", "spots": [spot()]}]}, "glyph_missing"),
        ({"marks": [{"kind": "picture", "file": "u/gone.png", "spots": [spot()]}]}, "file_unknown"),
    ],
)
def test_says_what_to_do(tmp_path: Path, options: dict[str, Any], reason: str):
    ran = run_tool("sign", tmp_path / "run", [make.text(tmp_path / "a.pdf", 1)], **options)
    assert ran.problem is not None and ran.problem.reason == reason
