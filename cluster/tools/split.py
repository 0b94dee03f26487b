"""Split a PDF: by ranges, every N pages, into N files, by size, by bookmarks, odd and even, singly, at blank pages."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import Field

from cluster.fields import shown
from cluster.kinds import PDF
from cluster.problem import InputProblem
from cluster.tool import Group, Lane, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.extract import Carried, Whole
    from cluster.engines.parts import Cut

#: What "MB" promises holds for both of its meanings.
MB = 1_000_000


@options
class Ranges:
    """Typed or cut ranges, one file each or joined."""

    how: Annotated[Literal["ranges"], shown("按页码范围", "By ranges", "hidden")] = "ranges"
    ranges: Annotated[
        str,
        Field(max_length=20000),
        shown(
            "页码范围",
            "Ranges",
            "text",
            hint=("例如 1-3;4-6，每段一个文件；一个文件内用逗号：1-3,7;4-6", "e.g. 1-3;4-6: a file each; commas within a file: 1-3,7;4-6"),
        ),
    ] = ""  # fmt: skip
    joined: Annotated[bool, shown("合并为一个文件", "All in one file", "toggle")] = False


@options
class Every:
    """Parts of equal length."""

    how: Annotated[Literal["every"], shown("每 N 页", "Every N pages", "hidden")] = "every"
    pages: Annotated[int, Field(ge=1, le=20000), shown("每份页数", "Pages in a file", "number")] = 1


@options
class Into:
    """A number of parts."""

    how: Annotated[Literal["into"], shown("平均分成 N 份", "Into N files", "hidden")] = "into"
    files: Annotated[int, Field(ge=2, le=2000), shown("份数", "Files", "number")] = 2


@options
class Size:
    """Parts under a size."""

    how: Annotated[Literal["size"], shown("按文件大小", "By size", "hidden")] = "size"
    megabytes: Annotated[float, Field(ge=0.01, le=4096), shown("每份最大", "At most", "number", unit="MB")] = 10.0


@options
class Bookmarks:
    """A part for each bookmark."""

    how: Annotated[Literal["bookmarks"], shown("按书签", "By bookmarks", "hidden")] = "bookmarks"
    level: Annotated[
        int,
        Field(ge=1, le=9),
        shown("书签级别", "Level", "number", hint=("1 为最上级，文件以书签命名", "1 is the top; files are named after them")),
    ] = 1  # fmt: skip


@options
class OddEven:
    """Odd and even pages apart."""

    how: Annotated[Literal["odd_even"], shown("奇偶页", "Odd and even", "hidden")] = "odd_even"


@options
class Single:
    """Each page a file."""

    how: Annotated[Literal["single"], shown("每页一个文件", "Single pages", "hidden")] = "single"


@options
class Blanks:
    """Parts between blank pages."""

    how: Annotated[Literal["blanks"], shown("按空白页", "At blank pages", "hidden")] = "blanks"
    sensitivity: Annotated[
        Literal["strict", "normal", "tolerant"],
        shown(
            "空白判断",
            "What is blank",
            "choice",
            choices={
                "strict": ("完全空白", "Nothing at all"),
                "normal": ("几乎空白", "Nearly nothing"),
                "tolerant": ("扫描件（容许污点）", "Scans (specks allowed)"),
            },
        ),
    ] = "normal"
    keep: Annotated[bool, shown("保留空白页", "Keep the blank pages", "toggle")] = False


Way = Ranges | Every | Into | Size | Bookmarks | OddEven | Single | Blanks


@options
class Options:
    split: Annotated[Way, Field(discriminator="how"), shown("拆分方式", "How", "tabs")] = Ranges()


AnyOptions = TypeVar("AnyOptions")


def split(work: Work[Options]) -> None:
    """One output a part; the receipt tells what all parts together carry."""
    from cluster.engines.extract import with_document

    def job(whole: "Whole") -> None:
        work.allow(len(whole.leaves))
        cuts = planned(work, whole, work.options.split)
        tell(work, write(work, whole, cuts), len(cuts))

    with_document(work, work.source, job)


def planned(work: Work[AnyOptions], whole: "Whole", way: Way) -> "list[Cut]":
    """The parts that `way` makes of the document; never empty."""
    from cluster.engines import parts

    count = len(whole.leaves)
    work.progress(0, count, "planning")
    match way:
        case Ranges():
            cuts = parts.by_ranges(way.ranges, count, joined=way.joined)
        case Every():
            cuts = parts.every(way.pages, count)
        case Into():
            cuts = parts.into(way.files, count)
        case Size():
            cuts = parts.by_size(whole, int(way.megabytes * MB))
        case Bookmarks():
            cuts = parts.by_bookmarks(whole, way.level)
        case OddEven():
            cuts = parts.odd_even(count, ("奇数页", "偶数页") if work.language == "zh" else ("odd", "even"))
        case Single():
            cuts = parts.every(1, count)
        case Blanks():
            cuts = _between_blanks(work, whole, way)
    if not cuts:
        raise InputProblem("nothing_to_do", file=work.source.name)
    return cuts


def _between_blanks(work: Work[Any], whole: "Whole", way: Blanks) -> "list[Cut]":
    from cluster.engines.blanks import blank_pages
    from cluster.engines.parts import at_blanks

    def told(done: int, total: int) -> None:
        if done % 10 == 0 or done == total:
            work.progress(done, 2 * total, "rendering")

    blank = blank_pages(whole.document.path, way.sensitivity, told)
    work.note("told", "blank_pages", count=len(blank))
    return at_blanks(blank, len(whole.leaves), keep=way.keep)


def write(work: Work[AnyOptions], whole: "Whole", cuts: "list[Cut]", *, first: bool = True) -> "Carried":
    """Write the parts; attachments go with the first of the document (`first`: this list begins with it)."""
    from cluster.engines.extract import Carried, write_part

    carried, done = Carried(), 0
    total = sum(len(cut.pages) for cut in cuts)
    taken: set[str] = set()
    for cut in cuts:
        output = work.output(PDF, tail=_unused(f"_{cut.name}", taken))
        output.pages = len(cut.pages)
        carried += write_part(whole, cut.pages, output.path, attachments=first and cut is cuts[0])
        done += len(cut.pages)
        work.progress(done, total, "writing")
    return carried


def _unused(name: str, taken: set[str]) -> str:
    """Two chapters may have one title, and file names are cut at 120 characters."""
    name = name[:80]
    unused, number = name, 2
    while unused.casefold() in taken:
        unused, number = f"{name} ({number})", number + 1
    taken.add(unused.casefold())
    return unused


def tell(work: Work[AnyOptions], carried: "Carried", parts: int) -> None:
    """The receipt of all parts together."""
    from cluster.engines.counts import note_counts

    work.note("told", "parts", count=parts)
    note_counts(work, carried.before, carried.after)
    if left := carried.before.links - carried.after.links:
        work.note("lost", "links_left", count=left)
    if carried.signatures:
        work.note("lost", "signature_broken", count=carried.signatures)
    if carried.tags:
        work.note("kept", "tags")
    if carried.after.attachments and parts > 1:
        work.note("told", "attachments_first")


TOOL = Tool(
    id=3,
    key="split",
    route="/PdfSplit",
    group=Group.PAGES,
    lane=Lane.QUICK,
    takes="each",
    accepts=(PDF,),
    gives=(PDF,),
    options=Options,
    run=split,
    suffix=("拆分", "split"),
    icon="scissors",
    editor="cuts",
)
