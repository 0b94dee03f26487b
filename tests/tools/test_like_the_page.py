"""PDF to Word, like the page: lines as wide as they were, in faces that people have, and no rule of a table in them."""

import io
import re
import uuid
import zipfile
from pathlib import Path

import docx
import pikepdf
import pymupdf
import pytest
from docx.oxml.ns import qn
from fontTools.ttLib import TTFont
from lxml import etree

from tests import look, make_letters
from tests.running import run_tool
from tests.valid import faults

_WORDS = "Each line of this paragraph was set as wide as the column is."


def converted(folder: Path, path: Path) -> docx.document.Document:
    made = run_tool("pdf_to_word", folder / "ran", [path], layout="exact", ocr="off").path
    return docx.Document(str(made.rename(folder / "made.docx")))


def spacings(paragraph: object) -> dict[str, set[int]]:
    """Twentieths of a point that blanks and letters have more."""
    found: dict[str, set[int]] = {"blank": set(), "letter": set()}
    for run in paragraph._p.iter(qn("w:r")):
        more = run.rPr.find(qn("w:spacing"))
        kind = "blank" if run.text.isspace() else "letter"
        found[kind].add(0 if more is None else int(more.get(qn("w:val"))))
    return found


def frame(paragraph: object) -> dict[str, str]:
    return {name.split("}")[1]: value for name, value in paragraph._p.pPr.find(qn("w:framePr")).items()}


def line_of(document: docx.document.Document, words: str) -> object:
    return next(each for each in document.paragraphs if words in each.text)


def justified(path: Path) -> Path:
    """One line whose blanks have 3 points more, one whose letters are narrowed by a tenth, and one near the edge."""
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=600, height=300)
        page.insert_text((40, 60), _WORDS, fontname="tiro", fontsize=12)
        page.insert_text((40, 100), f"Narrow {_WORDS}", fontname="tiro", fontsize=12)
        page.insert_text((420, 140), "Near the edge of this very page", fontname="helv", fontsize=12)
        page.clean_contents()
        stream = page.get_contents()[0]
        parts = pdf.xref_stream(stream).split(b"BT")
        parts[1], parts[2] = b" 3 Tw" + parts[1], b" 0 Tw 90 Tz" + parts[2]
        pdf.update_stream(stream, b"BT".join(parts))
        pdf.save(path)
    return path


def test_blanks_of_a_justified_line_are_wider_and_letters_as_they_were(tmp_path: Path) -> None:
    document = converted(tmp_path, justified(tmp_path / "a.pdf"))
    assert spacings(line_of(document, "Each line")) == {"blank": {60}, "letter": {0}}
    narrow = line_of(document, "Narrow")
    assert all(85 <= int(each.get(qn("w:val"))) <= 95 for each in narrow._p.iter(qn("w:w")))
    assert list(narrow._p.iter(qn("w:w")))
    near = frame(line_of(document, "Near the edge"))
    assert int(near["x"]) + int(near["w"]) <= 600 * 20  # a frame beyond the page would be pushed back


def test_a_tab_in_a_line_is_a_blank(tmp_path: Path) -> None:
    """It has no place to lead to, and would break the line, of which only the first half is seen then."""
    font = pymupdf.Font("helv")
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=300, height=100)
        page.insert_text((20, 50), "A.~~ Overall height~", fontname="helv", fontsize=8)
        pdf.update_stream(page.get_contents()[0], page.read_contents().replace(b"7e", b"09").replace(b"~", b"\\t"))
        pdf.save(tmp_path / "a.pdf")
    line = line_of(converted(tmp_path, tmp_path / "a.pdf"), "Overall")
    assert not list(line._p.iter(qn("w:tab"))) and line.text.split() == ["A.", "Overall", "height"]
    assert int(frame(line)["w"]) >= 20 * font.text_length("A. Overall height", 8)


def three_columns(path: Path) -> Path:
    """Two pages of close lines in three columns, in a face that nobody has, the file neither."""
    with pymupdf.open() as pdf:
        for _ in range(3):
            page = pdf.new_page()
            for column in range(3):
                for line in range(62):
                    words = f"line{line} of column{column} with some words"
                    page.insert_text((40 + 180 * column, 50 + 11 * line), words, fontname="tiro", fontsize=10)
        for xref in range(1, pdf.xref_length()):
            if pdf.xref_get_key(xref, "BaseFont")[0] == "name":
                pdf.xref_set_key(xref, "BaseFont", "/ABCDEF+Melior-Roman")
        pdf.save(path)
    return path


