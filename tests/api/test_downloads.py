"""Downloads: links, names, zips."""

import io
import re
import time
import zipfile
from urllib.parse import unquote

import httpx
import pytest

from api.file.downloads import zipped
from api.file.names import attachment, clean_name, unique_names
from cluster.store import store
from cluster.task import Made
from tests.api.conftest import PDF, Visitor, end_task

EVIL = [
    "../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/shadow",
    "C:\\secret.pdf",
    "a/b/c.pdf",
    "..",
    ".",
    ".htaccess",
    "   ",
    "con.pdf",
    "NUL",
    "a\x00.pdf",
    "a\r\nSet-Cookie: x=1.pdf",
    'a"; filename="evil.exe',
    "a%0d%0ab.pdf",
    "a;b.pdf",
    "<script>alert(1)</script>.pdf",
    "fdp.\u202eexe",
    "\u2066a\u2069.pdf",
    "a\u200b.pdf",
    "\ufeffbom.pdf",
    "名" * 400 + ".pdf",
    "x" * 900 + ".pdf",
    "é.pdf",
    "e\u0301.pdf",
    "👩‍👩‍👧.pdf",
    "合同 (最终版)'*%.pdf",
    "a\x7f\x85b|?*:.pdf",
]


def offered(headers: httpx.Headers) -> str:
    """The name that a browser saves under."""
    found = re.fullmatch(
        r"attachment; filename=\"([ -!#-~]*)\"; filename\*=UTF-8''([\w.~%-]+)", headers["content-disposition"]
    )
    assert found, headers["content-disposition"]
    return unquote(found[2])


def harmless(name: str) -> bool:
    return (
        0 < len(name) <= 170
        and name not in (".", "..")
        and not re.search('[\x00-\x1f\x7f-\x9f/\\\\:*?"<>|\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]', name)
        and not name.startswith(".")
        and not re.match(r"(?i)(con|nul)(\.|$)", name)
    )


def test_there_are_28_evil_names() -> None:
    assert len(set(EVIL)) == 28


@pytest.mark.parametrize("name", EVIL, ids=range(28))
def test_evil_names_are_stored_and_offered_safely(visitor: Visitor, tmp_path, name: str) -> None:
    task = visitor.task(visitor.upload(), name=name)
    shown = visitor.view(task)["inputs"][0]["name"]
    assert harmless(shown), shown
    end_task(task, tmp_path, (name[:200], PDF), (name[:200], b"second"))
    info = visitor.data("/api/file/download/getDownloadInfo", taskId=task, index=0)
    answer = httpx.get(info["url"])
    assert answer.content == PDF
    assert harmless(offered(answer.headers)), offered(answer.headers)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers
    packed = zipfile.ZipFile(
        io.BytesIO(httpx.get(visitor.data("/api/file/download/getDownloadInfo", taskId=task)["url"]).content)
    )
    assert len({entry.casefold() for entry in packed.namelist()}) == 2
    assert all(harmless(entry) for entry in packed.namelist()), packed.namelist()


def test_readable_names_stay() -> None:
    for name in ("合同_压缩.pdf", "Report 2026 (final).pdf", "a-b_c.tar.gz", "é.pdf"):
        assert clean_name(name) == name
    assert "filename=\"__.pdf\"; filename*=UTF-8''%E5%90%88%E5%90%8C.pdf" in attachment("合同.pdf")
    assert unique_names(["a.pdf", "A.pdf", "a.pdf", "b", "b"]) == ["a.pdf", "A (2).pdf", "a (3).pdf", "b", "b (2)"]


def test_one_result_is_a_link(visitor: Visitor, tmp_path) -> None:
    task = visitor.task()
    end_task(task, tmp_path, ("合同_旋转.pdf", PDF))
    info = visitor.data("/api/file/download/getDownloadInfo", taskId=task)
    assert (info["name"], info["size"]) == ("合同_旋转.pdf", len(PDF))
    assert 590_000 < info["expiresAt"] - time.time() * 1000 < 601_000
    answer = httpx.get(info["url"], headers={"Range": "bytes=0-3"})
    assert (answer.status_code, answer.content) == (206, b"%PDF")
    assert offered(answer.headers) == "合同_旋转.pdf"
    assert answer.headers["content-type"] == "application/pdf"
    tampered = info["url"].replace("response-content-type=application%2Fpdf", "response-content-type=text%2Fhtml")
    assert tampered != info["url"]
    assert httpx.get(tampered).status_code == 403


def test_several_results_are_one_zip(visitor: Visitor, tmp_path) -> None:
    task = visitor.task(visitor.upload(), name="合同.pdf")
    big = bytes(range(256)) * 20_000
    end_task(task, tmp_path, ("第一章.pdf", PDF), ("第一章.pdf", big), ("第二章.pdf", b""))
    info = visitor.data("/api/file/download/getDownloadInfo", taskId=task)
    assert (info["name"], info["size"]) == ("合同_旋转.zip", len(PDF) + len(big))
    answer = httpx.get(info["url"])
    assert offered(answer.headers) == "合同_旋转.zip"
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    assert packed.testzip() is None
    assert packed.namelist() == ["第一章.pdf", "第一章 (2).pdf", "第二章.pdf"]
    assert packed.read("第一章 (2).pdf") == big
    assert all(entry.flag_bits & 0x800 for entry in packed.infolist())
    for changed in (info["url"].replace("mark=", "mark=0")[:-1], info["url"].replace("until=1", "until=2")):
        assert httpx.get(changed).status_code == 403
    assert httpx.get(info["url"].replace("until=1", "until=0")).json()["data"]["reason"] == "link_expired"


def test_a_zip_needs_the_memory_of_one_piece(tmp_path) -> None:
    """300 MB of results, no more than a few pieces at a time."""
    made = []
    for number in range(3):
        path = tmp_path / str(number)
        with path.open("wb") as stream:
            stream.truncate(100 << 20)
        made.append(Made(store().put(f"results/zip-test/t/0.1/{number}.pdf", path).key, "a.pdf", 100 << 20, "pdf"))
    sizes = [len(piece) for piece in zipped(made, store())]
    store().delete("results/zip-test/")
    assert sum(sizes) > 300 << 20
    assert max(sizes) <= 1 << 20


def test_downloads_of_one_result_are_counted(visitor: Visitor, tmp_path) -> None:
    task = visitor.task()
    end_task(task, tmp_path, ("a.pdf", PDF), ("b.pdf", PDF))
    for _ in range(5):
        visitor.data("/api/file/download/getDownloadInfo", taskId=task, index=0)
    answer = visitor.ask("GET", "/api/file/download/getDownloadInfo", params={"taskId": task, "index": 0})
    assert (answer.status_code, answer.json()["code"], answer.json()["data"]["reason"]) == (403, 3001, "download_limit")
    visitor.data("/api/file/download/getDownloadInfo", taskId=task, index=1)


def test_nothing_to_download(visitor: Visitor, tmp_path) -> None:
    task = visitor.task()
    path = "/api/file/download/getDownloadInfo"
    waiting = visitor.ask("GET", path, params={"taskId": task})
    assert (waiting.status_code, waiting.json()["data"]["reason"]) == (404, "result_unknown")
    end_task(task, tmp_path, ("a.pdf", PDF))
    for index, status in ((0, 200), (1, 404), (-1, 400), ("x", 400)):
        assert visitor.ask("GET", path, params={"taskId": task, "index": index}).status_code == status, index
