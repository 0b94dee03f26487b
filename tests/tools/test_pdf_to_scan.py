"""PDF to scan: pictures as a scanner gives them, and what of the document stays."""

import math
from pathlib import Path

import numpy
import pikepdf
import pymupdf
import pypdfium2
import pytest
from pikepdf import Dictionary, Name
from PIL import Image

from cluster.engines.draw.scans import MOST_PIXELS
from cluster.engines.fonts.tounicode import to_unicode
from cluster.engines.pictures.scanner import Look, chance
from cluster.tools.pdf_to_scan import PRESETS
from tests import look, make, make_broken
from tests.make_chinese import chinese
from tests.make_reading import PROSE, Sheet
from tests.once import once
from tests.running import Ran, run_tool

#: Three columns of small print on fifteen pages.
REGISTER = Path(__file__).parents[3] / "shared/corpus/pdfplumber/tests/pdfs/federal-register-2020-17221.pdf"
#: A scanner that does nothing.
PLAIN = {"preset": "custom", "vary": False, "quality": 95} | dict.fromkeys(
    ("tone", "tilt", "noise", "blur", "contrast", "border"), 0
)


def scan(folder: Path, file: Path, **options: object) -> Ran:
    ran = run_tool("pdf_to_scan", folder / "ran", [file], **options)
    assert ran.problem is None, ran.problem
    return ran


def picture(path: Path, page: int = 1) -> Image.Image:
    with pikepdf.open(path) as pdf:
        return pikepdf.PdfImage(pdf.pages[page - 1].Resources.XObject.Im).as_pil_image().copy()


def centre(document: pypdfium2.PdfDocument, page: int, word: str) -> tuple[float, float]:
    """The middle of a word, in the page's own units."""
    words = document[page].get_textpage()
    at = words.get_text_range().index(word)
    boxes = [words.get_charbox(each) for each in range(at, at + len(word))]
    low, high = (
        [min(box[side] for box in boxes) for side in (0, 1)],
        [max(box[side] for box in boxes) for side in (2, 3)],
    )
    return (low[0] + high[0]) / 2, (low[1] + high[1]) / 2


def turned(point: tuple[float, float], box: tuple[float, ...], degrees: float) -> tuple[float, float]:
    """Clockwise around the middle of the box."""
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    x, y, cosine, sine = (
        point[0] - middle[0],
        point[1] - middle[1],
        math.cos(math.radians(degrees)),
        math.sin(math.radians(degrees)),
    )
    return middle[0] + cosine * x + sine * y, middle[1] - sine * x + cosine * y


def test_every_page_is_seen_as_before_whatever_its_boxes(tmp_path: Path) -> None:
    """Turned, cropped, off the origin, in other units: twenty pages, drawn by several workers."""
    file = make.geometry(tmp_path / "a.pdf")
    ran = scan(tmp_path, file, **PLAIN)
    assert look.sizes_of(ran.path) == look.sizes_of(file)
    assert all(look.looks_like(file, ran.path, page) > 0.95 for page in range(1, 21))
    assert not any(look.texts_of(ran.path))


@pytest.mark.parametrize("tilt", [0, 5])
def test_words_and_links_lie_where_they_are_seen(tmp_path: Path, tilt: int) -> None:
    file = make.geometry(tmp_path / "a.pdf")
    with make.edit(file) as pdf:
        for page in pdf.pages:
            x, y = (float(each) for each in page.cropbox[:2])
            rect = [x + 20, y + 30, x + 40, y + 40]
            page.Annots = [Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=rect, Dest=[page.obj, Name.Fit])]
    ran = scan(tmp_path, file, **PLAIN | {"tilt": tilt, "text": True})
    assert ran.noted("text_kept") is not None and ran.noted("links") == {"before": 20, "after": 20}
    degrees = chance(Look(tilt=tilt, vary=False), 1).turn / 100
    assert bool(degrees) == bool(tilt)
    with pypdfium2.PdfDocument(file) as before, pypdfium2.PdfDocument(ran.path) as after, pikepdf.open(ran.path) as pdf:
        for at, page in enumerate(pdf.pages):
            box = [float(each) for each in page.cropbox]
            wanted = turned(centre(before, at, make.marker(at + 1)), tuple(box), degrees)
            assert math.dist(wanted, centre(after, at, make.marker(at + 1))) < 2, at
            rect = [float(each) for each in page.Annots[0].Rect]
            link = turned((box[0] + 30, box[1] + 35), tuple(box), degrees)
            assert math.dist(link, ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)) < 0.01


