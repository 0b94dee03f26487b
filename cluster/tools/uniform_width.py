"""Uniform width: every page scaled, with everything on it, to one width; the height follows."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Pages, shown
from cluster.kinds import PDF
from cluster.opening import with_document
from cluster.pages import parse_pages
from cluster.paper import MM, PAPERS, Size
from cluster.telling import tell_broken, tell_counts
from cluster.tool import Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.pages.bind import Binder
    from cluster.engines.pages.whole import Whole

#: The longest side that all readers show, in points (ISO 32000-2, annex C).
_LONGEST = 14_400
_NAMED_SIZES = 4


@options
class Options:
    width: Annotated[
        Literal["first", "widest", "commonest", "a3", "a4", "a5", "letter", "mm"],
        shown(
            "统一为",
            "Width",
            "select",
            choices={
                "first": ("与第一页相同", "As the first page"),
                "widest": ("与最宽的页相同", "As the widest page"),
                "commonest": ("与最多的页相同", "As most pages"),
                "a3": ("A3（297 mm）", "A3 (297 mm)"),
                "a4": ("A4（210 mm）", "A4 (210 mm)"),
                "a5": ("A5（148 mm）", "A5 (148 mm)"),
                "letter": ("Letter（216 mm）", "Letter (216 mm)"),
                "mm": ("自定义", "Custom"),
            },
        ),
    ] = "first"
    mm: Annotated[float, Field(ge=10, le=2000), shown("宽度", "Width", "number", unit="mm", when={"width": ["mm"]})] = (
        210
    )
    landscape: Annotated[
        Literal["same", "apart"],
        shown(
            "横向页面",
            "Landscape pages",
            "choice",
            choices={"same": ("一样宽", "As wide as the others"), "apart": ("一样大，仍横放", "As large, lying")},
            hint=(
                "“一样大”是让横向页面的短边等于统一的宽度，与竖向页面转过来一样大",
                "“As large” gives their short side the width, so that they are like the others turned",
            ),
        ),
    ] = "same"
    pages: Pages = ""


def uniform_width(work: Work[Options]) -> None:
    """Copy the document object by object; pages that are not asked for stay as they are."""

    def job(whole: "Whole") -> None:
        from cluster.engines.pages.bind import Binder
        from cluster.engines.pages.part import Part

        count = len(whole.leaves)
        work.allow(count)
        part = Part(whole, range(count))
        sizes = _sizes(whole)
        times = _times(work.options, sizes)
        part.factors = _factors(whole, sizes, times)
        output = work.output(PDF)
        with Binder(output.path, twins=True) as binder:
            binder.add(part, lambda done: work.progress(done, count))
            binder.close()
            output.pages = binder.pages
            _tell(work, binder, sizes, {at: times[at] for at in part.factors})

    with_document(work, work.source, job)


def _sizes(whole: "Whole") -> list[Size]:
    from cluster.engines.pages.scale import visible_size

    return [visible_size(whole.document, whole.page(at)) for at in range(len(whole.leaves))]


def _times(chosen: Options, sizes: list[Size]) -> dict[int, float]:
    """How much larger the pages that are asked for come out, by position; too long ones stay as they are."""
    asked = sorted({number - 1 for number in parse_pages(chosen.pages, len(sizes))})
    width = _width(chosen, [_measured(chosen, sizes[at]) for at in asked])
    times = {at: width / _measured(chosen, sizes[at]) for at in asked}
    return {at: each for at, each in times.items() if max(sizes[at]) * each <= _LONGEST}


def _factors(whole: "Whole", sizes: list[Size], times: dict[int, float]) -> dict[int, float]:
    """What the units of the pages that change are multiplied by."""
    from cluster.engines.pages.scale import factor_for

    wanted = {at: factor_for(whole.document, whole.page(at), sizes[at][0] * each) for at, each in times.items()}
    return {at: factor for at, factor in wanted.items() if factor}


def _measured(chosen: Options, size: Size) -> float:
    """What is compared with the wanted width."""
    return min(size) if chosen.landscape == "apart" else size[0]


def _width(chosen: Options, widths: list[float]) -> float:
    """The wanted width in points."""
    match chosen.width:
        case "first":
            return widths[0]
        case "widest":
            return max(widths)
        case "commonest":
            common = Counter(round(width) for width in widths).most_common(1)[0][0]
            return next(width for width in widths if round(width) == common)
        case "mm":
            return chosen.mm * MM
        case paper:
            return PAPERS[paper][0]


def _tell(work: Work[Options], binder: "Binder", sizes: list[Size], times: dict[int, float]) -> None:

    if times:
        after = [(size[0] * times.get(at, 1.0), size[1] * times.get(at, 1.0)) for at, size in enumerate(sizes)]
        work.note("changed", "pages_scaled", count=len(times))
        work.note("changed", "page_sizes", before=_named(sizes), after=_named(after))
    else:
        work.note("told", "width_same")
    tell_counts(work, *binder.counts())
    tell_broken(work, binder.form.signatures, binder.form.xfa)


def _named(sizes: Iterable[Size]) -> str:
    """The commonest sizes in mm, with how many pages have each."""
    counted = Counter(f"{width / MM:.0f} × {height / MM:.0f} mm" for width, height in sizes).most_common()
    named = [f"{size} ({count})" for size, count in counted[:_NAMED_SIZES]]
    return ", ".join([*named, "…"] if len(counted) > _NAMED_SIZES else named)


TOOL = Tool(
    id=42,
    key="uniform_width",
    route="/UniformWidth",
    group=Group.PAGES,
    options=Options,
    run=uniform_width,
    suffix=("统一页宽", "uniform"),
    icon="scaling",
    example={"width": "a5"},
)
