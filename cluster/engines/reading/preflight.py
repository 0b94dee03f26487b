"""What kind of page a page is: its own text, a picture of text, both, or text that may not be what is seen.

Letters lie where a font tells them wrong (garbled), or where somebody else's OCR laid its text under a scan (layered).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pymupdf

Kind = Literal["digital", "scanned", "mixed", "garbled", "layered", "blank"]
#: Fewer letters than this are a stamp or a number on a page.
_FEW, _STAMP = 12, 200
#: Share of the page that pictures cover: a scan's, and one that holds most of the page.
_COVERED, _MOSTLY = 0.3, 0.7
#: A page without text but with so many drawings has its letters drawn as outlines.
_OUTLINES = 150
#: Shares of letters that are none, and of rare or impossible ones, from which a text is not believed.
_BROKEN, _RARE = 0.1, 0.45
_TELLING = 60
#: More scripts than this that each make up this share of the letters are no text.
_SCRIPTS, _SHARE = 4, 0.02
_HAN = re.compile("[\u4e00-\u9fff]")
_LATIN = re.compile("[a-zA-Z]")
_VOWELS = re.compile("[aeiouyAEIOUY]")
#: The rows of usual characters in the standards of China, Taiwan and Japan.
_USUAL = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("shift_jis", 0x88, 0x97))


def kind_of_page(page: "pymupdf.Page") -> Kind:
    """The page's kind, by its text and how much of it pictures cover; nothing is read by OCR."""
    text = page.get_text("text")
    letters = len("".join(text.split()))
    covered = _covered(page)
    if letters < _FEW:
        drawn = covered > _COVERED or _outlines(page)
        return "scanned" if drawn else "digital" if letters else "blank"
    if doubtful(text):
        return "garbled"
    if covered <= _MOSTLY:
        return "digital"
    return "mixed" if letters < _STAMP else "layered" if hidden(page) else "digital"


def hidden(page: "pymupdf.Page") -> bool:
    """Whether most of the page's text is not drawn: words behind a scan, for searching."""
    count = Counter(kind for kind, _ in page.get_bboxlog())
    return count["ignore-text"] > count["fill-text"] + count["stroke-text"]


def doubtful(text: str) -> bool:
    """Whether the letters are likely not those that are seen: no letters, rare 汉字, Latin without vowels."""
    letters = [letter for letter in text if not letter.isspace()]
    if len(letters) < _FEW:
        return False
    broken = sum(_is_broken(letter) for letter in letters)
    odd = _rare(_HAN.findall(text)) or _toneless(_LATIN.findall(text)) or _mixed(letters)
    return broken > _BROKEN * len(letters) or odd


def _is_broken(letter: str) -> bool:
    return letter == "\ufffd" or unicodedata.category(letter) in ("Cc", "Co", "Cn")


def _mixed(letters: Sequence[str]) -> bool:
    """Whether letters of more scripts stand there than anybody writes on one page."""
    if len(letters) < _TELLING:
        return False
    scripts = Counter(unicodedata.name(letter, "?").partition(" ")[0] for letter in letters if letter.isalpha())
    return sum(count > _SHARE * scripts.total() for count in scripts.values()) > _SCRIPTS


def _rare(letters: Sequence[str]) -> bool:
    if len(letters) < _TELLING:
        return False
    best = max(sum(_usual(letter, *standard) for letter in letters) for standard in _USUAL)
    return best < (1 - _RARE) * len(letters)


def _usual(letter: str, encoding: str, first: int, last: int) -> bool:
    try:
        return first <= letter.encode(encoding)[0] <= last
    except UnicodeEncodeError:
        return False


def _toneless(letters: Sequence[str]) -> bool:
    vowels = sum(bool(_VOWELS.match(letter)) for letter in letters)
    return len(letters) >= 2 * _TELLING and not 0.2 < vowels / len(letters) < 0.65


def _covered(page: "pymupdf.Page") -> float:
    """Share of the page under its largest pictures, at most 1."""
    area = float(max(1.0, abs(page.rect.width * page.rect.height)))
    covered = sum(_visible(page, info["bbox"]) for info in page.get_image_info())
    return min(1.0, covered / area)


def _visible(page: "pymupdf.Page", box: Any) -> float:
    x0, y0, x1, y1 = page.rect
    return float(max(0.0, min(box[2], x1) - max(box[0], x0)) * max(0.0, min(box[3], y1) - max(box[1], y0)))


def _outlines(page: "pymupdf.Page") -> bool:
    return len([kind for kind, _ in page.get_bboxlog() if kind != "fill-text"]) > _OUTLINES


def likeness(one: str, other: str) -> float:
    """How much of the letters two readings share, whatever their order: 0 to 1."""
    first, second = Counter("".join(one.split())), Counter("".join(other.split()))
    both = sum((first & second).values())
    return 2 * both / max(1, first.total() + second.total())
