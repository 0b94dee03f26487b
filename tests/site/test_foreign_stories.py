"""The tools for pages and protection with files nobody here drew: Chinese at a desk, English on a phone."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pypdf
import pytest
from playwright.sync_api import expect

from tests.site.conftest import Visitor, visiting
from tests.site.test_english import ROUTES

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", Path(__file__).parents[3] / "shared/corpus"))
NAME = "关于二〇二六年度第三季度采购合同的补充协议书（最终版，请勿外传）"
OPENED = "openpassword"
SECRET = "Kite7x hill over"
#: Chosen in words of either language.
A4, GRID, REVERSE = re.compile("^A4"), re.compile("^(方格|Squared)"), re.compile("^(倒序|In reverse)")

Pages = list[pypdf.PageObject]


@pytest.fixture(params=["desktop", "phone"])
def visitor(request: pytest.FixtureRequest, browser, stack) -> Iterator[Visitor]:
    with visiting(browser, stack, request.param, reduced_motion="reduce") as made:
        made.address += "" if request.param == "desktop" else "/en"
        yield made
    assert made.complaints == []


def read(path: Path, password: str | None = None) -> Pages:
    """The pages, as one sees them who is no part of the product."""
    return list(pypdf.PdfReader(path, password=password).pages)


def words(pages: Pages) -> list[str]:
    return ["".join(page.extract_text().split()) for page in pages]


def shown(page: pypdf.PageObject) -> tuple[int, int]:
    """Width and height in points as the page stands."""
    size = round(page.mediabox.width), round(page.mediabox.height)
    return size[::-1] if page.rotation % 180 else size


def press(*leaves: int) -> Callable[[Visitor], None]:
    """Click pages of the board, counted from 0, once they can be chosen: before that a click looks at one."""

    def act(visitor: Visitor) -> None:
        for leaf in leaves:
            visitor.page.locator(".leaf-face[aria-pressed]").nth(leaf).click()

    return act


def open_locked(visitor: Visitor) -> None:
    visitor.see("password").fill(OPENED)
    visitor.see("password").press("Enter")
    expect(visitor.see("password")).to_be_hidden()


def tick(visitor: Visitor) -> None:
    visitor.options().get_by_role("switch").first.set_checked(True, force=True)


def unlock(visitor: Visitor) -> None:
    open_locked(visitor)
    tick(visitor)


def reverse(visitor: Visitor) -> None:
    """The last page of the second file goes; then all of it stands upside down."""
    expect(visitor.see("board")).to_have_attribute("data-pages", "7")
    press(6)(visitor)
    visitor.page.keyboard.press("Delete")
    expect(visitor.see("board")).to_have_attribute("data-pages", "6")
    choices = visitor.options().locator("select").first
    choices.select_option(label=choices.locator("option").filter(has_text=REVERSE).inner_text())


def encrypt(visitor: Visitor) -> None:
    visitor.options().get_by_label(re.compile("^(打开密码|Password to open)$")).fill(SECRET)


def squared(visitor: Visitor) -> None:
    visitor.options().get_by_role("radio", name=GRID).check(force=True)


def a4(visitor: Visitor) -> None:
    choices = visitor.options().locator("select").first
    choices.select_option(label=choices.locator("option").filter(has_text=A4).inner_text())


def taken(before: list[Pages], after: Pages) -> None:
    assert words(after) == [words(before[0])[at] for at in (1, 3)]
    assert [each["/Title"] for each in outline(after)]


def outline(pages: Pages) -> list[Any]:
    reader = pages[0].pdf
    assert isinstance(reader, pypdf.PdfReader)
    return [each for each in reader.outline if not isinstance(each, list)]


def without(before: list[Pages], after: Pages) -> None:
    assert words(after) == [words(before[0])[at] for at in (0, 2, 3)]


def backwards(before: list[Pages], after: Pages) -> None:
    assert words(after) == [*words(before[0]), *words(before[1])][:-1][::-1]


def one_after_the_other(before: list[Pages], after: Pages) -> None:
    assert words(after) == [*words(before[0]), *words(before[1])]


def as_it_was(before: list[Pages], after: Pages) -> None:
    assert words(after) == words(before[0])
    assert values(after) == values(before[0])


def values(pages: Pages) -> dict[str, Any]:
    """What is in the form's fields."""
    return {name: each.get("/V") for name, each in (pages[0].pdf.get_fields() or {}).items()}  # type: ignore[union-attr]


