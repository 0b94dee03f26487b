"""The pictures that pages draw, each once, gathered into one small PDF of nothing else.

So what reads them next meets neither a lock nor damage, and a picture that stood among the words of a page (inline)
is an object like any other.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.adrift import Adrift
from cluster.engines.pdf.burden import unpacked
from cluster.engines.pdf.drawn import UNHEARD, Heard, Key, Matrix, Walk
from cluster.engines.pdf.nodes import inherited

if TYPE_CHECKING:
    import pikepdf

#: The entry of the small PDF's catalogue that lists the pictures.
LISTED = "/Pictures"


@dataclass(frozen=True)
class Found:
    """A picture as its page (from 1) first draws it; the same on later pages is not found again.

    `page` 0: no page that is left draws it. `cut`: the file ends within it.
    """

    image: Any
    page: int
    cut: bool = False


def gather(pdf: "pikepdf.Pdf", numbers: Iterable[int]) -> list[Found]:
    """The pictures of these pages (from 1), in their order. Raises TooMuch."""
    walk, pages = _Finder(), list(pdf.pages)
    for number in numbers:
        _bring_out(pages[number - 1])
        walk.look(number, pages[number - 1])
    return list(walk.found.values())


def with_adrift(found: Iterable[Found], rest: Adrift, *, loose: bool) -> list[Found]:
    """Pictures of a damaged file as they could be had beyond qpdf's reading; `loose`: and those of no page."""
    made, left = list[Found](), dict(rest.pictures)
    for each in found:
        number = each.image.objgen[0]
        if _is_the_same(each.image, left.get(number)):
            each = Found(left.pop(number), each.page, number in rest.cut)
        made.append(each)
    return made + [Found(image, 0, number in rest.cut) for number, image in left.items() if loose]


def _is_the_same(image: Any, other: Any) -> bool:
    """Numbers alone do not tell: what was inline has one that may be of a picture that qpdf did not find."""
    return other is not None and all(image.get(key) == other.get(key) for key in ("/Width", "/Height"))


def write_album(found: Iterable[Found], path: Path) -> None:
    """Write the pictures to `path`, for `Stored` to take out."""
    import pikepdf

    with pikepdf.new() as made:
        made.Root[LISTED] = pikepdf.Array([made.copy_foreign(each.image) for each in found])
        made.save(path)


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
