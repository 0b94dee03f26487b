"""Redaction: what shadings of triangles and patches, and patterns that letters are painted with, tell of a place."""

import struct
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from tests import look, make
from tests.tools.test_redact_traps import OUTLINE, PLACE, SECRETS, cell, redacted, rest_is_kept, trapped

Point = tuple[float, float]
#: Of the unit that PLACE covers from 40, 20 to 100, 80: what is hidden, and what is seen or reaches out.
HIDDEN = ((53.4567, 61.2345), (71.8181, 70.0), (80.0, 55.0))
SEEN = ((0.0, 0.0), (95.0, 0.0), (0.0, 95.0))
INKS = ((40, 80, 30), (200, 30, 90), (90, 90, 240), (10, 160, 120))


def told(*points: Point) -> bytes:
    """As 32 bits each, of 0 to 100."""
    return b"".join(struct.pack(">II", *(round(each / 100 * 0xFFFFFFFF) for each in point)) for point in points)


def corner(point: Point, ink: tuple[int, ...]) -> bytes:
    return told(point) + bytes(ink)


def free() -> bytes:
    """A triangle that is seen, one that goes on from it, one that is hidden, one that goes on from that."""
    first = b"".join(b"\0" + corner(*each) for each in zip(SEEN, INKS, strict=False))
    hidden = b"".join(b"\0" + corner(*each) for each in zip(HIDDEN, INKS, strict=False))
    return first + b"\1" + corner((95, 95), INKS[3]) + hidden + b"\1" + corner((97, 5), INKS[0])


def lattice() -> bytes:
    """Five rows of five, of which one corner lies where only the hidden triangles meet."""
    places = [[(x, y) for x in (2, 42, 53.4567, 80, 99)] for y in (2, 22, 61.2345, 78, 99)]
    return b"".join(corner(point, INKS[at % 4]) for row in places for at, point in enumerate(row))


