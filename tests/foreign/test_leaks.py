"""The search for other pages' words finds them, and knows what belongs to a part's own pages."""

from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, String

from tests import make
from tests.foreign import leaks


@pytest.mark.parametrize(("own", "found"), [(True, []), (False, ["section"])])
def test_names_of_own_places_are_no_words_of_others(tmp_path: Path, own: bool, found: list[str]) -> None:
    part = make.text(tmp_path / "part.pdf", 1)
    with make.edit(part) as pdf:
        place = Array([pdf.pages[0].obj if own else None, Name.Fit])
        pdf.Root.Names = Dictionary(Dests=pdf.make_indirect(Dictionary(Names=Array([String("section*.2"), place]))))
    shown = leaks.Shown([frozenset(), frozenset()], frozenset(), ["", ""])
    assert leaks.leaked(part, shown, ["Page 1", "section 2"], frozenset({1})) == found


def test_what_another_page_shows(tmp_path: Path) -> None:
    source = make.text(tmp_path / "source.pdf", 2, title="secret {n}")
    shown = leaks.shown_by(source)
    part = make.text(tmp_path / "part.pdf", 1, title="secret 2")
    assert any("secret 2" in each for each in leaks.leaked(part, shown, ["secret 1", "secret 2"], frozenset({1})))
