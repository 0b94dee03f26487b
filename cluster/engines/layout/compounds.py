"""Hyphens at lines' ends that are the word's own: "strain-" before "rate", where the document writes strain-rate."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cluster.engines.layout.model import Block, Document, Paragraph, Sheet, Table

_LETTERS = r"[^\W\d_]+(?:-[^\W\d_]+)*"
_WORD, _LAST = re.compile(_LETTERS), re.compile(f"{_LETTERS}-$")


def tell_compounds(document: Document, sheets: Sequence[Sheet]) -> None:
    """Mark the lines whose last hyphen stays when they are joined: the word stands elsewhere with it, nowhere without.

    That both halves are words elsewhere tells nothing: "with-out" is none of two words.
    """
    cut = [each for text in _paragraphs(document.blocks) for each in _cut(text)]
    if not cut:
        return
    words = {word.lower() for sheet in sheets for line in sheet.lines for word in _WORD.findall(line.text)}
    for text, at, first, rest in cut:
        if first + rest in words and first[:-1] + rest not in words:
            text.lines[at] = replace(text.lines[at], compound=True)


def _paragraphs(blocks: Iterable[Block]) -> Iterator[Paragraph]:
    for block in blocks:
        if isinstance(block, Table):
            for cell in block.cells:
                yield from _paragraphs(cell.blocks)
        elif isinstance(block, Paragraph):
            yield block


def _cut(text: Paragraph) -> Iterator[tuple[Paragraph, int, str, str]]:
    """Where its lines end in a hyphen: the line's number, what stands before and behind the line's end."""
    for at, (line, below) in enumerate(itertools.pairwise(text.lines)):
        first, rest = _LAST.search(line.text.rstrip()), _WORD.match(below.text.lstrip())
        if first and rest:
            yield text, at, first[0].lower(), rest[0].lower()
