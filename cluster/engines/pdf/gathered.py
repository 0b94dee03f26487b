"""The pictures that pages draw, each once, gathered into one small PDF of nothing else.

So what reads them next meets neither a lock nor damage, and a picture that stood among the words of a page (inline)
is an object like any other.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.burden import unpacked
from cluster.engines.pdf.drawn import UNHEARD, Heard, Key, Matrix, Walk
from cluster.engines.pdf.nodes import inherited

if TYPE_CHECKING:
    import pikepdf

#: The entry of the small PDF's catalogue that lists the pictures.
LISTED = "/Pictures"


@dataclass(frozen=True)
class Found:
    """A picture as its page (from 1) first draws it; the same on later pages is not found again."""

    image: Any
    page: int


def gather(pdf: "pikepdf.Pdf", numbers: Iterable[int], path: Path) -> list[Found]:
    """Write the pictures of these pages (from 1), in their order, to `path`. Raises TooMuch."""
    import pikepdf

    walk, pages = _Finder(), list(pdf.pages)
    for number in numbers:
        _bring_out(pages[number - 1])
        walk.look(number, pages[number - 1])
    found = list(walk.found.values())
    with pikepdf.new() as made:
        made.Root[LISTED] = pikepdf.Array([made.copy_foreign(each.image) for each in found])
        made.save(path)
    return found


class _Finder(Walk):
    """Notes pictures instead of their sizes; glyphs are not pictures, nor are masks of pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[Key, Found] = {}

    def look(self, number: int, page: "pikepdf.Page") -> None:
        """Find what the page (from 1) draws, and all that it names where its content cannot be read."""
        self.drawn.unread = False
        self.page(number - 1, page)
        if self.drawn.unread:
            for each in _named(page):
                self.note(each)

    def note(self, it: Any) -> bool:
        """Whether it is a picture."""
        if not (_is_stream(it) and it.get("/Subtype") == "/Image"):
            return False
        self.found.setdefault(it.objgen, Found(it, self.number + 1))
        return True

    def font(self, font: Any, resources: Any, depth: int) -> Heard:
        return UNHEARD

    def draw(self, it: Any, matrix: Matrix, resources: Any, depth: int) -> int:
        return 0 if self.note(it) else super().draw(it, matrix, resources, depth)


def _bring_out(page: "pikepdf.Page") -> None:
    """Inline pictures of the page and its forms become objects."""
    import pikepdf

    if any(b"BI" in (unpacked(stream) or b"") for stream in _streams(page)):
        try:
            page.externalize_inline_images(min_size=0, shallow=False)
        except (pikepdf.PdfError, RuntimeError, ValueError):
            return  # content that cannot be read: what is an object already is found still


def _streams(page: "pikepdf.Page") -> Iterable[Any]:
    """Content of the page and of the forms that it names."""
    import pikepdf

    held = page.obj.get("/Contents")
    yield from (each for each in (held if isinstance(held, pikepdf.Array) else [held]) if _is_stream(each))
    yield from (each for each in _named(page) if each.get("/Subtype") == "/Form")


def _named(page: "pikepdf.Page") -> Iterable[Any]:
    """Pictures and forms that the page names, and those that its forms do, each once."""
    import pikepdf

    waiting, seen = [inherited(page, "/Resources")], set[Key]()
    while waiting:
        resources = waiting.pop()
        named = resources.get("/XObject") if isinstance(resources, pikepdf.Dictionary) else None
        for each in named.as_dict().values() if isinstance(named, pikepdf.Dictionary) else ():
            if _is_stream(each) and each.objgen not in seen:
                seen.add(each.objgen)
                waiting.append(each.get("/Resources"))
                yield each


def _is_stream(node: Any) -> bool:
    import pikepdf

    return isinstance(node, pikepdf.Stream)
