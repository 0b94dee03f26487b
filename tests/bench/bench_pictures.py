"""PDF to pictures beside pdftoppm, on one core and on two; back beside img2pdf; watermarks beside qpdf's overlay."""

import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import make
from tests.bench.side_by_side import Row, ours, side_by_side
from tests.make_pictures import drawing, photograph

PAGES = 30
#: Several real fonts and drawings, where the corpus is at hand.
REAL = Path(__file__).parents[3] / "shared/corpus/pypdfsamples/009-pdflatex-geotopo/GeoTopo-komprimiert.pdf"
_NOTES = {True: "warm", False: "fresh process"}


def rows() -> Iterator[Row]:
    """Each format for text pages, page pictures and a real document."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {
            f"{PAGES} text pages": make.many(folder / "text.pdf", PAGES),
            f"{PAGES // 3} page pictures": make.img(folder / "img.pdf", PAGES // 3 << 20),
        }
        if REAL.exists():
            files["117 pages of mathematics"] = REAL
        yield from _into_pdf(folder)
        yield from _watermarks(folder)
        for what, source in files.items():
            for form in ("png", "jpg"):
                for cores, warm in (("0", False), ("0,1", False), ("0,1", True)):
                    yield _row(folder, source, f"{what} to {form.upper()}", form, cores, warm)


def _row(folder: Path, source: Path, work: str, form: str, cores: str, warm: bool) -> Row:
    """`warm`: a part as in service, forked with the libraries; of the document nothing is known. Then on all cores."""
    out = folder / "out"
    flag = {"png": "-png", "jpg": "-jpeg"}[form]

    def fresh() -> None:
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()

    mine = ours("pdf_to_image", [source], out, warm=warm, format=form, size={"how": "dpi", "dpi": 150})
    peer = ["pdftoppm", "-r", "150", flag, source, out / "p"]
    note = f"{'one core' if cores == '0' else 'two cores'}, {_NOTES[warm]}"
    bound = ["taskset", "-c", cores]
    return side_by_side(
        f"{work}, 150 dpi", mine if warm else [*bound, *mine], "pdftoppm", [*bound, *peer], before=fresh, note=note
    )


def _into_pdf(folder: Path) -> Iterator[Row]:
    """Photographs of 12 megapixels, and drawings, where img2pdf is at hand."""
    if importlib.util.find_spec("img2pdf") is None:
        return
    photo, chart = photograph((4000, 3000)), drawing((2400, 1800))
    for kind, image, count in (("jpg", photo, 20), ("png", chart, 20)):
        files = [folder / f"{number}.{kind}" for number in range(count)]
        for number, each in enumerate(files):  # no two alike, as ours writes twins once
            image.putpixel((number, 0), (number, 0, 0))
            image.save(each, quality=90)
        peer = [sys.executable, "-m", "img2pdf", *files, "-o", folder / "peer.pdf"]
        for warm in (True, False):
            mine = ours("image_to_pdf", files, folder / kind, warm=warm)
            yield side_by_side(f"{count} {kind.upper()}s to PDF", mine, "img2pdf", peer, note=_NOTES[warm])


def _watermarks(folder: Path) -> Iterator[Row]:
    """2,000 pages, tiled text; the peer lays a ready-made page over each."""
    source, stamp = make.many(folder / "many.pdf", 2000), make.text(folder / "stamp.pdf", 1)
    peer = ["qpdf", source, "--overlay", stamp, "--repeat=1", "--", folder / "stamped.pdf"]
    for warm in (True, False):
        mine = ours("watermark", [source], folder / "marked", warm=warm, mark={"kind": "text", "text": "内部资料"})
        yield side_by_side("watermark on 2,000 text pages", mine, "qpdf --overlay", peer, note=_NOTES[warm])
