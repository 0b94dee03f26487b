"""Take the lock off PDFs of gigabytes: as unlock does, in one pass."""

from cluster.big import BOUNDS, widened
from cluster.tool import Group, Lane, Tool, Work
from cluster.unlocking import Options, unlock


def big_unlock(work: Work[Options]) -> None:
    """One pass from the locked file to the open one: the processor decodes faster than a disk takes it."""
    unlock(widened(work))


TOOL = Tool(
    id=27,
    key="big_unlock",
    route="/BigPdfUnlock",
    group=Group.BIG,
    lane=Lane.HEAVY,
    options=Options,
    run=big_unlock,
    suffix=("解锁", "unlocked"),
    icon="lock-open",
    example={"owned": True},
    bounds=BOUNDS,
)
