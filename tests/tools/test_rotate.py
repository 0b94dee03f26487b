"""Rotate: the shown page is the old one turned, whatever its boxes and turns were."""

from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests import look, make, make_forms
from tests.running import Ran, run_tool

#: The tool's numbers and what Pillow calls the same turn.
TURNS = {1: Image.Transpose.ROTATE_90, 2: Image.Transpose.ROTATE_270, 3: Image.Transpose.ROTATE_180}


@pytest.fixture(scope="module")
def geometry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.geometry(tmp_path_factory.mktemp("geometry") / "geometry.pdf")


def rotate(folder: Path, file: Path, **options: object) -> Ran:
    ran = run_tool("rotate", folder / "turned", [file], **options)
    assert ran.problem is None, ran.problem
    return ran


def angles(path: Path) -> list[int]:
    with pikepdf.open(path) as pdf:
        return [page.rotation for page in pdf.pages]


@pytest.mark.parametrize("turn", TURNS)
def test_the_shown_page_is_turned(tmp_path: Path, geometry: Path, turn: int):
    path = rotate(tmp_path, geometry, turn=turn).path
    for page in range(1, look.page_count(geometry) + 1):
        expected = look.render(geometry, page, 36).transpose(TURNS[turn])
        shown = look.render(path, page, 36)
        assert shown.size == expected.size, page
        assert look.ssim(shown, expected) > 0.9, page


def test_annotations_and_fields_turn_with_the_page(tmp_path: Path):
    file = make.rich(tmp_path / "rich.pdf", 4)
    ran = rotate(tmp_path, file)
    assert look.ssim(look.render(ran.path), look.render(file).transpose(TURNS[2])) > 0.95
    assert look.outline_of(ran.path) == look.outline_of(file)
    assert look.links_of(ran.path) == look.links_of(file)
    assert look.fields_of(ran.path) == look.fields_of(file)
    for page in range(1, 5):  # a reader tells the lines of a turned page in another order
        assert sorted(look.text_of(ran.path, page).split()) == sorted(look.text_of(file, page).split())
    assert look.labels_of(ran.path) == look.labels_of(file)
    assert look.tagged_pages(ran.path) == look.tagged_pages(file)
    assert ran.noted("links") == {"before": 12, "after": 12}
    assert ran.noted("pages_turned") == {"count": 4}


def test_a_later_overlay_lands_upright(tmp_path: Path):
    file = make.blank(tmp_path / "blank.pdf", 4)
    clicks = [{"page": 2, "turn": 90}, {"page": 3, "turn": 180}, {"page": 4, "turn": 270}]
    turned = rotate(tmp_path, file, clicks=clicks).path
    mark = {"mark": {"kind": "text", "text": "Fj"}, "layout": {"how": "place", "place": "bottom-right"}, "angle": 0}
    marked = run_tool("watermark", tmp_path / "marked", [turned], opacity=100, **mark).path
    corners = []
    for page in range(1, 5):
        shown = look.render(marked, page)
        corners.append(shown.crop((shown.width - 120, shown.height - 90, shown.width, shown.height)))
        assert look.ink(shown) > 0 and look.ink(corners[-1]) > 0.01
    assert all(look.ssim(corner, corners[0]) > 0.9 for corner in corners[1:])


@pytest.mark.parametrize(
    ("options", "turned"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"pages": "odd"}, [1, 3, 5]),
        ({"pages": "even"}, [2, 4]),
        ({"pages": "2-3,last"}, [2, 3, 5]),
        ({"pages": "2,2,2"}, [2]),
    ],
)
def test_ranges(tmp_path: Path, options: dict[str, str], turned: list[int]):
    ran = rotate(tmp_path, make.text(tmp_path / "t.pdf", 5), **options)
    assert angles(ran.path) == [90 if page in turned else 0 for page in range(1, 6)]
    assert ran.noted("pages_turned") == {"count": len(turned)}


def test_only_landscape_means_what_is_seen(tmp_path: Path, geometry: Path):
    before = angles(geometry)
    after = angles(rotate(tmp_path / "l", geometry, only="landscape").path)
    sizes = [look.render(geometry, page).size for page in range(1, 21)]
    wide = [width > height for width, height in sizes]
    assert [new != old for new, old in zip(after, before, strict=True)] == wide
    after = angles(rotate(tmp_path / "p", geometry, only="portrait").path)
    assert [new != old for new, old in zip(after, before, strict=True)] == [height > width for width, height in sizes]


def test_clicks_replace_the_form(tmp_path: Path):
    files = [make.text(tmp_path / f"{n}.pdf", 3) for n in (1, 2)]
    clicks = [{"page": 2, "turn": 90}, {"page": 3, "turn": 180}, {"file": 1, "page": 1, "turn": 270}]
    ran = run_tool("rotate", tmp_path / "r", files, turn=3, only="landscape", clicks=clicks)
    assert [angles(output.path) for output in ran.outputs] == [[0, 90, 180], [270, 0, 0]]
    assert [output.source for output in ran.outputs] == [0, 1]


@pytest.mark.parametrize(("clicks", "pages"), [([{"page": 4, "turn": 90}], ""), (None, "2-9")])
def test_pages_that_are_not_there(tmp_path: Path, clicks: object, pages: str):
    ran = run_tool("rotate", tmp_path, [make.text(tmp_path / "t.pdf", 3)], clicks=clicks, pages=pages)
    assert ran.problem and ran.problem.reason == "page_range_invalid"
    assert ran.problem.facts["pages"] == 3


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_inherited_turns_count(tmp_path: Path, degrees: int):
    path = make_forms.inherited(tmp_path / "i.pdf", degrees)
    ran = rotate(tmp_path, path, pages="1")
    assert angles(ran.path) == [(degrees + 90) % 360, degrees]
    assert look.ssim(look.render(ran.path, 1), look.render(path, 1).transpose(TURNS[2])) > 0.95


@pytest.mark.parametrize(("written", "expected"), [(-90, 0), (450, 180), (45, 90), (pikepdf.String("x"), 90)])
def test_turns_that_readers_take_differently(tmp_path: Path, written: object, expected: int):
    with make.edit(make.text(tmp_path / "t.pdf", 1)) as pdf:
        pdf.pages[0].obj.Rotate = written
    assert angles(rotate(tmp_path, tmp_path / "t.pdf").path) == [expected]


def test_four_quarters_are_none(tmp_path: Path, geometry: Path):
    path = geometry
    for quarter in range(4):
        path = rotate(tmp_path / str(quarter), path).path
    assert angles(path) == angles(geometry)
    assert all(look.looks_like(path, geometry, page) > 0.999 for page in (1, 6, 20))


def test_a_signature_is_told_to_break(tmp_path: Path):
    ran = rotate(tmp_path, make_forms.signed(tmp_path / "s.pdf"))
    assert ran.noted("signature_broken") == {"count": 1}
