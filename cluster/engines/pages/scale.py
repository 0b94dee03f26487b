"""Make a page larger or smaller with everything on it: content, boxes, annotations, fields, and where links lead."""

import re
from typing import Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pdf.reader import Document, Stream
from cluster.engines.pdf.syntax import Ref, string, text_token
from cluster.paper import Size

_BOXES = (b"/MediaBox", b"/CropBox", b"/BleedBox", b"/TrimBox", b"/ArtBox")
#: Annotation entries that are coordinates or lengths in page space, lists of lists among them.
_PLACES = (
    b"/Rect", b"/QuadPoints", b"/InkList", b"/Vertices", b"/L", b"/CL", b"/RD", b"/LL", b"/LLE", b"/LLO", b"/Border"
)  # fmt: skip
_SIZE = re.compile(rb"(\d+(?:\.\d+)?|\.\d+)(?=\s+Tf\b)")
#: Destination kind -> which of its operands are coordinates.
_COORDINATES = {
    b"/XYZ": (2, 3),
    b"/FitH": (2,),
    b"/FitV": (2,),
    b"/FitBH": (2,),
    b"/FitBV": (2,),
    b"/FitR": (2, 3, 4, 5),
}
_CLOSE = 1e-4


def visible_size(document: Document, page: dict[bytes, Any]) -> Size:
    """Width and height as a reader shows the page, in points (UserUnit and /Rotate applied)."""
    x0, y0, x1, y1 = visible_box(document, page)
    unit = user_unit(document, page)
    width, height = (x1 - x0) * unit, (y1 - y0) * unit
    return (height, width) if turn_of(document, page) % 180 else (width, height)


def turn_of(document: Document, page: dict[bytes, Any]) -> int:
    """Degrees by which a reader turns the page clockwise: 0, 90, 180 or 270; what is no quarter turns nothing."""
    turn = int(_float(document.get(page.get(b"/Rotate")), 0.0)) % 360
    return 0 if turn % 90 else turn


def visible_box(document: Document, page: dict[bytes, Any]) -> tuple[float, float, float, float]:
    """What a reader shows of the page: left, bottom, right, top in its own units."""
    media = _box(document, page.get(b"/MediaBox")) or (0.0, 0.0, 612.0, 792.0)
    crop = _box(document, page.get(b"/CropBox")) or media
    box = max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])
    return box if box[0] < box[2] and box[1] < box[3] else media


def user_unit(document: Document, page: dict[bytes, Any]) -> float:
    """Points of one unit of the page; 1 where what is written makes no sense."""
    unit = _float(document.get(page.get(b"/UserUnit")), 1.0)
    return unit if unit > 0 else 1.0


def factor_for(document: Document, page: dict[bytes, Any], width: float) -> float | None:
    """What makes the page so wide, without /UserUnit, which not every reader knows; None where it is."""
    unit = user_unit(document, page)
    factor = unit * width / visible_size(document, page)[0]
    return factor if abs(factor - 1) > _CLOSE or b"/UserUnit" in page else None


def scaled_page(document: Document, copier: Copier, entries: dict[bytes, Any], factor: float) -> dict[bytes, Any]:
    """The page's entries, larger by `factor`."""
    made = {key: value for key, value in entries.items() if key != b"/UserUnit"}
    for key in _BOXES:
        if key in made:
            made[key] = _times(document, made[key], factor)
    resources = document.dictionary(made.get(b"/Resources"))
    if patterns := document.dictionary(resources.get(b"/Pattern")):
        scaled = {name: _pattern(document, copier, each, factor) for name, each in patterns.items()}
        made[b"/Resources"] = {**resources, b"/Pattern": scaled}
    contents = document.get(made.get(b"/Contents"))
    held = contents if type(contents) is list else [made[b"/Contents"]] if type(contents) is Stream else []
    # Without q: a page that closes more than it opens would undo the scale for its rest.
    begin = copier.sink.add_stream(b"", b"%.6f 0 0 %.6f 0 0 cm\n" % (factor, factor))
    made[b"/Contents"] = [copier.own(begin), *held]
    return made


def scaled_annotation(document: Document, annotation: dict[bytes, Any], factor: float) -> dict[bytes, Any]:
    """The annotation, larger by `factor`."""
    made = dict(annotation)
    for key in _PLACES:
        if key in made:
            made[key] = _times(document, made[key], factor)
    style = document.get(made.get(b"/BS"))
    if type(style) is dict:
        made[b"/BS"] = {**style, b"/W": _number(_float(document.get(style.get(b"/W")), 1.0) * factor)}
    if b"/DA" in made:
        # 0 means that the reader chooses the size.
        look = string(document.get(made[b"/DA"]))
        made[b"/DA"] = text_token(_SIZE.sub(lambda found: _number(float(found[0]) * factor), look))
    return made


def scaled_place(document: Document, place: list[Any], factor: float) -> list[Any]:
    """A destination on a page that became larger by `factor`."""
    kind = document.get(place[1]) if len(place) > 1 else None
    indexes = _COORDINATES.get(kind, ()) if type(kind) is bytes else ()
    return [_times(document, each, factor) if index in indexes else each for index, each in enumerate(place)]


def _pattern(document: Document, copier: Copier, pattern: Any, factor: float) -> Any:
    """Patterns are laid in the page's own space, which content operators do not move."""
    found = document.get(pattern)
    entries = document.dictionary(found)
    matrix = [_float(document.get(each), 0.0) for each in document.array(entries.get(b"/Matrix"))]
    scaled = [_number(value * factor) for value in (matrix if len(matrix) == 6 else [1.0, 0, 0, 1.0, 0, 0])]
    entries = {**entries, b"/Matrix": scaled}
    if type(found) is not Stream:
        return entries
    head = copier.text({**entries, b"/Length": b"%d" % found.length})
    sink = copier.sink
    return copier.own(sink.copy_stream(sink.reserve(), head, document, found))


def _times(document: Document, value: Any, factor: float, depth: int = 0) -> Any:
    found = document.get(value) if type(value) is Ref else value
    if type(found) is list and depth < 4:
        return [_times(document, each, factor, depth + 1) for each in found]
    told = _float(found, None)
    return value if told is None else _number(told * factor)


def _box(document: Document, value: Any) -> tuple[float, float, float, float] | None:
    told = [_float(document.get(each), 0.0) for each in document.array(value)]
    if len(told) != 4:
        return None
    a, b, c, d = told
    return min(a, c), min(b, d), max(a, c), max(b, d)


def _float(token: Any, default: Any) -> Any:
    try:
        return float(token) if type(token) is bytes else default
    except ValueError:
        return default


def _number(value: float) -> bytes:
    return b"%.4f" % value
