"""The vocabulary of options: each word has its bounds and its look in the form."""

from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from cluster import fields
from cluster.engines.marks.place import View, placed


@pytest.mark.parametrize(
    ("word", "fit", "unfit"),
    [
        (fields.Font, ("sans", "serif", "mono"), ("Arial", "")),
        (fields.Size, (4, 36.5, 400), (3.9, 401)),
        (fields.Place, tuple(fields.PLACES), ("middle", "")),
        (fields.Margin, (0, 28.35, 2000), (-1, 2001)),
        (fields.Opacity, (1, 100), (0, 101, 0.5)),
        (fields.Angle, (-180, 0.5, 180), (-181, 360)),
        (fields.PageList, ("1-3,odd,last", "5"), ("", " \t", "1," * 501)),
    ],
)
def test_a_word_has_bounds_and_a_look(word: Any, fit: tuple[Any, ...], unfit: tuple[Any, ...]) -> None:
    known = TypeAdapter(word)
    assert [known.validate_python(each) for each in fit] == list(fit)
    for each in unfit:
        with pytest.raises(ValidationError):
            known.validate_python(each)
    shown = known.json_schema()["ui"]
    assert shown["widget"] and all(shown["title"].values())


def test_marks_know_every_place_and_no_other() -> None:
    assert set(get_args(get_args(fields.Place)[0])) == set(fields.PLACES)
    view = View(100, 200, (1, 0, 0, 1, 0, 0))
    assert len({placed(view, name, (10, 10), (20, 20)) for name in fields.PLACES}) == 9
