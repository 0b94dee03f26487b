"""The built site over HTTP."""

from functools import cache
from typing import Any

from sanic import HTTPResponse, Request, Sanic
from sanic.exceptions import NotFound
from sanic.response import empty, html, redirect

from api.settings import SUB_SITES, settings
from api.site import Page, Site
from api.web import language

_PLAIN = (
    "<!doctype html><meta charset=utf-8><title>404</title>"
    "<h1>404</h1><p>页面不存在 · Page not found</p><p><a href=/>Papercrane</a></p>"
)


def add_site(app: Sanic[Any, Any]) -> None:
    """Serve every path that nothing else serves."""
    app.add_route(serve, "/", methods=["GET", "HEAD"], name="site_home")
    app.add_route(serve, "/<path:path>", methods=["GET", "HEAD"], name="site", unquote=False)


async def serve(request: Request, path: str = "") -> HTTPResponse:
    """One file of the site, or its not-found page."""
    if request.path.startswith("/api/"):
        raise NotFound
    page = site().find(request.path, _sub(request))
    if page is None:
        moved = site().moved(request.path, _sub(request))
        return _lead(request, moved) if moved else not_found_page(request)
    headers = _headers(page)
    if f'"{page.etag}"' in request.headers.get("if-none-match", ""):
        return empty(304, headers)
    return _send(request, page, 200, headers)


def not_found_page(request: Request) -> HTTPResponse:
    """The 404 page with its status."""
    english = request.path.startswith("/en/") or (language(request) == "en" and bool(_sub(request)))
    page = site().error(404, "en" if english else "zh")
    if page is None:
        return html(_PLAIN, 404)
    return _send(request, page, 404, {"Cache-Control": "no-store", "Content-Security-Policy": page.policy})


def _lead(request: Request, path: str) -> HTTPResponse:
    query = f"?{request.query_string}" if request.query_string else ""
    return redirect(path + query, {"Cache-Control": "public, max-age=3600"}, 301)


def _send(request: Request, page: Page, status: int, headers: dict[str, str]) -> HTTPResponse:
    takes_gzip = "gzip" in request.headers.get("accept-encoding", "")
    squeezed = page.squeezed if takes_gzip else None
    if squeezed is not None:
        headers["Content-Encoding"] = "gzip"
    return HTTPResponse(squeezed or page.body, status, headers, page.content_type)


def _headers(page: Page) -> dict[str, str]:
    headers = {"ETag": f'"{page.etag}"', "Cache-Control": page.cache}
    if page.squeezed is not None:
        headers["Vary"] = "Accept-Encoding"
    return headers | ({"Content-Security-Policy": page.policy} if page.policy else {})


def _sub(request: Request) -> str:
    first = str(getattr(request.ctx, "host", "")).partition(".")[0]
    return first if first in SUB_SITES and request.ctx.host not in settings().hosts else ""


@cache
def site() -> Site:
    """This process's site."""
    return Site(settings().site)
