"""Word to PDF: what people write comes out as they wrote it; what attacks comes to nothing."""

import http.server
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pikepdf
import psutil
import pytest

from cluster.engines.office import client as office
from cluster.engines.office.text import encoding_of
from cluster.problem import FaultProblem
from tests import look, make_office
from tests.running import Ran, run_tool
from tests.stack import wait_for

pytestmark = pytest.mark.usefixtures("office_engine")


def convert(folder: Path, path: Path, password: str | None = None, **options: object) -> Ran:
    return run_tool("word_to_pdf", folder / "run", [path], passwords={0: password} if password else None, **options)


def page_texts(path: Path) -> list[str]:
    """The text of each page without blanks: LibreOffice widens the gap between 汉字 and digits."""
    return ["".join(text.split()) for text in look.texts_of(path)]


def all_text(path: Path) -> str:
    return "".join(page_texts(path))


def test_chinese_text_and_headings(tmp_path: Path) -> None:
    ran = convert(tmp_path, make_office.chapters(tmp_path / "书.docx"))
    assert page_texts(ran.path) == [f"第{n}章Section{n}正文page{n}" for n in (1, 2, 3)]
    assert [(entry.title, entry.page, entry.level) for entry in look.outline_of(ran.path)][:2] == [
        ("第1章", 1, 0),
        ("Section 1", 1, 1),
    ]
    assert ran.outputs[0].name == "书_转换.pdf"


def test_without_bookmarks(tmp_path: Path) -> None:
    ran = convert(tmp_path, make_office.chapters(tmp_path / "a.docx"), bookmarks=False)
    assert look.outline_of(ran.path) == []


@pytest.mark.parametrize(
    ("extension", "filter_name"),
    [("odt", "writer8"), ("rtf", "Rich Text Format"), ("doc", "MS Word 97"), ("wps", "MS Word 97")],
)
def test_other_formats(tmp_path: Path, extension: str, filter_name: str) -> None:
    origin = make_office.chapters(tmp_path / "a.docx")
    ran = convert(tmp_path, make_office.converted(tmp_path / f"b.{extension}", origin, filter_name))
    assert page_texts(ran.path) == [f"第{n}章Section{n}正文page{n}" for n in (1, 2, 3)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
def test_text_files_whatever_their_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("第一行：合同编号 No. 42\n第二行\n".encode(encoding))
    text = all_text(convert(tmp_path, path).path)
    assert "合同编号No.42" in text
    assert "第二行" in text


def test_text_in_big5_is_not_taken_for_gbk() -> None:
    text = "中華民國憲法第一條：中華民國基於三民主義，為民有民治民享之民主共和國。" * 20
    assert text.encode("big5").decode(encoding_of(text.encode("big5"))) == text


@pytest.mark.parametrize(
    ("changes", "there", "gone"),
    [
        ("show", ("stays", "ADDED", "REMOVED"), ()),
        ("accept", ("staysADDED",), ("REMOVED",)),
        ("reject", ("staysREMOVED",), ("ADDED",)),
    ],
)
def test_tracked_changes(tmp_path: Path, changes: str, there: tuple[str, ...], gone: tuple[str, ...]) -> None:
    ran = convert(tmp_path, make_office.tracked(tmp_path / "a.docx"), changes=changes)
    text = all_text(ran.path)
    assert all(word in text for word in there)
    assert not any(word in text for word in gone)
    assert ran.noted(f"changes_{changes}") == {"count": 2}


@pytest.mark.parametrize(("archive", "part"), [("pdfa1", "1"), ("pdfa2", "2"), ("pdfa3", "3")])
def test_archive_formats_say_so(tmp_path: Path, archive: str, part: str) -> None:
    ran = convert(tmp_path, make_office.docx(tmp_path / "a.docx"), archive=archive)
    with pikepdf.open(ran.path) as pdf, pdf.open_metadata() as metadata:
        assert metadata.get("pdfaid:part") == part


def test_page_range(tmp_path: Path) -> None:
    ran = convert(tmp_path, make_office.chapters(tmp_path / "a.docx", 5), pages="2,4-")
    assert [text[:3] for text in page_texts(ran.path)] == ["第2章", "第4章", "第5章"]


def test_page_range_beyond_the_end(tmp_path: Path) -> None:
    ran = convert(tmp_path, make_office.chapters(tmp_path / "a.docx", 2), pages="3")
    assert ran.problem and ran.problem.reason == "page_range_invalid"
    assert ran.problem.facts["pages"] == 2


def test_picture_quality(tmp_path: Path) -> None:
    path = make_office.with_picture(tmp_path / "a.docx", make_office.noise_png())
    sizes = [convert(tmp_path / name, path, images=name).path.stat().st_size for name in ("original", "screen")]
    assert sizes[1] < sizes[0] / 3


def test_missing_fonts_are_told_and_installed_ones_are_not(tmp_path: Path) -> None:
    body = make_office.paragraph("公文正文", font="仿宋_GB2312") + make_office.paragraph("x", font="Noto Sans CJK SC")
    told = convert(tmp_path, make_office.docx(tmp_path / "a.docx", body)).noted("fonts_substituted")
    assert told and "仿宋_GB2312" in told["detail"]
    assert "Noto" not in told["detail"].partition("→")[0]
    assert "仿宋_GB2312 → Noto Serif CJK SC" in told["detail"]


@pytest.mark.parametrize("extension", ["docx", "odt"])
def test_password(tmp_path: Path, extension: str) -> None:
    filters = {"docx": "MS Word 2007 XML", "odt": "writer8"}
    origin = make_office.docx(tmp_path / "a.docx", ("机密 secret",))
    path = make_office.locked(tmp_path / f"b.{extension}", origin, filters[extension], "口令pw")
    missing, wrong = convert(tmp_path, path).problem, convert(tmp_path, path, "nein").problem
    assert missing and missing.reason == "password_required"
    assert wrong and wrong.reason == "password_wrong"
    assert "机密secret" in all_text(convert(tmp_path, path, "口令pw").path)


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (make_office.bomb, "too_large_when_opened"),
        (make_office.lying_bomb, "too_large_when_opened"),
        (make_office.many_entries, "too_large_when_opened"),
        (make_office.entity, "unsafe_content"),
        (make_office.symlink, "unsafe_content"),
        (make_office.overlapping, "unsafe_content"),
    ],
)
def test_built_to_harm(tmp_path: Path, draw: object, reason: str) -> None:
    assert callable(draw)
    problem = convert(tmp_path, draw(tmp_path / "a.docx")).problem
    assert problem and problem.reason == reason


