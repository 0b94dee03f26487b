"""What letters tell: marks of lists, numbers of chapters, dotted lines of a table of contents, how lines are joined."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cluster.engines.layout.model import Span, TextLine

#: Boxes that are ticked, or not.
_TICKS = "□■☐☑☒√✓"
BULLETS = "•◦▪‣∙·○●■□◆▶►➢➤✓√–—−*-"
_ROMAN = {name: at + 1 for at, name in enumerate(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])}
_CHINESE = "一二三四五六七八九十"
#: The first of the letters that only Chinese and Japanese have; quotation marks before them are everybody's.
_CHINESE_FROM = "\u2e80"
NUMBER = re.compile(
    r"(?P<open>[（(]?)(?P<value>\d{1,3}(?:\.\d{1,3}){0,4}|[a-zA-Z]|[ivxIVX]{1,5}|[一二三四五六七八九十]{1,3})"
    r"(?P<close>[.)、）．]?)(?=[\s\u3000]|[^\x00-\x7f]|$|(?<=\d[.)])[A-Z])"
)
CHAPTER = re.compile(
    r"第\s?[一二三四五六七八九十百\d]+\s?[章节部篇]|[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十]{1,3}[）)]"
)
CONTENTS = re.compile(r"(\.\s?){4,}\s*[\dIVXivx]+\s*$|…{2,}\s*[\dIVXivx]+\s*$|\t[\dIVXivx]{1,5}\s*$")
_REFERENCE = re.compile(r"\[[\w+]{1,8}\]\s")
ENDS = '.!?。！？:：;；”"'
_WORD = re.compile(r"[\s\u2e80-\uffff]")
_SYMBOLS = re.compile("symbol|wingding|dingbat", re.I)
#: Letters that are much narrower or wider than most, in heights.
_WIDTHS = dict.fromkeys("ijl.,:;'|!", 0.25) | dict.fromkeys("ftIr()[]- \xa0/", 0.32) | dict.fromkeys("mwMW%@", 0.85)
_BROKEN = re.compile(r"[a-zà-ÿ]-$")
_GOES_ON = re.compile(r"[a-zà-ÿ]")


def dense(letter: str) -> bool:
    """Whether it is written without blanks beside it: 汉字, kana and their marks."""
    return (
        "\u2e80" <= letter <= "\u9fff"
        or "\uf900" <= letter <= "\ufaff"
        or "\uff00" <= letter <= "\uffef"
        or (letter in "“”‘’…—" or "\U00020000" <= letter <= "\U0003ffff")
    )


def mark_of(line: TextLine) -> str:
    """The mark that makes the line an item of a list, "•" for every bullet; "" without one.

    Several boxes on a line are choices, of which one is ticked.
    """
    text = line.text.lstrip()
    if not text or (text[0] in _TICKS and any(tick in text[1:] for tick in _TICKS)):
        return ""
    first = line.spans[0]
    if _is_bullet(text[0], first):
        alone = len(first.text.strip()) == 1
        return "•" if len(text) > 1 and (text[1] in " \t\u3000\xa0" or alone) else ""
    if text[:2] in ("o\t", "o "):
        return "•" if re.search("mono|courier", first.style.font, re.I) else ""
    found = NUMBER.match(text)
    if not found or not (found["close"] or "." in found["value"] or found["value"].isdigit()):
        return ""
    return found[0]


def is_reference(line: TextLine) -> bool:
    """Whether it begins as an entry of a list of references does: "[12] …"."""
    return bool(_REFERENCE.match(line.text.lstrip()))


def _is_bullet(letter: str, first: Span) -> bool:
    greek = "\u0370" <= letter <= "\u03ff"  # as formulas are set
    symbol = bool(_SYMBOLS.search(first.style.font)) and len(first.text.strip()) <= 1 and not greek
    return letter in BULLETS or "\ue000" <= letter <= "\uf8ff" or symbol


def family(mark: str) -> str:
    """What marks of one list have in common: `decimal%.`, `multi%`, `chinese（%）`, `bullet` …"""
    found = NUMBER.match(mark + " ")
    if mark == "•" or not found:
        return "bullet"
    return _count_of(found["value"]) + found["open"] + "%" + found["close"]


def _count_of(value: str) -> str:
    if value[0].isdigit():
        return "decimal" if value.isdigit() else "multi"
    if value[0] in _CHINESE:
        return "chinese"
    if value.lower() in _ROMAN and (len(value) > 1 or value.lower() != "c"):
        return "roman" if value.islower() else "Roman"
    return "lower" if value.islower() else "upper"


def value_of(mark: str) -> int:
    """The number that a mark stands for; 1 for a bullet."""
    found = NUMBER.match(mark + " ")
    if mark == "•" or not found:
        return 1
    last = found["value"].split(".")[-1]
    if last.isdigit():
        return int(last)
    if last[0] in _CHINESE:
        return _chinese(last)
    return _ROMAN.get(last.lower()) or ord(last[0].lower()) - 96


def _chinese(text: str) -> int:
    tens, _, ones = text.rpartition("十")
    digit = _CHINESE.find(ones) + 1 if ones else 0
    return digit if "十" not in text else 10 * (_CHINESE.find(tens) + 1 if tens else 1) + digit


def chapter_depth(text: str) -> int:
    """How deep a numbered heading is: 1 for "2 …" or "第二章", 2 for "2.1 …" or "（二）"; 0 without a number."""
    text = text.strip() + " "
    found = re.match(r"(\d+(?:\.\d+)*)(?:\.?[\s\u3000]|\.(?=[A-Z])|(?=[\u2e80-\u9fff]))", text)
    if found:
        return found[1].count(".") + 1
    found = re.match(
        r"第\s?\S{1,3}\s?([章节部篇])|([一二三四五六七八九十]{1,3})、|[（(][一二三四五六七八九十]{1,3}[）)]", text
    )
    if not found:
        return 0
    return 1 if found[1] in ("章", "部", "篇") or found[2] else 2


def fits(above: TextLine, below: TextLine, right: float) -> bool:
    """Whether the first word of `below` would have stood at the end of `above`, so that the line ends a paragraph."""
    room, text, before = right - above.box[2], below.text.strip(), above.text.strip()
    if not text or not before:
        return False
    if dense(text[0]) or dense(before[-1]):
        return room > 2.6 * below.size
    word = _WORD.split(text, maxsplit=1)[0]
    return room > _wide(word) / _wide(text) * below.width + 0.35 * below.size


def _wide(text: str) -> float:
    """The text's width in some usual font, for comparing."""
    return sum(_WIDTHS.get(letter, 1.0 if dense(letter) else 0.68 if letter.isupper() else 0.52) for letter in text)


