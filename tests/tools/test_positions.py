"""Links and bookmarks that name a page by its position: wrong in a file of its own, but readers follow them."""

from pathlib import Path

from pikepdf import Array, Dictionary, Name, OutlineItem

from tests import make
from tests.look import links_of, outline_of
from tests.running import run_tool


def counting(path: Path) -> Path:
    """Three pages; a link on the first and a bookmark lead to position 2, the third page."""
    with make.edit(make.text(path, 3)) as pdf:
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[50, 50, 200, 100], Dest=Array([2, Name.Fit]))
        pdf.pages[0].Annots = pdf.make_indirect(Array([pdf.make_indirect(link)]))
        with pdf.open_outline() as outline:
            outline.root.append(OutlineItem("end", action=Dictionary(S=Name.GoTo, D=Array([2, Name.Fit]))))
    return path


def test_the_second_documents_links_stay_in_it(tmp_path: Path) -> None:
    result = run_tool("merge", tmp_path / "out", [make.text(tmp_path / "a.pdf", 4), counting(tmp_path / "b.pdf")])
    assert [(link.page, link.to) for link in links_of(result.path)] == [(5, 7)]
    assert [entry.page for entry in outline_of(result.path)] == [7]


def test_a_link_to_a_page_left_out_goes(tmp_path: Path) -> None:
    result = run_tool("merge", tmp_path / "out", [counting(tmp_path / "b.pdf")], ranges=["1-2"])
    assert links_of(result.path) == []
    assert outline_of(result.path) == []
