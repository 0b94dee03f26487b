"""Lines of slides: as wide as they were, broken where they were; told to break where they would not by themselves."""

from dataclasses import replace

import pytest

from cluster.engines.export.set_lines import ends_itself, pieces
from cluster.engines.export.widths import own_width
from cluster.engines.layout.model import Span, Style, TextLine


def line(text: str, right: float, font: str = "Arial", tabs: tuple[float, ...] = ()) -> TextLine:
    return TextLine((50.0, 100.0, right, 112.0), 110.0, (Span(text, Style(font, 10.0)),), tabs)


def wide(one: TextLine) -> float:
    """How wide the pieces of the line become."""
    made = pieces(one)
    own = own_width(replace(one, spans=tuple(piece.span for piece in made)))
    assert own is not None
    return own + sum(piece.more * len(piece.span.text) for piece in made) - made[-1].more


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
