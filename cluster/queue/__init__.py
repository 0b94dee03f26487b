"""Queue: put, claim, renew, tell, done. At-least-once over Redis Streams, with a fence, fair between owners.

key                            type     holds
task:{id}                      hash     the record (cluster.task.write); p{i}.fence, p{i}.done, p{i}.end for each part
tasks:{owner}                  zset     task ids by creation time (ms)
lane:{lane}:{rank}             stream   {task, part, since}: claimed parts; rank member | guest; one group `slots`
lane:{lane}:{rank}:of:{owner}  list     `<task> <part> <since ms>`: the owner's waiting parts, next first
lane:{lane}:{rank}:owners      list     owners who have waiting parts, in the order of their turns
lane:{lane}:{rank}:waiting     counter  all of their waiting parts, so that a put need not look at each owner
lane:{lane}:{rank}:last        string   the owner who had the last turn; still first, it goes to the end
lane:{lane}:bell               list     a word for each waiting part; idle slots wait for one
slots:{lane}                   zset     slot names by last heartbeat (ms)
nodes                          hash     slot -> the machine it is on
quotas                         hash     slot -> by what its parts' quotas hold (cluster.worker.quota)
resting                        set      machines whose slots claim nothing, and slots that shall end: they are to leave
claims:{lane}                  counter  shares the turns between ranks
stats:*                        hash     counters for the operator (cluster.queue.stats)
due                            zset     `task:<id>` | `files:<prefix>` by the time (ms) they are deleted
grant:{id}                     hash     an upload grant; with its other keys in api.file.grants, api.caller, api.user
events:{id}                    channel  a word at every change of the task

A part waits in its owner's list. A claim moves the next owner's next part into the stream and reads it
there in one step, so it is always in exactly one of both. A plan's share may wait in another lane than its task's:
turns and bounds are each lane's own.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cluster.queue.line import Step as Step
from cluster.queue.link import ask as ask
from cluster.queue.link import connect as connect
from cluster.queue.link import hang_up as hang_up
from cluster.queue.link import run as run
from cluster.queue.scripts import FREE_REASONS as FREE_REASONS
from cluster.queue.scripts import SCRIPTS
from cluster.settings import settings
from cluster.task import CLAIMS, Outcome, Status, Task, read, sealed, settle, write
from cluster.tool import Lane

GROUP = "slots"
RANKS = ("member", "guest")
#: Every so many claims a guest goes first, so that members never starve guests.
GUEST_TURN = 4
#: Owners with long batches that fill a lane.
OWNERS = 8
_RECORD = "return redis.call('HGETALL', KEYS[1])"
#: A blocking read must stay below redis-py's socket timeout of 5 s.
BLOCK_MS = 2000


@dataclass(frozen=True)
class Claim:
    """One claimed part and the lane it came from. `fence` must go with every word about it."""

    task: str
    part: int
    lane: str
    stream: str
    message: str
    fence: int


@dataclass(frozen=True)
class Room:
    """How many parts may wait in a lane: of one owner, and of all (counted as lua/put.lua tells).

    each: so many for each slot that the lane has just then, one at least.
    """

    own: int
    lane: int
    each: bool = False

    @classmethod
    def usual(cls) -> "Room":
        """What our settings give to every lane."""
        return cls(settings().queue_own, settings().queue_factor, each=True)


@dataclass(frozen=True)
class Toll:
    """What a task costs: a place in each of the sets `keys`, which hold `most[n]` tasks each, for `life` seconds.

    Who ended by a fault of ours, or for FREE_REASONS, gives the places back.
    """

    keys: Sequence[str] = ()
    most: Sequence[int] = ()
    life: int = 0


class Spent(Exception):
    """No place is left in a Toll."""


@dataclass
class Full(Exception):
    """No room: `own` when the owner has too much waiting, else the whole lane."""

    own: bool


def now_ms() -> int:
    """Milliseconds since the epoch, by this machine's clock."""
    return time.time_ns() // 1_000_000


def lane_stream(lane: str, rank: str) -> str:
    """The key of the parts of a lane and rank that slots hold."""
    return f"lane:{lane}:{rank}"


def put(task: Task, room: Room | None = None, files: Iterable[str] = (), toll: Toll | None = None) -> bool:
    """Record `task` (CREATE → BE_QUEUING) and queue its parts, all or nothing; False when its id is there already.

    The folders of the stored `files` then live as long as those of a task that ends now. Raises Full when there is no
    `room` for it, Spent when the `toll` has no place for it.
    """
    return placed(run(*putting(task, room, files, toll)))


def putting(task: Task, room: Room | None = None, files: Iterable[str] = (), toll: Toll | None = None) -> Step:
    """The step that `put` is, for who goes on without it: `placed(await ask(*step))`."""
    fields = [item for pair in write(task).items() for item in pair]
    toll = toll or Toll()
    keys = [f"task:{task.id}", f"tasks:{task.owner}", f"events:{task.id}", "due", *toll.keys]
    of_task = [task.id, task.created, task.lane, task.rank, task.owner, task.parts]
    alive = now_ms() - settings().lease * 1000 if room and room.each else ""
    bounds = [room.own, room.lane, alive, OWNERS] if room else [0, 0, "", OWNERS]
    folders = _folders(files)
    kept = [now_ms() + settings().keep * 1000, len(folders), toll.life, *toll.most, *folders]
    return SCRIPTS["put"], keys, [*of_task, *bounds, *kept, *fields]


