"""Compress beside Ghostscript: time and memory on the same files, and what a corpus becomes at each level.

python -m tests.bench compress                       time and memory; the note tells both sizes
python -m tests.bench.bench_compress quality [n [pictures|text]]   size, looks and text over the real files

Looks are SSIM of pages: of light in colour at 150 dpi, the worst page; of the others in gray at 100 dpi, the mean.
The corpus's files on which tools once failed are left out: traps take any program long.
"""

import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from tests.bench.side_by_side import ROOT, Row, ours, side_by_side, two_slots
from tests.running import run_tool

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", ROOT.parent / "shared" / "corpus"))
FLOORS = {"light": 0.999, "standard": 0.98, "strong": 0.95}
#: Pages rendered of each file; the text of all is read.
_RENDERED = 8
_TIMED = 5
#: Files made to be hard.
_TRAPS = "found"


@dataclass(frozen=True)
class Outcome:
    """One file after one method."""

    name: str
    ratio: float
    likeness: float
    text_kept: bool


def rows() -> Iterator[Row]:
    """Seconds and memory beside Ghostscript /ebook: a fork of a warm process, as in service."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder, (pictures, texts) = Path(name), chosen(CORPUS, _TIMED)
        for path in (each for pair in zip(pictures, texts, strict=True) for each in pair):
            peer = ghostscript(path, folder / "peer.pdf")
            mine = ours("compress", [path], folder / "ours", warm=True, level="standard")
            row = side_by_side(f"compress {path.name}", mine, "gs /ebook", peer, times=3)
            made = ((folder / "ours/0/0/out/0.pdf"), folder / "peer.pdf")
            sizes = " : ".join(f"{each.stat().st_size / path.stat().st_size:.3f}" for each in made)
            found.append(replace(row, note=f"warm; size {sizes}"))
            yield found[-1]
    yield _median(found)
    path = pictures[0]
    yield two_slots("compress", [path, path], level="standard")


def _median(rows: Sequence[Row]) -> Row:
    """The row whose times are medians, and whose ratios are the medians of ratios."""
    wall, cpu = (statistics.median(each) for each in ([row.ratio for row in rows], [row.cpu_ratio for row in rows]))
    mine, theirs = (statistics.median(getattr(row, f"{side}_seconds") for row in rows) for side in ("ours", "peer"))
    note = f"CPU {cpu:.2f}"
    return Row(f"compress, median of {len(rows)}", mine, "gs /ebook", theirs, wall, 0, 0, note)


def ghostscript(path: Path, out: Path) -> list[str]:
    """The peer's command."""
    return [
        "gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook",
        f"-sOutputFile={out}", str(path),
    ]  # fmt: skip


def chosen(corpus: Path, count: int) -> tuple[list[Path], list[Path]]:
    """The `count` files with the most picture bytes (40 % of the file at least), and the largest with under 5 %."""
    weighed = [each for path in _ordinary(corpus) if (each := _shares(path)) is not None]
    pictures = sorted((each for each in weighed if each[0] >= 0.4), key=lambda each: -each[0] * each[1])
    texts = sorted((each for each in weighed if each[0] < 0.05), key=lambda each: -each[1])
    return [path for _, _, path in pictures[:count]], [path for _, _, path in texts[:count]]


def _ordinary(corpus: Path) -> Iterator[Path]:
    return (path for path in sorted(corpus.rglob("*.pdf")) if path.relative_to(corpus).parts[0] != _TRAPS)


def _shares(path: Path) -> tuple[float, int, Path] | None:
    import pikepdf

    from cluster.engines.pdf.weight import weigh

    size = path.stat().st_size
    try:
        with pikepdf.open(path) as pdf:
            if pdf.is_encrypted or size < 20_000:
                return None
            return weigh(pdf, size).images / size, size, path
    except (pikepdf.PdfError, pikepdf.PasswordError, RuntimeError):
        return None


