"""Merge loses nothing, and embeds nothing that is not what it says."""

import io
import zlib
from pathlib import Path

import numpy
import pikepdf
import pytest
from PIL import Image

from cluster.engines.pages.pictures import count_frames
from cluster.kinds import TIFF
from cluster.problem import LimitProblem
from cluster.tool import Source
from tests import look, make, make_forms, make_traps
from tests.running import Ran, run_tool


def merge(folder: Path, *files: Path, **options: object) -> Ran:
    return run_tool("merge", folder / "merged", list(files), **options)


def test_titles_of_pages_left_out_stay_behind(tmp_path: Path) -> None:
    ran = merge(tmp_path, make_traps.titled_tags(tmp_path / "a.pdf"), ranges=["1"])
    held = look.all_bytes(ran.path)
    assert b"title of page 1" in held
    for words in (b"title of page 2", b"section of page 2", b"document of page 2", b"summary of page 2"):
        assert words not in held
    assert look.tagged_pages(ran.path) == [1]


def test_addresses_count_from_the_base_of_their_own_document(tmp_path: Path) -> None:
    one = make_traps.based(tmp_path / "one.pdf", "http://one.test/docs/", "a.html")
    two = make_traps.based(tmp_path / "two.pdf", "http://two.test/", "http://full.test/b.html")
    ran = merge(tmp_path, one, two)
    assert [link.uri for link in look.links_of(ran.path)] == ["a.html", "http://full.test/b.html"]
    with pikepdf.open(ran.path) as pdf:
        assert pdf.Root.URI.Base == "http://one.test/docs/"
    turned = merge(tmp_path, two, one)
    assert [link.uri for link in look.links_of(turned.path)] == [
        "http://full.test/b.html",
        "http://one.test/docs/a.html",
    ]
    with pikepdf.open(turned.path) as pdf:
        assert pdf.Root.URI.Base == "http://two.test/"
        assert pdf.Root.Outlines.Last.A.URI == "http://one.test/docs/a.html"


def test_the_newest_revision_is_joined_though_its_end_is_bad(tmp_path: Path) -> None:
    bad = b"startxref\nlost\n%%EOF\n"
    source = make_traps.revised(tmp_path / "a.pdf", make.text(tmp_path / "old.pdf", 1), "marker-newest", bad)
    assert "marker-newest" in look.text_of(merge(tmp_path, source).path)


def tiff(path: Path, frames: int) -> Path:
    """A TIFF of so many frames of one white pixel each, all with the same data."""
    entries = [(256, 3, 1), (257, 3, 1), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8), (277, 3, 1)]
    entries += [(278, 3, 1), (279, 4, 1)]
    long = 2 + 12 * len(entries) + 4
    made = bytearray(b"II*\x00" + (10).to_bytes(4, "little") + b"\xff\x00")
    for frame in range(frames):
        made += len(entries).to_bytes(2, "little")
        for tag, kind, value in entries:
            made += tag.to_bytes(2, "little") + kind.to_bytes(2, "little")
            made += (1).to_bytes(4, "little") + value.to_bytes(4, "little")
        following = 10 + (frame + 1) * long if frame + 1 < frames else 0
        made += following.to_bytes(4, "little")
    path.write_bytes(made)
    return path


def test_every_frame_of_a_long_tiff_is_a_page(tmp_path: Path) -> None:
    assert look.page_count(merge(tmp_path, tiff(tmp_path / "scan.tiff", 2_003)).path) == 2_003


def test_a_tiff_of_too_many_frames_is_refused(tmp_path: Path) -> None:
    source = tiff(tmp_path / "endless.tiff", 60)
    staged = Source(path=source, name=source.name, kind=TIFF, size=source.stat().st_size)
    assert count_frames(staged, 60) == 60
    with pytest.raises(LimitProblem) as refused:
        count_frames(staged, 59)
    assert refused.value.reason == "too_many_pages"


def jpeg(width: int, height: int) -> bytes:
    """A JPEG of 64 by 64 that says it is of another size."""
    held = io.BytesIO()
    Image.effect_noise((64, 64), 80).save(held, "JPEG")
    data = held.getvalue()
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + data[at + 4 :]