@pytest.mark.started
def test_no_line_is_lost_where_a_page_is_full(tmp_path: Path, office_engine: object) -> None:
    """Frames that flow around each other push others off the page in LibreOffice."""
    document = converted(tmp_path, three_columns(tmp_path / "a.pdf"))
    assert {each.get(qn("w:ascii")) for each in document.element.body.iter(qn("w:rFonts"))} == {"Times New Roman"}
    (drawn,) = run_tool("word_to_pdf", tmp_path / "back", [tmp_path / "made.docx"]).outputs
    assert look.page_count(drawn.path) == 3
    for page in (1, 2, 3):
        assert len(re.findall(r"line\d+ of column", look.text_of(drawn.path, page))) == 3 * 62


def test_a_cells_edge_is_no_line_of_its_words(tmp_path: Path) -> None:
    """Borders as wide as the words, each cell's own; a rule below other words and one through them are theirs."""
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=300, height=200)

        def bar(left: float, top: float, right: float, bottom: float) -> None:
            page.draw_rect((left, top, right, bottom), color=None, fill=0, width=0)

        for at in range(4):
            left = 40 + 24 * at
            page.insert_text((left + 2, 60), f"{at}.30", fontname="helv", fontsize=10)
            bar(left, 61.5, left + 23.5, 62)
            bar(left, 46, left + 0.5, 62)
            bar(left + 23.5, 46, left + 24, 62)
        page.insert_text((40, 120), "theirs", fontname="helv", fontsize=10)
        bar(40, 121.5, 66, 122)
        page.insert_text((140, 120), "gone", fontname="helv", fontsize=10)
        bar(140, 116.5, 162, 117)
        pdf.save(tmp_path / "a.pdf")
    document = converted(tmp_path, tmp_path / "a.pdf")
    looks = {run.text: (run.underline, run.font.strike) for each in document.paragraphs for run in each.runs}
    assert looks["theirs"][0] and looks["gone"][1]
    assert not any(any(looks[f"{at}.30"]) for at in range(4))


