"""The S3 subset over HTTP: bodies stream to disk, objects stream from it; memory stays a few MiB."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from email.utils import formatdate
from functools import partial
from typing import Any
from urllib.parse import unquote

from sanic import HTTPResponse, Request, Sanic
from sanic.response import empty, text

from api.file import s3
from api.file.bodies import Checks, Writing
from api.file.names import attachment
from api.file.objects import byte_range
from api.file.s3 import Opened
from api.file.s3_problem import STATUS, S3Problem
from api.file.sigv4 import Request as SignedRequest
from api.file.sigv4 import Unsigned
from api.web import send_pieces
from cluster.store import CHUNK, Stat

#: Seconds without a byte after which an upload is given up.
SILENCE = 60
#: Seconds after which is looked again whether another request has completed the upload.
_AGAIN = 0.2


def add_s3(app: Sanic[Any, Any]) -> None:
    """Serve the subset at /s3/<bucket>/<key>."""
    for name, path in (("s3_bucket", "/s3/<bucket>"), ("s3_object", "/s3/<bucket>/<key:path>")):
        app.add_route(serve, path, methods=["GET", "HEAD", "PUT", "POST", "DELETE"], stream=True, name=name)


async def serve(request: Request, **_: str) -> HTTPResponse | None:
    """One S3 request."""
    opened = await asyncio.to_thread(s3.open_request, signed_request(request))
    return await _SERVED[opened.operation](request, opened)


def signed_request(request: Request) -> SignedRequest:
    """What the signature may cover."""
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        headers[name.lower()] = f"{headers[name.lower()]},{value}" if name.lower() in headers else value
    # A plus sign is itself here; and parameters without a value count.
    raw, _, query = request.raw_url.decode("ascii").partition("?")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    decoded = [(unquote(name), unquote(value)) for name, _, value in pairs]
    return SignedRequest(request.method, raw, decoded, headers)


async def _put(request: Request, opened: Opened) -> HTTPResponse:
    writing = await _receive(request, opened, partial(opened.bench.begin, opened.key))
    stat = await asyncio.to_thread(opened.bench.keep, opened.key, writing)
    return _stored(stat.etag)


async def _put_part(request: Request, opened: Opened) -> HTTPResponse:
    await asyncio.to_thread(opened.bench.upload, opened.key, opened.upload)
    place = (opened.key, opened.upload, opened.part)
    writing = await _receive(request, opened, partial(opened.bench.begin_part, *place))
    etag = await asyncio.to_thread(opened.bench.keep_part, *place, writing)
    return _stored(etag)


async def _create(request: Request, opened: Opened) -> HTTPResponse:
    upload = await asyncio.to_thread(opened.bench.create, opened.key)
    return _xml(s3.created_xml(opened.key, upload))


async def _list_parts(request: Request, opened: Opened) -> HTTPResponse:
    parts = await asyncio.to_thread(opened.bench.parts, opened.key, opened.upload)
    return _xml(await asyncio.to_thread(s3.parts_xml, opened.key, opened.upload, parts, opened.request.asked))


async def _list_uploads(request: Request, opened: Opened) -> HTTPResponse:
    return _xml(s3.uploads_xml(await asyncio.to_thread(opened.bench.uploads)))


async def _complete(request: Request, opened: Opened) -> HTTPResponse:
    body = bytearray()
    async for piece in _pieces(request):
        body += piece
        if len(body) > s3.MAX_XML:
            raise S3Problem("MalformedXML")
    wanted = await asyncio.to_thread(s3.wanted_parts, bytes(body))
    etag = await _completed(partial(opened.bench.complete, opened.key, opened.upload, wanted))
    return _xml(s3.completed_xml(f"http://{request.headers['host']}{opened.request.path}", opened.key, etag))


async def _completed(complete: Callable[[], str]) -> str:
    """What `complete` answers, also when another request is just doing the same."""
    until = time.monotonic() + SILENCE
    while True:
        try:
            return await asyncio.to_thread(complete)
        except S3Problem as problem:
            if problem.code != "OperationAborted" or time.monotonic() > until:
                raise
            await asyncio.sleep(_AGAIN)


async def _abort(request: Request, opened: Opened) -> HTTPResponse:
    await asyncio.to_thread(opened.bench.abort, opened.key, opened.upload)
    return empty(204)


async def _delete(request: Request, opened: Opened) -> HTTPResponse:
    await asyncio.to_thread(opened.bench.delete, opened.key)
    return empty(204)


async def _get(request: Request, opened: Opened) -> HTTPResponse | None:
    kept = s3.folder_store()
    stat = await asyncio.to_thread(kept.stat, opened.key)
    if stat is None:
        raise S3Problem("NoSuchKey")
    headers = _object_headers(opened, stat)
    if request.headers.get("if-none-match", "").strip('"') == stat.etag:
        return empty(304, headers)
    wanted = _wanted_range(request, stat)
    start, end = wanted or (0, stat.size - 1)
    if wanted:
        headers["Content-Range"] = f"bytes {start}-{end}/{stat.size}"
    headers["Content-Length"] = str(end - start + 1)
    kind = headers.pop("Content-Type")
    if request.method == "HEAD" or not stat.size:
        return HTTPResponse(status=206 if wanted else 200, headers=headers, content_type=kind)
    response = await request.respond(status=206 if wanted else 200, headers=headers, content_type=kind)
    await send_pieces(response, kept.read(opened.key, start, end - start + 1))
    return None


def _wanted_range(request: Request, stat: Stat) -> tuple[int, int] | None:
    condition = request.headers.get("if-range", "").strip('"')
    if "range" not in request.headers or (condition and condition != stat.etag):
        return None
    return byte_range(request.headers["range"], stat.size)


def _object_headers(opened: Opened, stat: Stat) -> dict[str, str]:
    asked = opened.request.asked
    disposition = asked.get("response-content-disposition", "")
    return {
        "ETag": f'"{stat.etag}"',
        "Last-Modified": formatdate(stat.modified, usegmt=True),
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, no-store",
        # Uploaded content never runs in our origin.
        "Content-Disposition": disposition if disposition.startswith("attachment") else attachment("download"),
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Content-Type": asked.get("response-content-type", "application/octet-stream"),
    }


async def _receive(request: Request, opened: Opened, begin: Callable[[int, Checks], Writing]) -> Writing:
    """The request's payload, written and checked."""
    checks = Checks(opened.request.headers, opened.found.payload)
    writing = await _begun(partial(begin, opened.length, checks))
    reader = opened.reader()
    try:
        async for block in _pieces(request):
            pieces = reader.feed(block) if reader else (block,)
            await asyncio.to_thread(_write_all, writing, pieces)
        if reader:
            reader.finish()
        await asyncio.to_thread(writing.finish, reader.trailers if reader else {})
    except Unsigned as error:
        writing.drop()
        raise S3Problem(error.code, error.message) from None
    except BaseException:
        writing.drop()
        raise
    return writing


