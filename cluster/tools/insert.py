"""Insert pages of other PDFs into the first one: at its start or end, after some pages, or every so many."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.arranging import arranged
from cluster.fields import Pages, Toggle, shown
from cluster.pages import parse_pages
from cluster.tool import MIB, Bounds, Group, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.arranging import Order
    from cluster.engines.pages.arrange import Slot
    from cluster.engines.pages.opening import Opener


@options
class Options:
    where: Annotated[
        Literal["start", "end", "before", "after", "every"],
        shown(
            "插入到第一个文件的",
            "Where in the first file",
            "select",
            choices={
                "start": ("开头", "At the start"),
                "end": ("末尾", "At the end"),
                "before": ("指定页之前", "Before a page"),
                "after": ("指定页之后", "After a page"),
                "every": ("每隔几页", "Every few pages"),
            },
        ),
    ] = "end"
    page: Annotated[
        int,
        Field(ge=1, le=20000),
        shown("页码", "Page", "number", when={"where": ["before", "after"]}),
    ] = 1
    every: Annotated[
        int,
        Field(ge=1, le=20000),
        shown("每隔页数", "Pages between", "number", when={"where": ["every"]}),
    ] = 1
    pages: Annotated[
        Pages,
        shown(
            "插入的页码",
            "Pages to insert",
            "pages",
            hint=("其他文件中的页码，留空为全部", "of the other files; empty means all"),
        ),
    ] = ""
    fit: Annotated[
        Toggle,
        shown(
            "缩放到相邻页的宽度",
            "Scale to the width of the page beside",
            "toggle",
            hint=("默认保持原来的大小", "Else they keep their size"),
        ),
    ] = False


def insert(work: Work[Options]) -> None:
    """One output: the first file with the others' pages in it, in their order."""

    def plan(opener: "Opener") -> "Order":
        counts = [_pages(opener, work, source) for source in work.sources]
        inserted = list(_inserted(work, counts))
        places = _places(work.options, counts[0])
        work.note("changed", "pages_inserted", count=len(inserted) * len(places))
        return list(_laid(counts[0], places, inserted))

    arranged(work, work.sources, plan)


def _pages(opener: "Opener", work: Work[Options], source: Source) -> int:
    with work.about(source):
        return opener.pages(source)


def _inserted(work: Work[Options], counts: list[int]) -> "Iterator[Slot]":
    from cluster.engines.pages.arrange import Slot

    for file, (source, count) in enumerate(zip(work.sources, counts, strict=True)):
        with work.about(source):
            chosen = parse_pages(work.options.pages, count) if file else ()
        yield from (Slot(file, page - 1, fit=work.options.fit) for page in chosen)


def _places(chosen: Options, count: int) -> list[int]:
    """After how many pages of the first file something is inserted."""
    match chosen.where:
        case "start":
            return [0]
        case "end":
            return [count]
        case "every":
            return list(range(chosen.every, count, chosen.every)) or [count]
    parse_pages(str(chosen.page), count)
    return [chosen.page - (chosen.where == "before")]


def _laid(count: int, places: list[int], inserted: "list[Slot]") -> "Iterator[Slot]":
    from cluster.engines.pages.arrange import Slot

    after = set(places)
    for page in range(count + 1):
        if page in after:
            yield from inserted
        if page < count:
            yield Slot(0, page)


TOOL = Tool(
    id=34,
    key="insert",
    route="/InsertPdfPage",
    group=Group.PAGES,
    takes="all",
    options=Options,
    run=insert,
    suffix=("插页", "inserted"),
    icon="file-plus",
    editor="insert",
    least=2,
    bounds=Bounds(base=60, cap=600, memory=2048 * MIB),
)
