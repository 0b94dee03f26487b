"""Whether two drawings of one page differ in a way that people see. Pictures are height x width x 3 arrays."""

import numpy
from PIL import Image

from tests import look
from tests.foreign.programs import Picture

#: A pixel differs from here on (of 255); strokes may move by less than a pixel's share of ink.
_PIXEL = 48
_FEW = 8, 1e-4
#: Side of the patches whose mean colour is compared, and by how much it may drift unseen.
_PATCH = 8
_DRIFT = 20


def same(one: Picture, two: Picture) -> str:
    """Nothing may change: what differs, or nothing."""
    if one.shape != two.shape:
        return f"size {_size(two)} instead of {_size(one)}"
    many = int((_distance(one, two) > _PIXEL).sum())
    return f"{many} pixels differ" if many > max(_FEW[0], _FEW[1] * one.shape[0] * one.shape[1]) else ""


def alike(one: Picture, two: Picture, floor: float) -> str:
    """Recoded pictures may lose grain, not colour: SSIM of at least `floor`, and no patch of another colour."""
    if one.shape != two.shape:
        return f"size {_size(two)} instead of {_size(one)}"
    if numpy.array_equal(one, two):
        return ""
    if (drift := patches(one, two)) > _DRIFT:
        return f"a patch's colour moves by {drift:.0f} of 255"
    if min(one.shape[:2]) > 7 and (likeness := look.ssim(Image.fromarray(one), Image.fromarray(two))) < floor:
        return f"SSIM {likeness:.4f}, below {floor}"
    return ""


def within(one: Picture, two: Picture, drift: float) -> str:
    """Patches may drift by `drift`: a veil over the page, another anti-aliasing."""
    if abs(one.shape[0] - two.shape[0]) > 2 or abs(one.shape[1] - two.shape[1]) > 2:
        return f"size {_size(two)} instead of {_size(one)}"
    height, width = min(one.shape[0], two.shape[0]), min(one.shape[1], two.shape[1])
    found = patches(one[:height, :width], two[:height, :width])
    return f"a patch's colour moves by {found:.0f} of 255" if found > drift else ""


def paired(one: Picture, two: Picture) -> tuple[Picture, Picture]:
    """Both at the size of the smaller one, when they have the same shape within a pixel or two; else as they are."""
    if one.shape[0] > two.shape[0]:
        return paired(two, one)[::-1]
    height, width = one.shape[:2]
    if abs(two.shape[0] * width / two.shape[1] - height) > 2 + height / 100:
        return one, two
    return one, numpy.asarray(Image.fromarray(two).resize((width, height), Image.Resampling.BOX))


def patches(one: Picture, two: Picture) -> float:
    """The largest drift of the mean colour of a patch, in any channel."""
    return float(numpy.abs(_means(one) - _means(two)).max())


def ink(picture: Picture) -> float:
    """The share of pixels that are not white."""
    return look.ink(Image.fromarray(picture))


def _means(picture: Picture) -> Picture:
    size = max(1, picture.shape[1] // _PATCH), max(1, picture.shape[0] // _PATCH)
    return numpy.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BOX)).astype(numpy.int16)


def _distance(one: Picture, two: Picture) -> Picture:
    return numpy.abs(one.astype(numpy.int16) - two.astype(numpy.int16)).max(axis=2)


def _size(picture: Picture) -> str:
    return f"{picture.shape[1]} × {picture.shape[0]}"
