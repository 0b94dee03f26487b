"""Pictures of a PDF taken out for re-encoding: what their samples are, read from the header first."""

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cluster.engines.pdf.drawn import Placement

if TYPE_CHECKING:
    import pikepdf
    from PIL.Image import Image

Codec = Literal["raw", "jpeg", "jpx", "fax", "jbig2"]
#: Samples of one picture; larger ones stay as they are.
PIXELS = 100_000_000

_CODECS: dict[str, Codec] = {
    "/DCTDecode": "jpeg",
    "/DCT": "jpeg",
    "/JPXDecode": "jpx",
    "/CCITTFaxDecode": "fax",
    "/CCF": "fax",
    "/JBIG2Decode": "jbig2",
}
_CHANNELS = {1: "L", 3: "RGB", 4: "CMYK"}
#: Pictures of more pixels than this are worked on in ways that spare memory.
HUGE = 24_000_000


@dataclass
class Picture:
    """One image XObject. `data` is encoded by `codec`, the filters around it already taken off.

    channels: samples a pixel. palette: the colours of an indexed picture, as bytes of `channels` base values.
    plain: gray, RGB or CMYK, by device or profile. device: the colours are the device's, so gray RGB may become gray.
    exact: nothing but the packing may change (colour keys, Decode). fixed: it keeps its width and height (matte).
    soft: it is the soft mask of another.
    """

    stream: Any
    placement: Placement | None
    codec: Codec
    data: bytes
    size: int
    width: int
    height: int
    bits: int
    channels: int
    palette: bytes | None = None
    plain: bool = True
    device: bool = False
    exact: bool = False
    fixed: bool = False
    soft: bool = False

    @property
    def pixels(self) -> int:
        return self.width * self.height

    @property
    def bitonal(self) -> bool:
        return self.bits == 1 and self.palette is None and self.channels == 1

    def dpi(self) -> float:
        return self.placement.dpi(self.width, self.height) if self.placement else 0.0

    def samples(self, enough: float = 0) -> "Image | None":
        """The picture in Pillow's mode 1, L, RGB or CMYK (palettes applied); None when it cannot be decoded.

        The values are the PDF's own, whatever the colour space makes of them. A huge JPEG is decoded at a half,
        a quarter or an eighth where `enough` dpi are left of it (0: never).
        """
        if self.codec in ("jpeg", "jpx"):
            return self._decoded(enough)
        return self._unpacked() if self.codec == "raw" else None

    def _decoded(self, enough: float) -> "Image | None":
        from PIL import Image, ImageChops

        Image.MAX_IMAGE_PIXELS = PIXELS
        try:
            with Image.open(io.BytesIO(self.data), formats=("JPEG", "JPEG2000")) as image:
                if image.size != (self.width, self.height) or image.mode != _CHANNELS.get(self.channels):
                    return None
                if enough and self.codec == "jpeg" and self.pixels > HUGE:
                    part = min(1.0, enough / max(self.dpi(), 1.0))
                    image.draft(None, (int(self.width * part), int(self.height * part)))
                image.load()
                # Pillow takes CMYK in JPEG for inverted, the PDF does not.
                return ImageChops.invert(image) if image.mode == "CMYK" else image
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            return None

    def _unpacked(self) -> "Image | None":
        from PIL import Image

        if self.bitonal:
            data = self.data.ljust(((self.width + 7) // 8) * self.height, b"\0")
            return Image.frombytes("1", (self.width, self.height), data)
        pixels = self.indices()
        if pixels is None:
            return None
        if self.palette is not None:
            return self._coloured(pixels)
        if self.bits < 8:
            pixels = pixels * (255 // ((1 << self.bits) - 1))
        mode = _CHANNELS[self.channels]
        return Image.frombuffer(mode, (self.width, self.height), pixels, "raw", mode, 0, 1)

    def indices(self) -> Any:
        """Samples of a raw picture as a row of bytes (the high byte of 16 bits), or None when some are missing."""
        import numpy as np

        across = self.width * (1 if self.palette is not None else self.channels)
        stride = (across * self.bits + 7) // 8
        if len(self.data) < stride * self.height:
            return None
        rows = np.frombuffer(self.data, np.uint8, stride * self.height).reshape(self.height, stride)
        if self.bits == 8:
            return rows.reshape(-1)
        if self.bits == 16:
            return np.ascontiguousarray(rows[:, ::2]).reshape(-1)
        each = 8 // self.bits
        shifts = np.arange(8 - self.bits, -1, -self.bits, dtype=np.uint8)
        spread = (rows[:, :, None] >> shifts) & ((1 << self.bits) - 1)
        return np.ascontiguousarray(spread.reshape(self.height, stride * each)[:, :across]).reshape(-1)

    def _coloured(self, indices: Any) -> "Image":
        import numpy as np
        from PIL import Image

        colours = np.zeros((256, self.channels), np.uint8)
        given = np.frombuffer(self.palette or b"", np.uint8)
        count = min(256, len(given) // self.channels)
        colours[:count] = given[: count * self.channels].reshape(count, self.channels)
        pixels = colours[indices]
        return Image.frombuffer(_CHANNELS[self.channels], (self.width, self.height), pixels.tobytes(), "raw")


def read_picture(pdf: "pikepdf.Pdf", stream: Any, placement: Placement | None, *, soft: bool) -> Picture | None:
    """The picture in `stream`, or None when it is of a kind that is left alone."""
    import pikepdf

    try:
        width, height = int(stream.get("/Width", 0)), int(stream.get("/Height", 0))
        if not 0 < width * height <= PIXELS or min(width, height) < 4 or "/F" in stream:
            return None
        return _read(pdf, stream, placement, soft=soft)
    except (pikepdf.PdfError, ValueError, TypeError, AttributeError, RuntimeError, OSError):
        return None


def _read(pdf: "pikepdf.Pdf", stream: Any, placement: Placement | None, *, soft: bool) -> Picture | None:
    import pikepdf

    codec, data = encoded(pdf, stream)
    if (codec == "jpx" and int(stream.get("/SMaskInData", 0))) or (codec == "jpeg" and _own_transform(stream, data)):
        return None
    colours = _colours(stream, codec, data)
    if colours is None or (soft and colours[2] is not None):
        return None
    bits, channels, palette, plain = colours
    return Picture(
        stream=stream,
        placement=placement,
        codec=codec,
        data=data,
        size=len(stream.read_raw_bytes()),
        width=int(stream["/Width"]),
        height=int(stream["/Height"]),
        bits=bits,
        channels=channels,
        palette=palette,
        plain=plain,
        device=_device(stream.get("/ColorSpace")),
        exact=isinstance(stream.get("/Mask"), pikepdf.Array) or (codec == "raw" and _decodes(stream, colours)),
        fixed="/Matte" in stream or ("/SMask" in stream and "/Matte" in stream["/SMask"]),
        soft=soft,
    )


def encoded(pdf: "pikepdf.Pdf", stream: Any) -> tuple[Codec, bytes]:
    """How samples are encoded, and the bytes, without filters around them; `raw`: none is left."""
    import pikepdf

    filters = as_list(stream.get("/Filter"))
    codec = _CODECS.get(str(filters[-1])) if filters else None
    if codec is None:
        return "raw", bytes(stream.read_bytes(pikepdf.StreamDecodeLevel.specialized))
    if len(filters) == 1:
        return codec, bytes(stream.read_raw_bytes())
    around = pikepdf.Stream(pdf, stream.read_raw_bytes())
    around.stream_dict["/Filter"] = pikepdf.Array(filters[:-1])
    parms = as_list(stream.get("/DecodeParms"))
    if len(parms) == len(filters):
        around.stream_dict["/DecodeParms"] = pikepdf.Array(parms[:-1])
    return codec, bytes(around.read_bytes())


def _colours(stream: Any, codec: Codec, data: bytes) -> tuple[int, int, bytes | None, bool] | None:
    """Bits, channels, palette, and whether the colour space is a plain one (gray, RGB, CMYK or ICC)."""
    import pikepdf

    if stream.get("/ImageMask", False) or codec in ("fax", "jbig2"):
        return 1, 1, None, not stream.get("/ImageMask", False)
    space = stream.get("/ColorSpace")
    if space is None:
        return _headed(data) if codec == "jpx" else None
    bits = 8 if codec in ("jpeg", "jpx") else int(stream.get("/BitsPerComponent", 8))
    if bits not in (1, 2, 4, 8, 16):
        return None
    if space_name(space) in ("/Indexed", "/I"):
        base, lookup = space[1], space[3]
        channels = channels_of(base)
        palette = bytes(lookup.read_bytes()) if isinstance(lookup, pikepdf.Stream) else bytes(lookup)
        return (bits, channels, palette, True) if channels and codec == "raw" and bits <= 8 else None
    channels = channels_of(space)
    return (bits, channels, None, space_name(space) not in ("/Separation", "/DeviceN")) if channels else None


def _decodes(stream: Any, colours: tuple[int, int, bytes | None, bool]) -> bool:
    """Whether /Decode says anything that is not said without it."""
    bits, channels, palette, _ = colours
    plain = [0, (1 << bits) - 1] if palette is not None else [0, 1] * channels
    return "/Decode" in stream and [float(value) for value in stream["/Decode"]] != plain


def _own_transform(stream: Any, data: bytes) -> bool:
    """Whether the PDF, not the JPEG, says how its colours are stored: other programs cannot know."""
    parms = [each for each in as_list(stream.get("/DecodeParms")) if hasattr(each, "get")]
    return any("/ColorTransform" in each for each in parms) and b"Adobe\0" not in data[:4096]


def channels_of(space: Any) -> int:
    """Samples a pixel in a colour space; 0 for those that are left alone."""
    match space_name(space):
        case "/DeviceGray" | "/CalGray" | "/G" | "/Separation":
            return 1
        case "/DeviceRGB" | "/CalRGB" | "/RGB":
            return 3
        case "/DeviceCMYK" | "/CMYK":
            return 4
        case "/ICCBased":
            count = int(space[1].get("/N", 0))
            return count if count in _CHANNELS else 0
        case "/DeviceN":
            return 1 if len(space[1]) == 1 else 0
    return 0


def _headed(data: bytes) -> tuple[int, int, bytes | None, bool] | None:
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=("JPEG2000",)) as image:
        return {"L": (8, 1, None, True), "RGB": (8, 3, None, True)}.get(image.mode)


def _device(space: Any) -> bool:
    base = space[1] if space_name(space) in ("/Indexed", "/I") else space
    return str(base) in ("/DeviceRGB", "/DeviceGray", "/RGB", "/G")


def space_name(space: Any) -> str:
    """The kind of a colour space, which may be an array that begins with it."""
    import pikepdf

    return str(space[0]) if isinstance(space, pikepdf.Array) and len(space) else str(space)


def as_list(node: Any) -> list[Any]:
    """An array's values, one value alone, or none."""
    import pikepdf

    if node is None:
        return []
    return list(node) if isinstance(node, pikepdf.Array) else [node]
