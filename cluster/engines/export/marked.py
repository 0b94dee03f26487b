"""A mark on a picture: drawn as on a page of the picture's shape, and laid over it strip by strip.

So it is the same mark, in the same fonts, as on a PDF. The shorter side of every picture is SHORT points: what has
one size looks alike on pictures of any.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.draw.pages import Drawer
from cluster.engines.marks.overlay import Layer, Overlay
from cluster.engines.marks.place import View, view_of
from cluster.engines.pdf.libraries import import_pikepdf
from cluster.engines.pictures.open import frames, load, opened
from cluster.engines.pictures.rows import narrow
from cluster.files import Source
from cluster.kinds import JPG, PNG, TIFF, WEBP, Kind

if TYPE_CHECKING:
    from PIL.Image import Image

#: The shorter side of an A4 page, in points.
SHORT = 595.0
_GREY = ("1", "L")
_ORIENTATION = 0x0112
_FORMATS = {JPG.key: "JPEG", PNG.key: "PNG", WEBP.key: "WEBP", TIFF.key: "TIFF"}
_LONGEST = {JPG.key: 65_500, WEBP.key: 16_383}

Build = Callable[[Any, View], Layer]
"""Makes the layer for a page of this view, in this PDF; embeds what it needs."""


@dataclass(frozen=True)
class Saved:
    """How a picture is written: its kind, quality 1 to 100, whether what the camera said goes along."""

    kind: Kind
    quality: int
    facts: bool


def _is_followed(image: "Image") -> bool:
    """Whether more pictures follow the first, other than those that a camera hides in a JPEG."""
    return image.format not in ("JPEG", "MPO", "HEIF") and frames(image, 1)[0] > 1


class TooLong(Exception):
    """The kind that was asked for has no pictures of this size."""


@dataclass(frozen=True)
class Marked:
    """What the picture had: more pictures after it, facts that its camera wrote; and whether it was cut off."""

    more: bool
    facts: bool
    cut: bool


def mark(source: Source, build: Build, saved: Saved, scratch: Path, path: Path) -> Marked:
    """Write the first picture of `source`, marked, to `path`.

    Raises what opening a picture does, glyph_missing, and TooLong.
    """
    with opened(source) as image:
        more, cut = _is_followed(image), load(image)
        had = Marked(more, bool(image.getexif()), cut)
        shown = _workable(image)
        if max(shown.size) > _LONGEST.get(saved.kind.key, 1 << 20):
            raise TooLong
        veil = _veil(shown.size, build, scratch)
        for top, strip in _strips(veil, shown.size):
            shown = _laid(shown, strip, top)
        _save(image, shown, saved, path)
    return had


def _workable(image: "Image") -> "Image":
    """Upright, in L, RGB, RGBA or CMYK."""
    from PIL import ImageOps

    turned = ImageOps.exif_transpose(image)
    if turned.mode.startswith("I") or turned.mode == "F":
        return narrow(turned)
    if turned.mode in ("RGB", "CMYK", "L", "RGBA") and "transparency" not in turned.info:
        return turned
    clear = "transparency" in turned.info or turned.mode in ("LA", "PA", "La", "RGBa")
    return turned.convert("RGBA" if clear else "L" if turned.mode in _GREY else "RGB")


def _veil(size: tuple[int, int], build: Build, path: Path) -> Path:
    """A PDF of one clear page with the marks of a picture of this size."""
    scale = SHORT / min(size)
    with import_pikepdf().new() as pdf:
        pdf.add_blank_page(page_size=(size[0] * scale, size[1] * scale))
        view = view_of(pdf.pages[0])
        Overlay(pdf).add(pdf.pages[0], build(pdf, view).form(pdf, view), view)
        pdf.save(path)
    return path


def _strips(veil: Path, size: tuple[int, int]) -> "Iterator[tuple[int, Image]]":
    """Rows of the veil from the top, in RGBA, where there is anything on them."""
    import pypdfium2

    with pypdfium2.PdfDocument(veil) as document:
        top = 0
        for strip in Drawer(document).strips(0, *size, "rgba"):
            drawn = strip.picture()
            if drawn.getchannel("A").getbbox():
                yield top, drawn
            top += strip.rows


def _laid(shown: "Image", strip: "Image", top: int) -> "Image":
    """The picture with a strip of the veil on it; a grey one becomes colour where the veil has some."""
    if shown.mode == "L" and not _is_grey(strip):
        shown = shown.convert("RGB")
    if shown.mode == "RGBA":
        shown.alpha_composite(strip, (0, top))
    else:
        shown.paste(strip.convert("RGB").convert(shown.mode), (0, top), strip.getchannel("A"))
    return shown


def _is_grey(strip: "Image") -> bool:
    from PIL import ImageChops

    red, green, blue, alpha = strip.split()
    differ = ImageChops.lighter(ImageChops.difference(red, green), ImageChops.difference(green, blue))
    return ImageChops.darker(differ, alpha).getextrema()[1] <= 2  # type: ignore[operator]


def _save(image: "Image", shown: "Image", saved: Saved, path: Path) -> None:
    kept: dict[str, Any] = {key: image.info[key] for key in ("dpi",) if key in image.info}
    profile = image.info.get("icc_profile")
    if profile and profile[16:20] == {"L": b"GRAY", "CMYK": b"CMYK"}.get(shown.mode, b"RGB "):
        kept["icc_profile"] = profile
    if saved.facts:
        exif = image.getexif()
        exif.pop(_ORIENTATION, None)
        kept["exif"] = exif
    if saved.kind is JPG:
        shown = _on_white(shown)
        kept["subsampling"] = 0 if saved.quality >= 90 else 2
    elif shown.mode == "CMYK" and saved.kind in (PNG, WEBP):
        shown = shown.convert("RGB")
        kept.pop("icc_profile", None)
    if saved.kind is TIFF:
        kept["compression"] = "tiff_adobe_deflate"
        kept.pop("exif", None)
    if saved.kind in (JPG, WEBP):
        kept["quality"] = saved.quality
    shown.save(path, _FORMATS[saved.kind.key], **kept)


def _on_white(shown: "Image") -> "Image":
    from PIL import Image

    if shown.mode != "RGBA":
        return shown
    paper = Image.new("RGB", shown.size, "white")
    paper.paste(shown, (0, 0), shown.getchannel("A"))
    return paper
