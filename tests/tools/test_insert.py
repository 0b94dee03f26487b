"""Insert pages: where, which, how large; both documents stay whole."""

from pathlib import Path

import pikepdf
import pytest

from tests import look, make
from tests.running import Ran, run_tool


def insert(folder: Path, *files: Path, **options: object) -> Ran:
    made = run_tool("insert", folder / "insert", list(files), **options)
    assert made.problem is None, made.problem
    return made


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("insert")
    with make.edit(make.rich(folder / "b.pdf", 4)) as pdf:
        for page in pdf.pages:
            page.Contents = pdf.make_stream(page.Contents.read_bytes().replace(b"marker-00000", b"marker-b0000"))
            page.mediabox = [0, 0, 1190, 1684]
    return [make.rich(folder / "a.pdf", 4), folder / "b.pdf"]


def order(path: Path) -> str:
    """The pages as `a1 b2 …`; blank ones as -."""
    texts = look.texts_of(path)
    found = [text[text.index("marker-") + 7 :][:6] if "marker-" in text else "" for text in texts]
    return " ".join(f"{'b' if each[0] == 'b' else 'a'}{each[-1]}" if each else "-" for each in found)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"where": "start", "pages": "2"}, "b2 a1 a2 a3 a4"),
        ({"pages": "4,1"}, "a1 a2 a3 a4 b4 b1"),
        ({"where": "before", "page": 3, "pages": "1"}, "a1 a2 b1 a3 a4"),
        ({"where": "after", "page": 3, "pages": "1"}, "a1 a2 a3 b1 a4"),
        ({"where": "every", "every": 1, "pages": "3"}, "a1 b3 a2 b3 a3 b3 a4"),
        ({"where": "every", "every": 9, "pages": "3"}, "a1 a2 a3 a4 b3"),
    ],
)
def test_pages_stand_where_they_were_put(
    tmp_path: Path, files: list[Path], options: dict[str, object], expected: str
) -> None:
    made = insert(tmp_path, *files, **options)
    assert order(made.path) == expected
    assert made.outputs[0].pages == len(expected.split())
    assert made.outputs[0].name == "a_插页.pdf"


def test_both_documents_stay_whole(tmp_path: Path, files: list[Path]) -> None:
    made = insert(tmp_path, *files, where="after", page=2)
    assert order(made.path) == "a1 a2 b1 b2 b3 b4 a3 a4"
    inner = {(link.page, link.to) for link in look.links_of(made.path) if link.uri is None}
    assert inner == {(1, 2), (2, 7), (7, 8), (8, 1), (3, 4), (4, 5), (5, 6), (6, 3)}
    assert len(look.outline_of(made.path)) == sum(len(look.outline_of(each)) for each in files)
    assert len(look.fields_of(made.path)) == 8
    assert look.labels_of(made.path) == ["i", "ii", "i", "ii", "1", "2", "1", "2"]
    assert made.noted("fields_renamed") == {"count": 4}
    assert made.noted("pages_inserted") == {"count": 4}


def test_inserted_pages_take_the_width_beside_only_when_asked(tmp_path: Path, files: list[Path]) -> None:
    for fit, wide in ((False, 1190), (True, 595)):
        made = insert(tmp_path / str(fit), *files, where="after", page=1, pages="1", fit=fit)
        assert [abs(look.render(made.path, page, 72).width - wide) <= 1 for page in (1, 2)] == [fit, True]
    small = look.render(files[1], 1, 36)
    assert look.looks_like(small, look.render(made.path, 2, 72).resize(small.size)) > 0.95
    with pikepdf.open(made.path) as pdf, pikepdf.open(files[1]) as source:
        found, before = pdf.pages[1].obj.Annots[-1].Rect, source.pages[0].obj.Annots[-1].Rect
        assert [float(each) for each in found] == pytest.approx([float(each) / 2 for each in before], abs=0.1)


def test_one_file_and_pages_that_are_not_there_are_refused(tmp_path: Path, files: list[Path]) -> None:
    outside = run_tool("insert", tmp_path, files, where="after", page=5)
    assert outside.problem and outside.problem.reason == "page_range_invalid"
    second = run_tool("insert", tmp_path, files, pages="9")
    assert second.problem and second.problem.facts["file"] == "b.pdf"
