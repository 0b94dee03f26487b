"""Segmentation: every part a page with what lies on it, and nothing of the other parts."""

from collections.abc import Callable
from pathlib import Path

import numpy
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from cluster.pages import format_pages
from tests import look, make, make_broken
from tests.make_slices import COLOURS, HALVES, halves, scanned, spread
from tests.running import Ran, run_tool


def cut(folder: Path, file: Path, **options: object) -> Ran:
    ran = run_tool("segmentation", folder / "ran", [file], **options)
    assert ran.problem is None, ran.problem
    return ran


def parted(path: Path, folder: Path) -> list[Path]:
    """Each page of a result as a document of its own, with what it refers to."""
    made = []
    with pikepdf.open(path) as pdf:
        for index, page in enumerate(pdf.pages):
            made.append(folder / f"part-{index}.pdf")
            with pikepdf.new() as one:
                one.pages.append(page)
                one.save(made[-1])
    return made


@pytest.mark.parametrize("turn", [0, 90])
def test_nothing_of_the_other_half_is_in_a_part(tmp_path: Path, turn: int) -> None:
    ran = cut(tmp_path, halves(tmp_path / "a.pdf", turn=turn), columns=1 if turn else 2, rows=2 if turn else 1)
    assert ran.outputs[0].pages == 2
    assert ran.noted("pages_cut") == {"count": 1, "parts": 2}
    for half, other, part in zip(HALVES, HALVES[::-1], parted(ran.path, tmp_path), strict=True):
        held = look.all_bytes(part)
        for kind in ("shown", "hidden", "row", "form", "spoken", "note", "value"):
            assert f"{kind}-{half}".encode() in held, kind
            assert f"{kind}-{other}".encode() not in held, kind
        assert b"spoken-across" not in held and b"canary-thumb" not in held
        assert {f"spoken-{half}", f"row-{half}", f"form-{half}"} <= set(look.text_of(part).split())


