"""Compress: smaller, never larger, the same to read and to look at; and every option does what it says."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import ImageChops

from cluster.engines.compress import recode, squeeze
from cluster.receipt import sentence
from tests import look, make, make_office, make_pictures
from tests.running import Ran, run_tool

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
FLOORS = {"light": 0.999, "standard": 0.98, "strong": 0.95}


def squeezed(folder: Path, source: Path, **options: Any) -> Ran:
    ran = run_tool("compress", folder / f"run{len(list(folder.iterdir()))}", [source], **options)
    assert ran.problem is None, ran.problem
    assert ran.path.stat().st_size <= source.stat().st_size
    return ran


def ratio(ran: Ran, source: Path) -> float:
    return ran.path.stat().st_size / source.stat().st_size


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photograph as JPEG, a chart as Flate, a photograph that fades out."""
    return make_pictures.pictures(
        tmp_path_factory.mktemp("album") / "album.pdf",
        lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph()),
        lambda pdf: make_pictures.raw(pdf, make_pictures.drawing()),
        make_pictures.masked,
    )


@pytest.mark.parametrize("level, most", [("light", 0.9), ("standard", 0.5), ("strong", 0.25)])
def test_each_level_is_smaller_and_looks_the_same(tmp_path: Path, album: Path, level: str, most: float):
    ran = squeezed(tmp_path, album, level=level)
    assert ratio(ran, album) <= most
    assert look.texts_of(ran.path) == look.texts_of(album)
    for page in (1, 2, 3):
        likeness = look.ssim(look.render(album, page, dpi=100), look.render(ran.path, page, dpi=100))
        assert likeness >= FLOORS[level] - 0.01 * (level != "light"), (level, page)


def test_nobody_sees_what_light_did(tmp_path: Path):
    """Pictures finer than any screen, on pages that show more than them."""
    source = make_pictures.pictures(
        tmp_path / "a.pdf",
        lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph((1500, 1125)), 97),
        lambda pdf: make_pictures.raw(pdf, make_pictures.photograph((1000, 750))),
        box=(150, 112),
    )
    light, exact = (squeezed(tmp_path, source, level="light", exact=exact) for exact in (False, True))
    assert light.path.stat().st_size < exact.path.stat().st_size * 0.5
    for page in (1, 2):
        before, after, same = (look.render(path, page, dpi=150) for path in (source, light.path, exact.path))
        assert look.ssim(before, after) >= 0.999, page
        assert ImageChops.difference(before, same).getbbox() is None, page


