"""Fields of every kind filled on every kind of page, in Chinese: what three readers draw, and what two read back."""

import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from PIL import Image

from tests import look, make
from tests.make_structure import field
from tests.running import run_tool
from tests.tools.test_placing import (
    FINE,
    FINER,
    SEEN,
    Draw,
    Paper,
    assert_placed,
    blank,
    by_mupdf,
    by_pdfium,
    corner,
    in_page,
    unit_of,
)

_MULTILINE, _PASSWORD, _COMBO, _MANY, _COMB = 1 << 12, 1 << 13, 1 << 17, 1 << 21, 1 << 24
CITIES = ("北京", "上海", "广州", "Xi'an")
Box = tuple[float, float, float, float]


def by_poppler(path: Path, page: int) -> Image.Image:
    """It knows nothing of a page's unit."""
    dpi = str(round(72 * FINE * unit_of(page)))
    told = ["pdftoppm", "-r", dpi, "-cropbox", "-f", str(page), "-singlefile", path, path.with_suffix("")]
    subprocess.run(told, check=True)
    with Image.open(path.with_suffix(".ppm")) as drawn:
        return drawn.convert("RGB")


def lines(*words: str, size: float, top: float = 3) -> Draw:
    """Lines from the top of a box on, in its middle."""

    def draw(paper: Paper) -> None:
        for row, text in enumerate(words):
            paper.words(text, 20, top + 2 + (0.98 + 1.2 * row) * size, size, anchor="ms")

    return draw


def middle(text: str, size: float) -> Draw:
    return lambda paper: paper.words(text, 20, 20 + 0.36 * size, size, anchor="ms")


def comb(paper: Paper) -> None:
    for at, letter in enumerate("京A机"):
        paper.words(letter, 3 + 34 / 8 * (2 * at + 1), 20 + 0.36 * 10, 10, anchor="ms")


def tick(paper: Paper) -> None:
    paper.line((17, 20.5), (18.8, 23), (23, 16.8), width=1.5)


def rows(*chosen: int, shown: tuple[str, ...] = CITIES[:3]) -> Draw:
    """A list from its top; the chosen rows are dark."""

    def draw(paper: Paper) -> None:
        for at, text in enumerate(shown):
            if at in chosen:
                paper.box(3, 4 + 12 * at, 37, 16 + 12 * at, fill=60)
            else:
                paper.words(text, 5, 4 + 12 * at + 9.8, 10)

    return draw


#: Kind: its box in the cell, its entries, the value it gets, what is read of it, and how it looks.
KINDS: dict[str, tuple[Box, dict[str, Any], Any, str, Draw]] = {
    "text": ((3, 10, 34, 20), {"Q": 1}, "张三L", "张三L", middle("张三L", 10)),
    "comb": ((3, 10, 34, 20), {"Ff": _COMB, "MaxLen": 4}, "京A机", "京A机", comb),
    "multi": ((1, 3, 38, 34), {"Ff": _MULTILINE, "Q": 1}, "第一条机甲\n二", "第一条机甲\n二",
              lines("第一条", "机甲", "二", size=9)),
    "check": ((12, 12, 16, 16), {"FT": Name.Btn}, True, "/Yes", tick),
    "combo": ((3, 10, 34, 20), {"FT": Name.Ch, "Ff": _COMBO, "Q": 1}, "上海", "c1", middle("上海", 10)),
    "list": ((3, 3, 34, 37), {"FT": Name.Ch}, "上海", "c1", rows(1)),
    "list of many": ((3, 3, 34, 37), {"FT": Name.Ch, "Ff": _MANY}, ["北京", "广州"], "c0 c2", rows(0, 2)),
    "list, far down": ((3, 3, 34, 27), {"FT": Name.Ch}, "Xi'an", "c3", None),
}  # fmt: skip