def test_cut_off_file_is_damaged_and_the_next_one_works(tmp_path: Path) -> None:
    whole = make_office.chapters(tmp_path / "a.docx")
    broken = tmp_path / "b.doc"
    broken.write_bytes(make_office.converted(tmp_path / "c.doc", whole, "MS Word 97").read_bytes()[:3000])
    problem = convert(tmp_path, broken).problem
    assert problem and problem.reason in ("damaged_file", "not_supported_type")
    assert look.page_count(convert(tmp_path, whole).path) == 3


def test_macros_stay_asleep_and_are_told(tmp_path: Path) -> None:
    ran = convert(tmp_path, make_office.with_macros(tmp_path / "a.docm"))
    assert ran.noted("macros_ignored") is not None
    assert "你好" in all_text(ran.path)


@pytest.fixture
def web() -> Iterator[tuple[str, list[str]]]:
    """A web server that remembers who asked for what."""
    asked: list[str] = []

    class Remember(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        do_HEAD = do_OPTIONS = do_PROPFIND = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Remember) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def test_remote_pictures_are_not_fetched(tmp_path: Path, web: tuple[str, list[str]]) -> None:
    address, asked = web
    ran = convert(tmp_path, make_office.linked_picture(tmp_path / "a.docx", f"{address}/spy.png"))
    text = all_text(ran.path)
    assert "before" in text
    assert "after" in text
    assert asked == []
    assert ran.noted("remote_blocked") is not None


def test_a_killed_engine_is_our_fault_and_comes_back(tmp_path: Path) -> None:
    path = make_office.chapters(tmp_path / "a.docx")
    source = make_office.source_of(path)
    with pytest.raises(FaultProblem), office.opened(source) as document:
        os.kill(_soffice(), signal.SIGKILL)
        document.do("refresh")
    assert look.page_count(convert(tmp_path, path).path) == 3


def test_the_server_ends_at_once_while_libreoffice_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "HOME", tmp_path)
    server = psutil.Popen(office.command(), env={**os.environ, **office.environment()})
    try:
        office.wait_ready(time.monotonic() + 60)
        (program,) = server.children()
        program.suspend()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(tmp_path / "office.sock"))
            client.sendall(b'{"open": "/nothing.docx", "properties": {}}\n')
            client.settimeout(1)
            with pytest.raises(TimeoutError):  # it waits for LibreOffice, which does not answer
                client.recv(1)
            server.terminate()
            server.wait(10)
        assert wait_for(lambda: _ended(program))
    finally:
        with suppress(psutil.NoSuchProcess):
            server.kill()


def _ended(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def _soffice() -> int:
    """The process id of the fixture's LibreOffice."""
    living = [each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE]
    servers = [each for each in living if "cluster.engines.office.server" in each.cmdline()]
    (program,) = (child for server in servers for child in server.children())
    return program.pid
