"""Two docx compared, the truth and what was made; each measure is 1 at best.

Counts of what is right, given and wanted are added up over files before they become an F1.
"""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from rapidfuzz.distance import Levenshtein

from tests.bench.word.written import Cell, Text, Written

#: The mark of a list or a heading, which some hold as text and others as a number.
_MARK = re.compile(
    r"^\s*(?:[•◦▪‣∙·○●■□➢➤✓–—*\-\ue000-\uf8ff]|o(?=\s)|\(?\d{1,3}(?:\.\d{1,3})*[.)、）]?(?=\s|[^\d.,%:/\-])"
    r"|\(?[a-zA-Z][.)]|\(?[ivxlIVXL]+[.)]|[（(]?[一二三四五六七八九十]{1,3}[)）、.])\s*"
)
_QUOTES = str.maketrans("’‘“”", "''\"\"", "\xad")
#: Texts that share so much of their letters are one.
_SAME, _SAME_NOTE = 0.85, 0.75


@dataclass
class Counted:
    """What is right, given and wanted."""

    right: int = 0
    given: int = 0
    wanted: int = 0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.given + self.wanted) if self.given + self.wanted else 1.0

    def add(self, other: "Counted") -> None:
        self.right, self.given, self.wanted = (
            self.right + other.right, self.given + other.given, self.wanted + other.wanted,
        )  # fmt: skip


@dataclass
class Compared:
    """One file: `text` in order, `ends` of paragraphs, counts of the rest; `pages` of the truth and of the result."""

    text: float = 0.0
    ends: float = 0.0
    counts: dict[str, Counted] = field(default_factory=dict)
    floating: int = 0
    ssim: float = 0.0
    pages: tuple[int, int] = (0, 1)


def bare(text: str) -> str:
    """Without blanks and marks, quotes in one form."""
    text = _MARK.sub("", text, count=1) if len(text) > 2 else text
    return "".join(text.translate(_QUOTES).split())


def compare(truth: Written, made: Written) -> Compared:
    """How much of the truth was made."""
    text, ends = _in_order([bare(each.text) for each in truth.texts], [bare(each.text) for each in made.texts])
    counts = {
        "headings": _texts(*([bare(each.text) for each in side.texts if each.level] for side in (truth, made))),
        "lists": _texts(*([bare(each.text) for each in side.texts if _is_item(each)] for side in (truth, made))),
        "tables": _common(_neighbours(truth.tables), _neighbours(made.tables)),
        "margins": _texts(_margins(truth), _margins(made), _SAME_NOTE),
        "notes": _texts(*([bare(each) for each in side.notes] for side in (truth, made)), _SAME_NOTE),
    }
    return Compared(text, ends, counts, made.floating)


def _is_item(text: Text) -> bool:
    return text.depth is not None


def _margins(side: Written) -> list[str]:
    """Each text of headers and footers once, without blanks and numbers."""
    return sorted({re.sub(r"[\s\d]+", "", each) for each in side.margins} - {""})


def _in_order(wanted: Sequence[str], given: Sequence[str]) -> tuple[float, float]:
    """The share of letters in their order, and the F1 of paragraph ends among them."""
    one, other = "".join(wanted), "".join(given)
    to, wrong = {}, 0
    for step in Levenshtein.opcodes(one, other):
        if step.tag == "equal":
            to |= dict(zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True))
        else:
            wrong += max(step.src_end - step.src_start, step.dest_end - step.dest_start)
    mine = {to.get(end) for end in _ends(wanted)}
    theirs = set(_ends(given))
    ends = Counted(len(mine & theirs), len(theirs), sum(map(bool, wanted)))
    return 1 - wrong / max(1, len(one), len(other)), ends.f1


def _ends(texts: Sequence[str]) -> Iterable[int]:
    at = 0
    for text in texts:
        at += len(text)
        if text:
            yield at - 1


def _texts(wanted: list[str], given: list[str], least: float = _SAME) -> Counted:
    """Texts of one list that are in the other: equal ones first, then the most alike."""
    rest, missing = list(given), []
    for text in wanted:
        rest.remove(text) if text in rest else missing.append(text)
    for text in missing:
        near = [each for each in rest if 0.7 < (len(each) + 1) / (len(text) + 1) < 1.4]
        likest = max(near, key=lambda each: _likeness(text, each), default=None)
        if likest is not None and _likeness(text, likest) >= least:
            rest.remove(likest)
    return Counted(len(given) - len(rest), len(given), len(wanted))


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() if max(len(one), len(other)) < 2000 else 0


def _common(wanted: Counter[object], given: Counter[object]) -> Counted:
    return Counted((wanted & given).total(), given.total(), wanted.total())


def _neighbours(tables: Iterable[Sequence[Cell]]) -> Counter[object]:
    """Which text stands right of or below which, empty cells passed over: as ICDAR 2013 counts."""
    found: Counter[object] = Counter()
    for table in tables:
        held = {
            (row + down, column + right): (row, column, "".join(text.split()))
            for row, column, rows, columns, text in table
            for down in range(rows)
            for right in range(columns)
        }
        pairs = {
            (own, other, way) for place, own in held.items() if own[2] for way in (0, 1)
            if (other := _next(held, place, way)) is not None
        }  # fmt: skip
        found.update((own[2], other[2], way) for own, other, way in pairs)
    return found


def _next(
    held: dict[tuple[int, int], tuple[int, int, str]], place: tuple[int, int], way: int
) -> tuple[int, int, str] | None:
    """The next cell with text to the right (0) or below (1)."""
    own, (row, column) = held[place], place
    while True:
        row, column = row + way, column + 1 - way
        other = held.get((row, column))
        if other is None or (other[2] and other != own):
            return other


def told(files: Sequence[Compared]) -> str:
    """All files in one line: means, worst and summed F1."""
    texts, alike = [each.text for each in files], [each.ssim for each in files]
    totals: dict[str, Counted] = {}
    for each in files:
        for name, count in each.counts.items():
            totals.setdefault(name, Counted()).add(count)
    same = sum(one == other for one, other in (each.pages for each in files))
    return (
        f"text {fmean(texts):.3f} (worst {min(texts):.2f}), paragraphs {fmean(each.ends for each in files):.2f}, "
        + ", ".join(f"{name} {count.f1:.2f}" for name, count in totals.items())
        + f", SSIM {median(alike):.2f} (mean {fmean(alike):.2f}), pages {same}/{len(files)}, "
        f"boxes and frames {sum(each.floating for each in files)}"
    )
