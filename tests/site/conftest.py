"""A real Chromium and a person in it, on a desktop or a phone."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.stack import Stack

#: Width and height in CSS pixels, and the device pixels of each: every story is told at one and at two.
SIZES = {"desktop": (1440, 900, 1), "phone": (390, 844, 2)}
expect.set_options(timeout=60_000)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, or the one Playwright brought where Debian's is not: both without windows of their own."""
    quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"), args=quiet)
        yield started
        started.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """It ends with its file: as long as it lives an event loop runs in this thread, and no test can run its own."""
    with chromium() as started:
        yield started


@dataclass
class Visitor:
    """Somebody at a page of the site.

    crashes: what the page's scripts did not catch, which fails every test. complaints: what the console shows,
    refused requests too; stories in which nothing goes wrong have none.
    """

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.crashes.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.complaints.append(f"{line.text} ({line.location['url']})")

    def open(self, path: str) -> "Visitor":
        self.page.goto(self.address + path)
        return self

    def see(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def drop(self, *files: Path) -> None:
        """Choose files; the input is the same that a drop fills."""
        self.see("file-input").first.set_input_files([str(file) for file in files])
        # A row goes as soon as the tool's editor lists its file.
        expect(self.see("upload-area")).to_have_attribute("data-count", str(len(files)))

    def options(self) -> Locator:
        """The form of the tool, out of its sheet where that was down: on a phone."""
        toggle = self.see("options-toggle")
        if toggle.is_visible() and toggle.get_attribute("aria-expanded") == "false":
            toggle.click()
        return self.see("options")

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

    def is_in(self, state: str) -> None:
        """The upload area comes to this state, as the specification names it."""
        expect(self.page.locator("main [data-state]").first).to_have_attribute("data-state", state)

    def is_at(self, path: str) -> None:
        """The page of this path comes."""
        self.page.wait_for_url(self.address + path)


@contextmanager
def visiting(browser: Browser, stack: Stack, size: str = "desktop", **context: object) -> Iterator[Visitor]:
    """Somebody whom nobody knows, with a browser context of their own."""
    width, height, density = SIZES[size]
    own = {
        "viewport": {"width": width, "height": height},
        "device_scale_factor": density,
        "has_touch": size == "phone",
        "locale": "zh-CN",
    }
    made = browser.new_context(**own | context)
    made.set_default_timeout(60_000)
    visitor = Visitor(made.new_page(), stack.address)
    try:
        yield visitor
    finally:
        made.close()
    assert visitor.crashes == []


@pytest.fixture(params=list(SIZES))
def visitor(request: pytest.FixtureRequest, browser: Browser, stack: Stack) -> Iterator[Visitor]:
    """A new visitor, once on a desktop and once on a phone; whatever the page complains about fails the test."""
    with visiting(browser, stack, request.param) as made:
        yield made
    assert made.complaints == []


#: For a story of `visitor` whose layout is the same on both, or that only one of them has.
DESKTOP_ONLY = pytest.mark.parametrize("visitor", ["desktop"], indirect=True)
PHONE_ONLY = pytest.mark.parametrize("visitor", ["phone"], indirect=True)


@pytest.fixture
def desk(browser: Browser, stack: Stack) -> Iterator[Visitor]:
    """A new visitor on a desktop; complaints of a story that breaks things are its own affair."""
    with visiting(browser, stack) as made:
        yield made
