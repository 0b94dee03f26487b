"""Pictures of a file that lost pages or its end: those that no page names any more, and the one it was cut off in.

MuPDF reads the objects, for it keeps what there is of a stream without its end, which qpdf calls empty.
"""

import io
import mmap
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.images import Codec, as_list, encoded, space_name
from cluster.engines.pdf.libraries import import_pikepdf
from cluster.engines.pdf.rescue import by_mupdf
from cluster.engines.pdf.streams import beginning
from cluster.engines.pdf.tail import Scratch
from cluster.files import Source

if TYPE_CHECKING:
    import pikepdf

_NUMBERED = re.compile(rb"(?<!\d)(\d{1,9})\s+\d{1,5}\s+obj")
#: Behind the last end of a stream there may be as many numbers as a table has rows; the cut object comes soon.
_SOON = 1 << 16
_JPEG, _JPEG_START, _JPEG_END = ("/DCTDecode", "/DCT"), b"\xff\xd8", b"\xff\xd9"
_DEVICE = {"/DeviceGray": 1, "/DeviceRGB": 3, "/DeviceCMYK": 4}
#: What pikepdf and Pillow raise where a stream is not what it says.
_BROKEN = (RuntimeError, ValueError, TypeError, OSError, SyntaxError, ArithmeticError, AttributeError)


@dataclass(frozen=True)
class Adrift:
    """Pictures by their numbers in the damaged file; `cut`: the objects that have no end."""

    pictures: Mapping[int, Any] = field(default_factory=dict)
    cut: frozenset[int] = frozenset()


@contextmanager
def adrift(source: Source, scratch: Scratch) -> Iterator[Adrift]:
    """The pictures among all objects that can be found in the bytes; none where MuPDF finds no object."""
    path = scratch(f"adrift-{source.index}.pdf")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not (by_mupdf(source, path, objects=True) or by_mupdf(_ended(source, scratch), path, objects=True)):
        yield Adrift()
        return
    with import_pikepdf().open(path) as pdf:
        cut = _unended(source.path)
        pictures = {each.objgen[0]: each for each in _pictures(pdf)}
        for number, each in pictures.items():
            _mend(pdf, each, number in cut)
        yield Adrift(pictures, cut)


def _ended(source: Source, scratch: Scratch) -> Source:
    """A copy that ends with a whole object: MuPDF may give up all others for half of one."""
    path = scratch(f"ended-{source.index}.pdf")
    shutil.copyfile(source.path, path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        end = data.rfind(b"endobj") + len(b"endobj")
    os.truncate(path, end)
    return replace(source, path=path, size=end)


def _unended(path: Path) -> frozenset[int]:
    """Objects that begin behind the last end of a stream."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        end = max(0, data.rfind(b"endstream"))
        return frozenset(int(each[1]) for each in _NUMBERED.finditer(data[end : end + _SOON]))


def _pictures(pdf: "pikepdf.Pdf") -> list[Any]:
    """Pictures with something in them, but for the masks of others."""
    pikepdf = import_pikepdf()
    found = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"]
    found = [each for each in found if all(isinstance(each.get(key), int) for key in ("/Width", "/Height"))]
    masks = {each[key].objgen for each in found for key in ("/SMask", "/Mask") if key in each}
    return [each for each in found if each.objgen not in masks and _holds(each)]


def _holds(image: Any) -> bool:
    """Whether what is there begins as it says: under a lock whose key was lost there is only noise."""
    names = [str(each) for each in as_list(image.get("/Filter"))]
    with suppress(*_BROKEN, import_pikepdf().PdfError):
        raw = bytes(image.read_raw_bytes())
        if names and names[0] in _JPEG:
            return raw.startswith(_JPEG_START)
        return bool(beginning(image, 1) if names and names[0] in ("/FlateDecode", "/Fl") else raw)
    return False


def _mend(pdf: "pikepdf.Pdf", image: Any, cut: bool) -> None:
    """Give the picture an end, where programs miss one, and colours where theirs were lost and can be told."""
    with suppress(*_BROKEN, import_pikepdf().PdfError):
        codec, data = encoded(pdf, image)
        if cut and codec == "jpeg":
            parms = as_list(image.get("/DecodeParms"))
            image.write(
                data + _JPEG_END, filter=import_pikepdf().Name.DCTDecode, decode_parms=parms[-1] if parms else None
            )
        if _is_colourless(image):
            image.ColorSpace = import_pikepdf().Name(_told_by(image, codec, data))


def _is_colourless(image: Any) -> bool:
    space = image.get("/ColorSpace")
    pikepdf = import_pikepdf()
    if space is None:
        return not image.get("/ImageMask", False)
    if not isinstance(space, pikepdf.Name | pikepdf.Array):
        return True  # its number was free, and MuPDF's reading gave it to another
    return space_name(space) == "/ICCBased" and not (len(space) > 1 and isinstance(space[1], pikepdf.Stream))


def _told_by(image: Any, codec: Codec, data: bytes) -> str:
    """The colour space that the samples can only be of; ValueError where a palette may have been."""
    from PIL import Image

    if codec in ("fax", "jbig2"):
        return "/DeviceGray"
    if codec == "jpeg":
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as read:
            return {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}[read.mode]
    bits = int(image.get("/Width", 0)) * int(image.get("/Height", 0)) * int(image.get("/BitsPerComponent", 8))
    channels = len(data) * 8 // bits if codec == "raw" else 0
    fits = next((name for name, count in _DEVICE.items() if count == channels), "")
    if not fits or (channels == 1 and "/ColorSpace" not in image):
        raise ValueError(fits)
    return fits
