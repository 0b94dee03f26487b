"""Cut the content of a page to a box: what lies outside is taken out of the stream, not only hidden.

MuPDF follows text, paths and forms and leaves out every glyph, path, picture and shading that lies wholly outside;
what crosses the edge stays in both slices, where the page's box cuts it, but of a picture only the pixels inside.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pages.crop import Cropped, Cropper, Keep
from cluster.engines.pages.slices import Box
from cluster.engines.pdf.libraries import import_pymupdf, mupdf_errors
from cluster.engines.pdf.reader import Document, Stream
from cluster.engines.pdf.revive import revive
from cluster.engines.pdf.syntax import Ref, Unreadable, parse
from cluster.engines.pdf.tokens import Operation, operations

Matrix = tuple[float, float, float, float, float, float]
_WHOLE: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
#: Pages cut before MuPDF's document is opened anew: it keeps all that it made.
_FRESH = 50
#: MuPDF's first kind of clip and its last: those stay, for what they clip is looked at itself.
_CLIPS = range(4, 8)
#: Edges that a picture may stand over in units of the page before it is cropped.
_SLACK = 0.25
_DEEPEST = 60
_SPOKEN = b"/ActualText"
_SHOWING = (b"Tj", b"TJ", b"'", b'"')


@dataclass(frozen=True)
class Content:
    """A content stream and its resources as values of the source."""

    data: bytes
    resources: dict[bytes, Any]


class Scissors:
    """Cuts pages of the document at `path`; new pictures and forms go to the copier's sink."""

    def __init__(self, document: Document, path: Path, copier: Copier) -> None:
        self.document, self.path, self.copier = document, path, copier
        self._pdf: Any = None
        self._made = self._first_new = 0
        self._cropped: dict[tuple[int, Keep], tuple[Ref, Cropped] | None] = {}

    def cut(self, at: int, numbered: int, box: Box) -> Content:
        """What of the page at position `at`, the object `numbered`, lies in `box`."""
        try:
            pdf = self._opened()
            page = pdf.load_page(at)
        except mupdf_errors() as error:  # it reads less than we do, and more of what qpdf rewrote
            raise Unreadable("page") from error
        if page.xref != numbered:
            raise Unreadable("page order")
        revive(page)
        kept, content = _Kept(pdf, page), _content_of(page)
        try:
            whole = _filtered(pdf, page, None) if content is None or _SPOKEN in content else b""
            data = _filtered(pdf, page, box)
        except mupdf_errors():
            if content is not None:
                raise
            return Content(b"", {})  # nobody decodes it: it draws nothing
        found = parse(kept.resources().encode() + b" ")[0]
        resources = found if type(found) is dict else {}
        kept.restore()
        tailor = _Tailor(self, box)
        return tailor.sewn(Content(data, resources), _WHOLE, _unchanged(whole, data))

    def _opened(self) -> Any:
        if self._made % _FRESH == 0:
            self.close()
            self._pdf = import_pymupdf().open(self.path)
            self._first_new = self._pdf.xref_length()
            self.cropper = Cropper(self.document, self._pdf)
        self._made += 1
        return self._pdf

    def close(self) -> None:
        """Let go of the document."""
        if self._pdf is not None:
            self._pdf.close()
            self._pdf = None

    def form(self, ref: Ref) -> tuple[dict[bytes, Any], bytes] | None:
        """A form that MuPDF made, its entries and its content; None for what is the document's own."""
        if ref < self._first_new:
            return None
        entries = parse(self._pdf.xref_object(ref, compressed=True).encode() + b" ")[0]
        return entries, self._pdf.xref_stream(ref) or b""

    def picture(self, ref: Ref, keep: Keep) -> tuple[Ref, Cropped] | None:
        """The picture cut to `keep` as an object of the result; None where it must stay as it is."""
        key = int(ref), keep
        if key not in self._cropped:
            made = self.cropper.crop(ref, keep)
            self._cropped[key] = (self.copier.own(made.write(self.copier)), made) if made else None
        return self._cropped[key]


