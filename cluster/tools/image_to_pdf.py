"""Pictures as one PDF, or as one each: on paper or as large as they are, in an order, turned by hand, searchable."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cluster.fields import ORDERS, ORIENTATIONS, PAPER_NAMES, Toggle, shown
from cluster.kinds import PDF, PICTURES, SVG
from cluster.numbers import natural
from cluster.paper import MM, PAPERS
from cluster.problem import InputProblem, LimitProblem, Problem
from cluster.reading import LANGUAGES, OCR_PAGES, ReadableLanguage, tell_engines
from cluster.telling import tell_frame
from cluster.tool import MIB, Bounds, Group, Lane, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.layout.line import Line, Page
    from cluster.engines.pages.bind import Binder
    from cluster.engines.pages.mount import Mount, Placed

_ON_PAPER = ["a4", "a3", "a5", "letter"]
Turn = Annotated[
    Literal[0, 90, 180, 270],
    shown(
        "旋转",
        "Turn",
        "select",
        choices={
            "0": ("不旋转", "Not at all"),
            "90": ("向右 90°", "Right by 90°"),
            "180": ("180°", "180°"),
            "270": ("向左 90°", "Left by 90°"),
        },
    ),
]
"""Degrees clockwise, beyond what the picture's own EXIF says."""


@options
class Options:
    paper: Annotated[
        Literal["picture", "a4", "a3", "a5", "letter"],
        shown(
            "页面大小",
            "Page size",
            "select",
            choices={
                "picture": ("与图片相同", "As the picture"),
                **PAPER_NAMES,
            },
        ),
    ] = "picture"
    orientation: Annotated[
        Literal["auto", "portrait", "landscape"],
        shown(
            "页面方向",
            "Orientation",
            "choice",
            choices=ORIENTATIONS,
            when={"paper": _ON_PAPER},
        ),
    ] = "auto"
    fit: Annotated[
        Literal["fit", "fill"],
        shown(
            "图片在页面上",
            "On the page",
            "choice",
            choices={"fit": ("完整显示", "Whole"), "fill": ("铺满并裁边", "Fill and cut")},
            when={"paper": _ON_PAPER},
        ),
    ] = "fit"
    margin: Annotated[float, Field(ge=0, le=50), shown("页边距", "Margin", "number", unit="mm")] = 0
    into: Annotated[
        Literal["one", "each"],
        shown(
            "输出",
            "Result",
            "choice",
            choices={"one": ("合成一个 PDF", "One PDF"), "each": ("每张图片一个 PDF", "A PDF for each")},
        ),
    ] = "one"
    order: Annotated[
        Literal["given", "name", "taken"],
        shown(
            "顺序",
            "Order",
            "select",
            choices={**ORDERS, "taken": ("按拍摄时间", "By the time taken")},
            editor=True,
        ),
    ] = "given"
    searchable: Annotated[
        Toggle,
        shown(
            "文字可搜索",
            "Searchable words",
            "toggle",
            hint=(
                "识别图片里的文字，放在图片上看不见的一层里：可以搜索、选中和复制；图片本身不变，时间会长一些",
                "Reads the words and lays them unseen over the picture, to be found and copied; takes longer",
            ),
        ),
    ] = False
    language: Annotated[
        ReadableLanguage, shown("文字语言", "Language", "select", choices=LANGUAGES, when={"searchable": [True]})
    ] = "auto"
    turns: Annotated[
        tuple[Turn, ...],
        Field(max_length=500),
        shown("旋转", "Turn", "per_file", editor=True),
    ] = ()


@dataclass(frozen=True)
class _Laid:
    """A picture as it lies: its turn, and its places on the pages that it makes."""

    source: Source
    turn: int
    places: "list[Placed]" = field(default_factory=list)


def plan(work: Work[Options]) -> list[dict[str, Any]]:
    """One share, in the OCR lane where words are read."""
    return [{"lane": Lane.OCR} if work.options.searchable else {}]


def image_to_pdf(work: Work[Options]) -> None:
    """One output of all, or one each; of several, one that cannot be read is left out and told."""
    pairs = _ordered(work)
    if work.options.into == "one":
        _write(work, pairs, None)
    else:
        _each(work, pairs)
    work.note("told", "pictures_joined", count=sum(output.pages or 0 for output in work.outputs))


def _each(work: Work[Options], pairs: list[tuple[Source, int]]) -> None:
    first: Problem | None = None
    for done, pair in enumerate(pairs):
        work.progress(done, len(pairs))
        outputs, notes = len(work.outputs), len(work.notes)
        try:
            _write(work, [pair], pair[0])
        except Problem as problem:
            del work.outputs[outputs:]
            del work.notes[notes:]
            first = first or problem
            work.note("lost", "picture_left_out", detail=pair[0].name)
    if first and not work.outputs:
        raise first


def _ordered(work: Work[Options]) -> list[tuple[Source, int]]:
    """Each source with its turn, as they shall stand."""
    pairs = list(zip(work.sources, [*work.options.turns, *[0] * len(work.sources)], strict=False))
    match work.options.order:
        case "name":
            return sorted(pairs, key=lambda pair: natural(pair[0].name))
        case "taken":
            return sorted(pairs, key=lambda pair: _taken(work, pair[0]))
    return pairs


