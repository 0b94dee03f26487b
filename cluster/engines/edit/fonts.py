"""Fonts of a document as its text uses them: codes to letters and widths, letters back to codes. pdfminer knows."""

import io
import logging
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import pikepdf

from cluster.engines.pdf.nodes import get, is_dictionary
from cluster.engines.pdf.streams import decoded

# It says what it does not understand, quoting the document.
logging.getLogger("pdfminer").setLevel(logging.CRITICAL)

_DEEPEST = 12
#: A ToUnicode map of more bytes is no map.
_LONGEST_MAP = 4 << 20
#: Letters that readers put for what they do not know.
_UNKNOWN = "\ufffd\x00"


class Code(NamedTuple):
    """One code of a shown string: its bytes, its letters ("" unknown), and how far it goes on, in ems.

    `shift`: where its glyph stands from the text position, in ems; in vertical writing beside and below it.
    """

    data: bytes
    text: str
    advance: float
    shift: tuple[float, float] = (0.0, 0.0)


class TextFont:
    """A font dictionary; without one, and where it is beyond understanding, codes are bytes of unknown letters."""

    def __init__(self, font: Any) -> None:
        self.object = font
        self.kind = str(get(font, "/Subtype") or "")
        whole = _named(get(font, "/BaseFont"))
        self.name = whole.partition("+")[2] or whole
        self._known: dict[bytes, Code] = {}
        self._drawn: set[bytes] = set()
        self._miner = _mined(font)
        self._scale = _type3_scale(font) if self.kind == "/Type3" else 0.001
        #: How far letters of ordinary fonts are taken to reach below and above the baseline is told in ems of these.
        self.reach = _type3_reach(font, self._scale) if self.kind == "/Type3" else (0.0, 1.0)
        self.vertical = bool(self._miner is not None and self._miner.is_vertical())

    def codes(self, data: bytes) -> Iterator[Code]:
        """The codes of a shown string, in order."""
        for each in self._split(data):
            if each not in self._known:
                self._known[each] = self._read(each)
            self._drawn.add(each)
            yield self._known[each]

    def coded(self, letter: str) -> Code | None:
        """The code that draws a letter for sure; None where that cannot be known."""
        return self._by_letter.get(letter) or self._lately(letter)

    @property
    def readable(self) -> bool:
        """Whether its codes are known for what they draw and mean."""
        meant = get(self.object, "/ToUnicode")
        if self._miner is None or isinstance(get(self.object, "/Encoding"), pikepdf.Stream):
            return False
        return not isinstance(meant, pikepdf.Stream) or bool(self._meant) or not decoded(meant)

    @property
    def editable(self) -> bool:
        """Whether its letters are known and may be written."""
        return self._miner is not None and self.kind != "/Type3"

    def number(self, code: bytes) -> int:
        """The CID of a composite font's code; any other's is the code."""
        if self.kind != "/Type0":
            return code[0]
        return int(next(iter(self._miner.decode(code)), 0)) if self._miner is not None else 0

    def meanings(self, codes: Iterable[bytes]) -> dict[bytes, str]:
        """What its ToUnicode says of codes."""
        return {each: text for each in codes if (text := self._meant.get(int.from_bytes(each, "big")))}

    @property
    def _meant(self) -> dict[int, str]:
        return getattr(getattr(self._miner, "unicode_map", None), "cid2unichr", None) or {}

    def _lately(self, letter: str) -> Code | None:
        return next((self._known[each] for each in self._drawn if self._known[each].text == letter), None)

    @cached_property
    def _by_letter(self) -> dict[str, Code]:
        found: dict[str, Code] = {}
        for each in self._sure():
            code = self._known.get(each) or self._read(each)
            self._known[each] = code
            if len(code.text) == 1 and (code.advance or code.text.isspace()):
                found.setdefault(code.text, code)
        return found

    def _sure(self) -> Iterator[bytes]:
        """Codes whose glyphs are there."""
        if self._miner is None or self.kind == "/Type3":
            return
        if self.kind != "/Type0":
            first, last = 32, 255
            if "/Widths" in self.object:  # what is beyond them has no width
                first = int(_number(get(self.object, "/FirstChar"), 0))
                last = min(255, first + len(self.object["/Widths"]) - 1)
            if not _is_embedded(self.object):
                yield from (bytes([code]) for code in range(max(0, first), last + 1))
            return
        held = self._meant if "/ToUnicode" in self.object else {}
        if get(self.object, "/Encoding") == "/Identity-H":
            yield from (code.to_bytes(2, "big") for code in held if 0 < code <= 0xFFFF)

    def _split(self, data: bytes) -> Iterator[bytes]:
        tree = getattr(getattr(self._miner, "cmap", None), "code2cid", None)
        if self.kind != "/Type0":
            yield from (data[at : at + 1] for at in range(len(data)))
        elif not tree:
            step = 1 if type(getattr(self._miner, "cmap", None)).__name__ == "IdentityCMapByte" else 2
            yield from (data[at : at + step] for at in range(0, len(data), step))
        else:
            yield from _by_tree(tree, data)

    def _read(self, code: bytes) -> Code:
        if self._miner is None:
            return Code(code, "", 0.5 * len(code))
        cid = next(iter(self._miner.decode(code)), 0)
        told = int.from_bytes(code, "big") if self.kind == "/Type0" and "/ToUnicode" in self.object else cid
        text = _letters(self._miner, told)
        width = _number(self._miner.widths.get(cid), None)
        if width is None:
            width = _number(self._miner.widths.get(text), self._miner.default_width)
        advance = width * self._scale
        if not self.vertical:
            return Code(code, text, advance)
        across, down = self._miner.char_disp(cid)
        return Code(code, text, advance, (-(0.5 if across is None else across / 1000), -down / 1000))


