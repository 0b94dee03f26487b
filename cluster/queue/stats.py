"""Stats: what was counted in Redis for the operator, cluster-wide; each count is written by the step it counts.

key             type  field → count
stats:tasks     hash  `<tool id> <status> <reason>` → tasks that ended so
stats:waiting   hash  `<lane> <bucket>` → tasks by seconds from creation to the first claim; `<lane> sum` → ms
stats:working   hash  the same from the first claim to the end
stats:tools     hash  the same by `<tool id>`
stats:returned  hash  `<lane> died | silent` → parts that came back from a slot

Nothing here expires, and nothing is personal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cluster.queue import connect, now_ms
from cluster.queue.scripts import BUCKETS


@dataclass(frozen=True)
class Durations:
    """A histogram: (bucket's end in seconds, how many took at most so long), and the sum of seconds."""

    buckets: Sequence[tuple[str, int]]
    seconds: float


def outcomes() -> dict[tuple[int, int, str], int]:
    """Ended tasks by tool, status and reason ("" for success)."""
    found = {}
    for name, count in connect().hgetall("stats:tasks").items():
        tool, status, reason = name.split(" ", 2)
        found[int(tool), int(status), reason] = int(count)
    return found


def waited() -> dict[str, Durations]:
    """How long tasks waited for their first claim, by lane."""
    return durations(connect().hgetall("stats:waiting"), BUCKETS)


def worked() -> dict[str, Durations]:
    """How long tasks took from their first claim to their end, by lane."""
    return durations(connect().hgetall("stats:working"), BUCKETS)


def worked_by_tool() -> dict[str, Durations]:
    """The same by the tool's id."""
    return durations(connect().hgetall("stats:tools"), BUCKETS)


def returned() -> dict[tuple[str, str], int]:
    """Parts that came back by (lane, cause): their process `died`, or their slot fell `silent`."""
    raw = connect().hgetall("stats:returned")
    return {(lane, cause): int(count) for (lane, cause), count in ((name.split(" "), raw[name]) for name in raw)}


def overdue() -> float:
    """Seconds since which the oldest due deletion waits for the sweeper."""
    first = connect().zrange("due", 0, 0, withscores=True)
    return max(0.0, (now_ms() - first[0][1]) / 1000) if first else 0.0


def bucket(seconds: float, bounds: Sequence[float]) -> str:
    """The bucket that counts `seconds`."""
    return next((str(bound) for bound in bounds if seconds <= bound), "inf")


def durations(raw: Mapping[str, str], bounds: Sequence[float]) -> dict[str, Durations]:
    """Histograms from a hash of `<name> <bucket>` → count and `<name> sum` → ms."""
    found = {}
    for name in sorted({field.rpartition(" ")[0] for field in raw}):
        total, buckets = 0, []
        for bound in (*map(str, bounds), "inf"):
            total += int(raw.get(f"{name} {bound}", 0))
            buckets.append(("+Inf" if bound == "inf" else bound, total))
        found[name] = Durations(buckets, int(raw.get(f"{name} sum", 0)) / 1000)
    return found
