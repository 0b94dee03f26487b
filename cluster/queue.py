"""Queue: put, claim, renew, tell, done. At-least-once over Redis Streams, with a fence.

key                     type     holds
task:{id}               hash     the record (cluster.task.write); p{i}.fence, p{i}.done, p{i}.end for each part
tasks:{owner}           zset     task ids by creation time (ms)
lane:{lane}:{rank}      stream   {task, part}; rank member | guest; one group `slots`; done entries are deleted
slots:{lane}            zset     slot names by last heartbeat (ms)
claims:{lane}           counter  shares the turns between ranks
due                     zset     `task:<id>` | `files:<prefix>` by the time (ms) they are deleted
grant:{id}              hash     an upload grant; with its other keys in api.file.grants, api.caller, api.user.rights
events:{id}             channel  a word at every change of the task
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from cluster.settings import settings
from cluster.task import CLAIMS, Outcome, Status, Task, read, settle, write

GROUP = "slots"
RANKS = ("member", "guest")
#: Every so many claims a guest goes first, so that members never starve guests.
GUEST_TURN = 4
#: A blocking read must stay below redis-py's socket timeout of 5 s.
BLOCK_MS = 2000


@dataclass(frozen=True)
class Claim:
    """One claimed part. `fence` must go with every word about it."""

    task: str
    part: int
    stream: str
    message: str
    fence: int


@cache
def connect() -> Any:
    """This process's connection pool; a restarted server is waited for, up to a minute."""
    retry = Retry(ExponentialBackoff(cap=2, base=0.05), 40)
    return redis.Redis.from_url(
        settings().redis,
        decode_responses=True,
        retry=retry,
        retry_on_error=[redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError],
    )


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def lane_stream(lane: str, rank: str) -> str:
    return f"lane:{lane}:{rank}"


def put(task: Task) -> None:
    """Record `task` (CREATE → BE_QUEUING) and queue its parts, all or nothing."""
    _script(
        "put",
        [f"task:{task.id}", f"tasks:{task.owner}", lane_stream(task.lane, task.rank), f"events:{task.id}"],
        [task.id, task.created, task.parts, *(item for pair in write(task).items() for item in pair)],
    )


def find(task: str) -> Task | None:
    """The task's record, None when it is gone."""
    raw = connect().hgetall(f"task:{task}")
    return read(task, raw) if raw and "parts" in raw else None


def of_owner(owner: str) -> list[str]:
    """Ids of the owner's tasks, oldest first."""
    return list(connect().zrange(f"tasks:{owner}", 0, -1))


def claim(lane: str, slot: str) -> Claim | None:
    """The next part for `slot`, waiting up to BLOCK_MS; None when there was none.

    Work of a slot that has been silent for the lease is taken over first.
    """
    streams = _turn(lane)
    marks = {stream: _last(stream) for stream in streams}
    for stream in streams:
        found = _taken_over(stream, slot) or _fresh(stream, slot)
        if found:
            return _begin(stream, *found)
    connect().xread(marks, block=BLOCK_MS, count=1)
    return None


def renew(held: Claim, slot: str) -> bool:
    """Keep the lease; False when the part was given to another or its task is gone."""
    client = connect()
    pending = client.xpending_range(held.stream, GROUP, held.message, held.message, 1)
    if not pending or pending[0]["consumer"] != slot or not client.exists(f"task:{held.task}"):
        return False
    client.xclaim(held.stream, GROUP, slot, 0, [held.message], justid=True)
    return True


def tell(held: Claim, done: float, stage: str) -> None:
    """Progress of the part, 0..1; a stale fence is refused silently."""
    _script("tell", [f"task:{held.task}", f"events:{held.task}"], [held.part, held.fence, f"{done:.4f}", stage])


def spread(held: Claim, shares: Sequence[dict[str, Any]]) -> None:
    """End a plan part by queueing one part for each share; then `done` is called for the plan part."""
    task = find(held.task)
    if task and not task.shares:
        texts = json.dumps(list(shares), ensure_ascii=False)
        keys = [f"task:{held.task}", lane_stream(task.lane, task.rank)]
        _script("spread", keys, [held.task, held.part, held.fence, len(shares), texts])


def done(held: Claim, outcome: Outcome) -> Task | None:
    """End the part; the last part ends the task. Returns the task when it ended now."""
    keys = [f"task:{held.task}", f"events:{held.task}"]
    left = _script("done", keys, [held.part, held.fence, outcome.dump()])
    ended = finish(held.task) if left == 0 else None
    drop(held)
    return ended


