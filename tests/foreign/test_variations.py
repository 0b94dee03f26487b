"""Whatever a form lets one choose is tried, and every try is one that the tool's options take."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pydantic import TypeAdapter, ValidationError

from cluster.catalogue import TOOLS
from tests.foreign.variations import variations
from tests.running import tool


@contextmanager
def but_for_ticks() -> Iterator[None]:
    """A box that must be ticked is the one choice that is refused."""
    try:
        yield
    except ValidationError as error:
        assert {each["type"] for each in error.errors()} == {"must_be_ticked"}, error


@pytest.mark.parametrize("key", [each.key for each in TOOLS.values()])
def test_every_try_is_one_that_the_form_lets_through(key: str) -> None:
    options = TypeAdapter(tool(key).options)
    tries = list(variations(tool(key)))
    assert len({name for name, _ in tries}) == len(tries) > 0
    for _, tried in tries:
        with but_for_ticks():
            options.validate_python(tried)


def test_each_way_of_a_union_is_tried_with_each_of_its_choices() -> None:
    tries = dict(variations(tool("watermark")))
    assert tries["mark=image"]["mark"]["kind"] == "image"
    assert tries["layout.place.place=top"]["layout"] == {"how": "place", "place": "top"}
    assert {tried["opacity"] for name, tried in tries.items() if name.startswith("opacity")} == {1, 100}
