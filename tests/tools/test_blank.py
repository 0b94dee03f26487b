"""Add blank pages: where, how many, how large; all else stays right."""

from pathlib import Path

import pikepdf
import pytest

from tests import look, make
from tests.running import Ran, run_tool
from tests.tools.test_insert import order


def blank(folder: Path, file: Path, **options: object) -> Ran:
    made = run_tool("blank", folder / "blank", [file], **options)
    assert made.problem is None, made.problem
    return made


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "a1 a2 a3 -"),
        ({"pages": ""}, "a1 - a2 - a3 -"),
        ({"pages": "1,3", "where": "before", "count": 2}, "- - a1 a2 - - a3"),
        ({"where": "odd"}, "a1 a2 a3 -"),
    ],
)
def test_blank_pages_stand_where_they_were_put(tmp_path: Path, options: dict[str, object], expected: str) -> None:
    made = blank(tmp_path, make.text(tmp_path / "a.pdf", 3), **options)
    assert order(made.path) == expected
    assert made.noted("blanks_added") == {"count": expected.count("-")}


def test_an_even_document_needs_no_blank_page(tmp_path: Path) -> None:
    made = run_tool("blank", tmp_path, [make.text(tmp_path / "a.pdf", 2)], where="odd")
    assert made.problem and made.problem.reason == "nothing_to_do"


def test_blank_pages_have_the_size_that_was_chosen(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 2)) as pdf:
        pdf.pages[1].mediabox = [0, 0, 300, 400]
    sizes = {}
    for size in ("previous", "next", "a5", "own"):
        made = blank(tmp_path / size, tmp_path / "a.pdf", pages="1", size=size, width=100, height=50)
        with pikepdf.open(made.path) as pdf:
            sizes[size] = tuple(round(float(each)) for each in pdf.pages[1].mediabox[2:])
    assert sizes == {"previous": (595, 842), "next": (300, 400), "a5": (420, 595), "own": (283, 142)}


def test_ruled_and_squared_paper_has_lines(tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 1)
    ink = {
        paper: look.ink(look.render(blank(tmp_path / paper, source, paper=paper).path, 2))
        for paper in ("plain", "ruled", "grid")
    }
    assert ink["plain"] == 0 < ink["ruled"] < ink["grid"]


def test_what_belongs_to_the_document_stays(tmp_path: Path) -> None:
    source = make.rich(tmp_path / "a.pdf", 4)
    made = blank(tmp_path, source, pages="2")
    assert [entry.page for entry in look.outline_of(made.path)] == [
        entry.page + (entry.page > 2) for entry in look.outline_of(source)
    ]
    assert look.labels_of(made.path) == ["i", "ii", "3", "1", "2"]
    assert look.fields_of(made.path) == look.fields_of(source)
    assert look.title_of(made.path) == look.title_of(source)
