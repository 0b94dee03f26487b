"""Uniform width: every page as wide as asked, with everything on it in its place."""

from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Name

from tests import look, make, make_forms
from tests.running import Ran, run_tool

MM = 72 / 25.4
Size = tuple[float, float]


def uniform(folder: Path, file: Path, **options: object) -> Ran:
    ran = run_tool("uniform_width", folder / "ran", [file], **options)
    assert ran.problem is None, ran.problem
    return ran


def sizes(path: Path) -> list[Size]:
    """Width and height of each page in points as pdfium shows it."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_size() for page in document]


def widths(path: Path) -> list[int]:
    """In millimetres."""
    return [round(width / MM) for width, _ in sizes(path)]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A4, A5, A5, and A4 lying."""
    path = make.blank(tmp_path / "mixed.pdf", 4)
    shapes = [(210, 297), (148, 210), (148, 210), (297, 210)]
    with make.edit(path) as pdf:
        for page, (width, height) in zip(pdf.pages, shapes, strict=True):
            page.mediabox = [0, 0, width * MM, height * MM]
    return path


def test_whatever_turns_boxes_and_units_there_were(tmp_path: Path) -> None:
    file = make.geometry(tmp_path / "geometry.pdf")
    ran = uniform(tmp_path, file, width="a4")
    assert set(widths(ran.path)) == {210}
    for page, (before, after) in enumerate(zip(sizes(file), sizes(ran.path), strict=True), 1):
        assert after[1] / after[0] == pytest.approx(before[1] / before[0], rel=1e-3)
        old, new = look.render(file, page, 144), look.render(ran.path, page, 144)
        assert look.ssim(new, old.resize(new.size)) > 0.9, page
        assert look.text_of(ran.path, page) == look.text_of(file, page)


def test_links_fields_notes_and_bookmarks_come_along(tmp_path: Path) -> None:
    file = make.rich(tmp_path / "rich.pdf", 4)
    with make.edit(file) as pdf:
        pdf.pages[1].mediabox = [0, 0, 400, 600]
    ran = uniform(tmp_path, file, width="first")
    for read in (look.outline_of, look.links_of, look.fields_of, look.widgets_of, look.notes_of, look.labels_of):
        assert read(ran.path) == read(file)
    with pikepdf.open(file) as before, pikepdf.open(ran.path) as after:
        factor = float(before.pages[0].mediabox[2]) / 400
        for one, two in zip(before.pages[1].Annots, after.pages[1].Annots, strict=True):
            assert [float(each) for each in two.Rect] == pytest.approx(
                [float(each) * factor for each in one.Rect], abs=0.01
            )
    assert look.ssim(look.render(ran.path, 1), look.render(file, 1)) > 0.99
    assert ran.noted("pages_scaled") == {"count": 1}