def placed(came: str) -> bool:
    """What `put` tells of its step's answer."""
    if came == "toll":
        raise Spent
    if came in ("own", "lane"):
        raise Full(own=came == "own")
    return came == "put"


def leaving(toll: Toll) -> Step:
    """The step that tells how many more tasks the toll has places for."""
    return SCRIPTS["left"], toll.keys, toll.most


def find(task: str) -> Task | None:
    """The task's record, None when it is gone."""
    return read(task, connect().hgetall(f"task:{task}"))


async def look_up(task: str) -> Task | None:
    """The same for a coroutine."""
    pairs = iter(await ask(_RECORD, [f"task:{task}"], []))
    return read(task, dict(zip(pairs, pairs, strict=True)))


def of_owner(owner: str) -> list[str]:
    """Ids of the owner's tasks, oldest first."""
    return list(connect().zrange(f"tasks:{owner}", 0, -1))


def adopt(old_owner: str, new_owner: str, rank: str | None = None) -> int:
    """Make all tasks of `old_owner` those of `new_owner`, waiting, running and ended; returns how many.

    Their stored files stay where they are (Task.home). `rank` is the new owner's, None leaves it.
    """
    moved = 0
    while tasks := of_owner(old_owner) if old_owner != new_owner else []:
        for task in tasks:
            keys = [f"task:{task}", f"events:{task}"]
            moved += _script("adopt", keys, [task, old_owner, new_owner, rank or ""])
    return moved


def claim(lane: str, slot: str, tools: Iterable[int] = ()) -> Claim | None:
    """The next part for `slot`, waiting up to BLOCK_MS; None when there was none.

    Work of a slot that has been silent for the lease is taken over first. With `tools`, parts of others are left to
    slots that know them: during a release old and new ones live side by side.
    """
    known = "".join(f" {tool} " for tool in tools)
    found = _claimed(lane, slot, known)
    if found is None and connect().blpop([f"lane:{lane}:bell"], timeout=BLOCK_MS / 1000):
        found = _claimed(lane, slot, known)
    if found and found.fence < 0:
        # Its part ended, but perhaps the one that ended it died before it could end the task.
        finish_if_over(found.task)
        drop(found)
        return None
    return found


def _claimed(lane: str, slot: str, tools: str) -> Claim | None:
    found = _script("claim", [], [lane, slot, settings().lease * 1000, now_ms(), GUEST_TURN, tools])
    if not found:
        return None
    task, part, stream, message, fence = found
    return Claim(task, int(part), lane, stream, message, int(fence))


def renew(held: Claim, slot: str) -> bool:
    """Keep the lease; False when the part was given to another or its task is gone."""
    return bool(_script("renew", [f"task:{held.task}", held.stream], [held.part, held.fence, held.message, slot]))


def tell(held: Claim, done: float, stage: str) -> None:
    """Progress of the part, 0..1; a stale fence is refused silently."""
    _script("tell", [f"task:{held.task}", f"events:{held.task}"], [held.part, held.fence, f"{done:.4f}", stage])


def spread(held: Claim, shares: Sequence[dict[str, Any]]) -> None:
    """End a plan part by queueing one part for each share, once; then `done` is called for the plan part.

    A share's "lane" is where its part waits and runs; without one that is the task's.
    """
    texts, lanes = sealed(list(shares), held.task), [share.get("lane") or "" for share in shares]
    _script("spread", [f"task:{held.task}"], [held.task, held.part, held.fence, now_ms(), texts, *lanes])


def done(held: Claim, outcome: Outcome) -> Task | None:
    """End the part; the last part ends the task. Returns the task when it ended now."""
    keys = [f"task:{held.task}", f"events:{held.task}"]
    left = _script("done", keys, [held.part, held.fence, outcome.dump(held.task)])
    ended = finish(held.task) if left == 0 else None
    drop(held)
    return ended


def finish(task_id: str) -> Task | None:
    """Write the outcome of a task whose parts have all ended; None when it had ended before."""
    task = find(task_id)
    if task is None:
        return None
    outcome = settle(task)
    trouble = sealed(asdict(outcome.trouble), task_id) if outcome.trouble else ""
    reason = outcome.trouble.reason if outcome.trouble else ""
    expires = now_ms() + settings().keep * 1000
    prefixes = _folders(each.key for each in task.inputs)
    keys = [f"task:{task_id}", f"events:{task_id}", "due"]
    arguments = [task_id, int(outcome.status), trouble, reason, now_ms(), expires, *prefixes]
    return find(task_id) if _script("finish", keys, arguments) else None


