"""Page numbers: in the words of the shared vectors, upright at their place, and nothing else disturbed."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from cluster.engines.fonts.embed import ASCENT, LEADING, width
from cluster.engines.marks.numbers import Counting, Number, chinese, letters, roman, sections_of, told
from cluster.fields import PLACES
from cluster.paper import MM
from tests import look, make
from tests.running import Ran, run_tool
from tests.tools.test_watermark import red_box, seen_size

VECTORS = json.loads((Path(__file__).parent.parent / "samples" / "numbers.json").read_text())


def numbered(folder: Path, source: Path, **options: Any) -> Ran:
    return run_tool("page_number", folder / "run", [source], **options)


def last_lines(path: Path) -> list[str]:
    """The last line of text of each page: the number was written last."""
    return [text.split("\r\n")[-1] for text in look.texts_of(path)]


def test_numbers_are_written_as_the_preview_writes_them():
    """site/src/editors/place/model.test.ts holds the preview to the same words."""
    for written, known in ((chinese, "chinese"), (roman, "roman"), (letters, "letters")):
        assert {number: written(int(number)) for number in VECTORS[known]} == VECTORS[known]
    for text, found in VECTORS["sections"].items():
        sections = sections_of(text)
        assert (sections if sections is None else [asdict(each) for each in sections]) == found, text
    for case in VECTORS["counting"]:
        counting = Counting(
            case["first"], case["style"], case["digits"], case["everything"], sections_of(case["sections"]) or ()
        )
        found = counting.of(case["chosen"], case["pages"])
        assert {str(page): asdict(number) for page, number in found.items()} == case["numbers"]
    values = {"file": "合同", "date": "2026-11-22", "page": "9", "pages": "20"}
    number = Number(**VECTORS["number"])
    assert {pattern: told(pattern, number, values) for pattern in VECTORS["told"]} == VECTORS["told"]


@pytest.mark.parametrize("place", ["top-left", "bottom", "right"])
def test_a_number_lands_upright_at_its_place(tmp_path: Path, place: str):
    """/Rotate × CropBox × boxes off the origin × UserUnit: the ink of a block letter, within 2 pt."""
    assert place in PLACES
    ran = numbered(
        tmp_path, make.geometry(tmp_path / "a.pdf"), format="own", pattern="H", place=place, size=40,
        margin_x=8, margin_y=12, colour="#ff0000",
    )  # fmt: skip
    w, h, mm = width("H") * 40, LEADING * 40, MM
    for page in range(1, 21):
        across, down = seen_size(ran.path, page)
        x = 8 * mm if place.endswith("left") else across - 8 * mm - w if place.endswith("right") else (across - w) / 2
        top = 12 * mm if place.startswith("top") else down - 12 * mm - h if "bottom" in place else (down - h) / 2
        left, high, right, low = red_box(ran.path, page) or (0, 0, 0, 0)
        assert (left + right) / 2 == pytest.approx(x + w / 2, abs=2), (page, place)
        assert low == pytest.approx(top + ASCENT * 40, abs=2), (page, place)
        assert 26 < low - high < 32 and right - left < 32, "it stands upright"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"format": "n"}, ["1", "2", "3", "4"]),
        ({"format": "of"}, ["1/4", "2/4", "3/4", "4/4"]),
        ({"format": "zh"}, ["第 1 页 共 4 页", "第 2 页 共 4 页", "第 3 页 共 4 页", "第 4 页 共 4 页"]),
        ({"format": "chinese", "start": 9}, ["九", "十", "十一", "十二"]),
        ({"format": "ROMAN", "skip_cover": True}, ["Line", "I", "II", "III"]),
        ({"format": "en", "pages": "2-", "count_all": True}, ["Line", "Page 2 of 4", "Page 3 of 4", "Page 4 of 4"]),
        ({"sections": "1=i, 3=001"}, ["i", "ii", "001", "002"]),
        ({"digits": 4, "prefix": "A-", "suffix": "龘"}, ["A-0001龘", "A-0002龘", "A-0003龘", "A-0004龘"]),
        (
            {"format": "own", "pattern": "{file} {n:zh}—{n:roman} ①€ {page}/{pages} {other}"},
            [f"合同 {'一二三四'[n - 1]}—{roman(n)} ①€ {n}/4 {{other}}" for n in range(1, 5)],
        ),
    ],
)  # fmt: skip
def test_formats(tmp_path: Path, options: dict[str, Any], words: list[str]):
    ran = numbered(tmp_path, make.text(tmp_path / "合同.pdf", 4), **options)
    assert ran.outputs[0].name == "合同_页码.pdf"
    found = last_lines(ran.path)
    assert [line if word != "Line" else line[:4] for line, word in zip(found, words, strict=True)] == words
    assert ran.noted("pages_numbered") == {"count": len([word for word in words if word != "Line"])}


def test_facing_pages_change_sides(tmp_path: Path):
    source = make.blank(tmp_path / "a.pdf", 4, size=(400, 400))
    ran = numbered(tmp_path, source, facing=True, place="bottom-right", colour="#ff0000", size=20)
    sides = [(red_box(ran.path, page) or (0,))[0] > 200 for page in range(1, 5)]
    assert sides == [True, False, True, False]


def test_counting_goes_on_through_a_batch(tmp_path: Path):
    sources = [make.text(tmp_path / f"{name}.pdf", pages) for name, pages in (("a", 2), ("b", 3), ("c", 1))]
    options = {"across": True, "start": 8, "digits": 6, "prefix": "BX"}
    ran = run_tool("page_number", tmp_path / "run", sources, counts=[2, 3, 1], **options)
    assert [last_lines(each.path) for each in ran.outputs] == [
        ["BX000008", "BX000009"], ["BX000010", "BX000011", "BX000012"], ["BX000013"],
    ]  # fmt: skip
    for wrong in ([], [2, None, 1], [2, 4, 1]):
        problem = run_tool("page_number", tmp_path / f"wrong{len(wrong)}", sources, counts=wrong, **options).problem
        assert problem and (problem.reason, problem.facts["field"]) == ("option_invalid", "counts"), wrong
    # A file that the browser cannot read (it is damaged) needs no count where none comes after it.
    for last, counts in ((sources[:1], []), (sources[:2], [2, None])):
        ran = run_tool("page_number", tmp_path / f"last{len(last)}", last, counts=counts, **options)
        assert last_lines(ran.outputs[-1].path)[0] == ("BX000010" if counts else "BX000008")


def test_the_documents_own_labels(tmp_path: Path):
    """Counted where PDF can, written out where it cannot; the cover has none."""
    source = make.text(tmp_path / "a.pdf", 6)
    counted = numbered(tmp_path, source, labels=True, sections="2=i, 4=1", skip_cover=True, prefix="A-")
    assert look.labels_of(counted.path) == ["", "A-i", "A-ii", "A-1", "A-2", "A-3"]
    with pikepdf.open(counted.path) as pdf:
        assert len(pdf.Root.PageLabels.Nums) == 6
    spelled = run_tool("page_number", tmp_path / "zh", [source], labels=True, format="chinese", digits=1)
    assert look.labels_of(spelled.path) == ["一", "二", "三", "四", "五", "六"]


def test_text_already_there_is_told(tmp_path: Path):
    """Also where the page is turned, cropped and has units of its own: words stand at the upper left of all but
    turned pages, and on no page that is empty."""
    source = make.geometry(tmp_path / "a.pdf")
    with make.edit(source) as pdf:
        for page in list(pdf.pages)[10:]:
            page.obj.Contents = pdf.make_stream(b"")
    options: dict[str, Any] = {"margin_x": 5, "margin_y": 5, "size": 60}
    corner = {0: "top-left", 1: "top-right", 2: "bottom-right", 3: "bottom-left"}
    for turn, place in corner.items():
        ran = run_tool("page_number", tmp_path / place, [source], place=place, **options)
        told = set(_pages(ran.noted("text_at_place")["detail"]))  # type: ignore[index]
        assert {page for page in range(1, 11) if (page - 1) % 4 == turn} <= told <= set(range(1, 11)), place
    nothing = run_tool("page_number", tmp_path / "none", [make.blank(tmp_path / "b.pdf", 3)])
    assert nothing.noted("text_at_place") is None


def _pages(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def test_what_cannot_be(tmp_path: Path):
    source = make.text(tmp_path / "a.pdf", 1)
    assert numbered(tmp_path, source, skip_cover=True).problem.reason == "nothing_to_do"  # type: ignore[union-attr]
    problem = run_tool("page_number", tmp_path / "x", [source], sections="5", language="en").problem
    assert problem and problem.facts == {"field": "sections", "detail": "write page=number, such as 1=i, 5=1"}
    letter = run_tool("page_number", tmp_path / "y", [source], format="own", pattern="{n}\U0010fffd").problem
    assert letter and letter.reason == "glyph_missing"


def test_everything_else_stays(tmp_path: Path):
    source = make.rich(tmp_path / "a.pdf", 8)
    ran = numbered(tmp_path, source)
    for what in (look.outline_of, look.links_of, look.destinations_of, look.fields_of, look.notes_of,
                 look.attachments_of, look.labels_of, look.title_of, look.tagged_pages):  # fmt: skip
        assert what(ran.path) == what(source), what.__name__
    for number, (before, after) in enumerate(zip(look.texts_of(source), look.texts_of(ran.path), strict=True), 1):
        assert after.replace("\r\n", "").startswith(before.replace("\r\n", "")), number


def test_a_thousand_pages_stay_small(tmp_path: Path):
    source = make.text(tmp_path / "a.pdf", 1000)
    ran = numbered(tmp_path, source, format="zh")
    assert ran.path.stat().st_size < source.stat().st_size + 450 * 1000
    fonts = [name for name in look.fonts_of(ran.path) if "Noto" in name]
    assert len(fonts) == 1
