"""What LibreOffice draws of documents, and how alike it is to the pages they were made of."""

import contextlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

from PIL import ImageOps

from tests import look
from tests.bench.side_by_side import seconds_left
from tests.bench.word import peers

#: Files that one LibreOffice draws, and the seconds it has for each.
_TOGETHER, _PATIENCE = 6, 30


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
    """SSIM in grey of a page, put whole in the middle of a slide's size, and the slide."""
    b = look.render(drawn, slide).convert("L")
    a = ImageOps.pad(look.render(page_of, page).convert("L"), b.size, color=255)
    return look.ssim(a.convert("RGB"), b.convert("RGB"))