def test_what_leads_to_a_place_leads_to_the_same_place(tmp_path: Path) -> None:
    """Links, bookmarks and names to a point of a page, and how strong a link's border is."""
    file = make.blank(tmp_path / "places.pdf", 2, size=(300, 400))
    with make.edit(file) as pdf:
        pdf.pages[0].mediabox = [0, 0, 600, 800]
        place = pikepdf.Array([pdf.pages[1].obj, pikepdf.Name.XYZ, 30, 250, 0])
        link = {"Type": pikepdf.Name.Annot, "Subtype": pikepdf.Name.Link, "Rect": [10, 20, 60, 40], "Dest": place}
        pdf.pages[1].Annots = pikepdf.Array([pdf.make_indirect(pikepdf.Dictionary(**link, Border=[0, 0, 2, [6, 3]]))])
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("there", 1, "FitR", left=10, bottom=20, right=110, top=220))
        names = pikepdf.Dictionary(Names=[pikepdf.String("n"), [pdf.pages[1].obj, pikepdf.Name.FitH, 123]])
        pdf.Root.Names = pikepdf.Dictionary(Dests=names)
    ran = uniform(tmp_path, file, width="first")
    with pikepdf.open(ran.path) as pdf:
        (link,), bookmark = pdf.pages[1].Annots, pdf.Root.Outlines.First
        assert [float(each) for each in list(link.Dest)[2:4]] == [60, 500]
        assert [float(each) for each in list(link.Border)[:3]] == [0, 0, 4]
        assert [float(each) for each in link.Border[3]] == [12, 6]
        led = bookmark.get("/Dest", None) or bookmark.A.D
        assert [float(each) for each in list(led)[2:]] == [20, 40, 220, 440]
        assert float(pdf.Root.Names.Dests.Names[1][2]) == 246


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [210, 210, 210, 210]),
        ({"width": "widest"}, [297, 297, 297, 297]),
        ({"width": "commonest"}, [148, 148, 148, 148]),
        ({"width": "a5", "pages": "1"}, [148, 148, 148, 297]),
        ({"width": "letter"}, [216, 216, 216, 216]),
        ({"width": "mm", "mm": 100}, [100, 100, 100, 100]),
        ({"landscape": "apart"}, [210, 210, 210, 297]),
        ({"width": "a5", "landscape": "apart"}, [148, 148, 148, 209]),
    ],
)
def test_widths(tmp_path: Path, mixed: Path, options: dict[str, object], expected: list[int]) -> None:
    assert widths(uniform(tmp_path, mixed, **options).path) == expected


def test_sizes_are_told(tmp_path: Path, mixed: Path) -> None:
    ran = uniform(tmp_path, mixed, width="a5")
    assert ran.noted("page_sizes") == {
        "before": "148 × 210 mm (2), 210 × 297 mm (1), 297 × 210 mm (1)",
        "after": "148 × 210 mm (2), 148 × 209 mm (1), 148 × 105 mm (1)",
    }


def test_nothing_to_change_is_told(tmp_path: Path) -> None:
    ran = uniform(tmp_path, make.text(tmp_path / "t.pdf", 2), width="first")
    assert ran.noted("width_same") == {} and ran.noted("pages_scaled") is None


def test_a_strip_stays_as_it_is(tmp_path: Path) -> None:
    file = make.blank(tmp_path / "strip.pdf", 2)
    with make.edit(file) as pdf:
        pdf.pages[1].mediabox = [0, 0, 10, 5000]
    assert widths(uniform(tmp_path, file, width="a3").path) == [297, 4]


def test_pages_that_are_not_there(tmp_path: Path) -> None:
    ran = run_tool("uniform_width", tmp_path, [make.text(tmp_path / "t.pdf", 3)], pages="7")
    assert ran.problem and ran.problem.reason == "page_range_invalid"


def test_what_a_widget_names_as_its_parent_is_none_of_its_fields(tmp_path: Path) -> None:
    """In a broken file: another widget, which stands on the page itself, and a picture that the page draws."""
    path = make_forms.form(tmp_path / "a.pdf", ["a", "b", "c"])
    with make.edit(path) as pdf:
        page = pdf.pages[0]
        picture = pdf.make_stream(b"\0", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1, BitsPerComponent=8)
        picture.ColorSpace = Name.DeviceGray
        page.Contents = pdf.make_stream(b"q 99 0 0 99 50 50 cm /P Do Q")
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(P=picture))
        first, second, third = page.Annots
        second.Parent, third.Parent = first, picture
        before = [[float(value) for value in note.Rect] for note in page.Annots]
    result = uniform(tmp_path, path, width="a5").path
    with pikepdf.open(result) as pdf:
        after = [[float(value) for value in note.Rect] for note in pdf.pages[0].Annots]
        assert isinstance(pdf.pages[0].Resources.XObject.P, pikepdf.Stream)
    factor = sizes(result)[0][0] / sizes(path)[0][0]
    assert after == [pytest.approx([value * factor for value in box], abs=0.1) for box in before]
