"""The tools in English, each used once: the desktop and the phone share them, and axe looks on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from cluster.catalogue import TOOLS
from tests import (
    make,
    make_broken,
    make_forms,
    make_office,
    make_pictures,
    make_reading,
    make_scan,
    make_scans,
    make_sheets,
    make_slides,
)
from tests.site.audit import chinese, violations
from tests.site.conftest import Visitor, visiting

NAME = "第三季度合同"
#: What is Chinese by its owner: the files' name, and the chosen cells of recognised tables.
OWN = NAME, "部门", "单位"
ROUTES = {tool.key: tool.route for tool in TOOLS.values()}


@dataclass(frozen=True)
class Story:
    """One tool: the files it gets, the names of its results, words of its receipt, what is done to its options."""

    files: Callable[[Path], list[Path]]
    results: list[str]
    receipt: str = ""
    prepare: Callable[[Visitor], Any] = field(default=lambda reader: None)


def one(draw: Callable[[Path], Path], name: str = f"{NAME}.pdf") -> Callable[[Path], list[Path]]:
    return lambda folder: [draw(folder / name)]


def photo(path: Path) -> Path:
    return make_scans.page(["Papercrane makes", "documents simple"]).save(path)


def restricted(path: Path) -> Path:
    return make_broken.encrypted(path, make.text(path.with_name("plain.pdf"), 2), user="")


def typed_name(reader: Visitor) -> None:
    """A signature by name, on the first page."""
    reader.see("make-signature").click()
    reader.page.get_by_role("tab", name="Type").click()
    reader.see("sign-name").fill("Jane Doe")
    reader.see("sign-use").click()


STORIES = {
    "compress": Story(one(lambda path: make_scan.scan(path, 1)), [f"{NAME}_compressed.pdf"], "Images"),
    "merge": Story(
        lambda folder: [make.rich(folder / f"{NAME}{number}.pdf", 4) for number in (10, 2)],
        [f"{NAME}2_merged.pdf"], "Bookmarks 8 → 8",
        lambda reader: reader.page.get_by_role("button", name="Sort by name").click(),
    ),
    "split": Story(
        one(lambda path: make.text(path, 5)), [f"{NAME}_split_1-2.pdf", f"{NAME}_split_3-5.pdf"], "Split into 2 files",
        lambda reader: reader.page.get_by_role("button", name="Cut after page 2").click(),
    ),
    "rotate": Story(
        one(lambda path: make.text(path, 3)), [f"{NAME}_rotated.pdf"], "1 page was turned",
        lambda reader: reader.page.get_by_role("button", name="Turn page 2 right").click(),
    ),
    "watermark": Story(
        one(make_forms.signed), [f"{NAME}_watermarked.pdf"], "1 digital signature is broken",
        lambda reader: reader.options().get_by_label("Text").last.fill("CONFIDENTIAL {page}"),
    ),
    "word_to_pdf": Story(one(make_office.chapters, f"{NAME}.docx"), [f"{NAME}_converted.pdf"]),
    "excel_to_pdf": Story(
        one(lambda path: make_sheets.xlsx(path, make_sheets.Sheet("Sheet", make_sheets.grid(4, 9))), f"{NAME}.xlsx"),
        [f"{NAME}_converted.pdf"], "1 sheet was converted",
        lambda reader: reader.options().get_by_label("Paper").select_option(label="A3"),
    ),
    "ppt_to_pdf": Story(
        one(make_slides.deck, f"{NAME}.pptx"), [f"{NAME}_converted.pdf"], "",
        lambda reader: reader.options().get_by_role("radio", name="Handouts").check(force=True),
    ),
    "word_merge": Story(
        lambda folder: [make_office.chapters(folder / f"{NAME}{number}.docx", 1) for number in (1, 2)],
        [f"{NAME}2_merged.docx"], "2 files were merged",
        lambda reader: reader.page.get_by_role("button", name=f"Move {NAME}2.docx up").click(),
    ),
    "pdf_to_image": Story(one(lambda path: make.text(path, 1)), [f"{NAME}_image_001.png"]),
    "pdf_to_scan": Story(
        one(lambda path: make.text(path, 2)), [f"{NAME}_scan.pdf"], "2 pages are now scanned pictures",
        lambda reader: reader.options().get_by_role("radio", name="Worn copy").check(force=True),
    ),
    "image_to_pdf": Story(
        lambda folder: [photo(folder / f"{NAME}{number}.png") for number in (10, 2)],
        [f"{NAME}2_converted.pdf"], "2 pictures became pages",
        lambda reader: reader.page.get_by_role("button", name="Sort by name").click()
        or reader.page.get_by_role("button", name=f"Turn {NAME}10.png right").click()
        or reader.options().get_by_label("Page size").select_option(label="A4"),
    ),
    "extract_image": Story(
        one(lambda path: make_pictures.pictures(path, make_pictures.masked)), [f"{NAME}_page1_1.png"],
        "1 picture was taken out",
    ),
    "image_watermark": Story(
        one(photo, f"{NAME}.png"), [f"{NAME}_watermarked.png"], "The picture was marked",
        lambda reader: reader.options().get_by_label("Text").last.fill("CONFIDENTIAL"),
    ),
    "image_to_text": Story(one(photo, f"{NAME}.png"), [f"{NAME}_text.txt"], "characters recognised"),
    "encrypt": Story(
        one(lambda path: make.text(path, 2)), [f"{NAME}_protected.pdf"], "a password opens it",
        lambda reader: reader.options().get_by_label("Password to open", exact=True).fill("Crane-2026"),
    ),
    "unlock": Story(
        one(restricted), [f"{NAME}_unlocked.pdf"], "The restrictions were removed",
        lambda reader: reader.page.locator("[data-testid=options] [role=switch]").first.set_checked(True, force=True),
    ),
    "extract": Story(
        one(lambda path: make.text(path, 5)), [f"{NAME}_extracted_2,4.pdf"], "2 pages",
        lambda reader: reader.options().get_by_label("Pages").fill("2,4"),
    ),
    "delete": Story(
        one(lambda path: make.text(path, 5)), [f"{NAME}_pages_deleted.pdf"], "2 pages",
        lambda reader: reader.page.locator(".leaf-face").nth(1).click() or reader.page.locator(".leaf-face").nth(3).click(),
    ),
    "arrange": Story(
        one(lambda path: make.text(path, 3)), [f"{NAME}_arranged.pdf"], "3 pages",
        lambda reader: reader.options().get_by_label("Then lay them out").select_option(label="In reverse"),
    ),
    "insert": Story(
        lambda folder: [make.text(folder / f"{NAME}{number}.pdf", number) for number in (4, 2)],
        [f"{NAME}4_inserted.pdf"], "2 pages",
    ),
    "blank": Story(one(lambda path: make.text(path, 2)), [f"{NAME}_blank_pages.pdf"], "page"),
    "uniform_width": Story(
        one(make.geometry), [f"{NAME}_uniform.pdf"], "20 pages were scaled",
        lambda reader: reader.options().get_by_label("Width").first.select_option(label="A4 (210 mm)"),
    ),
    "segmentation": Story(
        one(lambda path: make.text(path, 2)), [f"{NAME}_segmented.pdf"], "2 pages were cut into 4",
        lambda reader: reader.options().get_by_label("Reading order").select_option(label="Right to left, then down"),
    ),
    "page_number": Story(
        one(lambda path: make.text(path, 3)), [f"{NAME}_numbered.pdf"], "3 pages were numbered",
        lambda reader: reader.options().get_by_label("Format").select_option(label="Page 1 of 10"),
    ),
    "stamp": Story(
        one(lambda path: make.text(path, 2)), [f"{NAME}_stamped.pdf"], "2 pages were stamped",
        lambda reader: reader.options().get_by_role("tab", name="Words").click(),
    ),
    "sign": Story(one(lambda path: make.text(path, 2)), [f"{NAME}_signed.pdf"], "1 page was signed", typed_name),
    "edit": Story(
        one(lambda path: make.text(path, 2)), [f"{NAME}_edited.pdf"], "1 line of text was changed",
        lambda reader: reader.page.locator(".text-line").first.click()
        or reader.see("writing").fill("Another line")
        or reader.page.keyboard.press("Enter")
        or reader.page.locator('[data-mode="find"]').click(),
    ),
    "pdf_to_word": Story(one(make_reading.report), [f"{NAME}_word.docx"], "3 headings have Word"),
    "pdf_to_ppt": Story(
        one(make_reading.report), [f"{NAME}_slides.pptx"], "3 pages are pictures",
        lambda reader: reader.options().get_by_label("Pictures of pages").check(force=True),
    ),
    "pdf_to_excel": Story(
        one(make_reading.report), [f"{NAME}_excel.xlsx"], "2 tables were found",
        lambda reader: reader.options().get_by_label("One a page").check(force=True),
    ),
    "pdf_table": Story(
        one(make_reading.report), [f"{NAME}_tables.md"], "2 tables were found",
        lambda reader: reader.options().get_by_label("Markdown").check(force=True),
    ),
    "image_to_word": Story(
        one(make_reading.table_picture, f"{NAME}.png"), [f"{NAME}_word.docx"], "1 table is a Word table",
        lambda reader: reader.options().get_by_label("Language").select_option(label="Chinese (simplified, traditional)"),
    ),
    "image_table": Story(
        one(make_reading.table_picture, f"{NAME}.png"), [f"{NAME}_tables.md"], "1 table was found",
        lambda reader: reader.options().get_by_label("Markdown").check(force=True),
    ),
    "big_split": Story(
        one(lambda path: make.text(path, 8)), [f"{NAME}_split_1-6.pdf", f"{NAME}_split_7-8.pdf"], "Split into 2 files",
        lambda reader: reader.page.get_by_role("button", name="Cut after page 6").click(),
    ),
    "big_merge": Story(
        lambda folder: [make.rich(folder / f"{NAME}{number}.pdf", 4) for number in (10, 2)],
        [f"{NAME}2_merged.pdf"], "Bookmarks 8 → 8",
        lambda reader: reader.page.get_by_role("button", name="Sort by name").click(),
    ),
    "big_unlock": Story(
        one(restricted), [f"{NAME}_unlocked.pdf"], "The restrictions were removed",
        lambda reader: reader.page.locator("[data-testid=options] [role=switch]").first.set_checked(True, force=True),
    ),
}  # fmt: skip


@pytest.fixture
def reader(request: pytest.FixtureRequest, browser, stack) -> Iterator[Visitor]:
    """Every second tool is used on a phone."""
    size = ("phone", "desktop")[list(STORIES).index(request.getfixturevalue("key")) % 2]
    with visiting(browser, stack, size, reduced_motion="reduce") as made:
        yield made
    assert made.complaints == []


def test_every_tool_has_its_story():
    assert set(STORIES) == set(ROUTES)


@pytest.mark.parametrize("key", STORIES)
def test_an_english_page_speaks_english(reader, key, tmp_path):
    story = STORIES[key]
    reader.open(f"/en{ROUTES[key]}").drop(*story.files(tmp_path))
    expect(reader.see("options").get_by_role("heading")).to_be_visible()
    story.prepare(reader)
    assert chinese(reader.page, *OWN) == []
    assert violations(reader.page) == []
    reader.finish()
    assert [result.get_attribute("data-name") for result in reader.see("result").all()] == story.results
    expect(reader.see("receipt")).to_contain_text(story.receipt) if story.receipt else None
    assert chinese(reader.page, *OWN) == []
    assert violations(reader.page) == []
