"""The pictures of a PDF as files: as they are stored where that can be, their masks composed, each once."""

import hashlib
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Pages, quality_of, shown
from cluster.kinds import JP2, JPG, PNG, TIFF, Kind
from cluster.pages import each_page
from cluster.problem import InputProblem, LimitProblem, Problem
from cluster.telling import tell_opened
from cluster.tool import Bounds, Group, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.pdf.gathered import Found
    from cluster.engines.pictures.stored import Stored

#: What decoders raise on pictures that are not as they should be.
_DAMAGE = (ValueError, TypeError, RuntimeError, OSError, SyntaxError, KeyError, AttributeError, IndexError)
#: What was left out or is not whole; other notes only tell.
_LOST = ("pictures_unread", "pictures_large", "pictures_cut")


@options
class Options:
    format: Annotated[
        Literal["original", "png", "jpg"],
        shown(
            "图片格式",
            "Format",
            "choice",
            choices={"original": ("原格式", "As stored"), "png": ("PNG", "PNG"), "jpg": ("JPG", "JPG")},
            hint=("原格式：JPG 等原样取出，其余为 PNG", "As stored: JPGs and the like untouched, the rest as PNG"),
        ),
    ] = "original"
    quality: Annotated[int, Field(ge=1, le=100), quality_of("jpg")] = 90
    smallest: Annotated[
        int,
        Field(ge=1, le=10_000),
        shown(
            "最小边长",
            "Smallest side",
            "number",
            unit="px",
            hint=("更小的图片（线条、图标）不取", "Smaller pictures (lines, icons) are left out"),
        ),
    ] = 16
    pages: Pages = ""


def extract_image(work: Work[Options]) -> None:
    """One output a picture, in the order of pages; each once, whatever draws it again."""
    from cluster.engines.pdf.drawn import TooMuch
    from cluster.engines.pictures.stored import Stored

    album = work.scratch("pictures.pdf")
    try:
        found, pages = _gathered(work, album)
    except TooMuch as error:
        raise LimitProblem("too_large_when_opened", file=work.source.name) from error
    if not found:
        raise InputProblem("no_pictures_found", file=work.source.name)
    work.allow(pages + len(found))
    with Stored(album) as stored:
        _Taking(work, stored).all(found)


def _gathered(work: Work[Options], album: Path) -> "tuple[list[Found], int]":
    """The pictures, which stand in `album`, and how many pages were searched: none where no page is left."""
    from cluster.engines.pdf.gathered import gather, write_album
    from cluster.engines.pdf.open import opened

    with ExitStack() as held:
        try:
            way = held.enter_context(opened(work.source, work.scratch, work.max_pages))
        except InputProblem as problem:
            found = _with_adrift(work, held, work.source, []) if problem.reason == "damaged_file" else []
            if not found:
                raise
            numbers = []
        else:
            tell_opened(work, way.saved, unlocked=way.locked)
            numbers = each_page(work.options.pages, len(way.pdf.pages))
            work.allow(len(numbers))
            found = gather(way.pdf, numbers)
            if way.saved and way.saved.lacks:
                found = _with_adrift(work, held, way.source, found)
        write_album(found, album)
    return found, len(numbers)


def _with_adrift(work: Work[Options], held: ExitStack, source: Source, found: "list[Found]") -> "list[Found]":
    """With what no page that is left names; it is of no chosen page."""
    from cluster.engines.pdf.adrift import adrift
    from cluster.engines.pdf.gathered import with_adrift

    return with_adrift(found, held.enter_context(adrift(source, work.scratch)), loose=not work.options.pages)


class _Taking:
    """Takes pictures out one by one, and counts what is not taken, by the note that tells it."""

    def __init__(self, work: Work[Options], stored: "Stored") -> None:
        self.work, self.stored = work, stored
        self.seen: set[bytes] = set()
        self.on_page: Counter[int] = Counter()
        self.left: Counter[str] = Counter()

    def all(self, found: "list[Found]") -> None:
        """Write them, and tell."""
        for index, each in enumerate(found):
            self.work.progress(index, len(found), "images")
            self._take(index, each)
        if not self.work.outputs:
            raise self._nothing()
        self.work.note("kept", "pictures_taken", count=len(self.work.outputs))
        for what, count in (+self.left).items():
            self.work.note("lost" if what in _LOST else "told", what, count=count)

    def _nothing(self) -> Problem:
        name = self.work.source.name
        if self.left["pictures_large"]:
            return LimitProblem("too_large_when_opened", file=name)
        return InputProblem("damaged_file" if self.left["pictures_unread"] else "no_pictures_found", file=name)

    def _take(self, index: int, found: "Found") -> None:
        from cluster.engines.pictures.stored import TooLarge

        try:
            if min(self.stored.size(index)) < self.work.options.smallest:
                self.left["pictures_small"] += 1
                return
            kind, data = _file_of(self.stored, index, self.work.options, cut=found.cut)
        except TooLarge:
            self.left["pictures_large"] += 1
            return
        except _DAMAGE:
            self.left["pictures_unread"] += 1
            return
        digest = hashlib.sha256(data).digest()
        if digest in self.seen:
            self.left["pictures_twice"] += 1
            return
        self.seen.add(digest)
        self.on_page[found.page] += 1
        self.left["pictures_cut"] += found.cut
        self.left["pictures_adrift"] += not found.page
        self.work.output(kind, stem=self._name(found.page)).path.write_bytes(data)

    def _name(self, page: int) -> str:
        if self.work.language == "zh":
            where = f"第{page}页" if page else "页码不明"
        else:
            where = f"page{page}" if page else "page-unknown"
        return f"{self.work.source.stem[:90]}_{where}_{self.on_page[page]}"


def _file_of(stored: "Stored", index: int, chosen: Options, *, cut: bool) -> tuple[Kind, bytes]:
    from cluster.engines.pictures.stored import jpg, png

    original = stored.original(index)
    if cut and original and original[0] is not JPG:
        original = None  # programs show half a JPEG, but of others nothing
    if original and chosen.format in ("original", original[0].key):
        return original
    image = stored.decoded(index)
    return (JPG, jpg(image, chosen.quality)) if chosen.format == "jpg" else (PNG, png(image))


TOOL = Tool(
    id=37,
    key="extract_image",
    route="/PdfExtractImage",
    group=Group.CONVERT,
    gives=(JPG, PNG, TIFF, JP2),
    options=Options,
    run=extract_image,
    suffix=("提取图片", "pictures"),
    icon="images",
    bounds=Bounds(cap=600),
)
