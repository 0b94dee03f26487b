"""Draw PDF pages as pixels in bounded memory: pdfium, a strip of the page at a time.

pdfium is not thread safe and dies where it cannot get memory, so pages are drawn in forked
workers: two cores draw two pages, and a death is a Problem of the file, not of the slot.
"""

import ctypes
import json
import logging
import math
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from cluster.engines.pictures.write import Mode, Strip
from cluster.files import Source
from cluster.problem import DeadlineProblem, FaultProblem, InputProblem, LimitProblem, Problem

#: Pixels drawn at a time: nearly an A4 page at 300 dpi.
STRIP_PIXELS = 8_000_000
#: A drawn page may have this many in all.
PAGE_PIXELS = 100_000_000


@dataclass(frozen=True)
class Paper:
    """A page's visible size in points."""

    width: float
    height: float

    def at(self, scale: float) -> tuple[int, int]:
        """Pixels at `scale` pixels a point, at least one."""
        # Up, as other programs do; a hair over a whole number is not a pixel more.
        return max(1, math.ceil(self.width * scale - 0.01)), max(1, math.ceil(self.height * scale - 0.01))


def papers(source: Source, document: Any) -> list[Paper]:
    """The visible size of every page of an open pdfium document."""
    import pypdfium2

    units = _user_units(source)
    try:
        sizes = [document.get_page_size(index) for index in range(len(document))]
    except pypdfium2.PdfiumError as error:
        raise InputProblem("damaged_file", file=source.name) from error
    return [
        Paper(width * units.get(index, 1), height * units.get(index, 1)) for index, (width, height) in enumerate(sizes)
    ]


def _user_units(source: Source) -> dict[int, float]:
    """Page index -> UserUnit, where it is not 1: pdfium does not know it."""
    from cluster.engines.pdf.libraries import import_pikepdf
    from cluster.engines.pdf.open import user_unit

    pikepdf = import_pikepdf()
    try:
        with pikepdf.open(source.path, password=source.password or "") as pdf:
            units = ((index, user_unit(page)) for index, page in enumerate(pdf.pages))
            return {index: unit for index, unit in units if unit != 1}
    except (pikepdf.PdfError, pikepdf.PasswordError):
        return {}


