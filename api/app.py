"""The application: every route, and what holds for all of them (host, tag, origin, headers, errors, log)."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from sanic import HTTPResponse, Request, Sanic
from sanic.exceptions import (
    MethodNotAllowed,
    NotFound,
    PayloadTooLarge,
    RequestCancelled,
    RequestTimeout,
    SanicException,
)
from sanic.handlers import ErrorHandler
from sanic.response import empty, html, json

from api import database, health, metrics, openapi, trace
from api.answer import HEADERS, Answer
from api.body import MAX_BODY
from api.calls import Call
from api.connection import HEAD
from api.file.routes import CALLS as FILE
from api.file.routes import LINKS
from api.file.s3_problem import S3Problem
from api.file.s3_routes import add_s3, error_answer
from api.member.routes import CALLS as MEMBER
from api.pay_routes import NOTIFICATIONS, add_payment
from api.policy import plain_policy
from api.problems import Refusal, code_of, failure, http_status, success
from api.settings import settings
from api.sign.routes import CALLS as SIGN
from api.site_routes import add_site, not_found_page
from api.task.routes import CALLS as TASK
from api.toolkit.routes import CALLS as TOOLKIT
from api.user.routes import CALLS as USER
from api.web import add_call, check_headers, host_name, language, scheme
from cluster import queue
from cluster.log import tell_request
from cluster.problem import FaultProblem, Problem
from cluster.settings import settings as cluster_settings

CALLS: tuple[Call, ...] = (*TOOLKIT, *FILE, *TASK, *USER, *MEMBER, *SIGN)
TAG = "papercrane"
#: Paths that people open, and gateways call, without the site's script.
_UNTAGGED = ("/api/openapi.json", "/api/docs", *NOTIFICATIONS.values())
#: Who has come by TLS comes by nothing else for two years.
TLS_ONLY = "max-age=63072000"
_CORS = {
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": "ETag, Content-Range, Accept-Ranges, Retry-After, X-Request-Id",
}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, PUT, POST, DELETE",
    "Access-Control-Allow-Headers": "web-tag, access-token, idempotency-key, x-request-id, content-type, "
    "accept-language, "
    "authorization, range, content-md5, x-amz-date, x-amz-security-token, x-amz-content-sha256, x-amz-user-agent, "
    "x-amz-acl, x-amz-decoded-content-length, x-amz-sdk-checksum-algorithm, x-amz-checksum-crc32, x-amz-trailer, "
    "amz-sdk-invocation-id, amz-sdk-request",
    "Access-Control-Max-Age": "600",
}
#: Paths of the operator's probes: no lines in the log, no counts.
_PROBES = ("/healthz", "/readyz", "/metrics")
#: Seconds that a proxy has to leave us before we close: longer than it keeps a connection that is not used.
_LEAVE = 3.0
#: Threads for event streams, uploads and downloads; calls have their own (api.web).
_THREADS = 32

log = structlog.get_logger()


def create_app() -> Sanic[Any, Any]:
    """The whole application."""
    app: Sanic[Any, Any] = Sanic("papercrane", error_handler=_Errors(), configure_logging=False)
    app.config.update(
        REQUEST_MAX_SIZE=MAX_BODY,
        REQUEST_MAX_HEADER_SIZE=16384,
        # Counted from the last byte in or out: the longest is putting 4 GiB of parts together. Half of the shortest
        # of the three is how often api.connection looks, too.
        REQUEST_TIMEOUT=HEAD,
        KEEP_ALIVE_TIMEOUT=75,
        RESPONSE_TIMEOUT=300,
        # Open event streams must not hold up a restart.
        GRACEFUL_SHUTDOWN_TIMEOUT=3,
        PROXIES_COUNT=settings().proxies or None,
        FALLBACK_ERROR_FORMAT="json",
    )
    app.before_server_start(_start)
    app.before_server_stop(_leave)
    app.after_server_stop(_stop)
    app.on_request(_check)
    app.on_response(_finish)  # type: ignore[no-untyped-call]
    for call in (*CALLS, *LINKS):
        add_call(app, call)
    if cluster_settings().store == "folder":
        add_s3(app)
    _add_own(app)
    add_payment(app)
    add_site(app)
    return app


async def _start(app: Sanic[Any, Any]) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "work"))
    trace.begin()
    app.ctx.requests = metrics.Requests()
    app.ctx.leaving = False
    app.add_task(app.ctx.requests.flush_for_ever())


async def _leave(app: Sanic[Any, Any]) -> None:
    """Behind a proxy, let it end its connections: one that we closed while it asks would be a failed call."""
    if settings().proxies:
        app.ctx.leaving = True
        await asyncio.sleep(_LEAVE)


async def _stop(app: Sanic[Any, Any]) -> None:
    app.ctx.requests.flush()
    await database.close()
    await queue.hang_up()


def _add_own(app: Sanic[Any, Any]) -> None:
    async def healthz(request: Request) -> HTTPResponse:
        return json(success({"alive": True}))

    async def readyz(request: Request) -> HTTPResponse:
        ready, data = await health.readiness()
        return json(success(data), 200 if ready else 503)

    async def numbers(request: Request) -> HTTPResponse:
        if not metrics.may_read(request.ip, request.headers.get("host", ""), request.headers):
            raise NotFound
        return HTTPResponse(await metrics.text(), content_type=metrics.CONTENT_TYPE)

    async def document(request: Request) -> HTTPResponse:
        return HTTPResponse(await asyncio.to_thread(openapi.text, CALLS), content_type="application/json")

    async def docs(request: Request) -> HTTPResponse:
        page = await asyncio.to_thread(openapi.page, CALLS)
        return html(page, headers={"Content-Security-Policy": plain_policy(page)})

    for path, serve in (
        ("/healthz", healthz),
        ("/readyz", readyz),
        ("/metrics", numbers),
        ("/api/openapi.json", document),
        ("/api/docs", docs),
    ):
        app.add_route(serve, path, methods=["GET"], name=path.strip("/").replace("/", "_").replace(".", "_"))


def _check(request: Request) -> HTTPResponse | None:
    """What every request must have. Raises Refusal."""
    request.ctx.began = time.perf_counter()
    request.ctx.id = trace.request_id(request.headers.getall("x-request-id", ()))
    check_headers(request)
    path = request.path
    # Sanic's stand-in for what was no request at all: its error says what is wrong.
    if path in _PROBES or request.method == "NONE":
        return None
    request.ctx.host = host_name(request)
    if request.method == "OPTIONS":
        return empty(204, _PREFLIGHT) if _allowed_origin(request) else empty(204)
    tagged = request.headers.get("web-tag") == TAG
    if path.startswith("/api/") and path not in _UNTAGGED and not tagged:
        raise Refusal("tag_missing")
    return None


def _finish(request: Request, response: HTTPResponse) -> None:
    """Headers of every answer, and its line in the log."""
    number = getattr(request.ctx, "id", "")
    if isinstance(response, Answer):
        response.request = number
    else:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers["X-Request-Id"] = number
    if request.app.ctx.leaving and request.stream:
        request.stream.keep_alive = False  # type: ignore[attr-defined]
    if scheme(request) == "https":
        response.headers["Strict-Transport-Security"] = TLS_ONLY
    if settings().cors:
        response.headers["Vary"] = ", ".join(filter(None, (response.headers.get("Vary"), "Origin")))
        if allowed := _allowed_origin(request):
            response.headers.update({"Access-Control-Allow-Origin": allowed, **_CORS})
    if request.path not in _PROBES:
        took = time.perf_counter() - getattr(request.ctx, "began", time.perf_counter())
        # The route's pattern, not the path: keys and ids stay out of the log.
        route = f"/{request.route.path}" if request.route else "/?"
        request.app.ctx.requests.count(request.method, route, response.status, took)
        tell_request(number, took, request.method, route, response.status)


def _allowed_origin(request: Request) -> str | None:
    origin: str | None = request.headers.get("origin")
    return origin if origin in settings().cors else None


class _Errors(ErrorHandler):
    """Every error as the envelope (or S3's XML, or the site's page); a fault's text goes to the log only."""

    def default(self, request: Request, exception: Exception) -> HTTPResponse:
        if isinstance(exception, S3Problem):
            return error_answer(exception, getattr(request.ctx, "id", ""))
        problem = _problem(exception)
        if isinstance(problem, FaultProblem) or health.is_outage(exception):
            _log_fault(request, exception)
        if request.path.startswith("/s3/"):
            status = http_status(code_of(problem))
            return error_answer(S3Problem(_S3.get(status, "InternalError")), getattr(request.ctx, "id", ""), status)
        if problem.reason == "not_found" and not request.path.startswith("/api/"):
            return not_found_page(request)
        body = _named(failure(problem, language(request)), request)
        retry = getattr(problem, "retry", None)
        headers = {"Cache-Control": "no-store"} | ({"Retry-After": str(retry)} if retry else {})
        return json(body, http_status(body["code"]), headers, ensure_ascii=False)

    @staticmethod
    def log(request: Request, exception: Exception) -> None:
        """Nothing: `default` writes what belongs in the log, without paths."""


