"""Huge pictures: worked on strip by strip, with the same result as at once, in little memory."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from cluster.engines.compress import recode
from cluster.engines.pdf import images as samples
from cluster.engines.pictures import rows as picture_rows
from tests import look
from tests.bench.side_by_side import ours, run
from tests.tools.test_compress import FLOORS, album, squeezed
from tests.tools.test_merge_pictures import page_of, saved

__all__ = ["album"]


@pytest.mark.parametrize("name", ["RGBA.png", "I;16.png", "RGB.webp", "RGBA.webp", "RGB.tif", "CMYK.tif", "RGB.bmp"])
def test_strips_join_without_a_seam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    path = saved(tmp_path / name)
    whole = look.render(page_of(tmp_path / "whole", path), 1, 96)
    monkeypatch.setattr(picture_rows, "_STRIP", 7 * 320)
    strips = look.render(page_of(tmp_path / "strips", path), 1, 96)
    assert whole.getextrema() != ((255, 255),) * 3
    assert ImageChops.difference(whole.convert("RGB"), strips.convert("RGB")).getbbox() is None


def test_compress_takes_them_for_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, album: Path):
    for module in (samples, recode):
        monkeypatch.setattr(module, "HUGE", 1000)
    monkeypatch.setattr(picture_rows, "_STRIP", 5000)
    (tmp_path / "out").mkdir()
    exact = squeezed(tmp_path / "out", album, level="light", exact=True).path
    strong = squeezed(tmp_path / "out", album, level="strong").path
    assert strong.stat().st_size < album.stat().st_size * 0.25
    for page in (1, 2, 3):
        before, after = (look.render(path, page, dpi=200) for path in (album, exact))
        assert ImageChops.difference(before, after).getbbox() is None, page
        likeness = look.ssim(look.render(album, page, dpi=100), look.render(strong, page, dpi=100))
        assert likeness >= FLOORS["strong"] - 0.01, page


@pytest.mark.parametrize("name", ["a.webp", "a.png"])
def test_thirty_million_pixels_are_merged_in_300_mb(tmp_path: Path, name: str):
    side = Image.linear_gradient("L").resize((6000, 5000))
    alpha = [side.transpose(Image.Transpose.ROTATE_180)] * name.endswith("png")
    picture = Image.merge("RGBA" if alpha else "RGB", [side, side, side.point(lambda value: 255 - value), *alpha])
    picture.save(tmp_path / name, **({"compress_level": 1} if alpha else {"method": 0}))
    assert run(ours("merge", [tmp_path / name], tmp_path / "out")).mb < 300
