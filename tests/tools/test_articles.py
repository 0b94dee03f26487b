"""Articles as journals print them: authors above columns, raised marks, rules of tables, references, full columns."""

import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import docx
import pymupdf
import pytest
from docx.enum.text import WD_TAB_ALIGNMENT, WD_TAB_LEADER

from cluster.engines.export.word_flow import write_flow
from cluster.engines.layout.document import compose
from cluster.engines.layout.model import (
    Block,
    Box,
    Document,
    Figure,
    Inked,
    Paragraph,
    Picture,
    Sheet,
    Span,
    Style,
    TextLine,
)
from cluster.engines.layout.rows import level
from cluster.engines.reading.digital import sheet_of
from tests.tools.test_page_begins import begun
from tests.valid import faults

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SIZE, PITCH, HIGH = 10.0, 12.0, 792.0
LEFT, RIGHT = (50.0, 295.0), (317.0, 562.0)
TOP, ROWS = 60.0, 56
BODY = Style("Times-Roman", SIZE)


def line(words: str, left: float, base: float, right: float, style: Style = BODY) -> TextLine:
    return TextLine((left, base - 0.8 * style.size, right, base + 0.2 * style.size), base, (Span(words, style),))


def lines(side: tuple[float, float], top: float, count: int, last: float = 0.0) -> list[TextLine]:
    """Running text from edge to edge; where its last line is `last` points shorter, it ends there."""
    words = "words that fill a line of a column from edge to edge"
    made = [line(words, side[0], top + PITCH * at, side[1]) for at in range(count - bool(last))]
    return [*made, line("and they end here.", side[0], top + PITCH * (count - 1), side[1] - last)] if last else made


def sheet(found: Sequence[TextLine], number: int = 0, **more: object) -> Sheet:
    return replace(Sheet(number, 612, HIGH, tuple(found)), **more)  # type: ignore[arg-type]


def texts(document: Document) -> list[str]:
    return [" ".join(each.text for each in block.lines) for block in paragraphs(document)]


def paragraphs(document: Document) -> list[Paragraph]:
    return [block for block in document.blocks if isinstance(block, Paragraph)]


def raised(mark: str, words: str, left: float, base: float, right: float) -> TextLine:
    spans = Span(mark, replace(BODY, raised=True)), Span(words, BODY)
    return TextLine((left, base - 8, right, base + 2), base, spans)


def test_addresses_of_authors_are_no_endnotes() -> None:
    """They begin with the marks that are raised behind the names, as endnotes do, and the article follows them."""
    names = TextLine((150, 82, 400, 94), 90, (Span("Some Author", BODY), Span("1", replace(BODY, raised=True))))
    address = raised("1", "University of Somewhere, and its city", 150, 104, 400)
    made = compose([sheet([names, address, *lines(LEFT, 140, 40), *lines(RIGHT, 140, 40)])])
    assert not made.notes
    assert "University of Somewhere" in " ".join(texts(made))


RULE = 50.0, 590.0, 190.0, 590.5


@pytest.mark.parametrize(
    ("others", "noted"),
    [
        ([], True),
        ([(50.0, 630.0, 190.0, 630.5)], False),  # as wide as another one
        ([(190.0, 560.0, 190.5, 640.0)], False),  # a cell's edge
    ],
)
def test_rules_of_tables_begin_no_footnotes(others: list[Box], noted: bool) -> None:
    """One short rule alone does; below those of a table stand its cells."""
    marked = TextLine((50, 92, 300, 104), 100, (Span("Text", BODY), Span("1", replace(BODY, raised=True))))
    low = line("1 Said below", 50, 610, 200, replace(BODY, size=8.0))
    made = compose([sheet([marked, *lines((50, 562), 130, 30), low], rules=(RULE, *others))])
    assert [note.mark for note in made.notes] == ["1"] * noted


