"""Edit: removed things are gone for good, changed lines read so everywhere, added things stand where readers look."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pdfplumber
import pikepdf
import pymupdf
import pytest

from cluster.engines.edit.copies import clean_copies
from tests import look, make, make_edit, make_forms
from tests.make_edit import LEANING, LINES, PARTY, PLACE, SECRET
from tests.make_structure import bookmarks
from tests.running import Ran, run_tool

REFINED = Path(__file__).parents[3] / "shared/corpus/foreign/pdfjs__bitmap-refine-refine.pdf"


def edited(folder: Path, source: Path, *acts: dict[str, Any], **options: Any) -> Ran:
    return run_tool("edit", folder / "run", [source], acts=list(acts), **options)


def change(source: Path, was: str, text: str, **more: Any) -> dict[str, Any]:
    """The act of a line as MuPDF shows where it is."""
    with pymupdf.open(source) as document:
        box = document[0].search_for(was)[0]
    return {
        "kind": "change",
        "page": 1,
        "box": [box.x0, box.y0, box.width, box.height],
        "was": was,
        "text": text,
        **more,
    }


def drawn(path: Path) -> Any:
    """The first page's pixels, two a point."""
    with pymupdf.open(path) as document:
        pixels = document[0].get_pixmap(dpi=144)
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3).astype(int)


def pictures(path: Path, *names: str) -> set[bytes]:
    """The pictures of a file as they are stored: all, or those of the first page's names."""
    with pikepdf.open(path) as pdf:
        held = pdf.pages[0].obj.Resources.XObject
        nodes = [held[name] for name in names] or list(pdf.objects)
        streams = [each for each in nodes if isinstance(each, pikepdf.Stream)]
        return {each.read_raw_bytes() for each in streams if each.get("/Subtype") == "/Image"}


def three_readers(path: Path) -> list[str]:
    """The first page's text by pdfium, pdfminer and poppler, without white space."""
    with pdfplumber.open(path) as document:
        mined = document.pages[0].extract_text(use_text_flow=True)
    poppler = subprocess.run(["pdftotext", "-raw", path, "-"], capture_output=True, text=True, check=True).stdout
    with pymupdf.open(path) as document:
        mupdf = document[0].get_text()
    return ["".join(text.split()) for text in (look.text_of(path), mined, poppler, mupdf)]


@pytest.mark.parametrize("shown", ["black", "none"])
def test_what_lies_beneath_is_gone_and_the_rest_as_it_was(tmp_path: Path, shown: str):
    """Text in every guise, paths, the pixels of seven kinds of pictures, comments, fields, copies of the words."""
    source = make_edit.secrets(tmp_path / "secrets.pdf")
    ran = edited(tmp_path, source, {"kind": "redact", "page": 1, "boxes": [PLACE], "look": shown})
    held = look.all_bytes(ran.path)
    assert [word for word in (SECRET.encode(), b"gamire", b"QUAGGAMIRE", *LINES) if word in held] == []
    assert pictures(source) & pictures(ran.path) == pictures(source, "/Raw")  # which the second page shows
    assert ran.noted("copies_cleaned") and ran.noted("annotations_removed") and ran.noted("fields_removed")
    before, after = (drawn(path) for path in (source, ran.path))
    x, y, wide, high = (round(each * 2) for each in PLACE)
    assert (after[y + 2 : y + high - 2, x + 2 : x + wide - 2] == (0 if shown == "black" else 255)).all()
    rest = np.abs(before - after)
    rest[y - 4 : y + high + 4, x - 4 : x + wide + 4] = 0
    assert rest.max() <= 12, np.argwhere(rest > 12)[:5]  # a curve in two parts is rounded anew
    assert look.looks_like(source, ran.path, 2) > 0.9999
    words = look.text_of(ran.path)
    assert "before" in words and "afterwards" in words and "formneighbour" in words and "sharedword" not in words
    with pikepdf.open(ran.path) as pdf:
        assert "/Thumb" not in pdf.pages[0].obj


