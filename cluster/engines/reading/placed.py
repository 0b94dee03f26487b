"""Pictures that are placed on a page, written to files as they are seen there."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.model import Box, Picture
from cluster.engines.pdf.libraries import import_pymupdf, mupdf_errors

if TYPE_CHECKING:
    import pymupdf

#: JPEGs that begin like this are known to Word; others are written anew.
_KNOWN = (b"JFIF", b"Exif")
#: Less of a picture's sides is not hidden.
_HIDDEN = 0.01
#: Pixels of a page's pictures and masks, as often as they are placed, which would take minutes to decode; the pixels a
#: point with which they are drawn instead, and how many these are at most.
_HEAVY, _FINE, _MOST = 1_000_000_000, 2.0, 16_000_000


def is_heavy(page: "pymupdf.Page") -> bool:
    """Whether decoding each picture where it is placed takes too long: MuPDF does so for each place anew."""
    images = page.get_images()
    if not images:
        return False
    pixels = sum(width * high + _pixels(page, mask) for _, mask, width, high, *_ in images)
    return bool(pixels / len(images) * len(page.get_image_info()) > _HEAVY)


def _pixels(page: "pymupdf.Page", xref: int) -> int:
    if not xref:
        return 0
    (_, wide), (_, high) = (page.parent.xref_get_key(xref, key) for key in ("Width", "Height"))
    return int(wide) * int(high) if wide.isdigit() and high.isdigit() else 0


def drawn_again(page: "pymupdf.Page", folder: Path) -> Iterator[Picture]:
    """The pictures of a page whose pictures are heavy, drawn with what lies over them."""
    pymupdf = import_pymupdf()
    folder.mkdir(parents=True, exist_ok=True)
    for number, info in enumerate(page.get_image_info()):
        box = pymupdf.Rect(info["bbox"]) & page.rect
        if box.width > 3 and box.height > 3:
            path = folder / f"{page.number}-{number}.png"
            zoom = min(_FINE, (_MOST / (box.width * box.height)) ** 0.5)
            page.get_pixmap(clip=box, matrix=pymupdf.Matrix(zoom, zoom), alpha=False).save(path)
            yield Picture(tuple(box), path)


def placed(page: "pymupdf.Page", blocks: list[dict[str, Any]], folder: Path) -> Iterator[Picture]:
    """The pictures among a page's blocks, written as Word takes them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, block in enumerate(blocks):
        if block["type"] != 1:
            continue
        left, top, right, bottom = import_pymupdf().Rect(block["bbox"]) & page.rect
        if right - left > 3 and bottom - top > 3:
            path = _written(block, (left, top, right, bottom), folder / f"{page.number}-{number}")
            if path:
                yield Picture((left, top, right, bottom), path)


def _written(block: dict[str, Any], seen: Box, stem: Path) -> Path | None:
    """What is seen of the picture, as JPEG where it is one without a mask, else as PNG; None: it cannot be read."""
    pymupdf = import_pymupdf()
    data, mask = block["image"], block.get("mask")
    try:
        pixels = pymupdf.Pixmap(data)
        turned = block["transform"][0] < 0 or block["transform"][3] < 0 or block["transform"][1]
        part = None if turned else _part(block["transform"], seen, pixels.width, pixels.height)
        plain = pixels.colorspace is not None and pixels.colorspace.n in (1, 3) and not (mask or turned or part)
        if plain and data[6:10] in _KNOWN:
            path = stem.with_suffix(".jpg")
            path.write_bytes(data)
            return path
        if pixels.colorspace and pixels.colorspace.n > 3:
            pixels = pymupdf.Pixmap(pymupdf.csRGB, pixels)
        if mask:
            pixels = _masked(pixels, pymupdf.Pixmap(mask))
        path = stem.with_suffix(".png")
        path.write_bytes(pixels.tobytes("png"))
        if turned:
            _turn(path, block)
        if part and (part := _part(block["transform"], seen, pixels.width, pixels.height)):
            _cut(path, part)  # of the picture as large as its mask made it
        return path
    except mupdf_errors():
        return None


def _masked(pixels: "pymupdf.Pixmap", mask: "pymupdf.Pixmap") -> "pymupdf.Pixmap":
    """The picture behind its mask, as large as the larger of both: one colour in a fine shape has four pixels.

    For a mask no picture is made larger than `_MOST`.
    """
    pymupdf = import_pymupdf()
    wide, high = pixels.width, pixels.height
    if wide * high < mask.width * mask.height:
        share = min(1.0, (_MOST / (mask.width * mask.height)) ** 0.5)
        wide, high = max(wide, round(share * mask.width)), max(high, round(share * mask.height))
    made = (
        each if (each.width, each.height) == (wide, high) else pymupdf.Pixmap(each, wide, high)
        for each in (pixels, mask)
    )
    return pymupdf.Pixmap(*made)


def _part(transform: Sequence[float], seen: Box, width: int, height: int) -> tuple[int, int, int, int] | None:
    """The pixels that are seen of a picture which a clip or the page's edge hides in part; None where it is whole."""
    across, _, _, down, left, top = transform
    sides = (seen[0] - left) / across, (seen[1] - top) / down, (seen[2] - left) / across, (seen[3] - top) / down
    if max(sides[0], sides[1], 1 - sides[2], 1 - sides[3]) < _HIDDEN:
        return None
    x0, y0, x1, y1 = (round(side * most) for side, most in zip(sides, (width, height) * 2, strict=True))
    part = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
    return part if part[0] < part[2] and part[1] < part[3] else None


def _cut(path: Path, part: tuple[int, int, int, int]) -> None:
    from PIL import Image

    with Image.open(path) as file:
        file.crop(part).save(path)


def _turn(path: Path, block: dict[str, Any]) -> None:
    """Write the picture as it lies on the page: turned, mirrored or slanting, clear beside it."""
    from PIL import Image

    pymupdf = import_pymupdf()
    left, top, right, bottom = block["bbox"]
    with Image.open(path) as file:
        image = file.convert("RGBA")
    most = max(image.size) / max(right - left, bottom - top)
    back = pymupdf.Matrix(1 / most, 0, 0, 1 / most, left, top) * ~pymupdf.Matrix(block["transform"])
    a, b, c, d, e, f = back * pymupdf.Matrix(image.width, image.height)
    size = max(1, round((right - left) * most)), max(1, round((bottom - top) * most))
    image.transform(size, Image.Transform.AFFINE, (a, c, e, b, d, f), Image.Resampling.BILINEAR).save(path)
