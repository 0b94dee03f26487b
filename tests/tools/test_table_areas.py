"""Tables where people drew them: what the finder misses, on pages and pictures that lie anyhow."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cluster.engines.layout.model import Seen
from cluster.engines.pdf.libraries import import_pymupdf
from tests import make_reading
from tests.make_reading import Sheet
from tests.running import Ran, run_tool

#: Two rows are too few for the finder.
ROWS = [["Apples", "12", "3.50"], ["Pears", "7", "2.25"]]


def page(path: Path, put: Callable[[Any, Any], None]) -> Path:
    """A page of prose with a small table within it, put into a document of one page."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as drawn, pymupdf.open() as made:
        sheet = Sheet(drawn)
        sheet.prose(make_reading.ENGLISH)
        sheet.aligned(ROWS, (72, 220, 320))
        sheet.prose(make_reading.ENGLISH)
        put(made, drawn)
        made.save(path)
    return path


def upright(made: Any, drawn: Any) -> None:
    made.insert_pdf(drawn)


def cropped(made: Any, drawn: Any) -> None:
    made.insert_pdf(drawn)
    made[0].set_cropbox((50, 60, 560, 700))


def rotated(made: Any, drawn: Any) -> None:
    """Drawn lying, and shown upright by /Rotate."""
    lying(made, drawn)
    made[0].set_rotation(90)


def lying(made: Any, drawn: Any) -> None:
    """Shown lying: its lines run upwards."""
    leaf = made.new_page(width=842, height=595)
    leaf.show_pdf_page(leaf.rect, drawn, 0, rotate=90)


def around(path: Path, first: str, last: str) -> dict[str, float]:
    """The area from one word to another, as the first page shows them."""
    with import_pymupdf().open(path) as document:
        box = (document[0].search_for(first)[0] | document[0].search_for(last)[0]) * document[0].rotation_matrix
    return {"x": box.x0 - 3, "y": box.y0 - 3, "width": box.width + 6, "height": box.height + 6}


def found(folder: Path, file: Path, *areas: dict[str, float], **options: object) -> Ran:
    ran = run_tool("pdf_table", folder / "ran", [file], output="csv", areas=list(areas), **options)
    assert ran.problem is None, ran.problem
    return ran


def rows_in(ran: Ran, number: int = 0) -> list[list[str]]:
    return list(csv.reader(ran.results[number].path.read_text("utf-8-sig").splitlines()))


@pytest.mark.parametrize("put", [upright, cropped, rotated, lying])
def test_an_area_is_read_where_the_page_shows_it(tmp_path: Path, put: Callable[[Any, Any], None]) -> None:
    file = page(tmp_path / "a.pdf", put)
    missed = run_tool("pdf_table", tmp_path / "missed", [file])
    assert missed.problem and missed.problem.reason == "no_table_found"
    ran = found(tmp_path, file, around(file, "Apples", "2.25"))
    assert rows_in(ran) == ROWS
    (sheet,) = json.loads(ran.outputs[-1].path.read_text())["sheets"]
    assert sheet["turned"] == (90 if put is lying else 0)


def test_areas_stand_for_the_finder_on_their_page_alone(tmp_path: Path) -> None:
    """Some columns of an aligned table, some rows of a ruled one, and on the page without areas what is found."""
    file = make_reading.report(tmp_path / "报告.pdf")
    some = {"page": 2, "x": 60, "y": 276, "width": 230, "height": 40}
    ran = found(tmp_path, file, some, pages="1-2")
    assert rows_in(ran, 0)[2] == ["生产一部", "1,204", "3", "85.5%"]
    assert rows_in(ran, 1) == [["Paper cranes", "1,250"], ["Paper boats", "800"]]
    ruled = {"page": 1, "x": 74, "y": 310, "width": 216, "height": 40}
    ran = found(tmp_path / "b", file, ruled, pages="1")
    assert rows_in(ran) == [["", "一般"], ["生产一部", "1,204"]]


def test_areas_of_nothing_and_of_other_pages_are_told(tmp_path: Path) -> None:
    file = make_reading.report(tmp_path / "a.pdf")
    white, there = ({"page": 2, "x": x, "y": 600, "width": 9, "height": 9} for x in (10, 30))
    ran = found(
        tmp_path,
        file,
        white,
        {**there, "page": 1, "y": 270, "height": 200, "width": 500},
        {**there, "page": 3},
        pages="1-2",
    )
    assert rows_in(ran)[3] == ["生产二部", "007", "0", "100%"] and len(ran.results) == 1
    assert ran.noted("areas_blank") == {"count": 1} and ran.noted("areas_outside") == {"count": 1}
    empty = run_tool("pdf_table", tmp_path / "e", [file], areas=[white], pages="2")
    assert empty.problem and empty.problem.reason == "areas_empty" and "a.pdf" in empty.problem.text("en")


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_where_a_sheet_lies_is_told_both_ways(turned: int) -> None:
    seen = Seen(600, 800, turned, 0.02, 54, 54)
    for point in ((100.0, 200.0), (0.0, 0.0), (590.0, 700.0)):
        assert seen.laid(*seen.shown(*point)) == pytest.approx(point)
    plain = Seen(600, 800, turned)
    corner = {0: (0, 0), 90: (0, 600), 180: (600, 800), 270: (800, 0)}[turned]
    assert plain.shown(0, 0) == corner


@pytest.mark.started
@pytest.mark.usefixtures("ocr_engine")
@pytest.mark.parametrize("exif", [1, 6])
def test_an_area_of_a_picture_is_in_its_pixels(tmp_path: Path, exif: int) -> None:
    """Two of a table's columns; the second picture is stored lying and shown upright by EXIF."""
    image = make_reading.draw_table(Image.new("L", (1280, 400), 255), make_reading.ALIGNED[:4], (40, 40), rule=None)
    path, about = tmp_path / "a.jpg", Image.Exif()
    about[0x0112] = exif
    (image.rotate(90, expand=True) if exif == 6 else image).save(path, exif=about)
    area = {"x": 20, "y": 20, "width": 600, "height": 360}
    ran = run_tool("image_table", tmp_path / "ran", [path], output="csv", areas=[area])
    assert ran.problem is None, ran.problem
    assert rows_in(ran) == [row[:2] for row in make_reading.ALIGNED[:4]]