def test_a_jpeg_without_a_readable_header_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0" + b"\x00" * 400)
    ran = merge(tmp_path, tmp_path / "a.jpg")
    assert ran.problem and ran.problem.reason == "damaged_file"


def test_a_jpeg_that_cannot_hold_its_pixels_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg(65_500, 65_500))
    ran = merge(tmp_path, tmp_path / "a.jpg")
    assert ran.problem and ran.problem.reason == "damaged_file"


def test_a_white_jpeg_is_small_and_sound(tmp_path: Path) -> None:
    """The bound must not refuse a picture of which there is little to tell."""
    for name, options in {"plain": {}, "packed": {"optimize": True}, "progressive": {"progressive": True}}.items():
        Image.new("L", (4_000, 4_000), 255).save(tmp_path / f"{name}.jpg", "JPEG", quality=10, **options)
        assert look.page_count(merge(tmp_path / name, tmp_path / f"{name}.jpg").path) == 1


def test_a_png_that_cannot_hold_its_pixels_is_damaged(tmp_path: Path) -> None:
    held = io.BytesIO()
    Image.new("L", (64, 64)).save(held, "PNG")
    data = held.getvalue()
    head = b"IHDR" + (9_000).to_bytes(4, "big") * 2 + data[24:29]
    (tmp_path / "a.png").write_bytes(data[:12] + head + zlib.crc32(head).to_bytes(4, "big") + data[33:])
    ran = merge(tmp_path, tmp_path / "a.png")
    assert ran.problem and ran.problem.reason == "damaged_file"


def test_marks_of_a_page_range_keep_their_base(tmp_path: Path) -> None:
    source = make_traps.based(tmp_path / "one.pdf", "http://one.test/", "a.html")
    ran = merge(tmp_path, make.text(tmp_path / "b.pdf", 1), source, ranges=["", "1"])
    assert [link.uri for link in look.links_of(ran.path)] == ["http://one.test/a.html"]


def test_fields_that_readers_draw_get_looks_and_leave_others_theirs(tmp_path: Path) -> None:
    """/NeedAppearances of one document would make readers draw the fields of all."""
    own = make_forms.form(tmp_path / "own.pdf", ["own"], value="own look")
    asked = make_forms.form(tmp_path / "asked.pdf", ["asked"], value="问 asked")
    with make.edit(own) as pdf:
        pdf.generate_appearance_streams()
        pdf.Root.AcroForm.Fields[0].AP.N.write(b"0 0 1 rg 0 0 20 20 re f")
        if "/NeedAppearances" in pdf.Root.AcroForm:
            del pdf.Root.AcroForm.NeedAppearances
    with make.edit(asked) as pdf:
        pdf.Root.AcroForm.NeedAppearances = True
        if "/AP" in pdf.Root.AcroForm.Fields[0]:
            del pdf.Root.AcroForm.Fields[0].AP
    for number, files in enumerate([(own, asked), (asked, own)]):
        path = merge(tmp_path / str(number), *files).path
        assert look.fields_of(path) == {"own": "own look", "asked": "问 asked"}
        with pikepdf.open(path) as pdf:
            assert pdf.Root.AcroForm.get("/NeedAppearances", False) is False
            fields = {str(field.T): field for field in pdf.Root.AcroForm.Fields}
            assert fields["own"].AP.N.read_bytes() == b"0 0 1 rg 0 0 20 20 re f"
            assert b"Tj" in fields["asked"].AP.N.read_bytes()
    # Alone, the document stays as it was.
    with pikepdf.open(merge(tmp_path / "alone", asked).path) as pdf:
        assert pdf.Root.AcroForm.NeedAppearances is True


def test_fields_that_readers_draw_look_as_one_of_them_draws_them(tmp_path: Path) -> None:
    """Frames, colours and alignment; what is not Latin is drawn by us, in the same frame and place."""
    source = make_forms.asking(tmp_path / "a.pdf", "left", "middle", "right")
    with make.edit(source) as pdf:
        pdf.Root.AcroForm.Fields[2].DA = pikepdf.String("/Helv 0 Tf 0 0 1 rg")
    merged = merge(tmp_path, source, make.text(tmp_path / "b.pdf", 1)).path
    assert look.looks_like(source, merged, 1) > 0.9999
    with pikepdf.open(merged) as pdf:
        fonts = pdf.Root.AcroForm.DR.Font
        assert all(each.AP.N.Resources.Font.Helv.objgen == fonts.Helv.objgen for each in pdf.Root.AcroForm.Fields)


