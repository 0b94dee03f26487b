"""TrueType programs without what only other programs than PDF readers need: layout tables, names, hinting."""

import io

#: What a PDF reader draws with; the rest is for typesetting.
_DRAWN = {"glyf", "head", "hhea", "hmtx", "loca", "maxp"}
_HINTS = {"cvt ", "fpgm", "prep"}
#: Simple fonts find glyphs through these.
_LOOKUP = {"cmap", "post"}
#: Their outlines are put together by their hinting programs (FreeType's list of such fonts).
_TRICKY = (
    "cpop",
    "dfgothic",
    "dfgirl",
    "dfhei",
    "dfhsgothic",
    "dfhsmincho",
    "dfkai",
    "dfkaisho",
    "dfkyo",
    "dfming",
    "dflihei",
    "dlc",
    "dlccmap",
    "huatiankaiti",
    "huatiansongti",
    "hwpgothic",
    "mingli",
    "minglu",
    "pmingli",
    "neckarcsf",
    "jenson",
    "newsong",
)


def slim(program: bytes, *, lookup: bool, hints: bool, name: str) -> bytes | None:
    """The program with only its drawn tables; None when it cannot be read.

    lookup: keep cmap and post. hints: keep the hinting, which some renderers use at low resolutions.
    """
    import logging

    from fontTools.ttLib import TTFont, TTLibError

    logging.getLogger("fontTools").setLevel(logging.CRITICAL)  # odd dates are no one's concern here

    hinted = hints or any(each in name.lower().replace("-", "").replace(" ", "") for each in _TRICKY)
    wanted = _DRAWN | (_LOOKUP if lookup else set()) | (_HINTS if hinted else set())
    try:
        font = TTFont(io.BytesIO(program), lazy=True, recalcBBoxes=False, recalcTimestamp=False)
        if not set(font.keys()) >= _DRAWN:
            return None
        for tag in set(font.keys()) - wanted - {"GlyphOrder"}:
            del font[tag]
        if not hinted:
            _unhint(font)
        held = io.BytesIO()
        font.save(held, reorderTables=None)
        return held.getvalue()
    except (TTLibError, ValueError, KeyError, IndexError, AssertionError, TypeError, AttributeError, OverflowError):
        return None


def _unhint(font: object) -> None:
    glyphs = font["glyf"].glyphs  # type: ignore[index]
    for glyph in glyphs.values():
        glyph.trim(remove_hinting=True)
    limits = font["maxp"]  # type: ignore[index]
    for field in ("maxFunctionDefs", "maxInstructionDefs", "maxStackElements", "maxSizeOfInstructions", "maxStorage"):
        if hasattr(limits, field):
            setattr(limits, field, 0)
