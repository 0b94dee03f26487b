"""A real Chromium and a person in it, on a desktop or a phone."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.stack import Stack

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or the one Playwright brought where Debian's is not."""
    quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=quiet)
        yield chromium
        chromium.close()


@dataclass
class Visitor:
    """Somebody at a page of the site; whatever the page complains about fails the test."""

    page: Page
    address: str
    complaints: list[str]

    def open(self, path: str) -> "Visitor":
        self.page.goto(self.address + path)
        return self

    def see(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def drop(self, *files: Path) -> None:
        """Choose files; the input is the same that a drop fills."""
        self.see("file-input").first.set_input_files([str(file) for file in files])
        expect(self.see("file-row")).to_have_count(len(files))

    def start(self) -> None:
        expect(self.see("start")).to_be_enabled()
        self.see("start").click()

    def finish(self) -> None:
        """Start and wait for the results."""
        self.start()
        expect(self.see("done")).to_be_visible()

    def save(self, folder: Path, nth: int = 0, testid: str = "download") -> Path:
        """The file as the browser saves it, under the name it suggests."""
        with self.page.expect_download() as begun:
            self.see(testid).nth(nth).click()
        path = folder / begun.value.suggested_filename
        begun.value.save_as(path)
        return path

    @property
    def state(self) -> str:
        """The upload area's state, as the specification names it."""
        return self.page.locator("main [data-state]").first.get_attribute("data-state") or ""


def visitor_at(
    browser: Browser, stack: Stack, size: str = "desktop", **context: object
) -> tuple[BrowserContext, Visitor]:
    width, height = SIZES[size]
    made = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=size == "phone", locale="zh-CN", **context
    )
    made.set_default_timeout(60_000)
    page, complaints = made.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    return made, Visitor(page, stack.address, complaints)


@pytest.fixture(params=list(SIZES))
def visitor(request: pytest.FixtureRequest, browser: Browser, stack: Stack) -> Iterator[Visitor]:
    """A new visitor, once on a desktop and once on a phone."""
    context, made = visitor_at(browser, stack, request.param)
    yield made
    context.close()
    assert made.complaints == []


@pytest.fixture
def desk(browser: Browser, stack: Stack) -> Iterator[Visitor]:
    """A new visitor on a desktop; complaints of a story that breaks things are its own affair."""
    context, made = visitor_at(browser, stack)
    yield made
    context.close()


@pytest.fixture(params=list(SIZES))
def unlucky(request: pytest.FixtureRequest, browser: Browser, stack: Stack) -> Iterator[Visitor]:
    """The same on a desktop and on a phone."""
    context, made = visitor_at(browser, stack, request.param)
    yield made
    context.close()
