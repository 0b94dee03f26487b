"""Font programs made smaller draw the same outlines: Type 1 told as CFF, TrueType without hints."""

import io
from typing import Any

import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.recordingPen import DecomposingRecordingPen, RecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from cluster.engines.fonts.truetype import slim
from cluster.engines.fonts.type1 import Unreadable, to_cff
from tests.make_type1 import code, program

SQUARE = code(50, 600, "hsbw", 0, 20, "hstem", 10, 30, "vstem", 10, "hmoveto", 100, "hlineto", 100, "vlineto", -100,
              "hlineto", "closepath", "endchar")  # fmt: skip
EMPTY = code(0, 500, "hsbw", "endchar")
ACUTE = code(20, 700, "hsbw", 0, 30, "hstem", 5, "hmoveto", 40, "hlineto", 40, "vlineto", -40, "hlineto", "closepath",
             "endchar")  # fmt: skip


def top_of(cff: bytes) -> Any:
    """The one font in a CFF."""
    read = CFFFontSet()
    read.decompile(io.BytesIO(cff), None)
    return read[0]


def letter(*words: int | str) -> Any:
    """The Type 2 charstring of a letter whose Type 1 program says `words`, drawn once."""
    return drawn(program({".notdef": EMPTY, "A": code(*words)}), "A")


def drawn(font: bytes, name: str) -> Any:
    """That letter's charstring in the translated font; its `pen` has recorded the outline."""
    glyph = top_of(to_cff(font, None)).CharStrings[name]
    glyph.pen = RecordingPen()
    glyph.draw(glyph.pen)
    return glyph


def test_the_side_bearing_moves_the_outline_and_its_stems():
    glyph = drawn(program({".notdef": EMPTY, "A": SQUARE}), "A")
    assert glyph.width == 600
    assert glyph.pen.value[0] == ("moveTo", ((60, 0),))
    stems = [word for word in glyph.program if word in ("hstem", "vstem")]
    at = glyph.program.index("vstem")
    assert stems == ["hstem", "vstem"]
    assert glyph.program[at - 5 : at] == [0, 20, "hstem", 60, 30]


def test_flex_becomes_two_curves():
    glyph = letter(0, 500, "hsbw", 0, "hmoveto", 1, "callsubr", 50, 0, "rmoveto", 2, "callsubr", -40, 0, "rmoveto", 2,
                   "callsubr", 20, 5, "rmoveto", 2, "callsubr", 20, 0, "rmoveto", 2, "callsubr", 20, 0, "rmoveto", 2,
                   "callsubr", 20, -5, "rmoveto", 2, "callsubr", 10, 0, "rmoveto", 2, "callsubr", 50, 100, 0, 0,
                   "callsubr", 10, 50, "rlineto", "closepath", "endchar")  # fmt: skip
    curves = [points for name, points in glyph.pen.value if name == "curveTo"]
    assert curves == [((10, 0), (30, 5), (50, 5)), ((70, 5), (90, 0), (100, 0))]
    assert ("lineTo", ((110, 50),)) in glyph.pen.value


def test_replaced_hints_become_masks():
    glyph = letter(0, 500, "hsbw", 0, 20, "hstem", 0, "hmoveto", 50, "hlineto", 5, 4, "callsubr", 50, "vlineto",
                   "closepath", "endchar")  # fmt: skip
    words = glyph.program
    at = words.index("hstemhm")
    assert words[at - 4 : at] == [0, 20, 80, 20]
    assert [words[at + 1] for at, word in enumerate(words) if word == "hintmask"] == [b"\x80", b"\x40"]


ACCENTED = {".notdef": EMPTY, "a": SQUARE, "acute": ACUTE, "b": SQUARE,
            "aacute": code(20, 700, "hsbw", 30, 200, 150, 97, 194, "seac")}  # fmt: skip


@pytest.mark.parametrize("kept", [set(ACCENTED), {"aacute"}, {"aacute", "a"}], ids=["all", "it", "one part"])
def test_an_accented_letter_draws_its_parts_with_their_hints(kept: set[str]):
    top = top_of(to_cff(program(ACCENTED), lambda _: kept))
    assert set(top.CharStrings.keys()) == kept | {".notdef"}
    pen = DecomposingRecordingPen(top.CharStrings)
    glyph = top.CharStrings["aacute"]
    glyph.draw(pen)
    assert glyph.width == 700
    assert [points[0] for name, points in pen.value if name == "moveTo"] == [(60, 0), (215, 150)]
    hinted = [glyph] if len(kept) < len(ACCENTED) else [top.CharStrings[name] for name in ("a", "acute")]
    stems = [word for each in hinted for word in program_of(each) if str(word).startswith(("hstem", "hintmask"))]
    assert len(stems) >= 2


def program_of(glyph: Any) -> list[Any]:
    """The charstring's words."""
    glyph.decompile()
    return list(glyph.program)


