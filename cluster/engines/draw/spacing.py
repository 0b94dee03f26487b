"""Letters where their fonts' widths put them: of a width pdfium takes the whole thousandths of an em, and TeX's fonts
have more, which over a line of eighty letters is nearly a pixel at 150 dpi.

What some letters lack is written behind them, as a number of a TJ. Boxes and thin lines are told anew by the way
(`boxes`, `hairlines`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cluster.engines.draw.boxes import Boxes
from cluster.engines.draw.hairlines import Hairlines, scale_of
from cluster.engines.pdf.libraries import import_pikepdf
from cluster.engines.pdf.nodes import entries, get, inherited, items
from cluster.engines.pdf.tokens import Operation, operations

if TYPE_CHECKING:
    import pikepdf

#: Thousandths of an em after which letters are set anew: a hundredth of a small letter.
_SEEN = 2.0
_DEEPEST = 20
#: Longer content is drawn as it is: it takes more seconds to tell anew than to draw.
_LONGEST = 4 << 20
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_SHOWING = {b"TJ": b"", b"Tj": b"", b"'": b"T* "}


def space_out(pdf: "pikepdf.Pdf", hairs: Sequence[float]) -> int:
    """Tell the content anew so that pdfium sets letters and boxes where they are written; how often it did not.

    hairs: points that a line is wide at least, on each page.
    """
    spacer = _Spacer(pdf)
    for page, hair in zip(pdf.pages, hairs, strict=False):
        spacer.page(page, hair)
    return spacer.changed


@dataclass(frozen=True)
class _Font:
    """What pdfium leaves of the widths of a font's codes, in thousandths of an em; a code has so many bytes."""

    size: int
    lacks: Mapping[int, float]

    def spaced(self, text: bytes) -> bytes:
        """The string as items of a TJ."""
        parts, begun, lack = list[bytes](), 0, 0.0
        for at in range(0, len(text), self.size):
            lack += self.lacks.get(int.from_bytes(text[at : at + self.size]), 0.0)
            if lack >= _SEEN or at + self.size >= len(text):
                parts.append(b"<%b>%.3f " % (text[begun : at + self.size].hex().encode(), -lack))
                begun, lack = at + self.size, 0.0
        return b"".join(parts)


_Fonts = Mapping[bytes, _Font | None]


@dataclass(frozen=True)
class _Around:
    """What forms find where they are drawn: fonts by name, points of a unit by their own name, a line's least width."""

    fonts: _Fonts
    scales: Mapping[bytes, float]
    hair: float


@dataclass
class _Spacer:
    pdf: "pikepdf.Pdf"
    changed: int = 0
    fonts: dict[tuple[int, int], _Font | None] = field(default_factory=dict)
    forms: set[tuple[int, int]] = field(default_factory=set)

    def page(self, page: "pikepdf.Page", hair: float) -> None:
        resources, content = inherited(page, "/Resources"), get(page.obj, "/Contents")
        lines = Hairlines(hair, 1.0)
        with suppress(import_pikepdf().PdfError, AttributeError):  # what nobody decodes stays as it is
            data = b"\n".join(part.read_bytes() for part in items(content) or [content])
            if new := self._spaced(data, self._named(resources, {}), lines):
                page.Contents = self.pdf.make_stream(new)
        self._inside(resources, _Around({}, lines.scales, hair), 0)

    def _inside(self, resources: Any, around: _Around, depth: int) -> None:
        """The forms of `resources`, and theirs; those without resources of their own use what is around them."""
        given = self._named(resources, around.fonts)
        for name, form in entries(get(resources, "/XObject")):
            if not _is_form(form) or form.objgen in self.forms or depth > _DEEPEST:
                continue
            self.forms.add(form.objgen)
            own = form.get("/Resources")
            lines = Hairlines(around.hair, around.scales.get(name, 1.0) * scale_of(items(form.get("/Matrix"))))
            with suppress(import_pikepdf().PdfError):
                if new := self._spaced(form.read_bytes(), self._named(own, given), lines):
                    form.write(new)
            self._inside(own, _Around(given, lines.scales, around.hair), depth + 1)

    def _named(self, resources: Any, given: _Fonts) -> _Fonts:
        if resources is None:
            return given
        return {name: self._font(font) for name, font in entries(get(resources, "/Font"))}

    def _font(self, font: Any) -> _Font | None:
        key = font.objgen if isinstance(font, import_pikepdf().Object) else (0, 0)
        if key not in self.fonts or key == (0, 0):
            self.fonts[key] = _font_of(font)
        return self.fonts[key]

    def _spaced(self, data: bytes, fonts: _Fonts, lines: Hairlines) -> bytes | None:
        """The content with what its strings, boxes and lines lack; None where nothing is to change."""
        if len(data) > _LONGEST:
            return None
        edits = list(_edits(data, fonts, lines))
        self.changed += len(edits)
        parts, copied = list[bytes](), 0
        for start, end, new in edits:
            parts += (data[copied:start], new)
            copied = end
        return b"".join(parts) + data[copied:] if edits else None