def quality(count: int, only: str = "") -> Iterator[str]:
    """Markdown lines: geometric mean of sizes, files enlarged, below the floor, with lost text."""
    yield "| files | method | size | enlarged | below floor | text lost | failed |\n|---|---|---|---|---|---|---|"
    for kind, files in zip(("pictures", "text"), chosen(CORPUS, count), strict=True):
        if only and kind != only:
            continue
        for method in (*FLOORS, "gs"):
            with ProcessPoolExecutor(2) as pool:
                done = list(pool.map(outcome, files, [method] * len(files)))
            yield _summary(kind, method, done)


def _summary(kind: str, method: str, done: Sequence[Outcome | None]) -> str:
    good = [each for each in done if each is not None]
    mean = math.exp(sum(math.log(each.ratio) for each in good) / len(good))
    enlarged = sum(each.ratio > 1 for each in good)
    below = sum(each.likeness < FLOORS.get(method, 0.98) for each in good)
    lost = sum(not each.text_kept for each in good)
    return f"| {len(done)} {kind} | {method} | {mean:.3f} | {enlarged} | {below} | {lost} | {len(done) - len(good)} |"


def outcome(path: Path, method: str) -> Outcome | None:
    """Size, mean SSIM at 100 dpi and text of `path` after `method`; None when it failed."""
    with tempfile.TemporaryDirectory() as name:
        made = _by_peer(path, Path(name)) if method == "gs" else _by_us(path, Path(name), method)
        if made is None:
            return None
        ratio = made.stat().st_size / path.stat().st_size
        likeness = _likeness_in_colour(path, made) if method == "light" else _likeness(path, made)
        return Outcome(path.name, ratio, likeness, _words(path) == _words(made))


def _by_us(path: Path, folder: Path, level: str) -> Path | None:
    ran = run_tool("compress", folder, [path], level=level)
    return ran.outputs[0].path if ran.problem is None else None


def _by_peer(path: Path, folder: Path) -> Path | None:
    out = folder / "peer.pdf"
    done = subprocess.run(ghostscript(path, out), capture_output=True)
    return out if done.returncode == 0 and out.exists() else None


def _likeness(before: Path, after: Path) -> float:
    """The mean of the pages' SSIM in gray at 100 dpi."""
    found = list(_page_likenesses(before, after, 100, grayscale=True))
    return sum(found) / max(1, len(found))


def _likeness_in_colour(before: Path, after: Path) -> float:
    """The worst page's SSIM in colour at 150 dpi."""
    return min(_page_likenesses(before, after, 150, grayscale=False), default=1.0)


def _page_likenesses(before: Path, after: Path, dpi: int, *, grayscale: bool) -> Iterator[float]:
    import numpy as np
    import pypdfium2
    from skimage.metrics import structural_similarity

    one, other = pypdfium2.PdfDocument(before), pypdfium2.PdfDocument(after)
    count = len(one)
    for number in sorted({round(step * (count - 1) / (_RENDERED - 1)) for step in range(_RENDERED)}):
        scale = min(dpi / 72, dpi * 22 / max(one[number].get_size()))
        pages = [each[number].render(scale=scale, grayscale=grayscale).to_numpy().squeeze() for each in (one, other)]
        if len(other) != count or pages[0].shape != pages[1].shape:
            yield 0.0
        elif min(pages[0].shape[:2]) >= 8:
            channel = None if grayscale else 2
            arrays = (np.ascontiguousarray(page) for page in pages)
            yield float(structural_similarity(*arrays, data_range=255, channel_axis=channel))


def _words(path: Path) -> list[list[str]]:
    from cluster.engines.pdf.libraries import import_pymupdf

    with import_pymupdf().open(path) as document:
        return [page.get_text().split() for page in document]


if __name__ == "__main__":
    for line in quality(int(sys.argv[2]) if len(sys.argv) > 2 else 30, "".join(sys.argv[3:])):
        print(line, flush=True)
