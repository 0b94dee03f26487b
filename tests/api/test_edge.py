"""A real nginx before the API: it answers as the API does, lets big and slow things through, and outlives it."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from api.settings import ROOT, SUB_SITES
from cluster.store import store
from deploy.edge.config import Edge, write
from deploy.edge.publish import KEPT_DAYS, Laid, publish
from tests.api.conftest import PDF, Server, Visitor, built_site, s3_client, serving
from tests.api.test_event_streams import stream
from tests.conftest import free_port, wait_until

TODAY = 20_000
MIB = 1 << 20
#: Parts that a page sends at once.
PARALLEL = 3


@dataclass
class Running:
    """An nginx, the folder it serves, the site that is laid out there."""

    edge: Edge
    site: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.edge.listen}"

    @property
    def master(self) -> int:
        """The id of nginx' first process."""
        return int((self.edge.folder / "nginx.pid").read_text())

    def release(self, build: str, today: int = TODAY) -> Laid:
        """What an operator does when a build is ready."""
        small_site(self.site, build)
        laid = publish(self.site, self.edge.folder, today)
        write(self.edge, laid)
        return laid

    def nginx(self, *arguments: str) -> None:
        subprocess.run(["nginx", "-c", self.edge.folder / "nginx.conf", *arguments], check=True, stderr=subprocess.PIPE)

    def get(self, path: str, host: str = "", **headers: str) -> httpx.Response:
        return httpx.get(self.address + path, headers={**headers, **({"Host": host} if host else {})}, timeout=10)


def small_site(site: Path, build: str) -> None:
    """The small site, whose script and pages carry the build's name."""
    shutil.rmtree(site / "assets", ignore_errors=True)
    built_site(site)
    (site / "assets" / f"own.{build:0>8}.js").write_text(f"let build = '{build}';")
    (site / "500.html").write_text("<!doctype html>upgrading")
    for path, text in ((f"meta/{build}.json", "{}"), ("latest.json", json.dumps({"id": build}))):
        (site / "builds" / path).parent.mkdir(parents=True, exist_ok=True)
        (site / "builds" / path).write_text(text)


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> Iterator[Server]:
    """An API that believes one proxy, and lets a visitor bring much."""
    folder = tmp_path_factory.mktemp("behind")
    small_site(folder / "site", "one")
    with serving(folder, SITE=str(folder / "site"), PROXIES="1", VISITOR_BYTES=str(4 << 30)) as running:
        yield running


@contextmanager
def edge_of(*servers: Server, **more: object) -> Iterator[Running]:
    if shutil.which("nginx") is None:
        assert not os.environ.get("CI"), "nginx is not installed"
        pytest.skip("nginx is not installed")
    # nginx' workers are nobody, who may not look into pytest's folders.
    folder = Path(tempfile.mkdtemp(prefix="papercrane-edge-"))
    folder.chmod(0o755)
    apis = tuple(each.address.removeprefix("http://") for each in servers)
    edge = Edge(folder / "edge", apis, free_port(), **more)  # type: ignore[arg-type]
    edge.folder.mkdir()
    running = Running(edge, folder / "site")
    running.release("one")
    running.nginx()
    try:
        yield running
    finally:
        running.nginx("-s", "quit")
        wait_until(lambda: not (edge.folder / "nginx.pid").exists(), what="nginx's end")
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def edge(behind: Server) -> Iterator[Running]:
    with edge_of(behind) as running:
        yield running


OWN = {"cache-control", "content-security-policy", "content-type", "x-content-type-options", "x-frame-options"}


@pytest.mark.parametrize(
    ("host", "path"),
    [
        *[("", each) for each in ("/", "/PdfMerge", "/en/PdfMerge", "/_payload.json", "/PdfRotate/_payload.json?hash")],
        *[("", each) for each in ("/assets/page.Ab12Cd34.js", "/favicon.svg", "/builds/latest.json")],
        *[("", each) for each in ("/pdfmerge", "/PdfMerge/", "/PdfMerge/index.html", "//PdfMerge", "/404", "/nothing")],
        *[("", each) for each in ("/sub/compress", "/.git/config")],
        *[("compress.localhost", each) for each in ("/", "/_payload.json", "/PdfMerge", "/favicon.svg", "/index.html")],
        *[("pdf.localhost", each) for each in ("/", "/en/PdfMerge")],
        *[("", each) for each in ("/healthz", "/api/docs", "/api/toolkit/tool/getToolGroups")],
    ],
)
def test_it_answers_as_the_api_does(behind: Server, edge: Running, host: str, path: str) -> None:
    at_edge = edge.get(path, host)
    own = httpx.get(behind.address + path, headers={"Host": host} if host else {})
    assert (at_edge.status_code, at_edge.headers.get("location")) == (own.status_code, own.headers.get("location"))
    assert at_edge.text == own.text
    assert {name: at_edge.headers.get(name) for name in OWN} == {name: own.headers.get(name) for name in OWN}


