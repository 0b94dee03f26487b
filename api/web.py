"""The one place where calls meet the web framework: request in, checks, envelope out."""

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing
from typing import Any

from sanic import HTTPResponse, Request, Sanic
from sanic.response import json

from api.body import Given, parse, read_json
from api.caller import LIFE, Caller, Pair, address_mark, identify, mint
from api.calls import Asked, Call, Streamed
from api.problems import Refusal, success
from api.settings import settings
from cluster.problem import Language

LOCAL = ("localhost", "127.0.0.1", "[::1]")


def add_call(app: Sanic[Any, Any], call: Call) -> None:
    """Serve `call`."""

    async def serve(request: Request) -> HTTPResponse | None:
        data, pair = await asyncio.to_thread(_perform, call, request)
        if isinstance(data, Streamed):
            await _stream(request, data)
            return None
        response = json(success(data), ensure_ascii=False, headers={"Cache-Control": "no-store"})
        if pair:
            _set_cookies(request, response, pair)
        return response

    app.add_route(serve, call.path, methods=[call.method], name=call.path.strip("/").replace("/", "_"))


def _perform(call: Call, request: Request) -> tuple[Any, Pair | None]:
    address = address_mark(request.client_ip or "")
    caller = _identify(request, address)
    if caller is None and call.identity == "known":
        raise Refusal("unauthorized")
    given = _given(call, request)
    pair = None
    if caller is None and call.identity == "minted":
        caller, pair = mint(address)
    once = request.headers.get("idempotency-key", "")[:200]
    asked: Asked[Any] = Asked(given, caller, address, language(request), origin(request), once)
    return call.run(asked), pair


def _identify(request: Request, address: str) -> Caller | None:
    cookies = request.cookies
    return identify(request.headers.get("access-token"), cookies.get("access_token"), cookies.get("session"), address)


def _given(call: Call, request: Request) -> Given:
    if call.method == "POST":
        return parse(call.given, read_json(request.body))
    return parse(call.given, dict(request.get_query_args(keep_blank_values=False)))


async def _stream(request: Request, streamed: Streamed) -> None:
    response = await request.respond(headers=dict(streamed.headers), content_type=streamed.content_type)
    if isinstance(streamed.pieces, AsyncGenerator):
        async with aclosing(streamed.pieces) as pieces:
            async for piece in pieces:
                await response.send(piece)
        await response.eof()
    else:
        await send_pieces(response, streamed.pieces)


async def send_pieces(response: Any, pieces: Iterator[bytes]) -> None:
    """Send what a blocking source gives; it is closed also when the client goes away."""
    try:
        while piece := await asyncio.to_thread(next, pieces, b""):
            await response.send(piece)
        await response.eof()
    finally:
        if isinstance(pieces, Generator):
            pieces.close()


def language(request: Request) -> Language:
    """The first language of Accept-Language that we speak; Chinese when there is none."""
    for part in request.headers.get("accept-language", "").lower().split(","):
        tag = part.strip().partition(";")[0]
        if tag.startswith(("zh", "en")):
            return "en" if tag.startswith("en") else "zh"
    return "zh"


def origin(request: Request) -> str:
    """Scheme and host as the browser used them; the host has been checked."""
    return f"{scheme(request)}://{request.headers['host']}"


def scheme(request: Request) -> str:
    """`https` also behind a proxy that we were told to believe."""
    forwarded = request.headers.get("x-forwarded-proto", "") if settings().proxies else ""
    return "https" if "https" in (forwarded, request.scheme) else "http"


def host_name(request: Request) -> str:
    """The Host header without its port; Refusal unless there is exactly one and it is served here."""
    hosts = request.headers.getall("host", [])
    name = hosts[0].lower().rsplit(":", 1)[0] if len(hosts) == 1 and not hosts[0].endswith("]") else "".join(hosts)
    served = settings().hosts
    if name not in served and not any(name == f"{prefix}.{host}" for host in served for prefix in SUB_SITES):
        raise Refusal("host_unknown")
    return name


#: Hosts beginning so are a site of their own.
SUB_SITES = ("pdf", "compress", "merge", "pdf2word")


def _set_cookies(request: Request, response: HTTPResponse, pair: Pair) -> None:
    name = request.headers["host"].rsplit(":", 1)[0]
    local = name in LOCAL or name.endswith(".localhost")
    for cookie, value in (("access_token", pair.access), ("session", pair.session)):
        response.add_cookie(
            cookie,
            value,
            path="/",
            domain=settings().cookie_domain or None,
            max_age=LIFE,
            secure=not local or scheme(request) == "https",
            httponly=cookie == "session",
            samesite="Lax",
        )
