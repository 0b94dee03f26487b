"""The queue alone: 1,000 simulated slots that claim and end parts of many owners, over one Redis as production runs it.

A slot here is a claim and a `done` in turn, without the work between, so what is told is what Redis and its scripts
carry; a real slot works for half a second and more between two claims.
"""

import statistics
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

from cluster import queue
from cluster.task import Outcome, Status, Task
from cluster.tool import Lane
from tests.bench.load.running import own_redis

SLOTS, PROCESSES, AT_ONCE, OWNERS, SECONDS = 1000, 4, 25, 200, 8.0
#: Tasks of the owner who brings most, and of each other.
GREEDY, MODEST = 6000, 50
LANE = str(Lane.QUICK)


def rows() -> Iterator[str]:
    with own_redis():
        for number in range(OWNERS):
            _bring(f"owner{number}", GREEDY if number == 0 else MODEST)
        for number in range(SLOTS):
            queue.beat(LANE, f"slot-{number}")
        before = _redis_cpu()
        with get_context("fork").Pool(PROCESSES, queue.connect().connection_pool.reset) as pool:
            told = [each for some in pool.map(_at_once, range(PROCESSES)) for each in some]
        cpu = _redis_cpu() - before
    took = sorted(each for one, _ in told for each in one)
    order = sorted(pair for _, claimed in told for pair in claimed)
    yield "| queue | |"
    yield "|---|---|"
    yield f"| slots · owners | {SLOTS} · {OWNERS}, one with {GREEDY} tasks, the others with {MODEST} |"
    yield f"| claims a second (each with its `done`) | {len(took) / SECONDS:.0f} |"
    yield f"| claim, median · slowest 1 % | {statistics.median(took):.1f} · {took[int(len(took) * 0.99)]:.1f} ms |"
    yield f"| Redis' own CPU for a claim and its `done` | {cpu / len(took) * 1e6:.0f} µs |"
    yield f"| fairness: the greedy owner's share while others wait | {_share(order):.3f} (fair {1 / OWNERS}) |"


def _bring(owner: str, tasks: int) -> None:
    for number in range(tasks):
        queue.put(_task(f"{owner}x{number}", owner))


def _task(number: str, owner: str) -> Task:
    return Task(
        id=number, owner=owner, tool=16, lane=LANE, rank="guest", language="zh", options={}, inputs=(),
        status=Status.CREATE, parts=1, created=queue.now_ms(),
    )  # fmt: skip


Claims = tuple[list[float], list[tuple[float, str]]]


def _at_once(process: int) -> list[Claims]:
    """One process' slots, AT_ONCE of them at a time."""
    each = range(SLOTS // PROCESSES // AT_ONCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(
            pool.map(_slots, [[f"s{process}-{thread}-{number}" for number in each] for thread in range(AT_ONCE)])
        )


def _slots(slots: list[str]) -> Claims:
    """These slots, each in its turn; ms of each claim, and when which owner was claimed."""
    took, claimed = [], []
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        for slot in slots:
            began = time.perf_counter()
            held = queue.claim(LANE, slot)
            took.append((time.perf_counter() - began) * 1000)
            if held is None:
                return took, claimed
            claimed.append((time.time(), held.task.partition("x")[0]))
            queue.done(held, Outcome(Status.SUCCESS))
    return took, claimed


def _share(order: list[tuple[float, str]]) -> float:
    """Of the claims in which the modest owners still had work, those that went to the greedy one."""
    modest = Counter()
    for index, (_, owner) in enumerate(order):
        modest[owner] += owner != "owner0"
        if sum(modest.values()) == (OWNERS - 1) * MODEST:
            order = order[: index + 1]
            break
    return sum(owner == "owner0" for _, owner in order) / len(order)


def _redis_cpu() -> float:
    found = queue.connect().info("cpu")
    return float(found["used_cpu_user"] + found["used_cpu_sys"])
