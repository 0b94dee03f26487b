"""What paragraphs are: headings by size, weight and number, with their levels; items of lists by mark."""

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from cluster.engines.layout.letters import CHAPTER, CONTENTS, chapter_depth, family, mark_of, text_of
from cluster.engines.layout.model import Block, Cell, Document, Paragraph

_NUMBERED = re.compile(r"\d+(\.\d+)*\.?\s")
_LETTER = re.compile(r"[^\W\d_]")
_RANGE = re.compile(r"\d+\.?\s*[-–]")
_FIRST = re.compile(r"[（(]?[\d.]+|[（(]?[一二三四五六七八九十]+|第\s?\S+\s?[章节]")
_LONGEST_HEADING, _DEEPEST = 160, 6
#: A longer text at the begin is no line of a cover.
_COVER = 60
#: Sizes that differ by no more (points) are one.
_SAME = 0.6
#: Items of one list are looked for among so many neighbours.
_NEIGHBOURS = 3
Look = tuple[float, bool]


def tell_kinds(document: Document) -> None:
    """Set kind, level and mark of the document's paragraphs outside of tables."""
    blocks = document.blocks
    texts = [block for block in blocks if isinstance(block, Paragraph)]
    for text in texts:
        text.contents = bool(CONTENTS.search(text_of(text.lines)))
    heads = [text for text in texts if _score(text, document.body) >= 2]
    numbered = _numbered(blocks)
    for text in (*heads, *numbered):
        text.kind = "heading"
    _told_by_contents(texts, document.body)
    _levels(texts)
    _items([text for text in texts if text.kind == "text"])
    _depths(blocks)
    for table in document.tables:
        for cell in table.cells:
            _items_in(cell)


def look(text: Paragraph) -> Look:
    """What headings of one level share."""
    return text.size, text.lines[0].bold


def _score(text: Paragraph, body: float) -> float:
    """How much a paragraph looks like a heading: 2 is enough."""
    words = text_of(text.lines).strip()
    if len(text.lines) > 3 or len(words) > _LONGEST_HEADING or text.contents or not _LETTER.search(words):
        return 0
    line = text.lines[0]
    big = line.size > 1.14 * body
    strong = all(each.bold for each in text.lines) and words[-1] not in ".,;。，；"
    score = 1.5 * big + strong + 0.5 * bool(CHAPTER.match(words) or _NUMBERED.match(words))
    score += 0.5 * (text.align == "center") + 0.5 * (big and len(words) < 60)
    score += 0.5 * (strong and len(words) < 60 and text.before > 0.3 * line.size) + 0.5 * (line.size > 1.4 * body)
    score -= (words[-1] in ",;，；。") + 3 * (mark_of(line) == "•") + (line.size < 0.95 * body) + (len(text.lines) > 2)
    return score


def _levels(texts: Sequence[Paragraph]) -> None:
    heads = [text for text in texts if text.kind == "heading" and not text.level]
    title = _title(texts, heads)
    heads = [text for text in heads if text.kind == "heading" and text is not title]
    plain = [text for text in heads if not _depth(text)]
    order = _orders(plain)
    numbered = [text.size for text in heads if _depth(text) == 1]
    top = median(numbered) if numbered else 0.0
    shift = bool(numbered) and sum(text.size > top + 0.4 and text.page > 0 for text in plain) > 1
    for text in heads:
        depth = _depth(text)
        text.level = min(_DEEPEST, depth + shift if depth else order[look(text)])


def _orders(plain: Sequence[Paragraph]) -> dict[Look, int]:
    """The level of each look, the largest first; sizes that hardly differ are of one level."""
    order: dict[Look, int] = {}
    last: Look | None = None
    for each in sorted({look(text) for text in plain}, reverse=True):
        same = last is not None and last[0] - each[0] <= _SAME and last[1] == each[1]
        order[each] = len(set(order.values())) + (not same)
        last = each
    return order


def _depth(text: Paragraph) -> int:
    return chapter_depth(text_of(text.lines))


def _title(texts: Sequence[Paragraph], heads: Sequence[Paragraph]) -> Paragraph | None:
    """What begins the document in a look of its own: its first line is the title, the others of a cover are text."""
    cover: list[Paragraph] = []
    for text in texts:
        running = text.kind != "heading" and text.align != "center" and (cover or len(text_of(text.lines)) > _COVER)
        if text.page > 0 or running:
            break
        cover += [text] if text.kind == "heading" else []
    inside = {look(text) for text in heads if text not in cover}
    own = [text for text in cover if look(text) not in inside and not _depth(text)]
    if not own or (not inside and len(heads) == len(own) == 1) or look(own[0]) < max(inside, default=(0.0, False)):
        return None
    for text in own[1:]:
        below = text is own[1] and inside and look(text) > max(inside)
        if below or text.align in ("center", "right"):
            text.kind = "text"
    return own[0]