def test_light_proves_repainted_pages_in_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A try whose colours are flatter than its aim promised is found by the proof, and its page keeps its samples."""
    source = make_pictures.pictures(tmp_path / "a.pdf", lambda pdf: make_pictures.raw(pdf, make_pictures.photograph()))
    coarse = replace(recode.Aim(), quality=(30, 30), floor=0.0)
    monkeypatch.setattr(squeeze, "_within_page", lambda aim, share: coarse)
    ran = squeezed(tmp_path, source, level="light")
    before, after = (look.render(path, 1, dpi=150) for path in (source, ran.path))
    assert ImageChops.difference(before, after).getbbox() is None


def test_keep_every_pixel_keeps_every_pixel(tmp_path: Path, album: Path):
    ran = squeezed(tmp_path, album, level="light", exact=True)
    for page in (1, 2, 3):
        before, after = (look.render(path, page, dpi=200) for path in (album, ran.path))
        assert ImageChops.difference(before, after).getbbox() is None, page


def test_what_cannot_get_smaller_comes_back_as_it_was(tmp_path: Path, album: Path):
    once = squeezed(tmp_path, album, level="light", exact=True).path
    again = squeezed(tmp_path, once, level="light", exact=True)
    assert again.path.read_bytes() == once.read_bytes()
    assert again.noted("unchanged") is not None
    assert again.noted("size") is None


def test_the_receipt_breaks_the_size_down(tmp_path: Path, album: Path):
    ran = squeezed(tmp_path, album)
    parts = [ran.noted(part) or {"before": 0, "after": 0} for part in ("images", "fonts", "other")]
    size = ran.noted("size")
    assert size == {"before": album.stat().st_size, "after": ran.path.stat().st_size}
    assert sum(part["before"] for part in parts) == size["before"]
    assert sum(part["after"] for part in parts) == size["after"]
    assert parts[0]["after"] < parts[0]["before"]
    assert all(sentence(note, language) for note in ran.notes for language in ("zh", "en"))


def test_progress_counts_pictures(tmp_path: Path, album: Path):
    steps = [step for step in squeezed(tmp_path, album).steps if step[2] == "images"]
    assert [done for done, _, _ in steps] == [1, 2, 3, 4]  # the mask of the third is one too
    assert {total for _, total, _ in steps} == {4}


@pytest.mark.parametrize("share", [0.5, 0.2, 0.08])
def test_a_target_is_met_within_a_tenth(tmp_path: Path, album: Path, share: float):
    wanted = int(album.stat().st_size * share)
    ran = squeezed(tmp_path, album, level="target", size=wanted / 1024, unit="KB")
    assert wanted * 0.9 <= ran.path.stat().st_size <= wanted
    assert ran.noted("target_reached") is not None


def test_a_target_out_of_reach_gives_the_smallest_and_says_so(tmp_path: Path, album: Path):
    ran = squeezed(tmp_path, album, level="target", size=1)
    assert ran.noted("target_missed") is not None
    assert ran.noted("size")
    assert ratio(ran, album) < 0.05
    assert "caption 1" in look.text_of(ran.path, 1)


def test_a_target_that_the_file_meets_already_changes_no_picture(tmp_path: Path, album: Path):
    ran = squeezed(tmp_path, album, level="target", size=50, unit="MB")
    assert look.images_of(ran.path)[0][:2] == look.images_of(album)[0][:2]
    assert ran.noted("target_reached") is not None


def test_custom_takes_dpi_and_quality_as_given(tmp_path: Path, album: Path):
    coarse = squeezed(tmp_path, album, level="custom", dpi=100, quality=60)
    fine = squeezed(tmp_path, album, level="custom", dpi=100, quality=90)
    photographs = {width for width, _, _, packed in look.images_of(coarse.path) if packed == "DCTDecode"}
    assert photographs == {500}  # 360 pt at 100 dpi
    assert coarse.path.stat().st_size < fine.path.stat().st_size


def test_custom_leaves_pictures_below_the_threshold(tmp_path: Path, album: Path):
    """The photographs have 180 dpi, the chart 160."""
    ran = squeezed(tmp_path, album, level="custom", dpi=72, quality=50, above=170)
    widths = sorted({width for width, *_ in look.images_of(ran.path)})
    assert widths == [360, 800]


def test_grayscale_leaves_no_colour(tmp_path: Path, album: Path):
    ran = squeezed(tmp_path, album, gray=True)
    for page in (1, 2, 3):
        red, green, blue = look.render(ran.path, page).split()
        assert (
            max(ImageChops.difference(red, green).getextrema()[1], ImageChops.difference(red, blue).getextrema()[1])
            <= 2
        )
    assert look.ssim(look.render(album, 1).convert("L").convert("RGB"), look.render(ran.path, 1)) > 0.9
    assert look.texts_of(ran.path) == look.texts_of(album)


def test_strip_removes_title_and_author_and_nothing_keeps_them(tmp_path: Path):
    source = make.rich(tmp_path / "a.pdf")
    kept, stripped = squeezed(tmp_path, source), squeezed(tmp_path, source, strip=True)
    assert look.title_of(kept.path) == "报告 Report"
    assert look.title_of(stripped.path) == ""
    assert "纸鹤".encode() not in look.all_bytes(stripped.path)
    assert stripped.noted("metadata_removed") is not None


@pytest.mark.parametrize("level", ["light", "standard", "strong", "custom", "target"])
def test_a_bitonal_scan_keeps_one_bit(tmp_path: Path, level: str):
    source = make.scan(tmp_path / "scan.pdf", 1, bits=1, dpi=300)
    ran = squeezed(tmp_path, source, level=level, size=1)
    ((_, _, bits, packed),) = look.images_of(ran.path)
    assert (bits, packed) == (1, "CCITTFaxDecode")
    assert look.ssim(look.render(source, 1, 100), look.render(ran.path, 1, 100)) > (0.9 if level == "target" else 0.98)


def test_structure_survives(tmp_path: Path):
    source = make.rich(tmp_path / "a.pdf", 8)
    ran = squeezed(tmp_path, source, level="strong")
    for seen in (look.outline_of, look.links_of, look.destinations_of, look.fields_of, look.widgets_of,
                 look.notes_of, look.attachments_of, look.labels_of, look.tagged_pages, look.texts_of):  # fmt: skip
        assert seen(ran.path) == seen(source), seen.__name__
    assert ran.noted("bookmarks") == {"before": 8, "after": 8}


def test_a_protected_file_opens_with_its_password_only(tmp_path: Path, album: Path):
    source = make.encrypted(tmp_path / "locked.pdf", album, user="open sesame")
    missing = run_tool("compress", tmp_path / "missing", [source])
    wrong = run_tool("compress", tmp_path / "wrong", [source], passwords={0: "no"})
    right = run_tool("compress", tmp_path / "right", [source], passwords={0: "open sesame"})
    assert missing.problem and missing.problem.reason == "password_required"
    assert wrong.problem and wrong.problem.reason == "password_wrong"
    assert "caption 1" in look.text_of(right.path, 1)
    assert right.noted("password_removed") is not None


PALETTE = make_pictures.drawing().quantize(16)
CMYK = make_pictures.photograph((900, 675)).convert("CMYK")


@pytest.mark.parametrize(
    "maker",
    [
        lambda pdf: make_pictures.raw(pdf, PALETTE),
        lambda pdf: make_pictures.raw(pdf, CMYK),
        lambda pdf: make_pictures.jpeg(pdf, CMYK),
        lambda pdf: make_pictures.raw(pdf, make_pictures.photograph().convert("L")),
        lambda pdf: _with(make_pictures.jpeg(pdf, make_pictures.photograph()), "/Decode", [1, 0, 1, 0, 1, 0]),
        lambda pdf: _with(make_pictures.raw(pdf, make_pictures.drawing()), "/Mask", [250, 255, 250, 255, 250, 255]),
    ],
    ids=["palette", "cmyk", "cmyk jpeg", "gray", "inverted", "colour key"],
)
@pytest.mark.parametrize("level", ["light", "strong"])
def test_colours_stay_in_every_kind_of_picture(tmp_path: Path, maker: Any, level: str):
    source = make_pictures.pictures(tmp_path / "a.pdf", maker)
    ran = squeezed(tmp_path, source, level=level)
    before, after = (look.render(path, 1, dpi=100) for path in (source, ran.path))
    assert look.ssim(before, after) >= FLOORS[level] - 0.03 * (level == "strong")
    mean = [
        sum(ImageChops.difference(one, other).histogram()[40:])
        for one, other in zip(before.split(), after.split(), strict=True)
    ]
    assert max(mean) < before.width * before.height * 0.01


def _with(stream: Any, key: str, values: list[int]) -> Any:
    stream[key] = pikepdf.Array(values)
    return stream


def test_a_pixel_bomb_is_left_alone(tmp_path: Path):
    source = make_pictures.pictures(
        tmp_path / "a.pdf", make_pictures.bombed, lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph())
    )
    ran = squeezed(tmp_path, source, level="custom", dpi=72)
    assert ratio(ran, source) < 0.5
    assert (100_000, 100_000) in [each[:2] for each in look.images_of(ran.path)]


def test_an_unused_picture_and_private_data_go(tmp_path: Path, album: Path):
    source = tmp_path / "a.pdf"
    with pikepdf.open(album) as pdf:
        page = pdf.pages[0].obj
        page.Resources.XObject["/Unused"] = make_pictures.raw(pdf, make_pictures.photograph(seed=9))
        page["/PieceInfo"] = pikepdf.Dictionary(Draw=pdf.make_stream(b"private " * 10_000))
        pdf.save(source)
    ran = squeezed(tmp_path, source, level="light")
    assert len(look.images_of(ran.path)) == len(look.images_of(album))
    assert b"private " not in look.all_bytes(ran.path)


@pytest.mark.parametrize("level, gone", [("light", False), ("standard", True)])
def test_a_printing_condition_goes_above_light_and_is_told(tmp_path: Path, album: Path, level: str, gone: bool):
    source = tmp_path / "x.pdf"
    with pikepdf.open(album) as pdf:
        profile = pdf.make_stream(b"profile " * 5000, N=4)
        intent = pikepdf.Dictionary(S=pikepdf.Name.GTS_PDFX, DestOutputProfile=profile)
        pdf.Root["/OutputIntents"] = pikepdf.Array([intent])
        pdf.save(source)
    ran = squeezed(tmp_path, source, level=level)
    assert (ran.noted("press_profile_removed") is not None) is gone
    assert (b"profile profile" not in look.all_bytes(ran.path)) is gone


def test_equal_pictures_are_stored_once(tmp_path: Path):
    source = make_pictures.pictures(
        tmp_path / "a.pdf", *[lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph())] * 4
    )
    ran = squeezed(tmp_path, source, level="light")
    assert len(look.images_of(ran.path)) == 1
    assert ratio(ran, source) < 0.3


def test_a_broken_signature_is_told(tmp_path: Path, album: Path):
    source = tmp_path / "signed.pdf"
    with pikepdf.open(album) as pdf:
        value = pdf.make_indirect(
            pikepdf.Dictionary(Type=pikepdf.Name.Sig, ByteRange=pikepdf.Array([0, 1, 2, 3]), Contents=b"\x00" * 20)
        )
        pdf.Root["/AcroForm"] = pikepdf.Dictionary(
            Fields=pikepdf.Array([pdf.make_indirect(pikepdf.Dictionary(FT=pikepdf.Name.Sig, T="s", V=value))])
        )
        pdf.save(source)
    assert squeezed(tmp_path, source).noted("signature_broken") == {"count": 1}


def test_one_bad_file_does_not_spoil_the_others(tmp_path: Path, album: Path):
    ran = run_tool("compress", tmp_path / "run", [make.empty(tmp_path / "empty.pdf"), album])
    assert ran.problem and ran.problem.reason == "empty_file"
    assert [output.name for output in ran.outputs] == ["album_压缩.pdf"]


@pytest.mark.parametrize("level", ["light", "standard"])
def test_a_written_document_keeps_text_and_looks(tmp_path: Path, office_engine: None, level: str):
    """What LibreOffice writes: subset fonts, bookmarks, tags; in CI too, where the corpus is not."""
    book = make_office.chapters(tmp_path / "a.docx", 2)
    source = run_tool("word_to_pdf", tmp_path / "pdf", [book]).path
    ran = squeezed(tmp_path, source, level=level)
    assert look.texts_of(ran.path) == look.texts_of(source)
    assert look.outline_of(ran.path) == look.outline_of(source) != []
    for page in (1, 2):
        assert look.looks_like(source, ran.path, page) >= FLOORS[level] - 1e-4


REAL = [
    "pikepdf/tests/resources/congress.pdf",
    "ocrmypdf/tests/resources/jbig2.pdf",
    "ocrmypdf/tests/resources/link.pdf",
    "pypdfsamples/006-pdflatex-outline/pdflatex-outline.pdf",
    "pypdfsamples/023-cmyk-image/cmyk-image.pdf",
    "pdf2docx/test/samples/demo-text-vertical.pdf",
]


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not here")
@pytest.mark.parametrize("level", ["light", "standard"])
@pytest.mark.parametrize("name", REAL)
def test_real_files_keep_text_and_looks(tmp_path: Path, name: str, level: str):
    source = CORPUS / name
    ran = squeezed(tmp_path, source, level=level)
    assert look.texts_of(ran.path) == look.texts_of(source)
    before, after = (look.render(path, 1, dpi=100).convert("L").convert("RGB") for path in (source, ran.path))
    assert look.ssim(before, after) >= FLOORS[level] - 1e-4
    bits = [(each[2], each[3]) for each in look.images_of(source) if each[2] == 1]
    assert [each for each in bits if each[1] == "JBIG2Decode"] == [
        (each[2], each[3]) for each in look.images_of(ran.path) if each[3] == "JBIG2Decode"
    ]
