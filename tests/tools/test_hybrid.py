"""Hybrid-reference files: rows of the table that are free for old readers, and a stream that tells where they lie."""

import re
import zipfile
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cluster.catalogue import TOOLS
from cluster.kinds import PDF
from cluster.tool import Tool
from tests import look, make_hybrid
from tests.running import Ran, run_tool
from tests.running import tool as tool_of

#: Without delete, which leaves nothing of one page.
PDF_TOOLS = [tool for tool in TOOLS.values() if PDF in tool.accepts and tool.key != "delete"]
#: They look for what that page has not.
FINDERS = {"extract_image": "no_pictures_found", "pdf_table": "no_table_found"}
WAYS: dict[str, dict[str, Any]] = {
    "open": {},
    "restricted": {"lock": pikepdf.Encryption(user="", owner="owner")},
    "as office programs write it": {"apart": True},
    "with zeros and a line at its end": {"junk": bytes(3000) + b"\r\n--boundary--\r\n"},
}


def opened(ran: Ran, folder: Path, options: dict[str, Any]) -> Path:
    """The only result, without its lock."""
    assert ran.problem is None, ran.problem
    (output,) = ran.outputs
    if not output.password:
        return output.path
    with pikepdf.open(output.path, password=options[output.password]) as pdf:
        pdf.save(folder / "opened.pdf")
    return folder / "opened.pdf"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("tool", PDF_TOOLS, ids=lambda tool: tool.key)
def test_what_is_hidden_from_old_readers_comes_along(tmp_path: Path, tool: Tool[Any], way: str) -> None:
    source = make_hybrid.hybrid(tmp_path / "hybrid.pdf", **WAYS[way])
    ran = run_tool(tool.key, tmp_path / "out", [source] * max(1, tool.least), **{**tool.example, **worded(tool)})
    if tool.key in FINDERS:
        assert ran.problem and ran.problem.reason == FINDERS[tool.key]
        return
    if tool.key == "pdf_to_image":
        assert shows_the_font(ran.path, tmp_path)
        return
    if PDF not in tool.gives:
        assert "hidden font" in words_of(ran.path)
        return
    made = opened(ran, tmp_path, tool.example)
    assert "hidden font" in look.text_of(made)
    assert "Courier" in look.fonts_of(made, 1) or worded(tool)
    assert {link.uri for link in look.links_of(made)} == {"http://crane.test"}
    assert {entry.title for entry in look.outline_of(made)} >= {"mark"}


def worded(tool: Tool[Any]) -> dict[str, Any]:
    """What makes a picture of a page keep its words, in a font of ours."""
    return {"text": True} if tool.key == "pdf_to_scan" else {}


def words_of(package: Path) -> str:
    """The words of an office document."""
    with zipfile.ZipFile(package) as parts:
        texts = [parts.read(name).decode() for name in parts.namelist() if name.endswith(".xml")]
    return re.sub(r"<[^>]*>", "", " ".join(texts))


def shows_the_font(picture: Path, folder: Path) -> bool:
    """Whether the picture shows what pdfium draws of the same page where nothing is hidden."""
    with Image.open(picture) as found:
        shown = look.render(make_hybrid.plain(folder / "plain.pdf"), dpi=150)
        return look.ssim(found.convert("RGB").resize(shown.size), shown) > 0.98


@pytest.mark.parametrize("tool", PDF_TOOLS, ids=lambda tool: tool.key)
def test_nothing_is_told_of_a_repair(tmp_path: Path, tool: Tool[Any]) -> None:
    source = make_hybrid.hybrid(tmp_path / "hybrid.pdf")
    assert run_tool(tool.key, tmp_path / "out", [source] * max(1, tool.least), **tool.example).noted("repaired") is None


def test_a_number_given_twice_hides_nothing(tmp_path: Path) -> None:
    """Our reader leaves such a file to qpdf, which takes the table at its word."""
    source = make_hybrid.hybrid(tmp_path / "a.pdf")
    unused = source.read_bytes().index(b"\n1 0 obj") + 1
    row = b"%010d 00000 n" % unused
    assert source.read_bytes().count(row) == 1
    source.write_bytes(source.read_bytes().replace(row, b"%010d 00001 n" % unused))
    for key in ("split", "rotate"):
        ran = run_tool(key, tmp_path / key, [source], **tool_of(key).example)
        assert look.fonts_of(ran.path, 1) == {"Courier"}, key


def test_what_a_later_revision_took_away_stays_away(tmp_path: Path) -> None:
    with pikepdf.open(make_hybrid.plain(tmp_path / "plain.pdf")) as pdf:
        link = pdf.pages[0].obj.Annots[0].objgen[0]
    ran = run_tool("rotate", tmp_path / "out", [make_hybrid.freed(make_hybrid.hybrid(tmp_path / "a.pdf"), link)])
    assert look.fonts_of(ran.path, 1) == {"Courier"}
    with pikepdf.open(ran.path) as pdf:
        assert list(pdf.pages[0].obj.get("/Annots", [])) in ([], [None])


def test_a_hybrid_file_that_all_readers_read_comes_back_as_it_is(tmp_path: Path) -> None:
    source = make_hybrid.hybrid(tmp_path / "a.pdf", apart=True)
    assert run_tool("unlock", tmp_path / "out", [source], owned=True).path.read_bytes() == source.read_bytes()
