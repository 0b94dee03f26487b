"""A document as Markdown (CommonMark with pipe tables): headings, lists and tables as such, all else as plain text."""

import re
from collections.abc import Sequence
from dataclasses import replace

from cluster.engines.export.table_text import as_markdown
from cluster.engines.layout.letters import family, text_of, value_of
from cluster.engines.layout.line import SURE
from cluster.engines.layout.model import Document, Figure, Paragraph, Span, Table, TextLine

_DEEPEST = 6
_INDENT = 4
#: What would be taken for a mark, anywhere and where a paragraph begins.
_MARKS = re.compile(r"[\\`*_<~]|\](?=[(\[:])")
_BEGINS = re.compile(r"^(\d{0,9})([#+=>-]|(?<=\d)[.)](?=\s|$))")


def write_markdown(document: Document, doubt: str = "") -> str:
    """Its blocks in reading order, pictures left out; `doubt` is put after each line that was not read surely."""
    texts = [block for block in document.blocks if isinstance(block, Paragraph)]
    highest = min((text.level for text in texts if text.kind == "heading"), default=0)
    out, deep = list[str](), -1
    for block in document.blocks:
        if isinstance(block, Figure):
            continue
        item = isinstance(block, Paragraph) and block.kind == "item"
        if out and not (item and deep >= 0):
            out.append("")
        # An item is one step deeper than the last one at most: more would be a block of code.
        deep = min(block.level, deep + 1) if item and isinstance(block, Paragraph) else -1
        out.append(as_markdown(block).rstrip() if isinstance(block, Table) else _paragraph(block, highest, deep, doubt))
    return "\n".join(out).strip() + "\n"


def _paragraph(block: Paragraph, highest: int, deep: int, doubt: str) -> str:
    text = _text(block.lines, doubt)
    if block.kind == "heading":
        return f"{'#' * min(_DEEPEST, block.level - highest + 1)} {_plain(text)}"
    return " " * _INDENT * deep + _item(block.mark, text) if block.kind == "item" else _plain(text)


def _item(mark: str, text: str) -> str:
    """An item: numbers that Markdown knows stay numbers, others are text behind a dash."""
    rest = text[1 if mark == "•" else len(mark) :].strip()
    if mark == "•":
        return f"- {_plain(rest)}"
    if family(mark).startswith("decimal"):
        return f"{value_of(mark)}. {_plain(rest)}"
    return f"- {_plain(mark)} {_plain(rest)}"


def _text(lines: Sequence[TextLine], doubt: str) -> str:
    """The lines as one, `doubt` after each that somebody should look at."""

    def marked(line: TextLine) -> TextLine:
        return replace(line, spans=(*line.spans, Span(doubt, line.spans[-1].style))) if line.score < SURE else line

    return " ".join(text_of([marked(line) for line in lines]).split())


def _plain(text: str) -> str:
    """The text with no letter that would be a mark."""
    return _BEGINS.sub(r"\1\\\2", _MARKS.sub(r"\\\g<0>", text))