async def _begun(begin: Callable[[], Writing]) -> Writing:
    """What `begin` opens; who goes away while it is being opened leaves nothing."""
    opening = asyncio.ensure_future(asyncio.to_thread(begin))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_drop)
        raise


def _drop(opened: asyncio.Future[Writing]) -> None:
    if not opened.cancelled() and not opened.exception():
        opened.result().drop()


def _write_all(writing: Writing, pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        writing.write(piece)


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    """The body in blocks of about CHUNK bytes."""
    block = bytearray()
    while piece := await _read(request):
        block += piece
        if len(block) >= CHUNK:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)


async def _read(request: Request) -> bytes | None:
    stream: Any = request.stream
    try:
        async with asyncio.timeout(SILENCE):
            read: bytes | None = await stream.read()
            return read
    except TimeoutError:
        raise S3Problem("RequestTimeout") from None


def _stored(etag: str) -> HTTPResponse:
    return HTTPResponse(status=200, headers={"ETag": f'"{etag}"'}, content_type="application/xml")


def _xml(body: str, status: int = 200) -> HTTPResponse:
    return text(body, status, content_type="application/xml")


def error_answer(problem: S3Problem, request_id: str, status: int | None = None) -> HTTPResponse:
    """The answer of a request that failed."""
    return _xml(s3.error_xml(problem, request_id), status or STATUS[problem.code])


_SERVED = {
    "put": _put,
    "put_part": _put_part,
    "create": _create,
    "list_parts": _list_parts,
    "list_uploads": _list_uploads,
    "complete": _complete,
    "abort": _abort,
    "delete": _delete,
    "get": _get,
    "head": _get,
}