def test_a_mark_of_an_author_stays_beside_notes_with_numbers(tmp_path: Path) -> None:
    """Its note is one of Word's own, too, and moves no number."""
    marks, base = ["∗", "1", "2"], 600.0
    named = Span("Text", BODY), *(Span(mark, replace(BODY, raised=True)) for mark in marks[:1]), Span(" and", BODY)
    cited = (span for mark in marks[1:] for span in (Span("more", BODY), Span(mark, replace(BODY, raised=True))))
    marked = TextLine((50, 92, 300, 104), 100, (*named, *cited))
    low = [
        line(f"{mark} Said of {mark}", 50, base + 12 * at, 200, replace(BODY, size=8.0))
        for at, mark in enumerate(marks)
    ]
    write_flow(compose([sheet([marked, *lines((50, 562), 130, 30), *low], rules=(RULE,))]), tmp_path / "a.docx")
    with zipfile.ZipFile(tmp_path / "a.docx") as file:
        body, notes = (file.read(f"word/{name}.xml").decode() for name in ("document", "footnotes"))
    assert re.findall(r"<w:footnoteReference[^>]*>(?:<w:t>(.*?)</w:t>)?", body) == ["∗", "", ""]
    assert re.findall(r"<w:(?:t>∗</w:t|footnoteRef/)>", notes) == ["<w:t>∗</w:t>", *["<w:footnoteRef/>"] * 2]
    assert not re.search("<w:footnotePr>.*?numFmt", body)
    assert faults(tmp_path / "a.docx") == []


def test_what_nothing_refers_to_is_no_note_and_ends_no_page() -> None:
    """A short rule and a few words below it, in the upper half of a page: there is room for what follows."""
    low = line("Said below", 50, 260, 200, replace(BODY, size=8.0))
    first = sheet([*lines((50, 562), TOP, 12, 40), low], rules=((50.0, 240.0, 190.0, 240.5),))
    full = sheet(lines((50, 562), TOP, ROWS, 40), 2)
    assert begun(compose([first, sheet(lines((50, 562), TOP, 20, 40), 1), full]))[0]


def test_a_row_above_columns_stays_whole() -> None:
    """Its middle piece stands over the gutter, the last one over the right column."""
    names = [line("First", 80, 90, 140), line("Second", 270, 90, 340), line("Third", 440, 90, 500)]
    made = compose([sheet([*names, *lines(LEFT, 140, 40), *lines(RIGHT, 140, 40)])])
    assert [band.columns for band in made.bands] == [1, 2]
    assert "Third" in texts(made)[0]


def test_entries_of_references_hang_together() -> None:
    entries = [
        *(line(f"[{at}] An author, and the title of", 55, 90 + 36 * at, 295) for at in range(1, 10)),
        *(line("what was written there in 2011.", 70, 102 + 36 * at, 250 + 5 * at) for at in range(1, 10)),
    ]
    made = compose([sheet([*entries, *lines(RIGHT, 90, 40)])])
    found = [text for text in paragraphs(made) if text.lines[0].text.startswith("[")]
    assert [len(text.lines) for text in found] == [2] * 9
    assert {round(text.first) for text in found} == {-15}


def test_an_abstract_in_the_middle_is_one_text() -> None:
    block = [line("An abstract is set from edge to edge and", 111, 90, 510)]
    block += [line("goes on so for several lines that are all alike", 102, 90 + PITCH * at, 510) for at in range(1, 5)]
    block += [line("until it ends.", 102, 90 + PITCH * 5, 300)]
    made = compose([sheet([*block, *lines(LEFT, 200, 40), *lines(RIGHT, 200, 40)])])
    (abstract,) = (text for text in paragraphs(made) if text.lines[0].text.startswith("An abstract"))
    assert len(abstract.lines) == 6
    assert (abstract.align, round(abstract.left), round(abstract.first)) == ("both", 52, 9)