def test_a_place_that_cannot_be_cleared_for_sure_is_refused(tmp_path: Path):
    """Content that no operator of ours explains paints into the place: no file is better than a lie."""
    source = make.text(tmp_path / "a.pdf", 1)
    with make.edit(source) as pdf:
        page = pdf.pages[0].obj
        cell = pdf.make_stream(b"0 0 5 5 re f", PatternType=1, PaintType=1, TilingType=1, BBox=[0, 0, 9, 9], XStep=9)
        cell.YStep, cell.Resources = 9, pikepdf.Dictionary()
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type3, FontBBox=[0, 0, 1, 1])
        font.FontMatrix, font.FirstChar, font.LastChar, font.Widths = [1, 0, 0, 1, 0, 0], 65, 65, [1]
        font.Encoding = pikepdf.Dictionary(Differences=[65, pikepdf.Name.A])
        # It draws far from where its box says.
        font.CharProcs = pikepdf.Dictionary(A=pdf.make_stream(b"1 0 d0 20 20 9 9 re f"))
        page.Resources.Font.F9 = pdf.make_indirect(font)
        page.Contents = pdf.make_stream(b"BT /F9 10 Tf 10 10 Td (A) Tj ET")
    ran = edited(tmp_path, source, {"kind": "redact", "page": 1, "boxes": [[205, 842 - 305, 60, 90]]})
    assert ran.problem and ran.problem.reason == "redaction_unsure" and not ran.outputs


@pytest.mark.skipif(not REFINED.exists(), reason="no collection of foreign files here")
@pytest.mark.parametrize(("name", "refused"), [("refine-refine", True), ("symbol-textbottomleft", False)])
def test_a_picture_that_readers_see_differently_is_refused(tmp_path: Path, name: str, refused: bool):
    """Of JBIG2 some decode a refined region as all black: what they see is not what would be kept."""
    source = REFINED.with_name(f"pdfjs__bitmap-{name}.pdf")
    ran = edited(tmp_path, source, {"kind": "redact", "page": 1, "boxes": [[100, 100, 80, 80]], "look": "none"})
    assert (ran.problem.reason if ran.problem else "") == ("redaction_unsure" if refused else "")


def test_a_line_of_a_chinese_contract_is_changed_for_every_reader(tmp_path: Path):
    """In one string, in kerned pieces inside a form (what follows moves), leaning, in Type 1 with Differences."""
    source = make_edit.contract(tmp_path / "合同.pdf")
    ran = edited(
        tmp_path,
        source,
        change(source, PARTY, "合同 第三章 甲方：纸鹤科技"),
        change(source, "1203", "9,876.50", reflow=True),
        change(source, LEANING, "公开文档"),
        change(source, "Cat", "Taco"),
    )
    for text in three_readers(ran.path):
        for words in ("合同第三章", "纸鹤", "9,876.50", "Taco", "测试一"):
            assert words in text, (words, text)
        assert "二章" not in text and "机密" not in text and "甲" in text and "公" in text
    borrowed = ran.noted("letters_borrowed")
    assert borrowed and set("甲方：科技公开To") <= set(borrowed["detail"])
    with pymupdf.open(ran.path) as document:
        spans = [s for b in document[0].get_text("dict")["blocks"] for line in b["lines"] for s in line["spans"]]
    changed = [span for span in spans if "三章" in span["text"] or "甲方" in span["text"]]
    assert {(round(span["size"], 1), span["color"]) for span in changed} == {(18.0, 0xCC0000)}
    assert {span["font"].partition("+")[2] or span["font"] for span in changed if "三章" in span["text"]} == {
        "NotoSansCJKsc-Regular"
    }
    assert min(span["origin"][0] for span in changed) == pytest.approx(50)


@pytest.mark.parametrize(("down", "reason"), [(485, "text_drawn"), (30, "text_not_found")])
def test_text_that_cannot_be_changed_says_why(tmp_path: Path, down: int, reason: str):
    source = make_edit.contract(tmp_path / "a.pdf")
    act = {"kind": "change", "page": 1, "box": [55, down, 60, 20], "was": "AA", "text": "BB"}
    ran = edited(tmp_path, source, act)
    assert ran.problem and ran.problem.reason == reason and not ran.outputs


def test_words_below_a_scan_are_not_what_is_seen(tmp_path: Path):
    """A change of the hidden words would change nothing that anybody sees."""
    source = make.text(tmp_path / "a.pdf", 1)
    with make.edit(source) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"q BT 3 Tr /F1 12 Tf 54 705 Td (Scanned) Tj ET Q")
    ran = edited(tmp_path, source, change(source, "Scanned", "Changed"))
    assert ran.problem and ran.problem.reason == "text_pictured" and not ran.outputs


