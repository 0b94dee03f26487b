"""Look at results as a reader would: text, pixels, bookmarks, links, fields, fonts, pictures. Pages count from 1."""

import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import pikepdf
import pypdfium2
from PIL import Image, ImageChops

#: Pixels of a side of the windows whose likeness is told.
_WINDOW = 7


@dataclass(frozen=True)
class Entry:
    """A bookmark: `page` is where it leads (None: nowhere), `level` 0 is the top."""

    title: str
    page: int | None
    level: int


@dataclass(frozen=True)
class Link:
    """A link on `page`: to page `to`, or to the web address `uri`; neither: dead."""

    page: int
    to: int | None
    uri: str | None


def page_count(path: Path) -> int:
    with _open(path) as pdf:
        return len(pdf.pages)


def sizes_of(path: Path) -> list[tuple[int, int]]:
    """Width and height of each page in whole points."""
    with _pdfium(path, None) as document:
        return [(round(page.get_width()), round(page.get_height())) for page in document]


def text_of(path: Path, page: int = 1, password: str | None = None) -> str:
    """The text layer of one page."""
    with _pdfium(path, password) as document:
        return str(document[page - 1].get_textpage().get_text_bounded())


def texts_of(path: Path, password: str | None = None, pages: Iterable[int] | None = None) -> list[str]:
    """The text layer of every page, or of these."""
    with _pdfium(path, password) as document:
        wanted = range(1, len(document) + 1) if pages is None else pages
        return [str(document[page - 1].get_textpage().get_text_bounded()) for page in wanted]


def render(path: Path, page: int = 1, dpi: float = 72, password: str | None = None) -> Image.Image:
    """One page as a reader shows it, with annotations and field values."""
    with _pdfium(path, password) as document:
        document.init_forms()
        return document[page - 1].render(scale=dpi / 72, may_draw_forms=True).to_pil().convert("RGB")


def looks_like(a: Path | Image.Image, b: Path | Image.Image, page: int = 1, other: int | None = None) -> float:
    """SSIM (1.0: the same) of page `page` of `a` and page `other` (or the same) of `b`; 0 for different sizes."""
    one = a if isinstance(a, Image.Image) else render(a, page)
    two = b if isinstance(b, Image.Image) else render(b, other or page)
    return ssim(one, two) if one.size == two.size else 0.0


