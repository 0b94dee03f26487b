"""Screenshots of every state of the site, to be looked at: `python -m tests.site.look FOLDER [word …]`.

A state is drawn when every word is in its name, for example `done en dark`, or in that of its state, for example
`rotate`; each tool has an -idle, an -options, a -done and a -trouble of its own besides what is named below.
PAPERCRANE_LOOK_AT names a stack that runs already; without it one is started.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from playwright.sync_api import Browser, expect

from tests import make, make_broken, make_chinese, make_forms, make_office, make_scan, make_scans, make_slices
from tests.site.conftest import Visitor, chromium, visiting
from tests.site.test_english import ROUTES, STORIES
from tests.stack import started

#: Width and height; the phone has two device pixels for one.
SIZES = {"1440": (1440, 900), "1024": (1024, 768), "390": (390, 844), "320": (320, 640)}
LONG = "关于二〇二六年度第三季度采购合同的补充协议书（最终版，请勿外传）.pdf"
Draw = Callable[[Path], list[Path]]


def several(count: int, draw: Callable[[Path, int], Path]) -> Draw:
    return lambda folder: [draw(folder / f"合同{number}.pdf", 2 + number % 3) for number in range(1, count + 1)]


def batch(folder: Path) -> list[Path]:
    """A good file, a signed one, and one that cannot be read."""
    bad = make_broken.truncated(folder / "坏.pdf", make.text(folder / "whole.pdf", 3), 0.02)
    return [make_scan.scan(folder / LONG, 2), make_forms.signed(folder / "已签名.pdf"), bad]


def locked(folder: Path) -> list[Path]:
    return [make_broken.encrypted(folder / "密.pdf", make.text(folder / "plain.pdf", 2), user="芝麻")]


def restricted(folder: Path) -> list[Path]:
    return [make_broken.encrypted(folder / "限.pdf", make.rich(folder / "open.pdf", 4), user="")]


def protected(folder: Path) -> list[Path]:
    """One that wants a password, one that is only restricted, one without a lock."""
    return [*locked(folder), *restricted(folder), make.text(folder / "无.pdf", 2)]


def photo(folder: Path) -> list[Path]:
    return [make_scans.page(["纸鹤让文档变得简单", "第二行文字"]).save(folder / "照片.png")]


@dataclass(frozen=True)
class State:
    """A tool page with files, and how far it is taken: `files`, `running`, `done` or `failed`."""

    path: str
    files: Draw | None = None
    until: str = "files"
    prepare: Callable[[Visitor], Any] = field(default=lambda visitor: None)
    languages: tuple[str, ...] = ("zh", "en")


def tick(visitor: Visitor) -> None:
    """Say that the file is one's own."""
    visitor.options().locator("[role=switch]").first.set_checked(True, force=True)


def cut(visitor: Visitor) -> None:
    visitor.page.locator("[data-testid=editor] button:has(svg)").nth(1).click()


def backwards(visitor: Visitor) -> None:
    visitor.options().locator("select").first.select_option(index=1)


def second(visitor: Visitor) -> None:
    visitor.page.locator(".leaf-face").nth(1).click()


def stamped(visitor: Visitor) -> None:
    """Words, by hand, taken hold of."""
    options = visitor.options()
    options.get_by_role("tab").nth(1).click()
    options.get_by_role("tab").nth(4).click()
    visitor.see("thing").first.click()


def sealed(visitor: Visitor) -> None:
    """Words on pages and across their edges."""
    options = visitor.options()
    options.get_by_role("tab").nth(1).click()
    options.get_by_role("radio").nth(2).check(force=True)
    expect(visitor.see("fan")).to_be_visible()


def book(folder: Path) -> list[Path]:
    return [make_slices.scanned(folder / LONG, [make_slices.spread(each) for each in (0.5, 0.47)])]


def gutter(visitor: Visitor) -> None:
    visitor.options().get_by_role("radio").nth(1).check(force=True)


