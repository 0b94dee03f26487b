"""Pads: a phone on which one draws for a browser elsewhere. The browser shows a QR code, the phone opens it.

    WAITING → OPEN → DONE → EXPIRED (told once, or LIFE seconds old)

key                      type     holds
pad:{id}                 hash     status, browser (owner that asked), created; phone (owner that draws), ink (sealed)
pads:at:{address}:{hour} counter  pads of one client address
pads:of:{owner}          set      pads that this owner asked for or draws on
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from api.caller import Caller, count_hourly, new_id
from api.problems import Refusal
from api.settings import settings
from cluster.queue import connect, now_ms
from cluster.seal import seal, unseal

#: Seconds that a pad may be drawn on, and seconds that it is remembered.
LIFE, KEPT = 300, 600
State = Literal["WAITING", "OPEN", "DONE", "EXPIRED"]


@dataclass(frozen=True)
class Pad:
    """One pad; `ink` is what is drawn so far, None while it is nothing."""

    id: str
    status: State
    created: int
    ink: Any = None

    @property
    def expires(self) -> int:
        """When it ends, in ms."""
        return self.created + LIFE * 1000


def issue(asking: Caller) -> Pad:
    """A new pad for the asking browser. Raises Refusal over the limit of its address."""
    count_hourly("pads:at", asking.address, settings().address_tickets)
    made = Pad(new_id(), "WAITING", now_ms())
    pipe = connect().pipeline()
    pipe.hset(f"pad:{made.id}", mapping={"status": made.status, "browser": asking.owner, "created": made.created})
    pipe.expire(f"pad:{made.id}", KEPT)
    pipe.execute()
    _note(asking.owner, made.id)
    return made


def look(asking: Caller, pad: str) -> Pad:
    """How the asking browser's pad stands; DONE is told once. Raises Refusal for any other browser."""
    return _moved("look", pad, asking.owner, "")


def draw(drawing: Caller, pad: str, ink: Any, done: bool) -> Pad:
    """What the phone has drawn by now. Raises Refusal for unknown pads and those that another phone has."""
    found = _moved("done" if done else "draw", pad, drawing.owner, seal(json.dumps(ink), pad) if ink else "")
    _note(drawing.owner, pad)
    return found


def forget(owner: str) -> None:
    """Erase the pads that `owner` asked for or drew on."""
    index = f"pads:of:{owner}"
    connect().delete(*(f"pad:{pad}" for pad in connect().smembers(index)), index)


def _note(owner: str, pad: str) -> None:
    index = f"pads:of:{owner}"
    connect().sadd(index, pad)
    connect().expire(index, KEPT)


def _moved(step: str, pad: str, who: str, ink: str) -> Pad:
    told = _script()(keys=[f"pad:{pad}"], args=[step, who, LIFE * 1000, ink])
    if not told:
        raise Refusal("qr_unknown")
    status, created, sealed = told
    return Pad(pad, cast(State, status), int(created), json.loads(unseal(sealed, pad)) if sealed else None)


#: The state to tell, when it was made, and to the browser its ink.
_MOVE = """
    local names = {'status', 'browser', 'phone', 'created', 'ink'}
    local raw, kept = redis.call('HMGET', KEYS[1], unpack(names)), {}
    if not raw[1] then return false end
    for i, name in ipairs(names) do kept[name] = raw[i] end
    local step, who = ARGV[1], ARGV[2]
    if step == 'look' then
      if kept.browser ~= who then return false end
    elseif kept.phone and kept.phone ~= who then return false end
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local told = kept.status
    if told ~= 'DONE' and now > tonumber(kept.created) + tonumber(ARGV[3]) then told = 'EXPIRED' end
    if step == 'look' then
      if told == 'DONE' or told == 'EXPIRED' then
        redis.call('HSET', KEYS[1], 'status', 'EXPIRED')
        redis.call('HDEL', KEYS[1], 'ink')
      end
      return {told, kept.created, told ~= 'EXPIRED' and kept.ink or ''}
    end
    if told == 'WAITING' or told == 'OPEN' then
      told = step == 'done' and 'DONE' or 'OPEN'
      redis.call('HSET', KEYS[1], 'status', told, 'phone', who, 'ink', ARGV[4])
      return {told, kept.created, ''}
    end
    return {'EXPIRED', kept.created, ''}"""


@cache
def _script() -> Any:
    return connect().register_script(_MOVE)
