"""Letters of pictures in one size where they are of one text, in a font of their script, upright or running down."""

from pathlib import Path

from PIL import Image

from cluster.engines.layout.line import Line, Page
from cluster.engines.layout.model import TextLine
from cluster.engines.reading import scanned


def seen(folder: Path, *lines: tuple[str, int, int, int, int]) -> dict[str, TextLine]:
    """The lines (text, left, top, width, height) of a picture of 1000 pixels, a pixel half a point."""
    found = tuple(
        Line(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)), text, 0.99)
        for text, x, y, wide, high in lines
    )
    sheet = scanned.laid(Page(1000, 1400, 0, found), Image.new("RGB", (1000, 1400), "white"), 0, 0.5, folder)
    return {line.text: line for line in sheet.lines}


PROSE = [(f"line {at} of the text that most of it is", 50, 700 + 30 * at, 500, 24) for at in range(12)]


def test_lines_of_one_text_have_one_size_though_their_boxes_differ(tmp_path: Path) -> None:
    """Some of which are a fifth higher than most of the page's, others are not."""
    larger = [28, 31, 28, 30, 28, 31]
    found = seen(
        tmp_path,
        *[(f"{at}. an item in larger letters", 50, 100 + 38 * at, 450, high) for at, high in enumerate(larger)],
        ("A heading", 50, 620, 200, 50),
        *PROSE,
    )  # fmt: skip
    sizes = {text: line.size for text, line in found.items()}
    assert len({size for text, size in sizes.items() if "item" in text}) == 1
    assert len({size for text, size in sizes.items() if "line" in text}) == 1
    assert sizes["A heading"] > 1.5 * sizes[PROSE[0][0]]


def test_a_line_that_runs_down_beside_others_is_as_large_as_it_is_wide(tmp_path: Path) -> None:
    found = seen(tmp_path, ("先领券后购物", 800, 100, 40, 360), *PROSE)
    assert found["先领券后购物"].size == 0.5 * 40 * 0.78 // 0.5 * 0.5


def test_quotes_and_dashes_are_no_chinese(tmp_path: Path) -> None:
    found = seen(tmp_path, ("what you’ll hear — “only” that", 50, 100, 400, 24), ("他说：“好”", 50, 200, 100, 24))
    assert [line.spans[0].style.font for line in found.values()] == ["Times New Roman", "SimSun"]