def test_words_drawn_twice_change_twice_and_their_equals_beside_them_stay(tmp_path: Path):
    """A bold word is one drawn again a hair beside; the same word farther on the line is another."""
    source = make.text(tmp_path / "a.pdf", 1)
    with make.edit(source) as pdf:
        drawn = b"BT /F1 12 Tf 60 700 Td (same) Tj 0.3 0 Td (same) Tj 60 0 Td (same) Tj ET"
        pdf.pages[0].obj.Contents = pdf.make_stream(drawn)
    act = {"kind": "change", "page": 1, "box": [58, 130, 34, 16], "was": "same", "text": "other"}
    ran = edited(tmp_path, source, act)
    with pikepdf.open(ran.path) as pdf:
        content = pdf.pages[0].obj.Contents.read_bytes()
    assert content.count(b"<" + b"other".hex().encode() + b">") == 2 and content.count(b"(same)") == 1


def test_text_that_would_not_be_seen_is_refused(tmp_path: Path):
    """A clip around a table's cell, or the page's edge, would cut it without a word."""
    source = make.text(tmp_path / "a.pdf", 1)
    with make.edit(source) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"q 50 700 60 20 re W n BT /F1 12 Tf 54 705 Td (Cell) Tj ET Q")
    assert edited(tmp_path, source, change(source, "Cell", "Cells")).problem is None
    ran = edited(tmp_path / "long", source, change(source, "Cell", "Cells of a table"))
    assert ran.problem and ran.problem.reason == "text_too_long"


def test_added_things_are_annotations_or_content_upright_at_their_place(tmp_path: Path):
    """Every kind on every geometry: its ink is centred where the box is as seen, within two points."""
    source = make.geometry(tmp_path / "geometry.pdf")
    # On the left page units vary, so boxes are kept small; red is drawn by nothing else.
    box = [60, 100, 40, 24]
    kinds = {
        "FreeText": {"kind": "text", "text": "中国中国", "size": 10, "box": [60, 100, 40, 12]},
        "Square": {"kind": "shape", "shape": "rectangle", "begin": [60, 100], "end": [100, 124], "fill": "#ff0000"},
        "Ink": {"kind": "ink", "paths": [[[60, 100], [100, 124]]]},
        "Highlight": {"kind": "mark", "boxes": [box]},
    }
    for name, act in kinds.items():
        for burn in (False, True) if name != "Highlight" else (False,):
            acts = [
                {**act, "page": page, "colour": "#ff0000", **({"burn": True} if burn else {})} for page in range(1, 21)
            ]
            ran = edited(tmp_path / f"{name}{burn}", source, *acts)
            with pikepdf.open(ran.path) as pdf:
                held = [each for page in pdf.pages for each in page.obj.get("/Annots", ())]
                assert len(held) == (0 if burn else 20)
                assert all(
                    each.Subtype == f"/{name}" and "/N" in each.AP and "/NM" in each and "/M" in each for each in held
                )
                assert all(each.F == 4 for each in held)
            with pymupdf.open(ran.path) as document:
                for page in document:
                    _assert_centred(page, 106 if name == "FreeText" else 112)


def _assert_centred(page: Any, down: float) -> None:
    drawn = page.get_pixmap(dpi=72)
    pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width, drawn.n).astype(int)
    red = np.argwhere((pixels[..., 0] > 180) & (pixels[..., 1] < 120) & (pixels[..., 2] < 120))
    assert len(red), page.number
    (top, left), (bottom, right) = red.min(axis=0), red.max(axis=0)
    assert abs((left + right + 1) / 2 - 80) <= 2 and abs((top + bottom + 1) / 2 - down) <= 2, (page.number, red[:2])


def test_a_form_is_filled_and_made_part_of_the_page(tmp_path: Path):
    source = make_edit.questionnaire(tmp_path / "form.pdf")
    values = {"name": "张三 Zhang", "comb": "12龘4", "agree": True, "city": "上海", "size": "Large"}
    acts = [{"kind": "fill", "field": name, "value": value} for name, value in values.items()]
    ran = edited(tmp_path, source, *acts)
    assert look.fields_of(ran.path) == {
        "name": "张三 Zhang",
        "comb": "12龘4",
        "agree": "/On",
        "city": "sh",
        "size": "/Large",
    }
    flat = edited(tmp_path / "flat", source, *acts, flatten=True)
    words = look.text_of(flat.path)
    assert look.fields_of(flat.path) == {} and all(word in words for word in ("张三 Zhang", "龘", "上海"))
    assert look.looks_like(ran.path, flat.path) > 0.99
    for field, value, reason in (
        ("comb", "1234567", "field_unfit"),
        ("city", "广州", "field_unfit"),
        ("x", "1", "field_unknown"),
    ):
        refused = edited(tmp_path / reason / value, source, {"kind": "fill", "field": field, "value": value})
        assert refused.problem and refused.problem.reason == reason