class Fonts:
    """The fonts of a document, each read once."""

    def __init__(self) -> None:
        self._known: dict[Any, TextFont] = {}

    def of(self, font: Any) -> TextFont:
        if font is None or not font.is_indirect:
            return TextFont(font)
        if font.objgen not in self._known:
            self._known[font.objgen] = TextFont(font)
        return self._known[font.objgen]


def _by_tree(tree: dict[int, Any], data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        node, end = tree, at
        while isinstance(node, dict) and end < len(data):
            node, end = node.get(data[end], 0), end + 1
        yield data[at:end]
        at = end


def _letters(miner: Any, cid: int) -> str:
    from pdfminer.pdffont import PDFUnicodeNotDefined

    try:
        found = str(miner.to_unichr(cid))
    except (PDFUnicodeNotDefined, KeyError, ValueError, OverflowError, TypeError):
        return ""
    return "" if any(letter in _UNKNOWN for letter in found) else found


def _number(value: Any, without: Any) -> Any:
    try:
        return without if value is None else float(value)
    except (TypeError, ValueError):
        return without


def _type3_scale(font: Any) -> float:
    matrix = get(font, "/FontMatrix")
    try:
        return float(matrix[0]) if matrix is not None else 0.001
    except (TypeError, ValueError, IndexError):
        return 0.001


def _type3_reach(font: Any, scale: float) -> tuple[float, float]:
    """Where the drawn letters of a Type 3 font begin and end above the baseline."""
    box = [_number(each, 0.0) * abs(scale) for each in (get(font, "/FontBBox") or ())]
    return (box[1], box[3]) if len(box) == 4 and box[3] > box[1] else (0.0, 1.0)


def _named(name: Any) -> str:
    """A name without its slash; its bytes may be of any encoding."""
    told = name.unparse()[1:] if isinstance(name, pikepdf.Name) else b""
    return re.sub(rb"#([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), told).decode("latin-1")


def _is_embedded(font: Any) -> bool:
    return any(get(font, "/FontDescriptor", key) is not None for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def _mined(font: Any) -> Any:
    """The font as pdfminer reads it; None where it cannot."""
    from pdfminer import pdffont, pdfinterp

    if not is_dictionary(font):
        return None
    try:
        found: Any = pdfinterp.PDFResourceManager().get_font(None, _spec(font, 0))
        own = get(font, "/Widths")
        if isinstance(found, pdffont.PDFType1Font) and own is not None:
            first = int(font.get("/FirstChar", 0))
            found.widths = {first + at: _number(width, 0.0) for at, width in enumerate(own)}
            found.default_width = _number(get(font, "/FontDescriptor", "/MissingWidth"), 0.0)
        if isinstance(font.get("/Encoding"), pikepdf.Stream):
            found.cmap = _embedded_map(decoded(font["/Encoding"]) or b"")
        return found
    except Exception:  # whatever a hostile font makes of a library that trusts it
        return None


def _embedded_map(data: bytes) -> Any:
    from pdfminer.cmapdb import CMapParser, FileCMap

    class Map(FileCMap):
        def add_cid2unichr(self, cid: int, code: Any) -> None:
            self.add_code2cid(code.decode("latin-1"), cid)

    made = Map()
    CMapParser(made, io.BytesIO(data[:_LONGEST_MAP])).run()
    return made


def _spec(node: Any, depth: int) -> Any:
    """A value of pikepdf as one of pdfminer; deep and circular ones end."""
    from pdfminer.pdftypes import PDFStream
    from pdfminer.psparser import LIT

    if depth > _DEEPEST:
        return None
    if isinstance(node, pikepdf.Stream):
        kept = {key: value for key, value in node.items() if key not in ("/Filter", "/DecodeParms")}
        entries = {key[1:]: _spec(value, depth + 1) for key, value in kept.items()}
        return PDFStream(entries, (decoded(node) or b"")[: _LONGEST_MAP * 8])
    if isinstance(node, pikepdf.Dictionary):
        return {key[1:]: _spec(value, depth + 1) for key, value in node.items() if key != "/Parent"}
    if isinstance(node, pikepdf.Array):
        return [_spec(each, depth + 1) for each in node]
    if isinstance(node, pikepdf.Name):
        return LIT(_named(node))
    if isinstance(node, pikepdf.String):
        return bytes(node)
    return float(node) if not isinstance(node, int | bool | float) and node is not None else node
