"""Cells that hold what nobody could read: they come empty, and somebody should look at them."""

from pathlib import Path

from PIL import Image, ImageDraw

from cluster.engines.layout.line import Line, Page, Quad
from cluster.engines.layout.tables import tables
from cluster.engines.reading import scanned


def _box(left: float, top: float, right: float, bottom: float) -> Quad:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _scores(folder: Path, unread: tuple[Line, ...]) -> dict[str, list[float]]:
    """What is read of a ruled table of two columns, and how surely."""
    image, lines = Image.new("RGB", (700, 300), "white"), []
    pen = ImageDraw.Draw(image)
    for y in range(40, 250, 50):
        pen.line((40, y, 640, y), "black", 2)
    for x in (40, 340, 640):
        pen.line((x, 40, x, 240), "black", 2)
    for row in range(4):
        for x, text in ((60, f"name {row}"), (360, f"{row}0")):
            if (row, x) != (2, 360):
                lines.append(Line(_box(x, 52 + 50 * row, x + 14 * len(text), 78 + 50 * row), text, 0.99))
    page = Page(*image.size, 0, tuple(lines), unread)
    (found,) = tables([scanned.laid(page, image, 0, 0.48, folder, pictures=False)])
    scores: dict[str, list[float]] = {}
    for cell in found.table.cells:
        scores.setdefault("".join(line.text for line in cell.lines), []).append(cell.score)
    return scores


def test_a_cell_that_nobody_could_read_is_doubtful_and_an_empty_one_is_not(tmp_path: Path) -> None:
    assert _scores(tmp_path, ())[""] == [1.0]
    found = _scores(tmp_path, (Line(_box(360, 152, 420, 178), "", 0.2),))
    assert found.pop("") == [0.0]
    assert {score for own in found.values() for score in own} == {0.99}