def ssim(one: Image.Image, two: Image.Image) -> float:
    """Structural similarity of two RGB pictures of one size: what scikit-image tells, in a tenth of its time."""
    import cv2

    arrays = [numpy.asarray(each) for each in (one, two)]
    if numpy.array_equal(*arrays):
        return 1.0
    if all((each == each[..., :1]).all() for each in arrays):  # grey: its channels are one
        arrays = [each[..., 0] for each in arrays]
    a, b = (each.astype(numpy.float32) for each in arrays)
    mean_a, mean_b, squares_a, squares_b, products = (
        cv2.boxFilter(each, -1, (_WINDOW, _WINDOW))[_WINDOW // 2 : -(_WINDOW // 2), _WINDOW // 2 : -(_WINDOW // 2)]
        for each in (a, b, a * a, b * b, a * b)
    )
    sample = _WINDOW**2 / (_WINDOW**2 - 1)
    varied = sample * (squares_a - mean_a**2 + squares_b - mean_b**2) + (0.03 * 255) ** 2
    together = 2 * sample * (products - mean_a * mean_b) + (0.03 * 255) ** 2
    levels = (2 * mean_a * mean_b + (0.01 * 255) ** 2) / (mean_a**2 + mean_b**2 + (0.01 * 255) ** 2)
    return float((levels * together / varied).mean(dtype=numpy.float64))


def ink(image: Image.Image) -> float:
    """The share of pixels that are not white."""
    return float((numpy.asarray(image.convert("L")) < 250).mean())


def outline_of(path: Path) -> list[Entry]:
    """Bookmarks in reading order."""
    with _open(path) as pdf:
        numbers = _numbers(pdf)
        return list(_entries(pdf, numbers, pdf.Root.get("/Outlines", {}).get("/First"), 0))


def links_of(path: Path) -> list[Link]:
    """Every link annotation in page order."""
    with _open(path) as pdf:
        numbers = _numbers(pdf)
        return [
            Link(number, _leads_to(pdf, numbers, each), _address(each))
            for number, page in enumerate(pdf.pages, 1)
            for each in page.obj.get("/Annots", [])
            if each.get("/Subtype") == "/Link"
        ]


def destinations_of(path: Path) -> dict[str, int | None]:
    """Named destinations and their pages."""
    with _open(path) as pdf:
        numbers = _numbers(pdf)
        return {name: _page_of(pdf, numbers, target) for name, target in _named(pdf).items()}


def fields_of(path: Path) -> dict[str, str | None]:
    """Full field names and their values."""
    with _open(path) as pdf:
        found: dict[str, str | None] = {}
        for top in pdf.Root.get("/AcroForm", {}).get("/Fields", []):
            _collect(top, "", None, found)
        return found


def widgets_of(path: Path) -> list[tuple[int, str]]:
    """(page, full field name) of every widget that stands on a page."""
    with _open(path) as pdf:
        return [
            (number, _full_name(each))
            for number, page in enumerate(pdf.pages, 1)
            for each in page.obj.get("/Annots", [])
            if each.get("/Subtype") == "/Widget"
        ]


def notes_of(path: Path) -> list[tuple[int, str]]:
    """(page, contents) of the annotations that are neither links, widgets nor pop-ups."""
    with _open(path) as pdf:
        return [
            (number, str(each.get("/Contents", "")))
            for number, page in enumerate(pdf.pages, 1)
            for each in page.obj.get("/Annots", [])
            if each.get("/Subtype") not in ("/Link", "/Widget", "/Popup")
        ]


def attachments_of(path: Path) -> dict[str, bytes]:
    with _open(path) as pdf:
        return {name: spec.get_file().read_bytes() for name, spec in pdf.attachments.items()}


def labels_of(path: Path) -> list[str]:
    """The label of every page."""
    with _open(path) as pdf:
        return [page.label for page in pdf.pages]


def title_of(path: Path) -> str:
    with _open(path) as pdf:
        return str(pdf.docinfo.get("/Title", ""))


def fonts_of(path: Path, page: int | None = None) -> set[str]:
    """Base names of the fonts of one page, or anywhere in the file."""
    with _open(path) as pdf:
        return {
            str(each.BaseFont)[1:]
            for each in _dictionaries(pdf, page)
            if each.get("/Type") == "/Font" and "/BaseFont" in each
        }


def images_of(path: Path) -> list[tuple[int, int, int, str]]:
    """(width, height, bits a component, filter) of every picture in the file."""
    with _open(path) as pdf:
        return [
            (int(each.Width), int(each.Height), int(each.get("/BitsPerComponent", 1)), _filter(each))
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
        ]


def tagged_pages(path: Path) -> list[int]:
    """Pages that the structure tree names, in its order."""
    with _open(path) as pdf:
        numbers = _numbers(pdf)
        root = pdf.Root.get("/StructTreeRoot")
        return list(_tagged(root, numbers)) if root is not None else []


def all_bytes(path: Path) -> bytes:
    """Every byte of the file, with streams decoded and strings readable: what somebody could dig out."""
    held = [path.read_bytes()]
    with _open(path) as pdf:
        for each in pdf.objects:
            if isinstance(each, pikepdf.Stream):
                held.append(_decoded(each))
            held.append(each.unparse(resolved=True) if not isinstance(each, pikepdf.Stream) else b"")
            held += _strings(each)
    return b"\n".join(held)


@contextmanager
def _open(path: Path) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(path) as pdf:
        yield pdf


@contextmanager
def _pdfium(path: Path, password: str | None) -> Iterator[Any]:
    document = pypdfium2.PdfDocument(path, password=password)
    try:
        yield document
    finally:
        document.close()


def _numbers(pdf: pikepdf.Pdf) -> dict[tuple[int, int], int]:
    return {page.obj.objgen: number for number, page in enumerate(pdf.pages, 1)}


def _entries(pdf: pikepdf.Pdf, numbers: dict[tuple[int, int], int], node: Any, level: int) -> Iterator[Entry]:
    while node is not None:
        yield Entry(str(node.get("/Title", "")), _leads_to(pdf, numbers, node), level)
        yield from _entries(pdf, numbers, node.get("/First"), level + 1)
        node = node.get("/Next")


def _leads_to(pdf: pikepdf.Pdf, numbers: dict[tuple[int, int], int], node: Any) -> int | None:
    target = node.get("/Dest")
    if target is None and node.get("/A", {}).get("/S") == "/GoTo":
        target = node.A.get("/D")
    return _page_of(pdf, numbers, target)


def _page_of(pdf: pikepdf.Pdf, numbers: dict[tuple[int, int], int], target: Any) -> int | None:
    if isinstance(target, pikepdf.String | pikepdf.Name):
        target = _named(pdf).get(str(target).lstrip("/"))
    if isinstance(target, pikepdf.Dictionary):
        target = target.get("/D")
    if not isinstance(target, pikepdf.Array) or not isinstance(target[0], pikepdf.Dictionary):
        return None
    return numbers.get(target[0].objgen)


def _named(pdf: pikepdf.Pdf) -> dict[str, Any]:
    found = {key.lstrip("/"): value for key, value in dict(pdf.Root.get("/Dests", {})).items()}
    tree = pdf.Root.get("/Names", {}).get("/Dests")
    return found | (dict(pikepdf.NameTree(tree).items()) if tree is not None else {})


def _address(node: Any) -> str | None:
    uri = node.get("/A", {}).get("/URI")
    return str(uri) if uri is not None else None


def _collect(node: Any, above: str, value: Any, found: dict[str, str | None]) -> None:
    name = ".".join(filter(None, [above, str(node.get("/T", ""))]))
    value = node.get("/V", value)
    kids = [kid for kid in node.get("/Kids", []) if "/T" in kid]
    for kid in kids:
        _collect(kid, name, value, found)
    if not kids:
        found[name] = None if value is None else str(value)


def _full_name(node: Any) -> str:
    parts = []
    while node is not None:
        parts.append(str(node.get("/T", "")))
        node = node.get("/Parent")
    return ".".join(filter(None, reversed(parts)))


def _dictionaries(pdf: pikepdf.Pdf, page: int | None) -> list[Any]:
    if page is None:
        return [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary)]
    found: list[Any] = []
    _fonts_below(pdf.pages[page - 1].resources, found, 0)
    return found


