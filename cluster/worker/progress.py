"""A part's progress on its way from the sandbox to Redis."""

import time
from typing import Any

from cluster import queue
from cluster.queue import Claim
from cluster.words import STAGES
from cluster.worker.bar import Bar

#: Progress reaches Redis at most this often (seconds); a stage's first word always.
TELL_EVERY = 0.1


class Progress:
    """Called with what the sandbox reports; what has not the shape of progress is passed over."""

    def __init__(self, held: Claim) -> None:
        self.held, self.bar = held, Bar()
        self.told, self.stages = 0.0, set[str]()

    def __call__(self, untrusted: dict[str, Any]) -> None:
        try:
            done, total, stage = untrusted["progress"]
            share = min(1.0, max(0.0, float(done) / max(1e-9, float(total))))
        except (TypeError, ValueError, OverflowError):
            return
        if isinstance(stage, str) and stage in STAGES:
            self.tell(share, stage)

    def tell(self, share: float, stage: str) -> None:
        """`stage` has come to `share` (0 … 1) of its own way."""
        now, shown = time.monotonic(), self.bar.at(share, stage)
        if now - self.told > TELL_EVERY or stage not in self.stages:
            self.told = now
            self.stages.add(stage)
            queue.tell(self.held, shown, stage)
