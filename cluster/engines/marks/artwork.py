"""A user's picture as an image of a PDF: EXIF turned, alpha kept, JPEG bytes untouched where they can be."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.kinds import BMP, GIF, JPG, PNG, TIFF, WEBP, kind_of
from cluster.problem import InputProblem, LimitProblem

if TYPE_CHECKING:
    import pikepdf

READABLE = (JPG, PNG, WEBP, TIFF, BMP, GIF)
MOST_PIXELS = 100_000_000
#: Longer sides are reduced: a mark as wide as an A4 page has 360 dpi then.
LONGEST = 3000


def open_picture(path: Path, name: str) -> Any:
    """The first picture of the file as Pillow opens it, size checked before anything is decoded."""
    from PIL import Image

    kind = kind_of(path) if path.stat().st_size else None
    if kind not in READABLE:
        raise InputProblem("not_supported_type", file=name, found=kind.key if kind else "?")
    Image.MAX_IMAGE_PIXELS = None
    try:
        picture = Image.open(path)
    except (OSError, ValueError, SyntaxError) as error:
        raise InputProblem("damaged_file", file=name) from error
    if picture.width * picture.height > MOST_PIXELS:
        raise LimitProblem("too_large_when_opened", file=name)
    return picture


def upright(picture: Any, name: str) -> Any:
    """The decoded picture, turned as its EXIF says, in L, LA, RGB or RGBA, not longer than LONGEST."""
    from PIL import ImageOps

    try:
        turned = ImageOps.exif_transpose(picture)
    except (OSError, ValueError, SyntaxError) as error:
        raise InputProblem("damaged_file", file=name) from error
    if turned.mode not in ("L", "LA", "RGB", "RGBA"):
        clear = "transparency" in turned.info or turned.mode in ("PA", "La", "RGBa")
        turned = turned.convert("RGBA" if clear else "L" if turned.mode in ("1", "I;16") else "RGB")
    elif "transparency" in turned.info:
        turned = turned.convert("RGBA")
    turned.thumbnail((LONGEST, LONGEST))
    return turned


def image_object(pdf: "pikepdf.Pdf", path: Path, name: str) -> tuple[Any, float]:
    """The picture as an image XObject, and its height over its width."""
    picture = open_picture(path, name)
    if _untouched(picture):
        space = {"L": "/DeviceGray", "RGB": "/DeviceRGB"}[picture.mode]
        made = _image(pdf, path.read_bytes(), picture.size, space, "/DCTDecode")
        return made, picture.height / picture.width
    whole = upright(picture, name)
    return picture_object(pdf, whole), whole.height / whole.width


def picture_object(pdf: "pikepdf.Pdf", whole: Any) -> Any:
    """A decoded picture in L, LA, RGB or RGBA as an image XObject."""
    bands = whole.split()
    alpha = bands[-1] if whole.mode in ("LA", "RGBA") else None
    colour = whole.convert("L" if whole.mode in ("L", "LA") else "RGB")
    made = _image(pdf, colour.tobytes(), whole.size, "/DeviceGray" if colour.mode == "L" else "/DeviceRGB")
    if alpha is not None and alpha.getextrema() != (255, 255):
        made.SMask = _image(pdf, alpha.tobytes(), whole.size, "/DeviceGray")
    return made


def _untouched(picture: Any) -> bool:
    upward = picture.getexif().get(0x0112, 1) in (0, 1)
    return picture.format == "JPEG" and picture.mode in ("L", "RGB") and upward and max(picture.size) <= LONGEST


def _image(pdf: "pikepdf.Pdf", data: bytes, size: tuple[int, int], space: str, coded: str | None = None) -> Any:
    from pikepdf import Dictionary, Name

    made = pdf.make_stream(
        data,
        Dictionary(
            Type=Name.XObject, Subtype=Name.Image, Width=size[0], Height=size[1], ColorSpace=Name(space),
            BitsPerComponent=8,
        ),
    )  # fmt: skip
    if coded:
        made.Filter = Name(coded)
    return made
