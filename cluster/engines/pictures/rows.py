"""Decoded pictures packed without loss, strip by strip: memory holds the picture once, and what it became.

1-bit as fax, the rest as the rows of a PNG, which PDF reads as they are; transparency apart.
"""

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

#: Of zlib: 6 takes four times as long for 5 % less.
_LEVEL = 2
#: Pixels converted at a time.
_STRIP = 2_000_000
#: Bytes unpacked at a time, to see what is there: a thousand times as many at most.
_PIECE = 1 << 15
_DEEP = ("I;16", "I;16B", "I;16L")
#: Values of any range, shown by the range that is there.
_WIDE = ("I", "F")
_CLEAR = ("RGBA", "LA", "PA", "La", "RGBa")

Strips = Iterator[tuple["Image", int]]
"""Rows from the top, and how many of them (0 or 1) the strip before has had already."""


@dataclass
class Samples:
    """An image XObject: dictionary entries without size and colour space, and its bytes.

    cut: they end before the picture says that it does; readers show what there is.
    """

    entries: bytes
    data: bytes | bytearray
    bands: int
    palette: bytes | None = None
    mask: "Samples | None" = None
    cut: bool = False


def decoded(image: "Image") -> Samples:
    """The samples of an open picture."""
    if image.mode == "1":
        return _fax(image)
    if image.mode in _CLEAR or "transparency" in image.info:
        return _colours_and_alpha((strip.convert("RGBA"), before) for strip, before in _strips(image))
    if image.mode in _DEEP:
        return _rows(_strips(image), image.width, 1, bits=16)
    if image.mode in _WIDE:
        return _rows(_strips(narrow(image)), image.width, 1)
    if image.mode == "LAB":
        return _rows(_as_srgb(_strips(image)), image.width, 3)
    if image.mode == "CMYK":
        return _cmyk(image)
    if image.mode in ("L", "P"):
        return _whole(image)
    return _rows(((strip.convert("RGB"), before) for strip, before in _strips(image)), image.width, 3)


def array_samples(pixels: Any) -> Samples:
    """The samples of an array of blue, green, red and maybe alpha, as OpenCV decodes it."""
    import cv2

    clear = pixels.shape[2] == 4
    strips = _array_strips(pixels, cv2.COLOR_BGRA2RGBA if clear else cv2.COLOR_BGR2RGB)
    return _colours_and_alpha(strips) if clear else _rows(strips, pixels.shape[1], 3)


def grey_rows(pixels: Any) -> Samples | None:
    """An array of alpha as a mask; None where nothing is transparent."""
    if pixels.min() == 255:
        return None
    return _rows(_array_strips(pixels, None), pixels.shape[1], 1)


def alpha_of(image: "Image") -> Samples | None:
    """The alpha of an open picture as a mask; None where nothing is transparent."""
    alpha = image.getchannel("A")
    return None if alpha.getextrema()[0] == 255 else _rows(_strips(alpha), image.width, 1)


def packed(pixels: Any) -> bytes:
    """The packed rows of an array of 8-bit gray or RGB samples."""
    rows = _Rows(6)
    for strip, before in _array_strips(pixels, None):
        rows.add(strip, before)
    return bytes(rows.close())


