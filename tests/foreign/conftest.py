"""A bar to judge at, and the process aside and the LibreOffice that it asks."""

from collections.abc import Iterator

import pytest

from tests.foreign.aside import Aside
from tests.foreign.bar import Bar
from tests.foreign.office import Office


@pytest.fixture(scope="module")
def aside() -> Iterator[Aside]:
    made = Aside()
    yield made
    made.close()


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    made = Office()
    yield made
    made.close()


@pytest.fixture
def bar(aside: Aside, office: Office) -> Bar:
    return Bar(aside, office)