def _told_by_contents(texts: Sequence[Paragraph], body: float) -> None:
    """What the table of contents names is a heading; without a look or number of its own, as deep as its entry is."""
    entries = [(text, _bare(text)) for text in texts if text.contents and len(text.lines) == 1]
    places = sorted({round(entry.lines[0].box[0] / 4) for entry, _ in entries})
    depths = {words: places.index(round(entry.lines[0].box[0] / 4)) + 1 for entry, words in entries if words}
    for text in texts:
        words = _bare(text)
        if not text.contents and len(text.lines) <= 3 and words in depths:
            plain = look(text) <= (body, False) and not _depth(text)
            text.kind, text.level = "heading", min(_DEEPEST, depths[words]) if plain else 0


def _bare(text: Paragraph) -> str:
    """The words without blanks, dots and the page's number."""
    words = text_of(text.lines)
    return "".join((CONTENTS.sub("", words) if text.contents else words).split()).rstrip(".…")


def _numbered(blocks: Sequence[Block]) -> list[Paragraph]:
    """Short numbered lines with other text between them are headings, not a list."""
    groups: dict[tuple[int, bool, int, bool], list[int]] = defaultdict(list)
    for at, block in enumerate(blocks):
        if isinstance(block, Paragraph) and not block.contents:
            text = text_of(block.lines).strip()
            depth = chapter_depth(text)
            if depth:
                groups[depth, text[0].isdigit(), round(block.size), block.lines[0].bold].append(at)
    found = []
    for (depth, *_), places in groups.items():
        own = [block for at in places if isinstance(block := blocks[at], Paragraph)]
        if len(own) >= 2 and _apart(places) and _counts_up(own, depth):
            found += [text for text in own if _short(text)]
    return found


def _apart(places: Sequence[int]) -> bool:
    """Whether other text mostly stands between."""
    return sum(at + 1 in places for at in places) <= 0.35 * len(places)


def _counts_up(own: Sequence[Paragraph], depth: int) -> bool:
    texts = [text_of(text.lines).strip() for text in own]
    numbers = [found[0] for text in texts if (found := _FIRST.match(text))]
    starts = depth > 1 or any(each.strip(".") in ("1", "一") or each.startswith(("第一", "第1")) for each in numbers)
    return starts and len(set(numbers)) > 0.7 * len(own) and sum(map(_short, own)) >= 0.6 * len(own)


def _short(text: Paragraph) -> bool:
    words = text_of(text.lines).strip()
    return len(text.lines) < 3 and 4 < len(words) < 70 and words[-1] not in ".;:,。；：，、" and not _RANGE.match(words)


def _items(texts: Sequence[Paragraph]) -> None:
    marked = [(text, mark) for text in texts if (mark := mark_of(text.lines[0])) and not text.contents]
    for at, (text, mark) in enumerate(marked):
        near = marked[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS + 1]
        mates = [other for other, its in near if other is not text and _mates((text, mark), (other, its))]
        typed = any(map(_flush, (text, *mates)))
        if not typed and _is_item(text, mark, bool(mates)):
            text.kind, text.mark = "item", mark


def _items_in(cell: Cell) -> None:
    """Bullets below each other: one alone is a tick, marks a field, or stands for no value; numbers are of a form."""
    runs = itertools.groupby(cell.blocks, lambda block: isinstance(block, Paragraph) and mark_of(block.lines[0]) == "•")
    for bullets, run in runs:
        texts = [block for block in run if bullets and isinstance(block, Paragraph)]
        if len(texts) > 1:
            _items(texts)
    _depths(cell.blocks)


def _mates(one: tuple[Paragraph, str], other: tuple[Paragraph, str]) -> bool:
    return family(one[1]) == family(other[1]) and abs(one[0].lines[0].box[0] - other[0].lines[0].box[0]) < 3


def _is_item(text: Paragraph, mark: str, mates: bool) -> bool:
    line = text.lines[0]
    # A gap further on parts a date from a name.
    behind = line.text.lstrip()[len(mark) :].lstrip(" \xa0\u3000")
    set_off = behind.startswith("\t") or text.first < -4
    if text.align in ("center", "right") or (family(mark).startswith("multi") and not set_off):
        return False
    return mark == "•" or ((set_off or mates) and len(text_of(text.lines).strip()) > len(mark) + 1)


def _flush(text: Paragraph) -> bool:
    """Whether its lines do not begin behind its mark, as a list's do: the mark was typed."""
    return len(text.lines) > 1 and text.first > -1 and not text.lines[0].tabs


def _depths(blocks: Sequence[Block]) -> None:
    """An item further in than the one before is below it."""
    stack: list[float] = []
    for block in blocks:
        if isinstance(block, Paragraph) and block.kind == "item":
            left = block.lines[0].box[0]
            while stack and stack[-1] > left + 4:
                stack.pop()
            if not stack or left > stack[-1] + 4:
                stack.append(left)
            block.level = min(8, len(stack) - 1)
        elif isinstance(block, Paragraph) and block.kind == "heading":
            stack = []
