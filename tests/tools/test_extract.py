"""Extract: the right pages, and nothing at all of the others; delete leaves as little of those it takes away."""

import io
import re
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from fontTools import cffLib
from fontTools.pens.recordingPen import RecordingPen
from pikepdf import Dictionary
from pydantic import TypeAdapter, ValidationError

from cluster.catalogue import TOOLS
from tests import look, make, make_big
from tests.make_canaries import KINDS, canaries
from tests.make_chinese import chinese_font, hexadecimal
from tests.make_structure import attach
from tests.running import Ran, run_tool


def ran(key: str, folder: Path, file: Path, **options: object) -> Ran:
    made = run_tool(key, folder / key, [file], **options)
    assert made.problem is None, made.problem
    return made


def markers(path: Path) -> list[str]:
    return [text[text.index("marker-") :][:13] for text in look.texts_of(path)]


def pages(*numbers: int) -> list[str]:
    return [make.marker(number) for number in numbers]


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.rich(tmp_path_factory.mktemp("extract") / "合同.pdf", 8)


def test_no_page_is_named_by_saying_nothing() -> None:
    extract = next(tool for tool in TOOLS.values() if tool.key == "extract")
    for nothing in ("", "  "):
        with pytest.raises(ValidationError):
            TypeAdapter(extract.options).validate_python({"pages": nothing})


def test_pages_come_in_the_order_named(tmp_path: Path, rich: Path) -> None:
    one = ran("extract", tmp_path, rich, pages="5-4,1,1")
    assert markers(one.path) == pages(5, 4, 1, 1)
    assert one.outputs[0].name == "合同_提取_5,4,1,1.pdf"
    assert one.noted("pages_extracted") == {"count": 4} and one.noted("parts") is None
    each = ran("extract", tmp_path / "each", rich, pages="5-4,1", into="each")
    assert [markers(output.path) for output in each.outputs] == [pages(5, 4), pages(1)]
    assert each.noted("parts") == {"count": 2}


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize(
    ("key", "chosen", "left"),
    [
        ("extract", {"pages": "1"}, 1),
        ("delete", {"pages": "1"}, 2),
        ("arrange", {"board": [{"kind": "pages", "first": 2, "last": 2}]}, 2),
        ("split", {"split": {"how": "every", "pages": 1}}, 1),
    ],
)
def test_no_canary_of_a_page_left_out_is_in_the_result(
    tmp_path: Path, key: str, chosen: dict[str, Any], left: int, light: bool
) -> None:
    source = canaries(tmp_path / "a.pdf", light=light)
    drawn, held = look.all_bytes(source), look.all_bytes(ran(key, tmp_path, source, **chosen).outputs[0].path)
    for kind in KINDS:
        assert (f"canary-{left}-{kind}".encode() in held) == (f"canary-{left}-{kind}".encode() in drawn), kind
    assert set(re.findall(rb"canary-%d-\w*" % (3 - left), held)) == set()


def letters_of(path: Path) -> tuple[set[int], str]:
    """CIDs whose outline is in the font of the first page, and the letters that it says it has."""
    with pikepdf.open(path) as pdf:
        font = next(iter(pdf.pages[0].Resources.Font.as_dict().values()))
        held = io.BytesIO(font.DescendantFonts[0].FontDescriptor.FontFile3.read_bytes())
        meanings = font.ToUnicode.read_bytes().decode()
    program = cffLib.CFFFontSet()
    program.decompile(held, None)
    names, drawings = set(program[0].charset) - {".notdef"}, program[0].CharStrings
    return {int(name[3:]) for name in names if outlined(drawings[name])}, meanings


def outlined(drawing: Any) -> bool:
    drawing.draw(pen := RecordingPen())
    return len(pen.value) > 2


def standing_in(pdf: pikepdf.Pdf, node: Any) -> Any:
    """`node` with all that it holds in place, streams apart, which cannot."""
    if isinstance(node, pikepdf.Stream):
        return node
    if isinstance(node, pikepdf.Dictionary):
        return Dictionary({key: standing_in(pdf, held) for key, held in node.items()})
    return pikepdf.Array([standing_in(pdf, held) for held in node]) if isinstance(node, pikepdf.Array) else node


