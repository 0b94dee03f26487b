"""The fonts that a page's letters are drawn with, for those who draw them again: their programs and glyphs."""

import unicodedata
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.engines.layout.model import Lettering

if TYPE_CHECKING:
    import pymupdf

#: How texttrace calls letters that nobody sees, and the glyph of what another glyph draws, too.
_UNSEEN, _WITHIN = 3, -1
#: Scripts whose letters change their shapes among others: Indic ones to Tibetan, Burmese, Khmer.
_SHAPED = ((0x0900, 0x109F), (0x1780, 0x17FF))


def letterings(page: "pymupdf.Page", folder: Path) -> dict[str, Lettering]:
    """By the bare name of a font, where only one embedded font of the page has that; programs go into `folder`."""
    held = _programs(page)
    drawn = _glyphs(page)
    return {
        name: Lettering(_kept(page, held[name], folder), {letter: _usual(count) for letter, count in letters.items()})
        for name, letters in drawn.items()
        if name in held and letters
    }


def _programs(page: "pymupdf.Page") -> dict[str, int]:
    """The objects of embedded fonts; not of those whose bare names mean several."""
    found: dict[str, set[int]] = defaultdict(set)
    for xref, kind, _, name, *_ in page.get_fonts(full=True):
        found[name.split("+")[-1]].add(xref if kind != "n/a" else 0)
    return {name: xrefs.pop() for name, xrefs in found.items() if len(xrefs) == 1 and 0 not in xrefs}


def _glyphs(page: "pymupdf.Page") -> dict[str, dict[str, Counter[int]]]:
    """How often each letter of a font is drawn by which glyph."""
    found: dict[str, dict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
    for span in page.get_texttrace():
        letters = span["chars"] if span["type"] != _UNSEEN else ()
        after = [each[1] for each in letters[1:]] + [0]
        for (code, glyph, *_), following in zip(letters, after, strict=False):
            # A ligature is no letter's own shape.
            if glyph > 0 and following != _WITHIN and _alone(letter := "-" if code == 0xAD else chr(code)):
                found[span["font"].split("+")[-1]][letter][glyph] += 1
    return found


def _alone(letter: str) -> bool:
    """Whether it looks the same among whatever letters, and is one that is seen."""
    if any(low <= ord(letter) <= high for low, high in _SHAPED) or unicodedata.bidirectional(letter) in ("R", "AL"):
        return False
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Cn", "Mn", "Me", "Zl", "Zp")


def _usual(count: Counter[int]) -> int:
    return count.most_common(1)[0][0]


def _kept(page: "pymupdf.Page", xref: int, folder: Path) -> Path:
    """The font's program in a file."""
    path = folder / f"font-{xref}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.parent.extract_font(xref)[3] or b"")
    return path
