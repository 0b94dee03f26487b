"""Delete: those pages and no others, the last one protected; what canaries show stands in test_extract.py."""

from pathlib import Path

from tests import look, make
from tests.running import Ran, run_tool
from tests.tools.test_extract import markers, pages
from tests.tools.test_extract import rich as rich


def delete(folder: Path, file: Path, **options: object) -> Ran:
    made = run_tool("delete", folder, [file], **options)
    assert made.problem is None, made.problem
    return made


def test_delete_leaves_the_others_as_they_were(tmp_path: Path, rich: Path) -> None:
    made = delete(tmp_path, rich, pages="2,7-")
    assert markers(made.path) == pages(1, 3, 4, 5, 6)
    assert made.noted("pages_deleted") == {"count": 3, "detail": "2,7-8"}
    assert made.outputs[0].pages == 5
    assert look.labels_of(made.path) == ["i", "1", "2", "3", "4"]
    assert look.fields_of(made.path) == {f"field-{n}": f"value-{n}" for n in (1, 3, 4, 5, 6)}
    assert look.looks_like(rich, made.path, 3, 2) > 0.9999
    assert look.tagged_pages(made.path) == [1, 2, 3, 4, 5]
    assert look.attachments_of(made.path) == {"1.txt": b"attached text"}


def test_the_last_page_is_protected(tmp_path: Path, rich: Path) -> None:
    refused = run_tool("delete", tmp_path, [rich], pages="all")
    assert refused.problem and refused.problem.reason == "nothing_left"
    nothing = run_tool("delete", tmp_path, [rich])
    assert nothing.problem and nothing.problem.reason == "nothing_to_do"
    outside = run_tool("delete", tmp_path, [rich], pages="9")
    assert outside.problem and outside.problem.reason == "page_range_invalid"


def test_blank_pages_are_found_and_told(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 5)) as pdf:
        pdf.pages[1].obj.Contents = pdf.make_stream(b"")
        pdf.pages[3].obj.Contents = pdf.make_stream(b"BT /F1 9 Tf 290 20 Td (4) Tj ET")
    for blanks, gone in (("strict", "2"), ("normal", "2"), ("tolerant", "2,4")):
        made = delete(tmp_path / blanks, tmp_path / "a.pdf", blanks=blanks)
        assert made.noted("pages_deleted") == {"count": len(gone.split(",")), "detail": gone}
        assert made.noted("blank_pages") == {"count": len(gone.split(","))}
    # What was shown beforehand goes, and nothing else.
    shown = delete(
        tmp_path / "shown", tmp_path / "a.pdf", blanks="tolerant", found=[{"page": 4}, {"file": 1, "page": 2}]
    )
    assert shown.noted("pages_deleted") == {"count": 1, "detail": "4"}
    spared = run_tool("delete", tmp_path / "spared", [tmp_path / "a.pdf"], blanks="tolerant", found=[])
    assert spared.problem and spared.problem.reason == "nothing_to_do"
    both = delete(tmp_path / "both", tmp_path / "a.pdf", blanks="strict", pages="1")
    assert both.noted("pages_deleted") == {"count": 2, "detail": "1-2"}