def _taken(work: Work[Options], source: Source) -> tuple[bool, str]:
    """Those without a time come last, as they were given."""
    from cluster.engines.pages.pictures import taken

    with work.about(source):
        found = "" if source.kind is SVG else taken(source)
    return not found, found


def _write(work: Work[Options], pairs: list[tuple[Source, int]], of: Source | None) -> None:
    from cluster.engines.pages.bind import Binder

    output, mount, laid = work.output(PDF, source=of), _mount(work.options), [_Laid(*pair) for pair in pairs]
    path = work.scratch("pictures.pdf") if work.options.searchable else output.path
    with Binder(path, twins=len(pairs) > 1) as binder:
        for done, each in enumerate(laid):
            if of is None:
                work.progress(done, len(pairs))
            with work.about(each.source):
                _add(work, binder, each, mount)
        binder.close()
        output.pages = binder.pages
    if work.options.searchable:
        output.text = _add_words(work, path, output.path, laid)


def _mount(chosen: Options) -> "Mount":
    from cluster.engines.pages.mount import Mount

    paper = PAPERS.get(chosen.paper)
    return Mount(paper, chosen.orientation, chosen.margin * MM, fill=paper is not None and chosen.fit == "fill")


def _add(work: Work[Options], binder: "Binder", each: _Laid, mount: "Mount") -> None:
    """A page for a picture, several for a TIFF of several."""
    from cluster.engines.pages.pictures import count_frames, picture_pages
    from cluster.engines.pdf.open import check_pages

    source = each.source
    if source.kind is SVG:
        _add_drawing(work, binder, source, mount, each.turn)
        return
    count = count_frames(source, work.max_pages)
    check_pages(source, binder.pages + count, work.max_pages)
    work.allow(binder.pages + count)
    for frame in picture_pages(source, range(1, count + 1)):
        shown = frame.turned(each.turn)
        each.places.append(on := mount.placed(shown.size()))
        binder.add_page(lambda *place, shown=shown, on=on: shown.write(*place, on))
        tell_frame(work, frame, source.name)


def _add_drawing(work: Work[Options], binder: "Binder", source: Source, mount: "Mount", turn: int) -> None:
    from cluster.engines.pages.drawing import Drawing
    from cluster.engines.pages.part import Part
    from cluster.engines.pages.whole import Whole
    from cluster.engines.pdf.reader import Document

    drawing = Drawing(source, work.scratch(f"svg-{source.index}"))
    page = work.scratch(f"svg-{source.index}.pdf")
    drawing.write(page, mount, turn)
    with Document(page) as document:
        binder.add(Part(Whole(document, 1), [0], [binder.pages]))
    if drawing.outer:
        work.note("lost", "remote_blocked")


def _add_words(work: Work[Options], bare: Path, path: Path, laid: list[_Laid]) -> bool:
    """Write `bare` to `path` with the words of its pictures, unseen, and tell of them; whether the first has any."""
    from cluster.engines.export.searchable import add_lines
    from cluster.engines.ocr.legible import strange
    from cluster.engines.reading.standing import placed_lines

    lines, pages = list["list[Line]"](), list["Page"]()
    work.allow(OCR_PAGES * sum(len(each.places) for each in laid))
    for done, each in enumerate(laid):
        work.progress(done, len(laid), "reading")
        read = _read(work, each)
        pages += read
        # A drawing's words are text already; what could not be read makes its pages all the same.
        empty = [list["Line"]()] * (max(1, len(each.places)) - len(read))
        lines += [*(placed_lines(page, on) for page, on in zip(read, each.places, strict=False)), *empty]
    add_lines(bare, path, lines)
    tell_engines(work, (page.engines for page in pages))
    if unread := strange(pages)[0]:
        work.note("lost", "lines_unread", count=unread)
    letters = sum(len("".join(line.text.split())) for page in lines for line in page)
    if letters:
        work.note("kept", "text_kept")
        work.note("told", "characters", count=letters)
    else:
        work.note("told", "no_words")
    return bool(lines[0])


def _read(work: Work[Options], each: _Laid) -> "list[Page]":
    """What was read of the picture, a page a place; none of one whose pixels cannot be had, which is told."""
    from cluster.engines.reading.standing import read_pages

    if each.source.kind is SVG:
        return []
    try:
        with work.about(each.source):
            return list(read_pages(each.source, each.turn, work.options.language))[: len(each.places)]
    except (InputProblem, LimitProblem):
        work.note("lost", "words_unread", detail=each.source.name)
        return []


TOOL = Tool(
    id=13,
    key="image_to_pdf",
    route="/Image2Pdf",
    group=Group.CONVERT,
    takes="all",
    accepts=(*PICTURES, SVG),
    options=Options,
    run=image_to_pdf,
    plan=plan,
    suffix=("转换", "converted"),
    icon="images",
    editor="album",
    bounds=Bounds(base=60, cap=600, memory=2048 * MIB),
)