def test_an_abstract_off_the_middle_whose_marks_stand_out_is_one_text() -> None:
    """Its lines may begin with numbers. Items that happen to be as long as each other stay items."""
    words = ["An abstract is set in at both sides, more at the one than at the other, and attains"]
    words += ["9.1 of its points with lines whose commas, hyphens and full stops hang over,"]
    words += ["beyond the edge at which the letters of all the others end, in a narrow mar-", "gin of their own."]
    ends = [500.0, 502.5, 502.5, 180.0]
    block = [line(text, 86, 90 + PITCH * at, end) for at, (text, end) in enumerate(zip(words, ends, strict=True))]
    items = [line(f"{at}) Text of an item that is as long as the other.", 86, 150 + PITCH * at, 500) for at in (1, 2)]
    made = paragraphs(compose([sheet([*block, *items, *lines((50, 562), 220, 20)])]))
    assert [(len(text.lines), text.kind) for text in made][:3] == [(4, "text"), (1, "item"), (1, "item")]
    assert made[0].align == "both"


def test_numbers_of_entries_in_a_table_of_contents_stand_before_their_names(tmp_path: Path) -> None:
    said = [f"2.{at}\tName of a part . . . . . . . . . . . . . {at + 2}" for at in range(1, 6)]
    entries = [replace(line(text, 72, 90 + 18 * at, 540), tabs=(96.0,)) for at, text in enumerate(said)]
    write_flow(compose([sheet([*entries, *lines((50, 562), 220, 20)])]), tmp_path / "a.docx")
    found = [each for each in docx.Document(str(tmp_path / "a.docx")).paragraphs if "Name of a part" in each.text]
    assert [each.text for each in found] == [f"2.{at}\tName of a part \t{at + 2}" for at in range(1, 6)]
    stops = [[(stop.alignment, stop.leader) for stop in each.paragraph_format.tab_stops] for each in found]
    assert stops == [[(WD_TAB_ALIGNMENT.LEFT, WD_TAB_LEADER.SPACES), (WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)]] * 5


def columns_of(number: int, rows: int, **more: object) -> Sheet:
    return sheet([*lines(LEFT, TOP, ROWS, 40), *lines(RIGHT, TOP, rows, 40)], number, **more)


def told(document: Document) -> list[Block]:
    """What is told to begin a column."""
    return [text for text in paragraphs(document) if text.new_column]


def test_what_follows_a_full_column_is_not_told_to_begin_the_next_one() -> None:
    """Else a line that goes over sends the rest to the next page."""
    assert not told(compose([columns_of(0, ROWS)]))
    short = sheet([*lines(LEFT, TOP, 20, 40), *lines(RIGHT, TOP, ROWS, 40)])
    assert len(told(compose([short]))) == 1


@pytest.mark.parametrize("rows", [ROWS, 20])
def test_a_picture_begins_a_page_by_itself_behind_a_full_one(tmp_path: Path, rows: int) -> None:
    (tmp_path / "a.png").write_bytes(b"a picture")
    picture = Picture((50.0, 50.0, 295.0, 250.0), tmp_path / "a.png")
    low = [*lines(LEFT, 280, 35, 40), *lines(RIGHT, TOP, ROWS, 40)]
    made = compose([columns_of(0, ROWS), columns_of(1, rows), sheet(low, 2, pictures=(picture,))])
    (figure,) = (block for block in made.blocks if isinstance(block, Figure))
    assert figure.new_page == (rows != ROWS)


def test_a_page_of_other_columns_flows_on_too() -> None:
    wide = sheet(lines((50, 562), TOP, ROWS, 40), 1)
    assert begun(compose([columns_of(0, ROWS), wide])) == [False]


def test_headers_close_above_the_text_are_those_of_other_pages() -> None:
    """On two of five pages the text begins right below the header."""
    pages = []
    for number in range(5):
        top = 64.0 if number in (0, 3) else 90.0
        head = line("Names of the journal", 50, 50, 180)
        pages.append(sheet([head, *lines((50, 562), top, 40)], number))
    made = compose(pages)
    assert [each.text for each in made.running[0].usual[0]] == ["Names of the journal"]
    assert not any("journal" in words for words in texts(made))


