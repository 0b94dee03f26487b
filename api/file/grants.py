"""Grants: temporary write access to one prefix, and the server's own read access.

key                    type   holds
grant:{id}             hash   owner, each (bytes of one object), total (bytes in all), files, requests so far
grants:{mark}:{hour}   hash   count, bytes and files of the grants to one client address

What a grant holds tells its folder alone (api.file.objects).

A grant's access key is `PC<id>`. Its session token says until when and is signed by us; the secret
follows from the token, so neither is stored. Renewing gives a new token for the same prefix.
"""

import hashlib
import hmac
import re
import secrets
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from api.caller import Caller, new_id
from api.file.sigv4 import Keys
from api.problems import Refusal
from api.room import check_room
from api.settings import settings
from api.user.adopting import owns
from cluster.queue import connect, now_ms
from cluster.seal import server_key
from cluster.settings import settings as cluster_settings

#: Seconds that credentials live.
LIFE = 3600
#: S3's bound: parts but the last one are at least this big.
LEAST_PART = 5 << 20
#: Parts that lie there at once: those of the longest upload that S3 knows, and room.
MOST_PARTS_HELD = 12_000
#: Requests for each place of a grant: one, and many for a network that comes and goes.
TRIES = 20
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
    files: int = 0

    def writes(self, key: str) -> bool:
        """Whether `key` may be written: one name below the prefix."""
        name = key.removeprefix(self.prefix)
        return bool(self.grant) and key.startswith(self.prefix) and len(name) > 0 and "/" not in name

    @property
    def places(self) -> int:
        """Files on the disk that it may have: those of each upload, its parts, and some room."""
        return 10 + 6 * self.files + min(MOST_PARTS_HELD, 2 * (self.total // LEAST_PART))

    @property
    def reads(self) -> bool:
        return not self.grant


class ExpiredToken(Exception):
    """The session token was ours and its time is over."""


class UsedUp(Exception):
    """The grant has made all the requests that it may."""


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
    # Who does not say how much will come is granted more than ever does.
    check_room(size or 0)
    _count(caller, files, total)
    grant = new_id()
    fields: dict[str, str | int] = {
        "owner": caller.owner,
        "each": caller.rights.bytes,
        "total": total,
        "files": files,
    }
    connect().hset(f"grant:{grant}", mapping=fields)
    return _renewed(caller.owner, grant, total)


def renew(caller: Caller, prefix: str) -> Grant:
    """New credentials for an earlier grant of the caller's. Raises Refusal."""
    found = _PREFIX.fullmatch(prefix)
    known = connect().hgetall(f"grant:{found['grant']}") if found else {}
    if not found or known.get("owner") != found["owner"] or not owns(caller, found["owner"]):
        raise Refusal("file_unknown")
    check_room()
    return _renewed(found["owner"], found["grant"], int(known["total"]))


def _renewed(owner: str, grant: str, total: int) -> Grant:
    prefix, until = f"uploads/{owner}/{grant}/", int(time.time()) + LIFE
    keep = cluster_settings().keep
    connect().expire(f"grant:{grant}", keep + LIFE)
    connect().zadd("due", {f"files:{prefix}": now_ms() + keep * 1000}, gt=True)
    token = _token(grant, until)
    return Grant(Keys(f"PC{grant}", _secret(token), token), prefix, total, until)


def access(key: str, token: str) -> Access | None:
    """What these keys may do, once more; None for keys that are not ours. Raises ExpiredToken, UsedUp."""
    if key == READER:
        return Access(reader().secret)
    grant, found = key.removeprefix("PC"), _TOKEN.fullmatch(token)
    if not found or not hmac.compare_digest(found["mark"], _mark(grant, found["until"], found["salt"])):
        return None
    if int(found["until"]) < time.time():
        raise ExpiredToken
    known = _asked()(keys=[f"grant:{grant}"])
    if not known:
        return None
    # A grant of before files were counted says no number of them.
    owner, (each, total, files, requests) = known[0], (int(value or 1) for value in known[1:])
    opened = Access(_secret(token), grant, f"uploads/{owner}/{grant}/", each, total, files)
    if requests > TRIES * opened.places:
        raise UsedUp
    return opened


@cache
def reader() -> Keys:
    """The keys that the server's own download links are signed with."""
    return Keys(READER, server_key("s3 reader").hex())


def alive(found: Access) -> bool:
    """Whether the grant is still there; it goes when its owner is erased."""
    return bool(connect().hexists(f"grant:{found.grant}", "owner"))


def _count(caller: Caller, files: int, size: int) -> None:
    key = f"grants:{caller.address}:{int(time.time()) // 3600}"
    pipe = connect().pipeline()
    pipe.hincrby(key, "count", 1)
    pipe.hincrby(key, "bytes", size)
    pipe.hincrby(key, "files", files)
    pipe.expire(key, 3600)
    count, held, many, _ = pipe.execute()
    over = held > settings().address_bytes or many > settings().address_files
    if count > settings().address_grants or (over and caller.rights.queue == "guest"):
        raise Refusal("too_many_requests", retry=600)


def _token(grant: str, until: int) -> str:
    salt = secrets.token_hex(16)
    return f"{until}.{salt}.{_mark(grant, str(until), salt)}"


def _mark(grant: str, until: str, salt: str) -> str:
    return hmac.new(server_key("s3 tokens"), f"{grant}.{until}.{salt}".encode(), hashlib.sha256).hexdigest()


def _secret(token: str) -> str:
    return hmac.new(server_key("s3 secrets"), token.encode(), hashlib.sha256).hexdigest()[:40]


@cache
def _asked() -> Any:
    return connect().register_script(_ASKED)


#: Counts one request of a grant that is still there: {owner, each, total, files, requests}.
_ASKED = """
    if redis.call('HEXISTS', KEYS[1], 'owner') == 0 then return false end
    redis.call('HINCRBY', KEYS[1], 'requests', 1)
    return redis.call('HMGET', KEYS[1], 'owner', 'each', 'total', 'files', 'requests')"""
