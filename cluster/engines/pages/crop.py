"""Crop a picture of a document to a share of it: the other pixels are gone, the rest stay what they were.

Samples that lose nothing are cut as they are, bit by bit. A JPEG is decoded, cut where its blocks begin and coded
with its own tables, which gives the same coefficients again; JPEG 2000 at the bits a pixel that it had.
"""

import io
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.pdf.reader import Document, Stream
from cluster.engines.pdf.syntax import Ref, number

if TYPE_CHECKING:
    from cluster.engines.pictures.encode import Encoded

Keep = tuple[float, float, float, float]
"""Left, top, right, bottom as shares of the picture, 0 to 1."""
Span = tuple[int, int]
"""First pixel, and the one after the last."""
#: Bytes of samples that are held decoded.
_MOST = 400 << 20
_MASKS = (b"/SMask", b"/Mask")
#: What tells of the whole picture, or how its bytes were packed.
_LEFT = b"/Length /Filter /DecodeParms /Width /Height /Metadata /PieceInfo /Alternates /OPI /StructParent".split()
_SPACES = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK"}
#: The head of a codestream whose first component has other than 8 bits: Pillow does not scale them.
_JPX_DEEP = re.compile(rb"\xff\x4f\xff\x51.{38}[^\x07]", re.DOTALL)
_CHANNELS = (1, 3, 4, 2, *range(5, 33))
_JPEG, _JPX = (b"/DCTDecode", b"/DCT"), (b"/JPXDecode",)
#: Blocks of a JPEG by the subsampling that Pillow tells: across and down, in pixels.
_BLOCKS = {0: (8, 8), 1: (16, 8), 2: (16, 16)}


@dataclass
class Cropped:
    """A picture cut to `columns` of `width` and `rows` of `height`; `masks` by their keys, cut to the same share."""

    entries: dict[bytes, Any]
    body: "Encoded"
    size: tuple[int, int]
    columns: Span
    rows: Span
    masks: dict[bytes, "Cropped"]

    def matrix(self) -> tuple[float, float, float, float, float, float]:
        """Where in the whole picture's unit square it stands."""
        (left, right), (top, bottom), (width, height) = self.columns, self.rows, self.size
        return (right - left) / width, 0, 0, (bottom - top) / height, left / width, 1 - bottom / height

    def write(self, copier: Copier) -> int:
        """Write it into the copier's sink; its number."""
        entries = dict(self.entries)
        for key, mask in self.masks.items():
            entries[key] = copier.own(mask.write(copier))
        body = self.body
        entries |= {b"/Width": b"%d" % body.width, b"/Height": b"%d" % body.height, b"/Filter": body.filter.encode()}
        if body.parms:
            entries[b"/DecodeParms"] = {key.encode(): _token(value) for key, value in body.parms.items()}
        return copier.sink.add_stream(copier.text(entries)[2:-2], body.data)