def test_what_one_page_alone_has_above_its_text_is_no_header_of_others() -> None:
    pages = []
    for number, name in enumerate(["One", "One", "Two lines", "One", "One"]):
        head = line(f"Chapter {name}", 50, 50, 180)
        pages.append(sheet([head, *lines((50, 562), 90, 40)], number))
    made = compose(pages)
    assert [each.text for each in made.running[0].usual[0]] == ["Chapter One"]


def test_a_raised_mark_stands_where_it_is_in_its_line() -> None:
    """As formulas are set: "χ² = 5.28", its figure a small piece of its own over the middle of another."""
    whole = line("χ = 5.28", 60, 100, 124)
    mark = line("2", 69, 95.5, 72, replace(BODY, size=6))
    (made,) = level([whole, mark])
    assert made.text.replace(" ", "") == "χ2=5.28"
    assert [span.text.strip() for span in made.spans if span.style.raised] == ["2"]


def test_letters_of_formulas_are_no_bullets() -> None:
    greek = [replace(line("χ = 5", 60, 100 + 30 * at, 90), spans=_symbols("χ", " = 5")) for at in range(3)]
    dots = [replace(line("· said", 60, 300 + 30 * at, 90), spans=_symbols("·", " said")) for at in range(3)]
    made = compose([sheet([*greek, *dots])])
    assert [text.kind for text in paragraphs(made)] == ["text"] * 3 + ["item"] * 3


def _symbols(symbol: str, rest: str) -> tuple[Span, Span]:
    return Span(symbol, replace(BODY, font="Symbol")), Span(rest, BODY)


def test_what_stands_beside_a_first_page_s_footer_is_its_own() -> None:
    """Its number comes again on the next pages; what is right of it stands on the first one alone."""
    pages = []
    for number in range(4):
        foot = [line(f"35406-{number + 1}", 280, 770, 330)]
        foot += [line("Copyright of the first page", 450, 770, 562)] if not number else []
        pages.append(sheet([*lines((50, 562), TOP, 50), *foot], number))
    made = compose(pages)
    assert not any("Copyright" in words for words in texts(made))
    assert [
        [each.text for each in margin[1]] for margin in (made.running[0].first, made.running[0].usual) if margin
    ] == [
        ["35406-1", "Copyright of the first page"],
        ["35406-2"],
    ]


def drawn(tmp_path: Path, draw: Callable[[pymupdf.Page], object]) -> Sheet:
    """A page, as it is read."""
    with pymupdf.open() as pdf:
        draw(pdf.new_page(width=612, height=HIGH))
        pdf.save(tmp_path / "a.pdf")
    with pymupdf.open(tmp_path / "a.pdf") as pdf:
        return sheet_of(pdf[0], tmp_path / "parts", drawings=True)


def test_what_a_clip_hides_is_no_drawing(tmp_path: Path) -> None:
    """A drawing is placed through a clip; what is drawn beyond that, from side to side of the page, is not seen."""

    def draw(page: pymupdf.Page) -> None:
        waves = "".join(f"{x} 500 m {x + 30} 560 {x + 60} 440 {x + 90} 500 c S " for x in range(-400, 900, 8))
        page.insert_text((60, 80), "What is said above the drawing.")
        page.parent.update_stream(page.get_contents()[0], page.read_contents() + (
            f"\nq 100 440 200 120 re W n {waves} Q".encode()
        ))  # fmt: skip

    (picture,) = drawn(tmp_path, draw).pictures
    assert picture.box == pytest.approx((100, HIGH - 560, 300, HIGH - 440), abs=4)


