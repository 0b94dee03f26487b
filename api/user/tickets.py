"""Tickets: sign-in by another device. A browser shows one as a QR code, a signed-in phone confirms it.

    WAITING → SCANNED → CONFIRMED → EXPIRED (told once, refused, or LIFE seconds old)

key                         type     holds
ticket:{id}                 hash     status, browser (owner that asked), device, place, created; phone (account)
tickets:at:{address}:{hour} counter  tickets of one client address
tickets:of:{owner}          set      tickets that this owner asked for or scanned
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, cast

import segno

from api.caller import Caller, count_hourly, network, new_id
from api.calls import Client
from api.problems import Refusal
from api.settings import settings
from api.user.adopting import owns
from api.user.devices import device_name
from cluster.queue import connect, now_ms

#: Seconds that a ticket may be confirmed, and seconds that it is remembered.
LIFE, KEPT = 120, 600
State = Literal["WAITING", "SCANNED", "CONFIRMED", "EXPIRED"]
Step = Literal["scan", "confirm", "refuse"]


@dataclass(frozen=True)
class Ticket:
    """One ticket. `place` is the network address that asked, `phone` the account that scanned it."""

    id: str
    status: State
    device: str
    place: str
    created: int
    phone: str = ""

    @property
    def expires(self) -> int:
        """When it ends, in ms."""
        return self.created + LIFE * 1000

    def near(self, ip: str) -> bool:
        """Whether `ip` is in the network that asked."""
        return bool(ip) and network(ip) == network(self.place)


def issue(asking: Caller, client: Client) -> Ticket:
    """A new ticket for the asking browser. Raises Refusal over the limit of its address."""
    count_hourly("tickets:at", asking.address, settings().address_tickets)
    made = Ticket(new_id(), "WAITING", device_name(client.agent), client.ip, now_ms())
    fields = {"status": made.status, "browser": asking.owner, "device": made.device, "place": made.place}
    pipe = connect().pipeline()
    pipe.hset(f"ticket:{made.id}", mapping={**fields, "created": made.created})
    pipe.expire(f"ticket:{made.id}", KEPT)
    pipe.execute()
    _note(asking.owner, made.id)
    return made


def poll(asking: Caller, ticket: str) -> Ticket:
    """How the asking browser's ticket stands; CONFIRMED is told once. Raises Refusal for any other browser.

    Who signed in by a code meanwhile is the same browser still.
    """
    browser = connect().hget(f"ticket:{ticket}", "browser") or ""
    return _moved("poll", ticket, browser if owns(asking, browser) else asking.owner)


def answer(account: str, ticket: str, step: Step) -> Ticket:
    """What the phone says. Raises Refusal for unknown tickets and those that another account has scanned."""
    found = _moved(step, ticket, account)
    _note(account, ticket)
    return found


def qr_svg(text: str) -> str:
    """The QR code as an SVG that fills its place."""
    return str(segno.make(text, error="m", micro=False).svg_inline(border=2, omitsize=True))


def forget(owner: str) -> None:
    """Erase the tickets that `owner` asked for or scanned."""
    index = f"tickets:of:{owner}"
    connect().delete(*(f"ticket:{ticket}" for ticket in connect().smembers(index)), index)


def _note(owner: str, ticket: str) -> None:
    index = f"tickets:of:{owner}"
    connect().sadd(index, ticket)
    connect().expire(index, KEPT)


def _moved(step: str, ticket: str, who: str) -> Ticket:
    raw = _script()(keys=[f"ticket:{ticket}"], args=[step, who, LIFE * 1000])
    if not raw:
        raise Refusal("qr_unknown")
    kept = dict(zip(raw[1::2], raw[2::2], strict=True))
    known = Ticket(ticket, kept["status"], kept["device"], kept["place"], int(kept["created"]), kept.get("phone", ""))
    return replace(known, status=cast(State, raw[0]))


#: The state to tell, then the ticket's fields.
_MOVE = """
    local raw = redis.call('HGETALL', KEYS[1])
    if #raw == 0 then return false end
    local kept = {}
    for i = 1, #raw, 2 do kept[raw[i]] = raw[i + 1] end
    local step, who = ARGV[1], ARGV[2]
    if step == 'poll' then
      if kept.browser ~= who then return false end
    elseif kept.phone and kept.phone ~= who then return false end
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local told = kept.status
    if told ~= 'CONFIRMED' and now > tonumber(kept.created) + tonumber(ARGV[3]) then told = 'EXPIRED' end
    local open = told == 'WAITING' or told == 'SCANNED'
    local after = told
    if step == 'poll' and told == 'CONFIRMED' then after = 'EXPIRED' end
    if step == 'scan' and open then told, after = 'SCANNED', 'SCANNED' end
    if step == 'confirm' and open then
      told, after = 'CONFIRMED', 'CONFIRMED'
      redis.call('EXPIRE', KEYS[1], 120)
    end
    if step == 'refuse' and open then told, after = 'EXPIRED', 'EXPIRED' end
    if after ~= kept.status then redis.call('HSET', KEYS[1], 'status', after) end
    if step ~= 'poll' and open then redis.call('HSET', KEYS[1], 'phone', who) end
    local reply = {told}
    for _, each in ipairs(redis.call('HGETALL', KEYS[1])) do table.insert(reply, each) end
    return reply"""


@cache
def _script() -> Any:
    return connect().register_script(_MOVE)