def _named(body: dict[str, Any], request: Request) -> dict[str, Any]:
    """With the request's id where the trouble is ours, for whoever tells us of it."""
    if 500 <= body["code"] < 600 and (number := getattr(request.ctx, "id", "")):
        body["data"]["request"] = number
        if body["code"] == 500:
            body["msg"] += f" ({number})"
    return body


_S3 = {
    400: "InvalidRequest",
    405: "MethodNotAllowed",
    408: "RequestTimeout",
    413: "EntityTooLarge",
    421: "AccessDenied",
    503: "SlowDown",
    507: "StorageFull",
}


def _problem(exception: Exception) -> Problem:
    if isinstance(exception, Problem):
        return exception
    known = {
        NotFound: "not_found",
        MethodNotAllowed: "method_not_allowed",
        PayloadTooLarge: "body_too_large",
        RequestTimeout: "request_timeout",
        RequestCancelled: "request_timeout",  # the client went away; nobody reads this, but it is no fault of ours
    }
    for kind, reason in known.items():
        if isinstance(exception, kind):
            return Refusal(reason)
    if isinstance(exception, SanicException):
        return Refusal({503: "unavailable"}.get(exception.status_code, "body_invalid"))
    if health.is_outage(exception):
        return Refusal("unavailable", retry=60)
    return FaultProblem("unexpected")


def _log_fault(request: Request, exception: Exception) -> None:
    detail = exception.detail if isinstance(exception, FaultProblem) else health.where(exception)
    log.error("fault", id=getattr(request.ctx, "id", ""), detail=detail)