def joined(lines: Sequence[TextLine]) -> list[Span]:
    """The lines' text as one: blanks between words, none between 汉字, broken words mended."""
    out: list[Span] = []
    compound = False
    for line in lines:
        spans = list(line.spans)
        if out and spans:
            before, after = out[-1].text, line.text.lstrip()
            spans[0] = replace(spans[0], text=spans[0].text.lstrip())
            out[-1] = replace(out[-1], text=before.rstrip() if compound else glued(before, after))
        compound = line.compound
        for span in spans:
            _append(out, span)
    if out:
        out[-1] = replace(out[-1], text=out[-1].text.rstrip())
    return out


def _append(out: list[Span], span: Span) -> None:
    if out and out[-1].style == span.style and out[-1].note is None and span.note is None:
        out[-1] = replace(out[-1], text=out[-1].text + span.text)
    elif span.text or span.note is not None:
        out.append(span)


def glued(before: str, after: str) -> str:
    """What stands before `after` on one line: with a blank behind it, or none, or without the hyphen that broke it.

    Between 汉字 and Latin letters there is one only where it was written.
    """
    bare = before.rstrip()
    if _BROKEN.search(bare) and _GOES_ON.match(after):
        return bare[:-1]
    sides = [*bare[-1:], *after[:1]]
    chinese = any(dense(side) and side >= _CHINESE_FROM for side in sides)
    if len(sides) == 2 and (all(map(dense, sides)) or (bare == before and (chinese or bare[-1] in "-/"))):
        return bare
    return bare + " "


def text_of(lines: Iterable[TextLine]) -> str:
    """As `joined`, plain."""
    return "".join(span.text for span in joined(list(lines)))


def usual_size(lines: Iterable[TextLine]) -> float:
    """The size of most letters."""
    count: Counter[float] = Counter()
    for line in lines:
        count[line.size] += len(line.text)
    return count.most_common(1)[0][0] if count else 10.5
