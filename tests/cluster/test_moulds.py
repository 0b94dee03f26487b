"""Objects cast in a mould are what the parser makes of them, whatever stands in their holes."""

import re
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from cluster.engines.pdf import reader
from cluster.engines.pdf.moulds import cast
from cluster.engines.pdf.syntax import Ref, Unreadable, parse, template
from tests import make_big
from tests.examples import examples
from tests.raw import RawPdf
from tests.running import run_tool

#: What objects are made of, and what looks like it: halves of strings, references in strings, names that end in digits.
_PIECES = (
    *(b"<<", b">>", b"[", b"]", b"/A", b"/F1", b"/Length", b" 5", b"5", b" 0", b" R", b" 12 0 R", b"\n7 0 R"),
    *(b"(a)", b"(5 0 R)", b"(", b")", b"\\", b"%x\n", b"<41>", b"<", b">", b" 1.5", b" -3", b" ", b"\x00", b" null"),
    *(b"[1 2 3]", b"[ 4 0 R 5 0 R ]", b"[1 6 0 R]", b"[7 0 R/Fit]", b"[8 0 R 5]", b" 123456789012", b"0", b"#31"),
    *(b" 3 2 R", b"/B 8 0 R", b"/C(x)", b"/D[/E 9 0 R]"),
)  # fmt: skip
_TEXT = some.lists(some.sampled_from(_PIECES), max_size=14).map(b"".join)
_DIGITS = some.lists(some.integers(0, 10**10), min_size=1, max_size=6)


@pytest.mark.parametrize(
    "inside",
    [
        b"1 0 R",
        b" 1 0 R\n2 00 R ",
        b"1 0 R2 0 R",
        b"1 0 Rx",
        b"1 0 R 5",
        b"[1 0 R][2 0 R]",
        b"1 0 R 2 0 R/A",
        b"1 0 R%]\n",
    ],
)
def test_an_array_read_at_once_is_what_its_tokens_are(inside: bytes) -> None:
    """A comment before them keeps the tokens apart."""
    assert parse(b"[%b]" % inside)[0] == parse(b"[%%\n%b]" % inside)[0]


@settings(max_examples=examples(1500), deadline=None)
@given(inside=_TEXT, digits=_DIGITS, wrapped=some.booleans())
def test_a_cast_is_what_the_parser_reads(inside: bytes, digits: list[int], wrapped: bool):
    first = b"<</K %b>>" % inside if wrapped else inside
    others = [re.sub(rb"\d+", b"%d" % each, first) for each in digits]
    for text in (first, *others, *others, first, first, first, first):
        if made := cast(text):
            _check(text, made)


def test_objects_alike_are_cast():
    texts = [b"<</A %d 0 R/B[%d 2]/C(%d)/D<</E 5>>/F[%d 0 R]>>" % ((each,) * 4) for each in range(1, 9)]
    assert [cast(text) is not None for text in texts] == [False, *[True] * 7]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"<</X/Y/A[/B 5]>>", b"<</X/Y/A[/B[1 2]>>"),
        (b"<</X/Z/A 5 0 R>>", b"<</X/Z/A(5) 0 R>>"),
        (b"<</X/W/A 5>>", b"<</X/W/A<41>>>"),
        (b"<</X/V/A 5>>", b"<</X/V/A 1234567890>>"),
        (b"<</X/U/A(a)/B 5>>", b"<</X/U/A(a)b)/B 5>>"),
    ],
)
def test_what_only_looks_alike_is_not(one: bytes, other: bytes):
    for text in (one, one.replace(b"5", b"6").replace(b"(a)", b"(b)"), other, other, other, other, other, one):
        if made := cast(text):
            _check(text, made)


@pytest.mark.parametrize("make", ["many", "mixed", "odd"])
def test_both_ways_write_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: str):
    source = {"many": make_big.many, "mixed": make_big.mixed, "odd": _odd}[make](tmp_path / "source.pdf", 40)
    made = [each.read_bytes() for each in _all(tmp_path / "cast", source)]
    monkeypatch.setattr(reader, "cast", lambda _: None)
    assert [each.read_bytes() for each in _all(tmp_path / "parsed", source)] == made