def test_the_receipt_tells_what_stayed_and_what_no_longer_holds(tmp_path: Path):
    """What is added counts, too: nothing of the kind was there before."""
    source = make_forms.signed(tmp_path / "a.pdf")
    added = {"kind": "text", "page": 1, "box": [50, 60, 200, 40], "text": "Added"}
    ran = edited(tmp_path, source, added)
    assert ran.noted("signature_broken") == {"count": 1} and ran.noted("fields") == {"before": 1, "after": 1}
    assert ran.noted("annotations") == {"before": 0, "after": 1} and ran.noted("bookmarks") is None


def test_words_are_replaced_and_numbers_hidden_through_the_document(tmp_path: Path):
    """An identity card number and a bank card number go by their check digits; wrong ones are no such numbers."""
    source = make.text(
        tmp_path / "a.pdf", 2, title="11010519491231002X 110105194912310021 6222021234567890128 Page {n}"
    )
    ran = edited(tmp_path, source, {"kind": "replace", "find": "Paper  wings", "text": "纸翅膀"})
    assert ran.noted("words_replaced") == {"count": 24} and look.text_of(ran.path, 2).count("纸翅膀.") == 12
    card = "622202123456789012"
    check = next(digit for digit in range(10) if _luhn(card + str(digit)))
    source = make.text(tmp_path / "b.pdf", 2, title=f"11010519491231002X 110105194912310021 {card}{check}")
    act = {"kind": "hide", "terms": ["crane"], "presets": ["id_card", "bank_card"]}
    ran = edited(tmp_path / "hidden", source, act)
    held = look.all_bytes(ran.path)
    assert b"11010519491231002X" not in held and f"{card}{check}".encode() not in held and b"crane" not in held
    assert "110105194912310021" in look.text_of(ran.path, 2) and "the folds" in " ".join(look.text_of(ran.path).split())


def test_thousands_of_removed_words_leave_their_copies_too(tmp_path: Path):
    """The shortest of them as well, whatever blanks and capitals a bookmark has; words that only begin alike stay."""
    with pikepdf.open(make.text(tmp_path / "a.pdf", 1)) as pdf:
        bookmarks(pdf, [("Chapter 7: QUAG  gamire", 1, 0), ("quaggaline 5000", 1, 0)])
        words = [f"somewhat longer word {at}" for at in range(5000)]
        assert clean_copies(pdf, [*words, "Quaggamire", "pdf"]) == 1
        with pdf.open_outline() as outline:
            assert [each.title for each in outline.root] == ["Chapter 7: █", "quaggaline 5000"]


def test_words_are_hidden_wherever_pages_have_their_origin(tmp_path: Path):
    """Turned, cropped and enlarged pages: the word goes, its neighbours stay, and a picture of the rest is the same."""
    source = make.geometry(tmp_path / "geometry.pdf")
    ran = edited(tmp_path, source, {"kind": "hide", "terms": ["crane"], "look": "none"})
    for before, after in zip(look.texts_of(source), look.texts_of(ran.path), strict=True):
        assert "".join(after.split()) == "".join(before.replace("crane", "").split())
    kept = edited(tmp_path / "kept", source, {"kind": "hide", "terms": ["crane"], "look": "none", "hits": [
        {"page": 7, "boxes": [[0, 0, 2, 2]]}]})  # fmt: skip
    assert look.texts_of(kept.path) == look.texts_of(source)


def test_of_a_guessed_place_the_whole_word_goes_and_nothing_beside_it(tmp_path: Path):
    """The browser's box misses the outer letters; the second of the words stays, as it was not ticked."""
    source = make.text(tmp_path / "a.pdf", 1, title="crane crane ends")
    with pymupdf.open(source) as pdf:
        box = next(iter(pdf[0].search_for("crane")))
    guess = [box.x0 + 0.3 * box.width, box.y0 + 2, 0.4 * box.width, box.height - 4]
    act = {"kind": "hide", "terms": ["crane"], "look": "none", "hits": [{"page": 1, "boxes": [guess]}]}
    said = look.text_of(edited(tmp_path, source, act).path, 1).split()
    assert said[:2] == ["crane", "ends"] and look.text_of(source, 1).split()[:3] == ["crane", "crane", "ends"]


def _luhn(number: str) -> bool:
    doubled = [int(each) * (1 + at % 2) for at, each in enumerate(reversed(number))]
    return sum(sum(divmod(each, 10)) for each in doubled) % 10 == 0
