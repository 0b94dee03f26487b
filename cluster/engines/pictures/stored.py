"""Pictures of a PDF as files of their own: as they are stored where a program for pictures sees the same, else decoded.

with Stored(path) as stored:                    # what cluster.engines.pdf.gathered wrote
    kind, data = stored.original(index)
    image = stored.decoded(index)               # Pillow's 1, L, RGB or RGBA; masks composed
"""

import io
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.gathered import LISTED
from cluster.engines.pdf.images import as_list, channels_of, encoded, space_name
from cluster.engines.pdf.libraries import import_pikepdf, import_pymupdf, mupdf_errors
from cluster.engines.pdf.streams import decoded
from cluster.engines.pictures.write import deep_png
from cluster.kinds import JP2, JPG, PNG, TIFF, Kind
from cluster.problem import LimitProblem

if TYPE_CHECKING:
    from PIL.Image import Image

PIXELS = 100_000_000
_PLAIN = ("/DeviceGray", "/DeviceRGB", "/CalGray", "/CalRGB", "/ICCBased", "/G", "/RGB")
#: Of zlib: the highest takes three times as long for 3 % less.
_LEVEL = 5
_FLAT = ([0.0, 1.0], [0.0, 1.0] * 3, [0.0, 1.0] * 4)
_INVERTED = [1.0, 0.0] * 4


class TooLarge(Exception):
    """A picture of more than PIXELS."""


class Stored:
    """The pictures of a gathered PDF, by their places in its list."""

    def __init__(self, path: Path) -> None:
        self._pdf = import_pikepdf().open(path)
        self._drawn = import_pymupdf().open(path)
        self.images = list(self._pdf.Root[LISTED])

    def __enter__(self) -> "Stored":
        return self

    def __exit__(self, *_: object) -> None:
        self._drawn.close()
        self._pdf.close()

    def size(self, index: int) -> tuple[int, int]:
        """Pixels across and down, as the document says."""
        image = self.images[index]
        return int(image.get("/Width", 0)), int(image.get("/Height", 0))

    def original(self, index: int) -> tuple[Kind, bytes] | None:
        """The bytes as they are stored, where they show what the page shows; None where they do not."""
        image = self.images[index]
        if any(key in image for key in ("/SMask", "/Mask")) or image.get("/ImageMask", False):
            return None
        codec, data = encoded(self._pdf, image)
        if codec == "jpeg" and _shows_the_same(image, data):
            return JPG, with_profile(data, profile_of(image))
        if codec == "jpx" and _is_plain(image, missing=True):
            return JP2, data
        if codec == "fax" and _decodes_plainly(image) and _is_plain(image):
            return _as_tiff(image)
        deep = int(image.get("/BitsPerComponent", 8)) == 16 and codec not in ("jpeg", "jpx", "fax")
        return _as_deep_png(image) if deep and _is_plain(image) else None

    def decoded(self, index: int) -> "Image":
        """The picture as the page shows it, in its own pixels. Raises TooLarge, and ValueError where it is broken."""
        image = self.images[index]
        try:
            shown = self._samples(image)
            mask = next((image[key] for key in ("/SMask", "/Mask") if _is_image(image.get(key))), None)
            if mask is not None:
                shown = _composed(shown, self._samples(mask, alpha=True))
        except mupdf_errors() as error:
            raise ValueError(str(error)) from error
        if (profile := profile_of(image)) and "icc_profile" not in shown.info:
            shown.info["icc_profile"] = profile
        return shown

    def _samples(self, image: Any, *, alpha: bool = False) -> "Image":
        from PIL import Image

        pymupdf = import_pymupdf()
        if int(image.get("/Width", 0)) * int(image.get("/Height", 0)) > PIXELS:
            raise TooLarge
        pixels = pymupdf.Pixmap(self._drawn, image.objgen[0])
        if pixels.width * pixels.height > PIXELS:
            raise TooLarge
        size = pixels.width, pixels.height
        if pixels.colorspace is None:  # a stencil: what it covers
            cover = Image.frombytes("L", size, pixels.samples)
            return cover if alpha else cover.point(lambda value: 255 - value).convert("1")
        if pixels.colorspace.n not in (1, 3) or not _is_plain(image, missing=True, palette=True):
            pixels = pymupdf.Pixmap(pymupdf.csRGB, pixels)
        grey = pixels.colorspace.n == 1
        made = Image.frombytes(("LA" if grey else "RGBA") if pixels.alpha else ("L" if grey else "RGB"), size,
                               pixels.samples)  # fmt: skip
        return made.convert("1") if made.mode == "L" and not alpha and _is_bitonal(image) else made


def png(image: "Image") -> bytes:
    """As a PNG, with its profile."""
    held = io.BytesIO()
    image.save(held, "PNG", compress_level=_LEVEL, icc_profile=image.info.get("icc_profile"))
    return held.getvalue()


def jpg(image: "Image", quality: int) -> bytes:
    """As a JPEG on white paper, with its profile."""
    from cluster.engines.pictures.open import flat

    held, profile = io.BytesIO(), image.info.get("icc_profile")
    shown = image.convert("L") if image.mode == "1" else flat(image)
    # A grey profile does not fit what was composed on white in colour.
    fits = profile if profile and (profile[16:20] == b"GRAY") == (shown.mode == "L") else None
    shown.save(held, "JPEG", quality=quality, icc_profile=fits)
    return held.getvalue()


