"""Delete pages of a PDF: those named, and blank ones; nothing of them stays."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.arranging import arranged
from cluster.fields import Pages, shown
from cluster.pages import format_pages, parse_pages
from cluster.problem import InputProblem
from cluster.tool import Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.arranging import Order
    from cluster.engines.pages.opening import Opener
    from cluster.engines.pages.whole import Whole


@options
class Found:
    """A blank page that was seen, and is to go: `file` counts from 0, `page` from 1."""

    file: Annotated[int, Field(ge=0, le=49)] = 0
    page: Annotated[int, Field(ge=1, le=200_000)]


@options
class Options:
    """`found`: the blank pages that were shown beforehand, and no others go; without it they are looked for here."""

    pages: Annotated[
        Pages,
        shown(
            "要删除的页码",
            "Pages to delete",
            "pages",
            hint=("例如 1-3,5,8-；只删空白页时可不填", "e.g. 1-3,5,8-; may be empty to delete blank pages only"),
            empty="none",
        ),
    ] = ""
    blanks: Annotated[
        Literal["keep", "strict", "normal", "tolerant"],
        shown(
            "空白页",
            "Blank pages",
            "select",
            choices={
                "keep": ("保留", "Keep"),
                "strict": ("删除完全空白的页", "Delete those with nothing at all"),
                "normal": (
                    "删除空白页（不计扫描的噪点、装订孔）",
                    "Delete blank ones (dust and punched holes do not count)",
                ),
                "tolerant": ("删除几乎空白的页（只有页码也算）", "Delete nearly blank ones (even with a page number)"),
            },
            hint=(
                "找到的页会在看板上划掉，点一下就保留",
                "Those that are found are struck out on the board; click one to keep it",
            ),
        ),
    ] = "keep"
    found: Annotated[
        tuple[Found, ...] | None,
        Field(max_length=20_000, fail_fast=True),
        shown("找到的空白页", "Blank pages found", "hidden"),
    ] = None


def delete(work: Work[Options]) -> None:
    """One output: the pages that stay, in their order."""
    from cluster.engines.pages.arrange import Slot

    def plan(opener: "Opener") -> "Order":
        with opener.whole(work.source) as whole:
            gone = _gone(work, whole)
            count = len(whole.leaves)
        left = [page for page in range(count) if page not in gone]
        if not left:
            raise InputProblem("nothing_left", file=work.source.name)
        opener.read.discard(work.source.index)
        listed = format_pages(page + 1 for page in sorted(gone))
        work.note("changed", "pages_deleted", count=len(gone), detail=listed[:200])
        return [Slot(0, page) for page in left]

    arranged(work, work.sources, plan)


def _gone(work: Work[Options], whole: "Whole") -> set[int]:
    """Positions of the pages to delete."""
    chosen, count = work.options, len(whole.leaves)
    gone = {page - 1 for page in parse_pages(chosen.pages, count)} if chosen.pages.strip() else set()
    if chosen.blanks != "keep":
        blank = _blank(work, whole)
        work.note("told", "blank_pages", count=len(blank))
        gone |= blank
    if not gone:
        raise InputProblem("nothing_to_do", file=work.source.name)
    return gone


def _blank(work: Work[Options], whole: "Whole") -> set[int]:
    """Positions of the blank pages: those that were shown and are to go, or those found here."""
    if work.options.found is not None:
        mine = [each.page for each in work.options.found if each.file == work.source.index]
        return {number - 1 for page in mine for number in parse_pages(str(page), len(whole.leaves))}
    from cluster.engines.draw.blanks import blank_pages

    def told(done: int, total: int) -> None:
        work.progress(done, 2 * total, "rendering")

    return set(blank_pages(whole.document.path, work.options.blanks, told))


TOOL = Tool(
    id=17,
    key="delete",
    route="/PdfDelete",
    group=Group.PAGES,
    options=Options,
    run=delete,
    suffix=("删页", "pages_deleted"),
    icon="file-minus",
    editor="strike",
    example={"pages": "1"},
)
