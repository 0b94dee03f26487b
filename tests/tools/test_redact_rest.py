"""Redaction: what stands beside a place is drawn as before, whatever is drawn and however the place cuts it."""

import random
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pikepdf
import pymupdf
import pytest
from pikepdf import Dictionary, Name

from tests import look, make
from tests.running import run_tool

#: How far levels may differ in PDFium and MuPDF, which knows 17 levels of an edge: a part of a line or of a curve
#: is made of other points than the whole, so its edge may lie up to half a pixel beside, in a few pixels of a page.
EDGE, ENDS, FEW = (6, 28), (120, 90), 0.002
SIZE = 400


class Sketch:
    """Operators of random things on a page."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def at(self, low: float, high: float) -> float:
        """A length or place: between pixels, on whole points, or on tenths of them."""
        found = self.random.uniform(low, high)
        return self.random.choice([found, round(found), round(found, 1)])

    def points(self, count: int) -> list[str]:
        return [f"{self.at(20, 380):.3f} {self.at(20, 380):.3f}" for _ in range(count)]

    def box(self, *thin: float) -> str:
        wide, high = (self.random.choice([*thin, self.at(2, 250), self.at(2, 250)]) for _ in range(2))
        return f"{self.points(1)[0]} {wide:.3f} {high:.3f} re"

    def rectangle(self) -> str:
        return self.box(0.48, 0.7, 1) + self.random.choice([" f", " f", " f*", " S", " B"])

    def several(self) -> str:
        return " ".join(self.box(0.48) for _ in range(3)) + self.random.choice([" f", " f*", " B"])

    def lines(self) -> str:
        dash = self.random.choice(["", f"[{self.at(2, 9):.1f} {self.at(2, 5):.1f}] {self.at(0, 3):.1f} d "])
        one, *more = self.points(self.random.choice([2, 3, 5]))
        return f"{dash}{one} m {' '.join(each + ' l' for each in more)} {self.random.choice('Ss')} [] 0 d"

    def area(self) -> str:
        a, b, c = self.points(3)
        return f"{a} m {b} l {c} l h {self.random.choice(['f', 'f*', 'B', 'b*'])}"

    def curve(self) -> str:
        a, *more = self.points(7)
        return f"{a} m {' '.join(more[:3])} c {' '.join(more[3:])} c {self.random.choice(['f', 'B', 'S', 's'])}"

    def clip(self) -> str:
        a, b, c, d = self.points(4)
        return f"q {a} m {b} l {c} l {d} l W n {self.box()} f Q"

    def words(self) -> str:
        return f"BT /F1 {self.at(8, 30):.1f} Tf {self.points(1)[0]} Td (Crane paper wings) Tj ET"

    def picture(self) -> str:
        return f"q {self.at(20, 150):.2f} 0 0 {self.at(20, 150):.2f} {self.points(1)[0]} cm /Im0 Do Q"

    def draw(self, kinds: list[Callable[["Sketch"], str]]) -> bytes:
        """Some of these, each in its colours and its pen."""
        made = []
        for kind in kinds:
            inks = " ".join(f"{self.random.uniform(0, 0.8):.2f}" for _ in range(6)).split()
            pen = f"{' '.join(inks[:3])} rg {' '.join(inks[3:])} RG {self.random.choice([0, 0.3, 1, 2.4, 6])} w"
            made.append(f"{pen} {kind(self)}".encode())
        return b"\n".join(made)

    def place(self) -> list[float]:
        return [round(self.random.uniform(low, high), 2) for low, high in ((60, 240), (60, 240), (10, 140), (10, 140))]


def page_of(path: Path, content: bytes) -> Path:
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(SIZE, SIZE))
        page = pdf.pages[0].obj
        pixels = np.random.default_rng(7).integers(0, 255, (300, 300, 3), np.uint8)
        image = pdf.make_stream(pixels.tobytes(), Type=Name.XObject, Subtype=Name.Image, Width=300, Height=300)
        image.BitsPerComponent, image.ColorSpace = 8, Name.DeviceRGB
        page.Resources = Dictionary(Font=Dictionary(F1=make.helvetica(pdf)), XObject=Dictionary(Im0=image))
        page.Contents = pdf.make_stream(content)
        pdf.save(path)
    return path


def shown(path: Path) -> list[Any]:
    """The page as PDFium and as MuPDF draw it, two pixels a point."""
    with pymupdf.open(path) as document:
        drawn = document[0].get_pixmap(dpi=144)
        pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width, 3)
    return [np.asarray(look.render(path, dpi=144)).astype(int), pixels.astype(int)]


def apart(source: Path, result: Path, box: list[float], beside: int) -> list[Any]:
    """How far levels differ so many pixels and more beside the place, by renderer."""
    left, top, right, bottom = (round(each * 2) for each in (box[0], box[1], box[0] + box[2], box[1] + box[3]))
    found = []
    for before, after in zip(shown(source), shown(result), strict=True):
        found.append(np.abs(before - after).max(axis=2))
        found[-1][max(0, top - beside) : bottom + beside, max(0, left - beside) : right + beside] = 0
    return found


KINDS = {
    "rectangles": [Sketch.rectangle] * 10,
    "several": [Sketch.several] * 6,
    "lines": [Sketch.lines] * 8,
    "areas": [Sketch.area] * 5 + [Sketch.clip] * 3,
    "all": [Sketch.rectangle, Sketch.words, Sketch.lines, Sketch.several, Sketch.clip, Sketch.words, Sketch.picture],
    "curves": [Sketch.curve] * 5,
}


@pytest.mark.parametrize("kinds", list(KINDS))
def test_the_rest_of_a_page_is_drawn_as_before(tmp_path: Path, kinds: str):
    """Random pages and places. Letters that a place touches go whole, so among words it is looked a letter farther."""
    most = ENDS if kinds in ("lines", "curves", "all") else EDGE
    for seed in range(6):
        sketch = Sketch(seed)
        source = page_of(tmp_path / f"{seed}.pdf", sketch.draw(KINDS[kinds]))
        box = sketch.place()
        act = {"kind": "redact", "page": 1, "boxes": [box], "look": "none"}
        ran = run_tool("edit", tmp_path / f"{seed}", [source], acts=[act])
        found = apart(source, ran.path, box, 64 if kinds == "all" else 2)
        assert all(each.max() <= top for each, top in zip(found, most, strict=True)), (seed, box)
        assert max((each > EDGE[1]).mean() for each in found) < FEW, (seed, box)


def test_a_path_too_long_to_cut_is_refused_and_never_dropped_whole(tmp_path: Path) -> None:
    told = b" ".join(b"%d %d l" % (at % SIZE, at // SIZE % SIZE) for at in range(200_001))
    source = page_of(tmp_path / "a.pdf", b"0.2 w 0 0 m %b S" % told)
    act = {"kind": "redact", "page": 1, "boxes": [[20, 20, 30, 10]], "look": "none"}
    ran = run_tool("edit", tmp_path / "run", [source], acts=[act])
    assert ran.problem is not None and ran.problem.reason == "redaction_unsure"


@pytest.mark.parametrize(("kind", "refused"), [("long", True), ("curves", False)])
def test_a_path_made_to_take_for_ever_is_cut_or_refused_in_time(tmp_path: Path, kind: str, refused: bool):
    """20,000 pieces and 190 places: lines across the page meet most of them, small curves only a few."""
    told = [b"%d %d l" % (at * 137 % SIZE, at % 2 * SIZE) for at in range(20_000)]
    if kind == "curves":
        x = [at // 200 * 4 for at in range(20_000)]
        told = [b"%d %d %d %d %d %d c" % (a, at % 200 * 2, a + 2, at % 200 * 2 + 1, a, at % 200 * 2 + 2)
                for at, a in enumerate(x)]  # fmt: skip
    source = page_of(tmp_path / "a.pdf", b"0.2 w 0 0 m %b S" % b" ".join(told))
    boxes = [[10 + 20 * (at % 19), 10 + 38 * (at // 19), 14, 30] for at in range(190)]
    begun = process_time()
    acts = [{"kind": "redact", "page": 1, "boxes": boxes, "look": "none"}]
    ran = run_tool("edit", tmp_path / "run", [source], acts=acts)
    assert (ran.problem.reason if ran.problem else "") == ("redaction_unsure" if refused else "")
    assert process_time() - begun < 30
