"""Where Redis is: at its URL, or with PAPERCRANE_SENTINELS wherever its master is just now."""

from typing import Any
from urllib.parse import urlsplit

import redis
from redis import asyncio, sentinel

from cluster.settings import settings

#: Seconds in which a Sentinel must answer; then the next one is asked.
_PATIENCE = 1.0


def client(**options: Any) -> Any:
    """A client with a pool of its own; with Sentinels, each new connection asks them for the master."""
    return _client(redis.Redis, sentinel.Sentinel, options)


def async_client(**options: Any) -> Any:
    """The same for coroutines."""
    return _client(asyncio.Redis, asyncio.Sentinel, options)


def url() -> str:
    """The URL of the master just now. Raises redis.ConnectionError where no Sentinel knows one."""
    if not settings().sentinels:
        return settings().redis
    host, port = _of(sentinel.Sentinel).discover_master(settings().master)
    told = urlsplit(settings().redis)
    who, at, _ = told.netloc.rpartition("@")
    return told._replace(netloc=f"{who}{at}{host}:{port}").geturl()


def _client(direct: Any, kind: Any, options: dict[str, Any]) -> Any:
    if not settings().sentinels:
        return direct.from_url(settings().redis, **options)
    told: dict[str, Any] = redis.connection.parse_url(settings().redis)  # type: ignore[no-untyped-call]
    who = {name: told[name] for name in ("db", "username", "password") if name in told}
    return _of(kind).master_for(settings().master, **who, **options)


def _of(kind: Any) -> Any:
    pairs = (each.strip().rpartition(":") for each in settings().sentinels.split(","))
    patience = {"socket_timeout": _PATIENCE, "socket_connect_timeout": _PATIENCE}
    return kind([(host, int(port)) for host, _, port in pairs], sentinel_kwargs=patience)