@pytest.mark.parametrize("direct", [False, True], ids=["apart", "in-its-page"])
@pytest.mark.parametrize(
    ("key", "chosen"),
    [
        ("extract", {"pages": "1"}),
        ("delete", {"pages": "2"}),
        ("arrange", {"board": [{"kind": "pages", "first": 1, "last": 1}]}),
        ("split", {"split": {"how": "every", "pages": 1}}),
    ],
)
def test_a_shared_font_has_no_letter_of_the_other_page(
    tmp_path: Path, key: str, chosen: dict[str, Any], direct: bool
) -> None:
    """Neither its outline nor its meaning; what is left looks and reads as before."""
    words = ["纸鹤文档", "机密合同"]
    with make.edit(make.text(tmp_path / "a.pdf", 2)) as pdf:
        font = chinese_font(pdf)
        for page, text in zip(pdf.pages, words, strict=True):
            page.Resources = Dictionary(Font=Dictionary(F1=standing_in(pdf, font) if direct else font))
            page.Contents = pdf.make_stream(b"BT /F1 20 Tf 50 700 Td %b Tj ET" % hexadecimal(text))
    path = ran(key, tmp_path, tmp_path / "a.pdf", **chosen).outputs[0].path
    cids, meanings = letters_of(path)
    cid = {letter: int(hexadecimal(letter)[1:5], 16) for letter in "".join(words)}
    assert cids == {cid[letter] for letter in words[0]}
    assert all((f"{ord(letter):04X}" in meanings.upper()) == (letter in words[0]) for letter in cid)
    assert look.looks_like(tmp_path / "a.pdf", path) == 1.0
    assert look.texts_of(path) == look.texts_of(tmp_path / "a.pdf")[:1]


def test_fonts_that_stayed_whole_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result too long to cut may have letters of other pages; one without fonts says nothing."""
    source = make.shared(tmp_path / "shared.pdf", 4)
    assert ran("delete", tmp_path / "cut", source, pages="1").noted("fonts_whole") is None
    monkeypatch.setattr("cluster.engines.edit.shown.MOST_FILES", 3)
    singly = {"split": {"how": "every", "pages": 1}}
    assert ran("split", tmp_path, source, **singly).noted("fonts_whole") == {"count": 1}
    monkeypatch.setattr("cluster.engines.edit.shown.MOST_PAGES", 1)
    for key in ("extract", "delete"):
        assert ran(key, tmp_path, source, pages="1-2").noted("fonts_whole") == {"count": 2}
        plain = ran(key, tmp_path / "plain", make.text(tmp_path / "plain.pdf", 4), pages="1-2")
        assert plain.noted("fonts_whole") is None


def test_two_pages_of_a_large_file_with_shared_resources_are_small(tmp_path: Path) -> None:
    source = make.shared(tmp_path / "shared.pdf", 30)
    made = ran("extract", tmp_path, source, pages="3,17")
    with pikepdf.open(source) as pdf, pikepdf.new() as fresh:
        for at in (2, 16):
            fresh.pages.append(pdf.pages[at])
        fresh.remove_unreferenced_resources()
        fresh.save(tmp_path / "fresh.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert made.path.stat().st_size <= 1.1 * (tmp_path / "fresh.pdf").stat().st_size


def test_two_pages_of_sixty_megabytes_are_as_large_as_what_they_use(tmp_path: Path) -> None:
    source, used = make_big.heavy(tmp_path / "heavy.pdf")
    assert source.stat().st_size >= 60_000_000
    for key, chosen in (("extract", "1,60"), ("delete", "2-59")):
        assert ran(key, tmp_path, source, pages=chosen).path.stat().st_size <= 1.1 * used, key


def test_attachments_of_the_document_stay(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 3)) as pdf:
        attach(pdf, "x.txt", b"x")
    for key in ("extract", "delete"):
        assert look.attachments_of(ran(key, tmp_path, tmp_path / "a.pdf", pages="2").path) == {"x.txt": b"x"}
