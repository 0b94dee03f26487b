"""Lines of slides: as wide as they were, broken where they were; told to break where they would not by themselves."""

import pytest

from cluster.engines.export.drawn_widths import drawn_width
from cluster.engines.export.set_lines import Piece, ends, ends_itself, held, narrowed, pieces, starts
from cluster.engines.export.set_parts import parts
from cluster.engines.export.slides_table import table_frame
from cluster.engines.export.slides_xml import Place, paragraphs
from cluster.engines.layout.model import Cell, Paragraph, Span, Style, Table, TextLine
from cluster.engines.layout.scattered import groups
from cluster.engines.reading.cells import cut


def line(text: str, right: float, font: str = "Arial", tabs: tuple[float, ...] = ()) -> TextLine:
    return TextLine((50.0, 100.0, right, 112.0), 110.0, (Span(text, Style(font, 10.0)),), tabs)


def wide(one: TextLine) -> float:
    """How wide the pieces of the line become."""
    made = pieces(one)
    return sum(map(drawn, made)) - max(0.0, made[-1].more)


def drawn(piece: Piece) -> float:
    """How wide LibreOffice draws it; it takes nothing off the last letter."""
    own = drawn_width(piece.span)
    assert own is not None
    return own + piece.more * (len(piece.span.text) - (piece.more < 0))


@pytest.mark.parametrize("font", ["Arial", "Palatino-Roman"])
@pytest.mark.parametrize("right", [160.0, 168.0, 175.0])
def test_a_line_is_as_wide_as_it_was(font: str, right: float) -> None:
    one = line("words that stand on a line", right, font)
    assert wide(one) == pytest.approx(one.width, abs=0.5)
    assert "".join(piece.span.text for piece in pieces(one)) == one.text


def test_blanks_alone_widen_where_the_letters_are_their_own() -> None:
    for piece in pieces(line("words that stand on a line", 180.0)):
        assert bool(piece.more) == piece.span.text.isspace()


def test_a_tab_leads_where_it_led_and_what_follows_is_fitted() -> None:
    first, *rest = pieces(line("1.\tan item of a list", 160.0, tabs=(70.0,)))
    assert (first.span.text, first.more) == ("1.\t", 0.0)
    assert any(piece.more for piece in rest)


def test_text_breaks_by_itself_where_the_next_word_has_no_room() -> None:
    below = line("considerable words follow", 190.0)
    assert ends_itself(line("a line that is full", 195.0), below, 200.0)
    assert not ends_itself(line("a line that is short", 120.0), below, 200.0)
    assert not ends_itself(line("a line with a hyphen-", 195.0), below, 200.0)


def spread(words: list[tuple[str, float]], font: str = "Arial") -> TextLine:
    """Words where they begin; letters are half as wide as they are high."""
    text, places = "", list[float]()
    for word, start in words:
        text += " " * bool(text)
        places += [start - 2.0] * (len(text) - len(places))
        text += word
        places += [start + 5.0 * at for at in range(len(word))]
    ends = words[-1][1] + 5.0 * len(words[-1][0])
    span = Span(text, Style(font, 10.0), places=[*places, ends])
    return TextLine((words[0][1], 100.0, ends, 112.0), 110.0, (span,))


@pytest.mark.parametrize("font", ["Arial", "Palatino-Roman", "NimbusRomNo9L-Regu"])
def test_each_word_begins_where_it_began(font: str) -> None:
    words = [("Words", 50.0), ("stand", 85.0), ("apart,", 113.0), ("far", 240.0), ("away", 262.0)]
    one, begun = spread(words, font), dict[str, float]()
    at = starts(one)
    for piece in pieces(one):
        # Its letters have half of what they have more before them, where they are another font's.
        begun[piece.span.text] = at - piece.more / 2 * (font == "Palatino-Roman")
        at += drawn(piece)
    assert {word: begun[word] for word, _ in words} == pytest.approx(dict(words), abs=0.3)


def test_words_that_stand_by_themselves_stay_one_run() -> None:
    text = "words by themselves"
    own = [drawn_width(Span(text[:count], Style("Arial", 10.0))) or 0.0 for count in range(len(text) + 1)]
    # A tenth of a point is seen by nobody.
    span = Span(text, Style("Arial", 10.0), places=[50.0 + each + 0.1 * (at > 5) for at, each in enumerate(own)])
    (piece,) = pieces(TextLine((50.0, 100.0, 50.0 + own[-1], 112.0), 110.0, (span,)))
    assert (piece.span.text, piece.more) == (text, 0.0)


@pytest.mark.parametrize(("less", "fits"), [(0.004, True), (0.008, True), (0.3, False)])
def test_a_line_that_is_narrowed_fits_its_cell(less: float, fits: bool) -> None:
    """Each word is narrowed in whole units, which are none for a short one; what cannot fit is left as it is."""
    text = "All of it is to be in a row as it was on the page we had"
    own = [drawn_width(Span(text[:count], Style("Arial", 10.0))) or 0.0 for count in range(len(text) + 1)]
    span = Span(text, Style("Arial", 10.0), places=[50.0 + each for each in own])
    room = (1 - less) * own[-1]
    loose = pieces(narrowed(TextLine((50.0, 100.0, 50.0 + own[-1], 112.0), 110.0, (span,)), room))
    tight = held(loose, room)
    assert sum(map(drawn, loose)) > room
    assert (sum(map(drawn, tight)) <= room) is fits
    assert fits or tight == loose


