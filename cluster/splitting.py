"""The ways to split a PDF, shared by split and big split: their options, what they plan, how parts are written."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import Field

from cluster.fields import shown
from cluster.kinds import PDF
from cluster.problem import InputProblem
from cluster.telling import tell_broken, tell_counts, tell_fonts
from cluster.tool import Output, Source, Work, options

if TYPE_CHECKING:
    from cluster.engines.pages.cuts import Cut
    from cluster.engines.pages.take import Carried
    from cluster.engines.pages.whole import Whole

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
            "parts",
            hint=(
                "例如 1-3;4-6，每段一个文件；一个文件含多段时用逗号：1-3,7;4-6",
                "e.g. 1-3;4-6: a file each; commas within one file: 1-3,7;4-6",
            ),
        ),
    ] = ""
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
        shown(
            "书签级别",
            "Level",
            "number",
            hint=("1 为最上级，文件以书签命名", "1 is the top; files are named after bookmarks"),
        ),
    ] = 1


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


def planned(work: Work[AnyOptions], source: Source, whole: "Whole", way: Way) -> "list[Cut]":
    """The cuts that `way` makes of the document; never empty, no two with one name."""
    from cluster.engines.pages.cuts import by_bookmarks, by_ranges, by_size, distinct, every, into, odd_even

    count = len(whole.leaves)
    work.progress(0, count, "planning")
    match way:
        case Ranges():
            cuts = by_ranges(way.ranges, count, joined=way.joined)
        case Every():
            cuts = every(way.pages, count)
        case Into():
            cuts = into(way.files, count)
        case Size():
            cuts = by_size(whole, int(way.megabytes * MB), lambda done: work.progress(done, 2 * count, "planning"))
        case Bookmarks():
            cuts = by_bookmarks(whole, way.level)
        case OddEven():
            cuts = odd_even(count, ("奇数页", "偶数页") if work.language == "zh" else ("odd", "even"))
        case Single():
            cuts = every(1, count)
        case Blanks():
            cuts = _between_blanks(work, whole, way)
    if not cuts:
        raise InputProblem("nothing_to_do", file=source.name)
    return distinct(cuts)


def _between_blanks(work: Work[Any], whole: "Whole", way: Blanks) -> "list[Cut]":
    from cluster.engines.draw.blanks import blank_pages
    from cluster.engines.pages.cuts import at_blanks

    def told(done: int, total: int) -> None:
        if done % 10 == 0 or done == total:
            work.progress(done, 2 * total, "rendering")

    blank = blank_pages(whole.document.path, way.sensitivity, told)
    work.note("told", "blank_pages", count=len(blank))
    return at_blanks(blank, len(whole.leaves), keep=way.keep)


def write(
    work: Work[AnyOptions],
    source: Source,
    whole: "Whole",
    cuts: "list[Cut]",
    *,
    limit: int | None = None,
    first: bool = True,
) -> "Carried":
    """Write the parts, their fonts cut to what they show.

    Attachments go with the first of the document (`first`: this list begins with it). A part over `limit` bytes is
    halved: its size was only estimated.
    """
    from cluster.engines.pages.cuts import halves
    from cluster.engines.pages.take import Carried, write_part

    carried, done, total, short = Carried(), 0, sum(len(cut.pages) for cut in cuts), list[Output]()
    waiting = cuts[::-1]
    while waiting:
        cut = waiting.pop()
        output = work.output(PDF, source=source, tail=f"_{cut.name}")
        output.pages = len(cut.pages)
        made = write_part(
            whole,
            cut.pages,
            output.path,
            attachments=first and len(work.outputs) == 1,
            told=lambda pages, done=done: work.progress(done + pages, total, "writing"),  # type: ignore[misc]
        )
        if limit and made.size > limit and len(cut.pages) > 1:
            work.outputs.pop()
            waiting += halves(cut)[::-1]
            continue
        if limit and made.size > limit:
            work.note("told", "part_too_large", detail=cut.pages[0] + 1)
        short += [output] if len(set(cut.pages)) < len(whole.leaves) else []
        carried += made
        done += len(cut.pages)
        work.progress(done, total, "writing")
    if carried.fonts:
        from cluster.engines.edit.shown import forget_fonts

        tell_fonts(work, forget_fonts(short, work.scratch("fonts.pdf")))
    return carried


def size_limit(way: Way) -> int | None:
    """Bytes that no part should pass, where the user chose a size."""
    return int(way.megabytes * MB) if isinstance(way, Size) else None


def tell(work: Work[AnyOptions], carried: "Carried", parts: int) -> None:
    """The receipt of all parts together, but for how many there are."""
    tell_counts(work, carried.before, carried.after)
    if left := carried.before.links - carried.after.links:
        work.note("lost", "links_left", count=left)
    tell_broken(work, carried.signatures, carried.xfa)
    if carried.tags:
        work.note("kept", "tags")
    if carried.after.attachments and parts > 1:
        work.note("told", "attachments_first")