def wrong(visitor: Visitor) -> None:
    visitor.see("file-input").first.set_input_files({"name": "表.xlsx", "mimeType": "", "buffer": b"x"})
    expect(visitor.see("refusals")).to_be_visible()


STATES = {
    "home": State("/"),
    "search": State("/", prepare=lambda visitor: visitor.see("search").fill("ys")),
    "search-none": State("/", prepare=lambda visitor: visitor.see("search").fill("压说")),
    "choosing": State("/PdfCompress"),
    "refused": State("/PdfCompress", prepare=wrong),
    "compress": State("/PdfCompress", lambda folder: [make_scan.scan(folder / LONG, 2)]),
    "compress-12": State("/PdfCompress", several(12, make.text)),
    "compress-done": State("/PdfCompress", lambda folder: [make_scan.scan(folder / LONG, 2)], "done"),
    "batch-done": State("/PdfCompress", batch, "done"),
    "locked": State("/PdfRotate", locked),
    "merge": State("/PdfMerge", several(2, make.rich)),
    "merge-one": State("/PdfMerge", several(1, make.rich)),
    "merge-12": State("/PdfMerge", several(12, make.text)),
    "merge-done": State("/PdfMerge", several(2, lambda path, pages: make.rich(path, 4)), "done"),
    "split": State("/PdfSplit", lambda folder: [make.text(folder / "书.pdf", 9)]),
    "split-done": State("/PdfSplit", lambda folder: [make.text(folder / "书.pdf", 9)], "done", cut),
    "rotate": State("/PdfRotate", lambda folder: [make.text(folder / "页.pdf", 7)]),
    "arrange": State("/PdfArrange", lambda folder: [make_chinese.chinese(folder / LONG, 30)]),
    "arrange-2": State("/PdfArrange", several(2, make.rich)),
    "arrange-done": State("/PdfArrange", lambda folder: [make.text(folder / "页.pdf", 7)], "done", backwards),
    "extract": State("/PdfExtract", lambda folder: [make_chinese.chinese(folder / LONG, 30)]),
    "delete": State("/PdfDelete", lambda folder: [make.text(folder / "页.pdf", 7)], prepare=second),
    "insert": State("/InsertPdfPage", several(2, make.rich)),
    "blank": State("/AddBlankPage", lambda folder: [make.text(folder / "页.pdf", 7)]),
    "uniform": State("/UniformWidth", lambda folder: [make.geometry(folder / LONG)]),
    "uniform-done": State("/UniformWidth", lambda folder: [make.geometry(folder / LONG)], "done"),
    "segment": State("/pdfsegmentation", lambda folder: [make.rich(folder / LONG)]),
    "segment-scan": State("/pdfsegmentation", book, prepare=gutter),
    "segment-done": State("/pdfsegmentation", book, "done", gutter),
    "watermark": State("/watermark", lambda folder: [make_chinese.chinese(folder / "合同.pdf", 2)]),
    "numbers": State("/PageNumber", lambda folder: [make_chinese.chinese(folder / "合同.pdf", 4)]),
    "stamp": State("/InsertStamp", lambda folder: [make_chinese.chinese(folder / "合同.pdf", 4)], prepare=stamped),
    "seam": State("/InsertStamp", lambda folder: [make_chinese.chinese(folder / "合同.pdf", 4)], prepare=sealed),
    "word": State("/Word2Pdf", lambda folder: [make_office.chapters(folder / "论文.docx")]),
    "pictures": State("/Pdf2Image", lambda folder: [make.text(folder / "图.pdf", 3)]),
    "pictures-done": State("/Pdf2Image", lambda folder: [make.text(folder / "图.pdf", 6)], "done"),
    "text": State("/Image2Text", photo),
    "text-running": State(
        "/Image2Text",
        lambda folder: [make_scans.page(["需要一会儿的文字"] * 30).save(folder / f"{number}.png") for number in (1, 2)],
        "running",
    ),
    "text-done": State("/Image2Text", photo, "done"),
    "encrypt": State("/PdfEncrypt", lambda folder: [make.text(folder / "合同.pdf", 2)]),
    "unlock": State("/PdfUnlock", lambda folder: [make.text(folder / "合同.pdf", 2)]),
    "big_merge": State("/BigPdfMerge", lambda folder: several(4, lambda path, pages: make.rich(path, pages))(folder)),
    "big_unlock": State("/BigPdfUnlock", protected),
    "big_unlock-done": State("/BigPdfUnlock", restricted, "done", tick),
    "failed": State("/PdfRotate", lambda folder: batch(folder)[2:], "failed"),
}  # fmt: skip