def test_what_leads_stays_and_what_lies_on_pages_is_only_seen(tmp_path: Path) -> None:
    file = make.rich(tmp_path / "a.pdf", 5)
    with make.edit(file) as pdf:
        pdf.Root.Names.JavaScript = Dictionary(Names=["a", Dictionary(S=Name.JavaScript, JS="secret-script")])
        pdf.Root.Lost = pdf.make_stream(b"secret-object")
    ran = scan(tmp_path, file)
    assert look.outline_of(ran.path) == look.outline_of(file)
    assert look.links_of(ran.path) == look.links_of(file)
    assert look.labels_of(ran.path) == look.labels_of(file)
    assert look.destinations_of(ran.path) == look.destinations_of(file)
    assert look.attachments_of(ran.path) == look.attachments_of(file)
    assert look.title_of(ran.path) == look.title_of(file)
    assert look.fields_of(ran.path) == {} and look.notes_of(ran.path) == [] and look.fonts_of(ran.path) == set()
    held = look.all_bytes(ran.path)
    gone = ("marker-00000", "value-", "note-", "secret-")
    assert [word for word in gone if word.encode() in held] == []
    assert ran.noted("annotations") == {"before": 5, "after": 0} and ran.noted("fields") == {"before": 5, "after": 0}
    assert {"words_pictured", "tags_lost"} <= {note.what for note in ran.notes if note.kind == "lost"}
    assert ran.noted("pages_pictured") == {"count": 5}


def test_words_stay_searchable_when_asked(tmp_path: Path) -> None:
    file = chinese(tmp_path / "a.pdf", 2)
    ran = scan(tmp_path, file, text=True)
    assert ["".join(text.split()) for text in look.texts_of(ran.path)] == [
        "".join(text.split()) for text in look.texts_of(file)
    ]
    # Nothing of them is drawn.
    assert look.looks_like(ran.path, scan(tmp_path / "bare", file).path) == 1
    bare = scan(tmp_path / "none", make.blank(tmp_path / "b.pdf"), text=True)
    assert bare.noted("no_words") == {}


@once
def dense(path: Path) -> Path:
    """A page as full of Chinese as a page of a book can be."""
    from cluster.engines.pdf.libraries import import_pymupdf

    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        while sheet.y < 780:
            sheet.prose(PROSE[0] + PROSE[1], 9, gap=2)
        document.save(path)
    return path


def first_pages(path: Path, source: Path, pages: int) -> Path:
    with pikepdf.open(source) as pdf:
        del pdf.pages[pages:]
        pdf.save(path)
    return path


@pytest.mark.parametrize("preset", PRESETS)
def test_a_page_of_text_takes_300_kb_at_most(tmp_path: Path, preset: str) -> None:
    files = [dense(tmp_path / "a.pdf")]
    if REGISTER.exists():
        files.append(first_pages(tmp_path / "b.pdf", REGISTER, 2))
    for file in files:
        ran = scan(tmp_path / file.stem, file, preset=preset)
        assert 100_000 < ran.path.stat().st_size / look.page_count(ran.path) < 302_000
        assert (picture(ran.path).mode == "L") == (preset == "worn")


def test_the_seed_decides(tmp_path: Path) -> None:
    file = make.text(tmp_path / "a.pdf", 2)
    one, again, other = (scan(tmp_path / str(at), file, seed=seed, dpi=72).path for at, seed in enumerate((7, 7, 8)))
    assert one.read_bytes() == again.read_bytes()
    assert look.looks_like(one, other) < 0.95
    assert picture(one).info["dpi"] == (150, 150), "a preset's own resolution"


def test_a_huge_page_is_scanned_coarser(tmp_path: Path) -> None:
    file = make.text(tmp_path / "a.pdf", 1, size=(2384, 3370))
    ran = scan(tmp_path, file, preset="custom", dpi=300)
    width, height = picture(ran.path).size
    assert 0.99 * MOST_PIXELS < width * height <= 1.001 * MOST_PIXELS
    assert ran.noted("pages_coarser") == {"count": 1}
    assert look.sizes_of(ran.path) == look.sizes_of(file)
    thin = scan(tmp_path / "thin", make.text(tmp_path / "b.pdf", 1, size=(14_400, 20)), preset="custom", dpi=300)
    assert max(picture(thin.path).size) <= 16_001


