"""Large object streams: what was said stays said, for other people's readers and for ours."""

from pathlib import Path

import pikepdf
import pytest

from cluster.engines.pdf.compact import repack
from cluster.engines.pdf.page_tree import page_tree
from cluster.engines.pdf.reader import Document
from tests import make_traps


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Saved by qpdf: 3,000 small objects, more than one object stream holds, under PDF 2.0."""
    path = make_traps.flat_tags(tmp_path / "tags.pdf", 3000)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.docinfo["/Title"] = "3000 cells"
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate, force_version="2.0")
    return path


def told(path: Path) -> tuple[list[bytes], str, bytes, str]:
    """What each object says, the version, the first half of the identity, the title."""
    with pikepdf.open(path) as pdf:
        assert not pdf.get_warnings()
        shown = (each for each in pdf.objects if isinstance(each, pikepdf.Dictionary | pikepdf.Array))
        bodies = [each.unparse(resolved=True) for each in shown]
        return bodies, pdf.pdf_version, bytes(pdf.trailer.ID[0]), str(pdf.docinfo.Title)


def test_a_repacked_file_says_the_same(saved: Path) -> None:
    before, size = told(saved), saved.stat().st_size
    repack(saved)
    assert saved.stat().st_size < size
    assert told(saved) == before


def test_our_own_reader_reads_a_repacked_file(saved: Path) -> None:
    repack(saved)
    with Document(saved) as document:
        assert len(page_tree(document, 10)) == 1
        root = document.dictionary(document.root[b"/StructTreeRoot"])
        assert len(document.array(document.dictionary(root[b"/K"])[b"/K"])) == 3000


def test_object_streams_of_one_mould_are_read(saved: Path) -> None:
    """From the third on their dictionaries are cast: what another document was read for must make no difference."""
    with Document(saved) as document:
        cells = document.get(document.dictionary(document.dictionary(document.root[b"/StructTreeRoot"])[b"/K"])[b"/K"])
        assert {document.dictionary(cell)[b"/S"] for cell in cells} == {b"/TD"}
        assert len(document._packed) > 20
