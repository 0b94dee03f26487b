"""A bar to judge at, and the process aside that it asks."""

from collections.abc import Iterator

import pytest

from tests.foreign.aside import Aside
from tests.foreign.bar import Bar


@pytest.fixture(scope="module")
def aside() -> Iterator[Aside]:
    made = Aside()
    yield made
    made.close()


@pytest.fixture
def bar(aside: Aside) -> Bar:
    return Bar(aside)
