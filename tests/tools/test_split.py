"""Split: the right pages in each file, with everything that belongs to them and nothing that does not."""

from pathlib import Path

import pikepdf
import pytest

from tests import look, make
from tests.running import Ran, run_tool


def split(folder: Path, file: Path, password: str | None = None, language: str = "zh", **way: object) -> Ran:
    passwords = {0: password} if password else None
    return run_tool("split", folder, [file], passwords=passwords, language=language, split=way)


def markers(ran: Ran) -> list[list[str]]:
    """The page markers in each output, in order."""
    assert ran.problem is None, ran.problem
    return [[_marker(text) for text in look.texts_of(output.path)] for output in ran.outputs]


def _marker(text: str) -> str:
    return text[text.index("marker-") :][:13]


def pages(*numbers: int) -> list[str]:
    return [make.marker(number) for number in numbers]


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.text(tmp_path_factory.mktemp("split") / "报告.pdf", 10)


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.rich(tmp_path_factory.mktemp("split") / "rich.pdf", 8)


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ({"how": "ranges", "ranges": "1-3;4-6,10"}, [pages(1, 2, 3), pages(4, 5, 6, 10)]),
        ({"how": "ranges", "ranges": "1-3,5,8-"}, [pages(1, 2, 3), pages(5), pages(8, 9, 10)]),
        ({"how": "ranges", "ranges": "9-；2，1；odd"}, [pages(9, 10), pages(2, 1), pages(1, 3, 5, 7, 9)]),
        ({"how": "ranges", "ranges": "2,1;10", "joined": True}, [pages(2, 1, 10)]),
        ({"how": "ranges", "ranges": ""}, [pages(*range(1, 11))]),
        ({"how": "every", "pages": 4}, [pages(1, 2, 3, 4), pages(5, 6, 7, 8), pages(9, 10)]),
        ({"how": "into", "files": 3}, [pages(1, 2, 3), pages(4, 5, 6), pages(7, 8, 9, 10)]),
        ({"how": "into", "files": 50}, [pages(number) for number in range(1, 11)]),
        ({"how": "odd_even"}, [pages(1, 3, 5, 7, 9), pages(2, 4, 6, 8, 10)]),
        ({"how": "single"}, [pages(number) for number in range(1, 11)]),
    ],
)
def test_each_way_gives_these_pages(
    tmp_path: Path, ten: Path, way: dict[str, object], expected: list[list[str]]
) -> None:
    ran = split(tmp_path, ten, **way)
    assert markers(ran) == expected
    assert [output.pages for output in ran.outputs] == [len(part) for part in expected]


def test_names_carry_the_range_or_the_title(tmp_path: Path, ten: Path, rich: Path) -> None:
    names = [output.name for output in split(tmp_path / "a", ten, how="ranges", ranges="1-3;4-6,8").outputs]
    assert names == ["报告_拆分_1-3.pdf", "报告_拆分_4-6,8.pdf"]
    names = [output.name for output in split(tmp_path / "b", ten, language="en", how="odd_even").outputs]
    assert names == ["报告_split_odd.pdf", "报告_split_even.pdf"]
    names = [output.name for output in split(tmp_path / "c", rich, how="bookmarks").outputs]
    assert names == [f"rich_拆分_Chapter {number}.pdf" for number in (1, 2, 3, 4)]


def test_long_names_keep_what_tells_the_parts_apart(tmp_path: Path) -> None:
    source = make.text(tmp_path / f"{'长' * 70}.pdf", 2)
    names = [output.name for output in split(tmp_path / "long", source, how="single").outputs]
    assert [name[-6:] for name in names] == ["_1.pdf", "_2.pdf"]
    mixed = split(tmp_path / "odd", make.text(tmp_path / "a.pdf", 99), how="ranges", ranges="odd;even")
    assert [output.name for output in mixed.outputs] == ["a_拆分_1-99_50p.pdf", "a_拆分_2-98_49p.pdf"]


