"""How much content a page unfolds to when it is drawn: hostile forms draw each other, doubling at every level.
So do fields that name each other.

Readers die of such pages, so whatever draws asks here first; taking pages out or turning them needs no drawing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pikepdf

from cluster.engines.pdf.burden import largest
from cluster.engines.pdf.nodes import inherited
from cluster.engines.pdf.streams import decoded
from cluster.files import Source
from cluster.problem import LimitProblem

#: Bytes of content that drawing a page may run through, a form counted as often as it is drawn.
#: pdfium holds twenty times as much in memory, and a part has 2 GiB.
_MOST = 64 << 20
#: What drawing a form costs besides its content.
_DRAWING = 64
#: Readers follow forms within forms, and fields within fields, no deeper.
_DEEPEST = 32
#: How often pdfium may come to a field: ten times as many as the largest forms have.
_MOST_VISITS = 200_000
_USES = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+(Do|gs|scn|SCN)(?![A-Za-z])")
_HOMES = {b"Do": "/XObject", b"gs": "/ExtGState", b"scn": "/Pattern", b"SCN": "/Pattern"}


def check_drawable(source: Source, pdf: pikepdf.Pdf) -> None:
    """Raise too_large_when_opened when a page of the document unfolds to more than can be drawn."""
    unfolding = _Unfolding()
    for page in pdf.pages:
        if unfolding.page(page) > _MOST:
            raise LimitProblem("too_large_when_opened", file=source.name)


def form_ends(pdf: pikepdf.Pdf) -> bool:
    """Whether pdfium, which follows the fields down to each one by every way there is, comes to an end."""
    level, visits = _below([(_get(pdf.Root, "/AcroForm"), 1)], "/Fields"), 0
    for _ in range(_DEEPEST):
        visits += sum(times for _, times in level)
        if visits > _MOST_VISITS:
            return False
        level = _below(level, "/Kids")
    return True


def _below(nodes: list[tuple[Any, int]], key: str) -> list[tuple[Any, int]]:
    """The nodes' kids, each once with the number of ways to it."""
    found: dict[Any, tuple[Any, int]] = {}
    for node, times in nodes:
        kids = _get(node, key)
        for kid in kids if _is_array(kids) else ():
            if isinstance(kid, pikepdf.Dictionary):
                known = kid.objgen if kid.is_indirect else object()
                found[known] = kid, times + found.get(known, (kid, 0))[1]
    return list(found.values())


class _Content(NamedTuple):
    """Size of content in bytes, and how often it uses what: (name, operator) -> times."""

    size: int
    uses: Counter[tuple[bytes, bytes]]


class _Unfolding:
    def __init__(self) -> None:
        self.contents: dict[Any, _Content] = {}
        self.weights: dict[Any, int] = {}

    def page(self, page: pikepdf.Page) -> int:
        """Bytes of content that drawing the page runs through; not exact above the bound."""
        streams, resources = list(_streams(page.obj.get("/Contents"))), inherited(page, "/Resources")
        if not _draws(resources) and sum(map(largest, streams)) <= _MOST:
            return 0
        return self._weight(self._content(streams), resources, _DEEPEST)

    def _weight(self, content: _Content, resources: Any, depth: int) -> int:
        total = content.size
        for (name, how), times in content.uses.items():
            for form in _forms(_named(resources, _HOMES[how], name)):
                total += times * (_DRAWING + self._form(form, resources, depth - 1))
        return min(total, _MOST + 1)

    def _form(self, form: Any, resources: Any, depth: int) -> int:
        key = form.objgen, depth
        if depth and key not in self.weights:
            own = form.get("/Resources") or resources
            self.weights[key] = self._weight(self._content([form]), own, depth)
        return self.weights.get(key, 0)

    def _content(self, streams: list[Any]) -> _Content:
        key = tuple(stream.objgen for stream in streams)
        if key not in self.contents:
            # A name and its operator may stand in two streams of a page.
            data = b"\n".join(decoded(stream) or b"" for stream in streams)
            self.contents[key] = _Content(len(data), Counter(_USES.findall(data) if len(data) <= _MOST else ()))
        return self.contents[key]


def _streams(contents: Any) -> Iterator[Any]:
    parts = list(contents) if _is_array(contents) else [contents]
    yield from (part for part in parts if isinstance(part, pikepdf.Stream))


def _draws(resources: Any) -> bool:
    if not isinstance(resources, pikepdf.Dictionary):
        return False
    return "/XObject" in resources or "/Pattern" in resources or "/ExtGState" in resources


def _forms(found: Any) -> Iterator[Any]:
    """The forms that drawing it draws: itself, its soft mask's, a pattern's cell."""
    group = _get(_get(found, "/SMask"), "/G")
    for each in (found, group):
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") != "/Image":
            yield each


def _named(resources: Any, home: str, name: bytes) -> Any:
    plain = re.sub(rb"#([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), name)
    try:
        return _get(_get(resources, home), "/" + plain.decode("utf-8", "surrogateescape"))
    except (ValueError, TypeError):  # a name that is not text
        return None


def _get(node: Any, key: str) -> Any:
    return node.get(key) if isinstance(node, pikepdf.Dictionary | pikepdf.Stream) else None


def _is_array(node: Any) -> bool:
    return isinstance(node, pikepdf.Array)
