"""A JBIG2 picture whose letters stand in a dictionary of their own, as scanners' PDF have it (ITU-T T.88, Huffman)."""

from collections.abc import Sequence

from pikepdf import Dictionary, Name, Pdf, Stream
from PIL import Image

#: Pixels of a letter's side, and between the letters of a row.
SIDE, GAP = 16, 4


def jbig2(pdf: Pdf, letters: tuple[bytes, bytes], rows: Sequence[Sequence[int]]) -> Stream:
    """`letters`: two bitmaps of 16 × 16, 32 bytes each, black 1; `rows`: which of them stand in each row of letters."""
    wide, high = (SIDE + GAP) * len(rows[0]) + GAP, SIDE * len(rows)
    known = _segment(0, 0, _dictionary(letters), page=0)
    page = _segment(1, 48, _four(wide, high, 0, 0) + b"\0\0\0")
    region = _four(wide, high, 0, 0) + b"\0" + _region(rows)
    made = pdf.make_stream(page + _segment(2, 6, region, known=bytes([0])))
    made.stream_dict = Dictionary(
        Type=Name.XObject, Subtype=Name.Image, Width=wide, Height=high, BitsPerComponent=1, ColorSpace=Name.DeviceGray,
        Filter=Name.JBIG2Decode, DecodeParms=Dictionary(JBIG2Globals=pdf.make_stream(known)),
    )  # fmt: skip
    return made


def drawn(letters: tuple[bytes, bytes], rows: Sequence[Sequence[int]]) -> Image.Image:
    """What every reader shall see of it."""
    image = Image.new("1", ((SIDE + GAP) * len(rows[0]) + GAP, SIDE * len(rows)), 1)
    for down, row in enumerate(rows):
        for across, letter in enumerate(row):
            black = Image.frombytes("1", (SIDE, SIDE), letters[letter])
            image.paste(0, (GAP + (SIDE + GAP) * across, SIDE * down), black)
    return image


def _segment(number: int, kind: int, data: bytes, known: bytes = b"", page: int = 1) -> bytes:
    head = number.to_bytes(4, "big") + bytes([kind, len(known) << 5]) + known + bytes([page])
    return head + len(data).to_bytes(4, "big") + data


def _four(*values: int) -> bytes:
    return b"".join(value.to_bytes(4, "big") for value in values)


def _dictionary(letters: tuple[bytes, bytes]) -> bytes:
    """Both letters, of one height and width, as they are; both are known to other segments."""
    # Tables B.4 and B.2: 16 as 12 + 4, then as 11 + 5, then 0, then no more; B.1: no size, so pixels as they are.
    head = _bits("11110000100", "11110000101", "0", "111111", "00000")
    rows = b"".join(letters[0][at : at + 2] + letters[1][at : at + 2] for at in range(0, 2 * SIDE, 2))
    return b"\0\1" + _four(2, 2) + head + rows + _bits("00000", "00010")


def _region(rows: Sequence[Sequence[int]]) -> bytes:
    """Text of two letters: each row from its left, upper left corners told."""
    # Letters' numbers: of 35 codes of lengths the second alone is used; twice, so a number is one bit.
    numbers = _bits(*(f"{int(at == 1):04b}" for at in range(35)), "0", "0")
    # Tables B.11 (rows down), B.6 (the first of a row), B.8 (the next ones, and no more).
    told, last = ["0"], 0
    for down, row in enumerate(rows):
        told.append("0" if down == 0 else "111100" + f"{SIDE - 13:02b}")
        told.append(_first(GAP - last))
        for across, letter in enumerate(row):
            told += [*(["100" + f"{GAP + 1 - 4:04b}"] if across else []), str(letter)]
        told.append("01")
        last = GAP
    head = (1 | 1 << 4).to_bytes(2, "big") + b"\0\0" + _four(sum(map(len, rows)))
    return head + numbers + _bits(*told)


def _first(across: int) -> str:
    return "00" + f"{across:07b}"


def _bits(*codes: str) -> bytes:
    """Codes one after another, filled up to whole bytes."""
    joined = "".join(codes)
    joined += "0" * (-len(joined) % 8)
    return int(joined, 2).to_bytes(len(joined) // 8, "big")