def finish(task_id: str) -> Task | None:
    """Write the outcome of a task whose parts have all ended; None when it had ended before."""
    task = find(task_id)
    if task is None:
        return None
    outcome = settle(task)
    trouble = json.dumps(vars(outcome.trouble) | {"facts": dict(outcome.trouble.facts)}) if outcome.trouble else ""
    expires = now_ms() + settings().keep * 1000
    prefixes = sorted({f"files:{each.key.rsplit('/', 1)[0]}/" for each in task.inputs})
    keys = [f"task:{task_id}", f"events:{task_id}", "due"]
    arguments = [task_id, int(outcome.status), trouble, now_ms(), expires, *prefixes]
    return find(task_id) if _script("finish", keys, arguments) else None


def release(held: Claim, slot: str) -> None:
    """Give the part back at once (its process died): another slot may claim it without waiting for the lease."""
    _script("release", [f"task:{held.task}", held.stream, f"events:{held.task}"], [held.task, held.part, held.message])


def drop(held: Claim) -> None:
    """Take the message from its stream."""
    client = connect()
    client.xack(held.stream, GROUP, held.message)
    client.xdel(held.stream, held.message)


def forget(task: Task) -> None:
    """Delete the record; slots that work on it notice within a lease and stop."""
    client = connect()
    client.delete(f"task:{task.id}")
    if task.status is Status.BE_QUEUING and task.message:
        client.xdel(lane_stream(task.lane, task.rank), task.message)
    client.zrem(f"tasks:{task.owner}", task.id)
    client.zrem("due", f"task:{task.id}")
    client.publish(f"events:{task.id}", "gone")


def beat(lane: str, slot: str) -> None:
    """A slot's sign of life; slots silent for a minute are forgotten."""
    client = connect()
    client.zadd(f"slots:{lane}", {slot: now_ms()})
    client.zremrangebyscore(f"slots:{lane}", 0, now_ms() - 60_000)


def slots(lane: str) -> int:
    """Slots seen within the last lease."""
    return int(connect().zcount(f"slots:{lane}", now_ms() - settings().lease * 1000, "+inf"))


def depth(lane: str) -> int:
    """Parts in the lane, waiting and running."""
    return sum(int(connect().xlen(lane_stream(lane, rank))) for rank in RANKS)


def place(task: Task) -> int:
    """How many waiting parts stand before this task's first one in its lane; 0 when it is next or runs."""
    if task.status is not Status.BE_QUEUING or not task.message:
        return 0
    before = _waiting(lane_stream(task.lane, task.rank), task.message)
    return before + (_waiting(lane_stream(task.lane, "member"), "+") if task.rank == "guest" else 0)


def _waiting(stream: str, until: str) -> int:
    try:
        groups = connect().xinfo_groups(stream)
    except redis.ResponseError:
        return 0
    last = next((group["last-delivered-id"] for group in groups if group["name"] == GROUP), "0")
    stop = until if until == "+" else f"({until}"
    return len(connect().xrange(stream, f"({last}", stop, count=1000))


def _turn(lane: str) -> list[str]:
    turn = int(connect().incr(f"claims:{lane}"))
    ranks = RANKS[::-1] if turn % GUEST_TURN == 0 else RANKS
    return [lane_stream(lane, rank) for rank in ranks]


def _last(stream: str) -> str:
    newest = connect().xrevrange(stream, count=1)
    return str(newest[0][0]) if newest else "0"


def _fresh(stream: str, slot: str) -> tuple[str, dict[str, str]] | None:
    found = _in_group(stream, lambda: connect().xreadgroup(GROUP, slot, {stream: ">"}, count=1))
    return found[0][1][0] if found else None


def _taken_over(stream: str, slot: str) -> tuple[str, dict[str, str]] | None:
    idle = settings().lease * 1000
    found = _in_group(stream, lambda: connect().xautoclaim(stream, GROUP, slot, idle, count=1))
    return found[1][0] if found and found[1] else None


def _in_group(stream: str, call: Any) -> Any:
    try:
        return call()
    except redis.ResponseError as error:
        if "NOGROUP" not in str(error):
            raise
    try:
        connect().xgroup_create(stream, GROUP, id="0", mkstream=True)
    except redis.ResponseError as error:
        if "BUSYGROUP" not in str(error):
            raise
    return call()


