"""Pixels of pictures made blank: white paper, no ink, or transparent where the picture has a mask. Others stay."""

import io
import math
import zlib
from collections.abc import Sequence
from typing import Any

import pikepdf

from cluster.engines.edit.shapes import Outline, bounds
from cluster.engines.pdf.images import PIXELS, channels_of, encoded
from cluster.engines.pdf.inline import SHORT_KEYS
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.pdf.nodes import get, items
from cluster.problem import LimitProblem

_LEFT = ("/Length", "/Filter", "/DecodeParms", "/Alternates", "/OPI", "/Metadata", "/PieceInfo", "/SMaskInData")
#: Of the picture: how level a place lies; of a pixel: what is no touch.
_LEVEL, _SLACK = 1e-6, 1e-3
#: Pixels of the longer side at which two readers of a picture are compared, and how far they may differ on average.
_COMPARED, _ALIKE = 1000, 24
#: What JPEG may leave of white in a blank place.
_FADED = 160
_SPACES = {1: pikepdf.Name.DeviceGray, 3: pikepdf.Name.DeviceRGB, 4: pikepdf.Name.DeviceCMYK}


def blanked(pdf: "pikepdf.Pdf", image: Any, places: Sequence[Outline]) -> Any | None:
    """A copy of the picture whose pixels in the places (of the unit square, y up) are blank; None: it cannot be read.

    Raises too_large_when_opened.
    """
    size = int(image.get("/Width", 0)), int(image.get("/Height", 0))
    if not 0 < size[0] * size[1] <= PIXELS:
        raise LimitProblem("too_large_when_opened")
    made = _body(pdf, image, size, places)
    for key, blank in (("/SMask", "black"), ("/Mask", "masked")):
        mask = image.get(key)
        if made is not None and isinstance(mask, pikepdf.Stream):
            covered = _masked(pdf, mask, places, blank)
            if covered is None:
                return None
            made[key] = covered
    return made


def _masked(pdf: "pikepdf.Pdf", mask: Any, places: Sequence[Outline], blank: str) -> Any | None:
    size = int(mask.get("/Width", 0)), int(mask.get("/Height", 0))
    return _body(pdf, mask, size, places, blank) if 0 < size[0] * size[1] <= PIXELS else None


def _body(
    pdf: "pikepdf.Pdf", image: Any, size: tuple[int, int], places: Sequence[Outline], blank: str = "paper"
) -> Any | None:
    entries = {key: value for key, value in image.items() if key not in _LEFT}
    codec, data = encoded(pdf, image)
    if codec == "jpeg" and (recoded := _jpeg(data, size, places)):
        kept = {key: image[key] for key in ("/DecodeParms",) if isinstance(image.get(key), pikepdf.Dictionary)}
        return pdf.make_stream(recoded, pikepdf.Dictionary({**entries, **kept, "/Filter": pikepdf.Name.DCTDecode}))
    rows, bits, channels, told = _samples(image, codec, data, size)
    if rows is None:
        return None
    entries |= told
    value = _blank(entries, bits, channels, blank)
    if value is None:
        return None
    pixels = _unpacked(rows, size, bits, channels)
    if pixels is None:
        return None
    if blank == "paper" and (table := _dark_palette(entries, bits)) is not None:
        pixels, bits, value = (
            table[pixels[..., 0]],
            8,
            _blank({"/ColorSpace": entries["/ColorSpace"][1]}, 8, table.shape[1], blank),
        )
        entries |= {"/ColorSpace": entries["/ColorSpace"][1], "/BitsPerComponent": 8}
        entries.pop("/Decode", None)
    pixels[_touched(size, places)] = value
    body = zlib.compress(_packed(pixels, bits), 6)
    return pdf.make_stream(body, pikepdf.Dictionary({**entries, "/Filter": pikepdf.Name.FlateDecode}))


