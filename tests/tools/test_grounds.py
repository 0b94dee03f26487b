"""Light letters in cells: what they stand on goes with them, be it a part of the cell."""

from cluster.engines.layout.model import Box, Sheet, Span, Style, TextLine
from cluster.engines.layout.tables import tables

_BROWN, _WHITE = 0xA0500A, 0xFFFFFF


def _line(text: str, left: float, base: float, colour: int) -> TextLine:
    box = left, base - 9, left + 5 * len(text), base + 2
    return TextLine(box, base, (Span(text, Style("Body", 10, colour=colour)),))


def _fills(colour: int) -> list[int | None]:
    """Of the cells of a table whose first one is brown in its lower half, where letters of the colour stand."""
    rows, columns = (100.0, 160.0, 180.0, 200.0), (60.0, 200.0, 340.0)
    rules: list[Box] = [(60.0, y - 0.3, 340.0, y + 0.3) for y in rows]
    rules += [(x - 0.3, 100.0, x + 0.3, 200.0) for x in columns]
    lines = [_line("District", 70, 150, colour), _line("Total", 210, 150, 0)]
    lines += [_line(text, x, y, 0) for y in (174, 194) for text, x in (("North", 70), ("12", 210))]
    (found,) = tables([Sheet(0, 595, 842, tuple(lines), rules=tuple(rules), fills=(((60, 130, 200, 160), _BROWN),))])
    return [cell.fill for cell in found.table.cells]


def test_what_light_letters_stand_on_is_their_cell_s() -> None:
    assert _fills(_WHITE) == [_BROWN, *[None] * 5]
    assert _fills(0x202020) == [None] * 6
