"""Headers and footers of a Word file, those of each run of pages; page numbers as fields."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_xml import field, floating_picture, paragraph_properties
from cluster.engines.export.word_xml import run as run_xml
from cluster.engines.layout.grids import THIN
from cluster.engines.layout.grounds import ground
from cluster.engines.layout.model import Document, Inked, Picture, Running, Span, TextLine
from cluster.engines.layout.prose import paragraphs
from cluster.engines.layout.rows import level

_DIGITS = re.compile(r"(\d+)")
_ROMAN = re.compile(r"\s*([ivxlc]+|[IVXLC]+)\s*")
_HEIGHT = 1.17
#: What begins right of this share of the width is set from the right.
_RIGHT = 0.75
#: What ends this near (points) to the right edge stands at it, and its stop lies so far inside.
_AT_EDGE, _INSIDE = 3.0, 0.5
#: A rule at them is so wide at least (a share of the text's width), and in sizes of letters so near their line.
_RULED, _INTO, _APART = 0.5, 0.3, 1.0
#: A paragraph that only holds pictures, in points.
_LOWEST = 1.0


@dataclass(frozen=True)
class Margins:
    """What a section says of them: references, their distances from the page's edges in points, how pages count."""

    references: str = ""
    header: float = 18.0
    footer: float = 18.0
    first_apart: bool = False
    number: int | None = None
    roman: str = ""


def write_margins(file: WordFile, document: Document) -> list[Margins]:
    """Write those of each run of pages; its sections refer to them."""
    facing = any(run.left for run in document.running)
    if facing:
        file.document.settings.odd_and_even_pages_header_footer = True
    # A section without any shows those of the one before.
    all_kinds = len(document.running) > 1 or facing
    return [_written(file, run, document, facing, all_kinds) for run in document.running]


def _written(file: WordFile, run: Running, document: Document, facing: bool, all_kinds: bool) -> Margins:
    kinds = {"default": run.usual}
    kinds |= {"even": run.left or run.usual} if facing else {}
    kinds |= {"first": run.first} if run.first else {}
    references = "".join(
        _part(file, tag, kind, lines, document, run)
        for kind, margin in kinds.items()
        for tag, lines in zip(("header", "footer"), margin, strict=True)
        if lines or all_kinds or run.pictures
    )
    height = document.sizes[0][1] if document.sizes else 842.0
    head, foot = ([line for margin in kinds.values() for line in margin[at]] for at in (0, 1))
    above = max(0.0, min(line.box[1] for line in head)) if head else 18.0
    below = max(6.0, height - max(line.box[3] for line in foot)) if foot else 18.0
    return Margins(references, above, min(below, 100.0), run.first is not None, run.number, run.roman)


def _part(file: WordFile, tag: str, kind: str, lines: Sequence[TextLine], document: Document, run: Running) -> str:
    """A part with the lines, and the reference to it."""
    part, relation = getattr(file.document.part, f"add_{tag}_part")()
    left, _, right, _ = document.margins
    for old in list(part.element):
        part.element.remove(old)
    rows, end = level(lines), document.sizes[0][0] - right
    for line in rows:
        border = _border(line, tag, run, end - left) if line is rows[-1 if tag == "header" else 0] else ""
        part.element.append(file.element(_line(line, (left, end), len(document.sizes), run, border)))
    shown = tag == "header" and not (kind == "first" and run.bare)
    pictures = "".join(_picture(file, each, part) for each in run.pictures if shown)
    if pictures or not lines:
        part.element.append(file.element(f"<w:p>{paragraph_properties(pitch=_LOWEST)}{pictures}</w:p>"))
    return f'<w:{tag}Reference w:type="{kind}" r:id="{relation}"/>'


def _picture(file: WordFile, picture: Picture, part: Any) -> str:
    relation, number = file.picture(picture.path, part)
    return floating_picture(relation, number, picture.box, around=False)


def _border(line: TextLine, tag: str, run: Running, width: float) -> str:
    """The rule that is drawn below the last line of a header, or above the first one of a footer, as its side."""
    below, found = tag == "header", list[tuple[float, Inked]]()
    for (left, top, right, bottom), colour in run.drawn:
        apart = top - line.box[3] if below else line.box[1] - bottom
        if bottom - top < THIN and right - left > _RULED * width and -_INTO < apart / line.size < _APART:
            found.append((max(0.0, apart), ((left, top, right, bottom), colour)))
    if not found:
        return ""
    apart, ((_, top, _, bottom), colour) = min(found)
    side, thick = ("bottom" if below else "top"), max(2, min(48, round(8 * (bottom - top))))
    return f'<w:{side} w:val="single" w:sz="{thick}" w:space="{round(apart)}" w:color="{colour:06X}"/>'


def _line(line: TextLine, sides: tuple[float, float], pages: int, run: Running, border: str = "") -> str:
    left, right = sides
    (text,) = paragraphs([line], left, right, 0)
    if text.align == "left" and not line.tabs and line.box[0] > _RIGHT * right:
        # Longer numbers grow to the left.
        text.align, text.left, text.first, text.right = "right", 0, 0, max(0.0, right - line.box[2])
    tabs = _tabs(line, left, right) if text.align == "left" else []
    place: dict[str, Any] = {"left": text.left, "right": text.right, "first": text.first}
    fill = ground(run.drawn, line.box)
    # A rule at a surface's edge would only make the header higher, and push the text down.
    place |= {"tabs": tabs, "fill": fill, "border": border if fill is None else ""}
    props = paragraph_properties(pitch=line.size * _HEIGHT, align=text.align, **place)
    if run.roman and _ROMAN.fullmatch(line.text):
        return f"<w:p>{props}{field(line.spans[0].style, 'PAGE', line.text.strip())}</w:p>"
    return f"<w:p>{props}{''.join(_span(span, line, pages) for span in line.spans)}</w:p>"


def _tabs(line: TextLine, left: float, right: float) -> list[tuple[float, str, str]]:
    """Its stops; what ends at the right edge is set from there, as its letters may turn out wider."""
    stops = [(place - left, "left", "") for place in line.tabs if place > left]
    if stops and abs(right - line.box[2]) < _AT_EDGE:
        stops[-1] = right - left - _INSIDE, "right", ""
    return stops


def _span(span: Span, line: TextLine, pages: int) -> str:
    """The span; a number that counts pages, and that of all pages behind it, as fields."""
    if pages > 1 and span.counts:
        number = span.text.rstrip()
        rest = span.text[len(number) :]
        return field(span.style, "PAGE", number) + (run_xml(Span(rest, span.style)) if rest else "")
    if pages < 2 or not any(each.counts for each in line.spans[: line.spans.index(span)]):
        return run_xml(span)
    pieces = [Span(piece, span.style) for piece in _DIGITS.split(span.text) if piece]
    return "".join(
        field(piece.style, "NUMPAGES", piece.text) if piece.text == str(pages) else run_xml(piece) for piece in pieces
    )