def _all(folder: Path, source: Path) -> list[Path]:
    runs = [run_tool("merge", folder / "merge", [source, source]), run_tool("split", folder / "split", [source])]
    assert not any(ran.problem for ran in runs)
    return [each.path for ran in runs for each in ran.outputs]


def _odd(path: Path, pages: int) -> Path:
    """Pages alike whose streams and resources must be looked at: weak, unpacked, listed filters, forms, fonts, tags."""
    pdf, tree, kids = RawPdf(path), 1, []
    assert pdf.reserve() == tree
    font = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for number in range(1, pages + 1):
        text = b"BT /F1 9 Tf (Page %d of these) Tj ET /X Do " % number * 20
        filters = [b"", b"/Filter/FlateDecode", b"/Filter[/FlateDecode]", b"/Filter/ASCIIHexDecode", b"/Filter null"]
        data = [text, zlib.compress(text, 1), zlib.compress(text), text.hex().encode() + b">", text]
        kind = number % 5
        content = pdf.stream(filters[kind], data[kind])
        drawn = pdf.stream(
            b"/Type/XObject/Subtype/Form/BBox[0 0 %d 9]/Resources<</Font<</F1 %d 0 R>>>>" % (number, font)
            + (b"/StructParent %d" % (100 + number) if number % 3 else b"/PieceInfo<</A<</Private %d>>>>" % number),
            b"BT /F1 9 Tf (a) Tj ET",
        )
        glyph = pdf.stream(b"", b"500 0 0 0 9 9 d1 0 0 9 9 re f")
        type3 = pdf.add(
            b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97"
            b"/Widths[%d]/Encoding<</Differences[97/a]>>/CharProcs<</a %d 0 R>>/Resources<<>>>>" % (number, glyph)
        )
        kids.append(
            pdf.add(
                b"<</Type/Page/Parent %d 0 R/Rotate %d/StructParents %d/Contents[%d 0 R]/Resources<</Font<</F1 %d 0 R"
                b"/F2 %d 0 R>>/XObject<</X %d 0 R>>>>>>" % (tree, number % 4 * 90, number, content, font, type3, drawn)
                if number % 2
                else b"<</Type/Page/Parent %d 0 R/Contents[%d 0 R %d 0 R]/Resources<</Font<</F1 %d 0 R>>/XObject<<"
                b"/X %d 0 R>>>>>>" % (tree, content, content, font, drawn)
            )
        )
    pdf.tree(kids, tree, b"/MediaBox[0 0 300 400]")
    pdf.close(pdf.add(b"<</Type/Catalog/Pages %d 0 R>>" % tree))
    return path


def _check(text: bytes, made: tuple) -> None:
    mould, told = made
    value, end = parse(text)
    assert mould.filled(told) == value
    assert _types(mould.filled(told)) == _types(value)
    assert not text[end:].strip(b"\x00\t\n\x0c\r ")
    letter = mould.letter(mould.open())
    assert parse(letter.text % tuple(map(_told, letter.filled(told))))[0] == value


def _told(held: object) -> bytes:
    if type(held) is bytes:
        return held
    refs: list[int] = []
    return template([Ref(each) for each in held] if type(held) is list else Ref(held), refs) % tuple(  # type: ignore[call-overload]
        [b"%d 0 R" % each for each in refs]
    )


def _types(value: object) -> object:
    if type(value) is dict:
        return [(key, _types(each)) for key, each in value.items()]
    return [_types(each) for each in value] if type(value) is list else type(value)


def test_unreadable_text_has_no_mould():
    for text in (b"<</A 5 3 R>>", b"<</A 6 3 R>>", b"<</A 7 3 R>>"):
        assert cast(text) is None
        with pytest.raises(Unreadable):
            parse(text)
