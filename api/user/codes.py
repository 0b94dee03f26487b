"""One-time passwords: six digits that prove an account's mailbox or phone, once.

key                    type  holds
code:{mark}            hash  hash (of the code, under our key), tries; lives CODE_LIFE
sent:{mark}            zset  sendings of the last hour by time (ms)
sent:at:{address}      zset  the same for one client address

`mark` stands for the account under a key of ours. Nothing here tells whether the account exists.
"""

import hashlib
import hmac
import re
import secrets
import unicodedata
from functools import cache
from typing import Any

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


def issue(name: str, address: str) -> str:
    """A new code for `name`; the one before it dies. Raises Refusal codes_too_many."""
    code = f"{secrets.randbelow(1_000_000):06d}"
    keys = [*_keys(name), f"sent:at:{address}"]
    limits = [CODE_LIFE, WAIT, _HOUR, HOURLY, settings().address_codes]
    wait = int(_script("issue")(keys=keys, args=[_hash(name, code), secrets.token_hex(8), *limits]))
    if wait:
        raise Refusal("codes_too_many", data={"seconds": wait}, retry=wait, seconds=wait)
    return code


def spend(name: str, typed: str) -> None:
    """Use the code up. Raises Refusal code_wrong: wrong, used, expired or tried too often, nobody learns which."""
    code = re.sub(r"\s", "", unicodedata.normalize("NFKC", typed))
    kept = _script("attempt")(keys=[f"code:{_mark(name)}"], args=[TRIES])
    right = hmac.compare_digest(kept or "-", _hash(name, code)) and bool(_CODE.fullmatch(code))
    if not right or not _script("spend")(keys=[f"code:{_mark(name)}"], args=[kept]):
        raise Refusal("code_wrong")


def take_back(name: str) -> None:
    """Let the last code count as never sent: it could not be delivered."""
    code, sent = _keys(name)
    connect().delete(code)
    connect().zpopmax(sent)


def forget(name: str) -> None:
    """Erase what is kept about `name`."""
    connect().delete(*_keys(name))


def _keys(name: str) -> list[str]:
    return [f"code:{_mark(name)}", f"sent:{_mark(name)}"]


def _mark(name: str) -> str:
    return hmac.new(server_key("accounts"), name.encode(), hashlib.sha256).hexdigest()[:40]


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
        redis.call('DEL', KEYS[1])
        redis.call('HSET', KEYS[1], 'hash', hash, 'tries', 0)
        redis.call('EXPIRE', KEYS[1], life)
        return 0""",
    # Each look at the code is a try, counted before it is compared.
    "attempt": """
        if redis.call('EXISTS', KEYS[1]) == 0 then return false end
        if redis.call('HINCRBY', KEYS[1], 'tries', 1) > tonumber(ARGV[1]) then return false end
        return redis.call('HGET', KEYS[1], 'hash')""",
    "spend": """
        if redis.call('HGET', KEYS[1], 'hash') ~= ARGV[1] then return 0 end
        return redis.call('DEL', KEYS[1])""",
}


@cache
def _script(name: str) -> Any:
    return connect().register_script(_SCRIPTS[name])
