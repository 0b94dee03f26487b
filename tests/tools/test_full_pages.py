"""Word that flows: pages that are merely full, and pages whose text lies elsewhere on each, as scans' does."""

from collections.abc import Sequence

from cluster.engines.layout.document import compose
from cluster.engines.layout.model import Paragraph, Sheet, Span, Style, TextLine

LETTER = 12.0
WIDE = 35


def line(text: str, left: float, base: float) -> TextLine:
    box = left, base - 0.8 * LETTER, left + LETTER * len(text), base + 0.2 * LETTER
    return TextLine(box, base, (Span(text, Style("SimSun", LETTER)),))


def page(number: int, left: float, lines: Sequence[str], *more: TextLine) -> Sheet:
    """Lines below each other; what begins with a blank is set in."""
    own = [line(text.strip(), left + 2 * LETTER * text.startswith(" "), 100 + 24 * at) for at, text in enumerate(lines)]
    return Sheet(number, 612, 792, (*own, *more), whole=False)


def paragraph(lines: int, short: int = 20) -> list[str]:
    return [" " + "文" * (WIDE - 2), *["字" * WIDE] * (lines - 2), "尾" * short]


def texts(*sheets: Sheet) -> list[Paragraph]:
    return [block for block in compose(sheets).blocks if isinstance(block, Paragraph)]


def test_a_text_is_joined_where_each_page_lies_elsewhere_and_cells_stand_beyond_its_edge():
    cells = [line(text, 540, 60 + 14 * at) for at, text in enumerate(["续贷至", "第二日", "续贷至", "第三日"])]
    sheets = [
        page(at, left, paragraph(10) + paragraph(10) + paragraph(6), *cells[: 4 * (at == 1)])
        for at, left in enumerate((105, 128, 112))
    ]
    found = [len(text.lines) for text in texts(*sheets) if text.lines[0].text.startswith("文")]
    assert found == [10, 10, 6] * 3


def test_only_what_begins_a_page_after_room_was_left_is_told_to_begin_one():
    full, half = paragraph(13) + paragraph(13), paragraph(12)
    found = texts(page(0, 100, full), page(1, 100, half), page(2, 100, full))
    assert [text.page for text in found if text.new_page] == [2]
    assert [text.page for text in found] == [0, 0, 1, 2, 2]


def test_columns_are_no_edge():
    left, right = ([line("文" * 18, at, 100 + 24 * row) for row in range(28)] for at in (60, 320))
    found = compose([Sheet(0, 612, 792, (*left, *right[:4]), whole=False)])
    assert [band.columns for band in found.bands] == [2]
