"""A font's letters drawn by MuPDF, each in a cell of its own, before and after its program is cut."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

import pikepdf

from cluster.engines.fonts.cut import Cut
from cluster.engines.fonts.programs import FONT_FILES
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.pdf.nodes import get, items

#: Points of a cell and of the letter in it, cells of a side of a sheet.
_CELL, _SIZE, _SIDE = 32, 14, 20
#: What renderers may round otherwise; lighter than this is paper.
_ALIKE, _PALE = 8, 250

Letters = tuple[Any, set[bytes], set[bytes]]
"""A font, codes that stay, codes that went."""


def is_cut(fonts: Sequence[Letters], made: Cut | None) -> bool:
    """Whether with the program `made` (None: as it is) what stays looks as before, and nothing that went does."""
    lists = [(font, [*sorted(stay), *sorted(went)]) for font, stay, went in fonts]
    stays = [each for _, stay, went in fonts for each in [True] * len(stay) + [False] * len(went)]
    before = _cells(lists, None)
    after = before if made is None else _cells(lists, made)
    known = {one.tobytes() for one, stay in zip(before, stays, strict=True) if stay}
    for one, other, stay in zip(before, after, stays, strict=True):
        if stay and not _alike(one, other):
            return False
        if not stay and other.min() < _PALE and one.tobytes() not in known and _alike(one, other):
            return False
    return True


def _alike(one: Any, other: Any) -> bool:
    return int(abs(one.astype(int) - other).max()) <= _ALIKE


def _cells(fonts: Sequence[tuple[Any, list[bytes]]], made: Cut | None) -> list[Any]:
    """The letters' pictures, in their order."""
    pymupdf = import_pymupdf()
    with pikepdf.new() as pdf:
        copies = [pdf.copy_foreign(font) for font, _ in fonts]
        if made is not None:
            _embed(made, copies)
        for font, (_, codes) in zip(copies, fonts, strict=True):
            for at in range(0, len(codes), _SIDE * _SIDE):
                _sheet(pdf, font, codes[at : at + _SIDE * _SIDE])
        pdf.save(held := io.BytesIO())
    counts = [min(_SIDE * _SIDE, len(codes) - at) for _, codes in fonts for at in range(0, len(codes), _SIDE * _SIDE)]
    with pymupdf.open(stream=held.getvalue(), filetype="pdf") as document:
        return [cell for page, count in zip(document, counts, strict=True) for cell in _pictures(page, count)]


def _embed(made: Cut, fonts: Iterable[Any]) -> None:
    descriptors = [get((items(get(font, "/DescendantFonts")) or [font])[0], "/FontDescriptor") for font in fonts]
    for each in descriptors:
        stream = next((each[key] for key in FONT_FILES if isinstance(each.get(key), pikepdf.Stream)), None)
        if stream is not None:
            made.embed(stream, [each])


def _sheet(pdf: "pikepdf.Pdf", font: Any, codes: Sequence[bytes]) -> None:
    drawn = list[bytes]()
    for at, code in enumerate(codes):
        x, y = at % _SIDE * _CELL, at // _SIDE * _CELL
        place = b"%d 0 0 %d %d %d Tm <%b> Tj" % (_SIZE, _SIZE, x + _CELL // 3, y + _CELL // 3, code.hex().encode())
        drawn.append(b"q %d %d %d %d re W n BT /F 1 Tf %b ET Q" % (x, y, _CELL, _CELL, place))
    pdf.add_blank_page(page_size=(_SIDE * _CELL, _SIDE * _CELL))
    page = pdf.pages[-1].obj
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
    page.Contents = pdf.make_stream(b"\n".join(drawn))


def _pictures(page: Any, count: int) -> list[Any]:
    """The cells of a sheet, the lowest row first."""
    import numpy

    drawn = page.get_pixmap(colorspace=import_pymupdf().csGRAY)
    pixels = numpy.frombuffer(drawn.samples, numpy.uint8).reshape(drawn.height, drawn.stride)
    rows = [(_SIDE - 1 - at // _SIDE, at % _SIDE) for at in range(count)]
    return [pixels[y * _CELL : (y + 1) * _CELL, x * _CELL : (x + 1) * _CELL] for y, x in rows]
