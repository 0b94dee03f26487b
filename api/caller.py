"""Caller: who asks. An identity is a pair of tokens; only the pair counts.

    cookie access_token   readable by the page, sent back as header Access-Token
    cookie session        HttpOnly; its twin
    token:{sha256}        hash   owner, rank, session (hashed); 30 days after the last use, told once an hour
    sessions:{account}    set    sha256 of the account's tokens, some perhaps dead by now
    standing:{account}    string what the membership was seconds ago (api.member.lately)
    gone:{account}        string the account is being erased: nobody signs in to it any more
    minted:{mark}:{hour}  count  anonymous identities made for one client address; so with other words before it

A foreign site can neither read the cookie nor set the header, so it cannot forge a call.
"""

import hashlib
import hmac
import ipaddress
import secrets
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from api.problems import Refusal
from api.settings import Rank, Rights, settings
from cluster.queue import ask, connect
from cluster.seal import server_key

#: Seconds an unused identity lives.
LIFE = 30 * 86400
#: Seconds that its life is not lengthened again: each is a write, and most calls write nothing else.
RENEWED = 3600
#: Seconds after which no request that began before an account's end can still run.
_GONE = 900


@dataclass(frozen=True)
class Caller:
    """An owner of tasks and files; `expired` when a membership has ended.

    `address` is the client address under a key, never the address itself.
    """

    owner: str
    rank: Rank
    address: str
    expired: bool = False

    @property
    def account(self) -> str | None:
        """The account's id, None for a visitor."""
        return None if self.rank == "visitor" else self.owner

    @property
    def rights(self) -> Rights:
        """What the caller may do."""
        return settings().rights(self.rank)


@dataclass(frozen=True)
class Pair:
    """The tokens as the browser holds them."""

    access: str
    session: str


async def identify(
    header: str | None, cookie: str | None, session: str | None, address: str
) -> tuple[Caller, str | None] | None:
    """The caller that header, cookie and session agree on, and what Redis remembers of his membership
    (api.member.lately)."""
    if not header or not cookie or not session or not hmac.compare_digest(header.encode(), cookie.encode()):
        return None
    found = await ask(_IDENTIFY, [f"token:{_hash(cookie)}"], [_hash(session), LIFE, RENEWED])
    if not found:
        return None
    owner, rank, standing = found
    return Caller(owner, cast(Rank, rank), address), standing


def mint(address: str) -> tuple[Caller, Pair]:
    """A new anonymous identity. Raises Refusal when its address has too many."""
    count_hourly("minted", address, settings().address_visitors)
    caller = Caller(new_id(), "visitor", address)
    pair = _new_pair()
    key = f"token:{_hash(pair.access)}"
    pipe = connect().pipeline()
    pipe.hset(key, mapping={"owner": caller.owner, "rank": caller.rank, "session": _hash(pair.session)})
    pipe.expire(key, LIFE)
    pipe.execute()
    return caller, pair


def sign_in(account: str) -> Pair:
    """A new session of `account`. Raises Refusal when the account is being erased."""
    pair = _new_pair()
    access = _hash(pair.access)
    keys = [f"sessions:{account}", f"token:{access}", f"gone:{account}"]
    if not connect().eval(_SIGN_IN, len(keys), *keys, access, account, _hash(pair.session), LIFE):
        raise Refusal("code_wrong")
    return pair


def sign_out(token: str) -> bool:
    """End the session of this access token; whether it was alive."""
    access = _hash(token)
    owner = connect().hget(f"token:{access}", "owner")
    connect().srem(f"sessions:{owner}", access)
    return bool(connect().delete(f"token:{access}"))


def close_account(account: str) -> None:
    """End every session of `account` and let no new one begin."""
    connect().set(f"gone:{account}", 1, ex=_GONE)
    for access in connect().smembers(f"sessions:{account}"):
        connect().delete(f"token:{access}")
    connect().delete(f"sessions:{account}", f"standing:{account}")


def closed(account: str) -> bool:
    """Whether the account is being erased."""
    return bool(connect().exists(f"gone:{account}"))


@lru_cache(4096)
def address_mark(address: str) -> str:
    """What stands for a client's network in counters: under a key of ours, so that it names nobody.

    Those who come often are remembered in this process's memory, nowhere else.
    """
    return hmac.new(server_key("addresses"), network(address).encode(), hashlib.sha256).hexdigest()[:32]


def network(ip: str) -> str:
    """What people at one place share: an IPv4 address, or the first 64 bits of an IPv6 one."""
    try:
        # Sanic writes a forwarded IPv6 address in brackets.
        address = ipaddress.ip_address(ip.strip("[]"))
    except ValueError:
        return ip
    mapped = getattr(address, "ipv4_mapped", None) or address
    return str(mapped) if mapped.version == 4 else str(ipaddress.ip_network((int(mapped) >> 64 << 64, 64)))


def count_hourly(what: str, address: str, most: int) -> None:
    """Count one more of `what` for a client address in this hour. Raises Refusal over `most`."""
    if _hourly(what, address, 1) > most:
        raise Refusal("too_many_requests", retry=600)


def uncount_hourly(what: str, address: str) -> None:
    """Let one of `what` not count after all."""
    _hourly(what, address, -1)


def _hourly(what: str, address: str, more: int) -> int:
    key = f"{what}:{address}:{int(time.time()) // 3600}"
    pipe = connect().pipeline()
    pipe.incrby(key, more)
    pipe.expire(key, 3600)
    return int(pipe.execute()[0])


def new_id() -> str:
    """An id nobody can guess: 160 bits, letters and digits only."""
    return secrets.token_hex(20)


def _new_pair() -> Pair:
    return Pair(secrets.token_urlsafe(32), secrets.token_urlsafe(32))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


_IDENTIFY = """
    local owner, rank, session = unpack(redis.call('HMGET', KEYS[1], 'owner', 'rank', 'session'))
    if not owner or session ~= ARGV[1] then return false end
    if redis.call('TTL', KEYS[1]) <= ARGV[2] - ARGV[3] then
      redis.call('EXPIRE', KEYS[1], ARGV[2])
      redis.call('EXPIRE', 'sessions:' .. owner, ARGV[2])
    end
    return {owner, rank, rank == 'user' and redis.call('GET', 'standing:' .. owner)}"""
_SIGN_IN = """
    if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
    for _, access in ipairs(redis.call('SMEMBERS', KEYS[1])) do
      if redis.call('EXISTS', 'token:' .. access) == 0 then redis.call('SREM', KEYS[1], access) end
    end
    redis.call('SADD', KEYS[1], ARGV[1])
    redis.call('EXPIRE', KEYS[1], ARGV[4])
    redis.call('HSET', KEYS[2], 'owner', ARGV[2], 'rank', 'user', 'session', ARGV[3])
    redis.call('EXPIRE', KEYS[2], ARGV[4])
    return 1"""
