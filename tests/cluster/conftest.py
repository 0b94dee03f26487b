"""What tests of the queue share."""

import pytest

from cluster import queue


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty lane answers at once."""
    monkeypatch.setattr(queue, "BLOCK_MS", 1)
