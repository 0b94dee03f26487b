"""What LibreOffice draws of documents, and how alike it is to the pages they were made of."""

import contextlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from tests import look
from tests.bench.side_by_side import seconds_left
from tests.bench.word import peers

#: Files that one LibreOffice draws, and the seconds it has for each.
_TOGETHER, _PATIENCE = 6, 30
#: Pixels that are reduced to one, across and down; and how much a page's size may differ by being rounded.
_FINE, _ROUNDED = 3, 0.003


def draw(files: Sequence[Path], folder: Path) -> None:
    """As PDFs beside them; what one LibreOffice could not draw together with others is tried again alone."""
    for together in (_TOGETHER, 1):
        rest = [each for each in files if not each.with_suffix(".pdf").exists()]
        for at in range(0, len(rest), together):
            command = peers.drawing(rest[at : at + together], folder, folder / "profile")
            limit = min(_PATIENCE * together, seconds_left("drawing"))
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit)


def alike(page_of: Path, page: int, drawn: Path) -> float:
    """SSIM in grey of a page and the same page of what was drawn; 0 where it has another shape."""
    a, b = (look.render(path, page).convert("L") for path in (page_of, drawn))
    if any(abs(x - y) > 4 for x, y in zip(a.size, b.size, strict=True)):
        return 0.0
    return look.ssim(a.convert("RGB"), b.resize(a.size).convert("RGB"))


def alike_on_slide(page_of: Path, page: int, drawn: Path, slide: int) -> float:
    """SSIM in grey, at 96 dpi, of a page that lies whole in the middle of a slide's size, and the slide.

    Both are drawn with 3 x 3 pixels for one, and reduced: how an edge falls on the grid of pixels is not measured.
    """
    a, b = (look.render(*each, 96 * _FINE).convert("L") for each in ((page_of, page), (drawn, slide)))
    scale = min(b.width / a.width, b.height / a.height)
    if abs(scale - 1) > _ROUNDED:
        a = look.render(page_of, page, 96 * _FINE * scale).convert("L")
    ground = Image.new("L", b.size, 255)
    ground.paste(a, ((b.width - a.width) // 2, (b.height - a.height) // 2))
    return look.ssim(*(each.reduce(_FINE).convert("RGB") for each in (ground, b)))
