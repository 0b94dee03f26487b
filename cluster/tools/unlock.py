"""Take the lock off PDFs: with the user or the owner password, or without one where only restrictions hold."""

from cluster.tool import Group, Tool
from cluster.unlocking import Options, unlock

TOOL = Tool(
    id=15,
    key="unlock",
    route="/PdfUnlock",
    group=Group.PROTECT,
    options=Options,
    run=unlock,
    suffix=("解锁", "unlocked"),
    icon="lock-open",
    example={"owned": True},
)
