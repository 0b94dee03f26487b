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
_MOST, _WORDS = 200_000, 2000
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")


def clean_copies(pdf: "pikepdf.Pdf", words: Iterable[str]) -> int:
    """Strings of the document that hold removed words hold them no more; how many those were."""
    pattern = _pattern(words)
    if pattern is None:
        return 0
    cleaned = 0
    for node, key in _strings(pdf):
        held = node.get(key)
        if isinstance(held, String) and pattern.search(str(held)):
            node[key] = String(pattern.sub(_GONE, str(held)))
            cleaned += 1
    return cleaned + _metadata(pdf, pattern)


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Words whatever blanks stand between their letters; single letters and the like are found everywhere."""
    plain = {"".join(each.split()) for each in words}
    kept = sorted(
        (each for each in plain if len(each) >= (2 if _CJK.search(each) else _SHORTEST)), key=len, reverse=True
    )
    told = [r"\s*".join(re.escape(letter) for letter in each[:500]) for each in kept[:_WORDS]]
    return re.compile("|".join(told), re.IGNORECASE) if told else None


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


def _metadata(pdf: "pikepdf.Pdf", pattern: re.Pattern[str]) -> int:
    held = get(pdf.Root, "/Metadata")
    if not isinstance(held, pikepdf.Stream):
        return 0
    text = (decoded(held) or b"").decode("utf-8", "replace")
    if not pattern.search(text):
        return 0
    pdf.Root["/Metadata"] = pdf.make_stream(
        pattern.sub(_GONE, text).encode(), pikepdf.Dictionary(Type=pikepdf.Name.Metadata, Subtype=pikepdf.Name.XML)
    )
    return 1
