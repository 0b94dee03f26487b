"""Scans that somebody else's OCR laid its text under, and the paper that is left where their words were."""

from collections.abc import Sequence
from pathlib import Path

import docx
import numpy
import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.model import Seen, Sheet, Span, Style, TextLine
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading.paper import ground_of
from cluster.engines.reading.preflight import kind_of_page, likeness
from tests import make_scans
from tests.make_scans import SANS, ZH
from tests.running import Ran, run_tool

WORDS = ZH * 2
#: What a bad OCR makes of them.
WRONG = str.maketrans("的一是不了在人有我他年月日大中", "旳㇐昰丕孒茬亽冇找她仠肀曰犬申")


def layered(path: Path, under: Sequence[str], pages: int = 1) -> Path:
    """Pages that are a picture of `WORDS`, with other words under it that nobody sees."""
    picture = make_scans.page(WORDS).save(path.with_suffix(".png"))
    with import_pymupdf().open() as document:
        for _ in range(pages):
            page = document.new_page(width=595, height=842)
            for at, text in enumerate(under):
                page.insert_text((60, 80 + 30 * at), text, fontname="china-s", fontsize=9, render_mode=3)
            page.insert_image(page.rect, filename=str(picture))
        assert kind_of_page(document[0]) == "layered"
        document.save(path)
    return path


def converted(path: Path) -> tuple[str, Ran]:
    ran = run_tool("pdf_to_word", path.with_suffix(""), [path])
    assert ran.problem is None, ran.problem
    return "".join(each.text for each in docx.Document(str(ran.path)).paragraphs), ran


@pytest.mark.started
def test_a_layer_that_is_not_what_is_seen_is_read_anew(tmp_path, ocr_engine):
    wrong = [text[::2].translate(WRONG) + text[1::3] for text in WORDS]
    text, ran = converted(layered(tmp_path / "扫描.pdf", wrong))
    assert likeness(text, "".join(WORDS)) > 0.995
    assert ran.noted("pages_layered") == {"count": 1, "detail": "1"}


@pytest.mark.started
def test_a_layer_that_is_what_is_seen_stays(tmp_path, ocr_engine):
    text, ran = converted(layered(tmp_path / "扫描.pdf", WORDS))
    assert likeness(text, "".join(WORDS)) == 1 and ran.noted("pages_layered") is None


@pytest.mark.started
def test_of_a_book_some_pages_tell_whether_its_layer_is_believed(tmp_path, ocr_engine, monkeypatch):
    from cluster.engines.reading import scanned

    read: list[int] = []
    real = scanned.drawn
    monkeypatch.setattr(scanned, "drawn", lambda page: (read.append(page.number), real(page))[1])
    text, ran = converted(layered(tmp_path / "书.pdf", WORDS, 9))
    assert read == [1, 4, 7] and ran.noted("pages_layered") is None
    assert text.count(WORDS[3]) == 9 * WORDS.count(WORDS[3])


def ground(
    folder: Path, picture: Image.Image, lines: Sequence[tuple[float, float, float, float]], lean: float
) -> "numpy.ndarray":
    style, (wide, high) = Style("SimSun", 10), picture.size
    made = tuple(TextLine(box, box[3], (Span("words", style),)) for box in lines)
    sheet = Sheet(0, wide, high, made, seen=Seen(wide, high, lean=lean))
    with Image.open(ground_of(picture, sheet, folder / "ground")) as found:
        return numpy.asarray(found.convert("L")).astype(int)


def test_words_leave_the_paper_they_stood_on(tmp_path):
    """White paper, a dark head with white letters, grey paper whose rules stand close: each stays what it was."""
    picture = Image.new("RGB", (600, 400), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.truetype(SANS, 30)
    pen.rectangle((0, 100, 600, 160), fill=(40, 40, 90))
    pen.rectangle((0, 200, 600, 400), fill=(200, 200, 200))
    lines = []
    for top, colour in ((40, "black"), (112, "white"), (250, "black")):
        lines.append(pen.textbbox((100, top), "整改完成情况汇总", font=font))
        pen.text((100, top), "整改完成情况汇总", colour, font)
    bare = [(box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4) for box in lines]  # as a finder cuts it
    pen.rectangle((0, 240, 600, 246), fill="black")
    found = ground(tmp_path, picture, bare, 0)
    for box, paper in zip(lines, (255, 44, 200), strict=True):
        left, top, right, bottom = map(int, box)
        part = found[top - 3 : bottom + 3, left - 3 : right + 3]
        assert abs(part - paper).max() < 24, (paper, part.min(), part.max())
    assert found[243, 50] < 30 and found[243, 590] < 30, "the rule is gone"


def test_the_ground_of_a_page_that_lay_askew_is_as_straight_as_its_words(tmp_path):
    picture = Image.new("RGB", (800, 600), "white")
    pen = ImageDraw.Draw(picture)
    pen.line((100, 500, 700, 500), fill="black", width=4)
    pen.text((100, 200), "整改完成情况汇总" * 2, "black", ImageFont.truetype(SANS, 30))
    lean = 0.03
    # Turned about the upper left corner, as `Seen` tells.
    askew = picture.rotate(-lean * 180 / numpy.pi, center=(0, 0), fillcolor="white", resample=Image.Resampling.BICUBIC)
    found = ground(tmp_path, askew, [(98, 196, 590, 246)], lean)
    assert found[180:280].min() > 200
    rows = numpy.nonzero((found < 100).any(axis=1))[0]
    assert rows[-1] - rows[0] < 8
