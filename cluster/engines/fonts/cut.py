"""An embedded font program cut to the glyphs that some codes draw, under their old numbers, names and CIDs."""

import io
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pikepdf

from cluster.engines.fonts.programs import FONT_FILES, forget_sets, glyph_names
from cluster.engines.fonts.truetype import slim
from cluster.engines.fonts.type1 import Unreadable, cut_cff, cut_cids, to_cff
from cluster.engines.pdf.burden import unpacked
from cluster.engines.pdf.nodes import get

#: Where readers look for the codes of a symbolic font.
_PAGES = (0, 0xF000, 0xF100, 0xF200)


class Shown(NamedTuple):
    """A font with a descriptor, and what is drawn with it: its codes, or the CIDs of a composite font's descendant."""

    font: Any
    codes: set[int]


class Cut(NamedTuple):
    """A program as it is to be embedded: under `key`, of a kind where that has several."""

    data: bytes
    key: str
    kind: str = ""

    def embed(self, stream: Any, descriptors: Iterable[Any]) -> None:
        """Instead of the program in `stream`, which the descriptors share; whoever else has that sees this too."""
        stream.write(self.data)
        for key in ("/Length1", "/Length2", "/Length3", "/Subtype", "/Metadata"):
            if key in stream:
                del stream[key]
        if self.kind:
            stream["/Subtype"] = pikepdf.Name(self.kind)
        else:
            stream["/Length1"] = len(self.data)
        for each in descriptors:
            for key in FONT_FILES:
                if key in each:
                    del each[key]
            each[self.key] = stream
            forget_sets(each)


def cut(stream: Any, key: str, shown: list[Shown], name: str) -> Cut | None:
    """The program in `stream`, which a descriptor has under `key`, with what is `shown` alone; None if it cannot be."""
    data = unpacked(stream)
    composite = [each for each in shown if str(get(each.font, "/Subtype")).startswith("/CIDFont")]
    if data is None or 0 < len(composite) < len(shown):
        return None
    try:
        if key == "/FontFile2":
            glyphs = {0}.union(*((_numbers if composite else _looked_up)(data, each) for each in shown))
            made = slim(data, lookup=not composite, hints=True, name=name, glyphs=glyphs)
            return Cut(made, key) if made else None
        if composite:
            return Cut(cut_cids(data, {0}.union(*(each.codes for each in shown))), "/FontFile3", "/CIDFontType0C")
        simple = to_cff if key == "/FontFile" else cut_cff
        return Cut(simple(data, _chooser(shown)), "/FontFile3", "/Type1C")
    except (Unreadable, ValueError, TypeError, RuntimeError):
        return None


def _chooser(shown: list[Shown]) -> Callable[[list[str]], set[str]]:
    return lambda built_in: set[str]().union(*(glyph_names(each.codes, [each.font], built_in) for each in shown))


def _numbers(_: bytes, shown: Shown) -> set[int]:
    """Glyphs of CIDs."""
    table = get(shown.font, "/CIDToGIDMap")
    if not isinstance(table, pikepdf.Stream):
        return shown.codes
    held = unpacked(table) or b""
    return {int.from_bytes(held[2 * cid : 2 * cid + 2], "big") for cid in shown.codes}


def _looked_up(data: bytes, shown: Shown) -> set[int]:
    """Glyphs that readers may find for a simple font's codes: by the program's tables, or by name."""
    from fontTools.agl import toUnicode
    from fontTools.ttLib import TTFont

    try:
        font = TTFont(io.BytesIO(data), lazy=True)
        tables = [table.cmap for table in font["cmap"].tables] if "cmap" in font else []
        names = glyph_names(shown.codes, [shown.font], [""] * 256) - {""}
        places = {page + code for page in _PAGES for code in shown.codes}
        places |= {ord(letter) for name in names for letter in toUnicode(name)[:1]}
        found = names | {table[place] for table in tables for place in places & table.keys()}
        return {at for at, name in enumerate(font.getGlyphOrder()) if name in found}
    except Exception as error:  # whatever a hostile font makes of a library that trusts it
        raise ValueError from error
