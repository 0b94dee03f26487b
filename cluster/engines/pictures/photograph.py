"""Photographs as a PDF holds them: a JPEG's own bytes; what was lossy in another format as a fine JPEG.

Without loss the photograph of a telephone (HEIC, 2 MB) would be 25 MB, to keep the noise of its coder.
"""

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pictures.rows import Samples, alpha_of, array_samples, decoded, grey_rows
from cluster.problem import InputProblem

if TYPE_CHECKING:
    from PIL.Image import Image

#: A JPEG tells of each block of 8 by 8 with a bit at least.
_BLOCK = 8
_JPEG = b"/BitsPerComponent 8 /Filter /DCTDecode"
#: At this quality nobody finds a difference, side by side.
_FINE = 93
#: The longest side of a JPEG.
_LONGEST = 65_500
#: Ways of coding that PDF readers know: baseline, extended and progressive, all by Huffman.
_KNOWN = (0xC0, 0xC1, 0xC2)
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_START, _SCAN, _END = 0xD8, 0xDA, 0xD9
#: A marker among coded samples, which is neither a stuffed FF nor a restart. Beginning with one letter it is looked for
#: fast, and a run of FF, which may come before a marker, is passed over but once.
_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")


def jpeg(path: Path, image: "Image") -> Samples | None:
    """The file's own bytes, without what follows the picture (a telephone's film, a second picture).

    None where PDF readers do not know its coding. Raises ValueError for more pixels than there can be data.
    """
    if -(-image.width // _BLOCK) * -(-image.height // _BLOCK) > 8 * path.stat().st_size:
        raise ValueError("more pixels than data")
    data = path.read_bytes()
    coding, end = coded(data)
    if coding not in _KNOWN:
        return None
    bands = len(image.getbands())
    # Adobe writes CMYK inverted and says nothing of it but its name.
    turned = b" /Decode [ 1 0 1 0 1 0 1 0 ]" if bands == 4 and "adobe" in image.info else b""
    return Samples(_JPEG + turned, data[:end], bands, cut=not data.endswith(bytes((0xFF, _END)), 0, end))


def coded(data: bytes) -> tuple[int, int]:
    """How a JPEG is coded (the number of its frame's marker, 0 when it has none), and where it ends."""
    coding, at = 0, 2
    while (found := _MARKER.search(data, at)) is not None:
        marker = found[1][0]
        if marker == _END:
            return coding, found.end()
        if marker in _FRAMES:
            coding = coding or marker
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")
    return coding, len(data)


def heic(image: "Image") -> Samples:
    """An open HEIC picture."""
    if max(image.size) > _LONGEST:
        return decoded(image)
    held = io.BytesIO()
    image.convert("L" if image.mode in ("L", "LA") else "RGB").save(held, "JPEG", quality=_FINE, subsampling=2)
    mask = alpha_of(image) if "A" in image.getbands() else None
    return Samples(_JPEG, held.getvalue(), 1 if image.mode in ("L", "LA") else 3, mask=mask)


def webp(path: Path, name: str) -> Samples:
    """The samples of a WebP of one frame: OpenCV decodes it in a fourth of the memory that Pillow takes."""
    import cv2

    pixels: Any = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise InputProblem("damaged_file", file=name)
    if not _is_lossy(path):
        return array_samples(pixels)
    made, data = cv2.imencode(".jpg", pixels[..., :3], [cv2.IMWRITE_JPEG_QUALITY, _FINE])
    if not made:
        raise InputProblem("damaged_file", file=name)
    mask = grey_rows(pixels[..., 3]) if pixels.shape[2] == 4 else None
    return Samples(_JPEG, data.tobytes(), 3, mask=mask)


def _is_lossy(path: Path) -> bool:
    """Whether the picture's chunk is VP8 and not VP8L; it follows those of its profile and its alpha."""
    with path.open("rb") as stream:
        stream.seek(12)
        while len(head := stream.read(8)) == 8:
            if head.startswith(b"VP8") and head[3:4] != b"X":
                return head.startswith(b"VP8 ")
            size = int.from_bytes(head[4:], "little")
            stream.seek(size + size % 2, 1)
    return False
