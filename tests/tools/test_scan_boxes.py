"""PDF to scan: a table's rules are as thick as they are written, wherever they stand, as in the preview, and hairlines
as thick as the preview's pixels."""

from pathlib import Path

import numpy
import pikepdf
import pytest
from pikepdf import Dictionary, Name
from PIL import Image

from tests.running import run_tool
from tests.tools.test_pdf_to_scan import PLAIN, picture

#: Points; at 150 dpi a rule is a little more than a pixel thick.
THICK, DPI = 0.5, 150
RULES = [(40.03 + 40 * at + 0.07 * at) for at in range(8)]
#: How a rule is told that begins at x and y and is so wide and high.
TOLD = {
    "box": lambda x, y, w, h: f"{x} {y} {w} {h} re f",
    "backwards": lambda x, y, w, h: f"{x + w} {y + h} {-w} {-h} re f*",
    "polygon": lambda x, y, w, h: f"{x} {y} m {x + w} {y} l {x + w} {y + h} l {x} {y + h} l h f*",
    "closed polygon": lambda x, y, w, h: f"{x} {y} m {x} {y + h} l {x + w} {y + h} l {x + w} {y} l {x} {y} l f",
}


def thicknesses(folder: Path, content: str, *, form: bool = False) -> list[float]:
    """Of each rule of the page, in pixels of its scan."""
    with pikepdf.new() as pdf:
        page, told = pdf.add_blank_page(page_size=(400, 100)), content.encode()
        if form:
            drawn = pdf.make_stream(told, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 400, 100])
            page.Resources, told = Dictionary(XObject=Dictionary(X=drawn)), b"/X Do"
        page.Contents = pdf.make_stream(told)
        pdf.save(path := folder / "a.pdf")
    return thicknesses_of(folder, path)


def thicknesses_of(folder: Path, path: Path) -> list[float]:
    ran = run_tool("pdf_to_scan", folder / "ran", [path], **PLAIN, dpi=DPI)
    assert ran.problem is None, ran.problem
    ink = (255.0 - numpy.asarray(picture(ran.path).convert("L"), float))[90:110].mean(axis=0) / 255
    return [float(ink[int((x - 5) * DPI / 72) : int((x + 5) * DPI / 72)].sum()) for x in RULES]


@pytest.mark.parametrize("kind", [*TOLD, "form"])
def test_rules_are_as_thick_as_they_are_written(tmp_path: Path, kind: str) -> None:
    told = TOLD.get(kind, TOLD["box"])
    rules = " ".join(told(round(x, 3), 20, THICK, 60) for x in RULES)
    made = thicknesses(tmp_path, rules, form=kind == "form")
    assert made == pytest.approx([THICK * DPI / 72] * len(RULES), rel=0.05)


def test_what_is_no_box_stays_as_it_is(tmp_path: Path) -> None:
    """A triangle, a box of no width, two boxes in one path, numbers that are none, and letters that read like boxes."""
    strange = "q 1 g 10 10 m 12 10 l 11 12 l f 5 5 0 10 re f 1 1 2 2 re 4 4 2 2 re f 1 2 3 re f "
    strange += "1 2 x re f (9 9 9 9 re f) pop Q "
    rules = " ".join(TOLD["box"](round(x, 3), 20, THICK, 60) for x in RULES)
    made = thicknesses(tmp_path, strange + rules)
    assert made == pytest.approx([THICK * DPI / 72] * len(RULES), rel=0.05)


#: Pixels of a hairline: the preview draws twice as fine as the scan is.
HAIR = 0.5
#: How lines thinner than that are told, from top to bottom at x.
LINES = {
    "none": "0 w {x} 20 m {x} 80 l S",
    "thin": ".05 w {x} 20 m {x} 80 l S",
    "scaled": "q .01 0 0 .01 0 0 cm {x}00 2000 m {x}00 8000 l S Q",
    "scaled and back": "q .01 0 0 .01 0 0 cm 5 w 100 0 0 100 0 0 cm .02 w {x} 20 m {x} 80 l S Q",
    "turned": "q 0 -1 1 0 0 0 cm 0 w -20 {x} m -80 {x} l S Q",
}


@pytest.mark.parametrize("kind", [*LINES, "form"])
def test_hairlines_are_as_thick_as_the_previews(tmp_path: Path, kind: str) -> None:
    lines = " ".join(LINES.get(kind, LINES["none"]).format(x=round(x)) for x in RULES)
    assert thicknesses(tmp_path, lines, form=kind == "form") == pytest.approx([HAIR] * len(RULES), rel=0.05)