def form(path: Path) -> Path:
    """The kinds on each of 20 pages, upright as seen, none of them with a look of its own."""
    with make.edit(blank(path)) as pdf:
        for page, (number, (kind, (box, told, *_))) in product(range(1, 21), enumerate(KINDS.items())):
            (x, y), entries = corner(number), dict(told)
            size = (9 if kind == "multi" else 10) / unit_of(page)
            put(pdf, page, f"{kind} {page}", (x + box[0], y + box[1], *box[2:]))
            widget = pdf.Root.AcroForm.Fields[-1]
            del widget.AP, widget.V
            widget.DA, widget.MK = String(f"/Helv {size:g} Tf 0 g"), Dictionary(R=SEEN[page - 1][1])
            if entries.get("FT") == Name.Ch:
                widget.Opt = Array([Array([String(f"c{at}"), String(city)]) for at, city in enumerate(CITIES)])
            for key, value in entries.items():
                widget[f"/{key}"] = value
    return path


def put(pdf: pikepdf.Pdf, page: int, name: str, box: Box) -> None:
    """A text field in a box as seen."""
    x, y, wide, high = box
    (a, b), (c, d) = in_page(page, x, y), in_page(page, x + wide, y + high)
    field(pdf, page, name, "", (min(a, c), min(b, d), max(a, c), max(b, d)))


@pytest.mark.parametrize("flat", [False, True])
def test_fields_of_every_kind_are_filled_on_every_kind_of_page(tmp_path: Path, flat: bool):
    """Upright and at their place by PDFium, MuPDF and poppler, in the form and as content; values as given."""
    acts = [{"kind": "fill", "field": f"{kind} {page}", "value": value}
            for page, (kind, (_, _, value, _, _)) in product(range(1, 21), KINDS.items())]  # fmt: skip
    ran = run_tool("edit", tmp_path / "run", [form(tmp_path / "a.pdf")], acts=acts, flatten=flat)
    for show in (by_pdfium, by_mupdf, by_poppler):
        assert_placed(ran, {kind: draw for kind, (*_, draw) in KINDS.items()}, show)
    if flat:
        assert look.fields_of(ran.path) == {}
        for words in look.texts_of(ran.path):
            assert all(word in "".join(words.split()) for word in ("张三L", "第一条机甲二", "上海", "广州", "Xi'an"))
        return
    read, wanted = by_pikepdf(ran.path), {kind: value for kind, (_, _, _, value, _) in KINDS.items()}
    assert read == {f"{kind} {page}": wanted[kind] for page in range(1, 21) for kind in KINDS}
    told = {name: value for name, value in by_pymupdf(ran.path).items() if "many" not in name}  # it knows no two
    assert told == {name: value.lstrip("/") for name, value in read.items() if name in told} and len(told) == 140


def by_pikepdf(path: Path) -> dict[str, str]:
    with pikepdf.open(path) as pdf:
        return {str(each.T): _joined(each.V) for each in pdf.Root.AcroForm.Fields}


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | Array) else str(value)


def by_pymupdf(path: Path) -> dict[str, str]:
    with pymupdf.open(path) as pdf:
        return {each.field_name: _joined(each.field_value) for page in pdf for each in page.widgets()}


def test_long_text_of_a_free_size_fits_and_a_password_is_shown_to_nobody(tmp_path: Path):
    """Every letter inside its field, as large as that allows, from its top on; of the password only stars."""
    with make.edit(make.text(tmp_path / "a.pdf", 1)) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"")
        for at, flags in enumerate((_MULTILINE, _PASSWORD, _MULTILINE)):
            field(pdf, 1, f"f{at}", "", (50, 700 - 100 * at, 250, 760 - 100 * at))
            pdf.Root.AcroForm.Fields[-1].Ff, pdf.Root.AcroForm.Fields[-1].DA = flags, String("/Helv 0 Tf 0 g")
    words = "本合同由甲方与乙方签订，双方应当遵守全部约定。Every promise of it is kept.\n" * 3
    acts = [{"kind": "fill", "field": f"f{at}", "value": value} for at, value in enumerate((words, "密码abc", "甲"))]
    ran = run_tool("edit", tmp_path / "run", [tmp_path / "a.pdf"], acts=acts, flatten=True)
    with pdfplumber.open(ran.path) as flat:
        *letters, alone = flat.pages[0].chars
    assert "".join(each["text"] for each in letters if each["text"].strip()) == "".join(words.split()) + "*****"
    inside = [each for each in letters if each["text"] != "*"]
    assert all(
        each["x0"] >= 50 and each["x1"] <= 250 and each["top"] >= 82 and each["bottom"] <= 143 for each in inside
    )
    assert 842 - 560 + 2 <= alone["top"] <= 842 - 560 + 6
    assert max(each["bottom"] for each in inside) > 125 and 5 < inside[0]["size"] < 8


