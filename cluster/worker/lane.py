"""Lanes: keep the slots that the Ray cluster offers and the queues need, and let each slot empty its lane.

A slot is a Ray actor that needs one unit of its lane's resource; a node says with `ray start
--resources` how many slots of each lane it carries. A slot claims only when it is free, so
Ray holds no hidden queue. A slot that dies is replaced; its claim returns when the lease ends.

A node with the resource `elastic` was given by an autoscaler, which takes it back once nothing runs there. Its slots
live only while their lane needs them: then they are told to rest, end what they hold, and go. Slots for which no node
is there yet wait in Ray, and that is what makes its autoscaler add nodes, as many as its own bounds allow. (Not
`request_resources`: the autoscaler adds nothing at all where it cannot add everything that was asked.)
"""

import shutil
import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import ray
import structlog
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from cluster import queue
from cluster.catalogue import TOOLS
from cluster.log import log_json
from cluster.problem import Problem
from cluster.room import keep_private
from cluster.settings import settings
from cluster.tool import Lane
from cluster.worker import quota
from cluster.worker.perform import perform
from cluster.worker.sandbox import Sandbox, graphics
from cluster.worker.scratch import clear_dead_slots, scratch

log = structlog.get_logger()
#: The resource of a node that an autoscaler may take away.
ELASTIC = "elastic"


class Slot:
    """One place in a lane where one part runs at a time."""

    def __init__(self, lane: str, name: str) -> None:
        keep_private()
        # Ray keeps what its processes print in a folder of its own.
        log_json(settings().data / "log" / "slots.log")
        self.lane, self.name = Lane(lane), name
        devices = graphics() if self.lane is Lane.OCR else ()
        self.sandbox = Sandbox(scratch(name), "cluster.worker.inside", (lane,), devices=devices)
        by = quota.check()
        queue.live_on(settings().node, name, by)
        log.info("quotas", slot=name, by=by)

    def where(self) -> str:
        """The Ray node it is on."""
        return str(ray.get_runtime_context().get_node_id())

    def work(self) -> None:
        """Claim and perform, until told to rest for good."""
        while not queue.resting(self.name):
            try:
                self._turn()
            except Problem as problem:
                log.error("slot_trouble", slot=self.name, reason=problem.reason)
                time.sleep(1)  # the engine did not start: let another slot take the part
        self.sandbox.kill()
        shutil.rmtree(self.sandbox.folder, ignore_errors=True)

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


def homes(nodes: Iterable[Mapping[str, Any]], lane: str) -> dict[str, int]:
    """The nodes that stay, by what `ray.nodes()` tells, and how many of the lane's slots each carries."""
    offered = {each["NodeID"]: each["Resources"] for each in nodes if each["Alive"]}
    return {node: int(has[lane]) for node, has in offered.items() if lane in has and ELASTIC not in has}


@dataclass
class Need:
    """How many slots a lane needs: the most parts it had at once within the last `linger` seconds."""

    linger: float
    told: deque[tuple[float, int]] = field(default_factory=deque)

    def tell(self, depth: int, now: float) -> int:
        """The need when `depth` parts wait and run now (seconds, of a clock that only goes forward)."""
        self.told.append((now, depth))
        while self.told[0][0] < now - self.linger:
            self.told.popleft()
        return max(each for _, each in self.told)


@dataclass
class Kept:
    """A slot that we made: its actor, the promises of its node and of its work, the node it was made for ("" when any
    elastic one will do), whether it was told to rest.
    """

    actor: Any
    where: Any
    work: Any
    home: str
    rests: bool = False

    def node(self) -> str:
        """Where it is, "" while it waits for a place."""
        if not ray.wait([self.where], timeout=0)[0]:
            return ""
        try:
            return str(ray.get(self.where))
        except ray.exceptions.RayError:  # it died, as its work will tell
            return ""


@dataclass
class LaneKeeper:
    """The slots of one lane, by name."""

    lane: Lane
    slots: dict[str, Kept] = field(default_factory=dict)
    need: Need = field(default_factory=lambda: Need(settings().linger))
    made: int = 0

    def keep(self, stay: Mapping[str, int]) -> None:
        """Bury slots that ended; start what is missing on nodes that `stay`, and elsewhere what is needed beyond."""
        for name in [name for name, slot in self.slots.items() if ray.wait([slot.work], timeout=0)[0]]:
            self._bury(name)
        for node, count in stay.items():
            for _ in range(count - sum(slot.home == node for slot in self.slots.values())):
                self._start(node)
        needed = self.need.tell(queue.depth(self.lane), time.monotonic())
        self._stretch(min(max(0, needed - sum(stay.values())), settings().elastic))

    def _bury(self, name: str) -> None:
        slot = self.slots.pop(name)
        ray.kill(slot.actor)  # one that ended well still holds its place
        queue.leave(self.lane, name)
        if not slot.rests:
            log.warning("slot_died", slot=name)

    def _stretch(self, wanted: int) -> None:
        """Have so many slots on nodes that come and go, or waiting for one."""
        here = {name: slot.node() for name, slot in self.slots.items() if not slot.home and not slot.rests}
        for _ in range(wanted - len(here)):
            self._start("")
        for name in emptiest_first(here)[: max(0, len(here) - wanted)]:
            self._send_home(name)

    def _send_home(self, name: str) -> None:
        slot = self.slots[name]
        slot.rests = True
        queue.rest(name)
        if not slot.node():  # its work has not begun; should it begin now, it finds that it is to rest
            ray.kill(slot.actor)

    def _start(self, home: str) -> None:
        name = f"{self.lane}-{time.time_ns():x}-{self.made}"
        self.made += 1
        chosen: dict[str, Any] = {"num_cpus": 0, "max_restarts": 0, "max_task_retries": 0}
        if home:
            chosen["scheduling_strategy"] = NodeAffinitySchedulingStrategy(home, soft=False)
        resources = {str(self.lane): 1.0} | ({} if home else {ELASTIC: 0.001})
        actor = ray.remote(Slot).options(resources=resources, **chosen).remote(str(self.lane), name)
        self.slots[name] = Kept(actor, actor.where.remote(), actor.work.remote(), home)


def emptiest_first(nodes: Mapping[str, str]) -> list[str]:
    """Slots in the order in which they may go, by the node each is on: first those that wait for one, then those of
    nodes with few slots, so that nodes become empty.
    """
    crowd = Counter(nodes.values())
    return sorted(nodes, key=lambda name: (nodes[name] != "", crowd[nodes[name]], nodes[name]))


def keep_lanes() -> None:
    """Join the Ray cluster and keep every lane's slots, for ever."""
    ray.init(address=settings().ray, namespace="papercrane", log_to_driver=False, configure_logging=False)
    keepers = [LaneKeeper(lane) for lane in Lane]
    while True:
        nodes = ray.nodes()
        for keeper in keepers:
            keeper.keep(homes(nodes, keeper.lane))
        time.sleep(1)
