"""PDF to PPT, and to Word like the page, over PDFs of others: how alike the results are, and the CPU of a page.

The files stand in the folder PAPERCRANE_BENCH_LIKENESS (../shared/corpus). Of each the first pages are taken; their
text is read as it is stored (OCR off), so that no engine is needed. PDFium draws the page and LibreOffice's
slide of it, both at 288 dpi, reduced to 96, in grey: how edges fall on the grid of pixels is not measured.
PAPERCRANE_BENCH_EACH=1 tells the likeness of every page.
"""

import contextlib
import os
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import look
from tests.bench.side_by_side import ROOT, Row, Spent, ours, run
from tests.bench.word import drawn

_FOLDER = Path(os.environ.get("PAPERCRANE_BENCH_LIKENESS", ROOT / "../shared/corpus"))
#: A tool with its option, and what the median page's SSIM has to reach.
GOALS = {
    ("pdf_to_ppt", "mode", "editable"): 0.90,
    ("pdf_to_ppt", "mode", "exact"): 0.98,
    ("pdf_to_word", "layout", "exact"): 0.90,
}
#: Pages of a file that are taken.
_PAGES = 3
_FILES = """
    camelot/tests/files/*: anticlockwise_table_2 background_lines_1 birdisland budget diesel_engines foo good_energy
        mexican_towns row_span_3 superscript vertical_header
    camelot/tests/files/tabula/*: arabic china m27 rotated_page should_detect_rulings us-017
    cnocr/docs/*: intro-cnstd-cnocr
    found/*: pdfjs__clippath pymupdf__test_3848 pymupdf__test_4751
    pdf2docx/test/samples/*: demo demo-image-floating demo-path-transformation demo-table-shading-highlight
        demo-text-alignment demo-text-vertical demo-whisper_2_3
    pdfplumber/*/pdfs/*: ag-energy-round-up-2017-02-24 background-checks san-jose-pd-firearm-sample
        150109DSP-Milw-505-90D federal-register-2020-17221
"""


def rows() -> Iterator[Row]:
    """A mode each; the peer column is the goal, the ratio how far the median is off it (below 1 meets it)."""
    files = sorted(_files())
    for way, goal in GOALS.items() if files else ():
        with tempfile.TemporaryDirectory() as folder:
            yield _row(way, goal, files, Path(folder))


def _files() -> Iterator[Path]:
    for line in _FILES.replace("\n        ", " ").split("\n"):
        folder, _, names = line.strip().partition(": ")
        for name in names.split():
            yield from _FOLDER.glob(f"{folder[:-1]}{name}.pdf")


def _row(way: tuple[str, str, str], goal: float, files: list[Path], folder: Path) -> Row:
    tool, option, value = way
    spent: dict[Path, Spent] = {}
    for at, pdf in enumerate(files):
        with contextlib.suppress(RuntimeError):  # what cannot be made counts as unlike
            taken = f"1-{min(_PAGES, look.page_count(pdf))}"
            spent[pdf] = run(ours(tool, [pdf], folder / f"{at}", **{option: value}, pages=taken, ocr="off"))
    made = [_gathered(folder, at) for at in range(len(files))]
    drawn.draw([each for each in made if each], folder)
    found = {pdf: _alike(pdf, each) for pdf, each in zip(files, made, strict=True)}
    if os.environ.get("PAPERCRANE_BENCH_EACH"):
        for pdf, pages in sorted(found.items(), key=lambda each: min(each[1])):
            print(f"  {pdf.stem}: {' '.join(f'{page:.3f}' for page in pages)}", flush=True)
    pages = [each for every in found.values() for each in every]
    median, each = statistics.median(pages), [spent[pdf].cpu / len(found[pdf]) for pdf in spent]
    note = (
        f"{len(pages)} pages; SSIM {median:.3f} (mean {statistics.fmean(pages):.3f}, goal {goal}); "
        f"{sum(page < goal for page in pages)} below; CPU {statistics.median(each):.2f} s a page, of a fresh process"
    )
    total, peak = sum(each.cpu for each in spent.values()), max(each.mb for each in spent.values())
    seconds = sum(each.seconds for each in spent.values())
    return Row(
        f"{tool}, {value}, {len(files)} documents",
        seconds,
        "the goal",
        0,
        (1 - median) / (1 - goal),
        peak,
        0,
        note,
        total,
    )


def _gathered(folder: Path, at: int) -> Path | None:
    """The file that was made, by a name of its own among the others."""
    made = next((folder / f"{at}").rglob("*.*x"), None)
    return made.rename(folder / f"{at}{made.suffix}") if made else None


def _alike(pdf: Path, made: Path | None) -> list[float]:
    """Of each page that was taken; 0 where nothing was made of it, or more or fewer pages."""
    count = min(_PAGES, look.page_count(pdf))
    back = made.with_suffix(".pdf") if made else None
    if back is None or not back.exists() or look.page_count(back) != count:
        return [0.0] * count
    return [drawn.alike_on_slide(pdf, page, back, page) for page in range(1, count + 1)]
