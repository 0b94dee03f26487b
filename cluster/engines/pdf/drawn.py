"""What the pages draw: the largest size at which each picture is shown, and the codes written with each font.

A scan of the content streams for q, Q, cm, Do, gs, Tf, strings and pattern names, through forms, patterns,
soft-mask groups, Type 3 glyphs and annotations. A picture that cannot be followed keeps its pixels. A form drawn
again on the same page, no larger, is not walked again: forms within forms double at each level in hostile files.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.burden import too_long, unpacked
from cluster.engines.pdf.open import visible_size
from cluster.engines.pdf.tokens import skipped

if TYPE_CHECKING:
    import pikepdf

Matrix = tuple[float, float, float, float, float, float]
Key = tuple[int, int]
Heard = Callable[[bytes], object]
"""Takes each string that is shown."""

_DEEPEST = 60
#: Forms that a page may walk, and bytes of content that readers may have to draw for a page, each form (which costs
#: as much as some bytes) as often as it is drawn: at more, they take minutes.
_MOST_FORMS, _MOST_DRAWN, _FORM_COST = 20_000, 1 << 30, 200
#: For strings that tell nothing of a font.
UNHEARD: Heard = bool
#: Type 3 glyphs are drawn at any size: their streams keep two digits more.
_GLYPH_SCALE = 100.0

_NAME = rb"[^\s/<>\[\](){}%]+"
_GAP = rb"(?:\s++|%[^\r\n]*+)++"
_TOKEN = re.compile(
    rb"(?P<text>\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.)*+\))*+\))*+\))"
    rb"|(?P<skip>\()"
    rb"|%[^\r\n]*+"
    rb"|(?<![^\s\]>)])(?:(?P<q>[qQ])(?![^\s\[</(%])|(?P<cm>cm|Tm)(?![^\s\[</(%])"
    rb"|(?P<picture>BI)(?![^\s\[</(%]))"
    rb"|/(?P<name>"
    + _NAME
    + rb")(?:"
    + _GAP
    + rb"(?:(?P<size>[\d.+-]+)"
    + _GAP
    + rb")?(?P<use>Do|gs|sh|scn|SCN|Tf)(?![^\s\[</(%]))?"
    rb"|<(?P<hex>[0-9A-Fa-f\s]*+)>",
    re.DOTALL,
)
_HEX = re.compile(rb"#([0-9A-Fa-f]{2})")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|(\r\n|.))", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}


@dataclass
class Placement:
    """The largest size a picture is shown at, and the pages (from 0) that show it."""

    width: float = 0.0
    height: float = 0.0
    pages: set[int] = field(default_factory=set)

    def dpi(self, width: int, height: int) -> float:
        """Pixels an inch, where they are fewest."""
        if not self.width or not self.height:
            return 0.0
        return min(width / self.width, height / self.height) * 72


@dataclass
class Drawn:
    """Object key -> what the pages do with it.

    codes: bytes of the strings shown with a font. whole: font descriptors used in ways that were not followed.
    written: font descriptor -> the pages (from 0) that choose it. cover: page -> how much of it
    pictures cover, 1 at most. scales: content stream -> points that a unit of it measures at most.
    unread: some content could not be read, so more may be drawn than is known.
    """

    pictures: dict[Key, Placement] = field(default_factory=dict)
    codes: dict[Key, set[int]] = field(default_factory=dict)
    whole: set[Key] = field(default_factory=set)
    written: dict[Key, set[int]] = field(default_factory=dict)
    cover: dict[int, float] = field(default_factory=dict)
    scales: dict[Key, float] = field(default_factory=dict)
    unread: bool = False

    def share(self, key: Key) -> float:
        """How much of a page the pictures cover that this one stands among; 1 when nothing is known."""
        placed = self.pictures.get(key)
        return max((self.cover.get(page, 1.0) for page in placed.pages), default=1.0) if placed else 1.0


class TooMuch(Exception):
    """A page draws more than readers can draw in any sensible time, or one of its streams unpacks to too much."""


def find_drawn(pdf: "pikepdf.Pdf") -> Drawn:
    """Pictures and codes of all pages. Raises TooMuch."""
    walk = Walk()
    for number, page in enumerate(pdf.pages):
        walk.page(number, page)
    return walk.drawn


class Walk:
    """Follows what pages draw; `drawn` gathers it.

    `inherited`: what hears the strings of a form that chooses no font of its own.
    """

    def __init__(self) -> None:
        self.drawn = Drawn()
        self.number = 0
        self.area = 1.0
        self.type3: set[Key] = set()
        self.walked: dict[tuple[Key, Any], _Walked] = {}
        self.inherited = UNHEARD

    def page(self, number: int, page: "pikepdf.Page") -> None:
        self.number, self.inherited = number, UNHEARD
        self.walked = {}
        self.area = max(1.0, math.prod(visible_size(page)))
        unit = _float(page.obj.get("/UserUnit", 1)) or 1.0
        start: Matrix = (unit, 0, 0, unit, 0, 0)
        parts = _parts(page.obj.get("/Contents"))
        drawn = self.stream(self.content(parts), parts, _inherited(page.obj), start, 0)
        for annotation in _items(page.obj.get("/Annots")):
            self.inherited = UNHEARD
            drawn += self.annotation(annotation, start)
        if drawn > _MOST_DRAWN:
            raise TooMuch

    def annotation(self, annotation: Any, start: Matrix) -> int:
        """Its appearances, as if their boxes were its rectangle: only the scale matters here."""
        drawn = 0
        looks = _get(annotation, "/AP")
        for form in (form for key in ("/N", "/D", "/R") for form in _streams(_get(looks, key))):
            box, rect = _numbers(_get(form, "/BBox"), 4), _numbers(_get(annotation, "/Rect"), 4)
            if box and rect:
                across, up = abs(box[2] - box[0]) or 1.0, abs(box[3] - box[1]) or 1.0
                fit = (abs(rect[2] - rect[0]) / across, 0.0, 0.0, abs(rect[3] - rect[1]) / up, 0.0, 0.0)
                drawn += self.form(form, _times(fit, start), None, 0)
        return drawn

    def form(self, form: Any, matrix: Matrix, resources: Any, depth: int) -> int:
        """Bytes of content that drawing the form takes."""
        if not _is_dictionary(form):
            return 0
        own = _numbers(_get(form, "/Matrix"), 6)
        inner = _times((own[0], own[1], own[2], own[3], own[4], own[5]), matrix) if own else matrix
        used = _get(form, "/Resources") or resources
        mark = form.objgen, used.objgen if used is not None and used.is_indirect else None
        size = math.hypot(inner[0], inner[1]), math.hypot(inner[2], inner[3])
        known = self.walked.get(mark)
        if known is not None and known.open:
            return _MOST_DRAWN // 2  # readers follow it to some depth; where it draws itself twice, that doubles
        if known is not None and size[0] <= known.size[0] and size[1] <= known.size[1]:
            return known.drawn
        if depth > _DEEPEST or len(self.walked) > _MOST_FORMS:
            raise TooMuch
        now = self.walked[mark] = _Walked(size, open=True)
        now.drawn = self.stream(self.content([form]), [form], used, inner, depth + 1)
        now.open = False
        return now.drawn

    def content(self, parts: list[Any]) -> bytes:
        read = [_bytes(part) for part in parts]
        self.drawn.unread |= None in read
        return b"\n".join(each or b"" for each in read)

    def stream(self, data: bytes, parts: list[Any], resources: Any, matrix: Matrix, depth: int) -> int:
        """Walk content that stands in `parts`; the bytes of content that drawing it takes."""
        stack: list[tuple[Matrix, Heard]] = []
        now, heard, drawn, scale = matrix, self.inherited, _FORM_COST + len(data), _scale(matrix)
        for token in _scanned(data):
            match token.lastgroup:
                case "text":
                    heard(_unescaped(token["text"]))
                case "hex":
                    heard(_unhexed(token["hex"]))
                case "q" if token["q"] == b"q":
                    stack.append((now, heard))
                case "q":
                    now, heard = stack.pop() if stack else (now, heard)
                case "cm":
                    inner = _times(_before(data, token.start()), now)
                    scale = max(scale, _scale(inner))
                    now = inner if token["cm"] == b"cm" else now
                case "use" if token["use"] == b"Tf":
                    heard = self.font(self.named(resources, "/Font", token["name"]), resources, depth)
                case "use":
                    self.inherited = heard
                    drawn += self.use(token["use"], token["name"], now, matrix, resources, depth)
        for part in parts:
            self.drawn.scales[part.objgen] = max(scale, self.drawn.scales.get(part.objgen, 0.0))
        return drawn

    def font(self, font: Any, resources: Any, depth: int) -> Heard:
        """What takes the strings that are shown with a font that was chosen."""
        if not _is_dictionary(font):
            return UNHEARD
        if _get(font, "/Subtype") == "/Type3" and font.objgen not in self.type3:
            self.type3.add(font.objgen)
            for glyph in _streams(_get(font, "/CharProcs")):
                self.form(glyph, (0.01, 0, 0, 0.01, 0, 0), _get(font, "/Resources") or resources, depth)
                self.drawn.scales[glyph.objgen] = _GLYPH_SCALE
        for descriptor in _descriptors(font):
            self.drawn.written.setdefault(descriptor.objgen, set()).add(self.number)
        if not font.is_indirect:
            self.unfollowed(font)
            return UNHEARD
        return self.heard(font)

    def heard(self, font: Any) -> Heard:
        return self.drawn.codes.setdefault(font.objgen, set()).update

    def unfollowed(self, font: Any) -> None:
        self.drawn.whole |= {descriptor.objgen for descriptor in _descriptors(font)}

    def use(self, how: bytes, name: bytes, now: Matrix, start: Matrix, resources: Any, depth: int) -> int:
        if how == b"Do":
            return self.draw(self.named(resources, "/XObject", name), now, resources, depth)
        if how == b"gs":
            state = self.named(resources, "/ExtGState", name)
            for font in _items(_get(state, "/Font"))[:1]:
                self.unfollowed(font)
            return self.form(_get(_get(state, "/SMask"), "/G"), now, resources, depth)
        if how == b"sh":
            return self.shade(self.named(resources, "/Shading", name))
        if _get(pattern := self.named(resources, "/Pattern", name), "/PatternType") == 1:
            return self.form(pattern, start, resources, depth)
        return self.shade(_get(pattern, "/Shading"))

    def shade(self, shading: Any) -> int:
        return 0

    def named(self, resources: Any, kind: str, name: bytes) -> Any:
        """What content calls by `name`; a name that is no text cannot be asked for, so what it means stays unread."""
        try:
            return _get(_get(resources, kind), "/" + _HEX.sub(lambda byte: bytes([int(byte[1], 16)]), name).decode())
        except (ValueError, TypeError):  # an empty name or one with a zero; one that pikepdf cannot spell
            self.drawn.unread = True
            return None

    def draw(self, it: Any, matrix: Matrix, resources: Any, depth: int) -> int:
        kind = _get(it, "/Subtype")
        if kind == "/Form":
            return self.form(it, matrix, resources, depth)
        if kind == "/Image":
            self.place(it, matrix)
            area = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])
            cover = self.drawn.cover
            cover[self.number] = min(1.0, cover.get(self.number, 0.0) + area / self.area)
            for mask in ("/SMask", "/Mask"):
                if _get(_get(it, mask), "/Subtype") == "/Image":
                    self.place(_get(it, mask), matrix)
        return 0

    def place(self, image: Any, matrix: Matrix) -> None:
        placement = self.drawn.pictures.setdefault(image.objgen, Placement())
        placement.width = max(placement.width, math.hypot(matrix[0], matrix[1]))
        placement.height = max(placement.height, math.hypot(matrix[2], matrix[3]))
        placement.pages.add(self.number)


@dataclass
class _Walked:
    """A form on this page: the largest size it was walked at, what drawing it takes, whether it is being walked."""

    size: tuple[float, float]
    drawn: int = 0
    open: bool = False


def _scanned(data: bytes) -> Iterator[re.Match[bytes]]:
    """Words that matter; inline pictures and strings of many brackets are stepped over."""
    at = 0
    while at < len(data):
        for token in _TOKEN.finditer(data, at):
            if token.lastgroup in ("skip", "picture"):
                at = skipped(data, token.start(token.lastgroup))
                break
            yield token
        else:
            return


def _scale(matrix: Matrix) -> float:
    return max(math.hypot(matrix[0], matrix[1]), math.hypot(matrix[2], matrix[3]))


def _before(data: bytes, end: int) -> Matrix:
    """The six numbers before an operator; those of nothing when there are none."""
    words = data[max(0, end - 160) : end].split()[-6:]
    try:
        a, b, c, d, e, f = (float(word) for word in words)
    except ValueError:
        return 1, 0, 0, 1, 0, 0
    return a, b, c, d, e, f


def _unescaped(literal: bytes) -> bytes:
    body = literal[1:-1]
    if b"\\" not in body:
        return body
    return _ESCAPE.sub(
        lambda found: bytes([int(found[1], 8) & 255]) if found[1] else _ESCAPES.get(found[2], found[2]), body
    )


def _unhexed(digits: bytes) -> bytes:
    packed = b"".join(digits.split())
    return bytes.fromhex((packed + b"0" * (len(packed) % 2)).decode("ascii"))


def _descriptors(font: Any) -> list[Any]:
    fonts = (font, *_items(_get(font, "/DescendantFonts")))
    return [found for each in fonts if (found := _get(each, "/FontDescriptor")) is not None]


def _times(m: Matrix, n: Matrix) -> Matrix:
    return (
        m[0] * n[0] + m[1] * n[2],
        m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2],
        m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4],
        m[4] * n[1] + m[5] * n[3] + n[5],
    )


def _parts(contents: Any) -> list[Any]:
    import pikepdf

    return [part for part in (_items(contents) or [contents]) if isinstance(part, pikepdf.Stream)]


def _inherited(page: Any) -> Any:
    for _ in range(30):
        if not _is_dictionary(page):
            return None
        if "/Resources" in page:
            return page.get("/Resources")
        page = page.get("/Parent")
    return None


def _streams(appearance: Any) -> Iterator[Any]:
    import pikepdf

    if isinstance(appearance, pikepdf.Stream):
        yield appearance
    elif isinstance(appearance, pikepdf.Dictionary):
        yield from (each for each in appearance.as_dict().values() if isinstance(each, pikepdf.Stream))


def _bytes(stream: Any) -> bytes | None:
    import pikepdf

    if not isinstance(stream, pikepdf.Stream):
        return b""
    if too_long(stream):
        raise TooMuch
    return unpacked(stream)


def _get(node: Any, key: str) -> Any:
    return node.get(key) if _is_dictionary(node) else None


def _is_dictionary(node: Any) -> bool:
    import pikepdf

    return isinstance(node, pikepdf.Dictionary | pikepdf.Stream)


def _items(node: Any) -> list[Any]:
    import pikepdf

    return list(node) if isinstance(node, pikepdf.Array) else []


def _numbers(node: Any, count: int) -> list[float] | None:
    items = _items(node)
    try:
        return [float(item) for item in items] if len(items) == count else None
    except (TypeError, ValueError):
        return None


def _float(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return 0.0
