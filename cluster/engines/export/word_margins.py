"""Headers and footers of a Word file, page numbers as fields."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cluster.engines.export.word_file import WordFile
from cluster.engines.export.word_xml import field, paragraph_properties, run
from cluster.engines.layout.model import Document, Span, TextLine
from cluster.engines.layout.prose import paragraphs
from cluster.engines.layout.rows import level

_DIGITS = re.compile(r"(\d+)")
#: Longer texts, and those with more digits, are dates and numbers of their own.
_LONGEST, _MOST_DIGITS = 60, 6
_HEIGHT = 1.17


@dataclass(frozen=True)
class Margin:
    """What each section says of them: references, and their distances from the page's edges in points."""

    xml: str
    header: float
    footer: float


def write_margins(file: WordFile, document: Document) -> Margin:
    """Write both; each section refers to them."""
    height = document.sizes[0][1] if document.sizes else 842.0
    head, foot = document.header, document.footer
    section: Any = file.document.sections[0]
    if head:
        _fill(file, section.header, head, document)
    if foot:
        _fill(file, section.footer, foot, document)
    references = [each for each in section._sectPr if each.tag.endswith("Reference")]
    kept = "".join(_reference(each) for each in references)
    above = max(0.0, min(line.box[1] for line in head)) if head else 18.0
    below = max(6.0, height - max(line.box[3] for line in foot)) if foot else 18.0
    return Margin(kept, above, min(below, 100.0))


def _reference(each: Any) -> str:
    identity = next(value for name, value in each.attrib.items() if name.endswith("}id"))
    return f'<w:{each.tag.rpartition("}")[2]} w:type="default" r:id="{identity}"/>'


def _fill(file: WordFile, part: Any, lines: Sequence[TextLine], document: Document) -> None:
    part.is_linked_to_previous = False
    left, _, right, _ = document.margins
    width = document.sizes[0][0]
    for old in list(part._element):
        part._element.remove(old)
    for line in level(lines):
        part._element.append(file.element(_line(line, left, width - right, len(document.sizes))))


def _line(line: TextLine, left: float, right: float, pages: int) -> str:
    (text,) = paragraphs([line], left, right, 0)
    tabs = [(place - left, "left", "") for place in line.tabs if place > left] if text.align == "left" else []
    props = paragraph_properties(
        pitch=line.size * _HEIGHT, align=text.align, left=text.left, first=text.first, tabs=tabs
    )
    return f"<w:p>{props}{''.join(_span(span, line, pages) for span in line.spans)}</w:p>"


def _span(span: Span, line: TextLine, pages: int) -> str:
    """The span with its page numbers as fields: one number, or "page of pages"."""
    numbers = _DIGITS.findall(line.text)
    counts = pages > 1 and len(line.text) < _LONGEST and len("".join(numbers)) <= _MOST_DIGITS
    if not counts or len(numbers) not in (1, 2) or (len(numbers) == 2 and int(numbers[1]) != pages):
        return run(span)
    out: list[str] = []
    for piece in _DIGITS.split(span.text):
        if piece.isdigit():
            total = len(numbers) == 2 and piece == numbers[1] and (piece != numbers[0] or bool(out))
            out.append(field(span.style, "NUMPAGES" if total else "PAGE", piece))
        elif piece:
            out.append(run(Span(piece, span.style)))
    return "".join(out)