def test_bookmark_level_and_equal_or_strange_titles(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 7)) as pdf:
        entries = [("第一章/总则", 2, 0), ("甲", 3, 1), ("乙", 4, 1), ("第一章/总则", 5, 0), ("甲", 6, 1)]
        make.bookmarks(pdf, entries)
    ran = split(tmp_path / "1", tmp_path / "a.pdf", how="bookmarks", level=1)
    assert markers(ran) == [pages(1), pages(2, 3, 4), pages(5, 6, 7)]
    assert [output.name for output in ran.outputs] == [
        "a_拆分_1.pdf",
        "a_拆分_第一章_总则.pdf",
        "a_拆分_第一章_总则 (2).pdf",
    ]
    ran = split(tmp_path / "2", tmp_path / "a.pdf", how="bookmarks", level=2)
    assert markers(ran) == [pages(1), pages(2), pages(3), pages(4), pages(5), pages(6, 7)]


def test_without_bookmarks_there_is_nothing_to_do(tmp_path: Path, ten: Path) -> None:
    ran = split(tmp_path, ten, how="bookmarks")
    assert ran.problem and ran.problem.reason == "nothing_to_do"


def test_range_outside_the_document_tells_the_page_count(tmp_path: Path, ten: Path) -> None:
    ran = split(tmp_path, ten, how="ranges", ranges="1-3;11")
    assert ran.problem and ran.problem.reason == "page_range_invalid"
    assert ran.problem.facts["pages"] == 10


def test_size_keeps_parts_under_the_limit_and_few(tmp_path: Path) -> None:
    scan = make.scan(tmp_path / "scan.pdf", 12)
    limit = 0.25
    ran = split(tmp_path, scan, how="size", megabytes=limit)
    sizes = [output.path.stat().st_size for output in ran.outputs]
    assert max(sizes) <= limit * 1e6
    assert sum(output.pages or 0 for output in ran.outputs) == 12
    assert len(sizes) <= scan.stat().st_size / (limit * 1e6) + 2
    alone = split(tmp_path / "alone", scan, how="size", megabytes=0.02)
    assert len(alone.outputs) == 12
    assert alone.noted("part_too_large") == {"detail": 1}


def test_size_counts_shared_fonts_once_and_never_passes_the_limit(tmp_path: Path) -> None:
    mixed = make.mixed(tmp_path / "mixed.pdf", 60)
    ran = split(tmp_path, mixed, how="size", megabytes=0.5)
    sizes = [output.path.stat().st_size for output in ran.outputs]
    assert max(sizes) <= 500_000
    assert min(sizes[:-1]) > 300_000


@pytest.mark.parametrize(("keep", "expected"), [(False, [(1, 2), (4,), (7,)]), (True, [(1, 2, 3), (4, 5, 6), (7,)])])
def test_blank_pages_separate(tmp_path: Path, keep: bool, expected: list[tuple[int, ...]]) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 7)) as pdf:
        for number in (3, 5, 6):
            pdf.pages[number - 1].obj.Contents = pdf.make_stream(b"")
    ran = split(tmp_path, tmp_path / "a.pdf", how="blanks", keep=keep)
    assert [output.pages for output in ran.outputs] == [len(part) for part in expected]
    first = [_marker(look.text_of(output.path, 1)) for output in ran.outputs]
    assert first == [make.marker(part[0]) for part in expected]
    assert ran.noted("blank_pages") == {"count": 3}


def test_blank_scans_have_specks(tmp_path: Path) -> None:
    with make.edit(make.scan(tmp_path / "scan.pdf", 3)) as pdf:
        paper = pdf.pages[1].obj
        paper.Contents = pdf.make_stream(b"0.93 g 0 0 595 842 re f 0 g 300 400 3 3 re f 100 700 2 2 re f")
    found = {
        each: len(split(tmp_path / each, tmp_path / "scan.pdf", how="blanks", sensitivity=each).outputs)
        for each in ("strict", "tolerant")
    }
    assert found == {"strict": 1, "tolerant": 2}