class Drawer:
    """Draws the pages of one open pdfium document, its annotations and form fields too.

    `form`: whether it may look for its fields: those that name each other in circles it would follow for ever.
    `smooth`: whether pixels of pictures flow into each other where they are drawn larger.
    """

    def __init__(self, document: Any, form: Callable[[], bool] = lambda: True) -> None:
        import pypdfium2.raw as pdfium

        self.document, self.pdfium = document, pdfium
        self.store: Any = None
        self.smooth = True
        # Forms in XFA are warned of; they carry ordinary fields for readers without it, and those are drawn.
        logging.getLogger("pypdfium2").setLevel(logging.ERROR)
        if document.get_formtype() != pdfium.FORMTYPE_NONE and form():
            document.init_forms()

    def strips(self, index: int, width: int, height: int, mode: Mode, step: int = 1) -> Iterator[Strip]:
        """The page in `width` × `height` pixels, from the top, in strips of whole `step` rows.

        A strip's data holds until the next.
        """
        page = self.document[index]
        # pdfium aborts on grey bitmaps of some pages, so greys are drawn in colour.
        drawn: Mode = "rgba" if mode == "rgba" else "rgb"
        rows = max(1, min(height, STRIP_PIXELS // width) // step) * step
        store = self._room(4 * width * rows)
        try:
            for top in range(0, height, rows):
                part = min(rows, height - top)
                self._draw(page, store, (width, height), (top, part), drawn)
                strip = Strip(store, width, part, drawn)
                yield strip if drawn == mode else _grey(strip)
        finally:
            page.close()

    def _room(self, size: int) -> Any:
        """Memory for a strip, the same for every page: fresh pages from the kernel cost as much as drawing."""
        if self.store is None or len(self.store) < size:
            self.store = (ctypes.c_ubyte * size)()
        return self.store

    def _draw(self, page: Any, store: Any, size: tuple[int, int], band: tuple[int, int], mode: Mode) -> None:
        api = self.pdfium
        kind, paper = (api.FPDFBitmap_BGRA, 0) if mode == "rgba" else (api.FPDFBitmap_BGRx, 0xFFFFFFFF)
        bitmap = api.FPDFBitmap_CreateEx(size[0], band[1], kind, store, 4 * size[0])
        if not bitmap:
            raise FaultProblem("pdfium gave no bitmap")
        try:
            api.FPDFBitmap_FillRect(bitmap, 0, 0, size[0], band[1], paper)
            flags = (
                api.FPDF_ANNOT | api.FPDF_REVERSE_BYTE_ORDER | (0 if self.smooth else api.FPDF_RENDER_NO_SMOOTHIMAGE)
            )
            where = (0, -band[0], *size, 0, flags)
            api.FPDF_RenderPageBitmap(bitmap, page.raw, *where)
            if self.document.formenv:
                api.FPDF_FFLDraw(self.document.formenv.raw, bitmap, page.raw, *where)
        finally:
            api.FPDFBitmap_Destroy(bitmap)


def _grey(strip: Strip) -> Strip:
    return Strip(strip.picture().convert("L").tobytes(), strip.width, strip.rows, "grey")


Draw = Callable[[Drawer, Sequence[Any]], Iterator[None]]
"""Draws its share of the jobs; yields after each."""


def in_workers(
    source: Source, jobs: Sequence[Any], draw: Draw, tell: Callable[[int], None], *, most: int | None = None
) -> None:
    """Draw the jobs in forked processes, as many as there are cores (or `most`); tell(done) after each job.

    Raises the Problem a worker met; its death is too_large_when_opened or timed_out.
    """
    count = max(1, min(len(jobs), most or _cores()))
    workers = [_fork(source, jobs[turn::count], draw) for turn in range(count)]
    try:
        _listen([pipe for _, pipe in workers], tell)
    except BaseException:
        for child, _ in workers:
            os.kill(child, signal.SIGKILL)
        raise
    finally:
        ends = [os.waitpid(child, 0)[1] for child, _ in workers]
    for status in ends:
        _judge(source, status)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _fork(source: Source, jobs: Sequence[Any], draw: Draw) -> tuple[int, int]:
    """A worker and the pipe on which it tells one line a job."""
    out, into = os.pipe()
    if child := os.fork():
        os.close(into)
        return child, out
    status = 1
    try:
        os.close(out)
        _settle()
        _work(source, jobs, draw, into)
        status = 0
    finally:
        os._exit(status)


def _work(source: Source, jobs: Sequence[Any], draw: Draw, into: int) -> None:
    import pypdfium2

    from cluster.engines.pdf.open import open_pdfium

    told: dict[str, Any] = {}
    try:
        with open_pdfium(source) as document:
            for _ in draw(Drawer(document, lambda: _form_ends(source)), jobs):
                os.write(into, b"{}\n")
    except Problem as problem:
        told = {"type": type(problem).__name__, "reason": problem.reason, "facts": problem.facts}
    except pypdfium2.PdfiumError:
        told = {"type": "InputProblem", "reason": "damaged_file", "facts": {"file": source.name}}
    except MemoryError:
        told = {"type": "LimitProblem", "reason": "too_large_when_opened", "facts": {"file": source.name}}
    except Exception as error:
        told = {"type": "FaultProblem", "reason": "internal", "facts": {"detail": f"{type(error).__name__}: {error}"}}
    if told:
        os.write(into, json.dumps(told).encode() + b"\n")


def _form_ends(source: Source) -> bool:
    from cluster.engines.pdf.libraries import import_pikepdf
    from cluster.engines.pdf.unfolding import form_ends

    pikepdf = import_pikepdf()
    with suppress(pikepdf.PdfError), pikepdf.open(source.path, password=source.password or "") as pdf:
        return form_ends(pdf)
    return True


def _listen(pipes: list[int], tell: Callable[[int], None]) -> None:
    """Read the workers' lines until all are closed."""
    held = dict.fromkeys(pipes, b"")
    done = 0
    try:
        while held:
            for pipe in select.select(list(held), [], [])[0]:
                heard = os.read(pipe, 65536)
                if not heard:
                    del held[pipe]
                    continue
                *lines, held[pipe] = (held[pipe] + heard).split(b"\n")
                for line in lines:
                    _raise(json.loads(line))
                    done += 1
                    tell(done)
    finally:
        for pipe in pipes:
            os.close(pipe)


def _raise(told: dict[str, Any]) -> None:
    if not told:
        return
    if told["type"] == "FaultProblem":
        raise FaultProblem(told["facts"].get("detail", ""), told["reason"])
    kinds = {"LimitProblem": LimitProblem, "DeadlineProblem": DeadlineProblem}
    raise kinds.get(told["type"], InputProblem)(told["reason"], **told["facts"])


def _judge(source: Source, status: int) -> None:
    if not status:
        return
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        raise DeadlineProblem("timed_out")
    if os.WIFSIGNALED(status):
        raise LimitProblem("too_large_when_opened", file=source.name)
    raise FaultProblem(f"a drawing worker ended with {status}")


def _settle() -> None:
    """Die with the part, and keep freed memory: pictures come and go by the page, at 4,000 page faults each."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(1, signal.SIGKILL)
        if hasattr(libc, "mallopt"):
            libc.mallopt(_TRIM_THRESHOLD, 64 << 20)
            libc.mallopt(_MMAP_THRESHOLD, 1 << 30)


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # glibc's M_…
