"""Split a PDF: by ranges, every N pages, into N files, by size, by bookmarks, odd and even, singly, at blank pages."""

from typing import TYPE_CHECKING

from cluster.opening import with_document
from cluster.splitting import Options, planned, size_limit, tell, write
from cluster.tool import Group, Tool, Work

if TYPE_CHECKING:
    from cluster.engines.pages.whole import Whole


def split(work: Work[Options]) -> None:
    """One output a part; the receipt tells what all parts together carry."""

    source, way = work.source, work.options.split

    def job(whole: "Whole") -> None:
        work.allow(len(whole.leaves))
        carried = write(work, source, whole, planned(work, source, whole, way), limit=size_limit(way))
        work.note("told", "parts", count=len(work.outputs))
        tell(work, carried, len(work.outputs))

    with_document(work, source, job)


TOOL = Tool(
    id=3,
    key="split",
    route="/PdfSplit",
    group=Group.PAGES,
    options=Options,
    run=split,
    suffix=("拆分", "split"),
    icon="scissors",
    editor="cuts",
)
