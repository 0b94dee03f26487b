"""Watermarks: where the preview drew them, text as text, nothing else disturbed."""

import datetime
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image, ImageChops, ImageDraw

from cluster.fields import PLACES
from tests import look, make
from tests.running import Ran, run_tool

WHOLE = {"opacity": 100, "angle": 0}


def text(words: str = "机密", **more: Any) -> dict[str, Any]:
    return {"kind": "text", "text": words, "colour": "#ff0000", **more}


def marked(folder: Path, source: Path, mark: dict[str, Any] | None = None, **options: Any) -> Ran:
    return run_tool("watermark", folder / "run", [source], mark=mark or text(), **options)


def square(path: Path, colour: str = "#ff0000") -> Path:
    Image.new("RGB", (40, 40), colour).save(path)
    return path


def red_box(path: Path, page: int, fine: int = 2) -> tuple[float, float, float, float] | None:
    """Left, top, right, bottom of what is red, in points as a reader shows the page (72 dpi × UserUnit), measured at
    `fine` pixels a point."""
    with pikepdf.open(path) as pdf:
        unit = float(pdf.pages[page - 1].obj.get("/UserUnit", 1))
    shown = look.render(path, page, dpi=72 * fine)
    red, green, _ = shown.split()
    bright, dim = red.point(lambda v: 255 * (v > 160)), green.point(lambda v: 255 * (v < 110))
    box = ImageChops.darker(bright, dim).getbbox()
    return tuple(side * unit / fine for side in box) if box else None


def seen_size(path: Path, page: int) -> tuple[float, float]:
    with pikepdf.open(path) as pdf:
        unit = float(pdf.pages[page - 1].obj.get("/UserUnit", 1))
    width, height = look.render(path, page).size
    return width * unit, height * unit


@pytest.mark.parametrize("place", PLACES)
def test_lands_at_its_place_on_every_kind_of_page(tmp_path: Path, place: str):
    """/Rotate × CropBox × boxes off the origin × UserUnit: 20 pages, within 2 pt."""
    source = make.geometry(tmp_path / "a.pdf")
    mark = {"kind": "image", "file": "u/square.png", "width": 10}
    ran = run_tool(
        "watermark", tmp_path / "run", [source], extras={"u/square.png": square(tmp_path / "square.png")},
        mark=mark, layout={"how": "place", "place": place, "margin": 20}, **WHOLE,
    )  # fmt: skip
    for page in range(1, 21):
        width, height = seen_size(ran.path, page)
        side = width / 10
        x = 20 if place.endswith("left") else width - 20 - side if place.endswith("right") else (width - side) / 2
        y = 20 if place.startswith("top") else height - 20 - side if "bottom" in place else (height - side) / 2
        assert red_box(ran.path, page) == pytest.approx((x, y, x + side, y + side), abs=2), (page, place)


def test_text_stands_where_the_editor_draws_it(tmp_path: Path):
    """An H at 100 pt: its foot is the baseline, 0.98 em below the top of a box 1.2 em high around the point."""
    source = make.geometry(tmp_path / "a.pdf")
    ran = marked(tmp_path, source, text("H", size=100), layout={"how": "point", "x": 0.6, "y": 0.4}, **WHOLE)
    for page in range(1, 21):
        width, height = seen_size(ran.path, page)
        left, top, right, bottom = red_box(ran.path, page) or (0, 0, 0, 0)
        assert (left + right) / 2 == pytest.approx(0.6 * width, abs=2), page
        assert bottom == pytest.approx(0.4 * height - 60 + 98, abs=2), page
        assert 65 < bottom - top < 80, page


