"""What the tools for big files have in common: more pages, more time, and results of gigabytes."""

from dataclasses import replace
from typing import TypeVar

from cluster.tool import MIB, Bounds, Work

O = TypeVar("O")

#: Whoever may open this many pages elsewhere may open PAGE_LIMIT here.
MEMBER_PAGES = 20_000
PAGE_LIMIT = 200_000
BOUNDS = Bounds(memory=2048 * MIB, base=60, per_mib=0.4, per_page=0.1, cap=1800, output=5 << 30)


def widened(work: Work[O]) -> Work[O]:
    """The same work with the pages that documents may have here."""
    return replace(work, max_pages=PAGE_LIMIT) if work.max_pages >= MEMBER_PAGES else work
