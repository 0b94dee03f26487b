"""Make a page larger or smaller with everything on it: content, boxes, annotations, fields, and where links lead."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import pikepdf

from cluster.engines.pdf.nodes import get, is_dictionary, items

Key = tuple[int, int]

_BOXES = ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox")
#: Annotation entries that are coordinates or lengths in page space, lists of lists among them.
_PLACES = ("/Rect", "/QuadPoints", "/InkList", "/Vertices", "/L", "/CL", "/RD", "/LL", "/LLE", "/LLO")
_SIZE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)(?=\s+Tf\b)")
#: Destination kind -> which of its operands are coordinates.
_COORDINATES = {"/XYZ": (2, 3), "/FitH": (2,), "/FitV": (2,), "/FitBH": (2,), "/FitBV": (2,), "/FitR": (2, 3, 4, 5)}
_CLOSE = 1e-4


def scale_page(pdf: pikepdf.Pdf, page: Any, factor: float) -> None:
    """Scale one page (its inherited entries must be its own); destinations on it are `scale_targets`' part."""
    if abs(factor - 1) < _CLOSE:
        return
    for key in _BOXES:
        if key in page:
            page[key] = _times(page[key], factor)
    _scale_patterns(pdf, page, factor)
    # Without q: a page that closes more than it opens would undo the scale for its rest.
    begin = pdf.make_stream(b"%.6f 0 0 %.6f 0 0 cm\n" % (factor, factor))
    contents = page.get("/Contents")
    held = items(contents) or ([contents] if isinstance(contents, pikepdf.Stream) else [])
    page["/Contents"] = pikepdf.Array([begin, *held])
    for annotation in items(page.get("/Annots")):
        if is_dictionary(annotation):
            _scale_annotation(annotation, factor)


def take_unit(page: Any) -> float:
    """Remove /UserUnit and return it: the factor that makes the page as large without it."""
    unit = float(page.get("/UserUnit", 1))
    if "/UserUnit" in page:
        del page["/UserUnit"]
    return unit


def scale_targets(targets: Iterable[Any], factors: Mapping[Key, float]) -> None:
    """Move the coordinates of destination arrays by the factor of the page each leads to."""
    seen: set[Key] = set()
    for target in targets:
        if is_dictionary(target):
            target = target.get("/D")
        if not isinstance(target, pikepdf.Array) or len(target) < 3 or not is_dictionary(target[0]):
            continue
        if target.is_indirect and target.objgen in seen:
            continue
        seen.add(target.objgen)
        factor = factors.get(target[0].objgen, 1.0)
        for index in _COORDINATES.get(str(target[1]), ()):
            if index < len(target) and isinstance(target[index], int | Decimal):
                target[index] = _number(float(target[index]) * factor)


def targets_of(pdf: pikepdf.Pdf, named: Iterable[Any]) -> list[Any]:
    """Every destination array of a document: named ones, of links and of bookmarks."""
    found = list(named)
    for page in pdf.pages:
        for annotation in items(page.obj.get("/Annots")):
            found += [get(annotation, "/Dest"), get(annotation, "/A", "/D")]
    seen: set[Key] = set()
    waiting = [get(pdf.Root, "/Outlines", "/First")]
    while waiting:
        item = waiting.pop()
        if is_dictionary(item) and item.objgen not in seen:
            seen.add(item.objgen)
            found += [item.get("/Dest"), get(item, "/A", "/D")]
            waiting += [item.get("/Next"), item.get("/First")]
    return found


def _scale_annotation(annotation: Any, factor: float) -> None:

    for key in _PLACES:
        if key in annotation:
            annotation[key] = _times(annotation[key], factor)
    style = annotation.get("/BS")
    if is_dictionary(style):
        style = pikepdf.Dictionary(style)
        style["/W"] = _number(float(style.get("/W", 1)) * factor)
        annotation["/BS"] = style
    if "/DA" in annotation:
        # 0 means that the reader chooses the size.
        text = _SIZE.sub(lambda found: f"{float(found[0]) * factor:.3f}", str(annotation["/DA"]))
        annotation["/DA"] = pikepdf.String(text)


def _scale_patterns(pdf: pikepdf.Pdf, page: Any, factor: float) -> None:
    """Patterns are laid in the page's own space, which content operators do not move."""
    patterns = get(page, "/Resources", "/Pattern")
    if not is_dictionary(patterns):
        return
    resources = pikepdf.Dictionary(page["/Resources"])
    resources["/Pattern"] = pikepdf.Dictionary(
        {name: _scaled_pattern(pdf, pattern, factor) for name, pattern in patterns.items()}
    )
    page["/Resources"] = resources


def _scaled_pattern(pdf: pikepdf.Pdf, pattern: Any, factor: float) -> Any:

    matrix = [float(value) for value in items(pattern.get("/Matrix"))] or [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    scaled = pikepdf.Array([_number(value * factor) for value in matrix])
    made: Any
    if isinstance(pattern, pikepdf.Stream):
        made = pdf.make_stream(pattern.read_raw_bytes(), dict(pattern.stream_dict.items()))
    else:
        made = pdf.make_indirect(pikepdf.Dictionary(pattern))
    made["/Matrix"] = scaled
    return made


def _times(node: Any, factor: float, depth: int = 0) -> Any:

    if isinstance(node, pikepdf.Array) and depth < 4:
        return pikepdf.Array([_times(each, factor, depth + 1) for each in node])
    return _number(float(node) * factor) if isinstance(node, int | Decimal) else node


def _number(value: float) -> Decimal:
    return Decimal(f"{value:.4f}")
