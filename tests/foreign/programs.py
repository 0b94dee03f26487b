"""Other people's programs: who opens a PDF, how many pages they count, what they draw and read."""

import io
import re
import signal
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image

from tests import look
from tests.foreign.aside import Aside, Cannot, Late

Picture = NDArray[Any]
PROGRAMS = ("qpdf", "pdfium", "mupdf", "poppler")
RENDERERS = ("pdfium", "poppler", "mupdf")
#: Poppler, which has Liberation Sans for Helvetica and Arial, as pdf.js has.
LIBERATION = "poppler with Liberation"
#: Seconds for one call of one program: by the clock, which a busy machine lengthens, and of CPU.
_PATIENCE, CPU = 60, 20
_MEMORY = 6 << 30
_TOO_MANY_PIXELS = 40_000_000
Image.MAX_IMAGE_PIXELS = 200_000_000


def run(*command: str | Path, well: tuple[int, ...] = (0,), seconds: float = 0, cpu: int = 0) -> bytes:
    """What the command prints. Raises Cannot when it ends otherwise than `well`, Late when it does not in time."""
    done = _ended(command, seconds or _PATIENCE, cpu or CPU)
    if done.returncode not in well:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Cannot(f"{command[0]} ends with {done.returncode}: {said[-1][:120] if said else ''}")
    return done.stdout


