"""Which headers and footers go on from page to page: where others begin, and which left pages or a first one have."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from cluster.engines.layout.counted import look
from cluster.engines.layout.margins import Margins, plain
from cluster.engines.layout.model import Margin, Running, Sheet, TextLine

_ROMAN = re.compile(r"\W*([ivxlc]+|[IVXLC]+)\W*")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
#: Of so few pages what one has may be all that is known of the others.
_FEW = 2
#: How a page's margins look: their texts, numbers left out, and where they stand.
Look = tuple[tuple[str, int, bool], ...]


def running(sheets: Sequence[Sheet], found: Margins) -> list[Running]:
    """Runs of pages with the same headers and footers, in order; none where there are no pages."""
    looks = [_look(sheet, head, foot) for sheet, head, foot in zip(sheets, found.heads, found.feet, strict=True)]
    starts = [0, *(at for at in range(1, len(sheets)) if _begins(looks, at))] if sheets else []
    return [_run(range(start, end), looks, found) for start, end in pairwise([*starts, len(sheets)])]


def _look(sheet: Sheet, head: Sequence[TextLine], foot: Sequence[TextLine]) -> Look:
    return tuple((look(line), _side(line, sheet), bool(_ROMAN.fullmatch(line.text))) for line in (*head, *foot))


def _side(line: TextLine, sheet: Sheet) -> int:
    """Left (-1), in the middle or right (1) of the page."""
    middle = (line.box[0] + line.box[2]) / 2 / sheet.width
    return (middle > 0.6) - (middle < 0.4)


def _begins(looks: Sequence[Look], at: int) -> bool:
    """Whether a look that was not there before, on this side or the other, goes on from here."""
    before, after = looks[max(0, at - 2) : at], looks[at + 1 : at + 3]
    if looks[at] in before or looks[at] not in after:
        return False
    # The second page is no begin: the first one may be apart, or a right one.
    return at > 2 or (at == 2 and looks[0] == looks[1])


def _run(pages: range, looks: Sequence[Look], found: Margins) -> Running:
    number = _first_number(pages, found)
    rest = pages[1:] if len(pages) > 1 and looks[pages[0]] not in looks[pages[1] : pages[-1] + 1] else pages
    first = number if number is not None else pages[0] + 1
    odd, even = ([page for page in rest if (page - pages[0] + first) % 2 == side] for side in (1, 0))
    facing = len(rest) > 2 and len({looks[page] for page in odd}) == len({looks[page] for page in even}) == 1
    facing = facing and looks[odd[0]] != looks[even[0]]
    made = Running(pages[0], _margin(odd if facing else rest, found), number=number, roman=_roman(found, rest[0]))
    made.left = _margin(even, found) if facing else None
    made.first = _margin(pages[:1], found) if rest != pages else None
    return made


def _first_number(pages: range, found: Margins) -> int | None:
    """The number of the run's first page, where the numbers on most pages, and on two or more, agree on it."""
    firsts = [number - (page - pages[0]) for page in pages if (number := _number(page, found)) is not None]
    first, times = Counter(firsts).most_common(1)[0] if firsts else (-1, 0)
    return first if first >= 0 and times > max(1, len(firsts) / 2) else None


def _number(page: int, found: Margins) -> int | None:
    for line in (*found.heads[page], *found.feet[page]):
        if number := next((span.text for span in line.spans if span.counts), ""):
            return int(number)
        if _ROMAN.fullmatch(line.text):
            return _value(line.text.strip().lower())
    return None


def _value(roman: str) -> int:
    values = [_VALUES[letter] for letter in roman if letter in _VALUES]
    return sum(-one if one < two else one for one, two in pairwise([*values, 0]))


def lost(page: int, runs: Sequence[Running], found: Margins) -> Margin:
    """What stands above and below the page and in no header or footer that it gets: it stays text."""
    run = [run for run in runs if run.page <= page][-1]
    own = [run.first] if run.first and page == run.page else [run.usual, *([run.left] if run.left else [])]
    heads, feet = ({look(line) for margin in own for line in margin[at]} for at in (0, 1))
    return (
        [line for line in found.heads[page] if look(line) not in heads],
        [line for line in found.feet[page] if look(line) not in feet],
    )


def _margin(pages: Sequence[int], found: Margins) -> Margin:
    """What the pages share, each text once."""
    return _once([found.heads[page] for page in pages]), _once([found.feet[page] for page in pages])


def _once(pages: Sequence[Sequence[TextLine]]) -> list[TextLine]:
    """Each text once, or as often as a page has it; of those that only their numbers tell apart the commonest.

    None of those that are others on every page, and of three pages or more none that only one has.
    """
    known: dict[tuple[str, int], list[TextLine]] = {}
    for lines in pages:
        count: Counter[str] = Counter()
        for line in lines:
            text = plain(line.text)
            known.setdefault((text, count[text]), []).append(line)
            count[text] += 1
    known = {key: lines for key, lines in known.items() if len(lines) > 1 or len(pages) <= _FEW}
    return sorted((line for lines in known.values() for line in _commonest(lines)), key=lambda line: line.base)


def _commonest(lines: Sequence[TextLine]) -> list[TextLine]:
    looks = [look(line) for line in lines]
    ((most, times),) = Counter(looks).most_common(1)
    return [lines[looks.index(most)]] if times > 1 or len(lines) == 1 else []


def _roman(found: Margins, page: int) -> Literal["", "lowerRoman", "upperRoman"]:
    for line in (*found.heads[page], *found.feet[page]):
        if _ROMAN.fullmatch(line.text):
            return "lowerRoman" if line.text.strip().islower() else "upperRoman"
    return ""
