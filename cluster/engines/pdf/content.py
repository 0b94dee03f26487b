"""Content streams with shorter numbers: the same drawing, with no digit that can be seen gone."""

import math
import re
from decimal import Decimal

from cluster.engines.pdf.tokens import spans

#: A stream longer than this is left alone: it costs more seconds than it saves bytes.
_LONGEST = 24 << 20
_DECIMALS = 5
_DIGITS = 6

_REAL = re.compile(rb"[+-]?(?:\d+\.\d*|\.\d+)")


def shorten(data: bytes, scale: float = 1.0) -> bytes:
    """`data` with its real numbers cut to what can be seen where a unit is at most `scale` points on the page.

    The operands of cm stay: readers set pictures on whole pixels, so the last digit may move one by a pixel.
    A stream that cannot be read to its end stays as it is.
    """
    if len(data) > _LONGEST:
        return data
    finer = math.ceil(math.log10(scale)) if scale > 1 else 0
    edits: list[tuple[int, int, bytes]] = []
    numbers: list[tuple[int, int]] = []
    last = 0
    for kind, start, end in spans(data):
        if kind == "stray":
            return data
        if start - last > 1:
            edits.append((last, start, _gap(data[last:start])))
        last = end
        if kind == "number":
            if b"." in data[start:end]:
                numbers.append((start, end))
        elif numbers:
            if kind != "operator" or data[start:end] != b"cm":
                edits += [(at, to, _number(data[at:to], finer)) for at, to in numbers]
            numbers = []
    return _edited(data, sorted(edits), last)


def _edited(data: bytes, edits: list[tuple[int, int, bytes]], end: int) -> bytes:
    made: list[bytes] = []
    copied = 0
    for start, to, new in edits:
        made += (data[copied:start], new)
        copied = to
    return b"".join(made) + data[copied:end]


def _gap(between: bytes) -> bytes:
    """White space and comments as one character."""
    return b"\n" if b"\n" in between or b"\r" in between else b" "


def _number(text: bytes, finer: int) -> bytes:
    """Five decimals, or six digits where that is more, and `finer` further ones; no idle zeros or signs."""
    if not _REAL.fullmatch(text):
        return text
    whole, _, decimals = text.lstrip(b"+-").partition(b".")
    keep = _DECIMALS + finer
    if not whole.strip(b"0"):
        keep = max(keep, len(decimals) - len(decimals.lstrip(b"0")) + _DIGITS + finer)
    if len(decimals) > keep:
        rounded = f"{abs(Decimal(text.decode())):.{keep}f}".encode()
        whole, _, decimals = rounded.partition(b".")
    whole, decimals = whole.lstrip(b"0"), decimals.rstrip(b"0")
    if not whole and not decimals:
        return b"0"
    sign = b"-" if text[:1] == b"-" else b""
    return sign + (whole + b"." + decimals if decimals else whole)