LOOP = tuple(code(*([deeper, "callsubr"] * 40), "return") for deeper in range(1, 10))


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"%!PS",
        b"no font at all",
        program({".notdef": EMPTY, "A": code(99, "callsubr")}),
        program({".notdef": EMPTY, "A": code(0, 0, "hsbw") + b"\xff\x00"}),
        program({".notdef": EMPTY, "A": SQUARE})[:700],
        program({".notdef": EMPTY, "A": code(0, 9, "hsbw", 0, "callsubr", "endchar")}, subrs=(*LOOP, code("return"))),
    ],
    ids=["empty", "cut", "other", "subroutine", "number", "half", "endless"],
)
def test_a_broken_program_is_refused(broken: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("cluster.engines.fonts.type1._CPU_SECONDS", 1)
    with pytest.raises(Unreadable):
        to_cff(broken, None)


def test_no_other_kind_is_taken_for_type1():
    with pytest.raises(Unreadable):
        to_cff(truetype(), None)


def test_a_cff_holds_what_was_asked_for_and_the_encoding():
    asked: list[list[str]] = []

    def choose(encoding: list[str]) -> set[str]:
        asked.append(encoding)
        return {encoding[65], "not there"}

    codes = {65: "A", 66: "B", 0: "D"}
    font = program({".notdef": EMPTY, "A": SQUARE, "B": SQUARE, "C": SQUARE, "D": SQUARE, "E": SQUARE}, codes)
    top = top_of(to_cff(font, choose))
    assert asked == [[codes.get(at, ".notdef") for at in range(256)]]
    assert sorted(top.CharStrings.keys()) == [".notdef", "A"]
    assert (top.Private.StdVW, top.Private.BlueValues, top.Private.ForceBold) == (30, [-10, 0, 500, 510], 1)


@pytest.mark.parametrize("codes", [{66: "A", 65: "B"}, {66: "A", 70: "A", 65: "B"}, {200: "B", 201: "A"}])
def test_an_encoding_of_its_own_stays(codes: dict[int, str]):
    top = top_of(to_cff(program({".notdef": EMPTY, "A": SQUARE, "B": SQUARE}, codes), None))
    assert {code: name for code, name in enumerate(top.Encoding) if name != ".notdef"} == codes


def test_an_encoding_that_tx_cannot_keep_leaves_the_font_alone():
    """It takes this one for the standard encoding, which leads nowhere from 201."""
    with pytest.raises(Unreadable):
        to_cff(program({".notdef": EMPTY, "A": SQUARE}, {65: "A", 201: "A"}), None)


def test_a_chinese_font_keeps_its_letters():
    """tx lists those of LanguageGroup 1 with one word more."""
    font = program({".notdef": EMPTY, "A": SQUARE, "B": SQUARE}, {1: "A", 2: "B"}, private="/LanguageGroup 1 def\n")
    assert sorted(top_of(to_cff(font, None)).CharStrings.keys()) == [".notdef", "A", "B"]
    assert sorted(top_of(to_cff(font, lambda names: {names[2]})).CharStrings.keys()) == [".notdef", "B"]


def test_the_standard_encoding_stays():
    top = top_of(to_cff(program({".notdef": EMPTY, "A": SQUARE, "acute": ACUTE}), lambda names: {names[194]}))
    assert sorted(top.CharStrings.keys()) == [".notdef", "acute"]
    assert top.Encoding == "StandardEncoding" or top.Encoding[194] == "acute"


def truetype() -> bytes:
    """A font with a hinted square A, a composite B of two of it, and an empty C."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "A", "B", "C"])
    builder.setupCharacterMap({65: "A", 66: "B", 67: "C"})
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for point in ((500, 0), (500, 500), (0, 500)):
        pen.lineTo(point)
    pen.closePath()
    square = pen.glyph()
    pen = TTGlyphPen({"A": square})
    pen.addComponent("A", (1, 0, 0, 1, 0, 0))
    pen.addComponent("A", (0.5, 0, 0, 0.5, 600, 0))
    builder.setupGlyf({".notdef": square, "A": square, "B": pen.glyph(), "C": TTGlyphPen(None).glyph()})
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", "A", "B", "C"), (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Test"})
    builder.setupOS2()
    builder.setupPost()
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables.ttProgram import Program

    program = Program()
    program.fromAssembly(["NPUSHB[ ]", "2", "1", "2", "POP[ ]", "POP[ ]"])
    builder.font["glyf"]["A"].program = program
    builder.font["fpgm"] = newTable("fpgm")
    builder.font["fpgm"].program = program
    held = io.BytesIO()
    builder.save(held)
    return held.getvalue()


def outlines(font: bytes) -> list[Any]:
    """What each glyph draws, by number, composites taken apart."""
    read = TTFont(io.BytesIO(font), checkChecksums=2)
    found = []
    for name in read.getGlyphOrder():
        pen = DecomposingRecordingPen(read.getGlyphSet())
        read.getGlyphSet()[name].draw(pen)
        found.append(pen.value)
    return found


@pytest.mark.parametrize("hints", [True, False])
@pytest.mark.parametrize("lookup", [True, False])
def test_truetype_keeps_its_outlines(hints: bool, lookup: bool):
    before = truetype()
    after = slim(before, lookup=lookup, hints=hints, name="Test")
    assert after is not None
    assert len(after) < len(before)
    tables = set(TTFont(io.BytesIO(after)).keys())
    assert ("fpgm" in tables, "cmap" in tables, "name" in tables) == (hints, lookup, False)
    assert outlines(after) == outlines(before)


def test_fonts_that_are_drawn_by_their_hints_keep_them():
    after = slim(truetype(), lookup=False, hints=False, name="ABCDEF+MingLiU")
    assert after is not None
    assert "fpgm" in TTFont(io.BytesIO(after)).keys()  # noqa: SIM118


@pytest.mark.parametrize("broken", [b"", b"OTTO" + bytes(100), bytes(12), truetype()[:200]])
def test_what_is_no_truetype_is_refused(broken: bytes):
    assert slim(broken, lookup=True, hints=False, name="x") is None
