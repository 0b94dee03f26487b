"""Footnotes: small lines under a short rule, each begun by the mark that is raised in the text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cluster.engines.layout.letters import joined
from cluster.engines.layout.model import Box, Sheet, Span, TextLine

_MARK = re.compile(r"\s*(\d{1,3}|[*†‡]|[ivx]{1,4}|[①-⑳])(?=\D|$)")


@dataclass(frozen=True)
class Note:
    """A footnote's mark and its lines."""

    mark: str
    lines: tuple[TextLine, ...]


def part(sheet: Sheet, lines: Sequence[TextLine], body: float) -> tuple[list[TextLine], list[Note]]:
    """The page's other lines, and its footnotes."""
    rules = [rule for rule in sheet.rules if _is_short(rule, sheet)]
    marks = {span.text.strip() for line in lines for span in line.spans if span.style.raised and span.text.strip()}
    notes: list[tuple[str, list[TextLine]]] = []
    rest = []
    for line in sorted(lines, key=lambda each: each.base):
        found = _MARK.match(line.text)
        if not any(_under(line, rule, lines, body) for rule in rules):
            rest.append(line)
        elif found and found[1] in marks:
            notes.append((found[1], [line]))
        elif notes:
            notes[-1][1].append(line)
        else:
            rest.append(line)
    return rest, [Note(mark, tuple(own)) for mark, own in notes]


def _is_short(rule: Box, sheet: Sheet) -> bool:
    return rule[3] - rule[1] < 2 and 40 < rule[2] - rule[0] < 0.45 * sheet.width and rule[1] > 0.3 * sheet.height


def _under(line: TextLine, rule: Box, lines: Sequence[TextLine], body: float) -> bool:
    """Whether it stands below the rule, with nothing larger than notes there."""
    if not (0 <= line.base - line.size * 0.3 - rule[1] < 200 and rule[0] - 8 <= line.box[0] <= rule[2]):
        return False
    return not any(
        other.base > rule[1] + 2 and other.size > body + 0.4 and rule[0] - 8 < other.box[0] < rule[2] for other in lines
    )


def linked(lines: Iterable[TextLine], notes: Sequence[Note], kept: list[tuple[Span, ...]]) -> list[TextLine]:
    """The lines with references to the notes, which join `kept`."""
    out = list(lines)
    for note in notes:
        at = next((at for at, line in enumerate(out) if _referring(line, note.mark) is not None), None)
        if at is None:
            continue
        spans = list(out[at].spans)
        where = _referring(out[at], note.mark) or 0
        spans[where] = replace(spans[where], text="", note=len(kept))
        out[at] = replace(out[at], spans=tuple(spans))
        kept.append(tuple(_without(note.mark, joined(note.lines))))
    return out


def _referring(line: TextLine, mark: str) -> int | None:
    for at, span in enumerate(line.spans):
        if span.style.raised and span.text.strip() == mark and span.note is None:
            return at
    return None


def _without(mark: str, spans: list[Span]) -> list[Span]:
    """The note's text behind its mark."""
    rest = len(mark)
    out: list[Span] = []
    for span in spans:
        text = span.text.lstrip() if rest else span.text
        taken = min(rest, len(text))
        rest -= taken
        if text[taken:]:
            out.append(replace(span, text=text[taken:] if out or rest else text[taken:].lstrip()))
    return out