def test_bookmarks_links_and_names_lead_to_the_parts_own_pages(tmp_path: Path, rich: Path) -> None:
    ran = split(tmp_path, rich, how="ranges", ranges="2-4;8,5")
    first, second = (output.path for output in ran.outputs)
    assert look.outline_of(first) == [
        look.Entry("Section 1", 1, 0),
        look.Entry("Chapter 2", 2, 0),
        look.Entry("Section 2", 3, 1),
    ]
    assert [(link.page, link.to) for link in look.links_of(first) if not link.uri] == [(1, 2), (1, 2), (2, 3), (2, 3)]
    assert look.destinations_of(first) == {"place-2": 1, "place-3": 2, "place-4": 3}
    assert look.destinations_of(second) == {"place-8": 1, "place-5": 2}
    assert {link.uri for link in look.links_of(second)} == {"https://example.org/8", "https://example.org/5"}
    assert ran.noted("links") == {"before": 15, "after": 9}
    assert ran.noted("links_left") == {"count": 6}
    assert ran.noted("bookmarks") == {"before": 5, "after": 5}


def test_fields_notes_labels_title_and_tags_stay(tmp_path: Path, rich: Path) -> None:
    first, second = (output.path for output in split(tmp_path, rich, how="ranges", ranges="1-3;4-8").outputs)
    assert look.fields_of(first) == {f"field-{number}": f"value-{number}" for number in (1, 2, 3)}
    assert look.widgets_of(second) == [(number - 3, f"field-{number}") for number in range(4, 9)]
    assert look.notes_of(second) == [(number - 3, f"note-{number}") for number in range(4, 9)]
    assert (look.labels_of(first), look.labels_of(second)) == (["i", "ii", "1"], ["2", "3", "4", "5", "6"])
    assert look.title_of(second) == "报告 Report"
    assert (look.tagged_pages(first), look.tagged_pages(second)) == ([1, 2, 3], [1, 2, 3, 4, 5])
    assert look.attachments_of(first) == {"1.txt": b"attached text"}
    assert look.attachments_of(second) == {}


def test_pages_look_the_same(tmp_path: Path, rich: Path) -> None:
    (output,) = split(tmp_path, rich, how="ranges", ranges="3-4").outputs
    assert look.looks_like(rich, output.path, 3, 1) > 0.9999
    assert look.looks_like(rich, output.path, 4, 2) > 0.9999


def test_every_geometry_looks_the_same(tmp_path: Path) -> None:
    source = make.geometry(tmp_path / "geometry.pdf")
    ran = split(tmp_path, source, how="single")
    assert len(ran.outputs) == 20
    for number, output in enumerate(ran.outputs, 1):
        assert look.looks_like(source, output.path, number, 1) > 0.9999, number


def test_a_part_holds_no_byte_of_other_pages(tmp_path: Path, rich: Path) -> None:
    (output,) = split(tmp_path, rich, how="ranges", ranges="2,4", joined=True).outputs
    held = look.all_bytes(output.path)
    for number in (1, 3, 5, 6, 7, 8):
        for hidden in (f"value-{number}", f"note-{number}", f"place-{number}", f"field-{number}", make.marker(number)):
            assert hidden.encode() not in held, hidden
        assert f"alternative text {number}".encode() not in held
    for number in (2, 4):
        for kept in (f"value-{number}", f"note-{number}", f"alternative text {number}", make.marker(number)):
            assert kept.encode() in held, kept


