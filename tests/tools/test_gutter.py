"""Where the pages of a double-page scan meet: of drawn pages, and of real ones bound as a book lies on a scanner."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy
import pypdfium2
import pytest
from PIL import Image

from cluster.engines.draw.gutter import gutter
from tests.examples import examples
from tests.make_spreads import HEIGHT, printed, spreads

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", Path(__file__).parents[3] / "shared/corpus"))
#: Folders of documents that people print or scan.
FOLDERS = ("ocrmypdf", "pdfplumber", "camelot", "pdf2docx")
#: Shares of the width: as near as asked for, and as far as nobody would call it found.
NEAR, WILD = 0.01, 0.03


def judged(pages: Sequence[Image.Image]) -> tuple[int, list[str], list[str]]:
    """How many spreads the pages make, those that are not cut near where they meet, and those that are cut wildly
    though the receipt says nothing."""
    count, missed, wild = 0, [], []
    for count, (image, truth, how) in enumerate(spreads(pages), 1):
        small = image.resize((1000, round(image.height * 1000 / image.width)), Image.Resampling.BOX)
        found = gutter(numpy.asarray(small))
        if found is None or abs(found.at - truth) > NEAR:
            missed.append(f"{count} at {truth:.3f}: {found} {how}")
        if found and found.shaded and abs(found.at - truth) > WILD:
            wild.append(missed[-1])
    return count, missed, wild


def pages_of(files: Iterable[Path]) -> Iterator[Image.Image]:
    """The first two pages of each document, as far as they are such as stand in books: lines of text with margins."""
    for path in files:
        try:
            with pypdfium2.PdfDocument(path) as pdf:
                tall = [page for page in islice(pdf, 2) if 0.55 < page.get_width() / page.get_height() < 0.95]
                drawn = [page.render(scale=HEIGHT / page.get_height(), grayscale=True).to_pil() for page in tall]
        except pypdfium2.PdfiumError:
            continue
        yield from filter(_bookish, drawn)


def _bookish(page: Image.Image) -> bool:
    grey = numpy.asarray(page).astype(float)
    ink = grey < numpy.quantile(grey, 0.9) * 0.76
    edge = round(0.02 * page.width)
    inner = ink[edge:-edge, edge:-edge]
    lines = numpy.diff((ink.mean(axis=1) > 0.01).astype(int)) == 1
    margin = (ink.sum() - inner.sum()) / (ink.size - inner.size)
    return bool(margin < 0.01 and 0.02 < ink.mean() < 0.3 and lines.sum() >= 12)


def test_pages_are_cut_where_they_meet() -> None:
    count, missed, wild = judged([printed(seed) for seed in range(40)])
    assert count == 20 and len(missed) <= 0.05 * count, missed
    assert not wild, wild


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus here")
def test_real_pages_are_cut_where_they_meet() -> None:
    files = [path for folder in FOLDERS for path in sorted((CORPUS / folder).rglob("*.pdf"))]
    most = examples(64)
    pages = list(islice(pages_of(path for path in files if path.stat().st_size < 2 << 20), most))
    count, missed, wild = judged(pages)
    assert count >= most // 2 - 2 and len(missed) <= 0.05 * count, (count, missed)
    assert not wild, wild
