"""Add blank pages to a PDF: plain, ruled or squared, after or before some pages, or where printing needs them."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.arranging import arranged
from cluster.fields import Pages, shown
from cluster.pages import parse_pages
from cluster.paper import MM, PAPERS
from cluster.problem import InputProblem
from cluster.tool import Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.arranging import Order
    from cluster.engines.pages.arrange import Blank
    from cluster.engines.pages.opening import Opener


@options
class Options:
    where: Annotated[
        Literal["after", "before", "odd"],
        shown(
            "位置",
            "Where",
            "choice",
            choices={
                "after": ("这些页之后", "After these pages"),
                "before": ("这些页之前", "Before these pages"),
                "odd": ("奇数页文件末尾", "At the end of odd documents"),
            },
        ),
    ] = "after"
    pages: Annotated[
        Pages,
        shown(
            "页码",
            "Pages",
            "pages",
            hint=("例如 1,3,last；留空为每一页", "e.g. 1,3,last; empty means every page"),
            when={"where": ["after", "before"]},
        ),
    ] = "last"
    count: Annotated[int, Field(ge=1, le=100), shown("每处页数", "Blank pages at each place", "number")] = 1
    size: Annotated[
        Literal["previous", "next", "a4", "a3", "a5", "own"],
        shown(
            "纸张大小",
            "Size",
            "select",
            choices={
                "previous": ("与前一页相同", "As the page before"),
                "next": ("与后一页相同", "As the page after"),
                "a4": ("A4", "A4"),
                "a3": ("A3", "A3"),
                "a5": ("A5", "A5"),
                "own": ("自定义", "Custom"),
            },
        ),
    ] = "previous"
    width: Annotated[
        float, Field(ge=10, le=5000), shown("宽", "Width", "number", unit="mm", when={"size": ["own"]})
    ] = 210.0
    height: Annotated[
        float, Field(ge=10, le=5000), shown("高", "Height", "number", unit="mm", when={"size": ["own"]})
    ] = 297.0
    paper: Annotated[
        Literal["plain", "ruled", "grid"],
        shown(
            "纸面",
            "Paper",
            "choice",
            choices={
                "plain": ("空白", "Plain"),
                "ruled": ("横线", "Ruled"),
                "grid": ("方格", "Squared"),
            },
        ),
    ] = "plain"


def blank(work: Work[Options]) -> None:
    """One output: the document with blank pages in it."""
    from cluster.engines.pages.arrange import Slot

    def plan(opener: "Opener") -> "Order":
        count, chosen = opener.pages(work.source), work.options
        places = _places(work, count)
        work.note("changed", "blanks_added", count=len(places) * chosen.count)
        order: list[Slot | Blank] = []
        made = [_blank(chosen)] * chosen.count
        for page in range(count + 1):
            if page in places:
                order += made
            if page < count:
                order.append(Slot(0, page))
        return order

    arranged(work, work.sources, plan)


def _places(work: Work[Options], count: int) -> set[int]:
    """After how many pages of the document blank ones stand."""
    chosen = work.options
    if chosen.where == "odd":
        if count % 2 == 0:
            raise InputProblem("nothing_to_do", file=work.source.name)
        return {count}
    return {page - (chosen.where == "before") for page in parse_pages(chosen.pages, count)}


def _blank(chosen: Options) -> "Blank":
    from cluster.engines.pages.arrange import Blank

    if chosen.size in ("previous", "next"):
        return Blank(paper=chosen.paper, after=chosen.size == "next")
    return Blank(PAPERS.get(chosen.size) or (chosen.width * MM, chosen.height * MM), chosen.paper)


TOOL = Tool(
    id=36,
    key="blank",
    route="/AddBlankPage",
    group=Group.PAGES,
    options=Options,
    run=blank,
    suffix=("空白页", "blank_pages"),
    icon="file-plus-2",
    editor="pick",
)
