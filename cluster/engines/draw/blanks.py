"""Find blank pages by looking at them: ink that stands out from the paper, at low resolution."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Sensitivity -> (share of the page that may be inked, share of each edge that is not looked at).
_SENSITIVITY = {"strict": (0.0, 0.0), "normal": (0.0004, 0.02), "tolerant": (0.004, 0.06)}
_PIXELS = 300
#: So much darker than the paper is ink; scanned paper is neither white nor even.
_CONTRAST = 40


def blank_pages(path: Path, sensitivity: str, told: Callable[[int, int], None]) -> list[int]:
    """Positions of the blank pages of the unlocked PDF at `path`; `told(done, total)` after each page."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        blank = []
        for at in range(len(document)):
            if _is_blank(document[at], *_SENSITIVITY[sensitivity]):
                blank.append(at)
            told(at + 1, len(document))
        return blank
    finally:
        document.close()


def _is_blank(page: Any, allowed: float, edge: float) -> bool:
    import numpy

    width, height = page.get_size()
    scale = _PIXELS / max(width, height, 1)
    pixels = page.render(scale=scale, grayscale=True).to_numpy().reshape(-1)
    page.close()
    rows = max(1, round(height * scale))
    grey = pixels[: len(pixels) // rows * rows].reshape(rows, -1).astype(numpy.int16)
    top, side = round(grey.shape[0] * edge), round(grey.shape[1] * edge)
    seen = grey[top : grey.shape[0] - top or None, side : grey.shape[1] - side or None]
    if allowed == 0.0:
        return bool((seen >= 250).all())
    return float((seen < numpy.median(seen) - _CONTRAST).mean()) <= allowed