def _fonts_below(resources: Any, found: list[Any], depth: int) -> None:
    found += [font for _, font in resources.get("/Font", {}).items()]
    for _, each in resources.get("/XObject", {}).items():
        if depth < 8 and "/Resources" in each:
            _fonts_below(each.Resources, found, depth + 1)


def _filter(image: Any) -> str:
    packed = image.get("/Filter", "")
    return str(packed[-1] if isinstance(packed, pikepdf.Array) and len(packed) else packed).lstrip("/")


def _tagged(node: Any, numbers: dict[tuple[int, int], int]) -> Iterator[int]:
    if isinstance(node, pikepdf.Array):
        for each in node:
            yield from _tagged(each, numbers)
    elif isinstance(node, pikepdf.Dictionary):
        if "/Pg" in node and node.Pg.objgen in numbers:
            yield numbers[node.Pg.objgen]
        yield from _tagged(node.get("/K"), numbers)


def _decoded(stream: pikepdf.Stream) -> bytes:
    try:
        return stream.read_bytes()
    except (pikepdf.PdfError, zlib.error):
        return stream.read_raw_bytes()


def _strings(node: Any, depth: int = 0) -> list[bytes]:
    if isinstance(node, pikepdf.String):
        return [str(node).encode(), bytes(node)]
    if depth > 20:
        return []
    if isinstance(node, pikepdf.Array):
        return [part for each in node if not _is_reference(each) for part in _strings(each, depth + 1)]
    if isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        return [part for _, each in node.items() if not _is_reference(each) for part in _strings(each, depth + 1)]
    return []


def _is_reference(node: Any) -> bool:
    return bool(getattr(node, "is_indirect", False))


def changed_box(before: Image.Image, after: Image.Image) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what differs between two pictures of one size."""
    box = ImageChops.difference(before.convert("RGB"), after.convert("RGB")).getbbox()
    assert box is not None, "nothing changed"
    return box
