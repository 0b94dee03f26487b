"""The warm engines behind bubblewrap: they answer, see nothing of the host, and reach nobody."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf

from cluster.worker.sandbox import Limits, Sandbox, strong
from tests import look, make_office, make_scans, make_type1

Run = Callable[[Path], dict[str, Any]]


def _runner(folder: Path, lane: str, tool: int) -> tuple[Sandbox, Run]:
    assert strong(), "these tests mean nothing without bubblewrap; see deploy/setup.sh"
    sandbox = Sandbox(folder / "job", "cluster.worker.inside", (lane,))

    def run(path: Path) -> dict[str, Any]:
        for name in ("in", "out", "scratch"):
            shutil.rmtree(sandbox.folder / name, ignore_errors=True)
        (sandbox.folder / "in").mkdir(parents=True)
        shutil.copy(path, sandbox.folder / "in")
        name = f"in/{path.name}"
        one = {"file": name, "name": path.name, "size": path.stat().st_size, "password": None, "index": 0}
        order = {"mode": "run", "tool": tool, "options": {}, "language": "zh", "inputs": [one], "extras": {}}
        order |= {"share": None, "max_pages": 2000}
        ended = sandbox.run(order, Limits(120, lambda _: 120), lambda _: None)
        assert ended.answer is not None, ended
        return ended.answer

    return sandbox, run


def test_word_to_pdf_embeds_no_file_of_the_host(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(make_office.noise_png((300, 300)))
    sandbox, run = _runner(tmp_path, "office", 6)
    try:
        answer = run(make_office.linked_picture(tmp_path / "a.docx", secret.as_uri()))
        path = sandbox.folder / answer["outputs"][0]["file"]
        assert "before" in look.text_of(path)
        assert look.images_of(path) == []
        assert "remote_blocked" in [note["what"] for note in answer["notes"]]
        noted = run(make_office.commented(tmp_path / "c.docx"))
        assert "stays" in look.text_of(sandbox.folder / noted["outputs"][0]["file"])
        again = run(make_office.chapters(tmp_path / "b.docx"))
        assert look.page_count(sandbox.folder / again["outputs"][0]["file"]) == 3
    finally:
        sandbox.kill()


def test_image_to_text_reads(tmp_path: Path) -> None:
    scan = make_scans.page(("沙箱里的文字",), size=(600, 200), points=40)
    sandbox, run = _runner(tmp_path, "ocr", 24)
    try:
        answer = run(scan.save(tmp_path / "a.png"))
        text = (sandbox.folder / answer["outputs"][0]["file"]).read_text(encoding="utf-8")
        assert text.strip() == "沙箱里的文字"
    finally:
        sandbox.kill()


def test_a_type_1_font_becomes_cff(tmp_path: Path) -> None:
    """Adobe's tx is a program of its own: where the sandbox hid it, every such font would silently stay."""
    source = make_type1.page(tmp_path / "a.pdf")
    sandbox, run = _runner(tmp_path, "quick", 1)
    try:
        answer = run(source)
        made = sandbox.folder / answer["outputs"][0]["file"]
        with pikepdf.open(made) as pdf:
            descriptor = pdf.pages[0].Resources.Font.F1.FontDescriptor
            assert "/FontFile" not in descriptor
            assert descriptor.FontFile3.Subtype == "/Type1C"
        assert look.looks_like(source, made) > 0.99
        assert look.ink(look.render(made)) > 0.001
    finally:
        sandbox.kill()