def test_a_value_that_is_not_latin_stands_in_its_frame(tmp_path: Path) -> None:
    source = make_forms.asking(tmp_path / "a.pdf", "姓名", "姓名", "姓名")
    merged = merge(tmp_path, source, make.text(tmp_path / "b.pdf", 1)).path
    drawn = numpy.asarray(look.render(merged)).astype(int)
    blue = numpy.argwhere((drawn[..., 2] - drawn[..., 0]) > 60)
    middles = [blue[(blue[:, 0] // 30) == row][:, 1].mean() for row in sorted(set(blue[:, 0] // 30))]
    assert len(middles) == 3, middles
    assert [round(each, -1) for each in sorted(middles)] == [310, 400, 490]
    red = (drawn[..., 0] > 200) & (drawn[..., 1] < 80)
    assert red.sum() > 3 * 2 * 200


def test_a_value_that_is_not_latin_is_turned_with_its_field(tmp_path: Path) -> None:
    source = make_forms.asking(tmp_path / "a.pdf", "一二三四", "一二三四", "一二三四")
    with make.edit(source) as pdf:
        for index, turn in enumerate((90, 180, 270)):
            field, left = pdf.Root.AcroForm.Fields[index], 100 + 150 * index
            field.MK.R, field.Q = turn, 0
            field.Rect = pikepdf.Array([left, 300, left + 120, 320] if turn == 180 else [left, 300, left + 20, 420])
    merged = merge(tmp_path, source, make.text(tmp_path / "b.pdf", 1)).path
    drawn = numpy.asarray(look.render(merged)).astype(int)
    blue = numpy.argwhere((drawn[..., 2] - drawn[..., 0]) > 60) - (842 - 420, 100)
    starts = [blue[(blue[:, 1] >= 150 * index) & (blue[:, 1] < 150 * index + 125)] for index in range(3)]
    (up, around, down) = ([*each.min(0), *each.max(0)] for each in starts)
    # Text of 44 points begins 2 from the edge: below, at the right, above.
    assert up == pytest.approx([74, 5, 118, 15], abs=4)
    assert around == pytest.approx([105, 224, 115, 268], abs=4)
    assert down == pytest.approx([2, 305, 46, 315], abs=4)


def test_fields_without_a_place_on_any_page_stay(tmp_path: Path) -> None:
    with make.edit(make_forms.form(tmp_path / "a.pdf", ["shown"], value="x")) as pdf:
        hidden = pikepdf.Dictionary(FT=pikepdf.Name.Tx, T=pikepdf.String("hidden"), V=pikepdf.String("kept"))
        pdf.Root.AcroForm.Fields.append(pdf.make_indirect(hidden))
    ran = merge(tmp_path, tmp_path / "a.pdf", make.text(tmp_path / "b.pdf", 1))
    assert look.fields_of(ran.path) == {"shown": "x", "hidden": "kept"}
    assert ran.noted("fields") == {"before": 2, "after": 2}


def test_a_document_that_turns_out_irregular_on_the_way_is_read_again(tmp_path: Path) -> None:
    """Its third page is not where the table says: by then two pages stand in the result."""
    source = make.text(tmp_path / "late.pdf", 4)
    with pikepdf.open(source) as pdf:
        number = pdf.pages[2].obj.objgen[0]
    data = source.read_bytes()
    assert data.count(b"\n%d 0 obj" % number) == 1
    source.write_bytes(data.replace(b"\n%d 0 obj" % number, b"\n%d 1 obj" % number))
    first = make.rich(tmp_path / "first.pdf", 4)
    ran = merge(tmp_path, first, source, first)
    assert [text[text.index("marker-") :][:13] for text in look.texts_of(ran.path)][:6] == [
        make.marker(page) for page in (1, 2, 3, 4, 1, 2)
    ]
    assert ran.noted("bookmarks") == {"before": 8, "after": 8}
    assert len([note for note in ran.notes if note.what == "pages_joined"]) == 1
    assert len(ran.outputs) == 1