def png_samples(data: memoryview) -> Samples | None:
    """A PNG's own compressed rows, which PDF reads as they are; None for transparent, interlaced and broken ones."""
    width, height, bits, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    chunks = list(_chunks(data))
    kinds = {kind for kind, _ in chunks}
    if interlaced or colour not in (0, 2, 3) or b"tRNS" in kinds or (colour == 3 and b"PLTE" not in kinds):
        return None
    bands = 3 if colour == 2 else 1
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
    if not _unpacks(packed, ((width * bits * bands + 7) // 8 + 1) * height):
        return None
    palette = next(bytes(body) for kind, body in chunks if kind == b"PLTE") if colour == 3 else None
    return Samples(_entries(bands, bits, width), packed, 3 if colour == 3 else bands, palette)


def _unpacks(packed: bytes, size: int) -> bool:
    """Whether so many bytes come out, a piece at a time."""
    unpacker = zlib.decompressobj()
    for at in range(0, len(packed), _PIECE):
        try:
            size -= len(unpacker.decompress(packed[at : at + _PIECE]))
        except zlib.error:
            return False
        if size <= 0:
            return True
    return False


def _entries(bands: int, bits: int, width: int) -> bytes:
    parms = b"<< /Predictor 15 /Colors %d /BitsPerComponent %d /Columns %d >>" % (bands, bits, width)
    return b"/BitsPerComponent %d /Filter /FlateDecode /DecodeParms %b" % (bits, parms)


def _chunks(data: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    at = 8
    while at + 8 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield bytes(data[at + 4 : at + 8]), data[at + 8 : at + 8 + length]
        at += 12 + length


class _Rows:
    """PNG rows of 8-bit samples, compressed as they come."""

    def __init__(self, level: int = _LEVEL) -> None:
        self._packer = zlib.compressobj(level)
        self._data = bytearray()

    def add(self, strip: "Image", before: int) -> None:
        """A strip whose first `before` rows only tell the next one what stands above it."""
        held = io.BytesIO()
        strip.save(held, "PNG", compress_level=0)
        stored = b"".join(body for kind, body in _chunks(held.getbuffer()) if kind == b"IDAT")
        rows = memoryview(zlib.decompress(stored))
        self._data += self._packer.compress(rows[before * len(rows) // strip.height :])

    def close(self) -> bytearray:
        self._data += self._packer.flush()
        return self._data


def _strips(image: "Image") -> Strips:
    rows = max(1, _STRIP // image.width)
    for top in range(0, image.height, rows):
        before = min(1, top)
        yield image.crop((0, top - before, image.width, min(image.height, top + rows))), before


def _array_strips(pixels: Any, order: int | None) -> Strips:
    import cv2
    from PIL import Image

    height, width = pixels.shape[:2]
    rows = max(1, _STRIP // width)
    for top in range(0, height, rows):
        before = min(1, top)
        strip = pixels[top - before : top + rows]
        yield Image.fromarray(strip if order is None else cv2.cvtColor(strip, order)), before


def _rows(strips: Strips, width: int, bands: int, bits: int = 8) -> Samples:
    rows = _Rows()
    for strip, before in strips:
        rows.add(strip, before)
    return Samples(_entries(bands, bits, width), rows.close(), bands)


def _colours_and_alpha(strips: Strips) -> Samples:
    colours, alpha, clear, width = _Rows(), _Rows(), False, 0
    for strip, before in strips:
        width, shade = strip.width, strip.getchannel("A")
        colours.add(strip.convert("RGB"), before)
        alpha.add(shade, before)
        clear = clear or shade.getextrema()[0] != 255
    mask = Samples(_entries(1, 8, width), alpha.close(), 1) if clear else None
    return Samples(_entries(3, 8, width), colours.close(), 3, mask=mask)


def _as_srgb(strips: Strips) -> Strips:
    """L*a*b* as sRGB, which Pillow's own conversion does not know."""
    from PIL import ImageCms

    profiles = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    change = ImageCms.buildTransform(*profiles, "LAB", "RGB")
    for strip, before in strips:
        yield change.apply(strip), before


def narrow(image: "Image") -> "Image":
    """16 or 32 bits a sample to 8, by the range that is there."""
    low, high = image.convert("F").getextrema()
    span = float(high) - float(low) or 1.0  # type: ignore[arg-type]
    return image.convert("F").point(lambda value: (value - float(low)) * (255.0 / span)).convert("L")  # type: ignore[arg-type]


def _cmyk(image: "Image") -> Samples:
    packer, data = zlib.compressobj(_LEVEL), bytearray()
    for strip, before in _strips(image):
        data += packer.compress(strip.tobytes()[before * 4 * image.width :])
    return Samples(b"/BitsPerComponent 8 /Filter /FlateDecode", data + packer.flush(), 4)


def _whole(image: "Image") -> Samples:
    """One byte a pixel is little enough to be packed at once, in fewer bits where there are few colours."""
    held = io.BytesIO()
    image.save(held, "PNG", compress_level=_LEVEL)
    return png_samples(held.getbuffer()) or _whole(image.convert("RGB"))


def _fax(image: "Image") -> Samples:
    from PIL import Image

    held = io.BytesIO()
    image.save(held, "TIFF", compression="group4", tiffinfo={278: image.height})
    with Image.open(held, formats=("TIFF",)) as written:
        tags: Any = written.tag_v2  # type: ignore[attr-defined]
        at, length, photometric = tags[273][0], tags[279][0], tags[262]
    parms = b"<< /K -1 /Columns %d /Rows %d /BlackIs1 %b >>" % (
        image.width,
        image.height,
        b"true" if photometric else b"false",
    )
    entries = b"/BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms " + parms
    return Samples(entries, held.getvalue()[at : at + length], 1)
