"""Who is asked, how long, and what counts as seen: programs that never end, looks that differ, tags, tiny pictures."""

import os
import time
from pathlib import Path
from typing import Any

import numpy
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image

from cluster.engines.forms.flatten import redraw
from cluster.kinds import PDF
from tests import make, make_forms, make_traps
from tests.foreign import programs
from tests.foreign.aside import Aside
from tests.foreign.bar import Bar, copy
from tests.foreign.bench import Ran, Result
from tests.foreign.case import Case, Input
from tests.foreign.checks import judged
from tests.foreign.office import Office
from tests.foreign.rules import rule_of
from tests.foreign.seen import Seen
from tests.running import run_tool, tool


@pytest.mark.parametrize("bound", ["CPU", "_PATIENCE"])
def test_a_program_that_never_ends_is_asked_once(
    aside: Aside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(programs, bound, 1)
    seen = Seen(make_traps.endless_fields(tmp_path / "a.pdf"), aside)
    assert seen.counts == {"qpdf": 1, "pdfium": 1, "mupdf": 1, "poppler": None} and seen.late == {"poppler"}
    _forbid_poppler(monkeypatch)
    assert seen.texts is None and seen.drawn("poppler", 1) is None


def _forbid_poppler(monkeypatch: pytest.MonkeyPatch) -> None:
    run = programs.run

    def checked(*command: str | Path, **bounds: Any) -> bytes:
        assert not str(command[0]).startswith("pdf"), f"{command} is asked again"
        return run(*command, **bounds)

    monkeypatch.setattr(programs, "run", checked)


def test_who_never_ends_is_not_asked_of_what_is_made(
    aside: Aside, office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does it count as a reader that lost the document; pdfium, which draws this one for ever, is given up."""
    source = make_traps.endless_fields(tmp_path / "a.pdf")
    assert programs.count("pdfium", source, aside) == 1  # the process aside is up, so that a second is long
    monkeypatch.setattr("tests.foreign.aside.PATIENCE", 1)
    _forbid_poppler(monkeypatch)
    made = Result(copy(source, tmp_path / "b.pdf"), "b.pdf", PDF, 1)
    inputs = [Input(source, PDF, Seen(source, aside, {"poppler"}))]
    began = time.monotonic()
    faults = judged(Case(tool("rotate"), rule_of("rotate"), inputs, Ran(results=[made]), aside, office))
    assert not any("poppler" in each for each in faults) and time.monotonic() - began < 30


def test_who_is_late_with_a_partner_misses_no_words(aside: Aside, office: Office, tmp_path: Path) -> None:
    """Poppler and MuPDF never came back from the first file, so they are not asked of the result."""
    first, second = make.text(tmp_path / "a.pdf", 1), make.text(tmp_path / "b.pdf", 1)
    whole = run_tool("merge", tmp_path, [first, second]).path
    inputs = [Input(first, PDF, Seen(first, aside, {"poppler", "mupdf"})), Input(second, PDF, Seen(second, aside))]
    ran = Ran(results=[Result(whole, "c.pdf", PDF, 2)])
    case = Case(tool("merge"), rule_of("merge"), inputs, ran, aside, office)
    assert not any("words" in each for each in judged(case))


def test_a_dead_link_need_not_come_over(bar: Bar, tmp_path: Path) -> None:
    """Asked of pdfium, where pikepdf reads nothing: one link leads out, one to a page, one to a name nobody has."""
    source, made = make.rich(tmp_path / "a.pdf", 3), tmp_path / "b.pdf"
    with make.edit(source) as pdf:
        place = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([10, 10, 50, 50]))
        dead = Dictionary(**place, A=Dictionary(S=Name.GoTo, D=pikepdf.String("nowhere")))
        pdf.pages[0].obj.Annots.append(dead)
    copy(source, made)
    with make.edit(made) as pdf:
        del pdf.pages[0].obj.Annots[-1]
    with make.edit(source) as pdf:
        pdf.pages[-1].obj.Annots = Array([42])
    assert "links lost" not in bar.faults("rotate", source, made)


def test_looks_of_fields_that_are_left_to_readers_may_differ_as_readers_do(bar: Bar, tmp_path: Path) -> None:
    source = make_forms.asking(tmp_path / "a.pdf", "one", "two")
    made, empty = copy(source, tmp_path / "b.pdf"), copy(source, tmp_path / "c.pdf")
    with make.edit(made) as pdf:
        redraw(pdf)
    assert bar.faults("merge", source, made) == ""
    with make.edit(empty) as pdf:
        for each in pdf.Root.AcroForm.Fields:
            each.MK, each.V = Dictionary(), pikepdf.String("")
    assert "page 1 of c.pdf looks otherwise" in bar.faults("merge", source, empty)


def test_tags_count_as_part_of_a_fresh_copy(bar: Bar, tmp_path: Path) -> None:
    source = make_traps.flat_tags(tmp_path / "a.pdf", 4000)
    assert bar.faults("split", source, copy_of_all(source, tmp_path / "b.pdf")) == ""
    with make.edit(made := copy_of_all(source, tmp_path / "c.pdf")) as pdf:
        pdf.Root.Extra = pdf.make_stream(os.urandom(60_000))
    assert "a fresh copy" in bar.faults("split", source, made)


def copy_of_all(path: Path, to: Path) -> Path:
    """The document as qpdf writes it."""
    with pikepdf.open(path) as pdf:
        pdf.save(to, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return to


def test_a_picture_of_a_tiny_page_is_compared_at_its_own_size(bar: Bar, tmp_path: Path) -> None:
    source, made = make.text(tmp_path / "a.pdf", 1, size=(4, 4)), tmp_path / "b.png"
    with make.edit(source) as pdf:
        pdf.pages[0].contents_add(b"q 0 0 2 4 re f Q")
    Image.fromarray(numpy.array([[[0] * 3] * 4 + [[255] * 3] * 4] * 8, numpy.uint8)).save(made)
    assert bar.faults("pdf_to_image", source, made) == ""
    Image.new("RGB", (8, 8), "white").save(made)
    assert "looks otherwise" in bar.faults("pdf_to_image", source, made)


def test_words_of_a_pages_own_tags_are_its_own(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 2, title="Picture{n}x")
    with make.edit(source) as pdf:
        make.tags(pdf)
        for kid in pdf.Root.StructTreeRoot.K[0].K:
            kid.Alt = pikepdf.String("Picture2x")
    made = tmp_path / "b.pdf"
    with pikepdf.open(source) as pdf:
        del pdf.pages[1]
        pdf.Root.StructTreeRoot.K[0].K = Array([pdf.Root.StructTreeRoot.K[0].K[0]])
        del pdf.Root.StructTreeRoot.ParentTree  # it would hold the other page
        pdf.save(made)
    assert "of other pages" not in bar.faults("extract", source, made)


def test_a_stroke_of_a_mark_fills_no_patch_of_a_tiny_page(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 1, size=(50, 50))
    for name, drawn in (("b", b"BT /F1 12 Tf 20 8 Td (1) Tj ET"), ("c", b"20 8 18 18 re f")):
        with make.edit(copy(source, tmp_path / f"{name}.pdf")) as pdf:
            pdf.pages[0].contents_add(drawn)
    assert bar.faults("page_number", source, tmp_path / "b.pdf") == ""
    assert "looks otherwise" in bar.faults("page_number", source, tmp_path / "c.pdf")


def test_what_lies_on_the_strip_cut_off_a_page_is_not_lost(bar: Bar, tmp_path: Path) -> None:
    source, made = make.rich(tmp_path / "a.pdf", 2), tmp_path / "b.pdf"
    with pikepdf.open(source) as pdf:
        for page in range(2):
            pdf.pages.insert(2 * page + 1, pikepdf.Page(Dictionary(Type=Name.Page, MediaBox=Array([0, 0, 3, 800]))))
        whole, strip = pdf.pages[2].obj, pdf.pages[3].obj
        strip.Annots = Array([whole.Annots[0]])
        del whole.Annots[0]
        pdf.save(made)
    assert "lost" not in bar.faults("segmentation", source, made)
    with make.edit(made) as pdf:
        del pdf.pages[3].obj.Annots
    assert "lost" in bar.faults("segmentation", source, made)


def test_readers_differ_on_fields_and_not_on_the_page_beside_them(bar: Bar, tmp_path: Path) -> None:
    """Three looks of one field, each reader's own, are no witnesses; the page without its fields is."""
    source = make_forms.asking(tmp_path / "a.pdf", "πʬ", "two")
    with make.edit(source) as pdf:
        for each in pdf.Root.AcroForm.Fields:
            each.Q = 1
    with make.edit(made := copy(source, tmp_path / "b.pdf")) as pdf:
        redraw(pdf)
    assert bar.faults("merge", source, made) == ""
    with make.edit(spoilt := copy(made, tmp_path / "c.pdf")) as pdf:
        pdf.pages[0].contents_add(b"q 1 0 0 rg 0 0 60 60 re f Q")
    assert "page 1 of c.pdf looks otherwise" in bar.faults("merge", source, spoilt)


def test_a_locked_file_that_nobody_opens_may_be_asked_for_its_password(bar: Bar, tmp_path: Path) -> None:
    """A partner that opens does not stand for it."""
    source, partner = make.text(tmp_path / "a.pdf", 1), make.text(tmp_path / "p.pdf", 1)
    for opens in (False, True):
        first = Input(source, PDF, Seen(source, bar.aside) if opens else None)
        second = Input(partner, PDF, Seen(partner, bar.aside))
        ran = Ran("password_required")
        case = Case(tool("merge"), rule_of("merge"), [first, second], ran, bar.aside, bar.office)
        assert any("others open it" in each for each in judged(case)) is opens


def test_a_scan_has_no_fields_and_no_words_that_are_clipped_away(bar: Bar, tmp_path: Path) -> None:
    source, made = make.text(tmp_path / "a.pdf", 1, title="Shown"), tmp_path / "b.pdf"
    copy(source, made)
    with make.edit(source) as pdf:
        pdf.pages[0].contents_add(b"q 0 0 9 9 re W n BT /F1 12 Tf 100 300 Td (hidden words) Tj ET Q")
        field = Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=pikepdf.String("t"), Rect=[9, 9, 50, 20])
        pdf.pages[0].obj.Annots = Array([42, pdf.make_indirect(field)])
    assert bar.faults("pdf_to_scan", source, made) == ""
    with make.edit(made) as pdf:
        pdf.pages[0].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes().replace(b"Shown", b""))
    assert "lost" in bar.faults("pdf_to_scan", source, made)
