"""What a scanner makes of a page, as pixels: the paper's shade, a tilt, softness, grain. All of it by whole numbers.

    pixels = scanned(page, Look(tilt=0.7, noise=25), number=1, dpi=150)

The preview does the same in the browser (site/src/editors/scan/scanner.ts), pixel for pixel;
tests/samples/scanner.json holds both to the same numbers. In this order:

    grey      (77 r + 150 g + 29 b + 128) >> 8
    border    a shadow along the sheet's edges, `EDGE` mm deep: v × f >> 8, first by columns, then by rows
    tilt      around the middle; a point lies between four pixels in 32 steps each way; beyond the sheet is white
    blur      a Gaussian of `SOFT` mm at 100, its weights in 4096ths, first across, then down, rounded after each
    tones     contrast around 128, brightness, then the paper's colour, by one table for each channel
    noise     the four bytes of a hash of the pixel's place, added up; the same for all channels

What differs from page to page (`chance`) hangs on the seed and the page's number alone.
"""

import math
from dataclasses import dataclass
from typing import Any

#: Millimetres of the edges' shadow, and the blur's standard deviation at 100.
EDGE, SOFT = 3.0, 0.3
#: How much darker the paper of tone 100 is than white: red, green, blue.
_PAPER = (6, 18, 50)
#: 65536ths of a level for each of the hash's 1020 steps, at noise 1: its deviation at 100 is 16 levels.
_GRAIN = 71
#: Pixels worked on at a time.
_BAND = 1 << 20
_MASK = 0xFFFFFFFF


@dataclass(frozen=True)
class Look:
    """Percents, but for `tilt`: the most degrees that a page is turned. Brightness and contrast may be below 0.

    vary: each page has its own tilt and light; otherwise all have the first one's.
    """

    grey: bool = False
    tone: int = 0
    tilt: float = 0
    noise: int = 0
    blur: int = 0
    brightness: int = 0
    contrast: int = 0
    border: int = 0
    vary: bool = True
    seed: int = 1


@dataclass(frozen=True)
class Chance:
    """What befell one page: hundredths of a degree clockwise, levels of light, and the grain's own number."""

    turn: int
    light: int
    grain: int


def chance(look: Look, number: int) -> Chance:
    """Page `number` counts from 1."""
    drawn, own = _mixed(look.seed, number if look.vary else 1), _mixed(look.seed, number)
    most = math.floor(look.tilt * 100 + 0.5)
    # Two fifths at least: of several pages none may seem to lie straight by mistake.
    turn = most * (40 + (drawn & 0xFFFF) % 61) // 100
    return Chance(-turn if drawn >> 31 else turn, (drawn >> 16) % 7 - 3 if look.vary else 0, own)


