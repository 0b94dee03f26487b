"""Compress beside Ghostscript: time on the same files, and, with `quality`, what a corpus becomes.

python -m tests.bench compress                       time and memory
python -m tests.bench.bench_compress quality [n [pictures|text]]   size, looks and text over the real files
"""

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.bench.side_by_side import ROOT, Row, ours, side_by_side
from tests.running import run_tool

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", ROOT.parent / "shared" / "corpus"))
FLOORS = {"light": 0.9999, "standard": 0.98, "strong": 0.95}
#: Pages rendered of each file; the text of all is read.
_RENDERED = 8
_TIMED = 3


@dataclass(frozen=True)
class Outcome:
    """One file after one method."""

    name: str
    ratio: float
    likeness: float
    text_kept: bool


def rows() -> list[Row]:
    """Seconds and memory beside Ghostscript /ebook, whole processes and a fork of a warm one."""
    pictures, texts = chosen(CORPUS, 30)
    folder = Path(tempfile.mkdtemp(prefix="bench-compress-"))
    made: list[Row] = []
    for kind, files in (("pictures", pictures[:_TIMED]), ("text", texts[:_TIMED])):
        for path in files:
            peer = ghostscript(path, folder / "peer.pdf")
            for warm in (False, True):
                mine = ours("compress", [path], folder / "ours", warm=warm, level="standard")
                work = f"compress {kind}: {path.name}"
                made.append(side_by_side(work, mine, "gs /ebook", peer, note="warm fork" if warm else ""))
    return made


def ghostscript(path: Path, out: Path) -> list[str]:
    """The peer's command."""
    return [
        "gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook",
        f"-sOutputFile={out}", str(path),
    ]  # fmt: skip


def chosen(corpus: Path, count: int) -> tuple[list[Path], list[Path]]:
    """The `count` files with the most picture bytes (40 % of the file at least), and the largest with under 5 %."""
    weighed = [each for path in sorted(corpus.rglob("*.pdf")) if (each := _shares(path)) is not None]
    pictures = sorted((each for each in weighed if each[0] >= 0.4), key=lambda each: -each[0] * each[1])
    texts = sorted((each for each in weighed if each[0] < 0.05), key=lambda each: -each[1])
    return [path for _, _, path in pictures[:count]], [path for _, _, path in texts[:count]]


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
        return Outcome(path.name, ratio, _likeness(path, made), _words(path) == _words(made))


def _by_us(path: Path, folder: Path, level: str) -> Path | None:
    ran = run_tool("compress", folder, [path], level=level)
    return ran.outputs[0].path if ran.problem is None else None


def _by_peer(path: Path, folder: Path) -> Path | None:
    out = folder / "peer.pdf"
    done = subprocess.run(ghostscript(path, out), capture_output=True)
    return out if done.returncode == 0 and out.exists() else None


def _likeness(before: Path, after: Path) -> float:
    import numpy as np
    import pypdfium2
    from skimage.metrics import structural_similarity

    one, other = pypdfium2.PdfDocument(before), pypdfium2.PdfDocument(after)
    count = len(one)
    if len(other) != count:
        return 0.0
    found = []
    for number in sorted({round(step * (count - 1) / (_RENDERED - 1)) for step in range(_RENDERED)}):
        scale = min(100 / 72, 2200 / max(one[number].get_size()))
        pages = [each[number].render(scale=scale, grayscale=True).to_numpy().squeeze() for each in (one, other)]
        if pages[0].shape != pages[1].shape:
            return 0.0
        if min(pages[0].shape) >= 8:
            found.append(float(structural_similarity(*(np.ascontiguousarray(page) for page in pages), data_range=255)))
    return sum(found) / max(1, len(found))


def _words(path: Path) -> list[list[str]]:
    from cluster.engines.pdf.libraries import import_pymupdf

    with import_pymupdf().open(path) as document:
        return [page.get_text().split() for page in document]


if __name__ == "__main__":
    for line in quality(int(sys.argv[2]) if len(sys.argv) > 2 else 30, "".join(sys.argv[3:])):
        print(line, flush=True)
