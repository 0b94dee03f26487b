"""What compress tells before it starts: near what it then makes, cheap, also for many pages and large pictures."""

import time
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cluster.tools.compress import Options, foretell
from tests import make, make_broken, make_pictures, make_scan
from tests.running import run_tool, work_on

LEVELS = "light", "standard", "strong"
NEAR = 0.2


def told(folder: Path, path: Path) -> tuple[dict[str, float], float]:
    """Bytes by level, and the CPU seconds that it took."""
    began = time.process_time()
    sizes = foretell(work_on("compress", folder / "told", path, Options()))
    return sizes, time.process_time() - began


def is_near(folder: Path, path: Path, sizes: dict[str, float], level: str) -> float:
    """Whether it is; and the CPU seconds that the making took."""
    began = time.process_time()
    ran = run_tool("compress", folder / level, [path], level=level)
    seconds, made = time.process_time() - began, ran.path.stat().st_size
    assert abs(sizes[level] / made - 1) <= NEAR, (level, sizes[level], made)
    return seconds


def album(path: Path) -> Path:
    return make_pictures.pictures(
        path,
        lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph()),
        lambda pdf: make_pictures.raw(pdf, make_pictures.drawing()),
        make_pictures.masked,
    )


def wall() -> Image.Image:
    """A page full of small photographs, 3.5 million pixels: detail everywhere, as in a scan."""
    image = Image.new("RGB", (1600, 2200))
    for number in range(4 * 11):
        image.paste(make_pictures.photograph((400, 200), seed=number), (number % 4 * 400, number // 4 * 200))
    return image


DRAWN: dict[str, Any] = {
    "pictures": album,
    "a large picture": lambda path: make_pictures.pictures(
        path, lambda pdf: make_pictures.jpeg(pdf, wall()), box=(540, 742)
    ),
    "bitonal scans": lambda path: make_scan.scan(path, 2, bits=1, dpi=300),
    "rich": lambda path: make.rich(path, 4),
}


@pytest.mark.parametrize("drawn", DRAWN)
def test_it_is_near_what_is_made(tmp_path: Path, drawn: str) -> None:
    path = DRAWN[drawn](tmp_path / "a.pdf")
    sizes, _ = told(tmp_path, path)
    assert list(sizes) == list(LEVELS)
    assert all(size <= path.stat().st_size for size in sizes.values())
    for level in LEVELS:
        is_near(tmp_path, path, sizes, level)


def many_pages(path: Path) -> Path:
    """250 pages of text that fills 1.4 MB, each with a link to the first."""
    make.text(path.with_name("one.pdf"), 1)
    with pikepdf.open(path.with_name("one.pdf")) as pdf:
        first = pdf.pages[0]
        for number in range(250):
            pdf.pages.append(first)
            lines = "".join(f"BT /F1 9 Tf 50 {y} Td (line {number * y} of {number}) Tj ET\n" for y in range(50, 800, 6))
            pdf.pages[-1].Contents = pdf.make_stream(lines.encode())
        pdf.save(path, compress_streams=False)
    return path


def test_many_pages_are_told_from_a_few(tmp_path: Path) -> None:
    path = many_pages(tmp_path / "long.pdf")
    sizes, seconds = told(tmp_path, path)
    whole = is_near(tmp_path, path, sizes, "standard")
    assert seconds < whole / 2, "it is not the whole work over again"


def test_nothing_is_told_of_a_damaged_file(tmp_path: Path) -> None:
    path = make_broken.truncated(tmp_path / "cut.pdf", album(tmp_path / "a.pdf"), 0.5)
    assert told(tmp_path, path)[0] == {}


def test_it_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = album(tmp_path / "a.pdf")
    before = path.read_bytes()
    told(tmp_path, path)
    assert path.read_bytes() == before
    assert not list((tmp_path / "told" / "out").iterdir())
