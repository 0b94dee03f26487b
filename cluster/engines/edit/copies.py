"""Removed words elsewhere in a document: bookmarks, document information, comments, values of fields, tags."""

import re
from collections.abc import Iterable
from typing import Any

import pikepdf
from pikepdf import String

from cluster.engines.pdf.nodes import Key, get, is_dictionary, items
from cluster.engines.pdf.streams import decoded

#: What stands for removed words; letters that make a word worth looking for.
_GONE, _SHORTEST = "█", 3
_MOST, _LONGEST = 200_000, 500
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")


def clean_copies(pdf: "pikepdf.Pdf", words: Iterable[str]) -> int:
    """Strings of the document that hold removed words hold them no more; how many those were."""
    gone = _Words(words)
    cleaned = 0
    for node, key in _strings(pdf):
        held = node.get(key)
        if isinstance(held, String) and (left := gone.without(told := str(held))) != told:
            node[key] = String(left)
            cleaned += 1
    return cleaned + _metadata(pdf, gone)


class _Words:
    """Thousands of words at once, found whatever blanks stand between their letters and in whatever case.

    Single letters and the like are found everywhere, so they do not count.
    """

    def __init__(self, words: Iterable[str]) -> None:
        plain = ("".join(each.split())[:_LONGEST] for each in words)
        self.all = {_folded(each) for each in plain if len(each) >= (2 if _CJK.search(each) else _SHORTEST)}
        lengths: dict[str, set[int]] = {}
        for each in self.all:
            lengths.setdefault(each[:2], set()).add(len(each))
        #: Lengths of the words that begin with two letters, the longest first.
        self.lengths = {head: sorted(each, reverse=True) for head, each in lengths.items()}

    def without(self, text: str) -> str:
        """The text with a sign instead of each word."""
        letters = [at for at, letter in enumerate(text) if not letter.isspace()]
        plain = _folded("".join(text[at] for at in letters))
        made, copied, at = list[str](), 0, 0
        while at < len(plain):
            size = self.found(plain, at)
            if size:
                made += [text[copied : letters[at]], _GONE]
                copied = letters[at + size - 1] + 1
            at += size or 1
        return "".join(made) + text[copied:]

    def found(self, plain: str, at: int) -> int:
        """How long the longest word is that begins there."""
        sizes = self.lengths.get(plain[at : at + 2], ())
        return next((size for size in sizes if at + size <= len(plain) and plain[at : at + size] in self.all), 0)


def _folded(text: str) -> str:
    """In small letters, each in the place where it was."""
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _strings(pdf: "pikepdf.Pdf") -> Iterable[tuple[Any, str]]:
    """Dictionaries and their keys that hold words for people."""
    info: Any = pdf.trailer.get("/Info")
    if is_dictionary(info):
        yield from ((info, key) for key in list(info.keys()))
    for node in _below(get(pdf.Root, "/Outlines"), ("/First", "/Next")):
        yield node, "/Title"
    for node in _below(get(pdf.Root, "/StructTreeRoot"), ("/K",)):
        yield from ((node, key) for key in ("/ActualText", "/Alt", "/E", "/T"))
    for page in pdf.pages:
        for annotation in items(page.obj.get("/Annots")):
            if is_dictionary(annotation):
                yield from ((annotation, key) for key in ("/Contents", "/RC", "/Subj", "/TU"))
    for node in _below(get(pdf.Root, "/AcroForm"), ("/Fields", "/Kids")):
        yield from ((node, key) for key in ("/V", "/DV", "/RV", "/TU"))


def _below(top: Any, keys: tuple[str, ...]) -> Iterable[Any]:
    """The dictionaries that these keys lead to, from one on; each once."""
    waiting, seen = [top], set[Key]()
    while waiting and len(seen) < _MOST:
        node = waiting.pop()
        if isinstance(node, pikepdf.Array):
            waiting += list(node)
        elif is_dictionary(node):
            if node.is_indirect:
                if node.objgen in seen:
                    continue
                seen.add(node.objgen)
            yield node
            waiting += [node[key] for key in keys if key in node]


def _metadata(pdf: "pikepdf.Pdf", gone: _Words) -> int:
    held = get(pdf.Root, "/Metadata")
    if not isinstance(held, pikepdf.Stream):
        return 0
    text = (decoded(held) or b"").decode("utf-8", "replace")
    if (left := gone.without(text)) == text:
        return 0
    pdf.Root["/Metadata"] = pdf.make_stream(
        left.encode(), pikepdf.Dictionary(Type=pikepdf.Name.Metadata, Subtype=pikepdf.Name.XML)
    )
    return 1