def closed(path: Path, name: str) -> Path:
    """The program of the font of that name says that documents may be read and printed with it, not edited."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for each in pdf.objects:
            if isinstance(each, pikepdf.Dictionary) and str(each.get("/FontName", "")).endswith(name):
                font = TTFont(io.BytesIO(each.FontFile2.read_bytes()))
                font["OS/2"].fsType = 4
                font.save(held := io.BytesIO())
                each.FontFile2 = pdf.make_stream(held.getvalue(), Length1=held.tell())
        pdf.save(path)
    return path


def programs(path: Path) -> dict[str, TTFont]:
    """The fonts within a Word file, by the first word of their names."""
    with zipfile.ZipFile(path) as file:
        table = etree.fromstring(file.read("word/fontTable.xml"))
        links = etree.fromstring(file.read("word/_rels/fontTable.xml.rels"))
        targets = {each.get("Id"): each.get("Target").rpartition("/")[2] for each in links}
        found = {}
        for font in table:
            data, key = file.read(f"word/fonts/{targets[font[-1].get(qn('r:id'))]}"), font[-1].get(qn("w:fontKey"))
            mask = uuid.UUID(key).bytes[::-1] * 2
            clear = bytes(a ^ b for a, b in zip(data[:32], mask, strict=True)) + data[32:]
            found[font.get(qn("w:name")).split()[0]] = TTFont(io.BytesIO(clear))
    return found


@pytest.mark.started
def test_fonts_that_people_lack_go_with_the_file(tmp_path: Path, office_engine: object) -> None:
    """Of every kind, with the letters that are used and nothing else; not where their makers forbid it."""
    source = closed(make_letters.letters(tmp_path / "a.pdf"), "Three")
    document = converted(tmp_path, source)
    held, asked = programs(tmp_path / "made.docx"), document.element.body.iter(qn("w:rFonts"))
    assert not faults(tmp_path / "made.docx")
    assert held.keys() == {"Two", "Four", "Five", "Six"}
    assert {each.get(qn("w:ascii")).split()[0] for each in asked} > held.keys()
    for font in held.values():
        assert {chr(code) for code in font.getBestCmap()} == {*make_letters.STAYS, *make_letters.GOES, " ", "\xa0"}
        assert not {"GSUB", "GPOS", "fpgm", "prep", "kern"} & set(font.keys())
    (drawn,) = run_tool("word_to_pdf", tmp_path / "back", [tmp_path / "made.docx"]).outputs
    before, after = (look.render(path, 1, 96) for path in (source, drawn.path))
    for at in (3, 4):  # letters that are boxes: no other font has such
        box = tuple(round(each * 96 / 72) for each in (10, 15 + 40 * at, 390, 50 + 40 * at))
        assert look.ssim(before.crop(box), after.crop(box)) > 0.998


@pytest.mark.started
def test_words_stand_where_they_stood(tmp_path: Path, office_engine: object) -> None:
    """Kerned letters, narrow blanks, wide ones, one wide alone, letters of other sizes than whole half points."""
    lines = (
        b"10 Tf [(W) 120 (orth T) 140 (o A) 90 (V) 90 (A) -300 ( T) 140 (ell, once more)] TJ",
        b"10 Tf -1 Tw (All blanks here are narrower than usual ones are, all along) Tj 0 Tw",
        b"9.3 Tf 2 Tw (All blanks here are wider than usual ones are, all along) Tj 0 Tw",
        b"10 Tf [(One ) -900 (blank of this line is wider than all the others)] TJ",
    )
    drawn = b"".join(b"BT 1 0 0 1 40 %d Tm /helv %b ET " % (300 - 40 * at, each) for at, each in enumerate(lines))
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=400, height=340)
        page.insert_text((40, 40), "stands", fontname="helv", fontsize=10)
        pdf.update_stream(page.get_contents()[0], drawn)
        pdf.save(tmp_path / "a.pdf")
    converted(tmp_path, tmp_path / "a.pdf")
    (made,) = run_tool("word_to_pdf", tmp_path / "back", [tmp_path / "made.docx"]).outputs
    with pymupdf.open(tmp_path / "a.pdf") as before, pymupdf.open(made.path) as after:
        stood, stands = (
            [(each[4], each[0]) for each in pdf[0].get_text("words", sort=True)] for pdf in (before, after)
        )
    assert [word for word, _ in stands] == [word for word, _ in stood] and len(stood) > 30
    assert max(abs(x - y) for (_, x), (_, y) in zip(stood, stands, strict=True)) < 0.4


def test_words_that_run_upwards_or_downwards_do_so_in_boxes_before_the_ground(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=300)
        page.draw_rect((20, 20, 380, 280), fill=(0.9, 0.9, 1))
        page.insert_text((60, 50), "A line that runs across is longer than both others", fontsize=12)
        page.insert_text((60, 250), "upwards", fontsize=12, rotate=90)
        page.insert_text((300, 100), "downwards", fontsize=12, rotate=270)
        document.save(tmp_path / "turned.pdf")
    ran = run_tool("pdf_to_word", tmp_path / "ran", [tmp_path / "turned.pdf"], layout="exact", ocr="off")
    with zipfile.ZipFile(ran.path) as file:
        told = file.read("word/document.xml").decode()
    boxes = [each.split("</wp:anchor>")[0] for each in told.split("<wp:anchor")[1:]]
    found = {way: box for box in boxes for way in ("vert", "vert270") if f'vert="{way}"' in box}
    assert "upwards" in found["vert270"] and "downwards" in found["vert"]
    assert all('behindDoc="0"' in box for box in found.values()) and told.count('behindDoc="1"') == 1


def test_borders_across_columns_and_seams_of_surfaces_underline_nothing(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=300)
        page.draw_rect((45, 112, 200, 140), color=None, fill=(0.8, 0.9, 1))
        page.draw_rect((48, 110.5, 80, 112.2), color=None, fill=(0.8, 0.9, 1))
        for x, y, word in ((50, 50, "border"), (250, 50, "beside"), (50, 109, "seam"), (50, 200, "underlined")):
            page.insert_text((x, y), word, fontsize=10)
        for left, right in ((48, 150), (150, 290)):
            page.draw_rect((left, 51.2, right, 52), color=None, fill=(0, 0, 0))
        page.draw_line((50, 201.5), (98, 201.5), width=0.6)
        document.save(tmp_path / "ruled.pdf")
    document = converted(tmp_path, tmp_path / "ruled.pdf")
    assert [run.text for each in document.paragraphs for run in each.runs if run.font.underline] == ["underlined"]