def sheet(visitor: Visitor) -> None:
    """The options are open, also where they are a sheet."""
    expect(visitor.see("options").get_by_role("heading").first).to_be_visible()
    if visitor.page.locator(".bench-side[data-open=false]").count() and visitor.see("options-toggle").is_visible():
        visitor.see("options-toggle").click()


def broken(key: str) -> Draw:
    """What the tool takes, cut off in the middle."""

    def draw(folder: Path) -> list[Path]:
        first, *more = STORIES[key].files(folder)
        return [make_broken.truncated(first.with_name(f"坏{first.suffix}"), first, 0.3), *more]

    return draw


for _key, _story in STORIES.items():
    STATES |= {
        f"{_key}-idle": State(ROUTES[_key]),
        f"{_key}-options": State(ROUTES[_key], _story.files, prepare=sheet),
        f"{_key}-done": State(ROUTES[_key], _story.files, "done", _story.prepare, ("en",)),
        f"{_key}-trouble": State(ROUTES[_key], broken(_key)),
    }


def shots(words: list[str]) -> Iterator[tuple[str, str, str, str, str]]:
    """Name of the picture, and its state, size, language and scheme."""
    for state, size, language, scheme in product(STATES, SIZES, ("zh", "en"), ("light", "dark")):
        name = f"{state} {size} {language} {scheme}"
        told = {*name.split(), *state.split("-")}
        if language in STATES[state].languages and all(word in told for word in words):
            yield name.replace(" ", "_"), state, size, language, scheme


def draw(visitor: Visitor, state: State, language: str, folder: Path) -> None:
    """Take the visitor to the state."""
    visitor.open(state.path if language == "zh" else f"/en{state.path}".rstrip("/"))
    if state.files:
        folder.mkdir()
        visitor.drop(*state.files(folder))
        if state.path != "/PdfRotate" or state.until != "files":
            expect(visitor.page.locator("[data-upload=sending], [data-upload=waiting]")).to_have_count(0)
    state.prepare(visitor)
    if state.until != "files":
        visitor.start()
        expect(visitor.see(state.until)).to_be_visible()
    visitor.page.wait_for_timeout(1500)


def shoot(browser: Browser, address: str, into: Path, words: list[str]) -> None:
    for name, state, size, language, scheme in shots(words):
        width, height = SIZES[size]
        phone = width < 500
        context = {
            "viewport": {"width": width, "height": height}, "device_scale_factor": 2 if phone else 1,
            "has_touch": phone, "color_scheme": scheme, "locale": "zh-CN" if language == "zh" else "en-GB",
        }  # fmt: skip
        try:
            with visiting(browser, SimpleNamespace(address=address), **context) as visitor:  # type: ignore[arg-type]
                with tempfile.TemporaryDirectory() as made:
                    draw(visitor, STATES[state], language, Path(made) / "files")
                    visitor.page.screenshot(path=into / f"{name}.png", full_page=STATES[state].until != "files")
        except AssertionError as error:
            print(name, str(error)[:200] or visitor.crashes)


@contextmanager
def somewhere() -> Iterator[str]:
    """The address of a stack: the one that is named, or a new one."""
    if at := os.environ.get("PAPERCRANE_LOOK_AT"):
        yield at
        return
    with tempfile.TemporaryDirectory() as data, started(Path(data)) as stack:
        yield stack.address


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with chromium() as browser, somewhere() as address:
        shoot(browser, address, target, sys.argv[2:])
