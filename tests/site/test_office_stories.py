"""Office files and pictures that nobody here drew: to PDF, pictures taken out, Word joined. Chinese at a desk, English
on a phone."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import docx
import pypdf
import pytest
from PIL import Image, ImageOps
from playwright.sync_api import expect

from tests import look
from tests.site.conftest import Visitor, visiting
from tests.site.test_english import ROUTES
from tests.site.test_foreign_stories import CORPUS, NAME, fits


@pytest.fixture(params=["desktop", "phone"])
def visitor(request: pytest.FixtureRequest, browser, stack) -> Iterator[Visitor]:
    with visiting(browser, stack, request.param, reduced_motion="reduce") as made:
        made.address += "" if request.param == "desktop" else "/en"
        yield made
    assert made.complaints == []


def choose(chinese: str, english: str) -> Callable[[Visitor], None]:
    """Press one of a form's choices, by its words in either language."""
    name = re.compile(f"^({chinese}|{english})")
    return lambda visitor: visitor.options().get_by_role("radio", name=name).check(force=True)


def swap(visitor: Visitor) -> None:
    """The second file goes before the first."""
    visitor.page.get_by_role("button", name=re.compile(rf"^(上移 {NAME}之二|Move {NAME}之二.* up$)")).click()


def glance(visitor: Visitor) -> None:
    """The table of text stands in the form as it will be read."""
    visitor.options()
    expect(visitor.see("text-rows").locator("tr").nth(1).locator("td")).to_have_text(["1", "2"])


def letters(text: str) -> str:
    return "".join(text.split())


def rows(files: list[Path], saved: Path) -> None:
    (page,) = look.texts_of(saved)
    assert sorted(letters(page)) == sorted(re.findall(r"\w", files[0].read_text()))


def handed_out(files: list[Path], saved: Path) -> None:
    """Five slides on one leaf, their words in their order."""
    (leaf,) = look.texts_of(saved)
    wanted = ["A default textbox", "42pt text", "Bold on", "Bold off"]
    assert sorted(map(leaf.find, wanted)) == [at for at in map(leaf.find, wanted) if at >= 0]


def untouched(files: list[Path], saved: Path) -> None:
    """A page a picture, each as its file has it to the byte, standing as the camera turned it."""
    pages = pypdf.PdfReader(saved).pages
    for file, page in zip(files, pages, strict=True):
        (drawn,) = page["/Resources"]["/XObject"].values()
        assert drawn.get_object()._data == file.read_bytes()
        with Image.open(file) as picture, ImageOps.exif_transpose(picture) as upright:
            leaf = look.render(saved, page.page_number + 1).resize(upright.size)  # type: ignore[operator]
            likes = [look.ssim(each, upright.convert("RGB")) for each in (leaf, leaf.rotate(180))]
            assert likes[0] > max(0.8, likes[1])


def taken(files: list[Path], saved: Path) -> None:
    """Six pictures are two, for five have the same pixels; the JPEG, with its page in its name, is the stored one."""
    assert re.search(r"(第4页|page4)", saved.name)
    (drawn,) = pypdf.PdfReader(files[0]).pages[3]["/Resources"]["/XObject"].values()  # type: ignore[index]
    assert saved.read_bytes() == drawn.get_object()._data


def joined(files: list[Path], saved: Path) -> None:
    """The words of both, the second's first, and no section of either is lost."""
    made, own = docx.Document(str(saved)), [docx.Document(str(file)) for file in files[::-1]]
    texts = [[letters(each.text) for each in held.paragraphs if letters(each.text)] for held in (made, *own)]
    assert texts[0] == texts[1] + texts[2]
    assert len(made.sections) == sum(len(held.sections) for held in own)
    assert len(made.tables) == sum(len(held.tables) for held in own)


def printed(files: list[Path], saved: Path) -> None:
    text = letters("".join(look.texts_of(saved)))
    said = [letters(each.text) for each in docx.Document(str(files[0])).paragraphs]
    assert [each for each in said if each[:12] not in text] == []


@dataclass(frozen=True)
class Story:
    """Files of the corpus, what is done, and what is true of the result (`nth` of several, from 0)."""

    files: tuple[str, ...]
    holds: Callable[[list[Path], Path], None]
    act: Callable[[Visitor], None] = lambda visitor: None
    nth: int = 0


STORIES = {
    "excel_to_pdf": Story(("camelot/tests/files/foo.csv",), rows, glance),
    "ppt_to_pdf": Story(
        ("pythonpptx/features/steps/test_files/txt-font-props.pptx",), handed_out, choose("讲义", "Handouts")
    ),
    "image_to_pdf": Story(
        (
            "rapidocr/python/tests/test_files/img_exif_orientation.jpg",
            "ocrmypdf/tests/resources/baiona_cmyk.jpg",
        ),
        untouched,
    ),
    "extract_image": Story(("pypdfsamples/007-imagemagick-images/imagemagick-images.pdf",), taken, nth=1),
    "word_merge": Story(("word/made_en_two.docx", "word/chatchat_2.docx"), joined, swap),
    "word_to_pdf": Story(("word/chatchat_2.docx",), printed),
}


def named(key: str, folder: Path) -> list[Path]:
    """The files of a story under a long Chinese name."""
    return [
        Path(shutil.copyfile(CORPUS / file, folder / f"{name}{Path(file).suffix}"))
        for file, name in zip(STORIES[key].files, (NAME, f"{NAME}之二"), strict=False)
    ]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus here")
@pytest.mark.parametrize("key", STORIES)
def test_an_office_file_of_somebody_else_goes_the_whole_way(visitor, key, tmp_path):
    story, files = STORIES[key], named(key, tmp_path)
    visitor.open(ROUTES[key]).drop(*files)
    expect(visitor.see("options").get_by_role("heading").first).to_be_attached()
    story.act(visitor)
    fits(visitor)
    visitor.finish()
    fits(visitor)
    saved = visitor.save(tmp_path / "out", story.nth)
    assert saved.stem.startswith(NAME)
    story.holds(files, saved)
