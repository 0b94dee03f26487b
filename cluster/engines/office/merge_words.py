"""Words that a merge itself puts into a Word document, in their language."""

import re
from typing import Any

from cluster.engines.office.package import W

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
#: Letters by which a language is known, the surest first: only Japanese has kana, and Chinese may stand in all.
_LETTERS = (
    ("ja-JP", re.compile("[\u3041-\u30ff]")),
    ("ko-KR", re.compile("[\uac00-\ud7a3]")),
    ("zh-CN", re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")),
)


def run_of(parent: Any, words: str, large: bool = False) -> Any:
    """A run of the words, tagged with their East Asian language; `large` is that of a heading: bold, 16 points."""
    run, look = (parent.makeelement(W + tag) for tag in ("r", "rPr"))
    tongue = next((name for name, letters in _LETTERS if letters.search(words)), "")
    said = [("rFonts", "hint", "eastAsia")] if tongue else []
    said += [("b", "", ""), ("sz", "val", "32"), ("szCs", "val", "32")] if large else []
    said += [("lang", "eastAsia", tongue)] if tongue else []
    for tag, name, value in said:
        look.append(look.makeelement(W + tag, {W + name: value} if name else {}))
    if len(look):
        run.append(look)
    text = run.makeelement(W + "t", {_SPACE: "preserve"})
    text.text = words
    run.append(text)
    return run
