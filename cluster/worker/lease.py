"""The lease of a claim: renewed while its part runs, and noticed when it is lost."""

import threading

from cluster import queue
from cluster.queue import Claim
from cluster.settings import settings


class Lease:
    """`with Lease(held, slot) as lease:` renews the claim and the slot's sign of life in a thread of its own."""

    def __init__(self, held: Claim, slot: str) -> None:
        self.held, self.slot = held, slot
        self._lost, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> "Lease":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def kept(self) -> bool:
        """False once the part was given to another slot or its task is gone."""
        return not self._lost.is_set()

    def _renew(self) -> None:
        while not self._over.wait(min(2.0, settings().lease / 4)):
            queue.beat(self.held.lane, self.slot)
            if not queue.renew(self.held, self.slot):
                self._lost.set()
                return