def finish_if_over(task_id: str) -> None:
    """End a task whose parts are all over."""
    task = find(task_id)
    if task and not task.status.ended and len(task.outcomes) == task.parts:
        finish(task_id)


def poisoned(held: Claim) -> bool:
    """Whether this claim is one more than a part may have."""
    return held.fence > CLAIMS


def release(held: Claim, slot: str) -> None:
    """Give the part back at once (its process died): another slot may claim it without waiting for the lease."""
    keys = [f"task:{held.task}", held.stream, f"events:{held.task}"]
    _script("release", keys, [held.task, held.part, held.fence, held.message, now_ms(), held.lane])


def drop(held: Claim) -> None:
    """Take the message from its stream, unless the part lives on with another slot."""
    _script("drop", [f"task:{held.task}", held.stream], [held.part, held.fence, held.message])


def forget(task: Task) -> None:
    """Delete the record and its waiting parts; slots that work on it notice within a lease and stop."""
    forget_id(task.id)


def forget_id(task: str) -> None:
    """The same for a task of which only the id is known."""
    _script("forget", [f"task:{task}", "due", f"events:{task}"], [task])


def home(task: str) -> str:
    """Whose name the task's stored results bear, "" when it is gone; also of a record that nobody can unseal."""
    first, owner = connect().hmget(f"task:{task}", "home", "owner")
    return first or owner or ""


def _folders(keys: Iterable[str]) -> list[str]:
    """The entries of `due` that speak for these stored files."""
    return sorted({f"files:{key.rsplit('/', 1)[0]}/" for key in keys})


def beat(lane: str, slot: str) -> None:
    """A slot's sign of life; slots silent for a minute are forgotten."""
    _script("beat", [f"slots:{lane}"], [slot, now_ms(), now_ms() - 60_000])


def live_on(node: str, slot: str, quotas: str) -> None:
    """Say on which machine a slot is, and by what quotas hold there."""
    connect().hset("nodes", slot, node)
    connect().hset("quotas", slot, quotas)


def leave(lane: str, slot: str) -> None:
    """Forget a slot that ended; what it held is claimed by others once its lease is over."""
    connect().zrem(f"slots:{lane}", slot)
    for told in ("nodes", "quotas"):
        connect().hdel(told, slot)
    rest(slot, on=False)


def rest(name: str, on: bool = True) -> None:
    """Let the slots of a machine, or one slot for good, claim nothing more; or let them claim again."""
    (connect().sadd if on else connect().srem)("resting", name)


def resting(name: str) -> bool:
    """Whether the slots of a machine are to claim nothing, or one slot is to end."""
    return bool(connect().sismember("resting", name))


def held_on(node: str) -> int:
    """Parts that slots of a machine hold."""
    own = {slot for slot, where in connect().hgetall("nodes").items() if where == node}
    streams = [lane_stream(lane, rank) for lane in Lane for rank in RANKS]
    holders = [each for stream in streams if connect().exists(stream) for each in _holders(stream)]
    return sum(count for slot, count in holders if slot in own)


def _holders(stream: str) -> list[tuple[str, int]]:
    return [(each["name"], each["pending"]) for each in connect().xinfo_consumers(stream, GROUP)]


def seen(lane: str, slot: str) -> int:
    """When the slot gave its last sign of life (ms); 0 when that is long ago."""
    return int(connect().zscore(f"slots:{lane}", slot) or 0)


def forget_slots() -> None:
    """Forget every slot: whoever keeps the lanes from now on makes new ones."""
    connect().delete("nodes", "quotas", *(f"slots:{lane}" for lane in Lane))


def slots(lane: str) -> int:
    """Slots seen within the last lease."""
    return len(_alive(lane))


def quotas() -> dict[str, int]:
    """By what quotas hold → for how many of all lanes' slots."""
    alive = [slot for lane in Lane for slot in _alive(lane)]
    return dict(Counter(each for each in connect().hmget("quotas", alive) if each) if alive else {})


def _alive(lane: str) -> list[str]:
    return list(connect().zrangebyscore(f"slots:{lane}", now_ms() - settings().lease * 1000, "+inf"))


def depth(lane: str) -> int:
    """Parts in the lane, waiting and running."""
    return sum(running(lane, rank) + waiting(lane, rank)[0] for rank in RANKS)


def running(lane: str, rank: str) -> int:
    """Parts that slots hold."""
    return int(connect().xlen(lane_stream(lane, rank)))


def waiting(lane: str, rank: str) -> tuple[int, int]:
    """Parts that no slot holds, and since when (ms) the oldest of them waits, 0 when there is none."""
    count, oldest = _script("waits", [lane_stream(lane, rank)], [])
    return int(count), int(oldest)


def place(task: Task) -> int:
    """How many waiting parts will be claimed before this task's first one; 0 when it is next or runs."""
    if task.status is not Status.BE_QUEUING:
        return 0
    return int(_script("place", [f"task:{task.id}"], [task.id, GUEST_TURN]))


def _script(name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
    return run(SCRIPTS[name], keys, arguments)