class _Kept:
    """A page's own content and resources, given back after they were filtered."""

    def __init__(self, pdf: Any, page: Any) -> None:
        self._pdf, self._page = pdf, page
        self._held = {key: pdf.xref_get_key(page.xref, key) for key in ("Contents", "Resources")}

    def resources(self) -> str:
        """The filtered ones."""
        kind, text = self._pdf.xref_get_key(self._page.xref, "Resources")
        return str(self._pdf.xref_object(int(text.split()[0]), compressed=True) if kind == "xref" else text)

    def restore(self) -> None:
        for key, (_, text) in self._held.items():
            self._pdf.xref_set_key(self._page.xref, key, text)


class _Tailor:
    """Goes over content that MuPDF has cut and crops its pictures."""

    def __init__(self, scissors: Scissors, box: Box) -> None:
        self.scissors, self.box = scissors, box
        self.document, self.copier = scissors.document, scissors.copier

    def sewn(self, content: Content, matrix: Matrix, intact: Callable[[int], bool], depth: int = 0) -> Content:
        """The content with its pictures and forms as they are in the result."""
        if depth > _DEEPEST:
            raise Unreadable("forms")
        data, parts, copied = content.data, list[bytes](), 0
        drawn = dict(self.document.dictionary(content.resources.get(b"/XObject")))
        made, stack, now, spans = dict[bytes, Any](), list[Matrix](), matrix, 0
        for each in operations(data):
            new: bytes | None = None
            match each.operator:
                case b"q":
                    stack.append(now)
                case b"Q":
                    now = stack.pop() if stack else matrix
                case b"cm":
                    now = _times(_numbers(data, each), now)
                case b"Do":
                    new = self._drawn(data[each.operands[0].start : each.operands[0].end], drawn, made, now, depth)
                case b"BDC":
                    new = None if intact(spans) else _unspoken(data, each)
                    spans += 1
            if new is not None:
                parts += (data[copied : each.start], new)
                copied = each.end
        resources = {**content.resources, b"/XObject": made} if made or drawn else content.resources
        return Content(b"".join(parts) + data[copied:], resources)

    def _drawn(
        self, name: bytes, drawn: dict[bytes, Any], made: dict[bytes, Any], now: Matrix, depth: int
    ) -> bytes | None:
        """What stands for a Do; its object comes into `made`. None: the Do stays."""
        ref = drawn.get(name)
        if type(ref) is not Ref:
            return b""
        if form := self.scissors.form(ref):
            made[name] = self._form(*form, now, depth)
            return None
        keep = self._keep(now)
        cropped = self.scissors.picture(ref, keep) if keep and self._is_picture(ref) else None
        if cropped is None:
            made[name] = ref
            return None
        new = b"%b.%d" % (name, len(made))
        made[new] = cropped[0]
        return b"q %b cm %b Do Q" % (_told(cropped[1].matrix()), new)

    def _form(self, entries: dict[bytes, Any], data: bytes, now: Matrix, depth: int) -> Ref:
        own = [_float(self.document.get(each)) for each in self.document.array(entries.get(b"/Matrix"))]
        inner = _times((own[0], own[1], own[2], own[3], own[4], own[5]), now) if len(own) == 6 else now
        resources = self.document.dictionary(entries.get(b"/Resources"))
        cut = self.sewn(Content(data, resources), inner, lambda _: False, depth + 1)
        left = (b"/Length", b"/Filter", b"/DecodeParms", b"/StructParent", b"/StructParents", b"/PieceInfo")
        kept = {key: value for key, value in entries.items() if key not in left} | {b"/Resources": cut.resources}
        return self.copier.own(self.copier.sink.add_stream(self.copier.text(kept)[2:-2], cut.data))

    def _is_picture(self, ref: Ref) -> bool:
        found = self.document.get(ref)
        return type(found) is Stream and self.document.get(found.entries.get(b"/Subtype")) == b"/Image"

    def _keep(self, now: Matrix) -> Keep | None:
        """The share of a picture drawn with this matrix that lies in the box; None for all of it."""
        corners = [_place(now, x, y) for x in (0, 1) for y in (0, 1)]
        x0, y0, x1, y1 = self.box
        if all(x0 - _SLACK <= x <= x1 + _SLACK and y0 - _SLACK <= y <= y1 + _SLACK for x, y in corners):
            return None
        back = _inverse(now)
        if back is None:
            return None
        inside = [_place(back, x, y) for x in (x0, x1) for y in (y0, y1)]
        left, right = _clamped([x for x, _ in inside])
        bottom, top = _clamped([y for _, y in inside])
        return (left, 1 - top, right, 1 - bottom) if left < right and bottom < top else None


