"""The scanner's pixels: Python and TypeScript make the same, to the last one."""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy
import pytest

from cluster.engines.pictures.scanner import Look, chance, scanned
from cluster.tools.pdf_to_scan import PRESETS

SAMPLES: dict[str, Any] = json.loads((Path(__file__).parent.parent / "samples/scanner.json").read_text())


def drawn(width: int, height: int) -> Any:
    """A page of dark bars on white, with coloured dust from a small generator of numbers."""
    page, state = numpy.full((height, width, 3), 255, numpy.uint8), 1
    for y in range(height):
        for x in range(width):
            for band in range(3):
                state = (state * 1103515245 + 12345) % 2147483648
                dust = 255 - (state >> 16) % 60
                page[y, x, band] = 30 + 20 * band if x // 5 % 2 and y // 4 % 3 else dust
    return page


@pytest.mark.parametrize("sample", SAMPLES["pages"], ids=lambda sample: sample["name"])
def test_pixels_are_those_of_the_preview(sample: dict[str, Any]) -> None:
    look = Look(**{**SAMPLES["look"], **sample["look"]})
    luck = chance(look, sample["page"])
    made = scanned(drawn(*sample["size"]), look, sample["page"], sample["dpi"])
    planes = numpy.moveaxis(made, -1, 0) if made.ndim == 3 else made[None]
    assert [luck.turn, luck.light, luck.grain] == sample["chance"]
    assert len(planes) == sample["planes"]
    assert planes[0][made.shape[0] // 2].tolist() == sample["middle"]
    assert zlib.crc32(planes.tobytes()) == sample["crc"]


def test_a_page_in_bands_is_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows are worked on at a time."""
    look = Look(tone=20, tilt=1.3, noise=30, blur=60, border=40)
    whole = scanned(drawn(60, 90), look, 3, 150)
    monkeypatch.setattr("cluster.engines.pictures.scanner._BAND", 60 * 7)
    assert (scanned(drawn(60, 90), look, 3, 150) == whole).all()


def test_pages_differ_by_their_number_and_not_by_chance() -> None:
    look = Look(tilt=2, seed=77)
    turns = [chance(look, number).turn for number in range(1, 400)]
    assert {turn > 0 for turn in turns} == {True, False}
    assert all(80 <= abs(turn) <= 200 for turn in turns)
    assert len(set(turns)) > 50
    same = [chance(Look(tilt=2, seed=77, vary=False), number) for number in (1, 2, 9)]
    assert len({(each.turn, each.light) for each in same}) == 1
    assert len({each.grain for each in same}) == 3


def test_presets_are_those_of_the_preview() -> None:
    assert {name: vars(preset) for name, preset in PRESETS.items()} == SAMPLES["presets"]
