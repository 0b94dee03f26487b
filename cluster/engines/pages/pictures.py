"""Pictures as pages of a PDF: JPEG bytes as they are, photographs of other formats as JPEG, all else without loss.

    for frame in picture_pages(source, [1]):
        width, height = frame.write(sink, number, parent)

A page is as large as its picture at the picture's own resolution, and at most A4 unless a scanner said that
resolution: photographs say 72 dpi and would be posters. EXIF orientation is honoured by the drawing matrix.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cluster.engines.pages.mount import BARE, Placed
from cluster.engines.pdf.open import check_pages
from cluster.engines.pdf.sink import Sink
from cluster.engines.pictures.open import frames, load, unjudged
from cluster.engines.pictures.photograph import heic, jpeg, webp
from cluster.engines.pictures.rows import Samples, decoded, png_samples
from cluster.engines.pictures.webp import CUT
from cluster.files import Source
from cluster.kinds import HEIC, JPG, PNG, TIFF, WEBP
from cluster.paper import A4
from cluster.problem import LimitProblem

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

_DPI = 96.0
#: Dots an inch that a scanner tells; what is below is no resolution but a habit.
_SCANNED = 150
#: Points that a page's side can have for every reader.
_LONGEST = 14_400.0
_MOST_PIXELS = 100_000_000
#: A JPEG is not decoded here; telephones take 200 megapixels, and readers of the result must live with them.
_MOST_STORED = 300_000_000
_ORIENTATION, _WRITTEN, _EXIF, _EXPOSURE, _TAKEN = 0x0112, 0x0132, 0x8769, 0x829A, 0x9003
_SPACES = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK"}
#: Orientation -> where the picture's unit square goes on a page of 1 by 1: a b c d e f.
_MATRICES = {
    1: (1, 0, 0, 1, 0, 0),
    2: (-1, 0, 0, 1, 1, 0),
    3: (-1, 0, 0, -1, 1, 1),
    4: (1, 0, 0, -1, 0, 1),
    5: (0, -1, -1, 0, 1, 1),
    6: (0, -1, 1, 0, 0, 1),
    7: (0, 1, 1, 0, 0, 0),
    8: (0, 1, -1, 0, 1, 0),
}
#: Orientations as quarter turns clockwise after a mirror: (mirrored, turns).
_TURNS = {1: (0, 0), 6: (0, 1), 3: (0, 2), 8: (0, 3), 2: (1, 0), 7: (1, 1), 4: (1, 2), 5: (1, 3)}
_NUMBERS = {turns: number for number, turns in _TURNS.items()}


@dataclass
class Frame:
    """A picture ready to become a page; sizes in pixels as stored.

    trusted: its resolution is a scanner's. moving: more pictures follow it, of which it is the first.
    """

    width: int
    height: int
    samples: Samples
    orientation: int = 1
    dpi: tuple[float, float] = (_DPI, _DPI)
    profile: bytes | None = None
    trusted: bool = False
    moving: bool = False

    def turned(self, degrees: int) -> "Frame":
        """The same, turned clockwise by quarters."""
        mirrored, turns = _TURNS[self.orientation]
        return replace(self, orientation=_NUMBERS[mirrored, (turns + degrees // 90) % 4])

    def size(self) -> tuple[float, float]:
        """The page in points: upright, at most A4 in the picture's direction where its resolution is not trusted."""
        width, height = self.width * 72 / self.dpi[0], self.height * 72 / self.dpi[1]
        if self.orientation >= 5:
            width, height = height, width
        most = A4 if width <= height else A4[::-1]
        if self.trusted:
            most = (_LONGEST, _LONGEST)
        fit = min(1.0, most[0] / width, most[1] / height)
        return max(width * fit, 3.0), max(height * fit, 3.0)

    def write(self, sink: Sink, number: int, parent: int, placed: Placed | None = None) -> tuple[float, float]:
        """Write the page under `number`, the picture as it is `placed`; returns the page's size."""
        on = placed or BARE.placed(self.size())
        image = self._image(sink, self.samples, self._space(sink))
        contents = sink.add_stream(b"", self._drawn(on))
        text = b"/Type /Page /Parent %d 0 R /MediaBox [ 0 0 %.3f %.3f ]" % (parent, on.width, on.height)
        text += b" /Contents %d 0 R /Resources << /XObject << /Im %d 0 R >> >>" % (contents, image)
        sink.put(number, b"<< %b >>" % text)
        return on.width, on.height

    def _drawn(self, on: Placed) -> bytes:
        a, b, c, d, e, f = _MATRICES[self.orientation]
        wide, high = on.across, on.up
        matrix = (a * wide, b * high, c * wide, d * high, on.x + e * wide, on.y + f * high)
        room = (on.cut, on.cut, on.width - 2 * on.cut, on.height - 2 * on.cut)
        cut = b"%b re W n " % _operands(room) if on.cut else b""
        return b"q %b%b cm /Im Do Q" % (cut, _operands(matrix))

    def _image(self, sink: Sink, samples: Samples, space: bytes) -> int:
        text = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %b" % (self.width, self.height, space)
        if samples.mask:
            text += b" /SMask %d 0 R" % self._image(sink, samples.mask, b"/DeviceGray")
        return sink.add_stream(text + b" " + samples.entries, samples.data)

    def _space(self, sink: Sink) -> bytes:
        base = _SPACES[self.samples.bands]
        if self.profile and _bands_of(self.profile) == self.samples.bands:
            entries = b"/N %d /Alternate %b" % (self.samples.bands, base)
            base = b"[ /ICCBased %d 0 R ]" % sink.add_stream(entries, self.profile)
        if self.samples.palette is None:
            return base
        return b"[ /Indexed %b %d <%b> ]" % (
            base,
            len(self.samples.palette) // 3 - 1,
            self.samples.palette.hex().encode(),
        )


