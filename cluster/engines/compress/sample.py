"""Parts of pictures that stand for the whole: bands from top to bottom, as they were encoded."""

import io
from dataclasses import replace
from typing import TYPE_CHECKING

from cluster.engines.pdf.drawn import Placement
from cluster.engines.pdf.images import HUGE, Picture

if TYPE_CHECKING:
    from PIL.Image import Image

#: Pixels of a sample, and the rows of one band of it: whole blocks of JPEG, and few seams, which pictures do not have.
_PIXELS, _ROWS = 1_500_000, 256
#: JPEG 2000 is slow to open.
_SLOW = 6_000_000


def sampled(picture: Picture) -> Picture | None:
    """The picture, or where it is large bands of it that shrink as it would; None when it cannot be told."""
    if picture.pixels <= 1.5 * _PIXELS or picture.bitonal:
        return picture
    if picture.pixels > (_SLOW if picture.codec == "jpx" else 2 * HUGE):
        return None
    tops = _tops(picture)
    if picture.codec == "raw":
        return _of_raw(picture, tops)
    image = picture.samples()
    if image is None:
        return None
    bands = _joined(image, tops)
    return _of_jpeg(picture, bands) if picture.codec == "jpeg" else _unpacked(picture, bands)


def _tops(picture: Picture) -> list[int]:
    """Where bands begin: in the middle of as many parts of the height."""
    count = max(1, min(picture.height, _PIXELS // picture.width) // _ROWS)
    last = max(0, picture.height - _ROWS)
    return sorted({int(last * (at + 0.5) / count) // 16 * 16 for at in range(count)})


def _of_raw(picture: Picture, tops: list[int]) -> Picture:
    across = picture.width * (1 if picture.palette is not None else picture.channels)
    stride = (across * picture.bits + 7) // 8
    data = b"".join(picture.data[top * stride : (top + _ROWS) * stride] for top in tops)
    return _cut(picture, data, min(picture.height, len(data) // max(1, stride)))


def _joined(image: "Image", tops: list[int]) -> "Image":
    from PIL import Image

    rows = min(_ROWS, image.height)
    joined = Image.new(image.mode, (image.width, rows * len(tops)))
    for place, top in enumerate(tops):
        joined.paste(image.crop((0, top, image.width, top + rows)), (0, place * rows))
    return joined


def _of_jpeg(picture: Picture, bands: "Image") -> Picture:
    """With the tables of the original, blocks come out as they were."""
    from PIL import Image, ImageChops, JpegImagePlugin

    out = io.BytesIO()
    with Image.open(io.BytesIO(picture.data), formats=("JPEG",)) as image:
        kept = {"qtables": image.quantization, "subsampling": JpegImagePlugin.get_sampling(image)}  # type: ignore[attr-defined]
        progressive = bool(image.info.get("progressive"))
    plain = ImageChops.invert(bands) if bands.mode == "CMYK" else bands
    plain.save(out, "JPEG", progressive=progressive, optimize=progressive, **kept)
    return replace(_cut(picture, out.getvalue(), bands.height), size=out.tell())


def _unpacked(picture: Picture, bands: "Image") -> Picture:
    return replace(_cut(picture, bands.tobytes(), bands.height), codec="raw")


def _cut(picture: Picture, data: bytes, rows: int) -> Picture:
    """As much smaller in the file, and on the page, as it has fewer rows."""
    part, placed = rows / picture.height, picture.placement
    placement = placed and Placement(placed.width, placed.height * part, placed.pages)
    return replace(picture, data=data, height=rows, size=round(picture.size * part), placement=placement)
