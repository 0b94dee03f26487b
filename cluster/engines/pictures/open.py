"""Open pictures nobody vouches for: size from the header first, EXIF turned upright, every page of a TIFF."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cluster.engines.pdf.open import check_source
from cluster.engines.pictures.rows import narrow
from cluster.files import Source
from cluster.kinds import HEIC, JPG, TIFF
from cluster.problem import InputProblem, LimitProblem

if TYPE_CHECKING:
    from PIL.Image import Image

PIXELS = 100_000_000
#: Pages of one multi-page picture.
PAGES = 500
#: What is drawn on a transparent picture, what of it is light (of 255), and the share of it that may be darker.
_OPAQUE, _LIGHT, _SPECKS = 127, 200, 0.01
#: Pixels of a side that tell how light a picture is.
_SAMPLE = 1500
#: EXIF's tag for how a picture is to be turned, and its values for a quarter.
_ORIENTATION, _LYING = 0x0112, (5, 6, 7, 8)

#: MPO is what Pillow makes of a JPEG of several pictures, by itself.
_FORMATS = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP", "tiff": "TIFF", "bmp": "BMP", "gif": "GIF", "heic": "HEIF"}
#: What Pillow raises on files that are not as they should be.
_DAMAGE = (SyntaxError, EOFError, OSError, ValueError, IndexError, struct.error, zlib.error)


@contextmanager
def unjudged(source: Source) -> "Iterator[Image]":
    """The picture with only its header read, of any size. Raises empty_file, not_supported_type, damaged_file."""
    from PIL import Image

    check_source(source)
    if source.kind is HEIC:
        register_heif()
    # Callers bound sizes frame by frame, before they decode, with our own words.
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(source.path, formats=(_FORMATS[source.kind.key],)) as image:
            yield image
    except _DAMAGE as error:
        raise InputProblem("damaged_file", file=source.name) from error


@contextmanager
def opened(source: Source) -> "Iterator[Image]":
    """As `unjudged`, but too_large_when_opened over PIXELS."""
    with unjudged(source) as image:
        _check_size(source, image)
        yield image


def pages(source: Source, image: "Image", enough: int = PIXELS) -> "Iterator[Image]":
    """Every page of a TIFF, the first picture of anything else; upright as EXIF says.

    A JPEG of more than `enough` pixels is decoded at a half, a quarter or an eighth, but not below that.
    """
    from PIL import ImageOps

    if source.kind is JPG and image.width * image.height > enough:
        factor = (enough / (image.width * image.height)) ** 0.5
        image.draft(None, (int(image.width * factor), int(image.height * factor)))
    count = page_count(source, image)
    for number in range(count):
        if number:
            image.seek(number)
            _check_size(source, image)
        yield ImageOps.exif_transpose(flat(image, to_read=True))


def shown_widths(source: Source) -> list[int]:
    """How many pixels each of `pages` is wide as people see it, by their headers alone."""
    with opened(source) as image:
        found = []
        for number in range(page_count(source, image)):
            image.seek(number)
            lies = image.getexif().get(_ORIENTATION, 1) in _LYING
            found.append(image.height if lies else image.width)
        return found


def page_count(source: Source, image: "Image") -> int:
    """Pages that `pages` gives. Animations count once: their frames are one picture that moves."""
    if source.kind is not TIFF:
        return 1
    count = int(getattr(image, "n_frames", 1))
    if count > PAGES:
        raise LimitProblem("too_many_pages", file=source.name, pages=count, limit=PAGES)
    return count


def flat(image: "Image", *, to_read: bool = False) -> "Image":
    """RGB or grey on white: what shines through a transparent picture is paper.

    `to_read`: on black where all that is drawn is so light that nobody would see it on white.
    """
    from PIL import Image

    if image.mode in ("RGB", "L"):
        image.load()
        return image.copy() if getattr(image, "n_frames", 1) > 1 else image
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        return narrow(image)
    if "A" in image.mode or "transparency" in image.info:
        shown = image.convert("RGBA")
        paper = Image.new("RGBA", shown.size, "black" if to_read and _is_light(shown) else "white")
        made = Image.alpha_composite(paper, shown).convert("RGB")
    else:
        made = image.convert("RGB")
    made.info = {key: value for key, value in image.info.items() if key in ("exif", "dpi")}
    return made


def _is_light(shown: "Image") -> bool:
    """Whether nothing opaque of an RGBA picture is dark; a sample of its pixels tells."""
    from PIL.Image import Resampling

    sample = shown.copy()
    sample.thumbnail((_SAMPLE, _SAMPLE), Resampling.NEAREST, reducing_gap=None)
    counts = sample.convert("L").histogram(sample.getchannel("A").point(lambda alpha: 255 * (alpha > _OPAQUE)))
    return sum(counts[:_LIGHT]) <= _SPECKS * sum(counts)


def _check_size(source: Source, image: "Image") -> None:
    if image.width * image.height > PIXELS:
        raise LimitProblem("too_large_when_opened", file=source.name)


def register_heif() -> None:
    """Teach Pillow to read HEIC, the iPhone's photos."""
    import pillow_heif

    pillow_heif.register_heif_opener()