def _samples(image: Any, codec: str, data: bytes, size: tuple[int, int]) -> tuple[Any, int, int, dict[str, Any]]:
    """Rows of bytes as they mean what the entries say, bits, channels, and entries that changed."""
    mask = bool(image.get("/ImageMask", False))
    if codec in ("jpeg", "jpx"):
        return _drawn(image, size)
    if codec in ("fax", "jbig2"):
        held = _by_mupdf(image)
        rows = held.xref_stream(_only(held)) if codec == "fax" or _is_read_alike(held, size) else None
        return rows, 1, 1, {} if mask else {"/BitsPerComponent": 1}
    bits = 1 if mask else int(image.get("/BitsPerComponent", 8))
    row = len(data) // max(1, size[1])
    space = image.get("/ColorSpace")
    indexed = str(items(space)[0]) in ("/Indexed", "/I") if items(space) else False
    told = 1 if mask or indexed else channels_of(space)
    channels = told or next((each for each in range(1, 33) if (size[0] * bits * each + 7) // 8 == row), 0)
    return (data if channels else None), bits, channels, {}


def _drawn(image: Any, size: tuple[int, int]) -> tuple[Any, int, int, dict[str, Any]]:
    """What MuPDF decodes, 8 bits a sample."""
    pymupdf = import_pymupdf()
    held = _by_mupdf(image)
    pixels = pymupdf.Pixmap(held, _only(held))
    if pixels.alpha:
        pixels = pymupdf.Pixmap(pixels, 0)
    if (pixels.width, pixels.height) != size:
        return None, 8, 0, {}
    told: dict[str, Any] = {"/BitsPerComponent": 8, "/Decode": pikepdf.Array([0, 1] * pixels.n)}
    if channels_of(image.get("/ColorSpace")) != pixels.n:
        told["/ColorSpace"] = _SPACES.get(pixels.n, pikepdf.Name.DeviceRGB)
    return pixels.samples, 8, pixels.n, told


def _by_mupdf(image: Any) -> Any:
    """A document of nothing but this picture without its masks."""
    with pikepdf.new() as alone:
        alone.Root["/Held"] = alone.copy_foreign(image) if image.is_indirect else alone.make_stream(
            image.read_raw_bytes(), pikepdf.Dictionary(dict(image.items()))
        )  # fmt: skip
        for key in ("/SMask", "/Mask", "/Alternates", "/Metadata"):
            if key in alone.Root["/Held"]:
                del alone.Root["/Held"][key]
        alone.add_blank_page()
        alone.save(held := io.BytesIO(), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return import_pymupdf().open(stream=held.getvalue(), filetype="pdf")


def _is_read_alike(document: Any, size: tuple[int, int]) -> bool:
    """Whether PDFium sees the same picture: of JBIG2 not every reader knows all, and what is misread would be kept."""
    import numpy
    import pypdfium2

    pymupdf = import_pymupdf()
    page, scale = document[0], min(1.0, _COMPARED / max(size))
    page.set_mediabox(pymupdf.Rect(0, 0, *size))
    document.xref_set_key(page.xref, "Resources", f"<</XObject<</Im {_only(document)} 0 R>>>>")
    content = document.get_new_xref()
    document.update_object(content, "<<>>")
    document.update_stream(content, b"%d 0 0 %d 0 0 cm /Im Do" % size, new=True)
    document.xref_set_key(page.xref, "Contents", f"{content} 0 R")
    seen = pymupdf.open(stream=document.tobytes(), filetype="pdf")
    mine = seen[0].get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY)
    try:
        with pypdfium2.PdfDocument(seen.tobytes()) as other:
            their = numpy.asarray(other[0].render(scale=scale).to_pil().convert("L")).astype(int)
    except pypdfium2.PdfiumError:
        return False
    pixels = numpy.frombuffer(mine.samples, numpy.uint8).reshape(mine.height, mine.stride)
    high, wide = min(mine.height, their.shape[0]), min(mine.width, their.shape[1])
    return float(abs(pixels[:high, :wide] - their[:high, :wide]).mean()) < _ALIKE


def _only(document: Any) -> int:
    kind, text = document.xref_get_key(document.pdf_catalog(), "Held")
    return int(text.split()[0]) if kind == "xref" else 0


def _blank(entries: dict[str, Any], bits: int, channels: int, blank: str) -> Any:
    """The sample values of a pixel that shows nothing; None where that cannot be told."""
    most = (1 << bits) - 1
    decode = [float(each) for each in items(entries.get("/Decode"))]
    turned = len(decode) > 1 and decode[0] > decode[1]
    if bool(entries.get("/ImageMask", False)) or blank == "masked":
        return [0 if turned else most]
    if blank == "black":
        return [most if turned else 0]
    space = entries.get("/ColorSpace")
    name = str(items(space)[0]) if items(space) else str(space)
    if name in ("/Indexed", "/I"):
        return [_lightest(space, most)]
    inks = channels == 4 or name in ("/Separation", "/DeviceN")
    if name == "/Lab":
        return [most, most // 2, most // 2]
    return [most if inks == turned else 0] * channels


def _dark_palette(entries: dict[str, Any], bits: int) -> Any:
    """The colours of a palette in which paper's is missing, one a row; None for other pictures."""
    import numpy

    space = items(entries.get("/ColorSpace"))
    step = channels_of(space[1]) if len(space) == 4 and str(space[0]) in ("/Indexed", "/I") else 0
    if not step:
        return None
    table = (space[3].read_bytes() if isinstance(space[3], pikepdf.Stream) else bytes(space[3]))[: step << bits]
    colours = numpy.zeros((1 << bits, step), numpy.uint8)
    count = len(table) // step
    colours[:count] = numpy.frombuffer(table, numpy.uint8, count * step).reshape(count, step)
    white = 0 if step == 4 else 255
    return None if count and (colours[:count] == white).all(axis=1).any() else colours


def _lightest(space: Any, most: int) -> int:
    base, lookup = space[1], space[3]
    table = lookup.read_bytes() if isinstance(lookup, pikepdf.Stream) else bytes(lookup)
    step = channels_of(base) or 3
    colours = [table[at : at + step] for at in range(0, min(len(table), (most + 1) * step), step)]
    light = [-sum(each) if step == 4 else sum(each) for each in colours if len(each) == step]
    return light.index(max(light)) if light else 0


def _unpacked(data: bytes, size: tuple[int, int], bits: int, channels: int) -> Any:
    """An array of height, width and channels; None where rows are missing."""
    import numpy

    width, height = size
    row = (width * bits * channels + 7) // 8
    if len(data) < row * height:
        data = bytes(data) + b"\0" * (row * height - len(data))
    rows = numpy.frombuffer(data, numpy.uint8, row * height).reshape(height, row)
    if bits == 8:
        return rows.reshape(height, width, channels).copy()
    if bits == 16:
        return rows.reshape(height, width, channels, 2).view(">u2")[..., 0].astype(numpy.uint16)
    spread = numpy.unpackbits(rows, axis=1)[:, : width * channels * bits].reshape(height, width, channels, bits)
    weights = (1 << numpy.arange(bits - 1, -1, -1)).astype(numpy.uint8)
    return (spread * weights).sum(axis=3, dtype=numpy.uint8)


def _packed(pixels: Any, bits: int) -> bytes:
    import numpy

    if bits == 8:
        return bytes(pixels.tobytes())
    if bits == 16:
        return bytes(pixels.astype(">u2").tobytes())
    height = pixels.shape[0]
    spread = (pixels[..., None] >> numpy.arange(bits - 1, -1, -1, dtype=numpy.uint8)) & 1
    return bytes(numpy.packbits(spread.reshape(height, -1), axis=1).tobytes())


def _touched(size: tuple[int, int], places: Sequence[Outline]) -> Any:
    """Which pixels the places touch, as an array of truth; around leaning places some more."""
    import numpy
    from PIL import Image, ImageDraw, ImageFilter

    found = numpy.zeros((size[1], size[0]), bool)
    for place in places:
        x0, y0, x1, y1 = bounds(place)
        if all(min(abs(x - x0), abs(x - x1)) < _LEVEL and min(abs(y - y0), abs(y - y1)) < _LEVEL for x, y in place):
            left, right = max(0, math.floor(x0 * size[0] + _SLACK)), math.ceil(x1 * size[0] - _SLACK)
            top, bottom = max(0, math.floor((1 - y1) * size[1] + _SLACK)), math.ceil((1 - y0) * size[1] - _SLACK)
            found[top : max(top, bottom), left : max(left, right)] = True
            continue
        drawn = Image.new("L", size, 0)
        outline = [(min(max(x, -9), 9) * size[0], (1 - min(max(y, -9), 9)) * size[1]) for x, y in place]
        ImageDraw.Draw(drawn).polygon(outline, fill=255, outline=255)
        found |= numpy.asarray(drawn.filter(ImageFilter.MaxFilter(3))) > 0
    return found


def _jpeg(data: bytes, size: tuple[int, int], places: Sequence[Outline]) -> bytes | None:
    """The JPEG with its own tables and blocks; what was not touched comes out as it went in, but for rounding."""
    import numpy
    from PIL import Image, JpegImagePlugin

    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as image:
            if image.mode not in ("L", "RGB") or image.size != size:
                return None
            sampling = JpegImagePlugin.get_sampling(image) if image.mode == "RGB" else 0
            tables = image.quantization  # type: ignore[attr-defined]
            pixels = numpy.asarray(image).copy()
    except (OSError, ValueError, SyntaxError):
        return None
    touched = _touched(size, places)
    pixels[touched] = 255
    held = io.BytesIO()
    Image.fromarray(pixels).save(held, "JPEG", qtables=tables, subsampling=max(0, sampling), optimize=True)
    with Image.open(held) as coded:  # waves of what stands beside the place run into it, and fade
        fades = numpy.asarray(coded)[touched].min(initial=255) > _FADED
    return held.getvalue() if fades else None


def from_inline(pdf: "pikepdf.Pdf", words: Sequence[bytes], samples: bytes, resources: Any) -> Any | None:
    """An inline picture as an object of its own; None where its dictionary cannot be read."""
    try:
        held: Any = pikepdf.Object.parse(b"<<" + b" ".join(words) + b">>")
    except (pikepdf.PdfError, ValueError):
        return None
    more = {"/D": "/Decode", "/DP": "/DecodeParms", "/I": "/Interpolate"}
    short: dict[str, str] = {key.decode(): name.decode() for name, key in SHORT_KEYS.items()} | more
    entries = {short.get(key, key): value for key, value in held.items()}
    space: Any = entries.get("/ColorSpace")
    if isinstance(space, pikepdf.Name):
        found = get(resources, "/ColorSpace", str(space))
        entries["/ColorSpace"] = found if found is not None else _LONG_SPACES.get(str(space), space)
    elif items(space) and str(space[1]) in _LONG_SPACES:
        entries["/ColorSpace"] = pikepdf.Array([pikepdf.Name.Indexed, _LONG_SPACES[str(space[1])], *items(space)[2:]])
    filters = entries.get("/Filter")
    if filters is not None:
        named = [_LONG_FILTERS.get(str(each), each) for each in (items(filters) or [filters])]
        # As it was told: the parameters of one filter alone are none of a list.
        entries["/Filter"] = pikepdf.Array(named) if items(filters) else named[0]
    entries.pop("/Length", None)
    entries |= {"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Image}
    made = pdf.make_stream(samples)
    for key, value in entries.items():
        made[key] = value
    return made


_LONG_SPACES = {"/G": pikepdf.Name.DeviceGray, "/RGB": pikepdf.Name.DeviceRGB, "/CMYK": pikepdf.Name.DeviceCMYK}
_LONG_FILTERS = {
    f"/{short}": pikepdf.Name(f"/{name}")
    for short, name in (
        ("AHx", "ASCIIHexDecode"), ("A85", "ASCII85Decode"), ("LZW", "LZWDecode"), ("Fl", "FlateDecode"),
        ("RL", "RunLengthDecode"), ("CCF", "CCITTFaxDecode"), ("DCT", "DCTDecode"),
    )
}  # fmt: skip
