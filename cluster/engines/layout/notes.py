"""Footnotes: small lines under a short rule, each begun by the mark that is raised in the text; endnotes: the same
marks begin lines behind the text, in the order in which they are referred to."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cluster.engines.layout.letters import joined
from cluster.engines.layout.model import Box, Note, Sheet, Span, TextLine

#: Marks that count nothing; articles have them beside numbers, for their authors.
SYMBOLS = "*†‡§¶‖∗＊⋆"
_MARK = re.compile(rf"\s*(\[\d{{1,3}}\]|\d{{1,3}}|[{SYMBOLS}]{{1,3}}|[ivx]{{1,6}}|[①-⑳])(?=\D|$)")
#: A mark alone is lower than this share of the page's usual letters.
_SMALL = 0.75
#: Footnotes stand within so many points under their rule.
_DEEP = 400
#: Ends of rules that differ by less (points) are the same.
_SAME = 2.5
#: Endnotes end before letters that are larger than theirs by more (points).
_LARGER = 0.6
#: Endnotes begin behind this share of all lines.
_LATE = 0.4


@dataclass(frozen=True)
class Found:
    """A footnote's mark and its lines; without a mark it goes on from the page before."""

    mark: str
    lines: tuple[TextLine, ...]


def part(sheet: Sheet, lines: Sequence[TextLine], body: float) -> tuple[list[TextLine], list[Found]]:
    """The page's other lines, and its footnotes."""
    rules = list(_short(sheet))
    ordered = sorted(lines, key=lambda each: each.base)
    below = {id(line) for line in ordered if any(_under(line, rule, lines, body) for rule in rules)}
    rest = [line for line in ordered if id(line) not in below]
    marks = {mark for line in rest for mark in _references(line, body)}
    notes: list[tuple[str, list[TextLine]]] = []
    for line in (line for line in ordered if id(line) in below):
        found = _MARK.match(line.text)
        if found and found[1] in marks:
            notes.append((found[1], [line]))
        elif notes:
            notes[-1][1].append(line)
        else:
            notes.append(("", [line]))
    return rest, [Found(mark, tuple(own)) for mark, own in notes]


def _references(line: TextLine, body: float) -> Iterator[str]:
    """What is raised in a line, or a small mark that is a line of its own."""
    yield from (span.text.strip() for span in line.spans if span.style.raised and span.text.strip())
    if line.size < _SMALL * body and (found := _MARK.fullmatch(line.text.strip())):
        yield found[1]


def _short(sheet: Sheet) -> Iterator[Box]:
    """The rules that may stand above footnotes: short ones in a page's lower part, which are no table's."""
    near = defaultdict[int, list[Box]](list)
    for rule in sheet.rules:  # by where they begin: a plan has thousands
        for at in (-1, 0, 1):
            near[round(rule[0] / _SAME) + at].append(rule)
    for rule in sheet.rules:
        short = rule[3] - rule[1] < 2 and 40 < rule[2] - rule[0] < 0.45 * sheet.width and rule[1] > 0.3 * sheet.height
        others = (other for side in (rule[0], rule[2]) for other in near[round(side / _SAME)]) if short else ()
        if short and not any(_is_row(rule, other) or _meets(rule, other) for other in others):
            yield rule


def _is_row(rule: Box, other: Box) -> bool:
    """Whether both are a table's: from the same side to the same side, one below the other."""
    same = abs(rule[0] - other[0]) < _SAME and abs(rule[2] - other[2]) < _SAME
    return same and abs(rule[1] - other[1]) > _SAME


def _meets(rule: Box, other: Box) -> bool:
    """Whether the other stands at one of the rule's ends, as a cell's edge does."""
    left, top, right, bottom = other
    ends = min(abs(rule[0] - left), abs(rule[2] - left)) < _SAME
    return right - left < _SAME < bottom - top and ends and top - _SAME < rule[1] < bottom + _SAME


def _under(line: TextLine, rule: Box, lines: Sequence[TextLine], body: float) -> bool:
    """Whether it stands below the rule, with nothing larger than notes there."""
    if not (0 <= line.base - line.size * 0.3 - rule[1] < _DEEP and rule[0] - 8 <= line.box[0] <= rule[2]):
        return False
    return not any(
        other.base > rule[1] + 2 and other.size > body + 0.4 and rule[0] - 8 < other.box[0] < rule[2] for other in lines
    )


