"""Letters that no face has, for text that is not seen: glyphs without ink, an em wide, that say what they stand for.

blanks = Blanks(pdf)
name, codes, font = blanks.take("🐢")       # for Tf and Tj, as the pieces of a line are
blanks.embed()                              # once, after the last letter
"""

from typing import TYPE_CHECKING, Any

from cluster.engines.fonts.tounicode import to_unicode

if TYPE_CHECKING:
    import pikepdf

#: Letters of one font: its codes are bytes, and 0 stays free.
_MOST = 255


class Blanks:
    """The fonts of one PDF for letters that no face has; a letter is in one of them."""

    def __init__(self, pdf: "pikepdf.Pdf") -> None:
        self._pdf = pdf
        self._codes: dict[str, tuple[int, int]] = {}
        self._fonts: list[Any] = []

    def take(self, letter: str) -> tuple[str, bytes, Any]:
        """The name and object of its font, and its code there."""
        at, code = self._codes.setdefault(letter, divmod(len(self._codes), _MOST))
        if at == len(self._fonts):
            self._fonts.append(self._reserve())
        return f"/PB{at}", b"<%02X>" % (code + 1), self._fonts[at]

    def embed(self) -> None:
        """Fill the font objects; call once."""
        for at, font in enumerate(self._fonts):
            self._fill(font, [letter for letter, (place, _) in self._codes.items() if place == at])

    def _reserve(self) -> Any:
        from pikepdf import Dictionary, Name

        return self._pdf.make_indirect(Dictionary(Type=Name.Font))

    def _fill(self, font: Any, letters: list[str]) -> None:
        """A Type 3 font, which needs no program; pdfium takes a glyph without a box for none."""
        from pikepdf import Array, Dictionary, Name

        empty = self._pdf.make_stream(b"1000 0 0 -200 1000 800 d1")
        names = [Name(f"/b{code}") for code in range(1, len(letters) + 1)]
        font.Subtype = Name.Type3
        font.FontBBox = Array([0, -200, 1000, 800])
        font.FontMatrix = Array([0.001, 0, 0, 0.001, 0, 0])
        font.Resources = Dictionary()
        font.CharProcs = Dictionary({str(name): empty for name in names})
        font.Encoding = Dictionary(Type=Name.Encoding, Differences=Array([1, *names]))
        font.FirstChar, font.LastChar = 1, len(letters)
        font.Widths = Array([1000] * len(letters))
        codes = {bytes([code]): letter for code, letter in enumerate(letters, 1)}
        font.ToUnicode = self._pdf.make_stream(to_unicode(codes))
