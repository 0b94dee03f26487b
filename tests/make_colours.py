"""Pictures whose colours a careless rewriting changes: tables read backwards, small spots, masks of few shades."""

import numpy
from pikepdf import Array, Name, Pdf, Stream
from PIL import Image, ImageDraw

from tests.make_pictures import drawing, jpeg, photograph, raw


def backwards(pdf: Pdf, bits: int = 8) -> Stream:
    """A palette picture whose /Decode reads its table from the end, with samples that pack badly as they are."""
    image = drawing().quantize(8)
    picture = raw(pdf, image)
    picture["/Decode"] = Array([7, 0]) if bits == 8 else Array([15, 0])
    colours = image.getpalette("RGB") or []
    picture["/ColorSpace"][3] = bytes(colours[:24])
    picture["/ColorSpace"][2] = 7
    return picture


def keyed(pdf: Pdf) -> Stream:
    """A palette picture one of whose colours is clear."""
    picture = raw(pdf, drawing().quantize(8))
    picture["/Mask"] = Array([0, 0])
    return picture


def inverted(pdf: Pdf) -> Stream:
    """Gray samples that /Decode turns to their opposite."""
    picture = raw(pdf, photograph().convert("L"))
    picture["/Decode"] = Array([1, 0])
    return picture


def plainly_decoded(pdf: Pdf) -> Stream:
    """A /Decode that says nothing new, over a palette."""
    picture = raw(pdf, drawing().quantize(8))
    picture["/Decode"] = Array([0, 255])
    return picture


def spotted(pdf: Pdf) -> Stream:
    """A sheet of shades with a small red dot, a pale yellow cell and thin green lines."""
    image = Image.new("RGB", (1000, 750), "white")
    draw = ImageDraw.Draw(image)
    for step in range(200):
        draw.rectangle((step * 5, 0, step * 5 + 4, 200), fill=(step, step, 255 - step))
    draw.rectangle((100, 400, 260, 430), fill=(255, 255, 170))
    draw.ellipse((600, 500, 632, 532), fill=(230, 20, 20))
    for row in range(4):
        draw.line((700, 600 + row * 9, 732, 600 + row * 9), fill=(0, 160, 0))
    return raw(pdf, image)


def few_shades(pdf: Pdf) -> Stream:
    """A photograph behind a soft mask of four shades that are not evenly spaced: made for a palette."""
    picture = jpeg(pdf, photograph(), 95)
    shades = numpy.array([0, 77, 140, 254], numpy.uint8)
    mask = numpy.random.default_rng(5).integers(0, 4, (75, 100))
    large = Image.fromarray(shades[mask]).resize((900, 675), Image.Resampling.NEAREST)
    picture["/SMask"] = raw(pdf, large)
    return picture


def indexed_mask(pdf: Pdf) -> Stream:
    """A mask that is a palette already, which no reader has to know: it stays what it is."""
    picture = few_shades(pdf)
    mask = picture["/SMask"]
    mask["/ColorSpace"] = Array([Name.Indexed, Name.DeviceGray, 255, bytes(range(256))])
    return picture