def _content_of(page: Any) -> bytes | None:
    """None where a stream does not decode."""
    try:
        return bytes(page.read_contents())
    except mupdf_errors():
        return None


def _filtered(pdf: Any, page: Any, box: Box | None) -> bytes:
    """The page's content with nothing that lies outside the box; the page holds it and its resources now."""
    mupdf = import_pymupdf().mupdf

    class Sight(mupdf.PdfSanitizeFilterOptions2):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.use_virtual_culler()

        def culler(self, _: Any, seen: Any, kind: int) -> int:
            return int(box is not None and kind not in _CLIPS and _is_outside(seen, box))

    class Factory(mupdf.PdfFilterFactory2):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.use_virtual_filter()

        def filter(self, _: Any, *given: Any) -> Any:
            return mupdf.ll_pdf_new_sanitize_filter(*given, sight.internal())

    sight, factory, options = Sight(), Factory(), mupdf.PdfFilterOptions()
    options.recurse, options.instance_forms, options.ascii, options.no_update = 0, 1, 0, 0
    options.add_factory(factory.internal())
    mupdf.pdf_filter_page_contents(
        mupdf.pdf_document_from_fz_document(pdf.this), mupdf.pdf_page_from_fz_page(page.this), options
    )
    return bytes(page.read_contents())


def _is_outside(seen: Any, box: Box) -> bool:
    return bool(seen.x1 <= box[0] or seen.x0 >= box[2] or seen.y1 <= box[1] or seen.y0 >= box[3])


def _unchanged(whole: bytes, cut: bytes) -> Callable[[int], bool]:
    """Whether the marked span of that number shows in the cut content all that it showed in the whole."""
    before, after = list(_shown(whole)), list(_shown(cut))
    return lambda at: at < len(before) and at < len(after) and before[at] == after[at]


def _shown(data: bytes) -> Iterator[list[bytes]]:
    """What each marked span shows, in the order in which they begin."""
    spans: list[list[bytes]] = []
    open_: list[list[bytes]] = []
    for each in operations(data) if data else ():
        if each.operator in (b"BDC", b"BMC"):
            open_.append([])
            if each.operator == b"BDC":
                spans.append(open_[-1])
        elif each.operator == b"EMC" and open_:
            open_.pop()
        elif each.operator in _SHOWING:
            for held in open_:
                held.append(data[each.start : each.end])
    yield from spans


def _unspoken(data: bytes, each: Operation) -> bytes | None:
    """The begin of a marked span without the words that stand for what it showed."""
    told = data[each.start : each.end]
    if _SPOKEN not in told:
        return None
    tag, held = each.operands[0], parse(data, each.operands[1].start)[0]
    kept = {key: value for key, value in held.items() if key != _SPOKEN} if type(held) is dict else {}
    words = b" ".join([key + b" " + (value if type(value) is bytes else b"null") for key, value in kept.items()])
    return data[tag.start : tag.end] + b"<<" + words + b">>BDC"


def _numbers(data: bytes, each: Operation) -> Matrix:
    found = [_float(data[token.start : token.end]) for token in each.operands]
    return (found[0], found[1], found[2], found[3], found[4], found[5]) if len(found) == 6 else _WHOLE


def _float(token: Any) -> float:
    try:
        return float(token)
    except (TypeError, ValueError):
        return 0.0


def _times(a: Matrix, b: Matrix) -> Matrix:
    return (
        a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5],
    )  # fmt: skip


def _inverse(m: Matrix) -> Matrix | None:
    size = m[0] * m[3] - m[1] * m[2]
    if abs(size) < 1e-9:
        return None
    a, b, c, d = m[3] / size, -m[1] / size, -m[2] / size, m[0] / size
    return a, b, c, d, -(m[4] * a + m[5] * c), -(m[4] * b + m[5] * d)


def _place(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def _clamped(values: list[float]) -> tuple[float, float]:
    return max(0.0, min(values)), min(1.0, max(values))


def _told(matrix: Matrix) -> bytes:
    return b" ".join([b"%.9g" % value for value in matrix])
