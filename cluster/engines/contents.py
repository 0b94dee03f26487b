"""Content streams with shorter numbers: the same drawing, with no digit that can be seen gone."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pikepdf

#: A stream longer than this is left alone: it costs more seconds than it saves bytes.
_LONGEST = 24 << 20
_DECIMALS = 5
_DIGITS = 6

_TOKEN = re.compile(
    rb"\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.)*+\))*+\))*+\)"
    rb"|%[^\r\n]*+"
    rb"|<[0-9A-Fa-f\s]*+>"
    rb"|/[^\s/<>\[\](){}%]*+"
    rb"|(?<![^\s\]>)])BI\s.*?\sID\s.*?\sEI(?=\s|$)"
    rb"|(?P<number>(?<![^\s\[])[+-]?\d*\.\d+(?=[\s\]/\[(<]|$))"
    rb"|(?P<space>[ \t\r\n\x00\x0c]{2,})",
    re.DOTALL,
)


def shorten(data: bytes) -> bytes:
    """`data` with its real numbers cut to what can be seen."""
    return _TOKEN.sub(_shorter, data) if len(data) <= _LONGEST else data


def content_streams(pdf: "pikepdf.Pdf") -> Iterator[Any]:
    """Every stream that draws: pages, forms, tiling patterns and Type 3 glyphs; each once."""
    import pikepdf

    pages = {part.objgen for page in pdf.pages for part in _parts(page.obj.get("/Contents"))}
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream):
            if each.objgen in pages or each.get("/Subtype") == "/Form" or each.get("/PatternType") == 1:
                yield each
        elif isinstance(each, pikepdf.Dictionary) and each.get("/Subtype") == "/Type3":
            glyphs = each.get("/CharProcs")
            if isinstance(glyphs, pikepdf.Dictionary):
                yield from (glyph for glyph in glyphs.as_dict().values() if isinstance(glyph, pikepdf.Stream))


def _parts(contents: Any) -> list[Any]:
    import pikepdf

    if isinstance(contents, pikepdf.Array):
        return [part for part in contents if isinstance(part, pikepdf.Stream)]
    return [contents] if isinstance(contents, pikepdf.Stream) else []


def _shorter(found: re.Match[bytes]) -> bytes:
    if found.lastgroup == "number":
        return _number(found[0])
    if found.lastgroup == "space":
        return b"\n" if b"\n" in found[0] or b"\r" in found[0] else b" "
    return found[0]


def _number(text: bytes) -> bytes:
    """Five decimals, or six digits where that is more; no idle zeros or signs."""
    whole, _, decimals = text.lstrip(b"+-").partition(b".")
    keep = _DECIMALS
    if not whole.strip(b"0"):
        keep = max(keep, len(decimals) - len(decimals.lstrip(b"0")) + _DIGITS)
    if len(decimals) > keep:
        rounded = f"{abs(float(text)):.{keep}f}".encode()
        whole, _, decimals = rounded.partition(b".")
    whole, decimals = whole.lstrip(b"0"), decimals.rstrip(b"0")
    if not whole and not decimals:
        return b"0"
    sign = b"-" if text[:1] == b"-" else b""
    return sign + (whole + b"." + decimals if decimals else whole)
