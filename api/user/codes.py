"""One-time passwords: six digits that prove an account's mailbox or phone, once.

key                    type  holds
code:{mark}            hash  {asker}.hash (of the code, under our key), .tries, .until; newest (an asker),
                             others (tries of browsers without a code of their own); lives CODE_LIFE
sent:{mark}            zset  sendings of the last hour by time (ms)
sent:at:{address}      zset  the same for one client address

`mark` stands for the account and `asker` for the browser that asked for a code, both under a key of ours. Each
browser has a code and tries of its own, so that a stranger who guesses, or asks, takes neither from the owner; who
asked on one device and types on another shares the newest code's tries with everybody else.
Nothing here tells whether the account exists.
"""

import hashlib
import hmac
import re
import secrets
import unicodedata
from functools import cache
from typing import Any

from api.caller import count_hourly, uncount_hourly
from api.problems import Refusal
from api.settings import settings
from cluster.queue import connect
from cluster.seal import server_key

#: Seconds a code is good for, and seconds between two of them.
CODE_LIFE, WAIT = 300, 60
TRIES = 5
#: Codes of one account in an hour.
HOURLY = 5
_HOUR = 3600
_CODE = re.compile(r"\d{6}", re.ASCII)


def issue(name: str, address: str, asker: str) -> str:
    """A new code for `name`; the one that `asker` (an owner's id) had before dies. Raises Refusal codes_too_many."""
    code = f"{secrets.randbelow(1_000_000):06d}"
    keys = [*_keys(name), f"sent:at:{address}"]
    limits = [CODE_LIFE, WAIT, _HOUR, HOURLY, settings().address_codes]
    wait = int(_script("issue")(keys=keys, args=[_hash(name, code), secrets.token_hex(8), *limits, _asker(asker)]))
    if wait:
        raise Refusal("codes_too_many", data={"seconds": wait}, retry=wait, seconds=wait)
    return code


def spend(name: str, typed: str, address: str, asker: str) -> None:
    """Use the code up. Raises Refusal.

    code_wrong: wrong, used, expired or tried too often, nobody learns which. too_many_requests: the address has typed
    too many wrong ones, whichever accounts they were for.
    """
    count_hourly("guessed", address, settings().address_guesses)
    code = re.sub(r"\s", "", unicodedata.normalize("NFKC", typed))
    of, kept = _script("attempt")(keys=[f"code:{_mark(name)}"], args=[TRIES, _asker(asker)]) or ("", "-")
    right = hmac.compare_digest(kept, _hash(name, code)) and bool(_CODE.fullmatch(code))
    if not right or not _script("spend")(keys=[f"code:{_mark(name)}"], args=[of, kept]):
        raise Refusal("code_wrong")
    uncount_hourly("guessed", address)


def take_back(name: str, asker: str) -> None:
    """Let the last code count as never sent: it could not be delivered."""
    code, sent = _keys(name)
    connect().hdel(code, f"{_asker(asker)}.hash")
    connect().zpopmax(sent)


def forget(name: str) -> None:
    """Erase what is kept about `name`."""
    connect().delete(*_keys(name))


def _keys(name: str) -> list[str]:
    return [f"code:{_mark(name)}", f"sent:{_mark(name)}"]


def _mark(name: str) -> str:
    return hmac.new(server_key("accounts"), name.encode(), hashlib.sha256).hexdigest()[:40]


def _asker(owner: str) -> str:
    return _mark(f"asker {owner}")[:16] if owner else ""


def _hash(name: str, code: str) -> str:
    return hmac.new(server_key("codes"), f"{name}\n{code}".encode(), hashlib.sha256).hexdigest()


_SCRIPTS = {
    # 0, or the seconds until the next code may be sent.
    "issue": """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local hash, id, life, wait, hour = ARGV[1], ARGV[2], ARGV[3], ARGV[4] * 1000, ARGV[5] * 1000
        local most = {tonumber(ARGV[6]), tonumber(ARGV[7])}
        local later = 0
        for i = 1, 2 do
          redis.call('ZREMRANGEBYSCORE', KEYS[i + 1], 0, now - hour)
          if redis.call('ZCARD', KEYS[i + 1]) >= most[i] then
            local first = redis.call('ZRANGE', KEYS[i + 1], -most[i], -most[i], 'WITHSCORES')
            later = math.max(later, (first[2] or now) + hour - now)
          end
        end
        local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
        if last[2] then later = math.max(later, last[2] + wait - now) end
        if later > 0 then return math.ceil(later / 1000) end
        for i = 2, 3 do
          redis.call('ZADD', KEYS[i], now, id)
          redis.call('PEXPIRE', KEYS[i], hour)
        end
        local asker = ARGV[8]
        redis.call('HSET', KEYS[1], asker .. '.hash', hash, asker .. '.tries', 0, asker .. '.until', now + life * 1000)
        redis.call('HSET', KEYS[1], 'newest', asker, 'others', 0)
        redis.call('EXPIRE', KEYS[1], life)
        return 0""",
    # {asker, hash}. Each look at a code is a try, counted before it is compared.
    "attempt": """
        local now = tonumber(redis.call('TIME')[1]) * 1000
        local function code(asker)
          local hash, till = unpack(redis.call('HMGET', KEYS[1], asker .. '.hash', asker .. '.until'))
          return hash and tonumber(till) > now and hash
        end
        local asker, tries = ARGV[2], ARGV[2] .. '.tries'
        if not code(asker) then asker, tries = redis.call('HGET', KEYS[1], 'newest'), 'others' end
        local hash = asker and code(asker)
        if not hash or redis.call('HINCRBY', KEYS[1], tries, 1) > tonumber(ARGV[1]) then return false end
        return {asker, hash}""",
    "spend": """
        if redis.call('HGET', KEYS[1], ARGV[1] .. '.hash') ~= ARGV[2] then return 0 end
        return redis.call('HDEL', KEYS[1], ARGV[1] .. '.hash')""",
}


@cache
def _script(name: str) -> Any:
    return connect().register_script(_SCRIPTS[name])
