"""Write pictures strip by strip, so that no picture is ever whole in memory: PNG, JPEG, TIFF (WebP alone needs it all).

with open_picture(PNG, path, Shape(1240, 1754, "rgb"), dpi=150) as file:
    file.add(strip)                     # from the top; widths equal, heights as they come
"""

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from cluster.kinds import JPG, PNG, TIFF, WEBP, Kind

if TYPE_CHECKING:
    from PIL.Image import Image

Mode = Literal["rgb", "rgba", "grey", "bit"]
BANDS: dict[Mode, int] = {"rgb": 3, "rgba": 4, "grey": 1, "bit": 1}
#: The longest side a format can have.
LONGEST: dict[str, int] = {"jpg": 65_500, "webp": 16_383, "png": 1_000_000, "tiff": 1_000_000}

_TIFF_PIXELS = 4_000_000
_JPEG_PIXELS = 12_000_000
_PNG_COLOUR = {"rgb": 2, "rgba": 6, "grey": 0, "bit": 0}


@dataclass(frozen=True)
class Shape:
    """Pixels across and down, and what a pixel is."""

    width: int
    height: int
    mode: Mode


@dataclass(frozen=True)
class Strip:
    """Rows of pixels in memory that the next strip uses again.

    `data` is four bytes a pixel (rgb leaves the fourth unused), or one when grey; 1-bit rows are in `bits`.
    """

    data: Any
    width: int
    rows: int
    mode: Mode
    bits: "Image | None" = None

    def picture(self) -> "Image":
        """As a Pillow image over the same memory, RGBX where the mode is rgb."""
        from PIL import Image

        if self.bits is not None:
            return self.bits
        name = {"rgb": "RGBX", "rgba": "RGBA"}.get(self.mode, "L")
        return Image.frombuffer(name, (self.width, self.rows), self.data, "raw", name, 0, 1)

    def packed(self) -> bytes:
        """The rows without anything between pixels or rows."""
        return self.picture().tobytes("raw", "RGB") if self.mode == "rgb" else self.picture().tobytes()

    def scanlines(self) -> "Image":
        """The bytes as PNG wants them, each row after its filter byte (none): a grey image one wider than a row."""
        from PIL import Image

        size = self.width * BANDS[self.mode], self.rows
        spaced = Image.new("L", (size[0] + 1, size[1]), 0)
        spaced.paste(Image.frombuffer("L", size, self.packed(), "raw", "L", 0, 1), (1, 0))
        return spaced


class PictureFile(Protocol):
    """A picture being written; `done` ends it."""

    def add(self, strip: Strip) -> None: ...

    def done(self) -> None: ...


def open_picture(kind: Kind, path: Path, shape: Shape, dpi: float, quality: int) -> PictureFile:
    """A writer for one picture of `shape`."""
    if kind is PNG:
        return PngFile(path, shape, dpi)
    if kind is JPG:
        return JpegFile(path, shape, dpi, quality)
    if kind is WEBP:
        return WebpFile(path, shape, quality)
    if kind is TIFF:
        file = TiffFile(path)
        file.begin(shape, dpi)
        return file
    raise ValueError(kind.key)


class PngFile:
    """PNG at the fastest useful level: plain rows for drawings, differences for photographs."""

    def __init__(self, path: Path, shape: Shape, dpi: float) -> None:
        self.shape, self.file = shape, path.open("wb")
        self.packer = zlib.compressobj(1, zlib.DEFLATED, 15, 9)
        depth = 1 if shape.mode == "bit" else 8
        head = struct.pack(">IIBBBBB", shape.width, shape.height, depth, _PNG_COLOUR[shape.mode], 0, 0, 0)
        metre = round(dpi / 0.0254)
        self.file.write(
            b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"pHYs", struct.pack(">IIB", metre, metre, 1))
        )

    def add(self, strip: Strip) -> None:
        """Append rows."""
        if strip.bits is not None:
            self._write(_spaced(strip.bits.tobytes(), (self.shape.width + 7) // 8))
            return
        rows = strip.scanlines()
        self._write((_differences(rows) if _is_photograph(rows) else rows).tobytes())

    def _write(self, rows: Any) -> None:
        if packed := self.packer.compress(rows):
            self.file.write(_chunk(b"IDAT", packed))

    def done(self) -> None:
        self.file.write(_chunk(b"IDAT", self.packer.flush()) + _chunk(b"IEND", b""))
        self.file.close()


def deep_png(data: bytes, size: tuple[int, int], channels: int, profile: bytes | None) -> bytes:
    """A PNG of big-endian 16 bit samples, grey or RGB, as the rows of a PDF's pictures hold them."""
    import numpy

    (width, height), step = size, 2 * channels
    rows = numpy.frombuffer(data, numpy.uint8, width * height * step).reshape(height, width * step)
    filtered = numpy.ones((height, width * step + 1), numpy.uint8)  # Sub: what a sample is more than the one before
    filtered[:, 1 : step + 1] = rows[:, :step]
    filtered[:, step + 1 :] = rows[:, step:] - rows[:, :-step]
    head = struct.pack(">IIBBBBB", width, height, 16, _PNG_COLOUR["rgb" if channels == 3 else "grey"], 0, 0, 0)
    colours = _chunk(b"iCCP", b"profile\0\0" + zlib.compress(profile)) if profile else b""
    pixels = _chunk(b"IDAT", zlib.compress(filtered.tobytes(), 5))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + colours + pixels + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))


