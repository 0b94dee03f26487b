"""Handwriting faces of npm packages under the OFL: the page shows them, the sandbox draws with the same files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from cluster.settings import settings

Hand = Literal["ma-shan-zheng", "zhi-mang-xing", "liu-jian-mao-cao", "long-cang", "caveat", "dancing-script"]

#: The largest subset that a package has; those with 汉字 hold Latin letters, too.
_SUBSETS: Mapping[str, str] = {
    "ma-shan-zheng": "chinese-simplified",
    "zhi-mang-xing": "chinese-simplified",
    "liu-jian-mao-cao": "chinese-simplified",
    "long-cang": "chinese-simplified",
    "caveat": "latin",
    "dancing-script": "latin",
}
#: Draws what a Latin hand lacks.
FALLBACK: Hand = "ma-shan-zheng"


def is_hand(family: str) -> bool:
    """Whether a font family is one of handwriting."""
    return family in _SUBSETS


def file_of(hand: str) -> Path:
    """The face's file, a WOFF."""
    return settings().hands / hand / "files" / f"{hand}-{_SUBSETS[hand]}-400-normal.woff"
