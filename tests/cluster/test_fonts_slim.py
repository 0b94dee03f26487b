"""Font programs made smaller draw the same outlines: Type 1 told as CFF, TrueType without hints."""

import io
from typing import Any

import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.recordingPen import DecomposingRecordingPen, RecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from cluster.engines.compress.charstring import Unreadable, translate
from cluster.engines.compress.truetype import slim
from cluster.engines.compress.type1 import to_cff


def code(*words: int | str) -> bytes:
    """A Type 1 charstring: numbers and operators by name."""
    names = {"hstem": 1, "vstem": 3, "vmoveto": 4, "rlineto": 5, "hlineto": 6, "vlineto": 7, "rrcurveto": 8,
             "closepath": 9, "callsubr": 10, "return": 11, "hsbw": 13, "endchar": 14, "rmoveto": 21, "hmoveto": 22,
             "seac": (12, 6), "div": (12, 12), "callothersubr": (12, 16), "pop": (12, 17),
             "setcurrentpoint": (12, 33)}  # fmt: skip
    out = b""
    for word in words:
        if isinstance(word, str):
            name = names[word]
            out += bytes(name if isinstance(name, tuple) else (name,))
        else:
            out += b"\xff" + word.to_bytes(4, "big", signed=True)
    return out


#: The subroutines every Type 1 font begins with: flex end, flex begin, flex point, hint replacement.
SUBRS = [
    code(3, 0, "callothersubr", "pop", "pop", "setcurrentpoint", "return"),
    code(0, 1, "callothersubr", "return"),
    code(0, 2, "callothersubr", "return"),
    code("return"),
    code(1, 3, "callothersubr", "pop", "callsubr", "return"),
    code(100, 20, "hstem", "return"),
]
SQUARE = code(50, 600, "hsbw", 0, 20, "hstem", 10, 30, "vstem", 10, "hmoveto", 100, "hlineto", 100, "vlineto", -100,
              "hlineto", "closepath", "endchar")  # fmt: skip


def drawn(code: bytes) -> list[Any]:
    """The outline that the translated program draws."""
    pen = RecordingPen()
    private = type("P", (), {"defaultWidthX": 0, "nominalWidthX": 0, "Subrs": []})()
    T2CharString(program=translate(code, SUBRS).program(0), private=private, globalSubrs=[]).draw(pen)
    return pen.value


def test_the_side_bearing_moves_the_outline_and_its_stems():
    glyph = translate(SQUARE, SUBRS)
    assert glyph.width == 600
    assert drawn(SQUARE)[0] == ("moveTo", ((60, 0),))
    assert glyph.program(600)[:6] == [0, 20, "hstem", 60, 30, "vstem"]


def test_flex_becomes_two_curves():
    flex = code(0, 500, "hsbw", 0, "hmoveto", 1, "callsubr", 50, 0, "rmoveto", 2, "callsubr", -40, 0, "rmoveto", 2,
                "callsubr", 20, 5, "rmoveto", 2, "callsubr", 20, 0, "rmoveto", 2, "callsubr", 20, 0, "rmoveto", 2,
                "callsubr", 20, -5, "rmoveto", 2, "callsubr", 10, 0, "rmoveto", 2, "callsubr", 50, 100, 0, 0,
                "callsubr", 10, 50, "rlineto", "closepath", "endchar")  # fmt: skip
    outline = drawn(flex)
    curves = [points for name, points in outline if name == "curveTo"]
    assert curves == [((10, 0), (30, 5), (50, 5)), ((70, 5), (90, 0), (100, 0))]
    assert outline[3] == ("lineTo", ((110, 50),))


def test_replaced_hints_become_masks():
    both = code(0, 500, "hsbw", 0, 20, "hstem", 0, "hmoveto", 50, "hlineto", 5, 4, "callsubr", 50, "vlineto",
                "closepath", "endchar")  # fmt: skip
    program = translate(both, SUBRS).program(500)
    assert program[:5] == [0, 20, 80, 20, "hstemhm"]
    assert [program[at + 1] for at, word in enumerate(program) if word == "hintmask"] == [b"\x80", b"\x40"]


def test_an_accented_letter_names_its_parts():
    glyph = translate(code(20, 700, "hsbw", 30, 200, 150, 97, 194, "seac"), SUBRS)
    assert glyph.parts == ["a", "acute"]
    assert glyph.program(700) == [190, 150, 97, 194, "endchar"]


@pytest.mark.parametrize("broken", [code(1, "callsubr"), code(0, 0, "hsbw", 9, "callsubr"), b"\x0c\x63", b"\xff\x00"])
def test_a_broken_program_is_refused(broken: bytes):
    with pytest.raises((Unreadable, IndexError)):
        translate(broken, [])


def test_a_cff_holds_what_was_asked_for_and_the_encoding():
    font = {
        "CharStrings": {".notdef": code(0, 500, "hsbw", "endchar"), "A": SQUARE, "B": SQUARE, "C": SQUARE},
        "Private": {"BlueValues": [-10, 0, 500, 510], "StdVW": [30], "ForceBold": True},
        "Encoding": [".notdef"] * 65 + ["A", "B"] + [".notdef"] * 189,
        "FontMatrix": [0.001, 0, 0, 0.001, 0, 0],
    }
    read = CFFFontSet()
    read.decompile(io.BytesIO(to_cff(font, "Test", {"A"})), None)
    top = read[0]
    assert sorted(top.CharStrings.keys()) == [".notdef", "A"]
    assert (top.Encoding[65], top.Encoding[66]) == ("A", ".notdef")
    assert top.Private.StdVW == 30
    pen = RecordingPen()
    top.CharStrings["A"].draw(pen)
    assert pen.value == drawn(SQUARE)


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