def _begin(stream: str, message: str, body: dict[str, str]) -> Claim | None:
    """Raise the fence; a message whose part is over or gone is dropped, a poison one ends its part."""
    task, part = body["task"], int(body["part"])
    fence = int(_script("begin", [f"task:{task}", f"events:{task}"], [part, now_ms()]))
    held = Claim(task, part, stream, message, fence)
    if fence == -1:
        # Its part ended, but perhaps the one that ended it died before it could end the task.
        finish_if_over(task)
        drop(held)
    return held if fence > 0 else None


def finish_if_over(task_id: str) -> None:
    """End a task whose parts are all over."""
    task = find(task_id)
    if task and not task.status.ended and len(task.outcomes) == task.parts:
        finish(task_id)


def poisoned(held: Claim) -> bool:
    """Whether this claim is one more than a part may have."""
    return held.fence > CLAIMS


_SCRIPTS = {
    "put": """
        if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
        redis.call('HSET', KEYS[1], unpack(ARGV, 4))
        redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
        for part = 0, ARGV[3] - 1 do
          local id = redis.call('XADD', KEYS[3], '*', 'task', ARGV[1], 'part', part)
          if part == 0 then redis.call('HSET', KEYS[1], 'message', id, 'status', 99) end
        end
        redis.call('PUBLISH', KEYS[4], 'put')
        return 1""",
    "begin": """
        if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'p' .. ARGV[1] .. '.end') == 1 then
          return -1 end
        local status = redis.call('HGET', KEYS[1], 'status')
        if status ~= '99' and status ~= '2' then return -1 end
        redis.call('HSET', KEYS[1], 'status', 2)
        redis.call('HSETNX', KEYS[1], 'started', ARGV[2])
        local fence = redis.call('HINCRBY', KEYS[1], 'p' .. ARGV[1] .. '.fence', 1)
        redis.call('PUBLISH', KEYS[2], 'begin')
        return fence""",
    "tell": """
        if redis.call('HGET', KEYS[1], 'p' .. ARGV[1] .. '.fence') ~= ARGV[2] then return 0 end
        redis.call('HSET', KEYS[1], 'p' .. ARGV[1] .. '.done', ARGV[3], 'stage', ARGV[4])
        redis.call('PUBLISH', KEYS[2], 'tell')
        return 1""",
    "spread": """
        if redis.call('HGET', KEYS[1], 'p' .. ARGV[2] .. '.fence') ~= ARGV[3] then return 0 end
        redis.call('HSET', KEYS[1], 'shares', ARGV[5], 'parts', ARGV[4] + 1)
        redis.call('HINCRBY', KEYS[1], 'left', ARGV[4])
        for part = 1, ARGV[4] do redis.call('XADD', KEYS[2], '*', 'task', ARGV[1], 'part', part) end
        return 1""",
    "done": """
        local p = 'p' .. ARGV[1]
        if redis.call('HGET', KEYS[1], p .. '.fence') ~= ARGV[2] then return -1 end
        if redis.call('HSETNX', KEYS[1], p .. '.end', ARGV[3]) == 0 then return -1 end
        local left = redis.call('HINCRBY', KEYS[1], 'left', -1)
        redis.call('PUBLISH', KEYS[2], 'done')
        return left""",
    "finish": """
        local status = redis.call('HGET', KEYS[1], 'status')
        if status ~= '99' and status ~= '2' then return 0 end
        redis.call('HSET', KEYS[1], 'status', ARGV[2], 'trouble', ARGV[3], 'finished', ARGV[4], 'expires', ARGV[5])
        redis.call('HDEL', KEYS[1], 'secrets')
        redis.call('ZADD', KEYS[3], ARGV[5], 'task:' .. ARGV[1])
        for i = 6, #ARGV do redis.call('ZADD', KEYS[3], 'GT', ARGV[5], ARGV[i]) end
        redis.call('PUBLISH', KEYS[2], 'finish')
        return 1""",
    "release": """
        if redis.call('XACK', KEYS[2], 'slots', ARGV[3]) == 0 then return 0 end
        redis.call('XDEL', KEYS[2], ARGV[3])
        if redis.call('HGET', KEYS[1], 'status') ~= '2' then return 0 end
        redis.call('HSET', KEYS[1], 'status', 99, 'stage', 'queued')
        local id = redis.call('XADD', KEYS[2], '*', 'task', ARGV[1], 'part', ARGV[2])
        redis.call('HSET', KEYS[1], 'message', id)
        redis.call('PUBLISH', KEYS[3], 'release')
        return 1""",
}


def _script(name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
    return _registered(name)(keys=keys, args=arguments)


@cache
def _registered(name: str) -> Any:
    return connect().register_script(_SCRIPTS[name])