def test_blanks_behind_a_line_take_no_room(tmp_path: Path) -> None:
    """Numbers end alike, whatever blank stands behind some of them."""

    def draw(page: pymupdf.Page) -> None:
        for row, text in enumerate(["12.5", "12.5 ", "12.5  "]):
            page.insert_text((100, 100 + 30 * row), text, fontname="tiro", fontsize=12)

    ends = [line.box[2] for line in drawn(tmp_path, draw).lines]
    assert max(ends) - min(ends) < 0.1


def test_boxes_on_a_line_are_choices_and_no_bullets() -> None:
    ticked = [
        line(words, 60, 100 + 30 * at, 160) for at, words in enumerate(["□ 是 √ 否", "√ 适用 □ 不适用", "□ 一项"])
    ]
    assert [text.kind for text in paragraphs(compose([sheet(ticked)]))] == ["text", "text", "item"]


@pytest.mark.parametrize("mark", ["", "\t"])
def test_what_stands_far_behind_an_item_s_text_has_a_stop_of_its_own(tmp_path: Path, mark: str) -> None:
    """ "1、Something, Unit: yuan" above a table: the gap before the unit is not the one behind the number."""
    said, tabs = f"、{mark}资产负债表项目变动的情况\t单位：人民币元", (*[75.0] * bool(mark), 400.0)
    items = [replace(line(f"{number}{said}", 60, 60 + 40 * number, 562), tabs=tabs) for number in (1, 2, 3)]
    made = compose([sheet([*items, *lines((50, 562), 250, 20)])])
    assert [text.kind for text in paragraphs(made)][:3] == ["item"] * 3
    write_flow(made, tmp_path / "a.docx")
    for text in (each for each in docx.Document(str(tmp_path / "a.docx")).paragraphs if "单位" in each.text):
        assert text.paragraph_format.left_indent.pt < 60
        assert len(text.paragraph_format.tab_stops) == 1


def test_a_mark_over_a_raised_mark_stands_in_the_line_too() -> None:
    high = [line("b", 84, 92.5, 87, replace(BODY, size=4)), line("a", 80, 95.5, 83.5, replace(BODY, size=6))]
    (made,) = level([line("2", 74, 100, 79), *high])
    assert made.text.replace(" ", "") == "2ab"


def test_a_mark_over_a_note_s_reference_parts_no_letters() -> None:
    """Which has no text of its own any more."""
    note = replace(line("", 60, 100, 80), spans=(Span("", BODY, note=0),))
    (made,) = level([note, line("2", 70, 95.5, 73, replace(BODY, size=6))])
    assert [span.note for span in made.spans] == [0, None]


@pytest.mark.parametrize(
    ("rule", "fills", "side"),
    [
        ((50.0, 52.0, 562.0, 53.0), (), ["bottom"]),
        ((50.0, 52.0, 200.0, 53.0), (), []),
        ((50.0, 70.0, 562.0, 71.0), (), []),
        ((50.0, 52.0, 562.0, 53.0), (((50.0, 36.0, 562.0, 53.0), 0x000066),), []),
    ],
)
def test_the_rule_below_a_header_is_drawn_below_it(
    tmp_path: Path, rule: Box, fills: tuple[Inked, ...], side: list[str]
) -> None:
    """A short one, or one that stands farther off, is none of the header's; at its ground's edge it pushes text."""
    head = line("Some company, report of a quarter", 200, 48, 412)
    drawn = {"thick_rules": ((rule, 0x336699),), "fills": fills}
    pages = [sheet([head, *lines((50.0, 562.0), 100, 40)], at, **drawn) for at in range(3)]
    write_flow(compose(pages), tmp_path / "a.docx")
    (text,) = docx.Document(str(tmp_path / "a.docx")).sections[0].header.paragraphs
    borders = text._p.pPr.findall(f"{{{W}}}pBdr/*")
    assert [border.tag.rpartition("}")[2] for border in borders] == side
    assert [border.get(f"{{{W}}}color") for border in borders] == ["336699"] * len(side)
    assert [border.get(f"{{{W}}}sz") for border in borders] == ["8"] * len(side)
