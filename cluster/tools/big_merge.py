"""Merge documents and pictures of gigabytes: as merge does, in one pass from file to file."""

from cluster.big import BOUNDS, widened
from cluster.kinds import PDF, PICTURES
from cluster.merging import Options, merge
from cluster.tool import Group, Lane, Tool, Work


def big_merge(work: Work[Options]) -> None:
    """One pass over all files: what a second process wrote would have to be written again to be one file."""
    merge(widened(work))


TOOL = Tool(
    id=26,
    key="big_merge",
    route="/BigPdfMerge",
    group=Group.BIG,
    lane=Lane.HEAVY,
    takes="all",
    accepts=(PDF, *PICTURES),
    options=Options,
    run=big_merge,
    suffix=("合并", "merged"),
    icon="combine",
    editor="order",
    bounds=BOUNDS,
)