def _is_bitonal(image: Any) -> bool:
    if space_name(image.get("/ColorSpace")) in ("/Indexed", "/I"):
        return False
    coded = [str(each) for each in as_list(image.get("/Filter"))]
    return int(image.get("/BitsPerComponent", 8)) == 1 or bool({"/CCITTFaxDecode", "/JBIG2Decode"} & set(coded))


def _composed(shown: "Image", alpha: "Image") -> "Image":
    """Both at the size of the larger one, as readers draw them."""
    from PIL import Image

    size = max(shown.size, alpha.size, key=lambda each: each[0] * each[1])
    colours = shown.convert("L" if shown.mode in ("1", "L", "LA") else "RGB")
    colours = colours if colours.size == size else colours.resize(size, Image.Resampling.BICUBIC)
    alpha = alpha.convert("L")
    alpha = alpha if alpha.size == size else alpha.resize(size, Image.Resampling.BILINEAR)
    if alpha.getextrema()[0] == 255:
        return colours
    made = colours.convert("RGBA") if colours.mode == "RGB" else colours.convert("LA")
    made.putalpha(alpha)
    return made


def _shows_the_same(image: Any, data: bytes) -> bool:
    """Whether a program that knows only the JPEG shows its colours."""
    adobe = b"Adobe\0" in data[:4096] or b"Adobe" in data[:200]
    parms = [each for each in as_list(image.get("/DecodeParms")) if hasattr(each, "get")]
    if any("/ColorTransform" in each for each in parms) and not adobe:
        return False
    if channels_of(image.get("/ColorSpace")) == 4:
        # Programs take the CMYK of Adobe's JPEGs for inverted; the PDF says so, or means otherwise.
        return space_name(image.get("/ColorSpace")) in ("/DeviceCMYK", "/ICCBased") and adobe == (
            _decode(image) == _INVERTED
        )
    return _decodes_plainly(image) and _is_plain(image)


def _is_plain(image: Any, *, missing: bool = False, palette: bool = False) -> bool:
    """Whether samples are grey or RGB; `missing`: JPEG 2000 may say so itself; `palette`: those of a palette."""
    space = image.get("/ColorSpace")
    if space is None:
        return missing
    name = space_name(space)
    if palette and name in ("/Indexed", "/I"):
        return space_name(space[1]) in _PLAIN and channels_of(space[1]) in (1, 3)
    return name in _PLAIN and channels_of(space) in (1, 3) and (_decodes_plainly(image) or palette)


def _decode(image: Any) -> list[float]:
    return [float(each) for each in image.get("/Decode", [])]


def _decodes_plainly(image: Any) -> bool:
    return not _decode(image) or _decode(image) in _FLAT


def _as_tiff(image: Any) -> tuple[Kind, bytes] | None:
    """Fax rows as they are, with a TIFF's head before them; None where TIFF cannot say how they are coded."""
    import pikepdf

    parms = [each for each in as_list(image.get("/DecodeParms")) if hasattr(each, "get")]
    if any(each.get("/EncodedByteAlign", False) for each in parms):
        return None
    held = io.BytesIO()
    try:
        made = pikepdf.PdfImage(image).extract_to(stream=held)
    except (pikepdf.PdfError, ValueError, NotImplementedError, TypeError, AttributeError):
        return None
    return (TIFF, held.getvalue()) if made in (".tif", ".tiff") else None


def _as_deep_png(image: Any) -> tuple[Kind, bytes] | None:
    """Samples of 16 bits as they are: Pillow has none of colour. None where the stream is short, or unfolds too far."""
    size = int(image.get("/Width", 0)), int(image.get("/Height", 0))
    channels, data = channels_of(image.get("/ColorSpace")), None
    with suppress(LimitProblem):
        data = decoded(image)
    if data is None or not 0 < size[0] * size[1] * channels * 2 <= len(data):
        return None
    return PNG, deep_png(data, size, channels, profile_of(image))


def profile_of(image: Any) -> bytes | None:
    """The colour profile of a grey or RGB picture, unless it is the one that everybody means."""
    space = image.get("/ColorSpace")
    if space_name(space) in ("/Indexed", "/I"):
        space = space[1]
    if space_name(space) != "/ICCBased" or channels_of(space) not in (1, 3):
        return None
    try:
        data = bytes(space[1].read_bytes())
    except import_pikepdf().PdfError:
        return None
    fits = data[16:20] == {1: b"GRAY", 3: b"RGB "}[channels_of(space)] and data[36:40] == b"acsp"
    return data if fits and b"sRGB" not in data and b"s\0R\0G\0B" not in data else None


def with_profile(data: bytes, profile: bytes | None) -> bytes:
    """A JPEG with a colour profile before its other segments; as it was where it has one, or needs none."""
    if profile is None or b"ICC_PROFILE\0" in data[: 1 << 16] or data[:2] != b"\xff\xd8":
        return data
    pieces = [profile[at : at + 65_000] for at in range(0, len(profile), 65_000)]
    if len(pieces) > 255:
        return data
    segments = [b"ICC_PROFILE\0" + bytes((number, len(pieces))) + each for number, each in enumerate(pieces, 1)]
    return data[:2] + b"".join(b"\xff\xe2" + (len(each) + 2).to_bytes(2, "big") + each for each in segments) + data[2:]


def _is_image(node: Any) -> bool:
    import pikepdf

    return isinstance(node, pikepdf.Stream)
