"""PDF to Word beside pdf2docx and LibreOffice's import, over docx of others that were drawn as PDFs: time and truth.

Each converter turns each PDF into Word once; the result is compared with the docx and drawn again. The documents are
pairs of equal names, `x.docx` and `x.pdf`, in the folder PAPERCRANE_BENCH_WORD (../shared/corpus/word).
"""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests import look
from tests.bench.side_by_side import ROOT, Command, Row, Spent, ours, run
from tests.bench.word import drawn, measures, peers, written

_FOLDER = Path(os.environ.get("PAPERCRANE_BENCH_WORD", ROOT / "../shared/corpus/word"))


@dataclass
class _Side:
    """A converter: what it spent in all, and how its results compare."""

    name: str
    spent: list[Spent] = field(default_factory=list)
    files: list[measures.Compared] = field(default_factory=list)


def rows() -> Iterator[Row]:
    pdfs = sorted(path for path in _FOLDER.glob("*.pdf") if path.with_suffix(".docx").exists())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = {key: _Side(key) for key in ("flow", "exact", "pdf2docx", "LibreOffice import")}
        for side in sides.values() if pdfs else ():
            _convert(side, pdfs, folder / side.name)
        for mine in ("flow", "exact") if pdfs else ():
            for peer in ("pdf2docx", "LibreOffice import"):
                yield _row(sides[mine], sides[peer])


def _row(mine: _Side, peer: _Side) -> Row:
    (seconds, cpu), (theirs, their_cpu) = (
        (sum(each.seconds for each in side.spent), sum(each.cpu for each in side.spent)) for side in (mine, peer)
    )
    peaks = [max(each.mb for each in side.spent) for side in (mine, peer)]
    note = f"ours: {measures.told(mine.files)}; {peer.name}: {measures.told(peer.files)}"
    work = f"PDF to Word, {mine.name}, {len(mine.files)} documents"
    return Row(work, seconds, peer.name, theirs, seconds / theirs, *peaks, note, cpu, their_cpu)


def _convert(side: _Side, pdfs: list[Path], folder: Path) -> None:
    folder.mkdir()
    made = []
    for pdf in pdfs:
        # A converter that fails has made nothing; what it spent is not counted.
        with contextlib.suppress(RuntimeError):
            side.spent.append(run(_command(side.name, pdf, folder)))
        found = next(folder.glob(f"{pdf.stem}.docx"), None) or next((folder / pdf.stem).rglob("*.docx"), None)
        made.append(found.rename(folder / f"{pdf.stem}.docx") if found else None)
    drawn.draw([each for each in made if each], folder)
    side.files = [_compared(pdf, folder / f"{pdf.stem}.docx") for pdf in pdfs]


def _command(name: str, pdf: Path, folder: Path) -> Command:
    if name in ("flow", "exact"):
        return ours("pdf_to_word", [pdf], folder / pdf.stem, layout=name)
    if name == "pdf2docx":
        return [sys.executable, "-m", "tests.bench.word.peers", name, pdf, folder / f"{pdf.stem}.docx"]
    return peers.libreoffice(pdf, folder, folder / "profile")


def _compared(pdf: Path, docx: Path) -> measures.Compared:
    if not docx.exists():
        return measures.Compared()
    found = measures.compare(written.read(pdf.with_suffix(".docx")), written.read(docx))
    back = docx.with_suffix(".pdf")
    if back.exists():
        found.pages = look.page_count(pdf), look.page_count(back)
        found.ssim = sum(drawn.alike(pdf, page, back) for page in range(1, min(found.pages) + 1)) / max(found.pages)
    return found
