"""Encodings that a PDF picture may have: JPEG, CCITT G4, and Flate with the best PNG filters and colours."""

import io
import struct
import zlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

#: Beyond this many samples the slower filter trials cost more seconds than they save bytes.
_PATIENT = 4_000_000
#: The PNG format's numbers for kinds of colour.
_GRAY, _RGB, _PALETTE = 0, 2, 3
#: Quantisation tuned for MS-SSIM (mozjpeg's table 4): 4-10 % smaller here than Annex K at the same SSIM.
# fmt: off
_TUNED = (
    12, 17, 20, 21, 30, 34, 56, 63, 18, 20, 20, 26, 28, 51, 61, 55, 19, 20, 21, 26, 33, 58, 69, 55, 26, 26, 26, 30,
    46, 87, 86, 66, 31, 33, 36, 40, 46, 96, 100, 73, 40, 35, 46, 62, 81, 100, 111, 91, 46, 66, 76, 86, 102, 121,
    120, 101, 68, 90, 90, 96, 113, 102, 105, 103,
)
# fmt: on


@dataclass(frozen=True)
class Encoded:
    """A new body for an image XObject, and what its samples are.

    channels: of a pixel, or of an entry of `palette` where there is one; 0: the samples of before, whatever they
    mean. quality: of a JPEG, 0 for what loses nothing.
    """

    data: bytes
    width: int
    height: int
    bits: int
    filter: str
    parms: dict[str, Any] = field(default_factory=dict)
    palette: bytes | None = None
    channels: int = 0
    quality: int = 0

    def __len__(self) -> int:
        return len(self.data) + len(self.palette or b"")


def jpeg(image: "Image", quality: int, *, vivid: bool = False) -> Encoded:
    """JPEG with tables tuned for structural likeness, smaller at the same looks.

    vivid: chroma keeps its resolution, instead of a half of it.
    """
    from PIL import ImageChops

    body = ImageChops.invert(image) if image.mode == "CMYK" else image
    held = io.BytesIO()
    tables = [_table(quality)] * (1 if image.mode == "L" else 2)
    body.save(held, "JPEG", qtables=tables, optimize=True, subsampling=2 if image.mode == "RGB" and not vivid else 0)
    return Encoded(held.getvalue(), *image.size, 8, "/DCTDecode", channels=len(image.getbands()), quality=quality)


def _table(quality: int) -> list[int]:
    """The tuned table at `quality`, scaled as libjpeg does."""
    scale = 5000 / quality if quality < 50 else 200 - 2 * quality
    return [max(1, min(255, round(value * scale / 100))) for value in _TUNED]


def finished(made: Encoded) -> Encoded:
    """A JPEG with its coefficients in the fewest bytes."""
    return replace(made, data=finish_jpeg(made.data))


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


def png(
    pixels: bytes, size: tuple[int, int], colours: Any, bits: int, *, plain: bool, palette: bool = True
) -> Encoded | None:
    """Flate with PNG filters, and fewer colours, bits or channels where no pixel changes.

    `colours` is a pyoxipng colour type; `plain` allows RGB that is gray to become DeviceGray, `palette` a palette.
    None when that cannot be had.
    """
    import oxipng

    small = size[0] * size[1] <= _PATIENT
    try:
        image = oxipng.RawImage(pixels, *size, color_type=colours, bit_depth=bits)
        made = image.create_optimized_png(
            level=2 if small else 1,
            grayscale_reduction=plain,
            palette_reduction=palette,
            color_type_reduction=palette,  # the reduction of bits makes palettes, too
            interlace=oxipng.Interlacing.Off,
        )
    except oxipng.PngError:
        return None
    found = _from_png(bytes(made))
    return found if found is not None and (palette or found.palette is None) else None


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
    if kind not in (_GRAY, _RGB, _PALETTE):
        return None
    channels = 1 if kind == _GRAY else 3
    parms = {"/Predictor": 15, "/Colors": 3 if kind == _RGB else 1, "/BitsPerComponent": bits, "/Columns": width}
    return Encoded(b"".join(body), width, height, bits, "/FlateDecode", parms, palette, channels)


def deflated(data: bytes, size: tuple[int, int], bits: int) -> Encoded:
    """Plain Flate of samples as they are."""
    return Encoded(zlib.compress(data, 9), *size, bits, "/FlateDecode")


def filtered(samples: Any, size: tuple[int, int], channels: int) -> Encoded:
    """Flate with PNG filters of 8-bit gray or RGB samples (an array of bytes), strip by strip."""
    from cluster.engines.pictures.rows import packed

    parms = {"/Predictor": 15, "/Colors": channels, "/BitsPerComponent": 8, "/Columns": size[0]}
    shape = (size[1], size[0]) if channels == 1 else (size[1], size[0], channels)
    return Encoded(packed(samples.reshape(shape)), *size, 8, "/FlateDecode", parms)
