"""Reading PDFs and pictures for the tools that make something else of their text: options, the plan, the pages read.

A plan looks at each page, so that only documents that need it go to the OCR lane; a share is one document.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

from cluster.fields import shown
from cluster.kinds import Kind
from cluster.opening import sound_source
from cluster.pages import each_page, format_pages
from cluster.problem import LimitProblem, Problem
from cluster.settings import settings
from cluster.tool import Lane, Output, Source, Work

if TYPE_CHECKING:
    import pymupdf
    from PIL.Image import Image

    from cluster.engines.layout.model import Box, Sheet

#: Pages of one document that are read: more do not fit the memory of a part.
MOST_PAGES = 2000
#: Pages of text are cheap; one that is read by OCR counts as so many.
OCR_PAGES = 10
#: A text layer that shares less than this of its letters with what is seen is not believed, by the kind of its page:
#: a font that lies gets nothing right, a scanner's own OCR most.
_BELIEVED = {"garbled": 0.6, "layered": 0.98}
#: What is seen has at least this share of a scan's layer, or is of a script that OCR doesn't read.
_READ = 0.8
#: Of so many pages that lie over a layer, this many tell whether the others' is believed.
_MANY, _SAMPLE = 6, 3
#: The kinds of pages that are looked at.
_SEEN = ("scanned", "mixed", "garbled", "layered")
#: A page of more pictures is a drawing made of pieces: they stay in its ground.
MOST_PICTURES = 100
#: Fonts named on the receipt.
_NAMED = 6

#: What a picture behind a page's text shows: all but the text, what is neither text, picture nor ruled table, or all.
Ground = Literal["textless", "drawn", "page"]

Ocr = Annotated[
    Literal["auto", "on", "off"],
    shown(
        "文字识别（OCR）",
        "Text recognition (OCR)",
        "choice",
        choices={
            "auto": ("自动：只用于扫描页", "Automatic: scanned pages only"),
            "on": ("全部识别", "All pages"),
            "off": ("关闭", "Off"),
        },
        hint=("文字选不中、复制出来是乱码时用得上", "For pages whose text cannot be selected or copies as nonsense"),
    ),
]
ReadableLanguage = Literal["auto", "zh", "en", "ja", "latin"]
LANGUAGES = {
    "auto": ("自动（中文、英文、日文等）", "Automatic (Chinese, English, Japanese …)"),
    "zh": ("中文（简体、繁体）", "Chinese (simplified, traditional)"),
    "en": ("英文", "English"),
    "ja": ("日文", "Japanese"),
    "latin": ("其他拉丁字母语言", "Other Latin letters (français, Deutsch, español …)"),
}
ReadLanguage = Annotated[
    ReadableLanguage,
    shown(
        "识别语言",
        "Language to recognise",
        "select",
        choices=LANGUAGES,
        when={"ocr": ["auto", "on"]},
        advanced=True,
    ),
]


class Chosen(Protocol):
    """What the options of such a tool have."""

    @property
    def pages(self) -> str: ...
    @property
    def ocr(self) -> Literal["auto", "on", "off"]: ...
    @property
    def language(self) -> ReadableLanguage: ...


@dataclass(frozen=True)
class _How:
    """Whether pictures are read, which ground, in so many pixels an inch, and areas by page (from 1) to keep apart."""

    pictures: bool
    ground: Ground | None
    dpi: int
    areas: "Mapping[int, Sequence[Box]]"


@dataclass(frozen=True)
class Reading:
    """A document's pages as read, their numbers (from 1) in it, and of which kinds they are.

    `lines` of pictures are each page's as JSON, for corrections.
    """

    source: Source
    sheets: "list[Sheet]"
    kinds: Counter[str]
    numbers: Sequence[int]
    lines: Sequence[Mapping[str, Any]] = ()


def source_of(work: Work[Any]) -> Source:
    """The document that the share reads."""
    index: int = (work.share or {}).get("file", 0)
    return work.sources[index]


def plan(work: Work[Any]) -> list[dict[str, Any]]:
    """A share for each document: the kinds of its pages, and the OCR lane where one has to be read by it."""
    return [_share(work, index) for index in range(len(work.sources))]


def _share(work: Work[Any], index: int) -> dict[str, Any]:
    source = work.sources[index]
    try:
        with work.about(source), _opened(work, source, told=True) as (document, sound):
            numbers = _numbers(work, source, document.page_count)
            kinds = [_kind(work, document, number) for number in numbers]
            if sound.path != source.path:
                work.copies[index] = sound.path
    except Problem:
        if len(work.sources) == 1:
            raise
        # The share will meet the same trouble and tell it, without spoiling the other files.
        return {"file": index, "kinds": None}
    lane = {"lane": Lane.OCR} if any(map(_needs_ocr, kinds)) else {}
    return {"file": index, "kinds": kinds, **lane}


def _needs_ocr(kind: str) -> bool:
    return kind in _SEEN


def _numbers(work: Work[Any], source: Source, count: int) -> list[int]:
    numbers = each_page(work.options.pages, count)
    if len(numbers) > MOST_PAGES:
        raise LimitProblem("too_many_pages", file=source.name, pages=len(numbers), limit=MOST_PAGES)
    work.allow(len(numbers))
    return numbers


def _kind(work: Work[Any], document: "pymupdf.Document", number: int) -> str:
    from cluster.engines.pdf.libraries import mupdf_errors
    from cluster.engines.reading.preflight import kind_of_page

    try:
        kind = kind_of_page(document[number - 1])
    except mupdf_errors():
        return "broken"
    if work.options.ocr == "off":
        return "digital" if kind != "blank" else kind
    if work.options.ocr == "on" and kind in ("digital", "layered"):
        return "scanned"
    return kind


@contextmanager
def _opened(work: Work[Any], source: Source, *, told: bool) -> "Iterator[tuple[pymupdf.Document, Source]]":
    from cluster.engines.pdf.open import open_pymupdf

    sound = sound_source(work, source)
    with open_pymupdf(sound) as document:
        yield document, sound


def read(
    work: Work[Any],
    *,
    pictures: bool = True,
    ground: Ground | None = None,
    dpi: int = 150,
    areas: "Mapping[int, Sequence[Box]] | None" = None,
) -> Reading:
    """The share's document, read page by page; `ground`: with such a picture behind the text of each.

    No line reaches over the sides of `areas`: boxes on the page as it is shown, by its number from 1. A page that comes
    twice is read once: to see what lies behind its text takes that from it.
    """
    from cluster.engines.layout.model import Sheet

    share, how = work.share or {}, _How(pictures, ground, dpi, areas or {})
    source = source_of(work)
    with work.about(source), _opened(work, source, told=False) as (document, _):
        numbers = _numbers(work, source, document.page_count)
        kinds = share.get("kinds") or [_kind(work, document, number) for number in numbers]
        kinds = _sampled(work, document, numbers, kinds)
        slow = sum(map(_needs_ocr, kinds))
        work.allow(len(numbers) + OCR_PAGES * slow)
        sheets, known = [], dict[int, Sheet]()
        for at, (number, kind) in enumerate(zip(numbers, kinds, strict=True)):
            page = _object(document, number)
            known[page] = known.get(page) or _read(work, document, number, kind, how)
            sheets.append(replace(known[page], number=at))
            kinds[at] = _settled(kind, sheets[-1])
            work.progress(at + 1, len(numbers) + 1, "reading")
    _tell(work, numbers, kinds)
    tell_engines(work, (sheet.seen.engines for sheet in sheets if sheet.seen))
    return Reading(source, sheets, Counter(kinds), numbers)


def _sampled(work: Work[Any], document: "pymupdf.Document", numbers: list[int], kinds: list[str]) -> list[str]:
    """The kinds of pages; a book's layer is believed on all where it is on some of them."""
    layered = [at for at, kind in enumerate(kinds) if kind == "layered"]
    if len(layered) < _MANY:
        return [*kinds]
    how = _How(pictures=False, ground=None, dpi=150, areas={})
    work.allow(_SAMPLE * OCR_PAGES)
    tried = (layered[len(layered) * (2 * each + 1) // (2 * _SAMPLE)] for each in range(_SAMPLE))
    believed = all(_settled("layered", _read(work, document, numbers[at], "layered", how)) == "digital" for at in tried)
    return ["digital" if kind == "layered" and believed else kind for kind in kinds]


def _settled(kind: str, sheet: "Sheet") -> str:
    """The page's kind once it was read: a scan's layer that was believed is its text."""
    return "digital" if kind == "layered" and not (sheet.seen and sheet.seen.engines) else kind


def _read(work: Work[Any], document: "pymupdf.Document", number: int, kind: str, how: _How) -> "Sheet":
    """The page; an empty one where it is too broken, which is told."""
    from cluster.engines.layout.model import Sheet
    from cluster.engines.pdf.libraries import mupdf_errors

    try:
        page = document[number - 1]
        return _pictured(work, page, kind, how) if how.ground == "page" else _sheet(work, page, kind, how)
    except mupdf_errors():
        work.note("lost", "page_unreadable", detail=number)
        return Sheet(number - 1, 595.0, 842.0, ())


def _object(document: "pymupdf.Document", number: int) -> int:
    """The number of the page's object; none of any where it is too broken to tell."""
    from cluster.engines.pdf.libraries import mupdf_errors

    try:
        return int(document.page_xref(number - 1))
    except mupdf_errors():
        return -number


def _ground(work: Work[Any], page: "pymupdf.Page") -> Path:
    return work.scratch("pictures") / f"ground-{page.number}"


def _pictured(work: Work[Any], page: "pymupdf.Page", kind: str, how: _How) -> "Sheet":
    """The page's text, and the page as it is seen: reading it may turn it."""
    from cluster.engines.reading import digital

    width, height = page.rect.width, page.rect.height
    picture = digital.picture_of(page, _ground(work, page), how.dpi)
    return replace(_sheet(work, page, kind, how), width=width, height=height, background=picture)


def _sheet(work: Work[Any], page: "pymupdf.Page", kind: str, how: _How) -> "Sheet":
    from cluster.engines.reading import digital, scanned
    from cluster.engines.reading.preflight import hidden

    folder = work.scratch("pictures")
    image = scanned.drawn(page) if _needs_ocr(kind) else None
    seen = own = None
    if image is not None:
        width, language = page.rect.width, work.options.language
        seen = scanned.sheet_of(image, page.number, width, language, folder, pictures=how.pictures)
    if kind != "scanned" or (seen and not seen.lines):
        areas = how.areas.get(page.number + 1, ())
        places = how.ground in ("textless", "drawn")
        drawings = how.pictures and how.ground is None and image is None
        own = digital.sheet_of(page, folder, pictures=how.pictures, drawings=drawings, areas=areas, places=places)
    if own and seen and kind in _BELIEVED:
        own, seen = (own, None) if _believed(own, seen, kind) else (None, seen)
    if seen is None:
        assert own is not None  # noqa: S101 - one of the two is always read
        image = scanned.drawn(page) if how.ground and hidden(page) else None
        # What is drawn of a page that was read lies as it was read.
        return _grounded(work, page, replace(own, seen=None) if how.ground else own, image, how)
    return _grounded(work, page, scanned.beside(own, seen) if own else seen, image, how)


def _believed(own: "Sheet", seen: "Sheet", kind: str) -> bool:
    """Whether the page's own text is what is seen, or what is seen can't be told."""
    from cluster.engines.reading.preflight import likeness

    mine, read = (" ".join(line.text for line in sheet.lines) for sheet in (own, seen))
    unread = kind == "layered" and len(read) < _READ * len(mine)
    return unread or likeness(mine, read) > _BELIEVED[kind]


def _grounded(work: Work[Any], page: "pymupdf.Page", sheet: "Sheet", image: "Image | None", how: _How) -> "Sheet":
    """The sheet with what lies behind its text: of its picture where it was read from one, else of the page."""
    from cluster.engines.layout.document import ruled_apart
    from cluster.engines.reading import digital, lettering, paper, scanned

    if how.ground not in ("textless", "drawn"):
        return sheet
    tables = ruled_apart(sheet)[0] if how.ground == "drawn" else []
    if tables:
        seen = image or scanned.drawn(page)
        cells = [cell.box for table in tables for cell in table.cells]
        scale = seen.width / sheet.width
        shades, rules = scanned.shades(seen, cells, scale), scanned.rule_colour(seen, cells, scale)
        sheet = replace(sheet, fills=(*sheet.fills, *shades), rule_colour=rules)
    edged = [table.box for table in tables]
    drawings = [(left - 2, top - 2, right + 2, bottom + 2) for left, top, right, bottom in edged]
    if image is not None:
        return replace(sheet, pictures=(), background=paper.ground_of(image, sheet, _ground(work, page), drawings))
    if how.ground == "drawn":
        drawings += digital.lined(sheet.lines)
    else:
        sheet = replace(sheet, letterings=lettering.letterings(page, work.scratch("fonts")))
    if len(sheet.pictures) > MOST_PICTURES:
        sheet = replace(sheet, pictures=())
    taken = [picture.box for picture in sheet.pictures], drawings
    return replace(sheet, background=digital.ground_of(page, _ground(work, page), taken))


def begin(work: Work[Any], reading: Reading, kind: Kind) -> Output:
    """The result that the reading is written to; tells where there is nothing to write."""
    if not any(sheet.lines or sheet.pictures or sheet.background for sheet in reading.sheets):
        work.note("told", "nothing_read")
    work.progress(len(reading.sheets), len(reading.sheets) + 1, "writing")
    return work.output(kind, source=reading.source)


def name_fonts(work: Work[Any], reading: Reading) -> None:
    """Tell the families that the result names, the commonest first."""
    from cluster.engines.export.ooxml import family

    count: Counter[str] = Counter()
    for span in (span for sheet in reading.sheets for line in sheet.lines for span in line.spans):
        count[family(span.style.font)] += len(span.text)
    if count:
        work.note("told", "fonts_named", detail=", ".join(name for name, _ in count.most_common(_NAMED)))


def _tell(work: Work[Any], numbers: list[int], kinds: list[str]) -> None:
    work.note("kept", "pages_read", count=len(numbers))
    for kind in _SEEN:
        own = [number for number, each in zip(numbers, kinds, strict=True) if each == kind]
        if own:
            work.note("told", f"pages_{kind}", count=len(own), detail=format_pages(own))


def tell_engines(work: Work[Any], readers: Iterable[tuple[str, ...]]) -> None:
    """Who read, where the operator asks for more than one."""
    names = sorted({name for each in readers for name in each})
    if settings().ocr != "rapid" and names:
        work.note("told", "read_by", detail=", ".join(names))
