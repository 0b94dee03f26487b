"""Take pages out of a PDF: all in one file, or one file for each range; nothing of the others comes along."""

from typing import TYPE_CHECKING, Annotated, Literal

from cluster.fields import PageList, shown
from cluster.opening import with_document
from cluster.splitting import tell, write
from cluster.tool import Group, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.pages.whole import Whole


@options
class Options:
    pages: PageList
    into: Annotated[
        Literal["one", "each"],
        shown(
            "提取为",
            "Into",
            "choice",
            choices={"one": ("一个文件", "One file"), "each": ("每段一个文件", "A file for each range")},
        ),
    ] = "one"


def extract(work: Work[Options]) -> None:
    """One output, or one a range; the receipt tells what they carry."""
    from cluster.engines.pages.cuts import by_ranges, distinct

    source, chosen = work.source, work.options

    def job(whole: "Whole") -> None:
        count = len(whole.leaves)
        work.allow(count)
        cuts = distinct(by_ranges(chosen.pages, count, joined=chosen.into == "one"))
        carried = write(work, source, whole, cuts)
        work.note("told", "pages_extracted", count=sum(len(cut.pages) for cut in cuts))
        if len(work.outputs) > 1:
            work.note("told", "parts", count=len(work.outputs))
        tell(work, carried, len(work.outputs))

    with_document(work, source, job)


TOOL = Tool(
    id=4,
    key="extract",
    route="/PdfExtract",
    group=Group.PAGES,
    options=Options,
    run=extract,
    suffix=("提取", "extracted"),
    icon="file-output",
    editor="pick",
    example={"pages": "1"},
)