#: Of a radio button: its name, and its box in the cell.
BUTTONS = {"A": (6, 4, 28, 14), "B": (6, 22, 28, 14)}
#: What a widget's look is turned by, for a page that is turned so far.
TURNS = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}


def radios(path: Path) -> Path:
    """A group of two buttons in one cell of each of 20 pages, A on: on it shows an L of its own width, off a frame."""
    with make.edit(blank(path)) as pdf:
        for page in range(1, 21):
            x, y = corner(0)
            for name, box in BUTTONS.items():
                put(pdf, page, name, (x + box[0], y + box[1], *box[2:]))
            fields = pdf.Root.AcroForm.Fields
            kids = [fields.pop() for _ in BUTTONS][::-1]
            group = pdf.make_indirect(Dictionary(FT=Name.Btn, Ff=1 << 15, T=String(f"选 {page}"), V=Name("/A")))
            group.Kids = Array(kids)
            fields.append(group)
            for name, kid in zip(BUTTONS, kids, strict=True):
                for key in ("/FT", "/T", "/V", "/DA"):
                    del kid[key]
                turn = SEEN[page - 1][1]
                kid.Parent, kid.MK, kid.AS = group, Dictionary(R=turn), Name("/A" if name == "A" else "/Off")
                looks = {f"/{name}": b"0 0 28 5 re 0 0 5 14 re f", "/Off": b"0.5 0.5 27 13 re S"}
                told = {"BBox": Array([0, 0, 28, 14]), "Matrix": Array([*TURNS[turn], 0, 0]), "Subtype": Name.Form}
                kid.AP = Dictionary(N=Dictionary({key: pdf.make_stream(each, **told) for key, each in looks.items()}))
    return path


def chosen(paper: Paper) -> None:
    """A off, B on."""
    paper.box(6, 4, 34, 18)
    paper.box(7, 5, 33, 17, fill=255)
    paper.box(6, 31, 34, 36)
    paper.box(6, 22, 11, 36)


@pytest.mark.parametrize("flat", [False, True])
def test_radio_buttons_are_chosen_on_every_kind_of_page(tmp_path: Path, flat: bool):
    """One of a group is on and its neighbour goes off, upright and at its place, in the form and as content."""
    acts = [{"kind": "fill", "field": f"选 {page}", "value": "B"} for page in range(1, 21)]
    ran = run_tool("edit", tmp_path / "run", [radios(tmp_path / "a.pdf")], acts=acts, flatten=flat)
    for show in (by_pdfium, by_mupdf, by_poppler):
        assert_placed(ran, {"radio": chosen}, show)
    if flat:
        assert look.fields_of(ran.path) == {}
        return
    with pikepdf.open(ran.path) as pdf:
        for group in pdf.Root.AcroForm.Fields:
            assert (str(group.V), [str(kid.AS) for kid in group.Kids]) == ("/B", ["/Off", "/B"])
    assert set(by_pymupdf(ran.path).items()) == {(f"选 {page}", "B") for page in range(1, 21)}


