"""PDF to scan: a table's rules are as thick as they are written, wherever they stand, as in the preview."""

from pathlib import Path

import numpy
import pikepdf
import pytest
from pikepdf import Dictionary, Name

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
