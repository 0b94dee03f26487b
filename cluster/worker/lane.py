"""Lanes: keep as many slots as the Ray cluster offers, and let each slot empty its lane.

A slot is a Ray actor that needs one unit of its lane's resource; a node says with `ray start
--resources` how many slots of each lane it carries. A slot claims only when it is free, so
Ray holds no hidden queue. A slot that dies is replaced; its claim returns when the lease ends.
"""

import contextlib
import time
from dataclasses import dataclass, field
from typing import Any

import ray
import structlog

from cluster import queue
from cluster.catalogue import TOOLS
from cluster.log import log_json
from cluster.problem import Problem
from cluster.room import keep_private
from cluster.settings import settings
from cluster.tool import Lane
from cluster.worker.perform import perform
from cluster.worker.sandbox import Sandbox
from cluster.worker.scratch import clear_dead_slots, scratch

log = structlog.get_logger()


class Slot:
    """One place in a lane where one part runs at a time."""

    def __init__(self, lane: str, name: str) -> None:
        keep_private()
        # Ray keeps what its processes print in a folder of its own.
        log_json(settings().data / "log" / "slots.log")
        self.lane, self.name = Lane(lane), name
        self.sandbox = Sandbox(scratch(name), "cluster.worker.inside", (lane,))
        queue.live_on(settings().node, name)

    def work(self) -> None:
        """Claim and perform, for ever."""
        while True:
            try:
                self._turn()
            except Problem as problem:
                log.error("slot_trouble", slot=self.name, reason=problem.reason)
                time.sleep(1)  # the engine did not start: let another slot take the part

    def _turn(self) -> None:
        if not self.sandbox.alive or self.sandbox.parts >= settings().recycle:
            clear_dead_slots()
            self.sandbox.start()
        queue.beat(self.lane, self.name)
        if queue.resting(settings().node):
            time.sleep(1)
            return
        held = queue.claim(self.lane, self.name, TOOLS)
        if held:
            perform(held, self.name, self.sandbox)


@dataclass
class LaneKeeper:
    """The slots of one lane: actor and the promise of its endless `work`, by slot name."""

    lane: Lane
    slots: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    made: int = 0

    def keep(self, wanted: int) -> None:
        """Drop dead slots, start missing ones, ask for nodes by the depth of the queue."""
        for name, (_, promise) in list(self.slots.items()):
            if ray.wait([promise], timeout=0)[0]:
                log.warning("slot_died", slot=name)
                del self.slots[name]
        while len(self.slots) < wanted:
            self._start()
        with contextlib.suppress(StopIteration):
            while len(self.slots) > wanted:
                self._stop_pending()

    def _start(self) -> None:
        name = f"{self.lane}-{time.time_ns():x}-{self.made}"
        self.made += 1
        made = ray.remote(Slot).options(num_cpus=0, resources={str(self.lane): 1}, max_restarts=0, max_task_retries=0)
        actor = made.remote(str(self.lane), name)
        self.slots[name] = (actor, actor.work.remote())

    def _stop_pending(self) -> None:
        # A node left: one of the slots beyond the capacity waits for a place and may go.
        name = next(name for name in reversed(self.slots) if name not in _living(self.lane))
        ray.kill(self.slots.pop(name)[0])


def keep_lanes() -> None:
    """Join the Ray cluster and keep every lane's slots, for ever."""
    ray.init(address=settings().ray, namespace="papercrane", log_to_driver=False, configure_logging=False)
    keepers = [LaneKeeper(lane) for lane in Lane]
    while True:
        offered = ray.cluster_resources()
        for keeper in keepers:
            keeper.keep(int(offered.get(str(keeper.lane), 0)))
        _ask_for_nodes(keepers)
        time.sleep(1)


def _ask_for_nodes(keepers: list[LaneKeeper]) -> None:
    """The autoscaler adds nodes while a lane has more waiting than slots; without one this is a no-op."""
    from ray.autoscaler.sdk import request_resources

    wanted = {keeper.lane: max(len(keeper.slots), queue.depth(keeper.lane)) for keeper in keepers}
    request_resources(bundles=[{str(lane): 1} for lane, count in wanted.items() for _ in range(min(count, 100))])


def _living(lane: Lane) -> set[str]:
    since = queue.now_ms() - settings().lease * 1000
    return set(queue.connect().zrangebyscore(f"slots:{lane}", since, "+inf"))
