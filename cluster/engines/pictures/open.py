"""Open pictures nobody vouches for: size from the header first, EXIF turned upright, every page of a TIFF."""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cluster.engines.pdf.open import check_source
from cluster.engines.pictures import webp
from cluster.engines.pictures.rows import narrow
from cluster.files import Source
from cluster.kinds import HEIC, JPG, TIFF, WEBP
from cluster.problem import InputProblem, LimitProblem

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

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
#: What it raises on the way to a frame that is not whole.
_BREAKS = (*_DAMAGE, TypeError, KeyError)
#: White, by kinds of pixels; of the others nothing is white, or clear.
_WHITE: dict[str, int | tuple[int, ...]] = {
    "1": 255,
    "L": 255,
    "I;16": 65535,
    "RGB": (255, 255, 255),
    "YCbCr": (255, 128, 128),
    "LA": (255, 0),
    "RGBA": (255, 255, 255, 0),
}


@contextmanager
def unjudged(source: Source) -> "Iterator[ImageFile]":
    """The picture with only its header read, of any size. Raises empty_file, not_supported_type, damaged_file."""
    from PIL import Image

    check_source(source)
    if source.kind is HEIC:
        register_heif()
    # Callers bound sizes frame by frame, before they decode, with our own words.
    Image.MAX_IMAGE_PIXELS = None
    try:
        short = source.kind is WEBP and webp.is_cut(source.path)
        with webp.opened_short(source.path) if short else Image.open(source.path, formats=_formats(source)) as image:
            if short:
                _check_size(source, image)
                webp.whiten(image, source.path)
            yield image
    except _DAMAGE as error:
        raise InputProblem("damaged_file", file=source.name) from error


def _formats(source: Source) -> tuple[str]:
    return (_FORMATS[source.kind.key],)


@contextmanager
def opened(source: Source) -> "Iterator[ImageFile]":
    """As `unjudged`, but too_large_when_opened over PIXELS."""
    with unjudged(source) as image:
        _check_size(source, image)
        yield image


def load(image: "ImageFile") -> bool:
    """Decode an open picture; whether its data ends too early. What is missing is white then, or clear.

    Raises what Pillow does where there is nothing of it, unless it follows others: they come with an empty page then.
    """
    try:
        image.load()
    except _DAMAGE:
        image.im, image.tile = _there(image).im, []
        return True
    return webp.CUT in image.info


def _there(image: "ImageFile") -> "Image":
    """The picture opened anew and decoded as far as its data goes."""
    from PIL import Image, ImageFile

    with Image.open(image.filename, formats=(image.format or "",)) as again:
        again.seek(image.tell())
        again.draft(None, image.size)  # as small as it was asked for
        white = _lightest(again) if again.mode == "P" else _WHITE.get(again.mode, 0)
        again.im = Image.new(again.mode, again.size, white).im
        ImageFile.LOAD_TRUNCATED_IMAGES = True  # the process's switch: on for this picture alone
        try:
            again.load()
        except _DAMAGE:  # what was decoded till then stays
            again.tile = []
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = False
    if not image.tell() and again.getextrema() == Image.new(again.mode, (1, 1), white).getextrema():
        raise OSError("nothing of it is there")
    return again


def _lightest(image: "Image") -> int:
    """The palette's number for white, or what comes nearest."""
    held = image.palette
    if held is None or not held.palette:
        return 0
    size = len(held.rawmode or held.mode)
    colours = [sum(held.palette[at : at + 3]) for at in range(0, len(held.palette), size)]
    return colours.index(max(colours))


def pages(source: Source, image: "ImageFile", enough: int = PIXELS) -> "Iterator[Image]":
    """Every page of a TIFF, the first picture of anything else; upright as EXIF says.

    A JPEG of more than `enough` pixels is decoded at a half, a quarter or an eighth, but not below that.
    `is_cut` tells of each whether something is missing, or behind it.
    """
    from PIL import ImageOps

    if source.kind is JPG and image.width * image.height > enough:
        factor = (enough / (image.width * image.height)) ** 0.5
        image.draft(None, (int(image.width * factor), int(image.height * factor)))
    count, broken = _counted(source, image)
    for number in range(count):
        if number:
            image.seek(number)
            _check_size(source, image)
        cut = load(image) or (broken and number == count - 1)
        page = ImageOps.exif_transpose(flat(image, to_read=True))
        if cut:
            page.info[webp.CUT] = True
        yield page


def is_cut(page: "Image") -> bool:
    """Whether data of one of `pages` ended too early, or what follows it is not there."""
    return webp.CUT in page.info


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
    return _counted(source, image)[0]


def _counted(source: Source, image: "Image") -> tuple[int, bool]:
    """`page_count`, and whether the chain of pages breaks off."""
    if source.kind is not TIFF:
        return 1, False
    count, broken = frames(image, PAGES)
    if count > PAGES:
        raise LimitProblem("too_many_pages", file=source.name, pages=count, limit=PAGES)
    return count, broken


def frames(image: "Image", limit: int) -> tuple[int, bool]:
    """How many pictures an open file holds, one above `limit` at most, and whether their chain breaks off.

    Only its end ends the chain: a hostile one is millions long.
    """
    count, broken = 1, False
    try:
        while count <= limit:
            image.seek(count)
            count += 1
    except EOFError:
        pass
    except _BREAKS:
        broken = True
    image.seek(0)
    return count, broken


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
