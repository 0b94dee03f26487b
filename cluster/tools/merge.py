"""Merge documents and pictures into one PDF, in the order given."""

from cluster.kinds import PDF, PICTURES
from cluster.merging import Options, merge
from cluster.tool import MIB, Bounds, Group, Tool

TOOL = Tool(
    id=2,
    key="merge",
    route="/PdfMerge",
    group=Group.PAGES,
    takes="all",
    accepts=(PDF, *PICTURES),
    options=Options,
    run=merge,
    suffix=("合并", "merged"),
    icon="combine",
    editor="order",
    bounds=Bounds(base=60, cap=600, memory=2048 * MIB),
)
