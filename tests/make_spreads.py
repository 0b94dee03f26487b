"""Two pages side by side as an open book lies on a scanner: what is known of where they meet, and all that hides it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
from PIL import Image, ImageDraw, ImageFilter

#: Pixels that pages are high before they are laid down.
HEIGHT = 1000
_INK = 60


@dataclass(frozen=True)
class Lying:
    """How a book lies: shades of grey (0 to 255), pixels where pages are `HEIGHT` high, degrees.

    `shadow`: shades darker at the binding, fading over `reach` (left, right); `fold`: a dark line where pages meet;
    `tones`: the paper of the left and the right page; `inner`: from print to binding on each page; `bed`: what is seen
    of the scanner left and right of the book, `over` above it, `lid` its shade; `grain`: noise; `tilt`: clockwise.
    """

    shadow: int = 60
    reach: tuple[float, float] = (14, 14)
    fold: int = 0
    tones: tuple[int, int] = (236, 236)
    inner: tuple[int, int] = (60, 60)
    bed: tuple[int, int] = (0, 0)
    over: int = 0
    lid: int = 250
    grain: float = 5
    tilt: float = 0.0
    blur: float = 0.6


def words(
    draw: ImageDraw.ImageDraw, box: tuple[int, int, int, int], random: numpy.random.Generator, step: int = 26
) -> None:
    """Lines of words as dark blocks within `box` (left, top, right, bottom), `step` pixels from line to line."""
    left, top, right, bottom = box
    for line in range(top, bottom, step):
        at = left
        while at < right - 24:
            end = min(right, at + int(random.integers(14, 70)))
            draw.rectangle((at, line, end, line + step * 11 // 26), fill=60)
            at = end + step // 3


def printed(seed: int) -> Image.Image:
    """A page of a book: one or two columns of words, a table with its rules, a frame or a picture, by the seed."""
    random = numpy.random.default_rng(seed)
    page = Image.new("L", (int(random.integers(640, 800)), HEIGHT), 255)
    draw, (left, right) = ImageDraw.Draw(page), (70, page.width - 70)
    match seed % 5:
        case 0:
            for side in ((left, left + right - 24), (left + right + 24, 2 * right)):
                words(draw, (side[0] // 2, 90, side[1] // 2, 900), random, 22)
        case 1:
            words(draw, (left, 90, right, 300), random)
            for across in range(left, right + 1, (right - left) // 6):
                draw.line((across, 330, across, 860), fill=30, width=2)
            for down in range(330, 861, 53):
                draw.line((left, down, right, down), fill=30, width=2)
        case 2:
            draw.rectangle((left - 30, 60, right + 30, 940), outline=20, width=5)
            words(draw, (left, 100, right, 900), random, 30)
        case 3:
            draw.rectangle((left, 120, right, 520), fill=130)
            words(draw, (left, 560, right, 900), random)
        case _:
            words(draw, (left, 90, right - int(random.integers(0, 120)), int(random.integers(500, 900))), random)
    return page


def ways(count: int, seed: int = 9) -> list[Lying]:
    """So many ways to lie, all different; a quarter without any shadow."""
    random = numpy.random.default_rng(seed)
    return [_way(random, index % 4) for index in range(count)]


def _way(random: numpy.random.Generator, kind: int) -> Lying:
    tone = int(random.integers(205, 250))
    darker = int(random.integers(6, 28)) * (1 if random.random() < 0.5 else 0)
    tones = (tone, tone - darker) if random.random() < 0.5 else (tone - darker, tone)
    inner = int(random.integers(18, 110))
    reach = tuple(random.uniform(6, 60, 2).tolist())
    way = Lying(
        shadow=int(random.integers(14, 120)), reach=reach, tones=tones,
        inner=(inner, max(10, inner + int(random.integers(-25, 26)))),
        bed=tuple(random.integers(0, 120, 2).tolist()), over=int(random.integers(0, 50)),
        lid=int(random.choice([20, 120, 252])),
        grain=float(random.uniform(1, 10)), tilt=float(random.uniform(-1, 1)), blur=float(random.uniform(0.3, 1.2)),
    )  # fmt: skip
    if kind == 0:  # the white between them alone: then the pages' margins are those of one book
        return replace(way, shadow=0, tones=(tone, tone), inner=(inner, inner), bed=(0, 0), tilt=way.tilt / 2)
    if kind == 1:  # one page curls, the other lies flat
        flat = int(random.integers(0, 2))
        return replace(way, reach=(way.reach[0], 2.0) if flat else (2.0, way.reach[1]))
    return replace(way, fold=int(random.integers(20, 90))) if kind == 2 else way


def bound(left: Image.Image, right: Image.Image, how: Lying) -> tuple[Image.Image, float]:
    """The picture (grey) of two pages that lie open, and the share of its width where they meet at half its height."""
    pages = [_inked(left, inner=how.inner[0], at_right=True), _inked(right, inner=how.inner[1], at_right=False)]
    pages = [page * (tone / 255) for page, tone in zip(pages, how.tones, strict=True)]
    seam = how.bed[0] + pages[0].shape[1]
    beds = [numpy.full((HEIGHT, width), float(how.lid)) for width in how.bed]
    grey = numpy.concatenate([beds[0], *pages, beds[1]], axis=1)
    grey = _shaded(grey, seam, how, how.bed[0], grey.shape[1] - how.bed[1])
    grey = numpy.pad(grey, ((how.over, how.over // 2), (0, 0)), constant_values=float(how.lid))
    grey += numpy.random.default_rng(3).normal(0, how.grain, grey.shape)
    image = Image.fromarray(grey.clip(0, 255).astype(numpy.uint8)).filter(ImageFilter.GaussianBlur(how.blur))
    turned = image.rotate(-how.tilt, resample=Image.Resampling.BICUBIC, fillcolor=how.lid)
    # Turned about the middle, the seam crosses half the height where it did, but for the cosine.
    middle = turned.width / 2
    return turned, (middle + (seam - middle) / numpy.cos(numpy.radians(how.tilt))) / turned.width


def _shaded(grey: numpy.ndarray, seam: int, how: Lying, start: int, end: int) -> numpy.ndarray:
    """Darker towards where the pages meet, on the book alone."""
    at = numpy.arange(start, end) + 0.5 - seam
    fading = numpy.where(at < 0, how.reach[0], how.reach[1])
    dark = how.shadow * numpy.exp(-numpy.abs(at) / fading) + how.fold * (numpy.abs(at) < 1.6)
    grey[:, start:end] *= 1 - dark / 255
    return grey


def _inked(page: Image.Image, *, inner: int, at_right: bool) -> numpy.ndarray:
    """The page in grey, `HEIGHT` high, its print `inner` pixels from the edge where it is bound."""
    grey = page.convert("L").resize((round(page.width * HEIGHT / page.height), HEIGHT), Image.Resampling.BOX)
    pixels = numpy.asarray(grey).astype(float)
    pixels *= 255 / max(1.0, float(numpy.quantile(pixels, 0.9)))
    pixels = pixels.clip(0, 255)
    inked = numpy.flatnonzero((pixels < 255 - _INK).mean(axis=0) > 0.004)
    first, last = (int(inked[0]), int(inked[-1])) if len(inked) else (0, pixels.shape[1] - 1)
    missing = inner - (pixels.shape[1] - 1 - last if at_right else first)
    sides = (0, max(0, missing)) if at_right else (max(0, missing), 0)
    pixels = numpy.pad(pixels, ((0, 0), sides), constant_values=255.0)
    if missing >= 0:
        return pixels
    return pixels[:, :missing] if at_right else pixels[:, -missing:]


def spreads(pages: Sequence[Image.Image]) -> list[tuple[Image.Image, float, Lying]]:
    """Each two of the pages bound in a way of their own."""
    pairs = list(zip(pages[::2], pages[1::2], strict=False))
    return [(*bound(*pair, how), how) for pair, how in zip(pairs, ways(len(pairs)), strict=True)]
