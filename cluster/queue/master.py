"""Where Redis is: at its URL, or with PAPERCRANE_SENTINELS wherever its master is just now."""

from typing import Any
from urllib.parse import urlsplit

import redis
from redis import asyncio, sentinel
from redis.asyncio.sentinel import SentinelManagedConnection as AsyncManaged
from redis.asyncio.sentinel import SentinelManagedSSLConnection as AsyncManagedTls

from cluster.settings import settings

#: Seconds in which a Sentinel must answer; then the next one is asked.
_PATIENCE = 1.0
#: What stays of PAPERCRANE_REDIS where Sentinels say the rest.
_OURS = ("db", "username", "password")


def client(**options: Any) -> Any:
    """A client with a pool of its own; with Sentinels, each new connection asks them for the master."""
    return _client(redis.Redis, sentinel.Sentinel, (_Managed, _ManagedTls), options)


def async_client(**options: Any) -> Any:
    """The same for coroutines."""
    return _client(asyncio.Redis, asyncio.Sentinel, (_AsyncManaged, _AsyncManagedTls), options)


def url() -> str:
    """The URL of the master just now. Raises redis.ConnectionError where no Sentinel knows one."""
    if not settings().sentinels:
        return settings().redis
    host, port = _of(sentinel.Sentinel).discover_master(settings().master)
    told = urlsplit(settings().redis)
    who, at, _ = told.netloc.rpartition("@")
    return told._replace(netloc=f"{who}{at}{host}:{port}").geturl()


class _Asks:
    """A connection that broke asks Sentinel anew, too: redis-py's own opens itself where the old master was, and who
    was in the middle of a question when that one died would wait for it in vain (redis/redis-py#3874)."""

    def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> Any:
        # So it is called to open itself; with False, by who has just asked.
        if retry_socket_connect:
            self.host, self.port = self.connection_pool.get_master_address()  # type: ignore[attr-defined]
        return super().connect_check_health(check_health, retry_socket_connect=False)  # type: ignore[misc]


class _AsksAsync:
    """The same for coroutines."""

    async def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> None:
        if retry_socket_connect:
            self.host, self.port = await self.connection_pool.get_master_address()  # type: ignore[attr-defined]
        await super().connect_check_health(check_health, retry_socket_connect=False)  # type: ignore[misc]


class _Managed(_Asks, sentinel.SentinelManagedConnection):
    pass


class _ManagedTls(_Asks, sentinel.SentinelManagedSSLConnection):
    pass


class _AsyncManaged(_AsksAsync, AsyncManaged):
    pass


class _AsyncManagedTls(_AsksAsync, AsyncManagedTls):
    pass


def _client(direct: Any, kind: Any, connections: tuple[type, type], options: dict[str, Any]) -> Any:
    if not settings().sentinels:
        return direct.from_url(settings().redis, **options)
    told: dict[str, Any] = redis.connection.parse_url(settings().redis)  # type: ignore[no-untyped-call]
    who = {name: told[name] for name in _OURS if name in told}
    plain, tls = connections
    made = tls if settings().redis.startswith("rediss:") else plain
    return _of(kind).master_for(settings().master, **who, connection_class=made, **options)


def _of(kind: Any) -> Any:
    pairs = (each.strip().rpartition(":") for each in settings().sentinels.split(","))
    patience = {"socket_timeout": _PATIENCE, "socket_connect_timeout": _PATIENCE}
    who = {"username": settings().sentinel_user, "password": settings().sentinel_password}
    told = {name: value for name, value in who.items() if value}
    return kind([(host, int(port)) for host, _, port in pairs], sentinel_kwargs={**patience, **told})
