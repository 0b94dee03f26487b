"""PPT to PDF: slides, notes pages and handouts; what a page cannot show is told."""

import zipfile
from pathlib import Path

import pikepdf
import pytest

from tests import look, make_office
from tests.make_slides import Slide, deck, pptx
from tests.running import Ran, run_tool

pytestmark = pytest.mark.usefixtures("office_engine")
WIDE, A4 = (720, 405), (595, 842)


def convert(path: Path, password: str | None = None, **options: object) -> Ran:
    folder = path.parent / f"run-{path.name}-{len(list(path.parent.iterdir()))}"
    return run_tool("ppt_to_pdf", folder, [path], passwords={0: password} if password else None, **options)


def words(ran: Ran) -> list[str]:
    return ["".join(text.split()) for text in look.texts_of(ran.path)]


def test_slides_notes_and_handouts(tmp_path: Path) -> None:
    path = deck(tmp_path / "课件.pptx", 5)
    slides = convert(path)
    assert (words(slides), look.sizes_of(slides.path)) == ([f"第{n}张slide{n}" for n in range(1, 6)], [WIDE] * 5)
    assert slides.outputs[0].name == "课件_转换.pdf"
    assert words(convert(path, what="notes")) == [f"备注note{n}" for n in range(1, 6)]
    three = convert(path, what="handouts", per_page=3)
    assert look.sizes_of(three.path) == [A4] * 2
    assert words(three)[1] == "第4张slide4第5张slide5"
    # Beside three slides stand lines to write on; below six no slide is cut by the paper's edge.
    left, right = (look.ink(look.render(three.path).crop(box)) for box in _halves(three))
    assert left > 0.005 and right > 0.005
    nine = convert(path, what="handouts", per_page=9)
    assert [page.count("slide") for page in words(nine)] == [5]


def test_notes_have_their_size_and_stay_on_the_paper(tmp_path: Path) -> None:
    name, master = "http://schemas.openxmlformats.org", "ppt/notesMasters/notesMaster1.xml"
    style = '<a:lvl1pPr><a:defRPr sz="1200"/></a:lvl1pPr>'
    path = pptx(
        tmp_path / "a.pptx", Slide("one", notes="短备注"), Slide("two"), Slide("three", notes="很长的备注" * 400)
    )
    plain = convert(path, what="notes").path
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(
            master,
            f'<p:notesMaster xmlns:p="{name}/presentationml/2006/main" xmlns:a="{name}/drawingml/2006/main">'
            f"<p:notesStyle>{style}</p:notesStyle></p:notesMaster>",
        )
    ran = convert(path, what="notes").path
    assert look.ink(look.render(ran)) < 0.8 * look.ink(look.render(plain))
    width, height = look.render(ran).size
    edges = {2: (width - 5, 0, width, height), 3: (0, height - 5, width, height)}
    assert all(
        look.render(ran, page).convert("L").crop(edge).getextrema() == (255, 255) for page, edge in edges.items()
    )


def _halves(ran: Ran) -> list[tuple[int, int, int, int]]:
    width, height = look.render(ran.path).size
    return [(0, 0, width // 2, height), (width // 2, 0, width, height)]


def test_hidden_slides_are_told_or_shown(tmp_path: Path) -> None:
    path = pptx(tmp_path / "a.pptx", Slide("one"), Slide("two", hidden=True), Slide("three"))
    ran = convert(path)
    assert words(ran) == ["one", "three"]
    assert ran.noted("slides_hidden") == {"count": 1}
    assert words(convert(path, hidden=True)) == ["one", "two", "three"]
    assert words(convert(path, pages="2-3")) == ["three"]
    assert words(convert(path, pages="2")) == ["two"]
    beyond = convert(path, pages="4").problem
    assert beyond and beyond.facts["pages"] == 3


def test_comments_links_fonts_and_effects(tmp_path: Path) -> None:
    moving = '<p:timing><p:tnLst><p:par><p:cTn id="1" presetClass="entr"/></p:par></p:tnLst></p:timing>'
    path = pptx(
        tmp_path / "a.pptx",
        Slide("one", comment="REMARK", more=moving),
        Slide("公文", font="仿宋_GB2312", effect='<a:reflection blurRad="6350"/>'),
        Slide("click", font="No Such Font", link="https://example.com/"),
    )
    ran = convert(path)
    assert look.notes_of(ran.path) == [(1, "REMARK")]
    assert look.notes_of(convert(path, comments=False).path) == []
    assert ran.noted("effects_still") == ran.noted("effects_flat") == {"count": 1}
    told = ran.noted("fonts_substituted")
    assert told and "仿宋_GB2312 → Noto Serif CJK SC" in told["detail"] and "No Such Font → " in told["detail"]
    assert _addresses(ran) == _addresses(convert(path, what="handouts", per_page=4)) == ["https://example.com/"]


def _addresses(ran: Ran) -> list[str]:
    with pikepdf.open(ran.path) as pdf:
        found = [each for page in pdf.pages for each in page.get("/Annots", ()) if each.Subtype == "/Link"]
        return [str(each.A.URI) for each in found]


@pytest.mark.parametrize(
    ("extension", "filter_name"), [("odp", "impress8"), ("ppt", "MS PowerPoint 97"), ("dps", "MS PowerPoint 97")]
)
def test_other_formats(tmp_path: Path, extension: str, filter_name: str) -> None:
    origin = pptx(tmp_path / "a.pptx", Slide("one"), Slide("two", hidden=True), Slide("three"))
    ran = convert(make_office.converted(tmp_path / f"b.{extension}", origin, filter_name))
    assert words(ran) == ["one", "three"]


def test_passwords(tmp_path: Path) -> None:
    origin = pptx(tmp_path / "a.pptx", *(Slide(f"机密 {n}") for n in range(12)))
    odp = make_office.locked(tmp_path / "c.odp", origin, "impress8", "pw")
    for path in (make_office.encrypted(tmp_path / "b.pptx", origin, "pw"), odp):
        missing, wrong = convert(path).problem, convert(path, "nein").problem
        assert missing and missing.reason == "password_required"
        assert wrong and wrong.reason == "password_wrong"
        assert words(convert(path, "pw"))[0] == "机密0"


def test_other_documents_are_told_apart(tmp_path: Path) -> None:
    problem = convert(make_office.chapters(tmp_path / "a.pptx")).problem
    assert problem and problem.reason == "not_supported_type"
