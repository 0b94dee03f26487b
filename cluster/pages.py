"""The page-range grammar, one for every tool: `1-3,5,8-,-2,odd,even,last,all,2n+1`.

Order is kept as written and a page may be named twice. Empty means all. `8-` runs to the
end, `-2` means the pages up to 2, `5-3` counts down, `2n+1` is 1, 3, 5 …. Full-width
digits, Chinese commas and long dashes are taken too. The same grammar stands in
site/src/ranges; tests/samples/ranges.json holds the vectors both pass.
"""

import re
import unicodedata
from collections.abc import Iterable

from cluster.problem import InputProblem

# A run is one dash: Chinese keyboards write 1——3.
_DASHES = re.compile("[‐‑‒–—―−~〜～－]+")
_COMMAS = re.compile("[，、；;]")
_TERM = re.compile(r"(?P<first>[0-9]+)?(?P<dash>-)?(?P<last>[0-9]+)?")
_GUESS = re.compile(r"[0-9]\s+[0-9]")  # "1 3" could be 13 or 1,3; guessing wrong would lose pages
_STEP = re.compile(r"(?P<step>[0-9]*)n(?:\+(?P<start>[0-9]+))?")


def parse_pages(text: str, count: int) -> list[int]:
    """Page numbers (1-based) that `text` names in a document of `count` pages.

    Raises InputProblem `page_range_invalid` (facts: text, pages).
    """
    if not text.strip():
        return list(range(1, count + 1))
    plain = _plain(text)
    if not plain:
        raise _invalid(text, count)
    pages = [page for term in plain.split(",") for page in _term(term, count, text)]
    if not pages or not all(1 <= page <= count for page in pages):
        raise _invalid(text, count)
    return pages


def each_page(text: str, count: int) -> list[int]:
    """As `parse_pages`, a page that is named twice once."""
    return list(dict.fromkeys(parse_pages(text, count)))


def pages_in_order(text: str, count: int) -> list[int]:
    """As `each_page`, in the document's own order."""
    return sorted(set(parse_pages(text, count)))


def format_pages(pages: Iterable[int]) -> str:
    """The shortest text that names `pages` in their order: [1, 2, 3, 5] -> `1-3,5`."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _plain(text: str) -> str:
    text = _COMMAS.sub(",", _DASHES.sub("-", text))
    text = unicodedata.normalize("NFKC", text)
    return "" if _GUESS.search(text) else re.sub(r"\s+", "", text).lower().strip(",")


def _term(term: str, count: int, text: str) -> Iterable[int]:
    match term:
        case "all":
            return range(1, count + 1)
        case "odd":
            return range(1, count + 1, 2)
        case "even":
            return range(2, count + 1, 2)
        case "last":
            return [count]
    if step := _STEP.fullmatch(term):
        return _stepped(step, count, text)
    found = _TERM.fullmatch(term)
    if not found or not (found["first"] or found["last"]) or len(term) > 20:
        raise _invalid(text, count)
    first = int(found["first"] or 1)
    last = int(found["last"] or count) if found["dash"] else first
    if not (1 <= first <= count and 1 <= last <= count):
        raise _invalid(text, count)
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def _stepped(found: re.Match[str], count: int, text: str) -> Iterable[int]:
    step, start = int(found["step"] or 1), int(found["start"] or 0)
    if step < 1 or len(found[0]) > 20:
        raise _invalid(text, count)
    return range(start or step, count + 1, step)


def _invalid(text: str, count: int) -> InputProblem:
    return InputProblem("page_range_invalid", text=text[:60], pages=count)
