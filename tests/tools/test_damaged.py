"""Damaged PDFs, through every PDF tool as its sandboxed part runs: a result that opens, or `damaged_file`."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from cluster.catalogue import TOOLS
from cluster.engines.pdf.rescue import pages_by_mupdf
from cluster.kinds import PDF
from cluster.tool import Tool
from tests import look, make, make_broken
from tests.parts import Parts
from tests.running import run_tool
from tests.running import tool as tool_of

PDF_TOOLS = [tool for tool in TOOLS.values() if PDF in tool.accepts]
DOCUMENTS: dict[str, Callable[[Path], Path]] = {
    "text": lambda path: make.text(path, 5),
    "rich": make.rich,
    "scan": lambda path: make.scan(path, 2),
}
RIGHT = {"SUCCESS", "damaged_file"}
#: What tools that look for something say of a readable file without it.
NOTHING_THERE = {"no_table_found", "no_text_found", "no_pictures_found"}
#: Options of the tools that draw.
COARSE: dict[str, dict[str, Any]] = {
    "pdf_to_scan": {"preset": "custom", "dpi": 72, "noise": 0},
    "pdf_to_image": {"size": {"how": "dpi", "dpi": 72}},
}


def verdict(parts: Parts, tool: Tool[Any], path: Path) -> str:
    """SUCCESS or damaged_file; anything else with what the operator reads. Pictures are not read, and drawn coarse."""
    cheap = {"ocr": "off"} if "ocr" in tool.options.__dataclass_fields__ else {}
    cheap |= COARSE.get(tool.key, {})
    found = parts.verdict(tool, path, **cheap)
    reason = "SUCCESS" if found.reason in NOTHING_THERE else found.reason
    return reason if reason in RIGHT else str(found)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("tool", PDF_TOOLS, ids=lambda tool: tool.key)
def test_cut_anywhere(parts: Parts, tmp_path: Path, tool: Tool[Any], name: str) -> None:
    data = DOCUMENTS[name](tmp_path / "whole.pdf").read_bytes()
    found = {}
    for twentieth in (*range(1 + list(DOCUMENTS).index(name), 19, 3), 19):
        path = tmp_path / f"{twentieth}.pdf"
        path.write_bytes(data[: len(data) * twentieth // 20])
        found[twentieth] = verdict(parts, tool, path)
    assert set(found.values()) <= RIGHT, found
    assert found[19] == "SUCCESS"


@pytest.mark.parametrize("tool", PDF_TOOLS, ids=lambda tool: tool.key)
def test_bytes_changed_anywhere(parts: Parts, tmp_path: Path, tool: Tool[Any]) -> None:
    found = {}
    for number, data in enumerate(spoiled(DOCUMENTS["rich"](tmp_path / "whole.pdf"), 12)):
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(data)
        found[number] = verdict(parts, tool, path)
    assert set(found.values()) <= RIGHT, found
    assert list(found.values()).count("SUCCESS") > 5


def spoiled(path: Path, count: int) -> Iterator[bytes]:
    """The document with some bytes behind its head changed, each time others, packed into object streams or not."""
    draw = random.Random(26)
    plain = path.read_bytes()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    packed = path.read_bytes()
    for number in range(count):
        data = bytearray(packed if number % 3 == 0 else plain)
        at, size = draw.randrange(20, len(data)), draw.choice((1, 8, 64, 500))
        data[at : at + size] = draw.randbytes(len(data[at : at + size]))
        for _ in range(size // 8):
            data[draw.randrange(20, len(data))] = draw.randrange(256)
        yield bytes(data)


def test_a_damaged_file_never_comes_back_as_it_was(tmp_path: Path) -> None:
    """Compress found nothing to save in it, and a second reader could not open it."""
    path = make.truncated(tmp_path / "cut.pdf", make.text(tmp_path / "whole.pdf", 5), 0.85)
    ran = run_tool("compress", tmp_path / "out", [path])
    with pikepdf.open(ran.path) as pdf:
        assert not pdf.get_warnings()
    assert ran.noted("repaired") is not None
    assert ran.noted("unchanged") is None


def test_what_a_repair_could_not_bring_back_is_told(tmp_path: Path) -> None:
    whole = make.text(tmp_path / "whole.pdf", 5)
    cut = whole.read_bytes().index(b"endstream", whole.read_bytes().index(b"endstream") + 9)
    path = tmp_path / "cut.pdf"
    path.write_bytes(whole.read_bytes()[: cut + 40])
    told = {"before": 5, "after": 2, "detail": "1-2"}
    for key in ("compress", "split", "rotate", "pdf_to_image", "watermark", "merge"):
        assert run_tool(key, tmp_path / key, [path], **tool_of(key).example).noted("pages_saved") == told, key
    path.write_bytes(whole.read_bytes()[: whole.read_bytes().index(b"5 0 R") + 400])
    assert run_tool("rotate", tmp_path / "none", [path]).problem is not None


def test_a_fault_of_ours_is_not_blamed_on_a_sound_file(parts: Parts, tmp_path: Path) -> None:
    job = tmp_path / "job"
    (job / "in").mkdir(parents=True)
    make.text(job / "in/0.pdf", 2)
    inputs = [{"file": "in/0.pdf", "name": "a.pdf", "size": 1, "password": None, "index": 0}]
    order = {"mode": "gate", "tool": 1, "options": {}, "language": "zh", "inputs": inputs, "outputs": []}
    assert parts.answer(order, job)["problem"] == "FaultProblem"
    (job / "in/0.pdf").write_bytes((job / "in/0.pdf").read_bytes()[:900])
    found = parts.answer(order, job)
    assert (found["reason"], found["facts"]) == ("damaged_file", {"file": "a.pdf", "index": 0})
    assert "no output" in found["detail"]
    judged = parts.answer({**order, "mode": "judge"}, job)
    assert judged["reason"] == "damaged_file"


@pytest.mark.parametrize("key", ["rotate", "merge", "extract", "compress"])
def test_a_number_without_end_takes_no_page_from_any_reader(tmp_path: Path, key: str) -> None:
    source = make_broken.endless_number(tmp_path / "a.pdf", make.text(tmp_path / "b.pdf", 3))
    assert pages_by_mupdf(source, None) == 3
    options = {**tool_of(key).example, **({"pages": "1-3"} if key == "extract" else {})}
    ran = run_tool(key, tmp_path / "out", [source] * max(1, tool_of(key).least), **options)
    assert pages_by_mupdf(ran.path, None) == look.page_count(ran.path) == 3
    assert len(max(re.findall(rb"[0-9]+", look.all_bytes(ran.path)), key=len)) < 4096
