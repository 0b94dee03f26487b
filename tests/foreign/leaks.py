"""No other page's words in a part: what pages show and say is looked for in the parts they do not belong to.

A string that a content stream shows is compared as bytes, so that fonts with codes of their own hide nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf

#: Shorter strings stand on every second page by chance.
_LEAST = 6
_DISTINCT = 3
_WORD = re.compile(r"\w{6,}")
#: Streams that hold no words of a page: fonts, pictures, profiles, metadata.
_MUTE = {"/Image", "/XML", "/Type1C", "/CIDFontType0C", "/OpenType"}
_LARGEST = 4 << 20


@dataclass(frozen=True)
class Shown:
    """Strings by the content of each page, and those that forms (which pages may share) show."""

    pages: list[frozenset[bytes]]
    forms: frozenset[bytes]
    said: list[str]


def shown_by(path: Path) -> Shown:
    """What the pages of a source show. Called aside."""
    with pikepdf.open(path) as pdf:
        pages = [frozenset(_operands(page)) for page in pdf.pages]
        forms = {text for each in _forms(pdf) for text in _operands(each)}
        tags = _tags(pdf)
        said = [
            "\n".join([*_strings(page.obj.get("/Annots"), 0, far=True), *tags.get(page.objgen, ())])
            for page in pdf.pages
        ]
        return Shown(pages, frozenset(forms), said)


def leaked(part: Path, shown: Shown, texts: Sequence[str], pages: frozenset[int]) -> list[str]:
    """Strings and words in `part` that only other pages than `pages` show. Called aside."""
    own = shown.forms.union(*(shown.pages[page - 1] for page in pages))
    others = frozenset().union(*(each for number, each in enumerate(shown.pages, 1) if number not in pages))
    with pikepdf.open(part) as pdf:
        held = {text for each in pdf.objects if isinstance(each, pikepdf.Stream) for text in _stream_texts(each)}
        found = [text.decode("latin-1") for text in (others - own) & held]
        return found + sorted(_words_said(pdf, shown, texts, pages))


def _words_said(pdf: pikepdf.Pdf, shown: Shown, texts: Sequence[str], pages: frozenset[int]) -> set[str]:
    """Words of other pages in the part's strings: titles of tags, alternative texts, values."""
    own = "\n".join(texts[page - 1] + shown.said[page - 1] for page in pages if page <= len(texts))
    others = {word for number, text in enumerate(texts, 1) if number not in pages for word in _WORD.findall(text)}
    free = "\n".join([own, *map(str, (pdf.docinfo or {}).values()), *_outline(pdf), *_places(pdf)])
    said = "\n".join(text for each in pdf.objects for text in _strings(each, 0))
    return {word for word in others & set(_WORD.findall(said)) if word not in free}


def _outline(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Titles and addresses of bookmarks: those above a kept one are kept with it, and those that lead to no page."""
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and "/Title" in each and "/Parent" in each and "/S" not in each:
            yield str(each["/Title"])
            yield from _strings(each.get("/A"), 1)


def _places(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Names of places on the part's own pages, such as "section*.2"."""
    tree = pdf.Root.get("/Names", pikepdf.Dictionary()).get("/Dests")
    own = {page.objgen for page in pdf.pages}
    for name, place in pikepdf.NameTree(tree).items() if tree is not None and tree.is_indirect else ():
        place = place.get("/D") if isinstance(place, pikepdf.Dictionary) else place
        if isinstance(place, pikepdf.Array) and len(place) and getattr(place[0], "objgen", None) in own:
            yield name


def _tags(pdf: pikepdf.Pdf) -> dict[Any, list[str]]:
    """Page -> what the tags of its content say, of those that have none elsewhere."""
    found: dict[Any, list[str]] = {}
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and "/S" in each and "/K" in each:
            kids = each.K if isinstance(each.K, pikepdf.Array) else [each.K]
            pages = {getattr(page, "objgen", None) for kid in kids for page in _pages_of(kid, each.get("/Pg"))}
            if len(pages) == 1:
                found.setdefault(pages.pop(), []).extend(_strings(each, 0))
    return found


def _pages_of(kid: Any, page: Any) -> list[Any]:
    return [kid.get("/Pg", page)] if isinstance(kid, pikepdf.Dictionary) else [page]


def _forms(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Stream]:
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form":
            yield each


def _stream_texts(stream: pikepdf.Stream) -> set[bytes]:
    kind = str(stream.get("/Subtype", stream.get("/Type", "")))
    font = any(name in stream for name in ("/Length1", "/CIDSystemInfo", "/N", "/FunctionType"))
    return set() if kind in _MUTE or font else set(_operands(stream))


def _operands(content: Any) -> Iterator[bytes]:
    """The strings that a page or stream shows, those of one TJ joined."""
    try:
        if isinstance(content, pikepdf.Stream) and len(content.read_bytes()) > _LARGEST:
            return
        steps = pikepdf.parse_content_stream(content, "Tj TJ ' \"")
    except Exception:  # not a content stream, or one that does not decode
        return
    for step in steps:
        last = step.operands[-1] if len(step.operands) else None
        parts = list(last) if isinstance(last, pikepdf.Array) else [last]
        text = b"".join(bytes(part) for part in parts if isinstance(part, pikepdf.String))
        if len(text) >= _LEAST and len(set(text)) >= _DISTINCT:
            yield text


def _strings(node: Any, depth: int, *, far: bool = False) -> list[str]:
    """Strings in `node`; with `far` also behind its references. Lists of glyph names are no words."""
    if isinstance(node, pikepdf.String):
        return [str(node)]
    if depth > 6:
        return []
    if isinstance(node, pikepdf.Array):
        return [text for each in node for text in _below(each, depth, far)]
    if isinstance(node, pikepdf.Dictionary) and not (depth and node.get("/Type") == "/Page"):
        below = (each for key, each in node.items() if key not in ("/P", "/Parent", "/CharSet"))
        return [text for each in below for text in _below(each, depth, far)]
    return []


def _below(node: Any, depth: int, far: bool) -> list[str]:
    return _strings(node, depth + 1, far=far) if far or not getattr(node, "is_indirect", False) else []
