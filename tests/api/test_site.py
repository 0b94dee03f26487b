"""The built site: exact paths, sub-sites, caching, and a policy that lets only its own scripts run."""

import base64
import hashlib

import httpx
import pytest

from api.site import Site
from tests.api.conftest import INLINE, Server, built_site


def get(server: Server, path: str, host: str = "", **headers: str) -> httpx.Response:
    return httpx.get(server.address + path, headers={**headers, **({"Host": host} if host else {})})


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/", 200, "home"),
        ("/PdfMerge", 200, "merge"),
        ("/en/PdfMerge", 200, "merge in English"),
        ("/pdfmerge", 404, "missing"),
        ("/PdfMerge/", 404, "missing"),
        ("/PdfMerge/index.html", 404, "missing"),
        ("//PdfMerge", 404, "missing"),
        ("/en/nothing", 404, "missing in English"),
        ("/404", 404, "missing"),
        ("/sub/compress", 404, "missing"),
        ("/../pyproject.toml", 404, "missing"),
        ("/%2e%2e/pyproject.toml", 404, "missing"),
        ("/favicon.svg", 200, "<svg/>"),
        ("/_payload.json?Ab12", 200, "{}"),
    ],
)
def test_exact_paths(server: Server, path: str, status: int, words: str) -> None:
    answer = get(server, path)
    assert answer.status_code == status
    assert answer.text.endswith(words)


@pytest.mark.parametrize(
    ("host", "path", "status", "words"),
    [
        ("compress.localhost", "/", 200, "compress site"),
        ("compress.localhost", "/_payload.json", 200, '{"sub": 1}'),
        ("compress.localhost", "/assets/page.Ab12Cd34.js", 200, "let a = 1;"),
        ("compress.localhost", "/favicon.svg", 200, "<svg/>"),
        ("compress.localhost", "/PdfMerge", 404, "missing"),
        ("compress.localhost", "/en/PdfMerge", 404, "missing in English"),
        ("compress.localhost", "/PdfRotate/_payload.json", 404, "missing"),
        ("pdf.localhost", "/", 200, "pdf site"),
        ("pdf.localhost", "/PdfMerge", 404, "missing"),
        ("merge.localhost", "/", 404, "missing"),
    ],
)
def test_sub_sites(server: Server, host: str, path: str, status: int, words: str) -> None:
    answer = get(server, path, host)
    assert answer.status_code == status
    assert answer.text.endswith(words)


def test_caching(server: Server) -> None:
    asset = get(server, "/assets/page.Ab12Cd34.js")
    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers["content-encoding"] == "gzip"
    assert asset.headers["content-type"].startswith("text/javascript")
    page = get(server, "/")
    assert "immutable" not in page.headers["cache-control"]
    again = get(server, "/", **{"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = httpx.get(f"{server.address}/assets/page.Ab12Cd34.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.text == asset.text
    assert httpx.head(f"{server.address}/").status_code == 200


def test_only_its_own_inline_scripts_run(server: Server) -> None:
    policy = get(server, "/").headers["content-security-policy"]
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    mark = base64.b64encode(hashlib.sha256(INLINE.encode()).digest()).decode()
    assert f"'sha256-{mark}'" in directives["script-src"]
    assert directives["script-src"].count("sha256-") == 1
    assert "unsafe-inline" not in directives["script-src"]
    assert directives["object-src"] == "'none'"
    assert directives["frame-ancestors"] == "'none'"


def test_a_worker_may_fetch_and_decode(server: Server) -> None:
    policy = get(server, "/assets/page.Ab12Cd34.js").headers["content-security-policy"]
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert "'self'" in directives["connect-src"]
    assert "'wasm-unsafe-eval'" in directives["script-src"]


def test_a_new_build_is_served_without_a_restart(tmp_path) -> None:
    site = Site(built_site(tmp_path))
    before = site.find("/", "")
    (tmp_path / "index.html").write_text("new")
    after = site.find("/", "")
    assert before and after and (before.body != after.body == b"new")


def test_no_site_yet(tmp_path) -> None:
    assert Site(tmp_path / "none").find("/", "") is None
