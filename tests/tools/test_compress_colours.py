"""Compress keeps the colours that people see: every kind of picture, in two readers, patch by patch."""

from pathlib import Path
from typing import Any

import pikepdf
import pytest

from tests import make_colours, make_pictures
from tests.running import run_tool
from tests.two_readers import drift

#: Levels that the mean of a patch of 7 pixels at 100 dpi may move.
SEEN = {"exact": 1, "light": 10, "standard": 24, "strong": 32}
MAKERS = [
    make_colours.backwards, make_colours.keyed, make_colours.inverted, make_colours.plainly_decoded,
    make_colours.spotted, make_colours.few_shades, make_colours.indexed_mask, make_pictures.masked,
]  # fmt: skip


def chosen(level: str) -> dict[str, Any]:
    return {"level": "light", "exact": True} if level == "exact" else {"level": level}


@pytest.mark.parametrize("level", SEEN)
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_no_patch_changes_its_colour(tmp_path: Path, maker: Any, level: str) -> None:
    source = make_pictures.pictures(tmp_path / "a.pdf", maker)
    ran = run_tool("compress", tmp_path / "run", [source], **chosen(level))
    assert ran.noted("unchanged") is None
    assert drift(source, ran.path) <= SEEN[level]


@pytest.mark.parametrize("level", SEEN)
def test_a_mask_is_never_a_palette(tmp_path: Path, level: str) -> None:
    source = make_pictures.pictures(tmp_path / "a.pdf", make_colours.few_shades)
    ran = run_tool("compress", tmp_path / "run", [source], **chosen(level))
    with pikepdf.open(ran.path) as pdf:
        (mask,) = [each["/SMask"] for each in pdf.objects if isinstance(each, pikepdf.Stream) and "/SMask" in each]
        assert mask["/ColorSpace"] == pikepdf.Name.DeviceGray
