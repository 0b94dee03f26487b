"""The one place where calls meet the web framework: request in, checks, envelope out."""

import asyncio
import re
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import cache, lru_cache, partial
from json import JSONEncoder
from typing import Any

from sanic import HTTPResponse, Request, Sanic

from api.answer import PACKED, UNPACKED, Answer
from api.body import Given, Nothing, parse, parse_query, read_json
from api.caller import LIFE, Caller, Pair, address_mark, identify, mint
from api.calls import Asked, Call, Client, Prepared, Signed, Streamed, in_thread
from api.member import membership
from api.problems import FieldRefusal, Refusal, success
from api.settings import SUB_SITES, settings
from cluster.words import Language

LOCAL = ("localhost", "127.0.0.1", "[::1]")
#: Characters of an Idempotency-Key.
MOST_KEY = 200
_HOST = re.compile(r"(.+?)(?::[0-9]{1,5})?")
#: How bytes that are not UTF-8 look in a header's text.
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def add_call(app: Sanic[Any, Any], call: Call) -> None:
    """Serve `call`."""

    async def serve(request: Request) -> HTTPResponse | None:
        data, pair = await answer(request)
        if isinstance(data, Streamed):
            await _stream(request, data)
            return None
        if isinstance(data, Prepared):
            return _prepared(request, data)
        signed = data if isinstance(data, Signed) else None
        response = Answer(_ENCODE(success(signed.data if signed else data)).encode())
        if signed or pair:
            _set_cookies(request, response, signed.pair if signed else pair)
        return response

    answer = partial(_of_nobody if call.identity == "nobody" else _of_somebody, call)

    app.add_route(serve, call.path, methods=[call.method], name=call.path.strip("/").replace("/", "_"))


_ENCODE = JSONEncoder(ensure_ascii=False).encode
_NOTHING = Nothing()


#: What a call gives, and the tokens of who is new.
Gave = tuple[Any, Pair | None]


def _prepared(request: Request, ready: Prepared) -> HTTPResponse:
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Answer(ready.packed, PACKED)
    return Answer(ready.text, UNPACKED)


async def _of_nobody(call: Call, request: Request) -> Gave:
    given = _given(call, request)
    # Who gives nothing asks what others ask.
    asked = _asked_by_nobody(language(request)) if given is _NOTHING else Asked(given, None, "", language(request))
    return call.run(asked), None


@cache
def _asked_by_nobody(spoken: Language) -> Asked[Nothing]:
    return Asked(_NOTHING, None, "", spoken)


async def _of_somebody(call: Call, request: Request) -> Gave:
    address = address_mark(request.client_ip or "")
    caller = await _caller(request, address)
    _check_identity(call, caller)
    given, once, pair = _given(call, request), _once(request), None
    if caller is None and call.identity == "minted":
        caller, pair = await in_thread(mint, address)
    asked = Asked(given, caller, address, language(request), origin(request), once, _client(request), request.ctx.id)
    return await (call.run(asked) if call.waits else in_thread(call.run, asked)), pair


async def _caller(request: Request, address: str) -> Caller | None:
    """Who asks; what an account may do stands in the membership ledger."""
    cookies = request.cookies
    tokens = request.headers.get("access-token"), cookies.get("access_token"), cookies.get("session")
    found = await identify(*tokens, address)
    if found is None or found[0].account is None:
        return found and found[0]
    caller, told = found
    standing = await membership.lately(caller.owner, told)
    return replace(caller, rank="member" if standing.active else "user", expired=standing.expired)


def _check_identity(call: Call, caller: Caller | None) -> None:
    if call.identity == "known" and caller is None:
        raise Refusal("unauthorized")
    if call.identity == "account" and (caller is None or caller.account is None):
        raise Refusal("sign_in")


def _client(request: Request) -> Client:
    return Client(
        # Sanic writes a forwarded IPv6 address in brackets.
        (request.client_ip or "").strip("[]"),
        request.headers.get("user-agent", ""),
        request.cookies.get("access_token") or "",
    )