def count_frames(source: Source, limit: int) -> int:
    """Pages the file makes: all of a TIFF, the first frame of anything else. Raises too_many_pages over `limit`."""
    if source.kind is not TIFF:
        return 1
    with unjudged(source) as image:
        count, _ = frames(image, limit)
    check_pages(source, count, limit)
    return count


def taken(source: Source) -> str:
    """When the picture was taken, `2024:05:01 12:00:00`; empty where it does not say."""
    with unjudged(source) as image:
        exif = image.getexif()
        return str(exif.get_ifd(_EXIF).get(_TAKEN) or exif.get(_WRITTEN) or "")


def picture_pages(source: Source, numbers: Sequence[int]) -> Iterator[Frame]:
    """The frames with these numbers (from 1), each read when it is asked for."""
    with unjudged(source) as image:
        for number in numbers:
            if source.kind is TIFF:
                image.seek(number - 1)
            if source.kind is not JPG:
                _bound(source, image, _MOST_PIXELS)
            frame = _frame(source, image)
            if source.kind is TIFF and number == numbers[-1]:
                frame.samples.cut |= frames(image, number)[1]
            yield frame


def _bound(source: Source, image: "Image", most: int) -> None:
    if image.width * image.height > most:
        raise LimitProblem("too_large_when_opened", file=source.name)


def _frame(source: Source, image: "ImageFile") -> Frame:
    samples, exif = _samples(source, image), _exif(source, image)
    orientation = exif.get(_ORIENTATION, 1)
    dpi = _resolution(image)
    return Frame(
        image.width,
        image.height,
        samples,
        orientation if orientation in _MATRICES else 1,
        dpi,
        image.info.get("icc_profile"),
        # Cameras write 180, 240 or 300 dpi, and mean nothing by it.
        trusted=min(dpi) >= _SCANNED and _EXPOSURE not in exif.get_ifd(_EXIF),
        moving=source.kind not in (TIFF, JPG, HEIC) and bool(getattr(image, "is_animated", False)),
    )


def _exif(source: Source, image: "Image") -> Any:
    """What the camera says. Pillow decodes a PNG whole to look for it at the end, so it is looked for first."""
    from PIL import Image

    if source.kind is PNG and b"eXIf" not in source.path.read_bytes():
        return Image.Exif()
    return image.getexif()


def _samples(source: Source, image: "ImageFile") -> Samples:
    if source.kind is JPG:
        own = jpeg(source.path, image)
        _bound(source, image, _MOST_STORED if own else _MOST_PIXELS)
        return own or _decoded(image)
    if source.kind is HEIC:
        return heic(image)
    if source.kind is WEBP and getattr(image, "n_frames", 1) == 1 and CUT not in image.info:
        return webp(source.path, source.name)
    own = png_samples(memoryview(source.path.read_bytes())) if source.kind is PNG else None
    return own or _decoded(image)


def _decoded(image: "ImageFile") -> Samples:
    cut = load(image)
    return replace(decoded(image), cut=cut)


def _resolution(image: "Image") -> tuple[float, float]:
    try:
        across, down = (float(value) for value in image.info.get("dpi", (_DPI, _DPI)))
    except (TypeError, ValueError, ZeroDivisionError):
        return _DPI, _DPI
    return (across, down) if 20 <= across <= 4800 and 20 <= down <= 4800 else (_DPI, _DPI)


def _operands(numbers: Sequence[float]) -> bytes:
    return b" ".join(b"%.3f" % value for value in numbers)


def _bands_of(profile: bytes) -> int:
    return {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4}.get(profile[16:20], 0)
