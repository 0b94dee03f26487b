"""Where the samples of an inline picture end: by its length where that can be known, else by an EI that fits.

Samples are any bytes, an EI among white space too: the first that looks like one is often not it.
"""

import re
import zlib
from collections.abc import Callable, Iterator

#: A picture that unpacks to more is not measured but searched; the specification allows 4 KiB.
_LARGEST = 1 << 22
_PIECE = 4096
_END = re.compile(rb"[\x00\t\n\x0c\r ]{0,3}EI(?![^\x00\t\n\x0c\r /<>\[\](){}%])")
_APART = re.compile(rb"[\x00\t\n\x0c\r ]EI(?![^\x00\t\n\x0c\r ])")
_CHANNELS = {b"/G": 1, b"/DeviceGray": 1, b"/RGB": 3, b"/DeviceRGB": 3, b"/CMYK": 4, b"/DeviceCMYK": 4, b"/I": 1,
             b"/Indexed": 1}  # fmt: skip
SHORT_KEYS = {b"/Width": b"/W", b"/Height": b"/H", b"/BitsPerComponent": b"/BPC", b"/ColorSpace": b"/CS",
         b"/Filter": b"/F", b"/ImageMask": b"/IM", b"/Length": b"/L"}  # fmt: skip


def entries(words: list[bytes]) -> dict[bytes, bytes]:
    """The dictionary by its short keys; of an array the first item."""
    found: dict[bytes, bytes] = {}
    key: bytes | None = None
    depth = 0
    for word in words:
        if key is None:
            key = SHORT_KEYS.get(word, word)
            continue
        depth += (word in (b"[", b"<<")) - (word in (b"]", b">>"))
        if word not in (b"[", b"<<", b"]", b">>"):
            found.setdefault(key, word)
        if depth <= 0:
            key = None
    return found


def data_end(data: bytes, start: int, has: dict[bytes, bytes], fits: Callable[[int], bool]) -> tuple[int, int] | None:
    """Where the samples that start at `start` end, and where their EI does; None when there is no end.

    fits: whether what follows a place reads as content.
    """
    for end in _measured(data, start, has):
        if found := _END.match(data, end):
            return end, found.end()
    for found in _APART.finditer(data, max(0, start - 1)):
        if fits(found.end()):
            return max(start, found.start()), found.end()
    return None


def _measured(data: bytes, start: int, has: dict[bytes, bytes]) -> Iterator[int]:
    if (told := _number(has, b"/L")) is not None:
        yield start + told
    kind = has.get(b"/F", b"")
    if not kind:
        if (length := _plain_length(has)) is not None:
            yield start + length
    elif kind in (b"/AHx", b"/ASCIIHexDecode", b"/A85", b"/ASCII85Decode"):
        mark = b"~>" if b"85" in kind else b">"
        if (at := data.find(mark, start)) >= 0:
            yield at + len(mark)
    elif kind in (b"/Fl", b"/FlateDecode"):
        yield from _flate_end(data, start)
    elif kind in (b"/RL", b"/RunLengthDecode"):
        yield from _runs_end(data, start)


def _plain_length(has: dict[bytes, bytes]) -> int | None:
    width, height = _number(has, b"/W"), _number(has, b"/H")
    mask = has.get(b"/IM") == b"true"
    bits = 1 if mask else _number(has, b"/BPC")
    channels = 1 if mask else _CHANNELS.get(has.get(b"/CS", b""))
    if width is None or height is None or bits is None or channels is None:
        return None
    return (width * bits * channels + 7) // 8 * height


def _number(has: dict[bytes, bytes], key: bytes) -> int | None:
    word = has.get(key, b"")
    return int(word) if word.isdigit() and len(word) < 10 else None


def _flate_end(data: bytes, start: int) -> Iterator[int]:
    """Fed in small pieces: what is left over of a piece is copied each time."""
    unpacker = zlib.decompressobj()
    room = _LARGEST
    for at in range(start, min(len(data), start + _LARGEST), _PIECE):
        piece = data[at : at + _PIECE]
        try:
            room -= len(unpacker.decompress(piece, room))
        except zlib.error:
            return
        if unpacker.eof:
            yield at + len(piece) - len(unpacker.unused_data)
        if unpacker.eof or room <= 0:
            return


def _runs_end(data: bytes, start: int) -> Iterator[int]:
    at = start
    while at < min(len(data), start + _LARGEST):
        if data[at] == 128:
            yield at + 1
            return
        at += data[at] + 2 if data[at] < 128 else 2