def test_pictures_lose_the_pixels_of_the_other_half(tmp_path: Path) -> None:
    file = halves(tmp_path / "a.pdf")
    ran = cut(tmp_path, file)
    with pikepdf.open(ran.path) as pdf:
        for half, other, page in zip(HALVES, HALVES[::-1], pdf.pages, strict=True):
            held = [image for key, image in page.Resources.XObject.items() if image.Subtype == "/Image"]
            assert len(held) == 8
            for image in held:
                seen = pikepdf.PdfImage(image)
                assert seen.width == 48 or "/SMask" in image, seen
                if seen.mode not in ("RGB", "P") or "/SMask" in image:
                    continue
                pixels = numpy.asarray(seen.as_pil_image().convert("RGB")).astype(int)
                mine = numpy.abs(pixels - COLOURS[half]).sum(axis=2)
                theirs = numpy.abs(pixels - COLOURS[other]).sum(axis=2)
                # The mirrored ones show the other colour on this side, but never both.
                assert (mine < theirs).all() or (theirs < mine).all()
            codecs = sorted(str(image.Filter) for image in held)
            assert codecs.count("/DCTDecode") == 2 and "/JPXDecode" in codecs and "/CCITTFaxDecode" in codecs
    whole = look.render(file, 1, 200)
    for number, left in ((1, 0), (2, whole.width // 2)):
        part = look.render(ran.path, number, 200)
        assert look.ssim(part, whole.crop((left, 0, left + part.width, part.height))) > 0.99


def test_what_lies_on_a_part_stays_on_it(tmp_path: Path) -> None:
    ran = cut(tmp_path, halves(tmp_path / "a.pdf"))
    assert [(entry.title, entry.page) for entry in look.outline_of(ran.path)] == [("left", 1), ("right", 2)]
    assert [(link.page, link.to) for link in look.links_of(ran.path)] == [(1, 2), (2, 1)]
    assert look.destinations_of(ran.path) == {"left": 1, "right": 2}
    assert look.widgets_of(ran.path) == [(1, "field-left"), (2, "field-right")]
    assert look.fields_of(ran.path) == {"field-left": "value-left", "field-right": "value-right"}
    assert [(page, text) for page, text in look.notes_of(ran.path) if text] == [(1, "note-left"), (2, "note-right")]
    with pikepdf.open(ran.path) as pdf:
        for page in pdf.pages:
            assert all(note.P.objgen == page.obj.objgen for note in page.Annots if "/P" in note)
            assert [note.Parent.Contents for note in page.Annots if note.Subtype == "/Popup"]


def test_parts_show_what_the_page_showed_there(tmp_path: Path) -> None:
    """At every turn, box and unit."""
    file = make.geometry(tmp_path / "g.pdf")
    ran = cut(tmp_path, file, columns=2, rows=2, column_cuts=[0.3], row_cuts=[0.4])
    assert ran.outputs[0].pages == 80
    for page in range(1, 21):
        whole = look.render(file, page, 100)
        x, y = whole.width * 0.3, whole.height * 0.4
        for index, (left, top) in enumerate(((0, 0), (x, 0), (0, y), (x, y))):
            part = look.render(ran.path, 4 * page - 3 + index, 100)
            there = whole.crop((round(left), round(top), round(left) + part.width, round(top) + part.height))
            assert abs(part.width - (x if left == 0 else whole.width - x)) <= 1.5, page
            assert look.ink(part) == pytest.approx(look.ink(there), abs=0.02), (page, index)
            assert look.ssim(part, there) > 0.8, (page, index)


QUARTERS = ((60, 150), (220, 150), (60, 50), (220, 50))
ORDERS = {"ltr": "1234", "rtl": "2143", "down": "1324", "down_rtl": "2413"}


@pytest.mark.parametrize("order", ORDERS)
def test_reading_order_covers_pages_and_overlap(tmp_path: Path, order: str) -> None:
    file = make.blank(tmp_path / "a.pdf", 4, size=(300, 200))
    with make.edit(file) as pdf:
        font = make.helvetica(pdf)
        for page in pdf.pages:
            page.obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
            drawn = [f"BT /F1 20 Tf {x} {y} Td ({number}) Tj ET" for number, (x, y) in enumerate(QUARTERS, 1)]
            page.obj.Contents = pdf.make_stream(" ".join(drawn).encode())
        pdf.pages[2].obj.MediaBox = pikepdf.Array([0, 0, 300, 400])
    own = [{"page": 2, "columns": [0.5], "rows": []}]
    ran = cut(tmp_path, file, rows=2, order=order, keep="first", only="landscape", overlap=5, by_page=own)
    texts = ["".join(text.split()) for text in look.texts_of(ran.path)]
    sides = ["13", "24"] if order in ("ltr", "down") else ["24", "13"]
    assert texts == ["1234", *sides, "1234", *ORDERS[order]]
    with pypdfium2.PdfDocument(ran.path) as document:
        width, height = document[4].get_size()
    assert (width, height) == pytest.approx((150 + 5 * 72 / 25.4, 100 + 5 * 72 / 25.4), abs=0.1)


def test_a_letter_on_the_line_stays_on_both_sides(tmp_path: Path) -> None:
    file = halves(tmp_path / "a.pdf")
    ran = cut(tmp_path, file, column_cuts=[0.065])
    left, right = look.texts_of(ran.path)
    assert b"shown-left" not in look.all_bytes(ran.path)
    # The h stands over the line, and pdfium reads it on both pages.
    assert "hi" in left.split() and "hidden-left" not in left and "hidden-right" in right


BINDINGS = [
    (0.5, {}),
    (0.463, {}),
    (0.54, {"shadow": 18, "grain": 12}),
    (0.47, {"shadow": 0}),
    (0.52, {"shadow": 90, "tilt": 0.4}),
    (0.5, {"shadow": 0, "grain": 14, "tilt": 0.3}),
    (0.48, {"shadow": 30, "ruled": True}),
    (0.48, {"shadow": 0, "ruled": True}),
]


def test_the_gutter_is_found(tmp_path: Path) -> None:
    """Within 1 % of the width: by the shadow of the binding, or by the white between two pages."""
    images = [spread(binding, **how) for binding, how in BINDINGS]  # type: ignore[arg-type]
    images.append(Image.effect_noise((1400, 1000), 90))  # pictures all over: nothing to find
    images.append(spread(0.5).crop((0, 0, 600, 1000)))  # one page alone: it stands
    file = scanned(tmp_path / "book.pdf", images)
    ran = cut(tmp_path, file, way="gutter")
    with pypdfium2.PdfDocument(file) as before, pypdfium2.PdfDocument(ran.path) as after:
        assert len(after) == 2 * len(images) - 1
        for page, (binding, how) in enumerate(BINDINGS):
            found = after[2 * page].get_width() / before[page].get_width()
            assert found == pytest.approx(binding, abs=0.01), how
        assert after[16].get_width() == pytest.approx(before[8].get_width() / 2, abs=1)
        assert after[18].get_size() == before[9].get_size()
    assert ran.noted("gutter_missed") == {"count": 1, "detail": "9"}
    white = [page for page, (_, how) in enumerate(BINDINGS, 1) if how.get("shadow") == 0]
    assert ran.noted("gutter_white") == {"count": len(white), "detail": format_pages(white)}
    assert ran.path.stat().st_size < 1.15 * file.stat().st_size


def test_content_that_no_reader_decodes_draws_nothing(tmp_path: Path) -> None:
    """A predictor of half a thousand million colours: MuPDF refuses the stream with an error of its own."""
    file = make.rich(tmp_path / "a.pdf", 2)
    with make.edit(file) as pdf:
        parms = pikepdf.Dictionary(Predictor=10, Colors=536870913, Columns=1)
        broken = pdf.make_stream(b"x", Filter=pikepdf.Name.FlateDecode, DecodeParms=parms)
        pdf.pages[0].Contents = broken
        pdf.pages[1].Contents = pikepdf.Array([pdf.pages[1].Contents, broken])
    texts = look.texts_of(cut(tmp_path, file).path)
    assert len(texts) == 4 and not texts[0] + texts[1] and texts[2]


def test_content_whose_packing_breaks_is_cut_as_far_as_readers_show_it(tmp_path: Path) -> None:
    file = make_broken.broken_packing(tmp_path / "a.pdf", make.text(tmp_path / "t.pdf", 2))
    shown = look.texts_of(file)[0]
    assert "1" in shown and "".join(look.texts_of(cut(tmp_path, file, column_cuts=[0.995]).path)[0].split()) == "".join(
        shown.split()
    )


@pytest.mark.parametrize("draw", [make_broken.numbered_far, make_broken.catalogue_of_others])
def test_a_document_that_only_we_read_is_rewritten_for_the_others(tmp_path: Path, draw: Callable[[Path], Path]) -> None:
    ran = cut(tmp_path, draw(tmp_path / "a.pdf"))
    assert ran.noted("pages_cut") == {"count": 1, "parts": 2}
    assert any(look.ink(look.render(ran.path, page)) for page in (1, 2))


def test_what_cannot_be_cut_is_told(tmp_path: Path) -> None:
    file = make.text(tmp_path / "t.pdf", 2)
    for options, reason in (
        ({"columns": 1}, "nothing_to_do"),
        ({"way": "gutter"}, "nothing_to_do"),
        ({"pages": "3"}, "page_range_invalid"),
        ({"by_page": [{"page": 9}]}, "page_range_invalid"),
    ):
        ran = run_tool("segmentation", tmp_path / "no", [file], **options)  # type: ignore[arg-type]
        assert ran.problem and ran.problem.reason == reason, options