def test_an_apostrophe_is_a_latin_one_among_latin_letters() -> None:
    latin, chinese = drawn_width(Span("’s", Style("Arial", 10.0))), drawn_width(Span("’汉", Style("SimSun", 10.0)))
    assert latin is not None and latin < 8 and chinese == pytest.approx(20, abs=0.2)


def test_letters_of_another_font_stand_in_the_middle_of_their_room() -> None:
    words = [("nine", 50.0), ("fill", 80.0)]
    own, other = spread(words), spread(words, "Palatino-Roman")
    assert (starts(own), ends(own)) == (50.0, own.box[2])  # its own font's letters were set apart as they are here
    made = pieces(other)
    assert made[0].more > 0.3 and made[-1].more > 1.0
    shifted = [starts(other) - 50.0, ends(other) - other.box[2]]
    assert shifted == pytest.approx([made[0].more / 2, made[-1].more / 2], abs=0.05)


def test_a_line_that_begins_before_the_others_does_not_take_them_along() -> None:
    lefts = [62.0, 50.0, 50.0, 49.6, 50.0]
    lines = [
        TextLine((left, 12.0 * at, 250.0, 12.0 * at + 10), 12.0 * at + 10, (Span("x" * 40, Style("Arial", 10.0)),))
        for at, left in enumerate(lefts)
    ]
    (part,) = parts([Paragraph(lines, 12.0)], 12.0, (49.6, 250.0))
    assert (part.wraps, part.left, part.first) == (True, pytest.approx(0.4), pytest.approx(12.0))


def test_a_number_beside_a_value_marks_no_item() -> None:
    def beside(words: str) -> list[str]:
        pieces = [
            TextLine((left, 0.0, left + 5.0 * len(text), 10.0), 8.0, (Span(text, Style("Arial", 10.0)),))
            for text, left in (("1.9", 50.0), (words, 90.0))
        ]
        return [line.text for group in groups(pieces, 595.0) for line in group.lines]

    assert beside("R") == ["1.9", "R"] and beside("100.0") == ["1.9", "100.0"]
    assert beside("Application") == ["1.9\tApplication"]


def test_tabs_lead_from_the_boxs_side() -> None:
    one = TextLine((50.2, 0.0, 120.0, 10.0), 8.0, (Span("1)\twords", Style("Arial", 10.0)),), (80.0,))
    above = TextLine((50.0, -30.0, 120.0, -20.0), -22.0, (Span("words above", Style("Arial", 10.0)),))
    made = parts([Paragraph([above], 12.0), Paragraph([one], 12.0)], 12.0, (50.0, 120.0))
    written = paragraphs(made, None, Place(1.0, 0.0, 0.0, str))
    assert "<a:tab " in written and "marL" not in written  # set in, LibreOffice would lead the tab elsewhere


def test_a_cell_merged_from_the_first_row_has_the_smallest_margins() -> None:
    """LibreOffice makes the last of its rows as high as the whole text and its margins."""

    def made(first: int) -> str:
        low = TextLine((52.0, 70.0, 90.0, 80.0), 78.0, (Span("low", Style("Arial", 8.0)),))
        cell = Cell(first, 0, 2, 1, (50.0, 40.0, 100.0, 84.0), (Paragraph([low], 0),))
        table = Table([50.0, 100.0], [40.0 + 22 * row for row in range(-first, 3)], [cell], 0, ruled=True)
        return table_frame(1, table, (), 0, Place(1.0, 0.0, 0.0, str))

    assert 'marT="0"' in made(0) and 'anchor="b"' in made(0)
    assert 'anchor="t"' in made(1)


def test_a_line_that_is_set_from_the_right_lies_where_it_is_seen() -> None:
    """Letters of Arabic come in the order in which they are said; squeezed, they hung over the slide's edge."""
    places = [(90.0, 100.0), (80.0, 90.0), (70.0, 80.0)]
    chars = [
        {"c": letter, "bbox": (left, 100.0, right, 112.0), "origin": (right, 110.0)}
        for letter, (left, right) in zip("انو", places, strict=True)
    ]
    span = {"chars": chars, "bbox": (70.0, 100.0, 100.0, 112.0), "size": 10.0}
    (raw,) = cut([{"spans": [span], "bbox": span["bbox"]}], [])
    (made,) = raw["spans"]
    assert made["bbox"] == span["bbox"]
    one = TextLine(made["bbox"], 110.0, (Span(made["text"], Style("Arial", 10.0), places=made["places"]),))
    assert (starts(one), ends(one)) == (70.0, 100.0)
    assert [piece.more for piece in pieces(one)] == [0.0]