@pytest.mark.parametrize("packed", [False, True])
def test_shared_resources_are_taken_apart(tmp_path: Path, packed: bool) -> None:
    source = make.shared(tmp_path / "shared.pdf", 6)
    if packed:
        with make.edit(source) as pdf:
            pdf.save(tmp_path / "packed.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate)
        source = tmp_path / "packed.pdf"
    ran = split(tmp_path, source, how="every", pages=2)
    for index, output in enumerate(ran.outputs):
        mine = {2 * index + 1, 2 * index + 2}
        held = look.all_bytes(output.path)
        assert {number for number in range(1, 7) if b"only-page-%d." % number in held} == mine
        assert len(look.images_of(output.path)) == 4
        assert len(look.fonts_of(output.path, 1)) == 1
        assert look.looks_like(source, output.path, 2 * index + 1, 1) > 0.9999
        assert f"第 {2 * index + 2} 页" in look.text_of(output.path, 2)


def test_parts_are_no_larger_than_what_their_pages_need(tmp_path: Path) -> None:
    source = make.mixed(tmp_path / "mixed.pdf", 200)
    ran = split(tmp_path, source, how="every", pages=20)
    needed = source.stat().st_size / 10
    assert max(output.path.stat().st_size for output in ran.outputs) <= 1.2 * needed


def test_a_page_named_twice_stands_twice(tmp_path: Path, rich: Path) -> None:
    ran = split(tmp_path, rich, how="ranges", ranges="2,3,2", joined=True)
    assert markers(ran) == [pages(2, 3, 2)]
    assert look.looks_like(rich, ran.path, 2, 3) > 0.999
    assert look.fields_of(ran.path) == {"field-2": "value-2", "field-3": "value-3"}
    with pikepdf.open(ran.path) as pdf:
        assert pdf.pages[0].obj.objgen != pdf.pages[2].obj.objgen


def test_layers_stay_hidden_and_only_the_pages_own_come_along(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 2)) as pdf:
        layers = [
            pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name=pikepdf.String(f"layer-{number}")))
            for number in (1, 2)
        ]
        for page, layer in zip(pdf.pages, layers, strict=True):
            page.obj.Resources.Properties = pikepdf.Dictionary(MC0=layer)
            page.obj.Contents = pdf.make_stream(b"/OC /MC0 BDC 0 0 300 300 re f EMC")
        shown = pikepdf.Dictionary(Order=pikepdf.Array(layers), OFF=pikepdf.Array(layers[1:]))
        pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=pikepdf.Array(layers), D=shown)
    first, second = (output.path for output in split(tmp_path, tmp_path / "a.pdf", how="single").outputs)
    assert look.ink(look.render(first)) > 0.1
    assert look.ink(look.render(second)) == 0
    assert b"layer-1" in look.all_bytes(first)
    assert b"layer-1" not in look.all_bytes(second)


def test_signatures_that_break_are_told_and_removed(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 2)) as pdf:
        make.field(pdf, 1, "seal", "x")
        seal = pdf.Root.AcroForm.Fields[0]
        seal.FT = pikepdf.Name.Sig
        seal.V = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Sig, Contents=pikepdf.String("signed-bytes")))
    ran = split(tmp_path, tmp_path / "a.pdf", how="single")
    assert ran.noted("signature_broken") == {"count": 1}
    assert b"signed-bytes" not in look.all_bytes(ran.outputs[0].path)


def test_a_field_on_two_pages_keeps_its_value_in_both_parts(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 2)) as pdf:
        make.field(pdf, 1, "name", "crane")
        make.field(pdf, 2, "name", "crane")
        kids = list(pdf.Root.AcroForm.Fields)
        parent = pdf.make_indirect(
            pikepdf.Dictionary(
                FT=pikepdf.Name.Tx, T=pikepdf.String("name"), V=pikepdf.String("crane"), Kids=pikepdf.Array(kids)
            )
        )
        for kid in kids:
            kid.Parent = parent
            for key in ("/T", "/V", "/FT"):
                del kid[key]
        pdf.Root.AcroForm.Fields = pikepdf.Array([parent])
    for output in split(tmp_path, tmp_path / "a.pdf", how="single").outputs:
        assert look.fields_of(output.path) == {"name": "crane"}
        assert look.widgets_of(output.path) == [(1, "name")]
