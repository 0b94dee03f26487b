"""Calls: what a route is, apart from the web framework. routes.py of each domain lists its own.

The router, the checks, the envelope and the OpenAPI document are all made from these values.
"""

import asyncio
import gzip
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import iscoroutinefunction
from typing import Any, Generic, Literal, ParamSpec, TypeVar

from api.body import Given, Nothing
from api.caller import Caller, Pair
from api.problems import Refusal
from api.settings import SUB_SITES, settings
from cluster.store import store
from cluster.words import Language

G = TypeVar("G", bound=Given)
P = ParamSpec("P")
R = TypeVar("R")

#: Calls mostly wait for Redis. With four times as many threads they take each other the interpreter, and twice as long.
_THREADS = ThreadPoolExecutor(8, "calls")


async def in_thread(do: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """What waits for disk or network, in a thread of the calls."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, partial(do, *arguments, **named))


async def at_the_store(do: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """What looks into the store: in a thread where a network is waited for. A disk of this machine's answers at once,
    and a turn of a thread costs a call more than the look."""
    return do(*arguments, **named) if store().near else await in_thread(do, *arguments, **named)


def path_prefix(language: Language) -> str:
    """What stands before the paths of the site's pages in `language`."""
    return "/en" if language == "en" else ""


@dataclass(frozen=True)
class Client:
    """The browser: its network address, its User-Agent and its access token, none of which are kept or logged."""

    ip: str = field(default="", repr=False)
    agent: str = field(default="", repr=False)
    token: str = field(default="", repr=False)


@dataclass(frozen=True)
class Asked(Generic[G]):
    """One request, checked: what it gives, who asks, in which language.

    `origin` is the address the browser used (scheme and host); `once` is the Idempotency-Key;
    `request` its id in the log.
    """

    given: G
    known: Caller | None
    address: str
    language: Language = "zh"
    origin: str = ""
    once: str = ""
    client: Client = Client()
    request: str = ""

    @property
    def pages(self) -> str:
        """Where the site's pages in the caller's language begin."""
        return self.site + path_prefix(self.language)

    @property
    def caller(self) -> Caller:
        """Who asks. Raises Refusal when nobody known does."""
        if self.known is None:
            raise Refusal("unauthorized")
        return self.known

    @property
    def site(self) -> str:
        """Scheme and host of the whole site: a sub-site's host serves one page only."""
        scheme, _, host = self.origin.partition("://")
        first, _, rest = host.partition(".")
        sub = first in SUB_SITES and host.rsplit(":", 1)[0] not in settings().hosts
        return f"{scheme}://{rest if sub else host}"


@dataclass(frozen=True)
class Streamed:
    """An answer in pieces, without an envelope. An empty piece ends it."""

    content_type: str
    pieces: AsyncGenerator[bytes] | Iterator[bytes]
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Prepared:
    """An answer whose whole envelope has been written already."""

    text: bytes = field(repr=False)

    @cached_property
    def packed(self) -> bytes:
        """By gzip."""
        return gzip.compress(self.text, mtime=0)


@dataclass(frozen=True)
class Signed:
    """An answer that changes who the browser is: its new tokens, or None to forget them."""

    data: Any
    pair: Pair | None


@dataclass(frozen=True, kw_only=True)
class Call:
    """One route of the API. `run` may be a coroutine function (for SQL), else it runs in a thread.

    identity: "nobody" answers everybody alike and does not look who asks (`run` never waits, so it needs no thread),
    "open" answers everybody, "known" needs a caller, "account" one who has signed in, "minted" makes an anonymous one.
    """

    path: str
    summary: str
    run: Callable[[Asked[Any]], Any]
    answer: Any
    method: Literal["GET", "POST"] = "GET"
    given: type[Given] = Nothing
    identity: Literal["nobody", "open", "known", "account", "minted"] = "known"

    @cached_property
    def waits(self) -> bool:
        """Whether `run` is a coroutine function."""
        return iscoroutinefunction(self.run)