def square(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    """The twelve points around a patch."""
    ends = ((x0, y0), (x0, y1), (x1, y1), (x1, y0), (x0, y0))
    return [
        (ax + (bx - ax) * part / 3, ay + (by - ay) * part / 3)
        for (ax, ay), (bx, by) in pairwise(ends)
        for part in range(3)
    ]


def patches(inner: int) -> bytes:
    """Some that are seen, one that goes on from the last of them, one that is hidden, one that goes on from that;
    `inner` points in the middle of each."""

    def middle(x: float, y: float) -> list[Point]:
        return [(x, y)] * inner

    def alone(*sides: float) -> bytes:
        return b"\0" + told(*square(*sides), *middle(sides[0] + 9, sides[1] + 9)) + b"".join(map(bytes, INKS))

    def going_on(*sides: float) -> bytes:
        return b"\1" + told(*square(*sides)[4:], *middle(sides[0] + 9, sides[1] + 9)) + b"".join(map(bytes, INKS[:2]))

    # PDFium takes no patch that goes on into its box around all of them, so others reach as far.
    far = alone(90, 85, 97, 97) + alone(35, 5, 95, 30) + alone(0, 0, 30, 40)
    return far + going_on(0, 40, 30, 95) + alone(53.4567, 61.2345, 71, 70) + going_on(53.4567, 70, 71, 96)


MESHES: dict[int, Callable[[], bytes]] = {
    4: free, 5: lattice, 6: lambda: patches(0), 7: lambda: patches(4),
}  # fmt: skip
#: Where the hidden pieces alone have a point.
KEYS = told((53.4567, 61.2345))


def mesh(pdf: pikepdf.Pdf, kind: int, **entries: object) -> pikepdf.Stream:
    """Its unit is 100; told with flags of a byte."""
    made = pdf.make_stream(
        MESHES[kind](), ShadingType=kind, ColorSpace=Name.DeviceRGB, BitsPerCoordinate=32, BitsPerComponent=8,
        Decode=Array([0, 100, 0, 100, 0, 1, 0, 1, 0, 1]),
    )  # fmt: skip
    made["/VerticesPerRow" if kind == 5 else "/BitsPerFlag"] = 5 if kind == 5 else 8
    for key, value in entries.items():
        made[f"/{key}"] = value
    return made


AT = Array([1, 0, 0, 1, 50, 250])
#: How a mesh is painted: content, and resources made of it.
WAYS: dict[str, tuple[bytes, Callable[[pikepdf.Pdf, int], Dictionary], str]] = {
    "shading": (b"q 1 0 0 1 50 250 cm /S1 sh Q", lambda pdf, kind: Dictionary(S1=mesh(pdf, kind)), "Shading"),
    "area": (
        b"/Pattern cs /S1 scn 20 220 160 160 re f",
        lambda pdf, kind: Dictionary(S1=Dictionary(PatternType=2, Matrix=AT, Shading=mesh(pdf, kind))),
        "Pattern",
    ),
    "line": (
        b"30 w /Pattern CS /S1 SCN 30 300 m 180 300 l S",
        lambda pdf, kind: Dictionary(S1=Dictionary(PatternType=2, Matrix=AT, Shading=mesh(pdf, kind))),
        "Pattern",
    ),
    "words": (
        b"/Pattern cs /S1 scn BT /F1 40 Tf 45 300 Td (Crane wings) Tj ET",
        lambda pdf, kind: Dictionary(S1=Dictionary(PatternType=2, Matrix=AT, Shading=mesh(pdf, kind))),
        "Pattern",
    ),
}


@pytest.mark.parametrize("kind", list(MESHES))
@pytest.mark.parametrize("way", list(WAYS))
def test_pieces_of_a_mesh_that_lie_in_a_place_go(tmp_path: Path, kind: int, way: str):
    """The others stay as they are drawn: those that went on from a piece that is gone, too."""
    content, made, category = WAYS[way]
    source = trapped(
        tmp_path / "a.pdf", content, Font=lambda pdf: Dictionary(F1=make.helvetica(pdf)),
        **{category: lambda pdf: made(pdf, kind)},
    )  # fmt: skip
    assert KEYS in look.all_bytes(source)
    ran = redacted(tmp_path, source, *PLACE)
    assert KEYS not in look.all_bytes(ran.path)
    assert rest_is_kept(source, ran.path, *PLACE, beside=60 if way == "words" else 2)


@pytest.mark.parametrize("kind", list(MESHES))
def test_a_mesh_that_another_page_shows_stays_there(tmp_path: Path, kind: int):
    source = trapped(tmp_path / "a.pdf", WAYS["shading"][0], Shading=lambda pdf: Dictionary(S1=mesh(pdf, kind)))
    with pikepdf.open(source, allow_overwriting_input=True) as pdf:
        pdf.pages.append(pdf.pages[0])
        pdf.save(source)
    ran = redacted(tmp_path, source, *PLACE)
    assert rest_is_kept(source, ran.path, *PLACE)
    assert look.looks_like(source, ran.path, 2) > 0.9999 and KEYS in look.all_bytes(ran.path)


def test_a_mesh_that_readers_read_differently_is_refused(tmp_path: Path):
    """Whether records of odd bits are filled up is told otherwise by everybody; and what ends early is not whole."""
    for entries in ({"BitsPerFlag": 4}, {"ColorSpace": Name.DeviceCMYK}):
        made = partial(mesh, kind=6, **entries)
        shadings = {"Shading": lambda pdf, made=made: Dictionary(S1=made(pdf))}
        source = trapped(tmp_path / "a.pdf", WAYS["shading"][0], **shadings)
        ran = redacted(tmp_path, source, *PLACE)
        assert ran.problem and ran.problem.reason == "redaction_unsure" and not ran.outputs


@pytest.mark.parametrize("way", ["shading", "area"])
def test_a_picture_told_as_a_function_is_refused(tmp_path: Path, way: str):
    """Its samples are those of a picture, and nothing cuts them."""

    def shading(pdf: pikepdf.Pdf) -> Dictionary:
        table = pdf.make_stream(
            bytes(range(48)), FunctionType=0, Domain=Array([0, 1, 0, 1]), Range=Array([0, 1] * 3), Size=Array([4, 4]),
            BitsPerSample=8,
        )  # fmt: skip
        scale = Array([100, 0, 0, 100, 0, 0])
        return Dictionary(ShadingType=1, ColorSpace=Name.DeviceRGB, Function=table, Matrix=scale)

    content, _, category = WAYS[way]
    wrapped = {
        "shading": lambda pdf: Dictionary(S1=shading(pdf)),
        "area": lambda pdf: Dictionary(S1=Dictionary(PatternType=2, Matrix=AT, Shading=shading(pdf))),
    }  # fmt: skip
    ran = redacted(tmp_path, trapped(tmp_path / "a.pdf", content, **{category: wrapped[way]}), *PLACE)
    assert ran.problem and ran.problem.reason == "redaction_unsure" and not ran.outputs


def test_a_pattern_that_words_are_painted_with_loses_what_they_hid(tmp_path: Path):
    """A cell seen once, behind letters that go and letters that stay."""
    source = trapped(
        tmp_path / "a.pdf", b"/Pattern cs /P1 scn BT /F1 60 Tf 52 290 Td (Wing) Tj ET",
        Pattern=lambda pdf: Dictionary(P1=cell(pdf, 32767)), Font=lambda pdf: Dictionary(F1=make.helvetica(pdf)),
    )  # fmt: skip
    assert all(each in look.all_bytes(source) for each in SECRETS) and OUTLINE
    ran = redacted(tmp_path, source, *PLACE)
    assert not [each for each in SECRETS if each in look.all_bytes(ran.path)]
    assert rest_is_kept(source, ran.path, *PLACE, beside=80)