class Cropper:
    """Crops pictures of one document, which MuPDF has open, too."""

    def __init__(self, document: Document, pdf: Any) -> None:
        self.document, self.pdf = document, pdf
        #: The last JPEG decoded: the slices of a page ask for the same one.
        self._last: tuple[int, Any] | None = None

    def crop(self, ref: Ref, keep: Keep) -> Cropped | None:
        """The picture cut to `keep` and a little more where it must; None for one that cannot be cut."""
        stream = self.document.get(ref)
        size = self._size(stream)
        if not size:
            return None
        masks = self._masks(stream)
        if masks is None:
            return None
        steps = [self._step(stream, ref, axis, [held[axis] for _, held in masks.values()]) for axis in (0, 1)]
        inner = [_covering(keep[axis], keep[axis + 2], size[axis]) for axis in (0, 1)]
        outer = [_snapped(inner[axis], size[axis], steps[axis]) for axis in (0, 1)]
        made = self._made(stream, ref, size, inner, outer)
        if made is None:
            return None
        for key, (mask, held) in masks.items():
            own = [_covering(keep[axis], keep[axis + 2], held[axis]) for axis in (0, 1)]
            around = [_scaled(outer[axis], size[axis], held[axis]) for axis in (0, 1)]
            cut = self._made(self.document.get(mask), mask, held, own, around)
            if cut is None:
                return None
            made.masks[key] = cut
        return made

    def _size(self, stream: Any) -> tuple[int, int] | None:
        if type(stream) is not Stream:
            return None
        width, height = (number(self.document.get(stream.entries.get(key)), 0) for key in (b"/Width", b"/Height"))
        return (width, height) if width > 0 and height > 0 and width * height * 3 <= _MOST else None

    def _masks(self, stream: Stream) -> dict[bytes, tuple[Ref, tuple[int, int]]] | None:
        """Pictures that say what of this one is seen, with their sizes; None where one makes no sense."""
        found = {}
        for key in _MASKS:
            ref = stream.entries.get(key)
            if type(ref) is Ref and type(self.document.get(ref)) is Stream:
                size = self._size(self.document.get(ref))
                if size is None:
                    return None
                found[key] = (ref, size)
        return found

    def _step(self, stream: Stream, ref: Ref, axis: int, masks: list[int]) -> int:
        """Pixels at whose multiples this axis may be cut: where blocks begin, and pixels of the masks do."""
        size = self._size(stream) or (1, 1)
        step = 1
        if self._codec(stream) in _JPEG and (image := self._jpeg(ref)):
            step = _BLOCKS.get(image[1], (1, 1))[axis]
        for other in masks:
            step = math.lcm(step, size[axis] // math.gcd(size[axis], other))
        return step

    def _codec(self, stream: Stream) -> bytes:
        """The one filter; empty for none and for several."""
        held = self.document.get(stream.entries.get(b"/Filter", b"null"))
        names = [self.document.get(each) for each in held] if type(held) is list else [held]
        return names[0] if len(names) == 1 and type(names[0]) is bytes else b""

    def _made(
        self, stream: Stream, ref: Ref, size: tuple[int, int], inner: list[Span], outer: list[Span]
    ) -> Cropped | None:
        codec = self._codec(stream)
        entries = {key: value for key, value in stream.entries.items() if key not in (*_LEFT, *_MASKS)}
        held = stream.entries.get(b"/Mask")
        if held is not None and type(self.document.get(held)) is list:
            entries[b"/Mask"] = held
        transformed = b"/DecodeParms" in stream.entries and codec in _JPEG
        if codec in _JPEG and not transformed and (image := self._jpeg(ref)):
            body: Encoded | None = _jpeg_body(image, inner, outer)
        elif codec in _JPX:
            body = self._jpx_body(stream, inner, outer) or self._drawn_body(stream, ref, entries, inner, outer)
        else:
            body = self._raw_body(stream, ref, size, inner, outer)
        return Cropped(entries, body, size, outer[0], outer[1], {}) if body else None

    def _jpeg(self, ref: Ref) -> Any:
        """Pixels, subsampling and tables of a JPEG; None for one that Pillow does not read whole."""
        if self._last is None or self._last[0] != ref:
            self._last = int(ref), _decoded_jpeg(self.document.read(self.document.get(ref)))
        return self._last[1]

    def _raw_body(
        self, stream: Stream, ref: Ref, size: tuple[int, int], inner: list[Span], outer: list[Span]
    ) -> "Encoded | None":
        """Samples bit by bit, whatever they mean: MuPDF unpacks Flate, LZW, runs, fax and JBIG2 alike."""
        import numpy

        entries, (width, height) = stream.entries, size
        mask = self.document.get(entries.get(b"/ImageMask")) == b"true"
        one = mask or self._codec(stream) in (b"/CCITTFaxDecode", b"/CCF", b"/JBIG2Decode")
        bits = 1 if one else number(self.document.get(entries.get(b"/BitsPerComponent")), 8)
        data = self.pdf.xref_stream(ref) or b""
        row = len(data) // height
        depth = next((bits * each for each in _CHANNELS if (width * bits * each + 7) // 8 == row), 0)
        if not depth or len(data) > _MOST:
            return None
        rows = numpy.frombuffer(data, numpy.uint8, row * height).reshape(height, row)
        rows = rows[inner[1][0] : inner[1][1]]
        if depth % 8:
            rows = numpy.unpackbits(rows, axis=1)[:, : width * depth]
        pixels = rows.reshape(len(rows), width, -1)[:, inner[0][0] : inner[0][1]]
        return _packed(_padded(pixels, inner, outer), depth, bits)

    def _drawn_body(
        self, stream: Stream, ref: Ref, entries: dict[bytes, Any], inner: list[Span], outer: list[Span]
    ) -> "Encoded | None":
        """8 bits of each sample as MuPDF decodes it, without further loss; `entries` say so."""
        import numpy

        drawn = import_pymupdf().Pixmap(self.pdf, ref)
        space = _SPACES.get(drawn.n)
        if drawn.alpha or space is None or (drawn.width, drawn.height) != self._size(stream):
            return None
        entries |= {b"/BitsPerComponent": b"8", b"/ColorSpace": entries.get(b"/ColorSpace", space)}
        pixels = numpy.frombuffer(drawn.samples, numpy.uint8).reshape(drawn.height, drawn.width, drawn.n)
        return _packed(_padded(_boxed(pixels, inner), inner, outer), 8 * drawn.n, 8)

    def _jpx_body(self, stream: Stream, inner: list[Span], outer: list[Span]) -> "Encoded | None":
        import numpy
        from PIL import Image

        from cluster.engines.pictures.encode import Encoded

        if number(self.document.get(stream.entries.get(b"/SMaskInData")), 0):
            return None
        data = self.document.read(stream)
        if _JPX_DEEP.search(data):
            return None
        try:
            with Image.open(io.BytesIO(data), formats=("JPEG2000",)) as image:
                if image.mode not in ("L", "RGB") or image.size != self._size(stream):
                    return None
                ratio = image.width * image.height * len(image.getbands()) / max(1, stream.length)
                pixels = numpy.asarray(image)
        except (OSError, ValueError, SyntaxError):
            return None
        cut = Image.fromarray(_padded(_boxed(pixels, inner), inner, outer))
        held = io.BytesIO()
        # A little more than it had: it was thrown away once already.
        lossy = {"irreversible": True, "quality_mode": "rates", "quality_layers": [ratio * 0.7]} if ratio > 4 else {}
        cut.save(held, "JPEG2000", **lossy)
        return Encoded(held.getvalue(), *cut.size, 8, "/JPXDecode")


def _decoded_jpeg(data: bytes) -> Any:
    import numpy
    from PIL import Image, JpegImagePlugin

    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as image:
            if image.mode not in ("L", "RGB", "CMYK"):
                return None
            sampling = JpegImagePlugin.get_sampling(image) if image.mode == "RGB" else 0
            return numpy.asarray(image), sampling, image.quantization, image.mode  # type: ignore[attr-defined]
    except (OSError, ValueError, SyntaxError):
        return None


def _jpeg_body(image: Any, inner: list[Span], outer: list[Span]) -> "Encoded":
    from PIL import Image

    from cluster.engines.pictures.encode import Encoded

    pixels, sampling, tables, mode = image
    cut = Image.fromarray(_padded(_boxed(pixels, inner), inner, outer), mode)
    held = io.BytesIO()
    cut.save(held, "JPEG", qtables=tables, subsampling=max(0, sampling), optimize=True)
    return Encoded(held.getvalue(), *cut.size, 8, "/DCTDecode")


def _packed(pixels: Any, depth: int, bits: int) -> "Encoded":
    """Rows of samples: bytes, or bits one by one where a pixel is no whole number of bytes."""
    import numpy
    from PIL import Image

    from cluster.engines.pictures import encode

    height, width = pixels.shape[:2]
    if depth % 8:
        packed = numpy.packbits(pixels.reshape(height, -1), axis=1).tobytes()
        if depth == 1:
            return encode.fax(Image.frombytes("1", (width, height), packed))
        return encode.deflated(packed, (width, height), bits)
    if bits == 8 and depth in (8, 24):
        return encode.filtered(numpy.ascontiguousarray(pixels), (width, height), depth // 8)
    return encode.deflated(numpy.ascontiguousarray(pixels).tobytes(), (width, height), bits)


def _boxed(pixels: Any, inner: list[Span]) -> Any:
    return pixels[inner[1][0] : inner[1][1], inner[0][0] : inner[0][1]]


def _padded(pixels: Any, inner: list[Span], outer: list[Span]) -> Any:
    """The pixels of `inner` in a picture of `outer`: what is cut off looks like the edge, which packs to nothing."""
    import numpy

    around = [(inner[axis][0] - outer[axis][0], outer[axis][1] - inner[axis][1]) for axis in (1, 0)]
    return numpy.pad(pixels, [*around, *[(0, 0)] * (pixels.ndim - 2)], mode="edge")


def _covering(low: float, high: float, size: int) -> Span:
    """The pixels that a share touches, one at least."""
    first = min(size - 1, max(0, math.floor(low * size + 1e-6)))
    return first, max(first + 1, min(size, math.ceil(high * size - 1e-6)))


def _snapped(span: Span, size: int, step: int) -> Span:
    """The least span around this one that begins and ends at multiples of `step`, or at the end."""
    return span[0] // step * step, min(size, -(-span[1] // step) * step)


def _scaled(span: Span, size: int, other: int) -> Span:
    return round(span[0] * other / size), round(span[1] * other / size)


def _token(value: Any) -> bytes:
    return str(value).lower().encode() if isinstance(value, bool) else str(value).encode()