def _once(request: Request) -> str:
    """The Idempotency-Key. Raises FieldRefusal for a long one: cut, it could be another request's."""
    key: str = request.headers.get("idempotency-key", "")
    if len(key) > MOST_KEY:
        words = (f"最多 {MOST_KEY} 个字符", f"use at most {MOST_KEY} characters")
        raise FieldRefusal("field_invalid", [("Idempotency-Key", words)])
    return key


def _given(call: Call, request: Request) -> Given:
    if call.method == "POST":
        return parse(call.given, read_json(request.body))
    if call.given is Nothing:
        return _NOTHING
    return parse_query(call.given, dict(request.get_query_args(keep_blank_values=False)))


async def _stream(request: Request, streamed: Streamed) -> None:
    respond = partial(request.respond, headers=dict(streamed.headers), content_type=streamed.content_type)
    if isinstance(streamed.pieces, AsyncGenerator):
        async with aclosing(streamed.pieces) as pieces:
            # Before the headers: what refuses the stream is still a whole answer then.
            first = await anext(pieces, b"")
            response = await respond()
            await response.send(first)
            async for piece in pieces:
                await response.send(piece)
        await response.eof()
    else:
        await send_pieces(await respond(), streamed.pieces)


async def send_pieces(response: Any, pieces: Iterator[bytes]) -> None:
    """Send what a blocking source gives; it is closed also when the client goes away."""
    try:
        while piece := await asyncio.to_thread(next, pieces, b""):
            await response.send(piece)
        await response.eof()
    finally:
        if isinstance(pieces, Generator):
            # It may just be running in its thread, for nobody: then it ends with its last reference.
            with suppress(ValueError):
                pieces.close()


def language(request: Request) -> Language:
    """The first language of Accept-Language that we speak; Chinese when there is none."""
    return _spoken(request.headers.get("accept-language", ""))


@lru_cache(256)
def _spoken(accepted: str) -> Language:
    for part in accepted.lower().split(","):
        tag = part.strip().partition(";")[0]
        if tag.startswith(("zh", "en")):
            return "en" if tag.startswith("en") else "zh"
    return "zh"


def origin(request: Request) -> str:
    """Scheme and host as the browser used them; the host has been checked."""
    return f"{scheme(request)}://{request.headers['host']}"


def scheme(request: Request) -> str:
    """`https` also behind a proxy that we were told to believe."""
    if settings().proxies:
        return "https" if "https" in (request.headers.get("x-forwarded-proto"), request.scheme) else "http"
    return "https" if request.conn_info and request.conn_info.ssl else "http"


def host_name(request: Request) -> str:
    """The Host header without its port; Refusal unless there is exactly one and it is served here."""
    hosts = request.headers.getall("host", [])
    name = _served_name(hosts[0]) if len(hosts) == 1 else ""
    if not name:
        raise Refusal("host_unknown")
    return name


@lru_cache(256)
def _served_name(host: str) -> str:
    # What follows the name ends up in links of ours: a port, or nothing.
    found = _HOST.fullmatch(host.lower())
    return found[1] if found and found[1] in _served() else ""


@cache
def _served() -> frozenset[str]:
    subs = [f"{prefix}.{host}" for host in settings().hosts for prefix in SUB_SITES]
    return frozenset((*settings().hosts, *subs))


def check_headers(request: Request) -> None:
    """Raises Refusal for a header that is not text: it could be neither compared nor signed."""
    if request.head.isascii():
        return
    for name, value in request.headers.items():
        if not value.isascii() and _NOT_UTF8.search(value):
            raise FieldRefusal("field_invalid", [(name, ("应为 UTF-8 文字", "use UTF-8 text"))])


def _set_cookies(request: Request, response: HTTPResponse, pair: Pair | None) -> None:
    name = request.ctx.host
    local = name in LOCAL or name.endswith(".localhost")
    for cookie, value in (("access_token", pair.access), ("session", pair.session)) if pair else _NO_TOKENS:
        response.add_cookie(
            cookie,
            value,
            path="/",
            domain=settings().cookie_domain or None,
            max_age=LIFE if pair else 0,
            secure=not local or scheme(request) == "https",
            httponly=cookie == "session",
            samesite="Lax",
        )


_NO_TOKENS = (("access_token", ""), ("session", ""))