def scanned(page: Any, look: Look, number: int, dpi: float) -> Any:
    """The page (rows × columns × RGB, bytes) at `dpi` as a scanner gives it: RGB, or grey without the last axis."""
    import numpy

    luck = chance(look, number)
    sheet = _shaded(_greyed(page) if look.grey else page.copy(), look, dpi)
    weights, tones = _weights(look, dpi), _tones(look, luck)
    height, width = sheet.shape[:2]
    coloured = look.tone > 0 or not look.grey
    made = numpy.empty((height, width, 3) if coloured else (height, width), numpy.uint8)
    rows = max(1, _BAND // width)
    for top in range(0, height, rows):
        band = _softened(sheet, luck.turn, weights, top, min(height, top + rows))
        made[top : top + rows] = _grained(_toned(band, tones, coloured=coloured), look, luck, top)
    return made


def matrix(turn: int) -> tuple[int, int]:
    """Cosine and sine of hundredths of a degree, in 65536ths."""
    angle = turn * math.pi / 18000
    return math.floor(math.cos(angle) * 65536 + 0.5), math.floor(math.sin(angle) * 65536 + 0.5)


def _mixed(seed: int, number: int) -> int:
    """32 bits that look like chance."""
    held = (seed * 0x9E3779B1 + number * 0x85EBCA6B) & _MASK
    held = (held ^ held >> 16) * 0x85EBCA6B & _MASK
    held = (held ^ held >> 13) * 0xC2B2AE35 & _MASK
    return held ^ held >> 16


def _greyed(page: Any) -> Any:
    import numpy

    wide = page.astype(numpy.uint16)
    return ((77 * wide[..., 0] + 150 * wide[..., 1] + 29 * wide[..., 2] + 128) >> 8).astype(numpy.uint8)


def _shaded(sheet: Any, look: Look, dpi: float) -> Any:
    """The sheet with the shadow along its edges, in place."""
    import numpy

    deep = math.floor(EDGE * dpi / 25.4 + 0.5)
    if look.border == 0 or deep == 0:
        return sheet
    for side in (sheet.swapaxes(0, 1), sheet):
        for at in range(min(deep, len(side))):
            factor = 256 - 8 * look.border * (deep - at) ** 2 // (5 * deep**2)
            for line in {at, len(side) - 1 - at}:
                side[line] = (side[line].astype(numpy.uint16) * factor >> 8).astype(numpy.uint8)
    return sheet


def _weights(look: Look, dpi: float) -> list[int]:
    """Of the pixels on each side, the middle one first, in 4096ths: with both sides they make 4096."""
    deviation = SOFT * look.blur / 100 * dpi / 25.4
    reach = math.floor(2.5 * deviation + 0.5)
    if reach == 0:
        return [4096]
    raw = [math.exp(-(at**2) / (2 * deviation**2)) for at in range(reach + 1)]
    whole = raw[0] + 2 * sum(raw[1:])
    beside = [math.floor(each / whole * 4096 + 0.5) for each in raw[1:]]
    return [4096 - 2 * sum(beside), *beside]


def _softened(sheet: Any, turn: int, weights: list[int], top: int, end: int) -> Any:
    """Rows `top` to `end` of the sheet, turned and blurred."""
    import cv2
    import numpy

    reach = len(weights) - 1
    first, last = max(0, top - reach), min(len(sheet), end + reach)
    band = _turned(sheet, turn, first, last) if turn else sheet[first:last]
    if reach:
        kernel = numpy.array([*weights[:0:-1], *weights], numpy.float32)
        for way in (kernel[None, :], kernel[:, None]):
            # Sums of bytes in 4096ths are exact in 24 bits.
            sums = cv2.filter2D(band, cv2.CV_32F, way, borderType=cv2.BORDER_REPLICATE)
            band = ((sums + 2048) * (1 / 4096)).astype(numpy.uint8)
    return band[top - first : end - first]


def _turned(sheet: Any, turn: int, first: int, last: int) -> Any:
    """Rows of the sheet turned around its middle; OpenCV's fixed-point maps have 32 steps from pixel to pixel."""
    import cv2
    import numpy

    height, width = sheet.shape[:2]
    cosine, sine = matrix(turn)
    across = 2 * numpy.arange(width, dtype=numpy.int64) - (width - 1)
    down = (2 * numpy.arange(first, last, dtype=numpy.int64) - (height - 1))[:, None]
    x = (cosine * across + sine * down + (width - 1) * 65536 + 2048) >> 12
    y = (cosine * down - sine * across + (height - 1) * 65536 + 2048) >> 12
    whole = numpy.stack([x >> 5, y >> 5], axis=-1).clip(-2, 32767).astype(numpy.int16)
    parts = ((y & 31) * 32 + (x & 31)).astype(numpy.uint16)
    white = (255, 255, 255)
    return cv2.remap(sheet, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=white)


def _tones(look: Look, luck: Chance) -> Any:
    """What each level becomes in red, green and blue: 256 rows."""
    import numpy

    level = numpy.arange(256)
    level = (level - 128) * (100 + look.contrast) // 100 + 128 + look.brightness + luck.light
    paper = numpy.array([255 - look.tone * each // 100 for each in _PAPER])
    return ((level.clip(0, 255)[:, None] * paper + 127) // 255).astype(numpy.uint8)


def _toned(band: Any, tones: Any, *, coloured: bool) -> Any:
    import cv2
    import numpy

    if not coloured:
        return tones[:, 0][band]
    return cv2.LUT(numpy.dstack([band] * 3) if band.ndim == 2 else band, tones[None])


def _grained(band: Any, look: Look, luck: Chance, top: int) -> Any:
    import numpy

    if look.noise == 0:
        return band
    rows, width = band.shape[:2]
    held = numpy.arange(top * width, (top + rows) * width, dtype=numpy.uint32)
    held *= numpy.uint32(0x9E3779B1)
    held ^= numpy.uint32(luck.grain)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        held ^= held >> numpy.uint32(shift)
        held *= numpy.uint32(factor)
    # Bytes added up two by two, in halves of the same number.
    held = (held & 0xFF00FF) + (held >> numpy.uint32(8) & 0xFF00FF)
    steps = ((held & 0xFFFF) + (held >> numpy.uint32(16))).astype(numpy.int32) - 510
    grain = ((steps * (look.noise * _GRAIN) + 32768) >> 16).astype(numpy.int16).reshape(rows, width)
    return (band + (grain if band.ndim == 2 else grain[..., None])).clip(0, 255).astype(numpy.uint8)
