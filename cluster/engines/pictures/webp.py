"""A WebP whose end is missing. libwebp decodes nothing of one, as Pillow and OpenCV call it.

So what is missing is filled up, twice and unlike: as far as both decode alike, the picture stands in the file.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

#: How the ends begin that are made up, some of which a decoder may refuse; the rest are zeros, which last the longest.
_ENDS = (b"", b"\xff" * 16, b"\x55" * 16, b"\xaa" * 16, b"\xff" * 4, b"\x55" * 4)
#: More than this no WebP is long.
_LONGEST = 1 << 28
#: Behind the letters RIFF, the length of what follows it.
_LENGTH, _BEFORE = slice(4, 8), 8
#: Under this name an open picture says that its data ended too early.
CUT = "cut off"


def is_cut(path: Path) -> bool:
    """Whether a WebP is longer by its own word than it is."""
    with path.open("rb") as stream:
        told = int.from_bytes(stream.read(_BEFORE)[_LENGTH], "little") + _BEFORE
    return path.stat().st_size < told <= _LONGEST


def opened_short(path: Path) -> "ImageFile":
    """The picture with a made-up end, not yet decoded. Raises OSError where its begin is missing, too."""
    return _filled(path.read_bytes(), _ENDS[0])


def whiten(image: "ImageFile", path: Path) -> None:
    """Decode what `opened_short` gave; what of it is made up becomes white, or clear."""
    from PIL import Image, ImageChops

    image.load()
    image.info[CUT] = True
    # A box tells of no difference where alpha has none.
    end = ImageChops.difference(image.convert("RGB"), _other(path)).getbbox()
    if end and not end[1]:
        raise OSError("nothing of it is there")
    if end:
        white = Image.new(image.mode, (image.width, image.height - end[1]), (255, 255, 255, 0)[: len(image.mode)])
        image.paste(white, (0, end[1]))


def _other(path: Path) -> "Image":
    """The picture with another end that can be decoded."""
    data = path.read_bytes()
    for end in _ENDS[1:]:
        try:
            with _filled(data, end) as other:
                return other.convert("RGB")
        except (OSError, ValueError):
            continue
    raise OSError("no end can be made up for it")


def _filled(data: bytes, end: bytes) -> "ImageFile":
    from PIL import Image

    told = int.from_bytes(data[_LENGTH], "little") + _BEFORE
    return Image.open(io.BytesIO((data + end).ljust(told, b"\0")[:told]), formats=("WEBP",))
