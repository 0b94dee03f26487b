"""The built site: exact paths, sub-sites, caching, and a policy that lets only its own scripts run."""

import base64
import hashlib
import re

import httpx
import pytest

from api.policy import page_policy
from api.settings import settings
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
        ("/PdfMerg", 404, "missing"),
        ("/pdfmerge/_payload.json", 404, "missing"),
        ("/Favicon.svg", 404, "missing"),
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
    ("host", "path", "page"),
    [
        ("", "/pdfmerge", "/PdfMerge"),
        ("", "/PDFMERGE/", "/PdfMerge"),
        ("", "/PdfMerge/", "/PdfMerge"),
        ("", "/PdfMerge//", "/PdfMerge"),
        ("", "/PdfMerge.html", "/PdfMerge"),
        ("", "/PdfMerge.HTML", "/PdfMerge"),
        ("", "/PdfMerge/index.html", "/PdfMerge"),
        ("", "/pdfmerge?a=1&b=%2F", "/PdfMerge?a=1&b=%2F"),
        ("", "/index.html", "/"),
        ("", "/EN/pdfMerge/", "/en/PdfMerge"),
        ("", "/en/PdfMerge.html", "/en/PdfMerge"),
        ("compress.localhost", "/index.html", "/"),
        ("pdf.localhost", "/Index.html", "/"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_another_spelling_leads_to_the_page(server: Server, method: str, host: str, path: str, page: str) -> None:
    """For good, so that search engines and links agree on one address; and in one step."""
    headers = {"Host": host} if host else {}
    answer = httpx.request(method, server.address + path, headers=headers)
    assert (answer.status_code, answer.headers.get("location")) == (301, page)
    assert httpx.request(method, server.address + page, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("", "//pdfmerge"),
        ("", "//evil.example/"),
        ("", "/404.html"),
        ("", "/404/"),
        ("", "/sub/compress/"),
        ("", "/SUB/compress"),
        ("", "/api/nothing/"),
        ("compress.localhost", "/pdfmerge"),
        ("compress.localhost", "/PdfMerge/"),
        ("compress.localhost", "/en/"),
        ("merge.localhost", "/index.html"),
    ],
)
def test_no_spelling_leads_where_there_is_no_page(server: Server, host: str, path: str) -> None:
    answer = get(server, path, host, **{"Web-Tag": "papercrane"})
    assert answer.status_code == 404 and "location" not in answer.headers


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


def test_only_its_own_inline_styles_count() -> None:
    policy = page_policy("<style media=print>a{color:red}</style><p style='color:red'>")
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    mark = base64.b64encode(hashlib.sha256(b"a{color:red}").digest()).decode()
    assert directives["style-src"] == f"'self' 'sha256-{mark}'"


def test_every_answer_closes_what_is_not_used(server: Server) -> None:
    for path in ("/", "/nothing", "/api/docs", "/healthz"):
        answer = get(server, path, **{"Web-Tag": "papercrane"})
        assert {"camera=()", "geolocation=()"} <= set(answer.headers["permissions-policy"].split(", ")), path
        assert "unsafe-inline" not in answer.headers["content-security-policy"], path
        assert "strict-transport-security" not in answer.headers, "it came without TLS"


BUILT = settings().site


@pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the site is not built")
def test_no_built_page_needs_an_inline_style() -> None:
    """The policy would not let it through."""
    for page in BUILT.rglob("*.html"):
        assert not re.search(r"<[^>]*\sstyle\s*=", page.read_text("utf-8")), page


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