def _edits(data: bytes, fonts: _Fonts, lines: Hairlines) -> Iterator[tuple[int, int, bytes]]:
    """Pieces of the content, in order, each with what stands there instead."""
    font: _Font | None = None
    held: list[_Font | None] = []
    boxes = Boxes(data)
    for each in operations(data):
        yield from boxes.follow(each)
        yield from lines.follow(data, each)
        match each.operator:
            case b"q":
                held.append(font)
            case b"Q":
                font = held.pop() if held else None
            case b"Tf" if each.operands:
                font = fonts.get(_plain(data[each.operands[0].start : each.operands[0].end]))
            case shown if font and each.operands and shown in _SHOWING:
                yield each.start, each.end, _shown(data, each, font)


def _shown(data: bytes, shown: Operation, font: _Font) -> bytes:
    text, copied = b"", shown.start
    for token in shown.operands:
        if token.kind in ("string", "hex"):
            text += data[copied : token.start] + font.spaced(_string(data[token.start : token.end]))
            copied = token.end
    text += data[copied : shown.operands[-1].end]
    return b"%b TJ" % text if shown.operator == b"TJ" else b"%b[%b] TJ" % (_SHOWING[shown.operator], text)


def _plain(name: bytes) -> bytes:
    return _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), name)


def _string(token: bytes) -> bytes:
    if token[:1] == b"(" and b"\\" not in token and b"\r" not in token:
        return token[1:-1]
    return bytes(import_pikepdf().Object.parse(token))


def _font_of(font: Any) -> _Font | None:
    """None where its widths are whole, or are none."""
    try:
        size, widths = _widths_of(font)
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
    lacks = {code: width - int(width) for code, width in widths.items() if width > 0 and width != int(width)}
    return _Font(size, lacks) if lacks else None


def _widths_of(font: Any) -> tuple[int, dict[int, float]]:
    """Bytes of a code and widths by code; those of Type 3, whose units are its own, and of codes by a CMap are left."""
    match str(get(font, "/Subtype")):
        case "/Type1" | "/MMType1" | "/TrueType":
            first = int(get(font, "/FirstChar") or 0)
            return 1, dict(enumerate(map(float, items(get(font, "/Widths"))), first))
        case "/Type0" if get(font, "/Encoding") == "/Identity-H":
            return 2, dict(
                _of_runs([each for cid in items(get(font, "/DescendantFonts")) for each in items(get(cid, "/W"))])
            )
    return 1, {}


def _of_runs(runs: list[Any]) -> Iterator[tuple[int, float]]:
    """From `first [width …]` and `first last width`, one behind another."""
    at = 0
    while at + 1 < len(runs):
        if isinstance(runs[at + 1], import_pikepdf().Array):
            yield from enumerate(map(float, runs[at + 1]), int(runs[at]))
            at += 2
        else:
            codes = range(int(runs[at]), min(int(runs[at + 1]), 0xFFFF) + 1)
            yield from ((code, float(runs[at + 2])) for code in codes)
            at += 3


def _is_form(of: Any) -> bool:
    return isinstance(of, import_pikepdf().Stream) and of.get("/Subtype") == "/Form"