def test_turned_text_turns_counter_clockwise(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", size=(400, 400))
    ran = marked(tmp_path, source, text("一" * 8, size=30), layout={"how": "place"}, opacity=100, angle=45)
    page = look.render(ran.path)
    assert look.ink(page.crop((200, 0, 400, 200))) > 0.01
    assert look.ink(page.crop((0, 200, 200, 400))) > 0.01
    assert look.ink(page.crop((0, 0, 180, 180))) == 0


def test_text_is_text_with_its_variables(tmp_path: Path):
    source, begun = make.text(tmp_path / "合同.pdf", 3), _today()
    ran = marked(
        tmp_path, source, text("{file} 第{page}页/共{pages}页\n{date} ①€—…龘𠮷 {other}"), layout={"how": "place"}
    )
    days = {day.isoformat() for day in (begun, _today())}  # midnight may pass meanwhile
    assert ran.outputs[0].name == "合同_水印.pdf"
    for page, found in enumerate(look.texts_of(ran.path), 1):
        assert f"合同 第{page}页/共3页" in found
        assert any(f"{day} ①€—…龘𠮷 {{other}}" in found for day in days)
        assert make.marker(page) in found


def _today() -> datetime.date:
    return datetime.datetime.now().astimezone().date()


def test_tiles_cover_the_page(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", size=(600, 800))
    ran = marked(tmp_path, source, text("机密", size=30), layout={"how": "tiled", "gap_x": 40, "gap_y": 40}, angle=30)
    page = look.render(ran.path)
    for x, y in product(range(0, 600, 150), range(0, 800, 160)):
        assert look.ink(page.crop((x, y, x + 150, y + 160))) > 0.01, (x, y)
    assert look.text_of(ran.path).count("机密") > 20


def test_gaps_are_the_gaps(tmp_path: Path):
    """Unturned tiles: the next in a row begins w + gap further."""
    source = make.blank(tmp_path / "a.pdf", size=(500, 300))
    layout = {"how": "tiled", "gap_x": 60, "gap_y": 200}
    ran = marked(tmp_path, source, text("■", size=40), layout=layout, **WHOLE)
    row = look.render(ran.path).crop((0, 140, 500, 160)).convert("L")
    dark = [x for x in range(500) if row.getpixel((x, 10)) < 200]
    starts = [x for x in dark if x - 1 not in dark]
    assert len(starts) >= 5
    assert {b - a for a, b in pairwise(starts[1:])} <= {99, 100, 101}


def test_a_huge_page_gets_fewer_tiles_not_a_huge_file(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", size=(14_400, 14_400))
    ran = marked(tmp_path, source, text("一", size=4), layout={"how": "tiled", "gap_x": 0, "gap_y": 0})
    assert ran.path.stat().st_size < 400_000
    assert 1000 < look.text_of(ran.path).count("一") <= 8000


def test_only_the_chosen_pages(tmp_path: Path):
    ran = marked(tmp_path, make.text(tmp_path / "a.pdf", 6), pages="2,5-")
    assert ["机密" in found for found in look.texts_of(ran.path)] == [False, True, False, False, True, True]


def test_pages_that_are_not_there(tmp_path: Path):
    problem = marked(tmp_path, make.text(tmp_path / "a.pdf", 3), pages="2-9").problem
    assert problem
    assert (problem.reason, problem.facts["pages"]) == ("page_range_invalid", 3)


def test_a_letter_that_no_font_has(tmp_path: Path):
    problem = marked(tmp_path, make.blank(tmp_path / "a.pdf"), text("机密\U0010fffd")).problem
    assert problem
    assert (problem.reason, problem.facts["text"]) == ("glyph_missing", "\U0010fffd")


def test_a_thousand_pages_stay_small(tmp_path: Path):
    source = make.many(tmp_path / "a.pdf", 1000)
    ran = marked(tmp_path, source, text("内部资料 请勿外传"))
    with pikepdf.open(ran.path) as pdf:
        forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
    assert len(forms) == 2
    assert len({name for name in look.fonts_of(ran.path) if "Noto" in name}) == 1
    assert ran.path.stat().st_size < source.stat().st_size + 60 * 1000


def test_below_lies_under_the_content(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", size=(200, 200))
    with make.edit(source) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"0 0 1 rg 0 0 200 100 re f")
    shown = {}
    for layer in ("above", "below"):
        ran = run_tool(
            "watermark", tmp_path / layer, [source], mark=text("■", size=100), layer=layer,
            layout={"how": "place"}, **WHOLE,
        )  # fmt: skip
        shown[layer] = look.render(ran.path)
    assert shown["above"].getpixel((100, 110)) == (255, 0, 0)
    assert shown["below"].getpixel((100, 110)) == (0, 0, 255)
    assert shown["below"].getpixel((100, 90)) == (255, 0, 0)


@pytest.mark.parametrize(
    "content",
    [
        b"q .5 0 0 .5 50 80 cm 0 0 1 rg 0 0 50 50 re f",
        b"q q BT (un\\)balanced q Q) Tj 1 0 0 1 9 9 cm",
        b"Q Q .2 0 0 .2 0 0 cm 0 0 1 rg 0 0 50 50 re f",
        b"% q q q\n/q gs .7 0 0 .7 3 4 cm <71> pop",
    ],
)
def test_content_that_leaves_its_state_behind(tmp_path: Path, content: bytes):
    """The mark is not scaled by it, and the page looks as it did."""
    source = make.blank(tmp_path / "a.pdf", size=(200, 200))
    with make.edit(source) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(content)
    ran = marked(tmp_path, source, text("■", size=20), layout={"how": "point", "x": 0.8, "y": 0.2}, **WHOLE)
    left, top, right, bottom = red_box(ran.path, 1) or (0, 0, 0, 0)
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((160, 40), abs=3)
    corner = (0, 100, 200, 200)
    assert look.render(ran.path).crop(corner).tobytes() == look.render(source).crop(corner).tobytes()


def test_shared_resources_are_not_spoiled(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", 3)
    with make.edit(source) as pdf:
        shared = pdf.make_indirect(pikepdf.Dictionary(XObject=pikepdf.Dictionary(Mark0=pdf.make_stream(b""))))
        for page in pdf.pages:
            page.obj.Resources = shared
    ran = marked(tmp_path, source, pages="1,3")
    with pikepdf.open(ran.path) as pdf:
        one, two, three = (page.obj.Resources for page in pdf.pages)
        assert list(two.XObject.keys()) == ["/Mark0"]
        assert sorted(one.XObject.keys()) == ["/Mark0", "/Mark1"]
        assert one.objgen == three.objgen


def test_resources_from_the_tree_above(tmp_path: Path):
    source = make.text(tmp_path / "a.pdf", 2)
    with make.edit(source) as pdf:
        pdf.Root.Pages.Resources = pdf.pages[0].obj.Resources
        for page in pdf.pages:
            del page.obj["/Resources"]
    ran = marked(tmp_path, source, pages="1")
    assert "Page 1" in look.text_of(ran.path)
    assert "机密" in look.text_of(ran.path)
    assert look.looks_like(source, ran.path, 2) == 1


def test_a_picture_keeps_its_alpha_and_its_exif(tmp_path: Path):
    clear = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    ImageDraw.Draw(clear).rectangle((0, 0, 49, 99), fill=(255, 0, 0, 255))
    clear.save(tmp_path / "clear.png")
    turned = Image.new("RGB", (100, 50), "white")
    ImageDraw.Draw(turned).rectangle((0, 0, 49, 49), fill="red")
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(tmp_path / "turned.jpg", exif=exif)
    source = make.blank(tmp_path / "a.pdf", size=(200, 200))
    with make.edit(source) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"0 0 1 rg 0 0 200 200 re f")
    shown = {}
    for name in ("clear.png", "turned.jpg"):
        ran = run_tool(
            "watermark", tmp_path / "run" / name, [source], extras={name: tmp_path / name},
            mark={"kind": "image", "file": name, "width": 50}, layout={"how": "place"}, **WHOLE,
        )  # fmt: skip
        shown[name] = look.render(ran.path)
    assert shown["clear.png"].getpixel((60, 100)) == (255, 0, 0)
    assert shown["clear.png"].getpixel((140, 100)) == (0, 0, 255)
    # Turned upright it is 50 × 100 with the red half on top.
    red, green, _ = shown["turned.jpg"].getpixel((100, 20))
    assert (red > 230, green < 30) == (True, True)
    assert min(shown["turned.jpg"].getpixel((100, 180))) > 230


def test_a_picture_that_is_none(tmp_path: Path):
    (tmp_path / "x.png").write_text("no picture")
    ran = run_tool(
        "watermark", tmp_path / "run", [make.blank(tmp_path / "a.pdf")], extras={"x.png": tmp_path / "x.png"},
        mark={"kind": "image", "file": "x.png"},
    )  # fmt: skip
    assert ran.problem
    assert ran.problem.reason == "not_supported_type"


def test_everything_else_stays(tmp_path: Path):
    source = make.rich(tmp_path / "a.pdf", 8)
    ran = marked(tmp_path, source)
    for what in (look.outline_of, look.links_of, look.destinations_of, look.fields_of, look.notes_of,
                 look.attachments_of, look.labels_of, look.title_of, look.tagged_pages):  # fmt: skip
        assert what(ran.path) == what(source), what.__name__
        assert what(source)


def test_passwords(tmp_path: Path):
    source = make.encrypted(tmp_path / "a.pdf", make.text(tmp_path / "plain.pdf"), user="geheim")
    assert marked(tmp_path, source).problem.reason == "password_required"  # type: ignore[union-attr]
    wrong = run_tool("watermark", tmp_path / "w", [source], passwords={0: "x"}, mark=text())
    assert wrong.problem and wrong.problem.reason == "password_wrong"
    right = run_tool("watermark", tmp_path / "r", [source], passwords={0: "geheim"}, mark=text())
    assert "机密" in look.text_of(right.path)


def test_a_damaged_file_is_repaired_on_the_way(tmp_path: Path):
    ran = marked(tmp_path, make.damaged(tmp_path / "a.pdf", make.text(tmp_path / "plain.pdf")))
    assert "机密" in look.text_of(ran.path)
    assert ran.noted("repaired") == {}


def test_a_broken_signature_is_told(tmp_path: Path):
    source = make.text(tmp_path / "a.pdf")
    with make.edit(source) as pdf:
        signed = pikepdf.Dictionary(FT=pikepdf.Name.Sig, T=pikepdf.String("s"), V=pikepdf.Dictionary())
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array([pdf.make_indirect(signed)]))
    assert marked(tmp_path, source).noted("signature_broken") == {"count": 1}


@pytest.mark.parametrize("unit", [0, -2, pikepdf.Name.Big])
def test_a_page_whose_unit_makes_no_sense(tmp_path: Path, unit: Any):
    source = make.blank(tmp_path / "a.pdf")
    with make.edit(source) as pdf:
        pdf.pages[0].obj.UserUnit = unit
    assert "机密" in look.text_of(marked(tmp_path, source).path)
