"""Caller: who asks. An identity is a pair of tokens; only the pair counts.

    cookie access_token   readable by the page, sent back as header Access-Token
    cookie session        HttpOnly; its twin
    token:{sha256}        hash   owner, rank, session (hashed); 30 days after the last use

A foreign site can neither read the cookie nor set the header, so it cannot forge a call.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import cast

from api.settings import Rank, Rights, settings
from cluster.queue import connect
from cluster.seal import server_key

#: Seconds an unused identity lives.
LIFE = 30 * 86400


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


def identify(header: str | None, cookie: str | None, session: str | None, address: str) -> Caller | None:
    """The caller that header, cookie and session agree on."""
    if not header or not cookie or not session or not hmac.compare_digest(header.encode(), cookie.encode()):
        return None
    key = f"token:{_hash(cookie)}"
    found = connect().hgetall(key)
    if not found or not hmac.compare_digest(found["session"], _hash(session)):
        return None
    connect().expire(key, LIFE)
    return Caller(found["owner"], cast(Rank, found["rank"]), address)


def mint(address: str) -> tuple[Caller, Pair]:
    """A new anonymous identity."""
    caller = Caller(new_id(), "visitor", address)
    pair = Pair(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
    key = f"token:{_hash(pair.access)}"
    pipe = connect().pipeline()
    pipe.hset(key, mapping={"owner": caller.owner, "rank": caller.rank, "session": _hash(pair.session)})
    pipe.expire(key, LIFE)
    pipe.execute()
    return caller, pair


def address_mark(address: str) -> str:
    """What stands for a client address in counters: under a key of ours, so that it names nobody."""
    return hmac.new(server_key("addresses"), address.encode(), hashlib.sha256).hexdigest()[:32]


def new_id() -> str:
    """An id nobody can guess: 160 bits, letters and digits only."""
    return secrets.token_hex(20)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
