"""Content streams word by word: what readers read, and where they stop reading."""

import random
import zlib

import pytest

from cluster.engines.pdf.tokens import Operation, operations, tokens

TRAP = b"\x00 EI Q q 1 0 0 1 0 0 cm EI \xff"


def read(data: bytes) -> list[tuple[bytes, list[bytes]]]:
    return [(each.operator, [data[word.start : word.end] for word in each.operands]) for each in operations(data)]


def test_operators_come_with_their_operands() -> None:
    data = b"q 1 0 0 -1.5 .5 +2 cm/F1 12 Tf[(a)-20<4142>]TJ/P<</MCID 3/A[1 true]>>BDC\nT* Q"
    assert read(data) == [
        (b"q", []),
        (b"cm", [b"1", b"0", b"0", b"-1.5", b".5", b"+2"]),
        (b"Tf", [b"/F1", b"12"]),
        (b"TJ", [b"[", b"(a)", b"-20", b"<4142>", b"]"]),
        (b"BDC", [b"/P", b"<<", b"/MCID", b"3", b"/A", b"[", b"1", b"true", b"]", b">>"]),
        (b"T*", []),
        (b"Q", []),
    ]


def test_spans_are_those_of_the_bytes() -> None:
    data = b"  1 w % 2 w\r\n(x) Tj"
    assert [data[each.start : each.end] for each in operations(data)] == [b"1 w", b"(x) Tj"]
    assert [data[each.start : each.end] for each in tokens(data)] == [b"1", b"w", b"(x)", b"Tj"]


def test_a_comment_between_a_name_and_its_operator_is_no_word() -> None:
    assert read(b"/Im0 % /Im1 Do\n Do") == [(b"Do", [b"/Im0"])]


@pytest.mark.parametrize(
    "string", [rb"(\))", rb"((((( deep ) Do ) ( ) )))", b"(/Im0 Do)", rb"(a\\)", b"()", b"(\n(BI ID))"]
)
def test_a_string_is_one_word_whatever_it_holds(string: bytes) -> None:
    assert read(string + b" Tj") == [(b"Tj", [string])]


HEADS = {
    "length": (b"/W 4 /H 1 /F /XX /L %d", TRAP),
    "gray": (b"/W %d /H 1 /BPC 8 /CS /G", TRAP),
    "rgb, long names": (b"/Width %d /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB", TRAP * 3),
    "mask": (b"/W 8 /H %d /IM true", TRAP),
    "palette": (b"/W %d /H 1 /BPC 8 /CS [/I /RGB 1 <000000ffffff>]", TRAP),
    "flate": (b"/W 4 /H 4 /BPC 8 /CS /Own /F /Fl %% %d\n", zlib.compress(TRAP * 9, 0)),
    "flate in an array": (b"/W 4 /H 4 /BPC 8 /CS /G /F [/Fl] %% %d\n", zlib.compress(TRAP, 0)),
    "runs": (b"/W 4 /H 4 /BPC 8 /CS /G /F /RL %% %d\n", bytes([len(TRAP) - 1]) + TRAP + b"\xf0a\x80"),
    "hex": (b"/W 4 /H 4 /BPC 8 /CS /G /F /AHx %% %d\n", b"00 EI 11>"),
    "ascii 85": (b"/W 4 /H 4 /BPC 8 /CS /G /F [/A85 /Fl] %% %d\n", b"9jqo^ EI Q\n~>"),
    "unknown colours": (b"/W 4 /H 4 /BPC 8 /CS /Own %% %d\n", b"\x00 EI \x80\xfe more EI(x"),
}


@pytest.mark.parametrize("case", HEADS)
def test_an_inline_picture_ends_where_its_samples_end(case: str) -> None:
    head, samples = HEADS[case]
    count = len(samples) // (3 if b"%d /Height" in head else 1)
    data = b"q BI " + head % count + b" ID " + samples + b"\nEI Q\n/After Do"
    first, picture, last, after = operations(data)
    assert (first.operator, picture.operator, last.operator, after.operator) == (b"q", b"BI", b"Q", b"Do")
    assert data[picture.operands[-1].start : picture.operands[-1].end].rstrip(b"\n") == samples
    assert picture.operands[-1].kind == "data"
    assert data[picture.start : picture.end].startswith(b"BI") and data[: picture.end].endswith(b"EI")


def test_a_wrong_length_falls_back_to_an_end_that_fits() -> None:
    data = b"BI /W 9 /H 9 /BPC 8 /CS /G /L 3 ID \x01\x02 EI\x80 rest EI\nQ"
    assert [each.operator for each in operations(data)] == [b"BI", b"Q"]


@pytest.mark.parametrize(
    "data, unread",
    [
        (b"1 0 0 RG0.5 w q", [b"1 0 0 RG0.5"]),
        (b"q (never closed Do", [b"(never closed Do"]),
        (b"q BI /W 4 ID \x80\x81 no end", [b"BI /W 4 ID \x80\x81 no end"]),
        (b"1 w ) 2 w", [b")"]),
        (b"[ (a) Tj", [b"[ (a) Tj"]),
        (b"[ (a) >> TJ", [b"[ (a) >> TJ"]),
        (b"q /Im0", [b"/Im0"]),
        (b"<4z> Tj q", [b"<", b">"]),
        (b"BX 1 new EX 1 old", [b"1 old"]),
    ],
)
def test_what_cannot_be_read_is_told(data: bytes, unread: list[bytes]) -> None:
    told = [data[each.start : each.end] for each in operations(data) if not each.operator]
    assert all(each in told for each in unread), told
    assert all(each.operator for each in operations(b"q 1 w Q BX odd EX"))


def test_no_bytes_are_too_odd() -> None:
    dice = random.Random(6)
    words = [
        b"BI",
        b"ID",
        b"EI",
        b"(",
        b")",
        b"<<",
        b">>",
        b"[",
        b"]",
        b"/W 2",
        b"/F /Fl",
        b"\\",
        b"%",
        b"\n",
        b"\x00",
        b"7",
    ]
    for _ in range(500):
        data = b" ".join(dice.choice(words) for _ in range(dice.randrange(60))) + dice.randbytes(20)
        ends = [0]
        for each in operations(data):
            assert isinstance(each, Operation) and ends[-1] <= each.start <= each.end <= len(data)
            ends.append(each.end)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "data",
    [
        b"BI ID " * 200_000,
        b"BI /W 1 ID" + b" EI (" * 200_000,
        b"BI /F /Fl ID x\x9c\x03\x00\x00\x00\x00\x01 EI " * 50_000,
        b"(" * 1_000_000,
        b"BI /W 1 ID EI " * 100_000 + b"\x80",
        b"[" * 1_000_000,
    ],
)
def test_a_hostile_stream_costs_no_more_than_its_length(data: bytes) -> None:
    assert sum(1 for _ in operations(data)) >= 1
