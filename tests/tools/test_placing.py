"""Every kind of thing that is put on a page, on every kind of page: where the preview draws it, and upright as seen.

/Rotate × CropBox × boxes off the origin × UserUnit: 20 pages, on each of them every kind in a cell of its own. What a
cell shall show is drawn here by other means (Pillow), or is what the first page shows, which nothing turns.
"""

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pymupdf
import pytest
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import gaussian_filter

from cluster.engines.fonts.faces import Face, family_faces
from cluster.hands import file_of
from tests import look, make
from tests.make_structure import field
from tests.running import Ran, run_tool
from tests.tools.test_sign_certificate import certified

#: A cell's side and the step from cell to cell in points, and cells in a row: 7 × 7 lie on the smallest page.
CELL, STEP, ROW = 40, 42, 7
#: Pixels a point of what is compared, and of what is drawn here before it is made smaller.
FINE, FINER = 2, 8
SEEN = list(product(make.GEOMETRIES, (0, 90, 180, 270)))
SANS = family_faces("sans", False)[0]
Draw = Callable[["Paper"], object] | None
Show = Callable[[Path, int], Image.Image]
Kind = tuple[Callable[[float, float], dict[str, Any]], Draw]


class Paper:
    """A cell to draw in, in points from its upper left corner."""

    def __init__(self) -> None:
        self.image = Image.new("L", (CELL * FINER, CELL * FINER), 255)
        self.pen = ImageDraw.Draw(self.image)

    def line(self, *points: tuple[float, float], width: float = 2) -> None:
        """Round at its ends and joints."""
        self.pen.line([(x * FINER, y * FINER) for x, y in points], 0, round(width * FINER))
        for x, y in points:
            self.pen.circle((x * FINER, y * FINER), width * FINER / 2, 0)

    def box(self, *sides: float, fill: int = 0) -> None:
        self.pen.rectangle([side * FINER for side in sides], fill)

    def words(self, text: str, x: float, baseline: float, size: float, face: Face = SANS, anchor: str = "ls") -> None:
        font = ImageFont.truetype(str(face.path), size * FINER, face.index)
        self.pen.text((x * FINER, baseline * FINER), text, 0, font, anchor)

    def seen(self) -> np.ndarray:
        """How dark each place is, 0 to 1."""
        return dark(self.image.reduce(FINER // FINE))


def dark(image: Image.Image) -> np.ndarray:
    return 1 - np.asarray(image.convert("L"), float) / 255


def bent(paper: Paper) -> None:
    """The letter L, as large as the picture: no turn of it looks as it does."""
    paper.box(5, 5, 15, 35)
    paper.box(5, 25, 35, 35)


def act(kind: str, box: tuple[float, float, float, float] | None = None, **more: Any) -> Any:
    """An act whose box lies so in its cell."""
    return lambda x, y: {"kind": kind, **({"box": [x + box[0], y + box[1], *box[2:]]} if box else {}), **more}


def marked(style: str, left: float, top: float, right: float, bottom: float) -> Kind:
    made = act("mark", style=style, colour="#000000")
    return (lambda x, y: {**made(x, y), "boxes": [[x + 5, y + 10, 30, 20]]}), lambda paper: paper.box(
        left, top, right, bottom
    )


def shape(form: str, begin: tuple[float, float], end: tuple[float, float], draw: Draw, **more: Any) -> Kind:
    made = act("shape", shape=form, colour="#000000", width=2, **more)
    return (lambda x, y: {**made(x, y), "begin": [x + begin[0], y + begin[1]], "end": [x + end[0], y + end[1]]}), draw


def arrow(paper: Paper) -> None:
    tip, angle = (33, 8), math.atan2(-22, 28)
    sides = [(33 - 9 * math.cos(angle + turn), 8 - 9 * math.sin(angle + turn)) for turn in (-0.5, 0.5)]
    paper.line((5, 30), tip)
    paper.line(sides[0], tip, sides[1])


def sheet(paper: Paper) -> None:
    """A note's sign."""
    paper.box(9.6, 9.6, 28.4, 28.4, fill=90)
    paper.box(10.4, 10.4, 27.6, 27.6, fill=255)
    for y in (15, 19, 23):
        paper.box(13, y - 0.4, 25, y + 0.4, fill=90)


def turned(paper: Paper) -> None:
    bent(paper)
    paper.image = paper.image.rotate(30, Image.Resampling.BICUBIC, fillcolor=255)


EDITS: dict[str, Kind] = {
    "text": (act("text", (3, 8, 34, 20), text="L机", size=14), lambda paper: paper.words("L机", 3, 8 + 0.98 * 14, 14)),
    "turned text": (act("text", (3, 11, 34, 18), text="L机", size=14, angle=90, align="center"), None),
    "picture": (act("picture", (0, 0, 40, 40), file="u/bent.png"), bent),
    "turned picture": (act("picture", (0, 0, 40, 40), file="u/bent.png", angle=30), turned),
    "line": shape("line", (5, 35), (35, 20), lambda paper: paper.line((5, 35), (35, 20))),
    "arrow": shape("arrow", (5, 30), (33, 8), arrow),
    "rectangle": shape("rectangle", (8, 10), (30, 36), lambda paper: paper.box(7, 9, 31, 37), fill="#000000"),
    "ellipse": shape("ellipse", (4, 12), (36, 30), lambda paper: paper.pen.ellipse(
        [each * FINER for each in (3, 11, 37, 31)], 0), fill="#000000"),
    "ink": (
        lambda x, y: {"kind": "ink", "paths": [[[x + 8, y + 5], [x + 8, y + 33], [x + 30, y + 33]]], "width": 4,
                      "colour": "#000000"},
        lambda paper: paper.line((8, 5), (8, 33), (30, 33), width=4),
    ),
    "highlight": marked("highlight", 5, 10, 35, 30),
    "underline": marked("underline", 5, 30 - 1.6 - 0.6, 35, 30 - 1.6 + 0.6),
    "strike": marked("strike", 5, 30 - 8.4 - 0.6, 35, 30 - 8.4 + 0.6),
    "note": (lambda x, y: {"kind": "note", "text": "here", "at": [x + 9, y + 9], "colour": "#ffffff"}, sheet),
    "redaction": (
        lambda x, y: {"kind": "redact", "boxes": [[x + 5, y + 5, 10, 30], [x + 15, y + 25, 20, 10]]}, bent,
    ),
    "whiteout": (lambda x, y: {"kind": "redact", "boxes": [[x + 15, y + 5, 20, 20]], "look": "white"}, bent),
    "label": (lambda x, y: {"kind": "redact", "boxes": [[x + 8, y + 8, 24, 20]], "label": "L机"}, None),
    "changed line": (act("change", (6, 10, 30, 16), was="Was", text="Lj"), None),
    "field": (act("fill", value="Lj"), None),
    "field in Chinese": (act("fill", value="L机"), None),
}  # fmt: skip
UNBURNT = {"highlight", "underline", "strike", "note", "redaction", "whiteout", "label", "changed line", "field",
           "field in Chinese"}  # fmt: skip


def hand(text: str, size: float) -> Draw:
    """Typed at the cell's middle, as cluster.engines.marks.place has lines of text."""
    face = Face(file_of("caveat"), 0)
    return lambda paper: paper.words(text, 20, 20 - 0.6 * size + 0.98 * size, size, face, "ms")


BENT = {"kind": "drawn", "width": 40, "height": 40, "colour": "#000000",
        "strokes": [[10, 5, 10, 10, 15, 10, 20, 10, 30, 10, 15, 30, 20, 30, 30, 30]]}  # fmt: skip
HAND = {"face": "caveat", "colour": "#000000"}
SIGNS: dict[str, tuple[dict[str, Any], float, Draw]] = {
    "drawn": (BENT, 40, lambda paper: paper.line((10, 5), (10, 30), (30, 30), width=10)),
    "initials": ({**BENT, "role": "initials"}, 20, lambda paper: paper.line((15, 12.5), (15, 25), (25, 25), width=5)),
    "typed": ({"kind": "typed", "text": "Ljd", **HAND}, 30, hand("Ljd", 25)),
    "uploaded": ({"kind": "picture", "file": "u/bent.png", "clear": False}, 40, bent),
    "date": ({"kind": "dated", "day": "2026-01-31", "format": "iso", **HAND}, 10.8, hand("2026-01-31", 9)),
}


def corner(number: int) -> tuple[int, int]:
    """Of a cell, as seen."""
    return 4 + STEP * (number % ROW), 4 + STEP * (number // ROW)


def in_page(page: int, x: float, y: float) -> tuple[float, float]:
    """A point as seen, from the upper left corner, in the page's own units."""
    (box, crop, unit), turn = SEEN[page - 1]
    (x0, y0, x1, y1), a, b = crop or box, x / unit, y / unit
    return {0: (x0 + a, y1 - b), 90: (x0 + b, y0 + a), 180: (x1 - a, y0 + b), 270: (x1 - b, y1 - a)}[turn]


def size_of(page: int) -> tuple[float, float]:
    """As seen."""
    (box, crop, unit), turn = SEEN[page - 1]
    x0, y0, x1, y1 = crop or box
    wide, high = (x1 - x0) * unit, (y1 - y0) * unit
    return (high, wide) if turn % 180 else (wide, high)


def blank(path: Path) -> Path:
    with make.edit(make.geometry(path)) as pdf:
        for page in pdf.pages:
            page.obj.Contents = pdf.make_stream(b"")
    return path


def beneath(path: Path) -> Path:
    """What edits need below them: a dark square to whiten, a line to change, fields to fill; all upright as seen."""
    names = list(EDITS)
    with make.edit(blank(path)) as pdf:
        for page in range(1, 21):
            x, y = corner(names.index("whiteout"))
            sides = [*in_page(page, x + 5, y + 35), *in_page(page, x + 35, y + 5)]
            square = [sides[0], sides[1], sides[2] - sides[0], sides[3] - sides[1]]
            x, y = corner(names.index("changed line"))
            begin, right, up = (in_page(page, x + a, y + b) for a, b in ((8, 22), (9, 22), (8, 21)))
            matrix = [right[0] - begin[0], right[1] - begin[1], up[0] - begin[0], up[1] - begin[1], *begin]
            pdf.pages[page - 1].obj.Contents = pdf.make_stream(
                b"%s re f BT /F1 12 Tf %s Tm (Was) Tj ET" % tuple(
                    " ".join(f"{each:.3f}" for each in numbers).encode() for numbers in (square, matrix))
            )  # fmt: skip
            for kind in ("field", "field in Chinese"):
                x, y = corner(names.index(kind))
                (a, b), (c, d) = in_page(page, x + 3, y + 10), in_page(page, x + 37, y + 30)
                field(pdf, page, f"{kind} {page}", "", (min(a, c), min(b, d), max(a, c), max(b, d)))
                widget = pdf.pages[page - 1].obj.Annots[-1]
                widget.DA = pikepdf.String(f"/Helv {12 / unit_of(page)} Tf 0 g")
                widget.MK, widget.Q = pikepdf.Dictionary(R=SEEN[page - 1][1]), 1
    return path


def unit_of(page: int) -> float:
    return SEEN[page - 1][0][2]


@pytest.fixture
def picture(tmp_path: Path) -> dict[str, Path]:
    paper = Paper()
    bent(paper)
    paper.image.save(tmp_path / "bent.png")
    return {"u/bent.png": tmp_path / "bent.png"}


def by_pdfium(path: Path, page: int) -> Image.Image:
    return look.render(path, page, dpi=round(72 * FINE * unit_of(page)))


def by_mupdf(path: Path, page: int) -> Image.Image:
    """Its points are what is seen: it knows the page's unit."""
    with pymupdf.open(path) as document:
        shown = document[page - 1].get_pixmap(dpi=72 * FINE)
    return Image.frombytes("RGB", (shown.width, shown.height), shown.samples)


def assert_placed(ran: Ran, kinds: dict[str, Draw], shown: Show = by_pdfium) -> None:
    """Each kind's centroid within 2 pt, and no turn of what was wanted is more like what is seen."""
    first = cells(shown(ran.path, 1), len(kinds))
    for page in range(1, 21):
        seen = cells(shown(ran.path, page), len(kinds))
        for (kind, draw), found, plain in zip(kinds.items(), seen, first, strict=True):
            wanted = plain
            if draw:
                draw(paper := Paper())
                wanted = paper.seen()
            assert found.sum() > 20, (kind, page)
            assert centroid(found) == pytest.approx(centroid(wanted), abs=2), (kind, page)
            likes = [likeness(found, np.rot90(wanted, turn)) for turn in range(4)]
            assert likes[0] > 0.8 and likes[0] == max(likes), (kind, page, likes)


def cells(page: Image.Image, count: int) -> list[np.ndarray]:
    shown = dark(page)
    corners = [(x * FINE, y * FINE) for x, y in map(corner, range(count))]
    return [shown[y : y + CELL * FINE, x : x + CELL * FINE] for x, y in corners]


def centroid(seen: np.ndarray) -> tuple[float, float]:
    """Across and down, in points."""
    down, across = np.indices(seen.shape)
    return float((across * seen).sum() / seen.sum() / FINE), float((down * seen).sum() / seen.sum() / FINE)


def likeness(one: np.ndarray, two: np.ndarray) -> float:
    """1: the same but for a hair's breadth."""
    a, b = (gaussian_filter(each, FINE) for each in (one, two))
    return float((a * b).sum() / math.sqrt((a * a).sum() * (b * b).sum()))


@pytest.mark.parametrize("burn", [False, True])
def test_edits_stand_where_the_preview_draws_them(tmp_path: Path, picture: dict[str, Path], burn: bool):
    """As annotations and as content; a line changed in place, things removed and fields filled among them."""
    acts = []
    for page, (number, (kind, (made, _))) in product(range(1, 21), enumerate(EDITS.items())):
        one = made(*corner(number)) | ({"burn": True} if burn and kind not in UNBURNT else {})
        acts.append(one | ({"field": f"{kind} {page}"} if kind.startswith("field") else {"page": page}))
    ran = run_tool("edit", tmp_path / "run", [beneath(tmp_path / "a.pdf")], extras=picture, acts=acts)
    for shown in (by_pdfium, by_mupdf):
        assert_placed(ran, {kind: draw for kind, (_, draw) in EDITS.items()}, shown)


@pytest.mark.parametrize("before", [False, True])
def test_signatures_stand_where_the_preview_draws_them(tmp_path: Path, picture: dict[str, Path], before: bool):
    """As content, and as annotations of a document that is signed."""
    marks = []
    for number, (mark, height, _) in enumerate(SIGNS.values()):
        x, y = (each + CELL / 2 for each in corner(number))
        sizes = {page: size_of(page) for page in range(1, 21)}
        spots = [{"pages": str(page), "x": x / wide, "y": y / high, "height": height}
                 for page, (wide, high) in sizes.items()]  # fmt: skip
        marks.append({**mark, "spots": spots})
    source = blank(tmp_path / "a.pdf")
    if before:
        source = certified(tmp_path / "signed", source, visible=False).path
    ran = run_tool("sign", tmp_path / "run", [source], extras=picture, marks=marks)
    assert_placed(ran, {kind: draw for kind, (_, _, draw) in SIGNS.items()})


def test_the_certificates_block_stands_where_the_preview_draws_it(tmp_path: Path):
    """Its frame within 2 pt, and its words as upright as on the page that nothing turns."""
    source, x, y, half, plain = blank(tmp_path / "a.pdf"), 120, 110, 80, {}
    for page in range(1, 21):
        wide, high = size_of(page)
        put = {"page": page, "x": x / wide, "y": y / high, "width": 2 * half}
        ran = certified(tmp_path / str(page), source, block=put)
        for show in (by_pdfium, by_mupdf):
            seen = dark(show(ran.path, page))
            down, across = (np.flatnonzero((seen > 0.2).any(axis)) / FINE for axis in (1, 0))
            sides = across[0], down[0], across[-1], down[-1]
            assert sides == pytest.approx((x - half, y - 0.3 * half, x + half, y + 0.3 * half), abs=2), (page, show)
            square = seen[(y - half) * FINE : (y + half) * FINE, (x - half) * FINE : (x + half) * FINE]
            wanted = plain.setdefault(show, square)
            likes = [likeness(square, np.rot90(wanted, turn)) for turn in range(4)]
            assert likes[0] > 0.8 and likes[0] == max(likes), (page, show, likes)