def open_to_all(before: list[Pages], after: Pages) -> None:
    as_it_was(before, after)
    assert not after[0].pdf.is_encrypted  # type: ignore[union-attr]


def between(before: list[Pages], after: Pages) -> None:
    first, *more = words(before[0])
    assert words(after) == [first, *words(before[1]), *more]


def ended_by_a_blank(before: list[Pages], after: Pages) -> None:
    assert words(after) == [*words(before[0]), ""]
    assert shown(after[-1]) == shown(before[0][-1])
    assert b" l" in after[-1].get_contents().get_data()  # type: ignore[union-attr]


def a4_wide(before: list[Pages], after: Pages) -> None:
    assert {shown(page)[0] for page in after} == {595} != {shown(page)[0] for page in before[0]}
    assert words(after) == words(before[0])


def halved(before: list[Pages], after: Pages) -> None:
    assert [shown(page)[0] for page in after] == [shown(before[0][0])[0] // 2] * (2 * len(before[0]))


@dataclass(frozen=True)
class Story:
    """Files of the corpus, what is done, and what is true of the pages that come of it."""

    files: tuple[str, ...]
    holds: Callable[[list[Pages], Pages], None]
    act: Callable[[Visitor], None] = field(default=lambda visitor: None)
    before: str | None = None
    after: str | None = None


_FOUR = "pypdfsamples/006-pdflatex-outline/pdflatex-outline.pdf"
_LOCKED = "pypdfsamples/005-libreoffice-writer-password/libreoffice-writer-password.pdf"
_TABLES = "pdfplumber/tests/pdfs/issue-463-example.pdf"
STORIES = {
    "extract": Story((_FOUR,), taken, press(1, 3)),
    "delete": Story((_FOUR,), without, press(1)),
    "arrange": Story((_TABLES, _FOUR), backwards, reverse),
    "encrypt": Story(("pypdfsamples/012-libreoffice-form/libreoffice-form.pdf",), as_it_was, encrypt, after=SECRET),
    "unlock": Story((_LOCKED,), open_to_all, unlock, before=OPENED),
    "big_merge": Story((_TABLES, _FOUR), one_after_the_other),
    "big_unlock": Story(("pdfplumber/tests/pdfs/pr-138-example.pdf",), open_to_all, tick),
    "insert": Story((_FOUR, _TABLES), between, press(0)),
    "blank": Story((_TABLES,), ended_by_a_blank, squared),
    "uniform_width": Story(("pdfplumber/tests/pdfs/issue-53-example.pdf",), a4_wide, a4),
    "segmentation": Story(("pdfplumber/tests/pdfs/pr-138-example.pdf",), halved),
}


def named(key: str, folder: Path) -> list[Path]:
    """The files of a story under a long Chinese name."""
    names = (NAME, f"{NAME}之二")
    return [
        Path(shutil.copyfile(CORPUS / file, folder / f"{name}.pdf"))
        for file, name in zip(STORIES[key].files, names, strict=False)
    ]


def fits(visitor: Visitor) -> None:
    """Nothing makes the page wider than the screen."""
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus here")
@pytest.mark.parametrize("key", STORIES)
def test_a_file_of_somebody_else_goes_the_whole_way(visitor, key, tmp_path):
    story, files = STORIES[key], named(key, tmp_path)
    visitor.open(ROUTES[key]).drop(*files)
    expect(visitor.see("options").get_by_role("heading").first).to_be_attached()
    story.act(visitor)
    fits(visitor)
    visitor.finish()
    fits(visitor)
    saved = visitor.save(tmp_path / "out")
    assert saved.stem.startswith(NAME)
    if story.after:
        with pytest.raises(pypdf.errors.FileNotDecryptedError):
            read(saved)
    story.holds([read(file, story.before) for file in files], read(saved, story.after))
