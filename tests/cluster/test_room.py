"""How much of a disk stays free."""

import os
from dataclasses import replace
from types import SimpleNamespace

import pytest

from cluster import room
from cluster.settings import settings

GIB = 1 << 30


def disk(monkeypatch: pytest.MonkeyPatch, size: int, free: int, files: int = 0, free_files: int = 0) -> None:
    """The data folder lies on such a disk."""
    found = SimpleNamespace(f_frsize=1, f_blocks=size, f_bavail=free, f_files=files, f_favail=free_files)
    monkeypatch.setattr(os, "statvfs", lambda path: found)


@pytest.mark.parametrize(
    ("size", "free", "more", "room_left"),
    [
        (100 * GIB, GIB, 0, True),
        (100 * GIB, GIB, 1, False),
        (100 * GIB, GIB - 1, 0, False),
        (GIB, GIB // 10, 0, True),
        (GIB, GIB // 11, 0, False),
    ],
)
def test_a_gibibyte_or_a_tenth(
    monkeypatch: pytest.MonkeyPatch, size: int, free: int, more: int, room_left: bool
) -> None:
    disk(monkeypatch, size, free)
    assert room.has_room(more) is room_left


def test_the_operators_word_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = replace(settings(), reserve=5 * GIB)
    monkeypatch.setattr(room, "settings", lambda: chosen)
    disk(monkeypatch, 100 * GIB, 4 * GIB)
    assert not room.has_room()
    assert room.reserve() == 5 * GIB


def test_files_run_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    disk(monkeypatch, 100 * GIB, 50 * GIB, files=10**6, free_files=100)
    assert not room.has_room()
    disk(monkeypatch, 100 * GIB, 50 * GIB, files=10**6, free_files=20_000)
    assert room.has_room()
