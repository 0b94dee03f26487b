"""The judge finds faults that were planted, and is quiet on good results."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream
from PIL import Image

from cluster.catalogue import TOOLS
from cluster.kinds import DOCX, PDF, PNG
from cluster.worker.sandbox import Sandbox
from tests import look, make, make_hybrid, make_office, make_pictures, make_scans
from tests.cluster.boxed import TESTS, boxed
from tests.foreign import rules
from tests.foreign.__main__ import main
from tests.foreign.aside import Aside, Cannot
from tests.foreign.bar import Bar, copy, pages_of
from tests.foreign.bench import Bench, Ran, Result
from tests.foreign.case import Case, Input
from tests.foreign.checks import judged
from tests.foreign.files import files_in, takers
from tests.foreign.office import Office
from tests.foreign.rules import RULES, rule_of
from tests.foreign.seen import Seen
from tests.running import tool

FOUND = Path(os.environ.get("PAPERCRANE_CORPUS", Path(__file__).parents[3] / "shared/corpus")) / "found"


def test_a_copy_is_good(bar: Bar, tmp_path: Path) -> None:
    source = make.rich(tmp_path / "a.pdf", 4)
    assert bar.faults("compress", source, copy(source, tmp_path / "b.pdf")) == ""


def test_a_missing_page(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 3)
    assert "2 pages instead of 3" in bar.faults("compress", source, copy(source, tmp_path / "b.pdf", [1, 2]))


def test_a_missing_result(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 3)
    parts = [copy(source, tmp_path / f"{page}.pdf", [page]) for page in (1, 2)]
    assert "2 results instead of 3" in bar.faults("pdf_to_image", source, *parts)
    assert "2 pages instead of 3" in bar.faults("split", source, *parts)


def test_pages_in_another_order(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 3)
    found = bar.faults("compress", source, copy(source, tmp_path / "b.pdf", [2, 1, 3]))
    assert "page 1 of b.pdf looks otherwise" in found


def coloured(path: Path, cell: str, side: int = 200) -> Path:
    """A text page with a square filled by `cell` (three numbers)."""
    make.text(path, 1)
    with make.edit(path) as pdf:
        pdf.pages[0].contents_add(f"q {cell} rg 300 300 {side} {side} re f Q".encode())
    return path


@pytest.mark.parametrize(
    ("before", "after", "side"), [("1 1 0.6", "1 1 0.75", 200), ("1 0 0", "0.5 0.5 0.5", 16), ("1 0 0", "1 1 1", 9)]
)
def test_a_recoloured_cell(bar: Bar, tmp_path: Path, before: str, after: str, side: int) -> None:
    source = coloured(tmp_path / "a.pdf", before, side)
    assert "colour" in bar.faults("compress", source, coloured(tmp_path / "b.pdf", after, side))


def test_grain_of_a_photograph_is_no_fault(bar: Bar, tmp_path: Path) -> None:
    def page(path: Path, quality: int) -> Path:
        return make_pictures.pictures(path, lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph(), quality))

    assert bar.faults("compress", page(tmp_path / "a.pdf", 95), page(tmp_path / "b.pdf", 80)) == ""


@pytest.mark.parametrize(("kind", "key"), [("/Link", "links"), ("/Widget", "fields"), ("/Text", "annotations")])
def test_what_stood_on_a_page_and_is_lost(bar: Bar, tmp_path: Path, kind: str, key: str) -> None:
    source = make.rich(tmp_path / "a.pdf", 4)
    made = copy(source, tmp_path / "b.pdf")
    with make.edit(made) as pdf:
        page, index = next(
            (page, index)
            for page in pdf.pages
            for index, each in enumerate(page.obj.get("/Annots", Array()))
            if each.Subtype == kind
        )
        del page.obj.Annots[index]
    assert f"{key} lost" in bar.faults("rotate", source, made) + bar.faults("compress", source, made)


@pytest.mark.parametrize("way", [{}, {"apart": True}], ids=["in one table", "in a table above"])
def test_what_most_programs_overlook_in_a_hybrid_file(bar: Bar, tmp_path: Path, way: dict[str, bool]) -> None:
    source, made = make_hybrid.hybrid(tmp_path / "a.pdf", **way), tmp_path / "b.pdf"
    with pikepdf.open(make_hybrid.plain(tmp_path / "plain.pdf")) as pdf:
        pdf.save(made)
        assert bar.faults("split", source, made) == ""
        pdf.pages[0].obj.Annots = Array()
        pdf.pages[0].obj.Resources = Dictionary()
        pdf.save(made)
    found = bar.faults("split", source, made)
    assert "links lost: 1 of 1" in found and "looks otherwise" in found


def test_pdfium_bears_witness_where_pikepdf_cannot_read(bar: Bar, tmp_path: Path) -> None:
    """A source whose links lie where qpdf does not look: here simply a list that is broken on one page."""
    source = make.rich(tmp_path / "a.pdf", 4)
    made = copy(source, tmp_path / "b.pdf")
    with make.edit(source) as pdf:
        pdf.pages[-1].obj.Annots = Array([42])
    with make.edit(made) as pdf:
        for page in pdf.pages:
            page.obj.Annots = Array()
    found = bar.faults("rotate", source, made)
    assert "links lost: 3 of 3 on page 3" in found and "fields lost: 1 of 1 on page 3" in found


def test_bookmarks_and_attachments_that_are_lost(bar: Bar, tmp_path: Path) -> None:
    source = make.rich(tmp_path / "a.pdf", 4)
    made = copy(source, tmp_path / "b.pdf")
    with make.edit(made) as pdf:
        del pdf.Root["/Outlines"]
        for name in list(pdf.attachments):
            del pdf.attachments[name]
    found = bar.faults("compress", source, made)
    assert "outline lost" in found and "attachments lost" in found


def test_lost_words(bar: Bar, tmp_path: Path) -> None:
    """A page that looks the same and cannot be copied from any more."""
    source, made = make.text(tmp_path / "a.pdf", 1), tmp_path / "b.pdf"
    with pikepdf.open(source) as pdf:
        font = next(iter(pdf.pages[0].Resources.Font.values()))
        glyphs = [Name("/g32")] * 3
        font.ToUnicode = Stream(
            pdf, b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <00> <ff> <0020>"
        )
        font.Encoding = Dictionary(Type=Name.Encoding, Differences=Array([97, *glyphs]))
        pdf.save(made)
    assert "letters lost" in bar.faults("compress", source, made)


def parts_of(source: Path, folder: Path) -> list[Path]:
    return [copy(source, folder / f"{page}.pdf", [page]) for page in range(1, (pages_of(source) or 0) + 1)]


def test_parts_by_themselves_are_good(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 3)
    assert bar.faults("split", source, *parts_of(source, tmp_path)) == ""


def test_words_of_another_page_in_a_part(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 3)
    parts = parts_of(source, tmp_path)
    with pikepdf.open(source) as pdf:
        content = pdf.pages[2].Contents.read_bytes()
    with make.edit(parts[0]) as pdf:
        pdf.pages[0].Resources.XObject = Dictionary(Fx=pdf.make_indirect(Stream(pdf, content, Subtype=Name.Form)))
    assert "1.pdf holds" in bar.faults("split", source, *parts)


def test_a_title_of_another_page_in_a_part(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 3, title="Secret{n}x")
    parts = parts_of(source, tmp_path)
    with make.edit(parts[0]) as pdf:
        pdf.Root.StructTreeRoot = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, K=Dictionary(T="Secret3x")))
    assert "Secret3x" in bar.faults("split", source, *parts)


def test_a_part_that_carries_too_much(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 2)
    parts = parts_of(source, tmp_path)
    with make.edit(parts[1]) as pdf:
        pdf.Root.Extra = pdf.make_stream(os.urandom(30_000))
    assert "a fresh copy" in bar.faults("split", source, *parts)


def test_a_result_larger_than_its_input(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 1)
    made = copy(source, tmp_path / "b.pdf")
    with make.edit(made) as pdf:
        pdf.Root.Extra = pdf.make_stream(os.urandom(900))
    assert "larger than the input" in bar.faults("compress", source, made)


def test_a_readable_file_refused(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 1)
    for reason in ("damaged_file", "not_supported_type", "empty_file", "password_required", "page_range_invalid"):
        assert reason in bar.faults("split", source, ran=Ran(reason))
    locked = make.encrypted(tmp_path / "b.pdf", source, user="secret")
    assert bar.faults("split", locked, ran=Ran("password_required")) == ""
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.7\n" + os.urandom(2000))
    assert bar.faults("split", tmp_path / "c.pdf", ran=Ran("damaged_file")) == ""


def test_a_damaged_file_of_white_paper_may_be_refused(bar: Bar, tmp_path: Path) -> None:
    blank, white, words = make.blank(tmp_path / "a.pdf"), tmp_path / "b.pdf", tmp_path / "c.pdf"
    for path, pages in ((white, 1), (words, 2)):
        with make.edit(make.text(path, pages)) as pdf:
            pdf.pages[0].obj.Contents.write(b"not packed", filter=Name.FlateDecode)
    assert bar.faults("rotate", white, ran=Ran("damaged_file")) == ""
    assert "damaged_file" in bar.faults("rotate", blank, ran=Ran("damaged_file"))
    assert "damaged_file" in bar.faults("rotate", words, ran=Ran("damaged_file"))


def test_damage_that_a_source_brings_with_it_may_come_over(bar: Bar, tmp_path: Path) -> None:
    """Here it is a source in which nobody finds a page."""
    made, source = make.text(tmp_path / "a.pdf", 1), tmp_path / "b.pdf"
    made.write_bytes(made.read_bytes().replace(b"startxref\n", b"startxref\n1"))
    source.write_bytes(made.read_bytes().replace(b"/Pages ", b"/Paces "))
    assert "qpdf --check" in bar.faults("rotate", make.text(tmp_path / "sound.pdf", 1), made)
    assert bar.faults("rotate", source, made) == ""


def test_a_page_too_large_for_a_picture_may_be_refused(bar: Bar, tmp_path: Path) -> None:
    vast, usual = make.text(tmp_path / "a.pdf", 1, size=(9000, 9000)), make.text(tmp_path / "b.pdf", 1)
    assert bar.faults("pdf_to_image", vast, ran=Ran("too_large_when_opened")) == ""
    assert "too_large" in bar.faults("pdf_to_image", usual, ran=Ran("too_large_when_opened"))
    assert "too_large" in bar.faults("extract_image", usual, ran=Ran("too_large_when_opened"))
    with make.edit(usual) as pdf:
        made = make_pictures.xobject(pdf, bytes(2000), (20_000, 10_000), Name.DeviceGray, bits=1)
        pdf.pages[0].contents_add(f"{pdf.pages[0].add_resource(made, Name.XObject)} Do".encode())
    assert bar.faults("extract_image", usual, ran=Ran("too_large_when_opened")) == ""


def test_a_readable_picture_refused(bar: Bar, tmp_path: Path) -> None:
    Image.new("RGB", (40, 40)).save(tmp_path / "a.png")
    assert "Pillow" in bar.faults("image_to_text", tmp_path / "a.png", ran=Ran("damaged_file"))
    assert bar.faults("image_to_text", tmp_path / "a.png", ran=Ran("no_text_found")) == ""


def test_a_result_that_does_not_open(bar: Bar, tmp_path: Path) -> None:
    source, made = make.text(tmp_path / "a.pdf", 1), tmp_path / "b.pdf"
    made.write_bytes(b"%PDF-1.7\n" + os.urandom(2000))
    found = bar.faults("rotate", source, ran=Ran(results=[Result(made, "b.pdf", PDF, 1)]))
    assert "pdfium cannot open" in found and "poppler cannot open" in found


def test_words_that_office_lost(bar: Bar, tmp_path: Path) -> None:
    document = make_office.chapters(tmp_path / "a.docx")
    bare, made = make.text(tmp_path / "bare.pdf", 3), make.text(tmp_path / "made.pdf", 3, lines=5)
    assert "words missing" in bar.faults("word_to_pdf", document, made, bare=bare)
    assert "1 pages instead of 3" in bar.faults("word_to_pdf", document, copy(bare, tmp_path / "1.pdf", [1]), bare=bare)
    fewer = bar.faults("word_to_pdf", document, copy(bare, tmp_path / "2.pdf", [1, 2]), bare=bare)
    assert "words missing" in fewer and "pages instead" not in fewer
    assert "bare LibreOffice" in bar.faults("word_to_pdf", document, ran=Ran("damaged_file"), bare=bare)
    assert bar.faults("word_to_pdf", document, copy(bare, tmp_path / "b.pdf"), bare=bare) == ""
    (tmp_path / "0.doc").touch()
    assert bar.faults("word_to_pdf", tmp_path / "0.doc", ran=Ran("empty_file"), bare=bare) == ""


def test_words_that_an_office_result_lost(bar: Bar, tmp_path: Path) -> None:
    source, made = make.text(tmp_path / "a.pdf", 1, lines=3), tmp_path / "b.docx"
    texts = [*look.texts_of(source), "and what was read in pictures", "7777777777: 8"]
    with make.edit(source) as pdf:
        pdf.pages[0].contents_add(b"q 0 0 9 9 re W n BT /F1 12 Tf 100 300 Td (0123456789) Tj ET Q")
        pdf.pages[0].contents_add(b"BT /F1 6 Tf 100 200 Td (7777777777) Tj ET")
        pdf.pages[0].contents_add(b"BT /F1 6 Tf 100.9 200 Td (7777777777: 8) Tj ET")
    assert bar.faults("pdf_to_word", source, make_office.docx(made, texts)) == ""
    make_office.docx(made, texts[1:])
    assert "letters missing in b.docx" in bar.faults("pdf_to_word", source, made)
    told = Ran(results=[Result(made, "b.docx", DOCX)], notes=[{"what": "pages_garbled"}])
    assert bar.faults("pdf_to_word", source, ran=told) == ""


def test_a_merged_document_that_lost_words(bar: Bar, tmp_path: Path) -> None:
    document, bare = make_office.docx(tmp_path / "a.docx", ["one two three four"]), make.text(tmp_path / "b.pdf", 1)
    kept = make_office.docx(tmp_path / "c.docx", ["of another file", *look.texts_of(bare)])
    assert bar.faults("word_merge", document, kept, bare=bare) == ""
    assert "words missing" in bar.faults("word_merge", document, document, bare=bare)


def test_an_office_result_that_does_not_open(bar: Bar, tmp_path: Path) -> None:
    source, made = make.text(tmp_path / "a.pdf", 1), tmp_path / "b.docx"
    made.write_bytes(b"PK\x03\x04" + os.urandom(2000))
    found = bar.faults("pdf_to_word", source, ran=Ran(results=[Result(made, "b.docx", DOCX)]))
    assert found == "a bare LibreOffice makes no page of b.docx"


def test_seconds_and_memory(bar: Bar, tmp_path: Path) -> None:
    source = make.text(tmp_path / "a.pdf", 1)
    found = bar.faults("rotate", source, ran=Ran("nothing_to_do", cpu=300, memory=4 << 30))
    assert "300 s of CPU" in found and "4096 MiB" in found


@pytest.mark.parametrize(("deed", "status"), [("crash", "ABNORMAL"), ("spin", "TIMEOUT"), ("stumble", "ABNORMAL")])
def test_an_end_that_tells_nothing(aside: Aside, office: Office, tmp_path: Path, deed: str, status: str) -> None:
    source = make.text(tmp_path / "a.pdf", 1)
    with boxed(tmp_path / "job", "tests.cluster.misbehave"):
        bench = Bench(tmp_path, lambda folder, _: Sandbox(folder, "tests.cluster.misbehave", ("heavy",), (TESTS,)))
        ran = bench.run(tool("misbehave"), [source], {"do": deed})
        first = Input(source, PDF, Seen(source, aside))
        assert judged(Case(tool("misbehave"), rule_of("misbehave"), [first], ran, aside, office))[0].startswith(status)
        bench.close()


def test_a_broken_document_takes_no_libreoffice_from_the_next_one(office: Office, tmp_path: Path) -> None:
    document, broken = make_office.chapters(tmp_path / "a.docx"), tmp_path / "b.docx"
    broken.write_bytes(b"PK\3\4")
    shown = []
    for name in ("first", "second", "third"):
        (folder := tmp_path / name).mkdir()
        shown.append(office.pdf_of(document, ".docx", folder))
        if name == "second":
            with pytest.raises(Cannot):
                office.pdf_of(broken, ".docx", tmp_path)
    assert len({tuple(look.texts_of(each)) for each in shown}) == 1
    assert "第 1 章" in look.text_of(shown[0])


def test_a_crash_of_the_judges_own_libraries_is_survived(aside: Aside) -> None:
    with pytest.raises(Cannot):
        aside.call(os.abort)
    assert aside.call(len, "abc") == 3


def test_files_go_where_content_or_name_sends_them(tmp_path: Path) -> None:
    make.text(tmp_path / "sub.bin", 1)
    (tmp_path / "cut.docx").write_bytes(b"PK\x03\x04" + os.urandom(300))
    every = [tool(key) for key in ("merge", "rotate", "word_to_pdf", "image_to_text")]
    assert [each.key for each in takers(tmp_path / "sub.bin", every)] == ["merge", "rotate"]
    assert [each.key for each in takers(tmp_path / "cut.docx", every)] == ["word_to_pdf"]
    assert files_in(tmp_path, 1) == files_in(tmp_path, 1) and len(files_in(tmp_path, 1)) == 1


@pytest.mark.timeout(1800)  # all tools one after another: 13 minutes were seen on a slow and busy machine
def test_good_results_are_told_with_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every tool over drawn files: through the sandbox and the gate, nothing to complain of."""
    folder = tmp_path / "drawn"
    folder.mkdir()
    make.rich(folder / "rich.pdf", 3)
    make.shared(folder / "shared.pdf", 2)
    make.scan(folder / "scan.pdf", 2)
    make_office.chapters(folder / "chapters.docx")
    make_scans.page(make_scans.ZH[:1], size=(900, 300)).save(folder / "page.png")
    assert main([str(folder), "--jobs", "1", "--json", str(tmp_path / "told.json")]) == 0, capsys.readouterr().out
    told = json.loads((tmp_path / "told.json").read_text())
    assert {each["status"] for each in told} - {"no_table_found", "no_pictures_found"} == {"SUCCESS"}
    drawn = {PDF: 3, DOCX: 1, PNG: 1}
    assert len(told) == sum(count * (kind in tool.accepts) for kind, count in drawn.items() for tool in TOOLS.values())


def test_faults_are_told_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rules.RULES, "rotate", replace(RULES["rotate"], look="same"))
    folder = tmp_path / "drawn"
    folder.mkdir()
    make.text(folder / "a.pdf", 1)
    assert main([str(folder), "rotate", "--jobs", "1"]) == 1
    assert "rotate         a.pdf  page 1 of a_旋转.pdf looks otherwise: size" in capsys.readouterr().out


@pytest.mark.skipif(not FOUND.is_dir(), reason="the corpus is not here")
def test_a_sample_of_what_others_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FOUND), "--sample", "8", "--seconds", "60"]) == 0, capsys.readouterr().out
