"""The font service: whatever is written comes out whole, and looks the same in two readers."""

import io
import subprocess
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.pens.recordingPen import RecordingPen

from cluster.engines.fonts.charset import with_cids
from cluster.engines.fonts.embed import Fonts, width
from cluster.engines.fonts.faces import face_of
from cluster.problem import InputProblem
from tests import look

SPECIFIED = "第1页/共10页 机密 ①€—…龘𠮷"


def written(path: Path, lines: list[str], family: str = "sans", bold: bool = False) -> Path:
    """A page with each line under the other at 24 pt."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(900, 60 * len(lines) + 40))
        fonts = Fonts(pdf)
        made = [fonts.line(line, family, bold) for line in lines]
        drawn = [b"1 0 0 1 20 %d Tm %s" % (60 * at + 30, line.draw(24)) for at, line in enumerate(reversed(made))]
        page.obj.Contents = pdf.make_stream(b"BT " + b"\n".join(drawn) + b" ET")
        page.obj.Resources = pikepdf.Dictionary(
            Font=pikepdf.Dictionary({name: font for line in made for name, font in line.fonts.items()})
        )
        fonts.embed()
        pdf.save(path)
    return path


def poppler_text(path: Path) -> list[str]:
    done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True)
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("family", ["sans", "serif", "mono"])
def test_the_specified_text_comes_out_whole(tmp_path: Path, family: str, bold: bool):
    path = written(tmp_path / "a.pdf", [SPECIFIED], family, bold)
    assert look.text_of(path) == SPECIFIED
    assert poppler_text(path) == [SPECIFIED]


def test_the_letters_are_really_drawn(tmp_path: Path):
    path = written(tmp_path / "a.pdf", ["龘", "𠮷", "①"])
    page = look.render(path)
    rows = [page.crop((0, top, 60, top + 60)) for top in (10, 70, 130)]
    inks = [look.ink(row) for row in rows]
    assert all(ink > 0.02 for ink in inks), inks
    # 龘 has 48 strokes: two equal boxes for unknown letters would weigh the same.
    assert inks[0] > 1.2 * inks[1]


def test_readers_agree_on_the_look(tmp_path: Path):
    path = written(tmp_path / "a.pdf", [SPECIFIED, "Handgloves — Größe, naïve", "☑ Ελληνικά кириллица"])
    subprocess.run(["pdftoppm", "-r", "72", "-png", "-singlefile", path, tmp_path / "poppler"], check=True)
    from PIL import Image

    with Image.open(tmp_path / "poppler.png") as theirs:
        assert look.ssim(look.render(path), theirs.convert("RGB")) > 0.93


def test_letters_of_one_glyph_keep_apart(tmp_path: Path):
    """Kangxi radicals share their glyphs with 汉字; copying must give what was written."""
    text = "⼀一⼈人一⼀"
    path = written(tmp_path / "a.pdf", [text])
    with pypdfium2.PdfDocument(path) as pdf:
        codes = pdf[0].get_textpage().get_text_range()
    assert codes == text


def test_fonts_fall_back_by_the_letter(tmp_path: Path):
    text = "A汉☑א"
    path = written(tmp_path / "a.pdf", [text], "mono")
    assert sorted(look.text_of(path)) == sorted(text)
    assert len({face_of(letter, "mono") for letter in text}) >= 2


def test_an_accent_on_its_own_joins_its_letter(tmp_path: Path):
    assert look.text_of(written(tmp_path / "a.pdf", ["Cafe\u0301"])) == "Café"


def test_a_letter_that_no_font_has_is_named():
    with pytest.raises(InputProblem) as caught:
        width("机密\U000e0fff\U0010fffd")
    assert caught.value.reason == "glyph_missing"
    assert caught.value.facts["text"] == "\U000e0fff\U0010fffd"


def test_equal_fonts_are_embedded_once_and_small(tmp_path: Path):
    path = written(tmp_path / "a.pdf", [f"第{n}页" for n in range(200)])
    with pikepdf.open(path) as pdf:
        programs = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and "/FontFile3" in each]
    assert len(programs) == 1
    assert path.stat().st_size < 12_000


def test_widths_are_those_that_editors_reckon_with():
    """The rule in cluster.engines.marks.place: 汉字 one em everywhere, everything else half an em in mono."""
    assert width("汉字，、①", "sans") == 5
    assert width("abcXYZ019 .", "mono") == pytest.approx(11 * 0.5)
    assert width("机密", "serif", bold=True) == 2


def _program(path: Path) -> bytes:
    """The only CFF of a document."""
    with pikepdf.open(path) as pdf:
        (program,) = (each.read_bytes() for each in pdf.objects if _is_cff(each))
    return program


def _is_cff(each: pikepdf.Object) -> bool:
    return isinstance(each, pikepdf.Stream) and each.get("/Subtype") == pikepdf.Name.CIDFontType0C


def _outlines(program: bytes) -> tuple[int, dict[str, object]]:
    """How many CIDs a CFF has room for, and the outline of each glyph, as fontTools reads them."""
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(program), None)
    top, drawn = fonts.topDictIndex[0], {}
    for name in top.charset:
        pen = RecordingPen()
        top.CharStrings[name].draw(pen)
        drawn[name] = pen.value
    return top.CIDCount, drawn


@pytest.mark.parametrize("family", ["sans", "serif"])
def test_glyphs_answer_to_the_numbers_they_are_given(tmp_path: Path, family: str):
    program = _program(written(tmp_path / "a.pdf", ["内部资料①€abc"], family))
    _, before = _outlines(program)
    numbers = [0, *range(40_000, 40_000 + 3 * (len(before) - 1), 3)]
    room, after = _outlines(with_cids(program, numbers))
    assert list(after) == [".notdef", *(f"cid{number:05d}" for number in numbers[1:])]
    assert list(after.values()) == list(before.values()), "an outline moved"
    assert room == numbers[-1] + 1
