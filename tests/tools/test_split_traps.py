"""Split loses nothing where documents are written as few are: each trap is one that a real file set."""

import time
import zlib
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from cluster.engines.pdf.tokens import operations
from cluster.engines.pdf.usage import Names
from tests import look, make, make_traps
from tests.running import Ran, run_tool

RED = b"q 80 0 0 80 10 100 cm /Red Do Q "
TAIL = b"\n".join(b"%d %d m %d %d l S" % (n % 200, n * 7 % 200, n * 3 % 200, n * 11 % 200) for n in range(300))


def split(folder: Path, file: Path, **way: object) -> Ran:
    ran = run_tool("split", folder / "parts", [file], split=way or {"how": "single"})
    assert ran.problem is None, ran.problem
    return ran


def looks_alike(source: Path, ran: Ran) -> bool:
    return all(look.looks_like(source, each.path, page, 1) > 0.9999 for page, each in enumerate(ran.outputs, 1))


def fresh_size(source: Path, folder: Path, page: int = 0) -> int:
    """What a copy of the page alone takes, made by pikepdf."""
    with pikepdf.open(source) as pdf, pikepdf.new() as made:
        made.pages.append(pdf.pages[page])
        made.remove_unreferenced_resources()
        made.save(folder / "fresh.pdf", object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)
    return (folder / "fresh.pdf").stat().st_size


@pytest.mark.parametrize("ending", [b"startxref\nlost\n%%EOF\n", b"startxref\n99999999\n%%EOF\n"])
def test_the_newest_revision_counts_though_its_end_is_bad(tmp_path: Path, ending: bytes) -> None:
    source = make_traps.revised(tmp_path / "a.pdf", make.text(tmp_path / "old.pdf", 1), "marker-newest", ending)
    assert "marker-newest" in look.text_of(split(tmp_path, source).path)


def test_a_reference_to_a_freed_object_leads_nowhere(tmp_path: Path) -> None:
    ran = split(tmp_path, make_traps.second_generation(tmp_path / "a.pdf"))
    assert [look.text_of(output.path).strip() for output in ran.outputs] == ["second life", ""]


@pytest.mark.parametrize("coded", ["FlateDecode", "ASCIIHexDecode"])
def test_content_that_does_not_decode_keeps_all_it_may_name(tmp_path: Path, coded: str) -> None:
    source = make_traps.spoiled(tmp_path / "bad.pdf", RED + TAIL, coded)
    ran = split(tmp_path, source)
    assert len(look.images_of(ran.path)) == 2
    assert look.fonts_of(ran.path, 1) == {"Helvetica"}
    assert looks_alike(source, ran)


def test_pictures_drawn_in_unusual_words_stay_and_others_go(tmp_path: Path) -> None:
    """The name in one stream and its Do in the next, or a comment between them, however long."""
    cut = RED.index(b" Do")
    pages = [
        [RED[:cut], RED[cut:]],
        [RED[:cut] + b"% why /Blue Do\n" + RED[cut:]],
        [RED[:cut] + b"%" + b"x" * 2000 + b"\r", RED[cut:]],
        [RED.replace(b"/Red", b"/R#65d")],
        [b"BT /F1 12 Tf (100 % /Blue) Tj ET " + RED],
    ]
    source = make_traps.drawing(tmp_path / "drawn.pdf", *pages)
    ran = split(tmp_path, source)
    assert looks_alike(source, ran)
    assert [len(look.images_of(output.path)) for output in ran.outputs] == [1] * len(pages)


@pytest.mark.parametrize(
    "content",
    [
        RED,
        b"q /Red%\n%\r\nDo Q",
        b"BI /W 1 /H 1 /BPC 8 /CS /G ID / EI \nEI /Red Do/Blue Do",
        b"[/Red] 0 d /Re#64 Do",
        b"(/Blue Do) Tj /Red\x00Do",
    ],
)
def test_the_patterns_find_all_that_a_tokenizer_finds(content: bytes) -> None:
    names = Names()
    names.add(content)
    for operation in operations(content):
        words = [content[token.start : token.end] for token in operation.operands if token.kind == "name"]
        assert names.named >= set(words)
        assert operation.operator != b"Do" or names.drawn >= set(words)


def test_a_page_is_no_field_though_a_widget_says_so(tmp_path: Path) -> None:
    source = make_traps.widget_of_its_page(tmp_path / "a.pdf")
    ran = split(tmp_path, source)
    assert looks_alike(source, ran)
    for number, output in enumerate(ran.outputs, 1):
        assert look.fields_of(output.path) == {f"field-{number}": f"value-{number}"}
        with pikepdf.open(output.path) as pdf:
            assert pdf.pages[0].obj.Type == Name.Page
            assert pdf.check_pdf_syntax() == []


def test_a_page_is_no_element_though_a_tag_says_so(tmp_path: Path) -> None:
    source = make_traps.element_of_its_page(tmp_path / "a.pdf")
    ran = split(tmp_path, source)
    assert looks_alike(source, ran)
    assert look.tagged_pages(ran.path) == [1]
    with pikepdf.open(ran.path) as pdf:
        assert pdf.pages[0].obj.Parent.Type == Name.Pages


