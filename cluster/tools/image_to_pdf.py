"""Pictures as one PDF, or as one each: on paper or as large as they are, in an order, turned by hand."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import ORDERS, ORIENTATIONS, PAPER_NAMES, shown
from cluster.kinds import PDF, PICTURES, SVG
from cluster.numbers import natural
from cluster.paper import MM, PAPERS
from cluster.problem import Problem
from cluster.tool import MIB, Bounds, Group, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.pages.bind import Binder
    from cluster.engines.pages.mount import Mount

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
    turns: Annotated[
        tuple[Turn, ...],
        Field(max_length=500),
        shown("旋转", "Turn", "per_file", editor=True),
    ] = ()


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

    output, mount = work.output(PDF, source=of), _mount(work.options)
    with Binder(output.path, twins=len(pairs) > 1) as binder:
        for done, (source, turn) in enumerate(pairs):
            if of is None:
                work.progress(done, len(pairs))
            with work.about(source):
                _add(work, binder, source, mount, turn)
        binder.close()
        output.pages = binder.pages


def _mount(chosen: Options) -> "Mount":
    from cluster.engines.pages.mount import Mount

    paper = PAPERS.get(chosen.paper)
    return Mount(paper, chosen.orientation, chosen.margin * MM, fill=paper is not None and chosen.fit == "fill")


def _add(work: Work[Options], binder: "Binder", source: Source, mount: "Mount", turn: int) -> None:
    """A page for a picture, several for a TIFF of several."""
    from cluster.engines.pages.pictures import count_frames, picture_pages
    from cluster.engines.pdf.open import check_pages

    if source.kind is SVG:
        _add_drawing(work, binder, source, mount, turn)
        return
    count = count_frames(source, work.max_pages)
    check_pages(source, binder.pages + count, work.max_pages)
    work.allow(binder.pages + count)
    for frame in picture_pages(source, range(1, count + 1)):
        shown = frame.turned(turn)
        binder.add_page(lambda *place, shown=shown: shown.write(*place, mount.placed(shown.size())))
        if frame.moving:
            work.note("lost", "first_frame", detail=source.name)


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


TOOL = Tool(
    id=13,
    key="image_to_pdf",
    route="/Image2Pdf",
    group=Group.CONVERT,
    takes="all",
    accepts=(*PICTURES, SVG),
    options=Options,
    run=image_to_pdf,
    suffix=("转换", "converted"),
    icon="images",
    editor="album",
    bounds=Bounds(base=60, cap=600, memory=2048 * MIB),
)