def linked(lines: Iterable[TextLine], notes: Sequence[Found], kept: list[Note], body: float) -> list[TextLine]:
    """The lines with references to the notes, which join `kept`; what nothing refers to stays among them."""
    out = list(lines)
    for number, note in enumerate(notes):
        if not note.mark and number == 0 and kept and not kept[-1].at_end:
            kept[-1] = replace(kept[-1], spans=(*kept[-1].spans, *_apart(joined(note.lines))))
            continue
        at = next((at for at, line in enumerate(out) if note.mark in _references(line, body)), None)
        if not note.mark or at is None:
            out += note.lines
            continue
        out[at] = _referring(out[at], note.mark, len(kept))
        kept.append(Note(note.mark, tuple(_without(note.mark, joined(note.lines)))))
    return sorted(out, key=lambda line: line.base)


def _apart(spans: list[Span]) -> list[Span]:
    return [replace(spans[0], text=" " + spans[0].text), *spans[1:]] if spans else []


def _referring(line: TextLine, mark: str, number: int) -> TextLine:
    """The line with a reference instead of its raised mark, or of itself."""
    spans = list(line.spans)
    raised = (at for at, span in enumerate(spans) if span.style.raised and span.text.strip() == mark)
    at = next(raised, 0)
    spans[at] = replace(spans[at], text="", note=number)
    return replace(line, spans=tuple(spans))


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


def endnotes(pages: Sequence[list[TextLine]], kept: list[Note]) -> list[list[TextLine]]:
    """Each page's lines without the endnotes, which join `kept`, and with references to them.

    They are the lines behind the text that begin with its raised marks, each of them in its order.
    """
    places = [(page, at) for page, lines in enumerate(pages) for at in range(len(lines))]
    lines = [pages[page][at] for page, at in places]
    raised = [(number, mark) for number, line in enumerate(lines) for mark in _raised(line)]
    leads = [(number, mark) for number, line in enumerate(lines) if (mark := _leading(line))]
    for index, (start, _) in enumerate(leads):
        before = [(number, mark) for number, mark in raised if number < start]
        late = start >= _LATE * len(lines)  # addresses of authors, which stand under a title, go before the text
        if late and before and [mark for _, mark in before] == [mark for _, mark in leads[index:]][: len(before)]:
            return _taken(pages, places, before, list(_region(lines[start:])), kept)
    return list(pages)


def _taken(
    pages: Sequence[list[TextLine]],
    places: Sequence[tuple[int, int]],
    references: Sequence[tuple[int, str]],
    region: Sequence[Found],
    kept: list[Note],
) -> list[list[TextLine]]:
    out = [list(lines) for lines in pages]
    gone = set()
    for (number, mark), note in zip(references, region, strict=False):
        page, at = places[number]
        out[page][at] = _referring(out[page][at], mark, len(kept))
        kept.append(Note(mark, tuple(_without(mark, joined(note.lines))), at_end=True))
        gone |= {id(line) for line in note.lines}
    return [[line for line in lines if id(line) not in gone] for lines in out]


def _raised(line: TextLine) -> list[str]:
    """The marks that are raised in the line."""
    return [span.text.strip() for span in line.spans if span.style.raised and _MARK.fullmatch(span.text.strip())]


def _leading(line: TextLine) -> str:
    """The mark that the line begins with, raised or of another size than its text."""
    if len(line.spans) < 2:
        return ""
    first, after = line.spans[0], line.spans[1]
    found = _MARK.fullmatch(first.text.strip())
    return found[1] if found and (first.style.raised or first.style.size != after.style.size) else ""


def _region(lines: Sequence[TextLine]) -> Iterator[Found]:
    """The endnotes that the lines begin with."""
    own: list[TextLine] = []
    for line in lines:
        if own and line.size > own[0].size + _LARGER:
            break
        if own and _leading(line):
            yield Found(_leading(own[0]), tuple(own))
            own = []
        own.append(line)
    if own:
        yield Found(_leading(own[0]), tuple(own))
