"""Proof that a smaller PDF is the same to its reader: the same text, the same looks and colours, on every page."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cluster.engines.pictures.likeness import FARTHEST, drift, ssim
from cluster.files import Source

#: Pages looked at closely, and pages read by a second reader, which costs five times the first.
_CLOSELY = 16
_READ = 120
_PIXELS = 3_000_000
#: Levels that a patch may drift where nobody may see a change, and where the visitor chose the quality.
UNSEEN, _CHOSEN = 10, 64
#: A floor from here on is for eyes close to the screen: repainted pages are looked at in colour, at this many dpi.
_STRICT, FINE_DPI = 0.999, 150


@dataclass(frozen=True)
class Proof:
    """What differs: pages (from 0) that look different, and whether text went missing."""

    text_lost: bool = False
    unlike: frozenset[int] = field(default_factory=frozenset)

    @property
    def good(self) -> bool:
        return not self.text_lost and not self.unlike


@dataclass(frozen=True)
class Look:
    """How closely a page is looked at: the resolution, the side of a patch, and how far its colour may drift.

    floor: SSIM of the page in gray, or of its channels in `colour`; 0 looks at patches only.
    """

    dpi: int
    patch: int
    farthest: float
    floor: float = 0.0
    colour: bool = False


def prove(
    source: Source,
    path: Path,
    floor: float | None,
    again: frozenset[int] = frozenset(),
    repainted: frozenset[int] = frozenset(),
) -> Proof:
    """Compare `path` with the source: every page, or `again` (from 0) and some more where most were proved before.

    floor: SSIM of a page; None where the quality was chosen: then only what was never asked for is found.
    repainted: pages (from 0) with a picture whose samples changed; a strict floor looks closer at them.
    """
    # PDFium lets go of Python's lock while it draws, so the other reader reads meanwhile.
    with ThreadPoolExecutor(1) as other:
        same = other.submit(_same_text, source, path)
        drawn = _drawn_alike(source, path, floor, again, repainted)
        return replace(drawn, text_lost=drawn.text_lost or not same.result())


def _drawn_alike(
    source: Source, path: Path, floor: float | None, again: frozenset[int], repainted: frozenset[int]
) -> Proof:
    import pypdfium2

    try:
        before = pypdfium2.PdfDocument(source.path, password=source.password)
    except pypdfium2.PdfiumError:
        return Proof()  # no reader of this family shows the input either
    try:
        after = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        before.close()
        return Proof(unlike=frozenset({0}))
    try:
        return _compared(before, after, floor, again, repainted)
    finally:
        before.close()
        after.close()


def _compared(before: Any, after: Any, floor: float | None, again: frozenset[int], repainted: frozenset[int]) -> Proof:
    count = min(len(before), len(after))
    closely = set(chosen(count, _CLOSELY, again))
    lost, unlike = False, set()
    for number in sorted(closely | again) if again else range(count):
        pair = _page(before, number), _page(after, number)
        if pair[0] is None:
            continue  # this reader does not show the input's page either
        if pair[1] is None or _looks_other(pair[0], pair[1], _look(floor, number in closely, number in repainted)):
            unlike.add(number)
        lost = lost or _letters(pair[0]) != _letters(pair[1])
        for page in pair:
            if page is not None:
                page.close()
    return Proof(lost, frozenset(unlike))


def _look(floor: float | None, closely: bool, repainted: bool) -> Look:
    if floor is None:
        return Look(36, 7, _CHOSEN)
    if floor < _STRICT:
        return Look(100, 7, FARTHEST, floor) if closely else Look(50, 3, FARTHEST)
    if repainted:
        return Look(FINE_DPI, 7, UNSEEN, floor, colour=True)
    return Look(100, 7, UNSEEN, floor) if closely else Look(50, 3, UNSEEN)


def chosen(count: int, most: int, first: frozenset[int] = frozenset()) -> list[int]:
    """At most `most` of `count` pages, evenly spread, `first` among them."""
    if count <= most:
        return list(range(count))
    spread = {round(step * (count - 1) / (most - 1)) for step in range(most)}
    return sorted({*sorted(first)[:most], *spread})


def _same_text(source: Source, path: Path) -> bool:
    """Whether MuPDF, which finds letters in other ways than PDFium, reads the same; true where it reads nothing."""
    from cluster.engines.pdf.libraries import import_pymupdf

    pymupdf = import_pymupdf()
    try:
        with pymupdf.open(source.path, filetype="pdf") as before:
            if before.needs_pass and not before.authenticate(source.password or ""):
                return True
            pages = chosen(before.page_count, _READ)
            texts = [_words(before, number) for number in pages]
            counted = before.page_count
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return True  # this reader cannot read the input either
    try:
        with pymupdf.open(path, filetype="pdf") as after:
            return counted == after.page_count and all(
                words is None or words == _words(after, number) for number, words in zip(pages, texts, strict=True)
            )
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return False


def _words(document: Any, number: int) -> list[str] | None:
    from cluster.engines.pdf.libraries import import_pymupdf

    try:
        text: str = document[number].get_text()
    except (RuntimeError, ValueError, import_pymupdf().mupdf.FzErrorBase):
        return None
    return text.split()


def _page(document: Any, number: int) -> Any:
    import pypdfium2

    try:
        return document[number]
    except pypdfium2.PdfiumError:
        return None


def _letters(page: Any) -> str:
    """The text of a page; blanks are guessed from distances, which the shortest number may move."""
    import pypdfium2

    if page is None:
        return ""
    try:
        text = page.get_textpage()
        letters: str = text.get_text_range()
        text.close()
    except (pypdfium2.PdfiumError, ValueError):
        return ""
    return "".join(letters.split())


def _looks_other(before: Any, after: Any, look: Look) -> bool:
    one, other = _drawn(before, look.dpi), _drawn(after, look.dpi)
    if one is None:
        return False
    if other is None or one.shape != other.shape:
        return True
    if min(one.shape[:2]) < 8 or not (one != other).any():
        return False
    if drift(one, other, look.patch) > look.farthest:
        return True
    seen = _coloured if look.colour else _gray
    return look.floor > 0 and ssim(seen(one), seen(other)) < look.floor


def _drawn(page: Any, dpi: int) -> Any:
    """The page in colour as an array of rows × columns × 3 bytes; None when the reader cannot draw it."""
    import pypdfium2

    width, height = page.get_size()
    scale = dpi / 72
    if width * height * scale * scale > _PIXELS:
        scale = (_PIXELS / (width * height)) ** 0.5
    try:
        bitmap = page.render(scale=scale)
        pixels = bitmap.to_numpy()[:, :, :3].copy()
        bitmap.close()
    except (pypdfium2.PdfiumError, ValueError, IndexError):
        return None
    return pixels


def _gray(pixels: Any) -> Any:
    import cv2
    from PIL import Image

    return Image.fromarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))


def _coloured(pixels: Any) -> Any:
    from PIL import Image

    return Image.fromarray(pixels)
