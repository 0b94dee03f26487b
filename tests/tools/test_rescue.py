"""Damaged PDFs with something left: what other readers read is read, what came back is told page by page."""

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from cluster.engines.pdf.counts import count
from tests import look, make, make_broken
from tests.running import Ran, run_tool, tool

KEYS = ("rotate", "split", "watermark", "merge", "compress", "pdf_to_image")
every_tool = pytest.mark.parametrize("key", KEYS)


def ran(key: str, folder: Path, path: Path) -> Ran:
    return run_tool(key, folder / key, [path], **tool(key).example)


@every_tool
def test_no_resources_is_no_damage(tmp_path: Path, key: str):
    found = ran(key, tmp_path, make_broken.bare(tmp_path / "bare.pdf"))
    assert found.problem is None
    assert found.noted("repaired") is None


@every_tool
@pytest.mark.parametrize("draw", [make_broken.looped, make_broken.rootless])
def test_what_others_read_is_read(tmp_path: Path, key: str, draw: Callable[[Path], Path]):
    path = draw(tmp_path / "damaged.pdf")
    found = ran(key, tmp_path, path)
    assert found.problem is None
    assert found.noted("repaired") == {}
    assert found.noted("pages_saved") is None
    if key in ("split", "compress", "merge"):
        assert look.page_count(found.path) == 1
        assert look.ink(look.render(found.path)) > 0.2


def test_a_fresh_page_tree_costs_nothing_else(tmp_path: Path):
    path = make.rich(tmp_path / "rich.pdf", 3)
    with make.edit(path) as pdf:
        before = count(pdf)
        pdf.Root.Pages.Kids.append(pdf.Root.Pages)
    found = ran("rotate", tmp_path, path)
    assert found.problem is None and found.noted("repaired") == {}
    with pikepdf.open(found.path) as pdf:
        assert count(pdf) == before


@pytest.mark.parametrize("key", ["delete", "blank", "insert"])
def test_a_document_opened_twice_is_told_of_once(tmp_path: Path, key: str):
    """Its pages are counted first and copied then; both times it has to be repaired."""
    path = make_broken.damaged(tmp_path / "damaged.pdf", make.rich(tmp_path / "rich.pdf", 3))
    count, options = max(1, tool(key).least), {"delete": {"pages": "2"}}.get(key, tool(key).example)
    found = run_tool(key, tmp_path / key, [path] * count, **options)
    assert found.problem is None
    assert [note.what for note in found.notes].count("repaired") == count


@every_tool
def test_a_certificate_is_asked_for(tmp_path: Path, key: str):
    problem = ran(key, tmp_path, make_broken.certified(tmp_path / "locked.pdf")).problem
    assert problem and problem.reason == "certificate_needed"


def cut_after(path: Path, pages: int, *, linear: bool = False, packed: bool = False) -> Path:
    """Five pages, cut in the middle of the content after that of `pages` pages."""
    mode = pikepdf.ObjectStreamMode.generate if packed else pikepdf.ObjectStreamMode.disable
    with pikepdf.open(make.text(path, 5)) as pdf:
        pdf.save(path.with_suffix(".whole"), linearize=linear, object_stream_mode=mode)
    data, at = path.with_suffix(".whole").read_bytes(), 0
    for _ in range(pages + 1):
        at = data.index(b"/FlateDecode", at + 1)
    path.write_bytes(data[: data.index(b"stream", at) + 8])
    return path


@every_tool
@pytest.mark.parametrize("packed", [False, True])
def test_pages_saved_are_told(tmp_path: Path, key: str, packed: bool):
    """Packed: the objects come first, and qpdf does not find the catalogue among them; MuPDF does."""
    found = ran(key, tmp_path, cut_after(tmp_path / "cut.pdf", 2 + packed, packed=packed))
    assert found.problem is None
    assert found.noted("pages_saved") == {"before": 5, "after": 2, "detail": "1-2"}


@every_tool
@pytest.mark.parametrize("draw", [make.text, make.rich, make.scan], ids=["text", "rich", "scan"])
def test_nothing_saved_is_damage(tmp_path: Path, key: str, draw: Callable[[Path], Path]):
    """The first page is there, its content is not."""
    data = draw(tmp_path / "whole.pdf").read_bytes()
    path = tmp_path / "cut.pdf"
    path.write_bytes(data[: data.index(b"stream") + 8])
    problem = ran(key, tmp_path, path).problem
    assert problem and problem.reason == "damaged_file"


def test_pages_are_found_without_a_tree(tmp_path: Path):
    """A file for the web has its first page at the front, and the tree of all behind the others."""
    found = ran("rotate", tmp_path, cut_after(tmp_path / "cut.pdf", 4, linear=True))
    saved = found.noted("pages_saved")
    assert saved and saved["before"] == 5
    assert saved["after"] == sum(bool(text.strip()) for text in look.texts_of(found.path)) > 1
    assert make.marker(1) in look.texts_of(found.path)[0]


def test_a_missing_end_is_told_where_nobody_knows_what_it_held(tmp_path: Path):
    path = make.text(tmp_path / "cut.pdf", 3)
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"xref", 0, data.rindex(b"startxref"))])
    found = ran("rotate", tmp_path, path)
    assert (found.noted("pages_saved"), found.noted("end_missing")) == (None, {})


def test_blank_pages_of_a_repaired_file_are_not_lost(tmp_path: Path):
    path = make.damaged(tmp_path / "damaged.pdf", make.blank(tmp_path / "blank.pdf", 3))
    found = ran("rotate", tmp_path, path)
    assert (found.problem, found.noted("repaired"), found.noted("pages_saved")) == (None, {}, None)


def test_words_of_damage_that_are_not_text(tmp_path: Path):
    """qpdf quotes the bad byte of a stream; the error that tells of it cannot be read as text."""
    with pikepdf.open(make.text(tmp_path / "t.pdf", 2), allow_overwriting_input=True) as pdf:
        pdf.pages[0].obj.Contents.write(b"71200a5\x9f51>", filter=pikepdf.Name.ASCIIHexDecode)
        pdf.save(tmp_path / "bad.pdf", stream_decode_level=pikepdf.StreamDecodeLevel.none, compress_streams=False)
    for key in ("watermark", "split", "compress"):
        assert ran(key, tmp_path, tmp_path / "bad.pdf").problem is None, key


@every_tool
def test_a_password_that_only_qpdf_takes(tmp_path: Path, key: str):
    """An empty owner's password opens it for qpdf; pdfium and MuPDF ask for the other one."""
    locked = make.encrypted(tmp_path / "locked.pdf", make.text(tmp_path / "plain.pdf"), user="secret", owner="")
    assert ran(key, tmp_path, locked).problem is None
