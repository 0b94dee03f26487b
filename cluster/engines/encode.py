"""Encodings that a PDF picture may have: JPEG, CCITT G4, and Flate with the best PNG filters and colours."""

import io
import struct
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

#: Beyond this many samples the slower filter trials cost more seconds than they save bytes.
_PATIENT = 4_000_000


@dataclass(frozen=True)
class Encoded:
    """A new body for an image XObject. `palette` makes it indexed over the old colours; `gray` makes it DeviceGray."""

    data: bytes
    width: int
    height: int
    bits: int
    filter: str
    parms: dict[str, Any] = field(default_factory=dict)
    palette: bytes | None = None
    gray: bool = False

    def __len__(self) -> int:
        return len(self.data) + len(self.palette or b"")


def jpeg(image: "Image", quality: int, *, gray: bool = False, colour: bool = True) -> Encoded:
    """Baseline JPEG with optimal tables, as readers' decoders take it; `finish_jpeg` makes it progressive.

    `colour` keeps chroma at half resolution, as the eye does.
    """
    from PIL import ImageChops

    body = ImageChops.invert(image) if image.mode == "CMYK" else image
    held = io.BytesIO()
    body.save(held, "JPEG", quality=quality, optimize=True, subsampling=2 if colour else 0)
    return Encoded(held.getvalue(), *image.size, 8, "/DCTDecode", gray=gray)


def finish_jpeg(data: bytes) -> bytes:
    """The same coefficients in fewer bytes; the input when that is not possible."""
    import mozjpeg_lossless_optimization

    try:
        smaller = bytes(mozjpeg_lossless_optimization.optimize(data))
    except (RuntimeError, ValueError, OSError):
        return data
    return smaller if 0 < len(smaller) < len(data) else data


def fax(bitmap: "Image") -> Encoded:
    """CCITT group 4 of a mode 1 picture; the commoner colour is coded as white, whose runs are cheaper."""
    from PIL import Image, ImageChops

    light = bitmap.histogram()[255] * 2 >= bitmap.width * bitmap.height
    # libtiff codes bit 0 as white.
    body = ImageChops.invert(bitmap) if light else bitmap
    held = io.BytesIO()
    body.save(held, "TIFF", compression="group4", tiffinfo={278: bitmap.height})
    with Image.open(held) as written:
        (offset,), (length,) = written.tag_v2[273], written.tag_v2[279]  # type: ignore[attr-defined]
    parms = {"/K": -1, "/Columns": bitmap.width, "/Rows": bitmap.height, "/BlackIs1": not light}
    return Encoded(held.getvalue()[offset : offset + length], bitmap.width, bitmap.height, 1, "/CCITTFaxDecode", parms)


def png(pixels: bytes, size: tuple[int, int], colours: Any, bits: int, *, plain: bool) -> Encoded | None:
    """Flate with PNG filters, and fewer colours, bits or channels where no pixel changes.

    `colours` is a pyoxipng colour type; `plain` allows RGB that is gray to become DeviceGray.
    """
    import oxipng

    small = size[0] * size[1] <= _PATIENT
    try:
        image = oxipng.RawImage(pixels, *size, color_type=colours, bit_depth=bits)
        made = image.create_optimized_png(
            level=2 if small else 1, grayscale_reduction=plain, interlace=oxipng.Interlacing.Off
        )
    except oxipng.PngError:
        return None
    return _from_png(bytes(made))


def _from_png(made: bytes) -> Encoded | None:
    """The image data of a PNG file as a PDF reads it."""
    width, height, bits, kind = struct.unpack(">IIBB", made[16:26])
    body, palette, at = [], None, 8
    while at + 8 <= len(made):
        length, tag = struct.unpack(">I4s", made[at : at + 8])
        chunk = made[at + 8 : at + 8 + length]
        if tag == b"IDAT":
            body.append(chunk)
        elif tag == b"PLTE":
            palette = chunk
        at += length + 12
    channels = {0: 1, 2: 3, 3: 1}.get(kind)
    if channels is None:
        return None
    parms = {"/Predictor": 15, "/Colors": channels, "/BitsPerComponent": bits, "/Columns": width}
    gray = kind == 0
    return Encoded(b"".join(body), width, height, bits, "/FlateDecode", parms, palette, gray)


def deflated(data: bytes, size: tuple[int, int], bits: int) -> Encoded:
    """Plain Flate of samples as they are."""
    return Encoded(zlib.compress(data, 9), *size, bits, "/FlateDecode")
