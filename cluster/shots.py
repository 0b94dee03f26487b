"""Pictures read for the tools that make something of their words: options, the pages, and what somebody corrected."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cluster.fields import shown
from cluster.problem import InputProblem
from cluster.reading import LANGUAGES, ReadableLanguage, Reading, tell_engines
from cluster.tool import Work

if TYPE_CHECKING:
    from PIL.Image import Image

    from cluster.engines.layout.line import Line, Page
    from cluster.engines.layout.model import Sheet
    from cluster.engines.layout.order import Paragraph
    from cluster.engines.pictures.flatten import Flat

PictureLanguage = Annotated[ReadableLanguage, shown("文字语言", "Language", "select", choices=LANGUAGES)]
Turn = Annotated[bool, shown("自动转正", "Turn pictures upright", "toggle", advanced=True)]


@dataclass(frozen=True)
class Shot:
    """A page of a picture: what was read of `image`, which is a photographed page laid flat where there is `flat`."""

    image: "Image"
    page: "Page"
    flat: "Flat | None" = None

    @property
    def shown(self) -> "Page":
        """What was read where it stands on the picture."""
        return self.flat.shown(self.page) if self.flat else self.page

    def told(self, found: "Sequence[Paragraph]") -> dict[str, Any]:
        """The page as JSON: its lines in the order of the paragraphs that were found, as the picture has them."""
        from cluster.engines.layout.data import told

        return told(self.page, found, self.shown)


def seen(
    work: Work[Any], *, small: bool = False, flat: bool = False, known: "Sequence[Page] | None" = None
) -> Iterator[Shot]:
    """Every page of the picture and what was read of it, by the options `language` and `turn`; `small`: no larger than
    the OCR engine takes it; `flat`: a photographed page laid flat; `known`: what an earlier run read, by pages.

    Raises correction_unfit where what is known cannot be this picture's.
    """
    from cluster.engines.ocr import client as ocr
    from cluster.engines.pictures import open as pictures_in

    readers, cut = list[tuple[str, ...]](), False
    with pictures_in.opened(work.source) as image:
        count = pictures_in.page_count(work.source, image)
        if known is not None and len(known) != count:
            raise InputProblem("correction_unfit", file=work.source.name)
        work.allow(count)
        for number, page in enumerate(pictures_in.pages(work.source, image, ocr.READ_PIXELS), 1):
            cut = cut or pictures_in.is_cut(page)
            page = ocr.reduced(page) if small else page
            shot = _shot(work, page, _flat(work, page) if flat else None, known[number - 1] if known else None)
            readers.append(shot.page.engines)
            yield shot
            work.progress(number, count, "reading")
    if cut:
        work.note("lost", "picture_cut", detail=work.source.name)
    tell_engines(work, readers)


def _shot(work: Work[Any], image: "Image", flat: "Flat | None", known: "Page | None") -> Shot:
    """The page, and what was read of it, now or before."""
    from cluster.engines.ocr import client as ocr

    laid = flat.image if flat else image
    if known is None:
        found = ocr.read(laid, work.options.language, turn=work.options.turn)
        if found.turned:
            work.note("changed", "turned", detail=found.turned)
        return Shot(laid, found, flat)
    if sorted((known.width, known.height)) != sorted(image.size):
        raise InputProblem("correction_unfit", file=work.source.name)
    return Shot(laid, flat.laid(known) if flat else known, flat)


def _flat(work: Work[Any], image: "Image") -> "Flat | None":
    """The page alone where it was photographed, and told."""
    from cluster.engines.pictures.flatten import flattened

    flat = flattened(image) if work.options.turn else None
    if flat is not None:
        work.note("changed", "flattened")
    return flat


def known_lines(work: Work[Any], path: Path | None) -> "list[Page] | None":
    """The pages in corrected data; None without any. Raises correction_unfit when it is no such thing."""
    from cluster.engines.layout.data import read_back

    pages = read_back(path) if path else None
    if path and pages is None:
        raise InputProblem("correction_unfit", file=work.source.name)
    return pages


def check_script(work: Work[Any], pages: "Sequence[Page]") -> None:
    """Raises script_not_supported, or language_not_written where one was chosen, when most of what is written cannot
    be read; tells when some of it cannot."""
    from cluster.engines.ocr.legible import strange

    unread, count, mostly = strange(pages)
    if mostly and work.options.language != "auto":
        raise InputProblem("language_not_written", file=work.source.name, lines=count, unread=unread)
    if mostly:
        raise InputProblem("script_not_supported", file=work.source.name, lines=count, unread=unread)
    if unread:
        work.note("lost", "lines_unread", count=unread)
    if any(line.passed_over for page in pages for line in page.lines):
        work.note("lost", "letters_passed_over")


def lines_told(page: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All lines of a page as JSON, what was not read too."""
    read = [line for part in page["paragraphs"] for line in part["lines"]]
    return [*read, *page["unread"]]


def tell_doubts(work: Work[Any], lines: "Iterable[Line]") -> None:
    """How many lines somebody should look at."""
    if doubtful := sum(line.doubtful for line in lines):
        work.note("told", "lines_doubtful", count=doubtful)


def read_pictures(
    work: Work[Any], *, pictures: bool = True, flat: bool = False, known: "Sequence[Page] | None" = None
) -> Reading:
    """Every page of the picture as a sheet, laid `flat` where it was photographed; `known`: what was read before.

    Raises script_not_supported, and no_text_found where nothing is written.
    """
    from cluster.engines.layout.order import arrange, paragraphs
    from cluster.engines.reading import pictured

    sheets, pages, folder = list["Sheet"](), list["Page"](), work.scratch("pictures")
    lines = list[dict[str, Any]]()
    for number, shot in enumerate(seen(work, small=True, flat=flat, known=known)):
        sheets.append(pictured.sheet_of(shot.page, shot.image, number, folder, pictures=pictures))
        pages.append(shot.page)
        lines.append(shot.told([each for block in arrange(shot.page.lines) for each in paragraphs(block)]))
    if known is None:
        check_script(work, pages)
    if not any(sheet.lines for sheet in sheets):
        raise InputProblem("no_text_found", file=work.source.name)
    if len(sheets) == 1:
        # What stands at the edge of one picture is a header or its first line: nobody can tell.
        sheets = [replace(sheets[0], whole=False)]
    work.note("kept", "pages_read", count=len(sheets))
    numbers = range(1, len(sheets) + 1)
    return Reading(work.source, sheets, Counter(scanned=len(sheets)), numbers, lines)