@pytest.mark.parametrize(
    "path", ["/%2e%2e/left.json", "/assets/%2e%2e/%2e%2e/left.json", "/files/../left.json", "/.gitignore"]
)
def test_nothing_beside_the_site_is_served(edge: Running, path: str) -> None:
    assert edge.get(path).status_code in (400, 404)


def test_every_sub_site_has_a_host(edge: Running) -> None:
    written = (edge.edge.folder / "nginx.conf").read_text()
    assert all(f"{sub}.localhost" in written for sub in SUB_SITES)
    assert edge.get("/", "evil.example").status_code == 421


def test_what_may_be_kept_and_how_long(edge: Running) -> None:
    page, asset, news = (edge.get(path) for path in ("/PdfMerge", "/assets/page.Ab12Cd34.js", "/builds/latest.json"))
    assert {"s-maxage=60", "stale-while-revalidate=600", "stale-if-error=604800"} <= set(
        page.headers["cache-control"].split(", ")
    )
    assert page.headers["cache-tag"] == "build-one"
    assert "immutable" in asset.headers["cache-control"] and "max-age=31536000" in asset.headers["cache-control"]
    assert news.headers["cache-control"] == "no-cache"
    again = edge.get("/PdfMerge", **{"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_pages_are_squeezed_once_and_ahead(edge: Running, encoding: str) -> None:
    with httpx.stream("GET", f"{edge.address}/assets/page.Ab12Cd34.js", headers={"Accept-Encoding": encoding}) as got:
        raw = b"".join(got.iter_raw())
    assert got.headers["content-encoding"] == encoding and "accept-encoding" in got.headers["vary"].lower()
    assert len(raw) < 100


def test_the_api_may_be_away(tmp_path: Path, redis_server: str) -> None:
    """Pages stay up; calls get the envelope, unknown paths the page that says when to come again."""
    with serving(tmp_path, SITE=str(built_site(tmp_path / "site")), PROXIES="1") as server, edge_of(server) as edge:
        server.kill()
        assert edge.get("/PdfMerge").text.endswith("merge")
        assert edge.get("/assets/page.Ab12Cd34.js").status_code == 200
        for language, word in (("zh-CN", "1 分钟"), ("en", "minute")):
            call = edge.get("/api/toolkit/tool/getToolGroups", **{"Accept-Language": language})
            assert (call.status_code, call.json()["code"], call.headers["retry-after"]) == (503, 503, "60")
            assert word in call.json()["msg"], call.text
        lost = edge.get("/nothing")
        assert (lost.status_code, lost.text[-9:], lost.headers["cache-control"]) == (503, "upgrading", "no-store")


def test_a_visitor_works_through_it(edge: Running) -> None:
    """An upload that S3's signature covers, and a task of it: the host and the scheme are the browser's."""
    visitor = Visitor(edge.address)
    task = visitor.task()
    assert visitor.ask("GET", f"/api/task/task/deleteTask?taskId={task}").json()["code"] == 200


def test_three_gigabytes_pass_through_without_a_copy(behind: Server, edge: Running) -> None:
    """In parts, as the page sends them: neither nginx nor the API holds more than a few, nginx none on its disk."""
    folder = Path(behind.environment["PAPERCRANE_DATA"])
    if shutil.disk_usage(folder).free < 8 << 30:
        assert not os.environ.get("CI"), "no room for three gigabytes"
        pytest.skip("an upload of 3 GiB, joined from its parts, needs 8 GiB of disk")
    visitor, size = Visitor(edge.address), 3 << 30
    grant = visitor.grant(files=1, bytes=size)
    most, before = Counter[str](), _memory(behind, edge)
    try:
        with watching(lambda: _look(most, behind, edge)):
            key = _uploaded(grant, f"{grant['prefix']}big.pdf", size)
        found = store().stat(key)
    finally:
        store().delete(grant["prefix"])
    assert found and found.size == size
    assert most["files"] == 0 and most["looks"] > 50
    assert most["api"] - before["api"] < 128 * MIB and most["nginx"] - before["nginx"] < 32 * MIB, (before, most)


def _uploaded(grant: dict[str, Any], key: str, size: int) -> str:
    """`size` bytes as an object of 8 MiB parts, PARALLEL of them under way; its key."""
    s3, target, part = s3_client(grant), {"Bucket": grant["bucket"], "Key": key}, b"%PDF-1.4" * MIB
    upload = s3.create_multipart_upload(**target)["UploadId"]

    def put(number: int) -> Any:
        own = {**target, "UploadId": upload, "PartNumber": number}
        answer = client.put(s3.generate_presigned_url("upload_part", own), content=part)
        assert answer.status_code == 200, answer.text
        return {"ETag": answer.headers["etag"], "PartNumber": number}

    with httpx.Client(timeout=60) as client, ThreadPoolExecutor(PARALLEL) as pool:
        parts = list(pool.map(put, range(1, size // len(part) + 1)))
    s3.complete_multipart_upload(**target, UploadId=upload, MultipartUpload={"Parts": parts})
    return key


@contextmanager
def watching(look: Callable[[], None]) -> Iterator[None]:
    """Look again and again, meanwhile."""
    ends = threading.Event()

    def looks() -> None:
        while not ends.wait(0.02):
            look()

    watcher = threading.Thread(target=looks)
    watcher.start()
    try:
        yield
    finally:
        ends.set()
        watcher.join()


def _look(most: Counter[str], server: Server, edge: Running) -> None:
    """Keep the most memory of either, and how many files nginx had open."""
    most["looks"] += 1
    most["files"] += _kept(edge)
    for name, bytes in _memory(server, edge).items():
        most[name] = max(most[name], bytes)


def _kept(edge: Running) -> int:
    """Files that nginx keeps bodies in; it unlinks them as it makes them, so that only their openings are seen."""
    count, temp = 0, str(edge.edge.folder / "temp")
    for each in psutil.Process(edge.master).children():
        for opened in Path(f"/proc/{each.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                count += str(opened.readlink()).startswith(temp)
    return count


def _memory(server: Server, edge: Running) -> dict[str, int]:
    """Resident bytes of the API and of nginx, with their children."""
    assert server.process and server.process.pid
    pids = {"api": server.process.pid, "nginx": edge.master}
    found = {name: psutil.Process(pid) for name, pid in pids.items()}
    return {
        name: sum(each.memory_info().rss for each in (one, *one.children(recursive=True)))
        for name, one in found.items()
    }


def test_events_come_when_they_happen(edge: Running) -> None:
    visitor = Visitor(edge.address)
    task = visitor.task()

    async def first() -> bytes:
        async with stream(visitor, task) as (status, reader):
            assert b"200" in status
            return await asyncio.wait_for(reader.read(64), 10)

    # The stream stays open: what is read was sent before its end.
    assert asyncio.run(first())


def test_a_release_never_breaks_an_open_page(edge: Running) -> None:
    """What an open page loads later is still there; it learns of the build; after a week the old one's files go."""
    edge.release("two", TODAY + 1)
    edge.nginx("-s", "reload")
    wait_until(lambda: edge.get("/builds/latest.json").json()["id"] == "two", what="the new build")
    wait_until(lambda: edge.get("/PdfMerge").headers["cache-tag"] == "build-two", what="the new pages")
    old = "/assets/own.00000one.js"
    assert edge.get(old).status_code == 200 and edge.get("/builds/meta/one.json").status_code == 200
    edge.release("three", TODAY + 1 + KEPT_DAYS)
    assert edge.get(old).status_code == 200
    edge.release("four", TODAY + 2 + KEPT_DAYS)
    assert not (edge.edge.folder / "files" / old[1:]).exists()
    assert (edge.edge.folder / "files/assets/own.00000two.js").exists(), "it ran until a day ago"
    assert len(list(edge.edge.folder.glob("pages-*"))) == 2


def test_apis_are_replaced_one_by_one_and_no_call_fails(tmp_path: Path, redis_server: str) -> None:
    """A release while people work: they read, they upload, they start tasks."""
    site = {"SITE": str(built_site(tmp_path / "site")), "PROXIES": "1"}
    with serving(tmp_path, **site) as one, serving(tmp_path, **site) as two, edge_of(one, two) as edge:
        ended, answers, failed = threading.Event(), list[int](), list[Exception]()

        def work() -> None:
            try:
                _work()
            except Exception as error:  # a thread's own end is silent
                failed.append(error)

        def _work() -> None:
            visitor, number, grant = Visitor(edge.address), 0, dict[str, Any]()
            while not ended.is_set():
                if number % 100 == 0:  # a grant takes 200
                    grant = visitor.grant(files=200, bytes=1 << 20)
                key, number = f"{grant['prefix']}{number}.pdf", number + 1
                s3_client(grant).put_object(Bucket=grant["bucket"], Key=key, Body=PDF)
                answers.append(visitor.ask("GET", "/api/toolkit/tool/getToolGroups").status_code)
                task = visitor.task(key)
                answers.append(visitor.ask("GET", f"/api/task/task/deleteTask?taskId={task}").status_code)

        people = [threading.Thread(target=work) for _ in range(4)]
        for each in people:
            each.start()
        for server in (one, two):
            before = len(answers)
            server.stop()
            wait_until(lambda before=before: failed or len(answers) > before + 20, what="people who work on")
            server.start()
        ended.set()
        for each in people:
            each.join()
    assert failed == [] and set(answers) == {200} and len(answers) > 40


class Echo(BaseHTTPRequestHandler):
    """Tells what it was asked."""

    def do_PUT(self) -> None:
        size = len(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"PUT {self.headers['Host']} {self.path} {size}".encode())

    def log_message(self, *_: object) -> None:
        """Nothing is to be told."""


@contextmanager
def echoing() -> Iterator[str]:
    """The address of such a server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_tls(behind: Server) -> None:
    """HTTP/2, and nothing else for two years."""
    folder = Path(tempfile.mkdtemp())
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1",
         "-keyout", folder / "key", "-out", folder / "certificate"], check=True, capture_output=True,
    )  # fmt: skip
    plain, tls = free_port(), (folder / "certificate", folder / "key")
    with echoing() as store, edge_of(behind, tls=tls, plain=plain, store=("s3.localhost", store)) as edge:
        sent = httpx.get(f"http://127.0.0.1:{plain}/PdfMerge?a=1", headers={"Host": "localhost"})
        assert (sent.status_code, sent.headers["location"]) == (301, "https://localhost/PdfMerge?a=1")
        address = f"https://127.0.0.1:{edge.edge.listen}"
        asked = ["curl", "-sk", "-o", "-", "-w", "%{http_version}", "-D", "-", f"{address}/PdfMerge"]
        page = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
        assert page.endswith("2") and "strict-transport-security: max-age=63072000" in page
        call = httpx.get(f"{address}/api/toolkit/tool/getToolGroups", verify=False)
        assert call.headers["strict-transport-security"] == "max-age=63072000"
        # The store's host: what is signed comes through as it is.
        own = f"s3.localhost:{edge.edge.listen}"
        put = httpx.put(f"{address}/b/a%2Fb%20c?x-id=1", content=b"d" * MIB, headers={"Host": own}, verify=False)
        assert put.text == f"PUT {own} /b/a%2Fb%20c?x-id=1 {MIB}"
        # A release by the guide's own lines; the secure address is all that it keeps.
        command = [sys.executable, "-m", "deploy.edge", edge.edge.folder, "--api", edge.edge.apis[0], "--api", store]
        command += ["--listen", str(edge.edge.listen), "--tls", *tls]
        small_site(edge.site, "two")
        subprocess.run(command, env=os.environ | {"PAPERCRANE_API_SITE": str(edge.site)}, cwd=ROOT, check=True)
        edge.nginx("-t")
        edge.nginx("-s", "reload")
        tag = ["curl", "-sk", "-o", "-", "-D", "-", f"{address}/PdfMerge"]
        wait_until(lambda: b"cache-tag: build-two" in subprocess.run(tag, capture_output=True).stdout, what="it")
    shutil.rmtree(folder)