def test_a_table_of_many_cells_takes_time_by_its_cells(tmp_path: Path) -> None:
    """Eight times the cells took 64 times as long; twelve are for a busy machine."""
    spent = []
    for cells in (1_000, 8_000):
        source = make_traps.flat_tags(tmp_path / f"{cells}.pdf", cells)
        start = time.process_time()
        ran = split(tmp_path / str(cells), source)
        spent.append(time.process_time() - start)
        with pikepdf.open(ran.path) as pdf:
            assert len(pdf.Root.StructTreeRoot.K[0].K) == cells
    assert spent[1] < 12 * spent[0] + 0.5


def test_titles_above_what_was_left_out_are_silent(tmp_path: Path) -> None:
    first, second = (output.path for output in split(tmp_path, make_traps.titled_tags(tmp_path / "a.pdf")).outputs)
    assert b"title of page 1" in look.all_bytes(first)
    for words in (b"title of page 2", b"section of page 2", b"document of page 2", b"summary of page 2"):
        assert words not in look.all_bytes(first)
    assert b"title of page 2" in look.all_bytes(second)


def test_a_part_is_as_small_as_a_fresh_copy(tmp_path: Path) -> None:
    """Uncompressed and old-coded streams, XMP, a press profile, long /W arrays and the form's fonts."""
    with make.edit(make.text(tmp_path / "a.pdf", 2)) as pdf:
        make.metadata(pdf, title="crane")
        pdf.Root.Metadata = pdf.make_stream(bytes(range(256)) * 80, Type=Name.Metadata, Subtype=Name.XML)
        profile = pdf.make_stream(bytes(index * index % 251 for index in range(60_000)), N=4)
        intent = Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFX, OutputConditionIdentifier=String("FOGRA39"))
        intent.RegistryName, intent.DestOutputProfile = String("http://www.color.org"), profile
        pdf.Root.OutputIntents = Array([intent])
        make.field(pdf, 1, "name", "value")
        font = Dictionary(Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.Large)
        font.FontDescriptor = Dictionary(FontFile2=pdf.make_stream(bytes(index * 7 % 253 for index in range(40_000))))
        pdf.Root.AcroForm.DR.Font.Large = pdf.make_indirect(font)
        pdf.Root.AcroForm.DA = String("/Large 10 Tf")
        page = pdf.pages[0].obj
        page.Resources.Font.Wide = pdf.make_indirect(
            Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Wide, Widths=Array([500] * 3000))
        )
        page.Contents = pdf.make_stream(page.Contents.read_bytes() + b" BT /Wide 9 Tf ET\n" + TAIL)
        pdf.save(tmp_path / "plain.pdf", compress_streams=False, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    part = split(tmp_path, tmp_path / "plain.pdf").outputs[0].path
    assert part.stat().st_size < 1.2 * fresh_size(tmp_path / "plain.pdf", tmp_path) + 600
    assert look.looks_like(tmp_path / "plain.pdf", part) > 0.9999
    with pikepdf.open(part) as pdf:
        assert pdf.Root.OutputIntents[0].OutputConditionIdentifier == "FOGRA39"
        assert pdf.docinfo.Title == "crane"


def test_flate_packed_in_haste_is_packed_anew(tmp_path: Path) -> None:
    """Through a window of 4 KB, in haste, and as most do: only the last stays as it is."""
    drawn = b"\n".join(b"%d %d m %d %d l S" % (n % 97, n * 7 % 200, n * 3 % 200, n % 89) for n in range(4_000))
    for name, level, window in (("small", 6, 12), ("hasty", 1, 15), ("usual", 6, 15)):
        packer = zlib.compressobj(level, zlib.DEFLATED, window)
        raw = packer.compress(drawn) + packer.flush()
        with make.edit(make.text(tmp_path / f"{name}.pdf", 1)) as pdf:
            pdf.pages[0].obj.Contents.write(raw, filter=Name.FlateDecode)
            pdf.save(tmp_path / f"{name}-raw.pdf", compress_streams=False, recompress_flate=False)
        with pikepdf.open(split(tmp_path / name, tmp_path / f"{name}-raw.pdf").path) as pdf:
            contents = pdf.pages[0].obj.Contents
            assert contents.read_bytes() == drawn
            assert (contents.read_raw_bytes() == raw) == (name == "usual"), name


def test_without_another_title_the_metadata_come_along(tmp_path: Path) -> None:
    with make.edit(make.text(tmp_path / "a.pdf", 1)) as pdf:
        with pdf.open_metadata(set_pikepdf_as_editor=False) as told:
            told["dc:title"] = "only here"
        if "/Info" in pdf.trailer:
            del pdf.trailer.Info
    assert b"only here" in look.all_bytes(split(tmp_path, tmp_path / "a.pdf").path)
