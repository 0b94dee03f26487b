"""Merge: what a user finds in the joined document, looked at page by page."""

import random
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from tests import look, make, make_broken, make_forms, make_shared
from tests.make_structure import attach, bookmarks, labels
from tests.running import Ran, run_tool


def merge(folder: Path, *files: Path, **options: object) -> Ran:
    ran = run_tool("merge", folder / "merged", list(files), **options)
    assert ran.problem is None, ran.problem
    return ran


@pytest.fixture(scope="session")
def rich(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("rich")
    return make.rich(folder / "合同.pdf", 5), make.rich(folder / "附件.pdf", 4)


@pytest.fixture(scope="session")
def joined(rich: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return merge(tmp_path_factory.mktemp("joined"), *rich)


def test_pages_follow_one_another(joined: Ran, rich: tuple[Path, Path]):
    assert look.texts_of(joined.path) == look.texts_of(rich[0]) + look.texts_of(rich[1])
    assert joined.outputs[0].pages == look.page_count(joined.path) == 9
    assert look.looks_like(rich[1], joined.path, 2, 7) > 0.999


def test_bookmarks_keep_their_levels_and_pages(joined: Ran, rich: tuple[Path, Path]):
    first, second = (look.outline_of(path) for path in rich)
    moved = [look.Entry(entry.title, entry.page + 5, entry.level) for entry in second]
    assert look.outline_of(joined.path) == first + moved


def test_links_of_the_second_file_stay_in_it(joined: Ran):
    inner = [(link.page, link.to) for link in look.links_of(joined.path) if link.uri is None]
    assert len(inner) == 18
    first = {1: 2, 2: 3, 3: 4, 4: 5, 5: 1}
    second = {6: 7, 7: 8, 8: 9, 9: 6}
    assert all(to == (first | second)[page] for page, to in inner)
    assert sum(link.uri is not None for link in look.links_of(joined.path)) == 9


def test_equal_destinations_are_told_apart(joined: Ran):
    found = look.destinations_of(joined.path)
    assert {found[f"place-{n}"] for n in range(1, 6)} == set(range(1, 6))
    assert [found[f"place-{n}_2"] for n in range(1, 5)] == [6, 7, 8, 9]


def test_the_receipt_counts(joined: Ran):
    assert joined.noted("links") == {"before": 27, "after": 27}
    assert joined.noted("bookmarks")["before"] == joined.noted("bookmarks")["after"] == 10
    assert joined.noted("fields_renamed") == {"count": 4}
    assert not [note for note in joined.notes if note.kind == "lost"]


def test_labels_attachments_notes_tags_and_title(joined: Ran):
    assert look.labels_of(joined.path) == ["i", "ii", "1", "2", "3", "i", "ii", "1", "2"]
    assert look.attachments_of(joined.path) == {"1.txt": b"attached text", "1 (2).txt": b"attached text"}
    assert [page for page, _ in look.notes_of(joined.path)] == list(range(1, 10))
    assert look.tagged_pages(joined.path) == list(range(1, 10))
    assert look.title_of(joined.path) == "报告 Report"


def test_tags_of_every_page_are_found_by_its_key(joined: Ran):
    with pikepdf.open(joined.path) as pdf:
        tree = pikepdf.NumberTree(pdf.Root.StructTreeRoot.ParentTree)
        for page in pdf.pages:
            assert tree[page.obj.StructParents][0].Pg.objgen == page.obj.objgen


def test_result_is_sound_and_small(joined: Ran, rich: tuple[Path, Path]):
    with pikepdf.open(joined.path) as pdf:
        assert pdf.check_pdf_syntax() == []
    assert joined.path.stat().st_size < sum(path.stat().st_size for path in rich)


def test_fields_keep_their_values_under_new_names(tmp_path: Path):
    one = make_forms.form(tmp_path / "1.pdf", ["a", "b"], value="one")
    two = make_forms.form(tmp_path / "2.pdf", ["b", "c"], value="two")
    ran = merge(
        tmp_path, one, two, make_forms.nested(tmp_path / "3.pdf", "3"), make_forms.nested(tmp_path / "4.pdf", "4")
    )
    assert look.fields_of(ran.path) == {
        "a": "one",
        "b": "one",
        "b_2": "two",
        "c": "two",
        "person.name": "3",
        "person.age": "3",
        "person_2.name": "4",
        "person_2.age": "4",
    }
    assert ran.noted("fields_renamed") == {"count": 3}
    assert (2, "b_2") in look.widgets_of(ran.path)


def test_scripts_and_calculation_order_follow_the_new_names(tmp_path: Path):
    files = [make_forms.form(tmp_path / f"{n}.pdf", ["price", "total"]) for n in (1, 2)]
    with pikepdf.open(merge(tmp_path, *files).path) as pdf:
        assert [str(field.T) for field in pdf.Root.AcroForm.CO] == ["total", "total_2"]
        script = str(pdf.Root.AcroForm.CO[1].AA.C.JS)
        assert 'getField("price_2")' in script
        assert '"priceer"' in script


def test_a_font_name_that_means_another_font_gets_another_name(tmp_path: Path):
    one = make_forms.form(tmp_path / "1.pdf", ["a"])
    two = make_forms.form(tmp_path / "2.pdf", ["b"], font=Name("/Times-Roman"))
    with pikepdf.open(merge(tmp_path, one, two).path) as pdf:
        form = pdf.Root.AcroForm
        fonts = {str(field.T): str(field.DA).split()[0] for field in form.Fields}
        assert form.DR.Font[fonts["a"]].BaseFont == "/Helvetica"
        assert form.DR.Font[fonts["b"]].BaseFont == "/Times-Roman"


def test_flatten_leaves_the_look_and_no_fields(tmp_path: Path):
    one = make_forms.form(tmp_path / "1.pdf", ["a"], value="seen")
    two = make_forms.chinese_field(tmp_path / "2.pdf", "张三 Zhang 龘")
    ran = merge(tmp_path, one, two, forms="flatten")
    assert look.fields_of(ran.path) == {} and look.widgets_of(ran.path) == []
    assert "seen" in look.text_of(ran.path, 1)
    assert "张三 Zhang 龘" in look.text_of(ran.path, 2)
    assert ran.noted("fields_flattened") == {"count": 2}


def test_flatten_keeps_links_and_notes(tmp_path: Path, rich: tuple[Path, Path]):
    ran = merge(tmp_path, *rich, forms="flatten")
    assert len(look.links_of(ran.path)) == 27
    assert len(look.notes_of(ran.path)) == 9


def test_drop_removes_the_values(tmp_path: Path):
    one = make_forms.form(tmp_path / "1.pdf", ["a"], value="secretvalue")
    ran = merge(tmp_path, one, make.text(tmp_path / "2.pdf", 1), forms="drop")
    assert b"secretvalue" not in look.all_bytes(ran.path)
    assert ran.noted("fields_dropped") == {"count": 1}


@pytest.mark.parametrize("style", ["drop", "flatten"])
def test_tags_do_not_carry_dropped_fields_over(tmp_path: Path, style: str):
    with make.edit(make.rich(tmp_path / "1.pdf", 4)) as pdf:
        paragraph = pdf.Root.StructTreeRoot.K[0].K[0]
        widget = next(each for each in pdf.pages[0].obj.Annots if each.Subtype == "/Widget")
        paragraph.K = Array([0, Dictionary(Type=Name.OBJR, Obj=widget)])
    with pikepdf.open(merge(tmp_path, tmp_path / "1.pdf", forms=style).path) as pdf:
        assert "/Fields" not in pdf.Root.get("/AcroForm", {})
        assert not [each for each in pdf.objects if isinstance(each, Dictionary) and "/V" in each]
        assert pdf.Root.StructTreeRoot.K[0].K[0].K[0] == 0


def test_a_broken_signature_is_told_and_gone(tmp_path: Path):
    ran = merge(tmp_path, make_forms.signed(tmp_path / "1.pdf"), make.text(tmp_path / "2.pdf", 1))
    assert ran.noted("signature_broken") == {"count": 1}
    assert b"signed-marker" not in look.all_bytes(ran.path)


def test_hidden_layers_stay_hidden(tmp_path: Path):
    files = [make_forms.layers(tmp_path / f"{n}.pdf", f"hidden {n}", f"shown {n}") for n in (1, 2)]
    path = merge(tmp_path, *files).path
    for page in (1, 2):
        assert look.looks_like(files[page - 1], path, 1, page) > 0.999
        assert look.render(path, page).getpixel((300, 400)) == (255, 255, 255)
    with pikepdf.open(path) as pdf:
        assert [str(group.Name) for group in pdf.Root.OCProperties.D.OFF] == ["hidden 1", "hidden 2"]
        assert len(pdf.Root.OCProperties.OCGs) == len(pdf.Root.OCProperties.D.Order) == 4


def test_destinations_by_name_object_and_by_action(tmp_path: Path):
    old = [make_forms.old_destinations(tmp_path / f"o{n}.pdf", "mark", n) for n in (2, 3)]
    new = [make_forms.goto_links(tmp_path / f"n{n}.pdf", "spot", n) for n in (2, 3)]
    path = merge(tmp_path, *old, *new).path
    here = [(link.page, link.to) for link in look.links_of(path)]
    assert here == [(1, 2), (4, 6), (7, 8), (7, None), (10, 12), (10, None)]
    assert [entry.page for entry in look.outline_of(path)] == [2, 6]
    with pikepdf.open(path) as pdf:
        assert str(pdf.pages[9].obj.AA.O.D) == "spot_2"
        remote = [each.A for each in pdf.pages[9].obj.Annots if each.A.S == "/GoToR"]
        assert str(remote[0].D) == "spot", "a name in another file is not ours to change"


def test_text_that_looks_like_a_reference_is_left_alone(tmp_path: Path):
    words = "see 1 0 R (2 0 R) \\ 3 0 R ) ( 4 0 R"
    files = []
    for name in ("1", "2"):
        with make.edit(make.text(tmp_path / f"{name}.pdf", 1)) as pdf:
            bookmarks(pdf, [(words, 1, 0)])
        files.append(tmp_path / f"{name}.pdf")
    assert [entry.title for entry in look.outline_of(merge(tmp_path, *files).path)] == [words, words]


@pytest.mark.parametrize("outline", ["files", "both", "none"])
def test_outline_styles(tmp_path: Path, rich: tuple[Path, Path], outline: str):
    entries = look.outline_of(merge(tmp_path, *rich, outline=outline).path)
    top = [(entry.title, entry.page) for entry in entries if entry.level == 0]
    assert top == ([] if outline == "none" else [("合同", 1), ("附件", 6)])
    below = [entry.page for entry in entries if entry.level == 1]
    assert below == ([1, 3, 5, 6, 8] if outline == "both" else [])


def test_ranges_take_their_pages_and_nothing_else(tmp_path: Path, rich: tuple[Path, Path]):
    path = merge(tmp_path, *rich, ranges=["2-3", "4,1"]).path
    expected = [look.text_of(rich[file], page) for file, page in ((0, 2), (0, 3), (1, 4), (1, 1))]
    assert look.texts_of(path) == expected
    assert {(link.page, link.to) for link in look.links_of(path) if link.uri is None} == {(1, 2), (3, 4)}
    assert [(entry.title, entry.page) for entry in look.outline_of(path)] == [
        ("Chapter 1", None),
        ("Section 1", 1),
        ("Chapter 2", 2),
        ("Chapter 1", 4),
        ("Chapter 2", None),
        ("Section 2", 3),
    ]
    assert look.fields_of(path).keys() == {"field-2", "field-3", "field-1", "field-4"}
    assert look.labels_of(path) == ["ii", "1", "2", "i"]


def test_pages_left_out_leave_no_trace(tmp_path: Path, rich: tuple[Path, Path]):
    ran = merge(tmp_path, make_shared.shared(tmp_path / "shared.pdf"), rich[0], ranges=["1", "2"])
    held = look.all_bytes(ran.path)
    assert make.marker(2).encode() in held
    for gone in ("value-3", "note-4", "alternative text 5", "place-4", make.marker(3), "Section 2"):
        assert gone.encode() not in held, gone
    assert len(look.images_of(ran.path)) == 2 < len(look.images_of(tmp_path / "shared.pdf"))
    assert look.tagged_pages(ran.path) == [2]
    assert b"alternative text 2" in held
    assert ran.noted("tags") == {}


def test_a_page_may_come_twice(tmp_path: Path, rich: tuple[Path, Path]):
    path = merge(tmp_path, rich[0], ranges=["1,1,2"]).path
    texts = look.texts_of(path)
    assert texts[0] == texts[1] != texts[2]
    assert sorted(look.widgets_of(path)) == [(1, "field-1"), (3, "field-2")]
    assert [(link.page, link.to) for link in look.links_of(path) if link.uri is None][:4] == [
        (1, 3),
        (1, 3),
        (2, 3),
        (2, 3),
    ]
    with pikepdf.open(path) as pdf:
        assert len({page.obj.objgen for page in pdf.pages}) == 3


def test_ranges_out_of_the_document_are_refused(tmp_path: Path, rich: tuple[Path, Path]):
    ran = run_tool("merge", tmp_path, list(rich), ranges=["", "3-9"])
    assert ran.problem and ran.problem.reason == "page_range_invalid"
    assert ran.problem.facts == {"text": "3-9", "pages": 4, "file": "附件.pdf", "index": 1}
    many = run_tool("merge", tmp_path, list(rich), ranges=["", "", "1"])
    assert many.problem and many.problem.reason == "option_invalid"


def test_a_range_cannot_multiply_pages_without_end(tmp_path: Path):
    ran = run_tool("merge", tmp_path, [make.text(tmp_path / "合同.pdf", 100)], ranges=[",".join(["all"] * 240)])
    assert ran.problem and ran.problem.reason == "too_many_pages"
    assert ran.problem.facts["file"] == "合同.pdf"


def test_passwords_are_for_their_file(tmp_path: Path, rich: tuple[Path, Path]):
    locked = make_broken.encrypted(tmp_path / "locked.pdf", rich[1], user="机密1")
    missing = run_tool("merge", tmp_path / "m", [rich[0], locked])
    assert missing.problem and missing.problem.reason == "password_required"
    assert missing.problem.facts["file"] == "locked.pdf"
    wrong = run_tool("merge", tmp_path / "w", [rich[0], locked], passwords={1: "no"})
    assert wrong.problem and wrong.problem.reason == "password_wrong"
    ran = run_tool("merge", tmp_path / "r", [rich[0], locked], passwords={1: "机密1"})
    assert look.texts_of(ran.path) == look.texts_of(rich[0]) + look.texts_of(rich[1])
    assert look.fields_of(ran.path)["field-1_2"] == "value-1"
    assert look.attachments_of(ran.path)["1 (2).txt"] == b"attached text"
    assert ran.noted("password_removed") == {}


def test_damaged_files_are_repaired_or_named(tmp_path: Path, rich: tuple[Path, Path]):
    ran = merge(tmp_path, rich[0], make_broken.damaged(tmp_path / "hurt.pdf", rich[1]))
    assert look.page_count(ran.path) == 9
    assert ran.noted("repaired") is not None
    none = run_tool("merge", tmp_path / "n", [rich[0], make_broken.empty(tmp_path / "none.pdf")])
    assert none.problem and none.problem.reason == "empty_file" and none.problem.facts["file"] == "none.pdf"


def test_loops_end(tmp_path: Path):
    ran = merge(
        tmp_path, make_forms.outline_loop(tmp_path / "loop.pdf"), make.text(tmp_path / "t.pdf", 1), outline="both"
    )
    assert [entry.title for entry in look.outline_of(ran.path)] == ["loop", "one", "two", "t"]
    looped = run_tool("merge", tmp_path / "l", [make_broken.page_tree_loop(tmp_path / "tree.pdf")])
    assert looped.problem is None or looped.problem.reason == "damaged_file"


def test_blank_page_after_odd_documents(tmp_path: Path):
    files = [make.text(tmp_path / f"{n}.pdf", n) for n in (1, 2, 3)]
    path = merge(tmp_path, *files, blank_after_odd=True).path
    blanks = [number for number, text in enumerate(look.texts_of(path), 1) if not text.strip()]
    assert look.page_count(path) == 7 and blanks == [2]
    assert look.render(path, 2).size == look.render(path, 1).size


def test_same_width_takes_links_and_fields_along(tmp_path: Path):
    one, two = make.rich(tmp_path / "1.pdf", 4), make.rich(tmp_path / "2.pdf", 4)
    with make.edit(two) as pdf:
        for page in pdf.pages:
            page.mediabox = Array([0, 0, page.mediabox[2] * 2, page.mediabox[3] * 2])
    path = merge(tmp_path, one, two, same_width="first").path
    assert {look.render(path, page).width for page in range(1, 9)} == {look.render(one, 1).width}
    small = look.render(two, 1, 36)
    assert look.looks_like(small, look.render(path, 5, 72).resize(small.size)) > 0.97
    with pikepdf.open(path) as pdf, pikepdf.open(two) as source:
        boxes = [[float(value) for value in each.Rect] for each in pdf.pages[4].obj.Annots]
        before = [[float(value) / 2 for value in each.Rect] for each in source.pages[0].obj.Annots]
        assert boxes == [pytest.approx(box, abs=0.01) for box in before]
        target = pikepdf.NameTree(pdf.Root.Names.Dests)["place-2_2"]
        assert float(target.D[3]) == pytest.approx(400, abs=0.1)


def test_same_width_for_turned_pages(tmp_path: Path):
    path = merge(tmp_path, make.geometry(tmp_path / "g.pdf"), same_width="a4").path
    widths = {look.render(path, page).width for page in range(1, look.page_count(path) + 1)}
    assert widths <= {595, 596}


def test_contents_page_leads_to_every_file(tmp_path: Path):
    names = ["合同①", "a name so long that it cannot stand on one line of a contents page, whatever the font " * 2, "b"]
    files = [make.text(tmp_path / f"{name[:90]}.pdf", 2) for name in names]
    path = merge(tmp_path, *files, contents=True, outline="files").path
    assert [(link.page, link.to) for link in look.links_of(path)] == [(1, 2), (1, 4), (1, 6)]
    first = look.text_of(path, 1)
    assert first.splitlines()[0] == "目录"
    assert "合同①" in first and "…" in first
    assert [line.split()[-1] for line in first.splitlines()[1:] if line.strip()] == ["2", "4", "6"]
    assert look.outline_of(path)[0] == look.Entry("目录", 1, 0)


def test_long_contents_run_over_pages(tmp_path: Path):
    only = make.text(tmp_path / "only.pdf", 1)
    path = merge(tmp_path, *[only] * 70, contents=True).path
    count = look.page_count(path) - 70
    assert count == 3
    assert [link.to for link in look.links_of(path)] == list(range(4, 74))


def test_names_sort_as_people_count(tmp_path: Path):
    files = [make.text(tmp_path / f"第{n}章.pdf", 1) for n in (10, 2, 1)]
    ran = merge(tmp_path, *files, order="name", outline="files", ranges=["1", "", ""])
    assert [entry.title for entry in look.outline_of(ran.path)] == ["第1章", "第2章", "第10章"]


def test_equal_pictures_are_written_once(tmp_path: Path):
    data = random.Random(1).randbytes(200_000)

    def draw(pdf: pikepdf.Pdf, page: pikepdf.Object) -> None:
        page.Resources.XObject = Dictionary(Im=make_forms.picture_of(pdf, data))

    files = [make_forms.page_streams(tmp_path / f"{n}.pdf", draw) for n in range(4)]
    path = merge(tmp_path, *files).path
    assert path.stat().st_size < 300_000
    assert len(look.images_of(path)) == 1


def test_first_metadata_wins_and_labels_begin_where_files_do(tmp_path: Path):
    plain = make.text(tmp_path / "plain.pdf", 2)
    with make.edit(make.text(tmp_path / "labelled.pdf", 2)) as pdf:
        labels(pdf, {1: "A"})
        attach(pdf, "x.txt", b"x")
    assert look.labels_of(merge(tmp_path, plain, tmp_path / "labelled.pdf").path) == ["1", "2", "A", "B"]


def test_numbers_and_odd_objects_survive(tmp_path: Path):
    def draw(pdf: pikepdf.Pdf, page: pikepdf.Object) -> None:
        page.PieceInfo = Dictionary(
            App=Dictionary(
                Private=Array([pdf.make_indirect(7), 0.5, True, None, String(b"\xff\x00\x80"), Name("/A B#(")])
            )
        )

    path = merge(tmp_path, make_forms.page_streams(tmp_path / "1.pdf", draw), make.text(tmp_path / "2.pdf", 1)).path
    with pikepdf.open(path) as pdf:
        held = pdf.pages[1].obj.PieceInfo.App.Private
        assert [held[0], float(held[1]), held[2], held[3]] == [7, 0.5, True, None]
        assert bytes(held[4]) == b"\xff\x00\x80" and held[5] == "/A B#("
