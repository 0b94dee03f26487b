"""What opening a stream would cost, learned without opening it: a few bytes may hold a gibibyte."""

import zlib
from typing import Any

#: Bytes that one stream may unpack to before it is read as a whole.
MOST = 256 << 20
#: How many times its size a filter may unpack to; what is not here does not grow.
_GROWTH = {"/LZWDecode": 1400, "/LZW": 1400, "/RunLengthDecode": 64, "/RL": 64}
_FLATE = ("/FlateDecode", "/Fl")
_FLATE_GROWTH = 1032
#: Thousands of filters on one stream are nothing to multiply.
_ENDLESS = 1 << 40
_BLOCK = 1 << 20


def largest(stream: Any) -> int:
    """The most bytes that `stream` (a pikepdf.Stream) can unpack to, told by its length and filters."""
    growth = 1
    for each in _names(stream.get("/Filter")):
        growth = min(_ENDLESS, growth * (_FLATE_GROWTH if each in _FLATE else _GROWTH.get(each, 1)))
    return _length(stream) * growth


def too_long(stream: Any, most: int = MOST) -> bool:
    """Whether `stream` (a pikepdf.Stream) unpacks to more than `most` bytes; unreadable ones do not."""
    if largest(stream) <= most:
        return False
    filters = _names(stream.get("/Filter"))
    if not set(filters) <= set(_FLATE):
        return True
    return _flates_beyond(bytes(stream.read_raw_bytes()), len(filters), most)


def unpacked(stream: Any) -> bytes | None:
    """The bytes of a stream; None when it is too long or cannot be read, however pikepdf says so.

    What of its warnings is no UTF-8 comes as a UnicodeDecodeError, which is a ValueError.
    """
    import pikepdf

    try:
        level = pikepdf.StreamDecodeLevel.generalized
        return None if too_long(stream) else bytes(stream.read_bytes(level))
    except (pikepdf.PdfError, pikepdf.DataDecodingError, RuntimeError, ValueError):
        return None


def _flates_beyond(raw: bytes, layers: int, most: int) -> bool:
    """Unpack all layers at once, block by block, keeping nothing."""
    chain = [zlib.decompressobj() for _ in range(layers)]
    room = most
    try:
        for at in range(0, len(raw), _BLOCK):
            room -= _pushed(chain, raw[at : at + _BLOCK], room + 1)
            if room < 0:
                return True
    except zlib.error:
        return False
    return False


def _pushed(chain: list[Any], data: bytes, most: int) -> int:
    """Bytes that come out of the last layer when `data` goes into the first, counted to `most`."""
    if not chain:
        return len(data)
    total = 0
    while data and total < most:
        total += _pushed(chain[1:], chain[0].decompress(data, _BLOCK), most - total)
        data = chain[0].unconsumed_tail
    return total


def _length(stream: Any) -> int:
    try:
        return int(stream.get("/Length", 0))
    except (TypeError, ValueError):
        return 0


def _names(node: Any) -> list[str]:
    import pikepdf

    if node is None:
        return []
    return [_plain(each) for each in node] if isinstance(node, pikepdf.Array) else [_plain(node)]


def _plain(name: Any) -> str:
    try:
        return str(name)
    except ValueError:
        return ""  # no filter's name has bytes that are not text
