"""Segmentation: pages cut along lines into several pages, each with what lies on it and nothing of the others."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Pages, shown
from cluster.kinds import PDF
from cluster.opening import with_document
from cluster.pages import parse_pages
from cluster.paper import MM
from cluster.problem import InputProblem
from cluster.telling import tell_broken, tell_counts
from cluster.tool import MIB, Bounds, Group, Lane, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.pages.bind import Binder
    from cluster.engines.pages.sliced import Slice
    from cluster.engines.pages.slices import Lines
    from cluster.engines.pages.whole import Whole

_MOST = 10
_GRID = {"way": ["grid"]}
Cut = Annotated[float, Field(ge=0, le=1)]
Cuts = Annotated[tuple[Cut, ...], Field(max_length=_MOST - 1)]
"""Lines as shares of the page as it is read: of its width from the left, or of its height from the top."""


@options
class PageCuts:
    """The lines of one page, drawn by hand; none leave it whole. `file` counts from 0, `page` from 1."""

    file: Annotated[int, Field(ge=0, le=49)] = 0
    page: Annotated[int, Field(ge=1, le=200_000)]
    columns: Cuts = ()
    rows: Cuts = ()


@options
class Options:
    way: Annotated[
        Literal["grid", "gutter"],
        shown(
            "怎么切",
            "How",
            "choice",
            choices={
                "grid": ("按列数和行数", "Columns and rows"),
                "gutter": ("自动找中缝", "Find the gutter"),
            },
            hint=(
                "找中缝只切横向的页面，装订处的阴影或两页之间的空白就是切线",
                "Finding the gutter cuts pages that lie, at the shadow of the binding or the white between two pages",
            ),
        ),
    ] = "grid"
    columns: Annotated[int, Field(ge=1, le=_MOST), shown("列数", "Columns", "number", when=_GRID)] = 2
    rows: Annotated[int, Field(ge=1, le=_MOST), shown("行数", "Rows", "number", when=_GRID)] = 1
    order: Annotated[
        Literal["ltr", "rtl", "down", "down_rtl"],
        shown(
            "阅读顺序",
            "Reading order",
            "select",
            choices={
                "ltr": ("从左到右，再往下", "Left to right, then down"),
                "rtl": ("从右到左，再往下（古籍、日文）", "Right to left, then down"),
                "down": ("从上到下，再往右", "Top down, then right"),
                "down_rtl": ("从上到下，再往左", "Top down, then left"),
            },
        ),
    ] = "ltr"
    keep: Annotated[
        Literal["none", "first", "last", "both"],
        shown(
            "封面不切",
            "Covers left whole",
            "select",
            choices={
                "none": ("都切", "None"),
                "first": ("第一页不切", "The first page"),
                "last": ("最后一页不切", "The last page"),
                "both": ("第一页和最后一页不切", "The first and the last"),
            },
        ),
    ] = "none"
    only: Annotated[
        Literal["any", "landscape"],
        shown(
            "页面方向",
            "Only",
            "select",
            choices={"any": ("所有页面", "Any page"), "landscape": ("仅横向页面", "Landscape pages")},
            when=_GRID,
        ),
    ] = "any"
    overlap: Annotated[
        float,
        Field(ge=0, le=50),
        shown(
            "越过切线",
            "Beyond the cut",
            "number",
            unit="mm",
            hint=("每一份多留一点，切线附近的字不会被切断", "Each part keeps a little more, so that no letter is cut"),
        ),
    ] = 0
    pages: Pages = ""
    column_cuts: Annotated[Cuts, shown("竖切线", "Vertical cuts", "hidden")] = ()
    row_cuts: Annotated[Cuts, shown("横切线", "Horizontal cuts", "hidden")] = ()
    by_page: Annotated[
        tuple[PageCuts, ...], Field(max_length=20_000, fail_fast=True), shown("逐页切线", "Cuts by page", "hidden")
    ] = ()


def segmentation(work: Work[Options]) -> None:
    """One output: the slices in reading order, pages that are not cut among them."""

    with_document(work, work.source, lambda whole: _cut(work, whole))


def _cut(work: Work[Options], whole: "Whole") -> None:
    from cluster.engines.pages.bind import Binder
    from cluster.engines.pages.opening import check_drawable
    from cluster.engines.pages.sliced import Sliced
    from cluster.engines.pdf.open import check_pages

    work.allow(len(whole.leaves))
    check_drawable(work.source, whole)
    slices = list(_slices(work, whole, _lines(work, whole)))
    if len(slices) == len(whole.leaves):
        raise InputProblem("nothing_to_do", file=work.source.name)
    check_pages(work.source, len(slices), work.max_pages)
    output = work.output(PDF)
    output.pages = len(slices)
    with Binder(output.path, twins=True) as binder:
        binder.add(Sliced(whole, slices), lambda done: work.progress(done, len(slices), "writing"))
        binder.close()
        _tell(work, whole, binder, slices)


def _lines(work: Work[Options], whole: "Whole") -> Mapping[int, "Lines"]:
    """Position of each page that is cut -> where."""
    from cluster.engines.pages.slices import Lines

    chosen, count = work.options, len(whole.leaves)
    asked = _asked(chosen, whole)
    lines = _gutters(work, whole, asked) if chosen.way == "gutter" else dict.fromkeys(asked, _grid(chosen))
    for each in chosen.by_page:
        if each.file == work.source.index:
            parse_pages(str(each.page), count)
            lines[each.page - 1] = Lines(each.columns, each.rows)
    return lines


def _asked(chosen: Options, whole: "Whole") -> list[int]:
    """Positions of the pages to cut, but for what was drawn by hand."""
    from cluster.engines.pages.slices import is_landscape

    count = len(whole.leaves)
    covers = {0} if chosen.keep in ("first", "both") else set()
    covers |= {count - 1} if chosen.keep in ("last", "both") else set()
    asked = sorted({page - 1 for page in parse_pages(chosen.pages, count)} - covers)
    if chosen.way == "grid" and chosen.only == "any":
        return asked
    return [at for at in asked if is_landscape(whole.document, whole.page(at))]


def _grid(chosen: Options) -> "Lines":
    """The document's lines: those that were drawn, where they are as many as asked for."""
    from cluster.engines.pages.slices import Lines, even

    equal = even(chosen.columns, chosen.rows)
    columns = chosen.column_cuts if len(chosen.column_cuts) == len(equal.columns) else equal.columns
    rows = chosen.row_cuts if len(chosen.row_cuts) == len(equal.rows) else equal.rows
    return Lines(columns, rows)


