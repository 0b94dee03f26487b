"""One picture, re-encoded to an aim: the smallest encoding that still looks like the original."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cluster.engines.pdf.images import HUGE, Picture
from cluster.engines.pictures.encode import Encoded, deflated, fax, filtered, finish_jpeg, finished, jpeg, png
from cluster.engines.pictures.likeness import FARTHEST, View, moved

if TYPE_CHECKING:
    from PIL.Image import Image

#: Inches of a picture that are looked at, and pixels.
_LARGEST_VIEW, _MOST_SEEN = 16, 2000
_BLACK_OR_WHITE = [255 * (value > 127) for value in range(256)]
#: Qualities this close are as good as each other.
_NEAR = 3
#: A floor that a reduced picture often misses before it is coded at all.
_HARD = 0.99
#: A quality at which a higher resolution would not pay.
_EASY = 75
#: Found this small a part of what there was, nothing else is tried; a JPEG better packed is rarely below _PACKED.
_SETTLED, _DRAWN, _PACKED = 0.25, 0.7, 0.8
#: A JPEG not yet finished may be this much larger than what it has to beat.
_UNFINISHED = 1.1
#: The next finer resolution, where the aim's does not keep the floor.
_FINER = 1.4
#: Numbers of colours tried for drawings, and levels that these may move a colour.
_FEW, _UNSEEN = (8, 16, 64), 8
#: Squares of a picture, in each direction, and their side: what these need, the whole needs.
_SQUARES, _SIDE = 5, 48


@dataclass(frozen=True)
class Aim:
    """What pictures may become.

    dpi: pictures above `above` dpi are reduced to it (0: never). quality: JPEG quality, lowest and highest;
    the lowest that keeps `floor` (SSIM as seen at `seen` dpi) is taken. least: how far the floor may sink for a
    picture that covers little of its page. farthest: levels that a patch may drift. vivid: colours keep the
    resolution that brightness has. mono_dpi: the same as dpi for pictures of one bit.
    lossless: no sample changes. untouched: pictures of at most this many dpi keep their samples.
    """

    lossless: bool = False
    dpi: int = 0
    above: int = 0
    quality: tuple[int, int] = (75, 75)
    floor: float | None = None
    least: float = 0.0
    seen: int = 100
    farthest: float = FARTHEST
    vivid: bool = False
    mono_dpi: int = 0
    untouched: int = 0


def recode(picture: Picture, aim: Aim, guess: int = 0) -> Encoded | None:
    """The smallest encoding within the aim that is smaller than what there is; None keeps the picture.

    `guess` is the quality that a similar picture needed: pages of one scan are alike.
    """
    if picture.bitonal:
        found = list(_bitonal(picture, aim))
    elif aim.lossless or (aim.untouched and picture.dpi() <= aim.untouched) or picture.exact or not picture.plain:
        found = list(_lossless(picture))
    else:
        found = list(_lossy(picture, aim, guess))
    best = min(found, key=len, default=None)
    return best if best is not None and len(best) < picture.size else None


def _bitonal(picture: Picture, aim: Aim) -> Iterator[Encoded]:
    """One bit stays one bit; above `mono_dpi` there may be fewer of them."""
    if picture.codec != "raw" or (image := picture.samples()) is None:
        return
    yield fax(image)
    yield deflated(image.tobytes(), image.size, 1)
    if aim.mono_dpi and picture.plain and not picture.exact and picture.dpi() > aim.mono_dpi * 1.3:
        coarse = _reduced(image.convert("L"), picture, aim.mono_dpi).point(_BLACK_OR_WHITE, "1")
        if aim.floor is None or View(image, _view_size(picture, aim.seen)).likeness(coarse) >= aim.floor:
            yield fax(coarse)


def _lossless(picture: Picture) -> Iterator[Encoded]:
    if picture.codec == "jpeg":
        yield Encoded(finish_jpeg(picture.data), picture.width, picture.height, 8, "/DCTDecode")
    elif picture.codec == "raw":
        if picture.channels == 4 or picture.exact or picture.bits == 16:
            yield deflated(picture.data, (picture.width, picture.height), picture.bits)
        if picture.channels != 4 and not picture.exact and (made := _filtered(picture)):
            yield made


def _filtered(picture: Picture) -> Encoded | None:
    """Flate with PNG filters; a reduced palette becomes one of the picture's own colours."""
    import oxipng

    size = picture.width, picture.height
    if picture.bits == 16 or (indices := picture.indices()) is None:
        return None
    if picture.palette is not None:
        return _filtered_palette(picture)
    if picture.pixels > HUGE and picture.bits == 8:
        return filtered(indices, size, picture.channels)
    if picture.bits < 8:
        indices = indices * (255 // ((1 << picture.bits) - 1))
    kind = oxipng.ColorType.grayscale() if picture.channels == 1 else oxipng.ColorType.rgb()
    made = png(indices.tobytes(), size, kind, 8, plain=picture.device, palette=not picture.soft)
    return _in_own_colours(made, picture.channels) if made else None


def _filtered_palette(picture: Picture) -> Encoded | None:
    import oxipng

    indices = picture.indices()
    colours = picture.palette or b""
    if indices is None or picture.channels == 4 or int(indices.max()) * picture.channels >= len(colours):
        return None
    step = picture.channels
    table = [[*(colours[i : i + step] * (3 // step)), 255] for i in range(0, len(colours) - step + 1, step)][:256]
    made = png(
        indices.tobytes(),
        (picture.width, picture.height),
        oxipng.ColorType.indexed(table),
        8,
        plain=picture.device,
    )
    return _in_own_colours(made, step) if made else None


def _in_own_colours(made: Encoded, channels: int) -> Encoded:
    """A palette written for a PNG has three channels; over a gray base it has one."""
    if made.palette is None or channels == 3:
        return made
    return replace(made, palette=made.palette[::3], channels=1)


def _lossy(picture: Picture, aim: Aim, guess: int) -> Iterator[Encoded]:
    image = picture.samples(_FINER * aim.dpi if _reducible(picture, aim) else 0)
    if image is None:
        yield from _lossless(picture)
        return
    best, drawn = picture.size, False
    for made in _searched_sizes(image, picture, aim, guess):
        best, drawn = min(best, len(made)), drawn or not made.quality
        yield made
    enough = _DRAWN if drawn else _PACKED if picture.codec == "jpeg" else _SETTLED
    if best > picture.size * enough:
        yield from _lossless(picture)


def _searched_sizes(image: "Image", picture: Picture, aim: Aim, guess: int = 0) -> Iterator[Encoded]:
    """From the coarsest resolution on, until one keeps the floor easily."""
    view, most = View(image, _view_size(picture, aim.seen), aim.farthest), picture.size
    for dpi in _dpis(picture, aim):
        smaller = _reduced(image, picture, dpi)
        if dpi and aim.floor is not None and aim.floor > _HARD and view.likeness(smaller) < aim.floor:
            continue
        # What has a palette is mostly a drawing, for which JPEG is the wrong thing.
        flat = _flat(smaller, picture, view, aim) if picture.palette is not None else None
        if flat is not None:
            yield flat
            if len(flat) <= picture.size * _DRAWN:
                return
        made = _searched(smaller, view, aim, guess, most)
        if made is not None:
            yield made
        if picture.palette is None and (made is None or len(made) > picture.size * _SETTLED / 2):
            flat = _flat(smaller, picture, view, aim)
            if flat is not None:
                yield flat
        if (made or flat) and (made is None or made.quality <= _EASY):
            return
        most = min([most, *(len(each) for each in (made, flat) if each)])


def _flat(image: "Image", picture: Picture, view: View, aim: Aim) -> Encoded | None:
    """Drawings and screenshots: few colours, every edge sharp."""
    import oxipng
    from PIL import Image

    if picture.codec != "raw" or aim.floor is None or image.mode not in ("L", "RGB"):
        return None
    squares = _squares(image)
    for count in _FEW:
        if image.mode == "RGB" and moved(squares, squares.quantize(count, dither=Image.Dither.NONE)) > _UNSEEN * 1.5:
            continue
        few = image.quantize(count, dither=Image.Dither.NONE) if image.mode == "RGB" else _grays(image, count)
        if moved(image, few) > _UNSEEN or view.likeness(few) < aim.floor:
            continue
        if picture.soft:
            # The only colour space of a soft mask is DeviceGray: readers take a palette's indexes for opacities.
            shades = few.convert("L").tobytes()
            return png(shades, image.size, oxipng.ColorType.grayscale(), 8, plain=True, palette=False)
        palette = list(few.getpalette() or b"")[: count * 3]
        table = [[*palette[at : at + 3], 255] for at in range(0, len(palette), 3)]
        made = png(few.tobytes(), image.size, oxipng.ColorType.indexed(table), 8, plain=picture.device)
        return _in_own_colours(made, picture.channels) if made else None
    return None


def _squares(image: "Image") -> "Image":
    """Parts of the picture from all over it; all of it where it is small."""
    from PIL import Image

    if min(image.size) < 2 * _SQUARES * _SIDE:
        return image
    side = _SQUARES * _SIDE
    held = Image.new(image.mode, (side, side))
    for at in range(_SQUARES**2):
        row, column = divmod(at, _SQUARES)
        left, top = (room * place // _SQUARES for room, place in zip(image.size, (column, row), strict=True))
        held.paste(image.crop((left, top, left + _SIDE, top + _SIDE)), (column * _SIDE, row * _SIDE))
    return held


def _grays(image: "Image", count: int) -> "Image":
    """Evenly spaced shades, black and white among them."""
    step = 255 / (count - 1)
    few = image.point([round(value / step) for value in range(256)])
    few.putpalette([round(index * step) for index in range(count) for _ in range(3)])
    return few


def _dpis(picture: Picture, aim: Aim) -> list[float]:
    """Resolutions to try, the coarsest first; 0 keeps the pixels."""
    now = picture.dpi()
    if not _reducible(picture, aim):
        return [0]
    tries: list[float] = [aim.dpi]
    if aim.floor is not None:
        tries += [dpi for dpi in (aim.dpi * _FINER, aim.dpi * 2) if dpi < now * 0.9]
        tries.append(0)
    return tries


def _reducible(picture: Picture, aim: Aim) -> bool:
    return bool(aim.dpi) and not picture.fixed and picture.dpi() > max(aim.above, aim.dpi * 1.1)


def _reduced(image: "Image", picture: Picture, dpi: float) -> "Image":
    from PIL import Image

    if not dpi or not picture.placement:
        return image
    inches = picture.placement.width / 72, picture.placement.height / 72
    size = tuple(max(1, min(now, round(dpi * length))) for now, length in zip(image.size, inches, strict=True))
    return image.resize((size[0], size[1]), Image.Resampling.LANCZOS, reducing_gap=3.0)


def _searched(image: "Image", view: View, aim: Aim, guess: int, most: int) -> Encoded | None:
    """The JPEG of the lowest quality that keeps the floor; None when none of less than `most` bytes does."""
    low, high = aim.quality
    if aim.floor is None:
        return finished(jpeg(image, high, vivid=aim.vivid))
    best: Encoded | None = None
    bounded = False
    quality = guess if low <= guess <= high else (low + high) // 2
    while low <= high and not ((best or bounded) and high - low < _NEAR):
        made = jpeg(image, quality, vivid=aim.vivid)
        if len(made) > most * _UNFINISHED:
            high, bounded = quality - 1, True
        elif view.likeness(_opened(made)) >= aim.floor:
            best, high = made, quality - 1
        else:
            low = quality + 1
        if best is None and not bounded:
            quality = high
        else:
            quality = max(low, guess - 2 * _NEAR) if best and best.quality == guess else (low + high) // 2
    return finished(best) if best else None


def _opened(made: Encoded) -> "Image":
    import io

    from PIL import Image, ImageChops

    with Image.open(io.BytesIO(made.data)) as image:
        return ImageChops.invert(image) if image.mode == "CMYK" else image.copy()


def _view_size(picture: Picture, dpi: int) -> tuple[int, int]:
    width, height = picture.width, picture.height
    if picture.placement and picture.placement.width and picture.placement.height:
        width = min(width, round(picture.placement.width / 72 * dpi))
        height = min(height, round(picture.placement.height / 72 * dpi))
    scale = min(1.0, min(_LARGEST_VIEW * dpi, _MOST_SEEN) / max(width, height, 1))
    return max(8, round(width * scale)), max(8, round(height * scale))
