"""Proof that a smaller PDF is the same to its reader: the same text, the same looks, the same pages."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.likeness import ssim
from cluster.tool import Source

if TYPE_CHECKING:
    from PIL.Image import Image

#: Pages looked at; more of them are read than rendered, because reading costs a tenth.
_RENDERED = 16
_READ = 120
_DPI = 100
_PIXELS = 3_000_000


@dataclass(frozen=True)
class Proof:
    """What differs: pages (from 0) that look different, and whether text went missing."""

    text_lost: bool = False
    unlike: frozenset[int] = field(default_factory=frozenset)

    @property
    def good(self) -> bool:
        return not self.text_lost and not self.unlike


def prove(source: Source, path: Path, floor: float | None, first: frozenset[int]) -> Proof:
    """Compare `path` with the source; pages in `first` are looked at before others."""
    lost = not _same_text(source, path)
    unlike = frozenset(_unlike(source, path, floor, first)) if floor is not None else frozenset()
    return Proof(lost, unlike)


def chosen(count: int, most: int, first: frozenset[int] = frozenset()) -> list[int]:
    """At most `most` of `count` pages, evenly spread, `first` among them."""
    if count <= most:
        return list(range(count))
    spread = {round(step * (count - 1) / (most - 1)) for step in range(most)}
    return sorted({*sorted(first)[:most], *spread})


def _same_text(source: Source, path: Path) -> bool:
    from cluster.engines.pdf import import_pymupdf

    pymupdf = import_pymupdf()
    try:
        with pymupdf.open(source.path, filetype="pdf") as before, pymupdf.open(path, filetype="pdf") as after:
            if before.needs_pass:
                before.authenticate(source.password or "")
            if before.page_count != after.page_count:
                return False
            pages = chosen(before.page_count, _READ)
            return all(_words(before[number]) == _words(after[number]) for number in pages)
    except RuntimeError:
        return False


def _words(page: Any) -> list[str]:
    text: str = page.get_text()
    return text.split()


def _unlike(source: Source, path: Path, floor: float, first: frozenset[int]) -> Iterator[int]:
    import pypdfium2

    try:
        before = pypdfium2.PdfDocument(source.path, password=source.password)
    except pypdfium2.PdfiumError:
        return  # no reader of this family shows the input either
    try:
        after = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        before.close()
        yield 0
        return
    for number in chosen(min(len(before), len(after)), _RENDERED, first):
        one, other = (_rendered(each[number]) for each in (before, after))
        if one.size != other.size or (min(one.size) >= 8 and ssim(one, other) < floor):
            yield number
    before.close()
    after.close()


def _rendered(page: Any) -> "Image":
    width, height = page.get_size()
    scale = _DPI / 72
    if width * height * scale * scale > _PIXELS:
        scale = (_PIXELS / (width * height)) ** 0.5
    bitmap = page.render(scale=scale, grayscale=True)
    image: Image = bitmap.to_pil().convert("L")
    bitmap.close()
    page.close()
    return image
