"""Documents and pictures into one PDF, in the order given: the options and the work of merge and big merge."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from cluster.fields import Order, Pages, shown
from cluster.kinds import PDF
from cluster.numbers import natural
from cluster.opening import bound
from cluster.pages import parse_pages
from cluster.problem import InputProblem
from cluster.telling import tell_broken, tell_counts, tell_frame
from cluster.tool import Source, Work, options

if TYPE_CHECKING:
    from cluster.engines.pages.join import Joined
    from cluster.engines.pages.opening import Opener


@options
class Options:
    order: Order = "given"
    ranges: Annotated[
        tuple[Pages, ...],
        Field(max_length=500),
        shown("各文件的页码", "Pages of each file", "per_file", hint=("留空为全部", "empty means all"), editor=True),
    ] = ()
    outline: Annotated[
        Literal["keep", "files", "both", "none"],
        shown(
            "书签",
            "Bookmarks",
            "select",
            choices={
                "keep": ("保留原书签", "Keep"),
                "files": ("每个文件一个书签", "One for each file"),
                "both": ("文件名下保留原书签", "File names, with theirs below"),
                "none": ("不要书签", "None"),
            },
        ),
    ] = "keep"
    forms: Annotated[
        Literal["keep", "flatten", "drop"],
        shown(
            "表单",
            "Forms",
            "select",
            choices={
                "keep": ("保留，同名表单域改名", "Keep; rename equal fields"),
                "flatten": ("展平为普通内容", "Flatten"),
                "drop": ("删除", "Drop"),
            },
        ),
    ] = "keep"
    blank_after_odd: Annotated[
        bool,
        shown(
            "奇数页文件后补空白页",
            "Blank page after odd documents",
            "toggle",
            hint=("双面打印时，每个文件从正面开始", "In duplex print each file begins on a front side"),
        ),
    ] = False
    same_width: Annotated[
        Literal["off", "first", "a4"],
        shown(
            "统一页宽",
            "Same page width",
            "select",
            choices={
                "off": ("不改变", "Leave as they are"),
                "first": ("与第一页相同", "As the first page"),
                "a4": ("A4 宽（210 mm）", "A4 (210 mm)"),
            },
        ),
    ] = "off"
    contents: Annotated[
        bool,
        shown("按文件名生成目录页", "Contents page from file names", "toggle"),
    ] = False


def merge(work: Work[Options]) -> None:
    """Join the sources one after another; memory holds one object at a time."""
    from cluster.engines.pages.join import Joined, Wishes

    chosen = work.options
    if len(chosen.ranges) > len(work.sources):
        raise InputProblem("option_invalid", field="ranges", detail=str(len(chosen.ranges)))
    heading = ("目录" if work.language == "zh" else "Contents") if chosen.contents else ""
    wishes = Wishes(
        outline=chosen.outline,
        forms=chosen.forms,
        blank_after_odd=chosen.blank_after_odd,
        same_width=chosen.same_width,
        contents=heading,
        files=len(work.sources),
    )

    def job(opener: "Opener") -> None:
        output = work.output(PDF)
        with Joined(output.path, wishes) as joined:
            done, total = 0, sum(source.size for source in work.sources)
            for source, pages in _ordered(work):
                work.progress(done, total)
                with work.about(source):
                    _add(work, opener, joined, source, pages, partial(_told, work, done, total, source))
                done += source.size
            work.progress(total, total, "writing")
            joined.close()
            output.pages = joined.pages
            work.note("kept", "pages_joined", count=joined.pages)
            _tell(work, joined)

    bound(work, job)


def _ordered(work: Work[Options]) -> list[tuple[Source, str]]:
    """Each source with its page range."""
    ranges = [*work.options.ranges, *[""] * len(work.sources)]
    pairs = list(zip(work.sources, ranges, strict=False))
    return sorted(pairs, key=lambda pair: natural(pair[0].name)) if work.options.order == "name" else pairs


def _told(work: Work[Options], before: int, total: int, source: Source, share: float) -> None:
    """Files count by their bytes, of which a share is done."""
    work.progress(before + share * source.size, total)


def _add(
    work: Work[Options],
    opener: "Opener",
    joined: "Joined",
    source: Source,
    pages: str,
    told: Callable[[float], None],
) -> None:
    if source.kind is not PDF:
        _add_picture(work, joined, source, pages)
        return
    with opener.whole(source, joined.change()) as whole:
        count = len(whole.leaves)
        chosen = [number - 1 for number in parse_pages(pages, count)] if pages.strip() else None
        before, more = joined.pages, count if chosen is None else len(chosen)
        _allow(work, joined, source, more)
        joined.add(whole, source.stem, chosen, lambda pages: told((pages - before) / more))


def _allow(work: Work[Options], joined: "Joined", source: Source, more: int) -> None:
    """The result has a limit too: a range may name a page many times."""
    from cluster.engines.pdf.open import check_pages

    check_pages(source, joined.pages + more, work.max_pages)
    work.allow(joined.pages + more)


def _add_picture(work: Work[Options], joined: "Joined", source: Source, pages: str) -> None:
    """One page for a picture, several for a TIFF of several."""
    from cluster.engines.pages.pictures import count_frames, picture_pages

    numbers = parse_pages(pages, count_frames(source, work.max_pages))
    _allow(work, joined, source, len(numbers))
    for done, frame in enumerate(picture_pages(source, numbers)):
        joined.add_picture(frame, None if done else source.stem)
        tell_frame(work, frame, source.name)


def _tell(work: Work[Options], joined: "Joined") -> None:
    tell_counts(work, *joined.counts())
    forms, tags = joined.form, joined.tags
    if forms.style != "keep" and forms.before:
        work.note("changed", "fields_flattened" if forms.style == "flatten" else "fields_dropped", count=forms.before)
    if forms.renamed:
        work.note("changed", "fields_renamed", count=forms.renamed)
    tell_broken(work, forms.signatures, forms.xfa)
    if pictures := sum(source.kind is not PDF for source in work.sources):
        work.note("told", "pictures_joined", count=pictures)
    if tags.kept or tags.lost:
        work.note("lost" if tags.lost else "kept", "tags_lost" if tags.lost else "tags")