def _gutters(work: Work[Options], whole: "Whole", asked: list[int]) -> dict[int, "Lines"]:
    """Where each page is bound; told is where that was not seen, and the page is cut in the middle."""
    from cluster.engines.draw.gutter import gutters
    from cluster.engines.pages.slices import Lines
    from cluster.pages import format_pages

    lines, unsure = dict[int, Lines](), dict[str, list[int]]()
    for at, found in gutters(whole.document.path, asked):
        lines[at] = Lines((found.at if found else 0.5,))
        if not (found and found.shaded):
            unsure.setdefault("gutter_white" if found else "gutter_missed", []).append(at + 1)
        work.progress(len(lines), 2 * len(asked), "rendering")
    for what, pages in unsure.items():
        work.note("told", what, count=len(pages), detail=format_pages(pages)[:200])
    return lines


def _slices(work: Work[Options], whole: "Whole", lines: Mapping[int, "Lines"]) -> Iterator["Slice"]:
    from cluster.engines.pages.sliced import Slice
    from cluster.engines.pages.slices import boxes

    document = whole.document
    for at in range(len(whole.leaves)):
        shares = lines[at].shares(work.options.order) if at in lines else []
        if len(shares) < 2:
            yield Slice(at)
            continue
        for box in boxes(document, whole.page(at), shares, work.options.overlap * MM):
            yield Slice(at, box)


def _tell(work: Work[Options], whole: "Whole", binder: "Binder", slices: list["Slice"]) -> None:
    from cluster.engines.pages.tags import TagTree

    cut = [each.page for each in slices if each.box]
    work.note("changed", "pages_cut", count=len(set(cut)), parts=len(cut))
    tell_counts(work, *binder.counts())
    tell_broken(work, binder.form.signatures, binder.form.xfa)
    if whole.once(TagTree):
        work.note("lost", "tags_lost")


TOOL = Tool(
    id=33,
    key="segmentation",
    route="/pdfsegmentation",
    group=Group.PAGES,
    options=Options,
    run=segmentation,
    suffix=("切分", "segmented"),
    lane=Lane.HEAVY,
    icon="columns-2",
    editor="slices",
    bounds=Bounds(base=60, per_mib=4, per_page=4, cap=900, memory=2048 * MIB),
)
