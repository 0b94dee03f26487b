"""Grants: temporary write access to one prefix, and the server's own read access.

key                    type   holds
grant:{id}             hash   owner, each (bytes of one object), total (bytes in all), used, use:<slot>
grants:{mark}:{hour}   hash   count and bytes of the grants to one client address

A grant's access key is `PC<id>`. Its session token says until when and is signed by us; the secret
follows from the token, so neither is stored. Renewing gives a new token for the same prefix.
"""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from api.caller import Caller, new_id
from api.file.sigv4 import Keys
from api.problems import Refusal
from api.settings import settings
from api.user.adopting import owns
from cluster.queue import connect, now_ms
from cluster.seal import server_key
from cluster.settings import settings as cluster_settings

#: Seconds that credentials live.
LIFE = 3600
#: Objects, open uploads and their parts of one grant: the parts of one upload, and room.
MOST_SLOTS = 12_000
READER = "PCREAD"
_TOKEN = re.compile(r"(?P<until>\d{10})\.(?P<salt>\w{32})\.(?P<mark>\w{64})", re.ASCII)
_PREFIX = re.compile(r"uploads/(?P<owner>\w+)/(?P<grant>\w+)/", re.ASCII)


@dataclass(frozen=True)
class Access:
    """What a pair of keys may do. `grant` is empty for the server's own reading keys."""

    secret: str = field(repr=False)
    grant: str = ""
    prefix: str = ""
    each: int = 0
    total: int = 0

    def writes(self, key: str) -> bool:
        """Whether objects under `key` may be written."""
        return bool(self.grant) and key.startswith(self.prefix) and len(key) > len(self.prefix)

    @property
    def reads(self) -> bool:
        return not self.grant


class ExpiredToken(Exception):
    """The session token was ours and its time is over."""


@dataclass(frozen=True)
class Grant:
    """A fresh grant: its keys, its prefix and until when (seconds since the epoch)."""

    keys: Keys
    prefix: str
    bytes: int
    until: int


def issue(caller: Caller, files: int, size: int | None) -> Grant:
    """A grant for `files` files of `size` bytes in all. Raises Refusal over the caller's rights."""
    most = caller.rights.bytes * files
    total = most if size is None else size
    if total > most:
        raise Refusal("file_too_large", limit=caller.rights.bytes >> 20)
    _count(caller, total)
    grant = new_id()
    fields: dict[str, str | int] = {"owner": caller.owner, "each": caller.rights.bytes, "total": total}
    connect().hset(f"grant:{grant}", mapping=fields)
    return _renewed(caller.owner, grant, total)


def renew(caller: Caller, prefix: str) -> Grant:
    """New credentials for an earlier grant of the caller's. Raises Refusal."""
    found = _PREFIX.fullmatch(prefix)
    known = connect().hgetall(f"grant:{found['grant']}") if found else {}
    if not found or known.get("owner") != found["owner"] or not owns(caller, found["owner"]):
        raise Refusal("file_unknown")
    return _renewed(found["owner"], found["grant"], int(known["total"]))


def _renewed(owner: str, grant: str, total: int) -> Grant:
    prefix, until = f"uploads/{owner}/{grant}/", int(time.time()) + LIFE
    keep = cluster_settings().keep
    connect().expire(f"grant:{grant}", keep + LIFE)
    connect().zadd("due", {f"files:{prefix}": now_ms() + keep * 1000}, gt=True)
    token = _token(grant, until)
    return Grant(Keys(f"PC{grant}", _secret(token), token), prefix, total, until)


def access(key: str, token: str) -> Access | None:
    """What these keys may do; None for keys that are not ours. Raises ExpiredToken."""
    if key == READER:
        return Access(reader().secret)
    grant, found = key.removeprefix("PC"), _TOKEN.fullmatch(token)
    if not found or not hmac.compare_digest(found["mark"], _mark(grant, found["until"], found["salt"])):
        return None
    if int(found["until"]) < time.time():
        raise ExpiredToken
    known = connect().hgetall(f"grant:{grant}")
    if "owner" not in known:
        return None
    prefix = f"uploads/{known['owner']}/{grant}/"
    return Access(_secret(token), grant, prefix, int(known["each"]), int(known["total"]))


@cache
def reader() -> Keys:
    """The keys that the server's own download links are signed with."""
    return Keys(READER, server_key("s3 reader").hex())


def alive(found: Access) -> bool:
    """Whether the grant is still there; it goes when its owner is erased."""
    return bool(connect().hexists(f"grant:{found.grant}", "owner"))


def reserve(found: Access, slot: str, size: int) -> bool:
    """Book `size` bytes for `slot` (an object, an upload or a part); booking again replaces.

    False over the total, or when there are too many.
    """
    return bool(_script("reserve", f"grant:{found.grant}", [slot, size, found.total, MOST_SLOTS]))


def release(found: Access, slots: Sequence[str]) -> None:
    """Give back what `slots` had booked."""
    if slots:
        _script("release", f"grant:{found.grant}", list(slots))


def _count(caller: Caller, size: int) -> None:
    key = f"grants:{caller.address}:{int(time.time()) // 3600}"
    pipe = connect().pipeline()
    pipe.hincrby(key, "count", 1)
    pipe.hincrby(key, "bytes", size)
    pipe.expire(key, 3600)
    count, held, _ = pipe.execute()
    bound = caller.rights.queue == "guest"
    if count > settings().address_grants or (bound and held > settings().address_bytes):
        raise Refusal("too_many_requests", retry=600)


def _token(grant: str, until: int) -> str:
    salt = secrets.token_hex(16)
    return f"{until}.{salt}.{_mark(grant, str(until), salt)}"


def _mark(grant: str, until: str, salt: str) -> str:
    return hmac.new(server_key("s3 tokens"), f"{grant}.{until}.{salt}".encode(), hashlib.sha256).hexdigest()


def _secret(token: str) -> str:
    return hmac.new(server_key("s3 secrets"), token.encode(), hashlib.sha256).hexdigest()[:40]


_SCRIPTS = {
    "reserve": """
        local slot = 'use:' .. ARGV[1]
        local before = redis.call('HGET', KEYS[1], slot)
        if not before and redis.call('HLEN', KEYS[1]) > tonumber(ARGV[4]) then return 0 end
        local old = tonumber(before or 0)
        local used = tonumber(redis.call('HGET', KEYS[1], 'used') or 0) - old + tonumber(ARGV[2])
        if used > tonumber(ARGV[3]) then return 0 end
        redis.call('HSET', KEYS[1], slot, ARGV[2], 'used', string.format('%.0f', used))
        return 1""",
    "release": """
        local used = tonumber(redis.call('HGET', KEYS[1], 'used') or 0)
        for _, slot in ipairs(ARGV) do
          used = used - tonumber(redis.call('HGET', KEYS[1], 'use:' .. slot) or 0)
          redis.call('HDEL', KEYS[1], 'use:' .. slot)
        end
        redis.call('HSET', KEYS[1], 'used', string.format('%.0f', used))
        return 1""",
}


def _script(name: str, key: str, arguments: Sequence[Any]) -> Any:
    return _registered(name)(keys=[key], args=arguments)


@cache
def _registered(name: str) -> Any:
    return connect().register_script(_SCRIPTS[name])
