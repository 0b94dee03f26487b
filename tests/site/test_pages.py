"""Pages as search engines, sub-sites and keyboards find them."""

import io
import json
import re

import httpx
import pytest
from PIL import Image
from playwright.sync_api import expect

from api.settings import SUB_SITES
from cluster.catalogue import TOOLS
from tests import make
from tests.site.conftest import PHONE_ONLY

ROUTES = ["/", *(tool.route for tool in TOOLS.values())]


@pytest.fixture(scope="module")
def http(stack):
    with httpx.Client(base_url=stack.address) as client:
        yield client


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_page_is_whole_without_script(http, path, language):
    text = http.get((f"/en{path}" if language == "en" else path).rstrip("/") or "/").text
    assert re.search(r"<h1[^>]*>", text)
    assert '<link rel="canonical"' in text
    assert 'hreflang="zh' in text and 'hreflang="en"' in text
    assert "og:title" in text
    if path != "/":
        kinds = {
            kind
            for block in re.findall(r'application/ld\+json"[^>]*>(.*?)</script>', text, re.S)
            for kind in _types(json.loads(block))
        }
        assert {"WebApplication", "HowTo", "FAQPage", "BreadcrumbList"} <= kinds


def _types(node):
    if isinstance(node, list):
        return {kind for each in node for kind in _types(each)}
    if isinstance(node, dict):
        return {node.get("@type")} | {kind for value in node.values() for kind in _types(value)}
    return set()


@pytest.mark.parametrize("path", [tool.route for tool in TOOLS.values()])
def test_the_page_has_its_payload(http, path):
    answer = http.get(f"{path}/_payload.json?abc")
    assert answer.status_code == 200
    assert answer.json()


def test_the_build_tells_its_id(http):
    latest = http.get("/builds/latest.json?t=1").json()
    assert http.get(f"/builds/meta/{latest['id']}.json").json()["id"] == latest["id"]


@pytest.mark.parametrize("path", ["/pdfmerg", "/nothing", "/en/nothing"])
def test_unknown_paths_are_not_found(http, path):
    answer = http.get(path)
    assert answer.status_code == 404
    assert "Page not found" in answer.text


@pytest.mark.parametrize(
    ("host", "words"), [("compress", "压缩"), ("merge", "合并"), ("pdf", "纸鹤"), ("pdf2word", "PDF 转 Word")]
)
def test_a_sub_site_serves_its_home_only(http, host, words):
    headers = {"Host": f"{host}.localhost"}
    home = http.get("/", headers=headers)
    assert home.status_code == 200
    assert words in home.text
    assert http.get("/About", headers=headers).status_code == 404


@pytest.mark.parametrize("host", SUB_SITES)
def test_a_sub_sites_links_lead_to_the_main_site(http, host):
    """It serves nothing but its home: a link of its own host would be not found."""
    origin = http.get("/builds/origin.json").json()["origin"]
    scheme, _, main = origin.partition("://")
    text = http.get("/", headers={"Host": f"{host}.localhost"}).text
    links = re.findall(r'<a\b[^>]*\shref="([^"]+)"', text)
    assert f"{origin}/" in links or origin in links
    assert [link for link in links if not link.startswith((origin, "#"))] == []
    assert f'<link rel="canonical" href="{scheme}://{host}.{main}/"' in text


@pytest.mark.parametrize("host", ["", *SUB_SITES])
def test_icons_and_manifest(http, host):
    headers = {"Host": f"{host}.localhost"} if host else {}
    text = http.get("/", headers=headers).text
    linked = re.findall(r'<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"', text)
    assert {"/favicon.ico", "/favicon.svg", "/apple-touch-icon.png", "/manifest.webmanifest"} == set(linked)
    manifest = http.get("/manifest.webmanifest", headers=headers)
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in manifest.json()["icons"]:
        answer = http.get(icon["src"], headers=headers)
        assert answer.status_code == 200
        if icon["type"] == "image/png":
            size = "x".join(map(str, Image.open(io.BytesIO(answer.content)).size))
            assert size == icon["sizes"]
    assert Image.open(io.BytesIO(http.get("/favicon.ico", headers=headers).content)).format == "ICO"


def test_every_address_begins_with_the_origin_of_the_build(http):
    origin = http.get("/builds/origin.json").json()["origin"]
    text = http.get("/PdfMerge").text
    addresses = re.findall(r'<link rel="(?:canonical|alternate)"[^>]*href="([^"]+)"', text)
    addresses += re.findall(r'"og:(?:url|image)" content="([^"]+)"', text)
    addresses += re.findall(r"<loc>([^<]+)</loc>", http.get("/sitemap-0.xml").text)
    addresses += re.findall(r"Sitemap: (\S+)", http.get("/robots.txt").text)
    assert len(addresses) > 20
    assert [address for address in addresses if not address.startswith(f"{origin}/") and address != origin] == []


def test_the_not_found_page_leads_home(desk):
    desk.open("/nothing-here")
    expect(desk.page.get_by_text("/nothing-here")).to_be_visible()
    desk.see("main-site").click()
    expect(desk.see("home-drop")).to_be_visible()


def test_a_file_dropped_on_the_home_page_goes_to_a_tool(desk, tmp_path):
    desk.open("/")
    desk.see("home-input").set_input_files(str(make.text(tmp_path / "a.pdf", 1)))
    desk.page.locator(
        '[data-testid=offer-tool][data-tool="rotate"], [data-testid=offer-tool][href*="PdfRotate"]'
    ).first.click()
    expect(desk.see("file-row")).to_contain_text("a.pdf")


def test_search_finds_a_tool(visitor):
    visitor.open("/")
    visitor.see("search").fill("旋转")
    expect(visitor.see("tool-card").locator("visible=true")).to_have_count(1)


@pytest.mark.parametrize("path", ["/", "/PdfCompress", "/en/watermark", "/About"])
@PHONE_ONLY
def test_nothing_sticks_out_on_a_phone(visitor, path):
    visitor.open(path)
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_pdf_js_comes_with_the_first_file(desk, tmp_path):
    loaded = []
    desk.page.context.on("request", lambda request: loaded.append(request.url))
    desk.open("/PdfCompress").page.wait_for_load_state("networkidle")
    assert [url for url in loaded if re.search(r"/assets/pdf\.|/pdfjs/", url)] == []
    desk.drop(make.text(tmp_path / "a.pdf", 1))
    expect(desk.see("thumbnail")).to_be_visible()
    assert {"/assets/pdf.", "/pdfjs/worker"} <= {
        found[0] for url in loaded if (found := re.search(r"/assets/pdf\.|/pdfjs/worker", url))
    }
