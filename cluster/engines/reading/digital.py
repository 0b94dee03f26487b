"""A page's own text, pictures and drawn rules, by PyMuPDF, as they are seen."""

import math
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.grids import THIN
from cluster.engines.layout.model import Box, Seen, Sheet, Span, Style, TextLine
from cluster.engines.layout.rows import around
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.pdf.revive import revive
from cluster.engines.pdf.spoken import as_drawn
from cluster.engines.reading.cells import cut, fitted, is_listing, upright
from cluster.engines.reading.clipped import visible, within
from cluster.engines.reading.drawings import drawings_on, is_box, with_pictures
from cluster.engines.reading.gaps import has_untold, spaced
from cluster.engines.reading.leaders import has_nameless, named
from cluster.engines.reading.links import Links
from cluster.engines.reading.overprint import flattened, is_doubled, once, thicken
from cluster.engines.reading.placed import drawn_again, is_heavy, placed
from cluster.engines.reading.rules import in_one, marked
from cluster.engines.reading.surfaces import straightened, surfaces, under_light

if TYPE_CHECKING:
    import pymupdf

#: A page of more drawings than this is a map or a plan: its rules make no table.
_MOST_DRAWINGS = 20_000
#: Words of font names, and what some makers shorten them to.
_BOLD = re.compile("bold|black|heavy|demi|(?-i:(?<![A-Z])(?:Bd|Hv|Blk)(?![a-z]))", re.I)
_ITALIC = re.compile("italic|oblique|(?-i:(?<![A-Z])(?:It|Obl)(?![a-z]))", re.I)
_ODD_BLANKS = re.compile("[\n\r\u2000-\u200a\u202f\u205f]")
_UNSEEN = re.compile("[\u200b\u2060\ufeff\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
#: Bits of a span's flags and of its letters' flags.
_RAISED, _FLAG_ITALIC, _FLAG_SERIF, _FLAG_MONO, _FLAG_BOLD = 1, 2, 4, 8, 16
_STRIKE, _UNDERLINE = 1, 2
#: Letters that are filled and drawn round: bolder ones of a font that has none.
_STROKED = 16 | 32
_WHITE = 0xFFFFFF
#: Raised letters stand so much over the base line and are smaller than so much, in sizes of the line's.
_OVER, _SMALL = 0.15, 0.8
#: A blank is so wide at least, in sizes of its letters.
_NARROW = 0.25
#: Pixels an inch of what lies behind the text.
_GROUND_DPI = 150
#: A page's picture is this wide or high at most.
_MOST_PIXELS = 4000
#: Drawings taken out of a page's ground: PyMuPDF looks through all marks for each. The rest is drawn twice, in place.
_MOST_STRUCK = 500
#: What leaves marks of its own on a page besides text, as MuPDF's log names it.
_PAINTS = ("fill-path", "stroke-path", "fill-image", "fill-shade")


def sheet_of(
    page: "pymupdf.Page",
    folder: Path,
    *,
    pictures: bool = True,
    drawings: bool = False,
    areas: Sequence[Box] = (),
    places: bool = False,
) -> Sheet:
    """The page as it is seen: upright, from its visible box. Pictures, and `drawings` as such, are written to `folder`.

    Lines are parted at the sides of `areas`, which are told on the page as it is shown; `places`: of letters, too.
    """
    pymupdf = import_pymupdf()
    revive(page)
    if page.rotation:
        _stand(page)
    flags = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_COLLECT_STYLES | as_drawn(page)
    heavy = pictures and is_heavy(page)
    if heavy or not pictures:
        flags &= ~pymupdf.TEXT_PRESERVE_IMAGES
    blocks = page.get_text("dict", flags=flags)["blocks"]
    seen = None
    if turn := _lies(blocks):
        page.set_rotation(turn)
        _stand(page)
        seen = Seen(page.rect.width, page.rect.height, turn)
        blocks = page.get_text("dict", flags=flags)["blocks"]
    links = Links(page)
    paths = _paths(page)
    thick, rules, fills = _drawn(paths, (0.0, 0.0, page.rect.width, page.rect.height))
    raws = [fitted(line) for block in blocks for line in block.get("lines", ())]
    listed = is_listing(raws)
    exact = places or listed or has_nameless(raws) or has_untold(raws)
    if (stands := [*upright(rules), *_sides(areas, seen)]) or exact or is_doubled(raws):
        text = page.get_text("rawdict", flags=flags & ~pymupdf.TEXT_PRESERVE_IMAGES)["blocks"]
        lettered = [fitted(line) for block in text for line in block.get("lines", ())]
        whole = once(lettered) if is_doubled(lettered) else lettered
        if stands or exact or len(whole) < len(lettered):
            raws = list(cut([spaced(line) for line in whole], stands, listed=listed))
    thicken(raws, page)
    lines = marked([line for raw in raws if (line := _line(raw, links))], rules, thick, fills)
    fills = (*fills, *under_light(page, lines, fills))
    found = list((drawn_again(page, folder) if heavy else placed(page, blocks, folder)) if pictures else ())
    if drawings:
        found = flattened(found, page, lines)
    size = page.rect.width, page.rect.height
    sheet = Sheet(page.number, *size, tuple(lines), tuple(found), rules, fills, thick_rules=thick, seen=seen)
    drawn = drawings_on(sheet, paths)
    return with_pictures(sheet, page, drawn, folder) if drawings else replace(sheet, drawn=drawn)


def _stand(page: "pymupdf.Page") -> None:
    """Turn what is on the page, not the page. PyMuPDF forgets the visible box thereby: it becomes the whole sheet."""
    sheet, shown = page.mediabox, page.cropbox
    if shown != sheet:
        page.set_mediabox(import_pymupdf().Rect(shown.x0, sheet.y1 - shown.y1, shown.x1, sheet.y1 - shown.y0))
    page.remove_rotation()


def _sides(areas: Sequence[Box], seen: Seen | None) -> Iterator[Box]:
    """The upright sides of the areas, as thin boxes on the sheet."""
    for left, top, right, bottom in areas:
        corners = [seen.laid(x, y) if seen else (x, y) for x, y in ((left, top), (right, bottom))]
        (x0, x1), (y0, y1) = (sorted(values) for values in zip(*corners, strict=True))
        yield from ((x0, y0, x0, y1), (x1, y0, x1, y1))


def _lies(blocks: list[dict[str, Any]]) -> int:
    """The turn that makes a page upright whose text mostly runs upwards, downwards or backwards; 0 for others."""
    turns = {(0.0, -1.0): 90, (-1.0, 0.0): 180, (0.0, 1.0): 270}
    count = dict.fromkeys((0, *turns.values()), 0)
    for line in (line for block in blocks for line in block.get("lines", ())):
        way = tuple(round(each, 1) for each in line["dir"])
        count[turns.get(way, 0)] += sum(len(span["text"]) for span in line["spans"])
    return max(count, key=lambda turn: count[turn])


def _line(raw: dict[str, Any], links: Links) -> TextLine | None:
    spans = [named(span) for span in raw["spans"] if span["text"]]
    while spans and not spans[-1]["text"].strip():
        spans.pop()
    while spans and not spans[0]["text"].strip():
        spans.pop(0)
    if not spans:
        return None
    big = max(spans, key=lambda span: len(span["text"].strip()))
    across, down = raw["dir"]
    upright = (across, down) == (1, 0)
    made = tuple(span for each in spans if (span := _span(each, big, links, upright)).text)
    if not made:
        return None
    turn = round(math.degrees(math.atan2(down, across))) % 360
    box = around(each["bbox"] for each in spans)
    return TextLine(_bare(box, made[-1]) if upright else box, big["origin"][1], made, turn=turn)


def _bare(box: Box, last: Span) -> Box:
    """The box of a line without the blanks behind its last letter, where the places of its letters are not known."""
    left, top, right, bottom = box
    blanks = 0 if last.places else len(last.text) - len(last.text.rstrip())
    return left, top, max(left, right - _NARROW * blanks * last.style.size), bottom


def _span(raw: dict[str, Any], big: dict[str, Any], links: Links, upright: bool) -> Span:
    # Glyphs that are drawings have no name; MuPDF calls each such font by its number.
    named = "" if raw["font"].startswith("Type3 (") else raw["font"]
    name, flags, letters = named.split("+")[-1], raw["flags"], raw.get("char_flags", 0)
    usual = big["size"]
    # MuPDF compares with the letters before: what a line begins with is never raised to it.
    over = upright and big["origin"][1] - raw["origin"][1] > _OVER * usual and raw["size"] < _SMALL * usual
    raised = (over or (bool(flags & _RAISED) and raw["size"] < 0.95 * usual)) and bool(raw["text"].strip())
    style = Style(
        font=name,
        size=round((usual if raised else raw["size"]) * 2) / 2 or 0.5,
        bold=bool(flags & _FLAG_BOLD or letters & _STROKED == _STROKED or _BOLD.search(name)),
        italic=bool(flags & _FLAG_ITALIC or _ITALIC.search(name)),
        colour=raw["color"],
        raised=raised,
        underline=bool(letters & _UNDERLINE),
        strike=bool(letters & _STRIKE),
        link=links.under(raw["bbox"]),
        kind="mono" if flags & _FLAG_MONO else "serif" if flags & _FLAG_SERIF else "",
    )
    text = _UNSEEN.sub("", _ODD_BLANKS.sub(" ", raw["text"].replace("\xad", "-")))
    return Span(text, style, places=_places(raw, text) if upright else ())


def _places(raw: dict[str, Any], text: str) -> Sequence[float]:
    """Where the letters begin, and the last one ends; none where that was not asked or they were not read so."""
    found = raw.get("places", ())
    if len(found) != len(raw["text"]) + 1:
        return ()
    kept = array("f", (place for place, letter in zip(found, raw["text"], strict=False) if not _UNSEEN.match(letter)))
    kept.append(found[-1])
    return kept if len(kept) == len(text) + 1 else ()


def _paths(page: "pymupdf.Page") -> Sequence[dict[str, Any]]:
    """What is drawn on the page and seen, path by path; nothing of maps and plans."""
    paths = list(visible(map(_whole, page.get_cdrawings(extended=True))))
    return paths if len(paths) <= _MOST_DRAWINGS else ()


def _whole(path: dict[str, Any]) -> dict[str, Any]:
    """The path with its rectangle as one, which MuPDF tells as four lines where the page was turned."""
    if path["type"] in ("clip", "group"):
        return path
    turned = len(path["items"]) > 1 and not path.get("closePath") and "s" not in path["type"]
    return path | {"items": [("re", path["rect"], 1)]} if turned and is_box(path) else path


def _drawn(
    paths: Sequence[dict[str, Any]], sheet: Box
) -> tuple[tuple[tuple[Box, int], ...], tuple[Box, ...], tuple[tuple[Box, int], ...]]:
    """Rules as they are drawn, thick and coloured, rules as thin boxes, and coloured surfaces: what is on the sheet."""
    rules: list[Box] = []
    strokes: list[Box] = []
    thick: list[tuple[Box, int]] = []
    fills: list[tuple[Box, int]] = []
    for drawing in paths:
        stroked, colour = "s" in drawing["type"], _colour(drawing.get("fill"))
        ink = _colour(drawing.get("color")) if stroked else colour
        if not stroked and colour == _WHITE and not _thin(drawing["rect"]):
            continue  # a white surface has no edges that are seen
        for item in drawing["items"]:
            own = _rules(item, stroked)
            (strokes if stroked else rules).extend(own)
            thick += ((_thickened(rule, drawing["width"] if stroked else 0.0), ink or 0) for rule in own)
        if colour not in (None, _WHITE):
            fills += surfaces(drawing, colour or 0)
    # Where the pieces of a stroke meet tells columns, so they stay. Seams between surfaces would be rules in one.
    on_sheet = (within(rule, (sheet,)) for rule in (*rules, *strokes, *in_one(strokes)))
    return _seen(thick, sheet), tuple(dict.fromkeys(rule for rule in on_sheet if rule)), _seen(fills, sheet)


def _seen(inked: Sequence[tuple[Box, int]], sheet: Box) -> tuple[tuple[Box, int], ...]:
    return tuple((seen, ink) for box, ink in inked if (seen := within(box, (sheet,))))


def _thickened(rule: Box, width: float) -> Box:
    """The rule as thick as the stroke is that draws it."""
    (left, top, right, bottom), half = rule, width / 2
    lies = right - left > bottom - top
    return (left, top - half, right, bottom + half) if lies else (left - half, top, right + half, bottom)


def _thin(box: Box) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) < THIN