def _spaced(packed: bytes, pitch: int) -> bytes:
    """A filter byte (none) before each row."""
    return b"\0" + b"\0".join(packed[at : at + pitch] for at in range(0, len(packed), pitch))


def _is_photograph(rows: "Image") -> bool:
    """Whether differences pack smaller, tried on the middle of the strip."""
    tried = min(24, rows.height)
    top = (rows.height - tried) // 2
    sample = rows.crop((0, top, rows.width, top + tried))
    return len(zlib.compress(_differences(sample).tobytes(), 1)) * 1.1 < len(zlib.compress(sample.tobytes(), 1))


def _differences(rows: "Image") -> "Image":
    """PNG's filter Up for all rows but the first, which stays plain: strips need not know the one before."""
    from PIL import ImageChops

    if rows.height == 1:
        return rows
    below = rows.crop((0, 1, rows.width, rows.height))
    changed = ImageChops.subtract_modulo(below, rows.crop((0, 0, rows.width, rows.height - 1)))
    changed.paste(2, (0, 0, 1, changed.height))
    whole = rows.copy()
    whole.paste(changed, (0, 1))
    return whole


class JpegFile:
    """JPEG from independently coded strips, joined by restart markers into one baseline scan."""

    def __init__(self, path: Path, shape: Shape, dpi: float, quality: int) -> None:
        self.shape, self.dpi, self.quality = shape, (round(dpi), round(dpi)), quality
        self.pixels = "L" if shape.mode in ("grey", "bit") else "RGBX"
        # A restart interval counts to 65,535 blocks (of 8 pixels when grey, else 16), and is whole rows of them.
        block = 8 if self.pixels == "L" else 16
        across = -(-shape.width // block)
        rows = min(65_535, _JPEG_PIXELS // block**2) // across
        self.interval = across * rows
        self.bands = _Bands(rows * block, shape.height)
        self.coded = 0
        self.file = path.open("wb")

    def add(self, strip: Strip) -> None:
        """Append rows; whole bands are coded as they fill."""
        rows = strip.picture()
        for band in self.bands.cut(rows if rows.mode == self.pixels else rows.convert(self.pixels)):
            self._code(band)

    def _code(self, band: "Image") -> None:
        held = io.BytesIO()
        band.save(held, "JPEG", quality=self.quality, dpi=self.dpi, subsampling=-1 if self.pixels == "L" else 2)
        head, scan = _parts(held.getvalue())
        self.file.write(bytes((0xFF, 0xD0 + (self.coded - 1) % 8)) if self.coded else self._head(head, band.height))
        self.file.write(scan)
        self.coded += 1

    def _head(self, head: bytes, height: int) -> bytes:
        """The first band's head with the whole height and the restart interval."""
        if height == self.shape.height:
            return head
        frame = head.index(b"\xff\xc0")
        head = head[: frame + 5] + struct.pack(">H", self.shape.height) + head[frame + 7 :]
        scan = head.rindex(b"\xff\xda")
        return head[:scan] + b"\xff\xdd\x00\x04" + struct.pack(">H", self.interval) + head[scan:]

    def done(self) -> None:
        self.file.write(b"\xff\xd9")
        self.file.close()


class _Bands:
    """Strips of any height become bands of one height; the last is what is left."""

    def __init__(self, rows: int, total: int) -> None:
        self.rows, self.remaining = rows, total
        self.held: Image | None = None
        self.at = 0

    def cut(self, strip: "Image") -> Iterator["Image"]:
        """The bands that `strip` completes."""
        if self.held is None and strip.height == min(self.rows, self.remaining):
            self.remaining -= strip.height
            yield strip
            return
        taken = 0
        while taken < strip.height:
            band = self._band(strip)
            part = min(strip.height - taken, band.height - self.at)
            band.paste(strip.crop((0, taken, strip.width, taken + part)), (0, self.at))
            taken, self.at = taken + part, self.at + part
            if self.at == band.height:
                self.remaining -= band.height
                self.held, self.at = None, 0
                yield band

    def _band(self, like: "Image") -> "Image":
        from PIL import Image

        if self.held is None:
            self.held = Image.new(like.mode, (like.width, min(self.rows, self.remaining)))
        return self.held


def _parts(coded: bytes) -> tuple[bytes, bytes]:
    """A JPEG's head (to the end of its SOS segment) and its scan without EOI."""
    at = 2
    while coded[at : at + 2] != b"\xff\xda":
        at += 2 + int.from_bytes(coded[at + 2 : at + 4], "big")
    at += 2 + int.from_bytes(coded[at + 2 : at + 4], "big")
    return coded[:at], coded[at:-2]


class WebpFile:
    """WebP, whole: its coder takes no strips."""

    def __init__(self, path: Path, shape: Shape, quality: int) -> None:
        from PIL import Image

        self.path, self.quality, self.at = path, quality, 0
        self.whole = Image.new("RGBA" if shape.mode == "rgba" else "RGB", (shape.width, shape.height), "white")

    def add(self, strip: Strip) -> None:
        """Append rows."""
        rows = strip.picture()
        self.whole.paste(rows if rows.mode == self.whole.mode else rows.convert("RGB"), (0, self.at))
        self.at += rows.height

    def done(self) -> None:
        self.whole.save(self.path, "WEBP", quality=self.quality, method=2)


class TiffFile:
    """TIFF of one or many pages: Deflate strips, CCITT G4 for 1 bit."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("wb")
        self.file.write(b"II*\0\0\0\0\0")
        self.link = 4
        self.shape: Shape | None = None

    def begin(self, shape: Shape, dpi: float) -> None:
        """Start a page; the one before ends."""
        self._finish()
        self.shape, self.dpi = shape, dpi
        self.strips: list[tuple[int, int]] = []
        self.rows = max(1, min(shape.height, _TIFF_PIXELS // shape.width))
        self.bands = _Bands(self.rows, shape.height)

    def add(self, strip: Strip) -> None:
        """Append rows; TIFF wants strips of one height."""
        for band in self.bands.cut(strip.picture()):
            coded = (
                _group4(band)
                if strip.bits is not None
                else zlib.compress(band.tobytes("raw", "RGB") if band.mode == "RGBX" else band.tobytes(), 1)
            )
            self.strips.append((self.file.tell(), len(coded)))
            self.file.write(coded + b"\0" * (len(coded) % 2))

    def done(self) -> None:
        self._finish()
        self.file.close()

    def _finish(self) -> None:
        """Write the page's directory and point the one before to it."""
        if self.shape is None:
            return
        entries, extra = self._directory(self.shape), b""
        at = self.file.tell()
        body_at = at + 2 + 12 * len(entries) + 4
        packed = b""
        for tag, kind, values in entries:
            data = b"".join(struct.pack("<" + {3: "H", 4: "I", 5: "II"}[kind], *value) for value in values)
            if len(data) <= 4:
                field = data.ljust(4, b"\0")
            else:
                field = struct.pack("<I", body_at + len(extra))
                extra += data + b"\0" * (len(data) % 2)
            packed += struct.pack("<HHI", tag, kind, len(values)) + field
        self.file.write(struct.pack("<H", len(entries)) + packed + b"\0\0\0\0" + extra)
        end = self.file.tell()
        self.file.seek(self.link)
        self.file.write(struct.pack("<I", at))
        self.file.seek(end)
        self.link, self.shape = at + 2 + 12 * len(entries), None

    def _directory(self, shape: Shape) -> list[tuple[int, int, list[tuple[int, ...]]]]:
        bands, bit = BANDS[shape.mode], shape.mode == "bit"
        resolution = (round(self.dpi * 100), 100)
        entries: list[tuple[int, int, list[tuple[int, ...]]]] = [
            (256, 4, [(shape.width,)]),
            (257, 4, [(shape.height,)]),
            (258, 3, [(1 if bit else 8,)] * bands),
            (259, 3, [(4 if bit else 8,)]),
            (262, 3, [({"rgb": 2, "rgba": 2, "grey": 1, "bit": 0}[shape.mode],)]),
            (273, 4, [(at,) for at, _ in self.strips]),
            (277, 3, [(bands,)]),
            (278, 4, [(self.rows,)]),
            (279, 4, [(size,) for _, size in self.strips]),
            (282, 5, [resolution]),
            (283, 5, [resolution]),
            (296, 3, [(2,)]),
        ]
        return [*entries, (338, 3, [(2,)])] if shape.mode == "rgba" else entries


def _group4(bits: "Image") -> bytes:
    """The rows as CCITT G4 (0 is white), by libtiff through Pillow."""
    from PIL import Image, ImageChops

    coded = io.BytesIO()
    # Fax coding calls 1 black, Pillow calls it white.
    ImageChops.invert(bits).save(coded, "TIFF", compression="group4", strip_size=1 << 30)
    with Image.open(coded) as again:
        tags = again.tag_v2  # type: ignore[attr-defined]
        (at,), (size,) = tags[273], tags[279]
    return coded.getvalue()[at : at + size]
