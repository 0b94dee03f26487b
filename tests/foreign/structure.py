"""Links, fields, outline, annotations: what a document holds beside its pages' ink, and what must come over."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests import look
from tests.look import Entry, Link

#: A flag of annotations (ISO 32000-2, table 167).
_NO_ROTATE = 1 << 4
#: (source, page) of each page of a result; None where nothing is known of it.
Origins = Sequence[tuple[int, int] | None]


@dataclass(frozen=True)
class Structure:
    """What pikepdf finds; None where it cannot tell."""

    links: list[Link] | None = None
    widgets: list[tuple[int, str]] | None = None
    notes: list[tuple[int, str]] | None = None
    outline: list[Entry] | None = None
    attachments: list[str] | None = None
    distinct: bool = False
    #: Pages with a note that stays upright when they are turned.
    upright: frozenset[int] = frozenset()
    #: Its form leaves the looks of fields to readers, who differ.
    redrawn: bool = False
    tagged: bool = False


def structure_of(path: Path) -> Structure:
    """Called aside: pikepdf reads hostile files here."""
    return Structure(
        _or_none(look.links_of, path),
        _or_none(look.widgets_of, path),
        _or_none(look.notes_of, path),
        _or_none(look.outline_of, path),
        _or_none(lambda path: sorted(look.attachments_of(path)), path),
        bool(_or_none(_distinct, path)),
        _or_none(_upright, path) or frozenset(),
        bool(_or_none(_redrawn, path)),
        bool(_or_none(_tagged, path)),
    )


def _or_none(ask: Callable[[Path], Any], path: Path) -> Any:
    try:
        return ask(path)
    except Exception:  # malformed in one of a thousand ways
        return None


def _distinct(path: Path) -> bool:
    """Whether no page object stands in the tree twice: else a target page has no number."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        return len({page.obj.objgen for page in pdf.pages}) == len(pdf.pages)


def _upright(path: Path) -> frozenset[int]:
    import pikepdf

    with pikepdf.open(path) as pdf:
        flags = [[int(each.get("/F", 0)) for each in page.obj.get("/Annots", [])] for page in pdf.pages]
    return frozenset(number for number, each in enumerate(flags, 1) if any(flag & _NO_ROTATE for flag in each))


def _redrawn(path: Path) -> bool:
    import pikepdf

    with pikepdf.open(path) as pdf:
        return bool(pdf.Root.AcroForm.get("/NeedAppearances", False))


def _tagged(path: Path) -> bool:
    import pikepdf

    with pikepdf.open(path) as pdf:
        return "/StructTreeRoot" in pdf.Root


def lost(kinds: frozenset[str], sources: Sequence[Structure], result: Structure, origins: Origins) -> Iterator[str]:
    """What of `kinds` the pages named in `origins` had in their sources and `result` has no longer."""
    for kind in sorted(kinds):
        wanted, found = _ASKED[kind](sources, result, origins)
        if wanted is not None and found is not None and (missing := wanted - found):
            yield f"{kind} lost: {missing.total()} of {wanted.total()}"


def _homes(origins: Origins) -> list[int]:
    """Of each page of a result its number, or that of the page before whose cut-off strip it is."""
    return list(accumulate((number if origin else 0 for number, origin in enumerate(origins, 1)), max))


_Counts = tuple["Counter[Any] | None", "Counter[Any] | None"]


def _links(sources: Sequence[Structure], result: Structure, origins: Origins) -> _Counts:
    places = {origin: number for number, origin in enumerate(origins, 1) if origin}
    if result.links is None or any(source.links is None for source in sources):
        return None, None
    wanted: Counter[Any] = Counter()
    for index, source in enumerate(sources):
        for link in source.links or ():
            page, to = places.get((index, link.page)), places.get((index, link.to or 0))
            if page and (link.uri is not None or (to and source.distinct)):
                wanted[page, to, link.uri] += 1
    homes = _homes(origins)
    return wanted, Counter((homes[link.page - 1], link.to, link.uri) for link in result.links)


def _on_pages(name: str, named: bool) -> Callable[[Sequence[Structure], Structure, Origins], _Counts]:
    def counted(sources: Sequence[Structure], result: Structure, origins: Origins) -> _Counts:
        places, homes = {origin: number for number, origin in enumerate(origins, 1) if origin}, _homes(origins)
        held = [getattr(source, name) for source in sources]
        found = getattr(result, name)
        if found is None or None in held:
            return None, None
        wanted = Counter(
            (places[index, page], text if named else "")
            for index, each in enumerate(held)
            for page, text in each
            if (index, page) in places
        )
        return wanted, Counter((homes[page - 1], text if named else "") for page, text in found)

    return counted


def _outline(sources: Sequence[Structure], result: Structure, origins: Origins) -> _Counts:
    places = {origin: number for number, origin in enumerate(origins, 1) if origin}
    if result.outline is None or any(source.outline is None for source in sources):
        return None, None
    wanted = Counter(
        (entry.title, places[index, entry.page])
        for index, source in enumerate(sources)
        for entry in source.outline or ()
        if entry.page and source.distinct and (index, entry.page) in places
    )
    return wanted, Counter((entry.title, entry.page) for entry in result.outline)


def _attachments(sources: Sequence[Structure], result: Structure, origins: Origins) -> _Counts:
    if result.attachments is None or any(source.attachments is None for source in sources):
        return None, None
    wanted = Counter(name for source in sources for name in source.attachments or ())
    return Counter(found=wanted.total()), Counter(found=len(result.attachments))


_ASKED: dict[str, Callable[[Sequence[Structure], Structure, Origins], _Counts]] = {
    "links": _links,
    "fields": _on_pages("widgets", named=False),
    "annotations": _on_pages("notes", named=True),
    "outline": _outline,
    "attachments": _attachments,
}