def _ended(command: tuple[str | Path, ...], seconds: float, cpu: int) -> "subprocess.CompletedProcess[bytes]":
    bounded = ["prlimit", f"--cpu={cpu}", f"--as={_MEMORY}", "--", *map(str, command)]
    try:
        done = subprocess.run(bounded, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise Late(f"{command[0]} took longer than {seconds:.0f} s") from error
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Late(f"{command[0]} took longer than {cpu} s of CPU")
    return done


def count(program: str, path: Path, aside: Aside) -> int:
    """Pages by `program`. Raises Cannot."""
    if program == "pdfium":
        return aside.call(_pdfium_pages, path)
    if program == "qpdf":
        return int(run("qpdf", "--show-npages", path, well=(0, 3)))
    if program == "mupdf":
        return len(re.findall(rb"<page pagenum=", run("mutool", "pages", path)))
    found = re.search(rb"^Pages:\s+(\d+)", run("pdfinfo", path), re.M)
    if not found:
        raise Cannot("pdfinfo counts no pages")
    return int(found[1])


def complaint(path: Path) -> str:
    """What `qpdf --check` holds against the file: `error`, `warning`, or nothing. Raises Late."""
    done = _ended(("qpdf", "--check", path), _PATIENCE, CPU)
    return {0: "", 3: "warning"}.get(done.returncode, "error")


def complaint_of_copy(path: Path) -> str:
    """What it holds against qpdf's own copy: faults that lie where `--check` does not look. Raises Cannot."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "copy.pdf")
        run("qpdf", "--object-streams=generate", path, made, well=(0, 3))
        return complaint(made)


def draw(program: str, path: Path, page: int, dpi: float, aside: Aside) -> Picture:
    """The page in colour, height x width x 3. Raises Cannot."""
    if program == "pdfium":
        return aside.call(_pdfium_draw, path, page, dpi)
    if program in ("poppler", LIBERATION):
        number = ("-f", str(page), "-l", str(page))
        fonts = ["env", f"FONTCONFIG_FILE={Path(__file__).with_name('liberation.conf')}"]
        asked = fonts if program == LIBERATION else []
        return _picture(run(*asked, "pdftoppm", "-cropbox", "-r", f"{dpi:.2f}", *number, path))
    return _picture(run("mutool", "draw", "-q", "-F", "ppm", "-r", f"{dpi:.2f}", "-o", "-", path, str(page)))


def texts(path: Path, last: int) -> list[str]:
    """The words of pages 1 to `last` as pdftotext reads them. Raises Cannot."""
    said = run("pdftotext", "-l", str(last), "-enc", "UTF-8", path, "-").decode("utf-8", "replace")
    return said.split("\f")[:-1]


def largest_picture(path: Path) -> int:
    """Pixels of the largest picture or mask, as qpdf reads it; called aside."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        streams = (each for each in pdf.objects if isinstance(each, pikepdf.Stream))
        pictures = [each for each in streams if each.get("/Subtype") == "/Image"]
        return max((int(each.get("/Width", 0)) * int(each.get("/Height", 0)) for each in pictures), default=0)


def pdfium_text(path: Path, page: int, aside: Aside) -> str:
    """The words of one page as pdfium reads them. Raises Cannot."""
    return aside.call(look.text_of, path, page)


def mupdf_text(path: Path, page: int) -> str:
    """The words of one page as MuPDF reads them. Raises Cannot."""
    return run("mutool", "draw", "-q", "-F", "txt", "-o", "-", path, str(page)).decode("utf-8", "replace")


def visible_text(path: Path, page: int, clipped: bool) -> str:
    """The words of one page, with those that are clipped away or without; called aside."""
    import pymupdf

    flags = pymupdf.TEXTFLAGS_TEXT & ~pymupdf.TEXT_CLIP if clipped else pymupdf.TEXTFLAGS_TEXT | pymupdf.TEXT_CLIP
    with pymupdf.open(path) as document:
        return str(document[page - 1].get_text(flags=flags))


def printed_again(path: Path) -> str:
    """The letters that are printed where they stand already, to look bold; called aside."""
    import pdfplumber

    with pdfplumber.open(path) as document:
        both = [(page, page.dedupe_chars(extra_attrs=())) for page in document.pages]
        every, once = (Counter(each["text"] for pages in both for each in pages[at].chars) for at in (0, 1))
    return "".join((every - once).elements())


def without_fields(path: Path, made: Path) -> None:
    """A copy with no form in it; called aside."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            kept = [each for each in page.obj.get("/Annots", ()) if each.get("/Subtype") != "/Widget"]
            page.obj["/Annots"] = pikepdf.Array(kept)
        if "/AcroForm" in pdf.Root:
            del pdf.Root.AcroForm
        pdf.save(made)


def fresh_copy(path: Path, pages: list[int]) -> int:
    """Bytes of a plain copy of these pages by qpdf, which takes no tags along. Raises Cannot."""
    return _copied("--empty", "--pages", path, ",".join(map(str, pages)), "--")


def whole_copy(path: Path) -> int:
    """Bytes of a plain copy of the document by qpdf, tags and all. Raises Cannot."""
    return _copied(path)


def _copied(*what: str | Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "copy.pdf")
        run("qpdf", "--object-streams=generate", *what, made, well=(0, 3))
        return made.stat().st_size


def _picture(data: bytes) -> Picture:
    if not data:
        raise Cannot("nothing was drawn")
    with Image.open(io.BytesIO(data)) as image:
        if image.width * image.height > _TOO_MANY_PIXELS:
            raise Cannot("too many pixels")
        return numpy.asarray(image.convert("RGB"))


def _pdfium_pages(path: Path) -> int:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return len(document)


def _pdfium_draw(path: Path, page: int, dpi: float) -> Picture:
    return numpy.asarray(look.render(path, page, dpi))  # type: ignore[arg-type]


def page_size(path: Path, page: int) -> tuple[float, float]:
    """Points, as pdfium shows the page; called aside."""
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        width, height = document[page - 1].get_size()
        return float(width), float(height)


def annotations(path: Path) -> list[tuple[int, int]]:
    """(links that lead somewhere, fields' widgets) on each page, as pdfium counts them; called aside."""
    import pypdfium2
    from pypdfium2 import raw

    def leads(held: Any) -> bool:
        link = raw.FPDFAnnot_GetLink(held)
        action = raw.FPDFLink_GetAction(link)
        inside = not action or raw.FPDFAction_GetType(action) in (raw.PDFACTION_UNSUPPORTED, raw.PDFACTION_GOTO)
        place = raw.FPDFLink_GetDest(document, link)
        return not inside or bool(place and raw.FPDFDest_GetDestPageIndex(document, place) >= 0)

    def kinds(page: Any) -> list[int]:
        opened = [raw.FPDFPage_GetAnnot(page, index) for index in range(raw.FPDFPage_GetAnnotCount(page))]
        found = [(raw.FPDFAnnot_GetSubtype(each), each) for each in opened if each]
        return [kind for kind, each in found if kind != raw.FPDF_ANNOT_LINK or leads(each)]

    with pypdfium2.PdfDocument(path) as document:
        found = [kinds(page) for page in document]
    return [(each.count(raw.FPDF_ANNOT_LINK), each.count(raw.FPDF_ANNOT_WIDGET)) for each in found]