def _rules(item: tuple[Any, ...], stroked: bool) -> list[Box]:
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        return [(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))]
    if item[0] != "re":
        return []
    x0, y0, x1, y1 = straightened(item[1])
    if x1 - x0 < THIN or y1 - y0 < THIN:
        return [(x0, y0, x1, y1)]
    return [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)] if stroked else []


def _colour(raw: tuple[float, ...] | None) -> int | None:
    if not raw or len(raw) != 3:
        return None
    red, green, blue = (round(255 * max(0.0, min(1.0, each))) for each in raw)
    return red << 16 | green << 8 | blue


def lined(lines: Sequence[TextLine]) -> Iterator[Box]:
    """Where rules are drawn under words or through them, which their style says, too."""
    for line in lines:
        (left, _, right, _), size = line.box, line.size
        if any(span.style.underline for span in line.spans):
            yield left - 2, line.base - 0.05 * size, right + 2, line.base + 0.35 * size
        if any(span.style.strike for span in line.spans):
            yield left - 2, line.base - 0.5 * size, right + 2, line.base - 0.1 * size


def ground_of(page: "pymupdf.Page", path: Path, taken: tuple[Sequence[Box], Sequence[Box]] = ((), ())) -> Path | None:
    """A picture of all that is on the page besides its text; None where there is nothing.

    Pictures and drawings that were `taken` from the page, by their boxes, are left out, too. The page loses all that.
    """
    pymupdf = import_pymupdf()
    pictures, drawings = taken
    # A picture goes as a whole when its middle is struck.
    middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in pictures]
    _strike(page, [(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in middles], images=pymupdf.PDF_REDACT_IMAGE_REMOVE)
    _strike(page, drawings[:_MOST_STRUCK], graphics=pymupdf.PDF_REDACT_LINE_ART_REMOVE_IF_COVERED)
    _strike(page, [tuple(page.rect)], text=pymupdf.PDF_REDACT_TEXT_REMOVE)
    if any(kind.startswith(_PAINTS) for kind, _ in page.get_bboxlog()):
        return picture_of(page, path, _GROUND_DPI)
    return None


def _strike(page: "pymupdf.Page", boxes: Sequence[tuple[float, ...]], **what: int) -> None:
    """Take what is named (images, graphics, text) out of the boxes."""
    pymupdf = import_pymupdf()
    usual = {
        "images": pymupdf.PDF_REDACT_IMAGE_NONE,
        "graphics": pymupdf.PDF_REDACT_LINE_ART_NONE,
        "text": pymupdf.PDF_REDACT_TEXT_NONE,
    }
    for box in boxes:
        page.add_redact_annot(box, fill=False)
    if boxes:
        page.apply_redactions(**usual | what)


def picture_of(page: "pymupdf.Page", path: Path, dpi: int) -> Path:
    """A picture of the page as it is: JPEG where photographs are on it, else PNG."""
    pymupdf = import_pymupdf()
    path.parent.mkdir(parents=True, exist_ok=True)
    scale = min(dpi / 72, _MOST_PIXELS / max(page.rect.width, page.rect.height))
    pixels = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
    photographs = any(kind == "fill-image" for kind, _ in page.get_bboxlog())
    made = path.with_suffix(".jpg" if photographs else ".png")
    if photographs:
        made.write_bytes(pixels.tobytes("jpeg", jpg_quality=88))
    else:
        # A picture of greys needs one byte a pixel: half the file.
        kept = pixels if _coloured(pixels) else pymupdf.Pixmap(pymupdf.csGRAY, pixels)
        made.write_bytes(kept.tobytes("png"))
    return made


def _coloured(pixels: "pymupdf.Pixmap") -> bool:
    from PIL import Image, ImageChops

    red, green, blue = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).split()
    return any(ImageChops.difference(red, other).getbbox() for other in (green, blue))
