"""What the bytes of a PDF are: pictures, fonts and the rest."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pikepdf

_FONT_FILES = ("/FontFile", "/FontFile2", "/FontFile3")


@dataclass(frozen=True)
class Weight:
    """Bytes as they lie in the file."""

    images: int
    fonts: int
    other: int


def weigh(pdf: "pikepdf.Pdf", size: int) -> Weight:
    """The parts of a file of `size` bytes; `other` is what is neither picture nor font."""
    import pikepdf

    images = fonts = 0
    font_files = set()
    streams: list[Any] = []
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream):
            streams.append(each)
        elif isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/FontDescriptor":
            font_files |= {each[key].objgen for key in _FONT_FILES if isinstance(each.get(key), pikepdf.Stream)}
    for stream in streams:
        length = _length(stream)
        if stream.get("/Subtype") == "/Image":
            images += length
        elif stream.objgen in font_files:
            fonts += length
    return Weight(images, fonts, max(0, size - images - fonts))


def _length(stream: Any) -> int:
    try:
        return int(stream.get("/Length", 0))
    except (TypeError, ValueError):
        return 0