@pytest.mark.parametrize(("line", "points"), [("1 w", 1), (".5 w", 0.5), ("q .01 0 0 .01 0 0 cm 30 w Q 2 w", 2)])
def test_other_lines_stay_as_they_are(tmp_path: Path, line: str, points: float) -> None:
    lines = " ".join(f"{line} {round(x)} 20 m {round(x)} 80 l S" for x in RULES)
    assert thicknesses(tmp_path, lines) == pytest.approx([points * DPI / 72] * len(RULES), rel=0.05)


def test_a_hairline_in_a_form_that_is_drawn_smaller(tmp_path: Path) -> None:
    """Its unit is known where it is drawn."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(400, 100))
        content = " ".join(f"1 w {round(x) * 10} 200 m {round(x) * 10} 800 l S" for x in RULES)
        drawn = pdf.make_stream(content.encode(), Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 4000, 1000])
        page.Resources = Dictionary(XObject=Dictionary(X=drawn))
        page.Contents = pdf.make_stream(b"q .1 0 0 .1 0 0 cm /X Do Q")
        pdf.save(path := tmp_path / "a.pdf")
    assert thicknesses_of(tmp_path, path) == pytest.approx([HAIR] * len(RULES), rel=0.05)


def filled(path: Path, *, form: bool, password: str = "") -> Path:
    """A page with a field of which all is black from (40, 20) to (80, 80); a form knows it, or none does."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(400, 100))
        look = pdf.make_stream(b"0 g 0 0 40 60 re f", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 40, 60])
        field = Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T="a", V="b", F=4, Rect=[40, 20, 80, 80],
            AP=Dictionary(N=look),
        )  # fmt: skip
        page.obj.Annots = pdf.make_indirect(pikepdf.Array([pdf.make_indirect(field)]))
        if form:
            pdf.Root.AcroForm = Dictionary(Fields=pikepdf.Array([page.obj.Annots[0]]))
        pdf.save(path, encryption=pikepdf.Encryption(user=password, owner="owner") if password else False)
    return path


@pytest.mark.parametrize("form", [True, False])
def test_what_is_filled_in_is_seen_without_a_form_too(tmp_path: Path, form: bool) -> None:
    """Pages that were taken out of a document have their fields, but no form knows them."""
    ran = run_tool("pdf_to_scan", tmp_path / "ran", [filled(tmp_path / "a.pdf", form=form)], **PLAIN, dpi=DPI)
    assert picture(ran.path).convert("L").getpixel((60 * DPI // 72, 50 * DPI // 72)) < 10


@pytest.mark.parametrize(("form", "password"), [(True, ""), (False, ""), (False, "开门")])
def test_pages_as_pictures_show_what_is_filled_in_too(tmp_path: Path, form: bool, password: str) -> None:
    path = filled(tmp_path / "a.pdf", form=form, password=password)
    ran = run_tool("pdf_to_image", tmp_path / "ran", [path], passwords={0: password} if password else None)
    with Image.open(ran.path) as shown:
        assert shown.convert("L").getpixel((60 * 150 // 72, 50 * 150 // 72)) < 10


def test_pictures_stay_sharp(tmp_path: Path) -> None:
    """One pixel of the scan for four of the picture, black and white by turns: none is grey."""
    across, down = 400 * DPI // 72, 48
    samples = (numpy.indices((down, across)).sum(axis=0) % 2 * 255).astype(numpy.uint8).repeat(2, 0).repeat(2, 1)
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(across * 72 / DPI, down * 72 / DPI))
        held = pdf.make_stream(
            samples.tobytes(), Type=Name.XObject, Subtype=Name.Image, Width=2 * across, Height=2 * down,
            ColorSpace=Name.DeviceGray, BitsPerComponent=8,
        )  # fmt: skip
        page.Resources = Dictionary(XObject=Dictionary(X=held))
        page.Contents = pdf.make_stream(f"{across * 72 / DPI} 0 0 {down * 72 / DPI} 0 0 cm /X Do".encode())
        pdf.save(path := tmp_path / "a.pdf")
    ran = run_tool("pdf_to_scan", tmp_path / "ran", [path], **PLAIN, dpi=DPI)
    made = numpy.asarray(picture(ran.path).convert("L"), int)[4:-4, 4:-4]
    assert float(((made > 16) & (made < 239)).mean()) < 0.02