def bare_radios(path: Path, looks: str) -> Path:
    """The same buttons without a look to choose from."""
    with make.edit(radios(path)) as pdf:
        for group in pdf.Root.AcroForm.Fields:
            del group.V
            for kid in group.Kids:
                kid.AS, kid.MK.BC = Name.Off, Array([0])
                if looks == "none":
                    del kid.AP
                elif looks == "off":
                    kid.AP = Dictionary(N=Dictionary(Off=kid.AP.N.Off))
                else:
                    kid.AP = Dictionary(N=kid.AP.N.Off)
    return path


def round_ones(paper: Paper) -> None:
    """A dot in the second of two circles."""
    for _, top, _, _ in BUTTONS.values():
        middle = (20 * FINER, (top + 7) * FINER)
        paper.pen.circle(middle, 7 * FINER, 0)
        paper.pen.circle(middle, 6 * FINER, 255)
    paper.pen.circle(middle, 3.5 * FINER, 0)


@pytest.mark.parametrize("looks", ["none", "off", "one for all"])
def test_radio_buttons_without_looks_are_round_and_can_be_chosen(tmp_path: Path, looks: str):
    """By the number of their object, as readers have no name for them; each gets a name that its neighbour has not."""
    file = bare_radios(tmp_path / "a.pdf", looks)
    with pikepdf.open(file) as pdf:
        numbers = [f"{group.Kids[1].objgen[0]}R" for group in pdf.Root.AcroForm.Fields]
    acts = [{"kind": "fill", "field": f"选 {page}", "value": numbers[page - 1]} for page in range(1, 21)]
    ran = run_tool("edit", tmp_path / "run", [file], acts=acts)
    for show in (by_pdfium, by_mupdf, by_poppler):
        assert_placed(ran, {"radio": round_ones}, show)
    with pikepdf.open(ran.path) as pdf:
        for group in pdf.Root.AcroForm.Fields:
            assert (str(group.V), [str(kid.AS) for kid in group.Kids]) == ("/1", ["/Off", "/1"])
            assert [sorted(kid.AP.N.keys()) for kid in group.Kids] == [["/0", "/Off"], ["/1", "/Off"]]
    assert set(by_pymupdf(ran.path).items()) == {(f"选 {page}", "1") for page in range(1, 21)}


@pytest.mark.parametrize("value", ["1R", "99999R", "R", True])
def test_a_button_of_another_group_is_none_of_this(tmp_path: Path, value: object):
    file = bare_radios(tmp_path / "a.pdf", "none")
    ran = run_tool("edit", tmp_path / "run", [file], acts=[{"kind": "fill", "field": "选 1", "value": value}])
    assert ran.problem and ran.problem.reason == "field_unfit"


def test_buttons_keep_the_names_and_looks_that_they_have(tmp_path: Path):
    """One of two has looks; the other gets some, with the sign that it asks for, and is chosen by its number."""
    with make.edit(radios(tmp_path / "a.pdf")) as pdf:
        group = pdf.Root.AcroForm.Fields[0]
        kid, own = group.Kids[1], group.Kids[0].AP.N
        names = {"/1": own["/A"], "/Off": own["/Off"]}
        group.Kids[0].AP, kid.AS, kid.MK.CA = Dictionary(N=Dictionary(names)), Name.Off, String("4")
        del kid.AP
        number = kid.objgen[0]
    acts = [{"kind": "fill", "field": "选 1", "value": f"{number}R"}]
    ran = run_tool("edit", tmp_path / "run", [tmp_path / "a.pdf"], acts=acts)
    assert ran.problem is None, ran.problem
    with pikepdf.open(ran.path) as pdf:
        group = pdf.Root.AcroForm.Fields[0]
        assert (str(group.V), [str(each.AS) for each in group.Kids]) == ("/2", ["/Off", "/2"])
        assert sorted(group.Kids[0].AP.N.keys()) == ["/1", "/Off"]
        assert b"(4) Tj" in group.Kids[1].AP.N["/2"].read_bytes()