def test_letters_that_no_face_has_are_found_too(tmp_path: Path) -> None:
    """As emoji are, which the source draws itself; three hundred letters, for which one blank font is too small."""
    with make.edit(source := make.text(tmp_path / "a.pdf", 1)) as pdf:
        strange = [chr(0x1F300 + number) for number in range(300)]
        page, font = pdf.pages[0], pdf.pages[0].Resources.Font.F1
        page.Resources.Font.F2 = pdf.make_indirect(Dictionary(font))
        for name, letters in (("F1", strange[:150]), ("F2", strange[150:])):
            codes = {bytes([code]): letter for code, letter in enumerate(letters, 0x41)}
            page.Resources.Font[f"/{name}"].ToUnicode = pdf.make_stream(to_unicode(codes))
        rows = [bytes(range(0x41 + row, 0x41 + row + 30)).hex() for row in range(0, 150, 30)]
        shown = "".join(f"/{name} 9 Tf 0 -16 Td <{row}> Tj " for name in ("F1", "F2") for row in rows)
        page.Contents = pdf.make_stream(f"BT 50 500 Td {shown} ET".encode())
    result = scan(tmp_path, source, text=True).path
    with pymupdf.open(result) as document:
        texts = [look.texts_of(result)[0], document[0].get_text()]
    assert [sorted(set(strange) - set(text)) for text in texts] == [[], []]
    assert look.looks_like(result, scan(tmp_path / "bare", source).path) == 1


@pytest.mark.parametrize("worded", [False, True])
def test_glyphs_that_are_only_numbered_are_no_words(tmp_path: Path, worded: bool) -> None:
    """Their numbers are read as control characters; on a page of such alone that is told, and nothing is promised."""
    with make.edit(make.text(tmp_path / "a.pdf", 1)) as pdf:
        page, drawn = pdf.pages[0], pdf.make_stream(b"1000 0 0 0 750 750 d1 0 0 750 750 re f")
        page.Resources.Font.T3 = Dictionary(
            Type=Name.Font, Subtype=Name.Type3, FontBBox=[0, 0, 750, 750], FontMatrix=[0.001, 0, 0, 0.001, 0, 0],
            CharProcs=Dictionary(a0=drawn, a1=drawn), Encoding=Dictionary(Differences=[0, Name.a0, Name.a1]),
            FirstChar=0, LastChar=1, Widths=[1000, 1000], Resources=Dictionary(),
        )  # fmt: skip
        words = b"BT /F1 24 Tf 72 600 Td (a word) Tj ET " if worded else b""
        page.Contents = pdf.make_stream(words + b"BT /T3 12 Tf 72 500 Td <0001> Tj ET")
    ran = scan(tmp_path, tmp_path / "a.pdf", text=True)
    assert (ran.outputs[0].text, ran.noted("no_words")) == ((True, None) if worded else (None, {}))
    assert look.texts_of(ran.path)[0].strip() == ("a word" if worded else "")


@pytest.mark.parametrize("turn", [0, 90])
def test_signs_are_found_as_they_are_seen(tmp_path: Path, turn: int) -> None:
    """Ticks and stars of Zapf Dingbats, which one reader takes for letters; on a turned page that is cut, too."""
    with make.edit(make.text(tmp_path / "a.pdf", 1)) as pdf:
        page = pdf.pages[0]
        page.Resources.Font.ZD = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.ZapfDingbats)
        page.Contents = pdf.make_stream(b"BT /F1 12 Tf 72 600 Td (done) Tj /ZD 12 Tf 40 0 Td (4H) Tj ET")
        page.Rotate, page.CropBox = turn, [20, 30, 500, 700]
    ran = scan(tmp_path, tmp_path / "a.pdf", text=True)
    assert "".join(look.texts_of(ran.path)[0].split()) == "done✔★"


def test_words_are_kept_as_far_as_readers_show_them(tmp_path: Path) -> None:
    """MuPDF drops content whose packing breaks, and finds no page in a catalogue that others read."""
    broken = make_broken.broken_packing(tmp_path / "a.pdf", make.text(tmp_path / "t.pdf", 2))
    kept = look.texts_of(scan(tmp_path, broken, text=True).path)
    shown = "".join(look.texts_of(broken)[0].split())
    assert shown and "".join(kept[0].split()) == shown
    assert scan(tmp_path / "other", make_broken.catalogue_of_others(tmp_path / "b.pdf"), text=True).outputs


def test_letters_stand_where_they_are_written(tmp_path: Path) -> None:
    """To a fraction of a pixel, as the preview has them."""
    lows = [700, 680.12, 660.24, 640.36]
    with make.edit(file := make.text(tmp_path / "a.pdf", 1)) as pdf:
        rows = "".join(f"BT /F1 10 Tf 60 {low} Td (nnnnnnnnnnnn) Tj ET " for low in lows)
        pdf.pages[0].Contents = pdf.make_stream(rows.encode())
    drawn = 255 - numpy.asarray(picture(scan(tmp_path, file, **PLAIN).path).convert("L"), float)
    height = look.sizes_of(file)[0][1]
    scale, middles = len(drawn) / height, []
    for low in lows:
        top = int((height - low - 12) * scale)
        ink = drawn[top : top + 33].sum(1)
        middles.append(top + (ink * numpy.arange(33)).sum() / ink.sum() + low * scale)
    assert max(middles) - min(middles) < 0.1
