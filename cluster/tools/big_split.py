"""Split a PDF of gigabytes: planned once, then shares of parts are written in parallel, each on its own."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from cluster.big import BOUNDS, widened
from cluster.opening import with_document
from cluster.pages import parse_pages
from cluster.problem import FaultProblem, InputProblem, Problem
from cluster.splitting import Options, planned, size_limit, tell, write
from cluster.tool import Group, Lane, Tool, Work

if TYPE_CHECKING:
    from cluster.engines.pages.cuts import Cut
    from cluster.engines.pages.whole import Whole

T = TypeVar("T")
#: Shares at most, and pages a share is worth its start.
_SHARES = 8
_WORTH = 200


def plan(work: Work[Options]) -> list[dict[str, Any]]:
    """Shares of about equal numbers of pages, those of the first file first."""
    return [share for index in range(len(work.sources)) for share in _shares(work, index)]


def _shares(work: Work[Options], index: int) -> list[dict[str, Any]]:
    try:
        return with_source(work, index, lambda whole: _planned(work, index, whole))
    except Problem:
        if len(work.sources) == 1:
            raise
        # The share will meet the same trouble and tell it, without spoiling the other files.
        return [{"file": index, "pages": None, "cuts": None, "first": True}]


def _planned(work: Work[Options], index: int, whole: "Whole") -> list[dict[str, Any]]:
    source = work.sources[index]
    cuts = planned(work, source, whole, work.options.split)
    if whole.document.path != source.path:
        # A locked or damaged file was rewritten to be read: once is enough for all shares.
        work.copies[index] = whole.document.path
    pages = len(whole.leaves)
    return [
        {"file": index, "pages": pages, "cuts": [cut.as_share() for cut in group], "first": number == 0}
        for number, group in enumerate(_groups(cuts))
    ]


def with_source(work: Work[Options], index: int, job: "Callable[[Whole], T]") -> T:
    """`job` with the document of that input, the CPU time for its pages asked for."""

    def allowed(whole: "Whole") -> T:
        work.allow(len(whole.leaves))
        return job(whole)

    source = work.sources[index]
    with work.about(source):
        return with_document(widened(work), source, allowed)


def _groups(cuts: "list[Cut]") -> "list[list[Cut]]":
    pages = sum(len(cut.pages) for cut in cuts)
    wanted = max(1, min(_SHARES, len(cuts), pages // _WORTH))
    groups: list[list[Cut]] = [[] for _ in range(wanted)]
    done = 0
    for cut in cuts:
        # By the middle of the part, so that the order stays and no group is empty for long.
        groups[min(wanted - 1, (2 * done + len(cut.pages)) * wanted // (2 * pages))].append(cut)
        done += len(cut.pages)
    return [group for group in groups if group]


def big_split(work: Work[Options]) -> None:
    """Write the parts of one share."""
    if work.share is None:
        raise FaultProblem("big_split needs a share")
    share, source, way = work.share, work.sources[work.share["file"]], work.options.split

    def job(whole: "Whole") -> None:
        if share["pages"] not in (None, len(whole.leaves)):
            # The plan did not come upon the damage that this share had to repair.
            raise InputProblem("damaged_file", file=source.name)
        cuts = planned(work, source, whole, way) if share["cuts"] is None else _cuts(share, len(whole.leaves))
        carried = write(work, source, whole, cuts, limit=size_limit(way), first=share["first"])
        work.note("told", "parts", count=len(work.outputs))
        tell(work, carried, len(work.outputs))

    with_source(work, share["file"], job)


def _cuts(share: Mapping[str, Any], count: int) -> "list[Cut]":
    from cluster.engines.pages.cuts import Cut

    return [Cut(tuple(page - 1 for page in parse_pages(cut["pages"], count)), cut["name"]) for cut in share["cuts"]]


TOOL = Tool(
    id=25,
    key="big_split",
    route="/BigPdfSplit",
    group=Group.BIG,
    lane=Lane.HEAVY,
    options=Options,
    run=big_split,
    plan=plan,
    suffix=("拆分", "split"),
    icon="scissors",
    editor="cuts",
    bounds=BOUNDS,
)
