"""Word that flows: where its pages begin, so that each holds what the page held that it comes from."""

from collections.abc import Sequence
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn

from cluster.engines.layout.document import compose
from cluster.engines.layout.model import Document, Paragraph, Sheet, Span, Style, TextLine
from cluster.engines.pdf.libraries import import_pymupdf
from tests.running import run_tool

SIZE, PITCH, TOP, WIDE = 12.0, 20.0, 100.0, 35
FULL = 30


def line(text: str, base: float) -> TextLine:
    box = 72.0, base - 0.8 * SIZE, 72 + SIZE * len(text), base + 0.2 * SIZE
    return TextLine(box, base, (Span(text, Style("SimSun", SIZE)),))


def page(number: int, texts: Sequence[Sequence[str]], top: float = TOP, apart: float = 0.0) -> Sheet:
    """Texts of lines, `apart` points more between them."""
    lines, base = [], top
    for text in texts:
        for each in text:
            lines.append(line(each, base))
            base += PITCH
        base += apart
    return Sheet(number, 612, TOP + PITCH * (FULL - 1) + 90, tuple(lines))


def text(lines: int, short: int = 20) -> list[str]:
    return ["字" * WIDE] * (lines - 1) + ["尾" * short]


def begun(document: Document) -> list[bool]:
    """Whether each page but the first is told to begin."""
    heads = {block.page: block for block in reversed(document.blocks) if isinstance(block, Paragraph)}
    return [heads[at].new_page for at in sorted(heads) if at]


@pytest.mark.parametrize(
    ("last", "top", "told"),
    [
        (FULL, TOP, False),
        (FULL, TOP + 2 * PITCH, True),  # two lines lower: after empty ones, or told so
        (FULL - 4, TOP, True),  # its first lines would have found room
    ],
)
def test_a_page_is_told_to_begin_where_it_would_not_by_itself(last: int, top: float, told: bool) -> None:
    sheets = [page(0, [text(10), text(10), text(FULL - 20)]), page(1, [text(10), text(last - 10)])]
    assert begun(compose([*sheets, page(2, [text(10), text(10)], top)])) == [False, told]


def test_room_above_what_flows_on_is_as_usual_and_no_gap_s() -> None:
    """Above the last text of the first page there is a gap; the texts of the second stand a line apart."""
    first = page(0, [text(10), text(FULL - 20)])
    low = [line(each, TOP + PITCH * (FULL - 4 + at)) for at, each in enumerate(text(4))]
    second = page(1, [text(10), text(10)], apart=PITCH)
    made = compose([Sheet(0, first.width, first.height, (*first.lines, *low)), second])
    (head,) = (block for block in made.blocks if block.page == 1 and block.lines[0].base == TOP)
    assert not head.new_page and head.before == pytest.approx(PITCH)


def test_single_lines_are_as_far_apart_as_others() -> None:
    """A page that begins with one has its text where it was, though room above is not shown there."""
    single = [["一行" * 5]] * 10
    made = compose([page(0, [text(FULL - 10), *single]), page(1, [*single, text(FULL - 10)])])
    pitches = {round(block.pitch, 1) for block in made.blocks if isinstance(block, Paragraph)}
    assert pitches == {PITCH}
    assert made.margins[1] == pytest.approx(TOP - 0.8 * PITCH)
    assert {round(block.before, 1) for block in made.blocks if isinstance(block, Paragraph)} == {0.0}


def test_where_most_single_lines_have_no_such_room_none_is_farther_apart() -> None:
    single = [line("一行" * 5, TOP + 14 * at + 40 * (at > 9)) for at in range(11)]
    long = [line(each, TOP + 280 + PITCH * at) for at, each in enumerate(text(10))]
    made = compose([Sheet(0, 612, 792, (*single, *long))])
    pitches = {round(block.pitch) for block in made.blocks if isinstance(block, Paragraph) and len(block.lines) == 1}
    assert pitches == {14}


def test_items_that_end_alike_tell_no_edge() -> None:
    """The text's right edge is where lines were broken, and none was."""
    items = [f"{number}. This is simply a text." for number in range(1, 5)]
    made = compose([Sheet(0, 612, 792, tuple(line(each, TOP + PITCH * at) for at, each in enumerate(items)))])
    assert made.margins[2] == pytest.approx(72, abs=1)


def test_a_heading_that_ends_a_page_is_not_taken_along(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as pdf:
        for number in range(2):
            sheet = pdf.new_page(width=595, height=842)
            for row in range(40):
                at = 72, 80 + 17 * row
                if row in (0, 39):
                    sheet.insert_text(at, f"{number + 1}.{row} A Heading", fontsize=15, fontname="hebo")
                else:
                    sheet.insert_text(
                        at, "Words in running text, again and again, up to the right edge. " * 2, fontsize=8.5
                    )
        pdf.save(path)
    made = docx.Document(str(run_tool("pdf_to_word", tmp_path / "made", [path]).path))
    heads = {
        each.text: each._p.pPr.find(qn("w:keepNext")) for each in made.paragraphs if each.style.name.startswith("H")
    }
    kept = {text: flag is None or flag.get(qn("w:val")) != "0" for text, flag in heads.items()}
    assert kept == {"1.0 A Heading": True, "1.39 A Heading": False, "2.0 A Heading": True, "2.39 A Heading": True}
