"""Arrange: the result equals the board, whatever stands on it; nothing of pages left out remains."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from pydantic import TypeAdapter

from cluster.arranging import arranged, by_board
from cluster.board import Board, Run
from cluster.kinds import PDF
from cluster.problem import InputProblem
from cluster.tool import Note, Source, Work
from tests import look, make, make_big, make_broken, make_forms
from tests.examples import examples
from tests.running import run_tool

PAGES = (6, 4, 3)
PASSWORD = "芝麻开门"
_MARKER = re.compile(r"marker-\d{6}")


class _Quiet:
    def progress(self, done: float, total: float, stage: str) -> None: ...

    def allow(self, pages: int) -> None: ...

    def timestamp(self, digest: bytes) -> bytes:
        return b""


def arrange(folder: Path, files: list[Path], board: object) -> tuple[Path, list[Note]]:
    """The document that `board` makes of the files, and its receipt."""
    for name in ("out", "scratch"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    runs = TypeAdapter(Board).validate_python(board)
    sources = tuple(
        Source(path=path, name=path.name, kind=PDF, size=path.stat().st_size, index=index)
        for index, path in enumerate(files)
    )
    work: Work[None] = Work(None, sources, folder, "zh", ("页面整理", "arranged"), _Quiet())
    arranged(work, sources, lambda opener: by_board(runs, [opener.pages(each) for each in sources]))
    return work.outputs[-1].path, work.notes


def noted(notes: list[Note], what: str) -> dict[str, object] | None:
    return next((dict(note.facts) for note in notes if note.what == what), None)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("board")
    with make.edit(make.rich(folder / "b.pdf", PAGES[1])) as pdf:
        for page in pdf.pages:
            page.Contents = pdf.make_stream(page.Contents.read_bytes().replace(b"marker-0", b"marker-9"))
    return [make.rich(folder / "a.pdf", PAGES[0]), folder / "b.pdf"]


@pytest.fixture(scope="module")
def with_locked(tmp_path_factory: pytest.TempPathFactory, files: list[Path]) -> list[Path]:
    """The two with the second under a password, and a third without fields, whose markers begin with 8."""
    folder = tmp_path_factory.mktemp("locked")
    with make.edit(make.text(folder / "c.pdf", PAGES[2])) as pdf:
        for page in pdf.pages:
            page.Contents = pdf.make_stream(page.Contents.read_bytes().replace(b"marker-0", b"marker-8"))
    return [files[0], make_broken.encrypted(folder / "b.pdf", files[1], user=PASSWORD), folder / "c.pdf"]


def run(file: int, first: int, last: int, **more: object) -> dict[str, object]:
    return {"kind": "pages", "file": file, "first": first, "last": last, **more}


_RUN = some.integers(0, 2).flatmap(
    lambda file: some.builds(
        run,
        some.just(file),
        some.integers(1, PAGES[file]),
        some.integers(1, PAGES[file]),
        step=some.integers(1, 3),
        turn=some.sampled_from([0, 90, 180, 270]),
    )
)
_BLANK = some.builds(lambda count: {"kind": "blank", "count": count}, some.integers(1, 2))


Place = tuple[int, int, int] | None
#: Which place of the board stands at each place of the result, of so many.
LAID: dict[str, Callable[[int], list[int | None]]] = {
    "none": lambda pages: list(range(pages)),
    "reverse": lambda pages: [pages - 1 - at for at in range(pages)],
    "interleave": lambda pages: [at // 2 + at % 2 * ((pages + 1) // 2) for at in range(pages)],
    "duplex": lambda pages: [pages - 1 - at // 2 if at % 2 else at // 2 for at in range(pages)],
    "odd_even": lambda pages: sorted(range(pages), key=lambda at: (at % 2, at)),
    "repeat": lambda pages: [at % pages for at in range(3 * pages)],
    "booklet": lambda pages: [at if at < pages else None for at in _folded(-(-pages // 4) * 4)],
}


def _folded(pages: int) -> list[int]:
    """Of a stack of folded sheets: the sides side by side add up, and take turns with the higher on the left."""
    return [at for low in range(pages // 2) for at in sorted((low, pages - 1 - low), reverse=low % 2 == 0)]


def _wanted(board: list[dict[str, object]], preset: str) -> list[Place]:
    """File, page and turn of each page of the result, None for a blank one."""
    stands: list[Place] = [
        (each.file, page, each.turn) if isinstance(each, Run) else None
        for each in TypeAdapter(Board).validate_python(board)
        for page in (each.pages() if isinstance(each, Run) else range(each.count))
    ]
    return [None if at is None else stands[at] for at in LAID[preset](len(stands))]


@pytest.mark.parametrize("preset", LAID)
@settings(max_examples=examples(4), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(board=some.lists(some.one_of(_RUN, _RUN, _BLANK), min_size=2, max_size=6))
def test_the_result_equals_the_board(
    tmp_path: Path, with_locked: list[Path], board: list[dict[str, object]], preset: str
) -> None:
    """Of three files, the second under a password; then as the preset lays it out."""
    ran = run_tool("arrange", tmp_path, with_locked, passwords={1: PASSWORD}, board=board, preset=preset, times=3)
    wanted = _wanted(board, preset)
    held = [_MARKER.findall(text) for text in look.texts_of(ran.path)]
    assert held == [[f"marker-{'098'[each[0]]}{each[1]:05}"] if each else [] for each in wanted]
    with pikepdf.open(ran.path) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert [int(page.obj.get("/Rotate", 0)) for page in pdf.pages] == [each[2] if each else 0 for each in wanted]
        assert len({page.obj.objgen for page in pdf.pages}) == len(wanted)
    assert ran.noted("pages_arranged") == {"count": len(wanted)}
    # Fields stand once, on the page that comes first.
    shown = [name for _, name in look.widgets_of(ran.path)]
    assert len(shown) == len(set(shown)) == len({each[:2] for each in wanted if each and each[0] < 2})


def test_links_bookmarks_names_and_labels_go_with_their_pages(tmp_path: Path, files: list[Path]) -> None:
    path, notes = arrange(tmp_path, files, [run(0, 3, 2), run(1, 4, 4), {"kind": "blank"}, run(0, 1, 1)])
    assert look.labels_of(path) == ["1", "ii", "2", "4", "i"]
    inner = [(link.page, link.to) for link in look.links_of(path) if link.uri is None]
    assert inner == [(2, 1), (2, 1), (5, 2), (5, 2)]
    assert look.destinations_of(path) == {"place-1": 5, "place-2": 2, "place-3": 1, "place-4": 3}
    assert {entry.title: entry.page for entry in look.outline_of(path)}["Chapter 1"] == 5
    assert noted(notes, "links_left") == {"count": 4}


def test_a_page_that_stands_twice_keeps_one_set_of_fields(tmp_path: Path, files: list[Path]) -> None:
    path, notes = arrange(tmp_path, files, [run(0, 2, 2), run(1, 1, 1), run(0, 2, 2)])
    assert look.widgets_of(path) == [(1, "field-2"), (2, "field-1")]
    assert look.fields_of(path) == {"field-1": "value-1", "field-2": "value-2"}
    assert noted(notes, "fields_doubled") == {"count": 1}


def test_the_second_of_two_equal_pages_shows_what_was_filled_in(tmp_path: Path) -> None:
    path, _ = arrange(
        tmp_path, [make_forms.form(tmp_path / "f.pdf", ["a"], value="seen")], [run(0, 1, 1), run(0, 1, 1)]
    )
    assert look.looks_like(path, path, 1, 2) > 0.999
    assert len(look.widgets_of(path)) == 1


def test_equal_names_of_two_files_are_told_apart(tmp_path: Path, files: list[Path]) -> None:
    path, notes = arrange(tmp_path, files, [run(0, 1, 1), run(1, 1, 1), run(0, 2, 2), run(1, 2, 2)])
    assert look.fields_of(path) == {f"field-{n}{end}": f"value-{n}" for n in (1, 2) for end in ("", "_2")}
    assert noted(notes, "fields_renamed") == {"count": 2}
    # The tags of each document stay together.
    assert look.tagged_pages(path) == [1, 3, 2, 4]
    inner = [(link.page, link.to) for link in look.links_of(path) if link.uri is None]
    assert inner == [(1, 3), (1, 3), (2, 4), (2, 4)]


def test_nothing_of_pages_left_out_remains(tmp_path: Path, files: list[Path]) -> None:
    path, _ = arrange(tmp_path, files, [run(1, 2, 2), run(0, 4, 4)])
    held = look.all_bytes(path)
    for number in (1, 3, 5, 6):
        for gone in (f"value-{number}", f"note-{number}", f"place-{number}", f"alternative text {number}"):
            assert gone.encode() not in held, gone
        assert make.marker(number).encode() not in held


def test_blank_pages_are_as_large_as_the_page_before_them(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 2)) as pdf:
        pdf.pages[0].mediabox = [0, 0, 300, 400]
    blank = {"kind": "blank"}
    board = [blank, run(0, 1, 1, turn=90), blank, run(0, 2, 2), {"kind": "blank", "width": 100, "height": 50}]
    with pikepdf.open(arrange(tmp_path, [tmp_path / "a.pdf"], board)[0]) as pdf:
        sizes = [tuple(float(value) for value in page.mediabox[2:]) for page in pdf.pages]
    assert sizes == [(400, 300), (300, 400), (400, 300), (595, 842), (100, 50)]


def test_pages_that_are_not_there_are_refused(tmp_path: Path, files: list[Path]) -> None:
    with pytest.raises(InputProblem) as refused:
        arrange(tmp_path, files, [run(1, 1, 5)])
    assert (refused.value.reason, refused.value.facts["pages"]) == ("page_range_invalid", 4)
    with pytest.raises(InputProblem) as refused:
        arrange(tmp_path, files, [run(2, 1, 1)])
    assert refused.value.reason == "option_invalid"


def test_twenty_thousand_pages_in_another_order(tmp_path: Path) -> None:
    source = make_big.many(tmp_path / "many.pdf", 20_000)
    board = [run(0, 20_000, 10_001), {"kind": "blank"}, run(0, 1, 9_999, step=2)]
    path, _ = arrange(tmp_path, [source], board)
    assert look.page_count(path) == 15_001
    places = [*random.Random(1).sample(range(10_000), 5), 10_001 + 7]
    came = [20_000 - place for place in places[:-1]] + [15]
    texts = look.texts_of(path, pages=[place + 1 for place in places])
    assert texts == look.texts_of(source, pages=came) and all(texts)
