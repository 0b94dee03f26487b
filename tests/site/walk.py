"""Every choice of every tool's form, one after the other, in a real browser: `python -m tests.site.walk [tool …]`.

Walked are the file of the tool's story and the same turned (PDFs, pictures), encrypted (PDFs, office files) and cut
off (`--files` names fewer, `--of` another file than the story's). A line a choice tells how it ended; the status is 1
where one failed that should not, where the page's scripts did, or where it complains. `--keep` names a folder for every
result, to be opened and looked at. PAPERCRANE_LOOK_AT names a stack that runs already.
"""

import argparse
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pikepdf
from PIL import Image
from playwright.sync_api import Browser, Error, Locator, TimeoutError, expect

from tests import make_broken, make_office
from tests.site.conftest import Visitor, chromium, visiting
from tests.site.look import somewhere
from tests.site.test_english import ROUTES, STORIES

PASSWORD = "芝麻开门"
#: Milliseconds after which a start that is not offered will not be.
PATIENCE = 3000
#: Milliseconds in which everything has ended: pages that are read, on a machine that does other things.
_LONGEST = 240_000
#: Why a start is not offered.
IDLE = ".bench-start:has([data-testid=start]:disabled) [data-testid=start-hint]:not(:empty)"
#: What a choice that does not suit the story's file earns: another language than the picture's, a page without a table.
EARNED = {"language_not_written", "no_table_found"}
#: The controls that offer something else than they have: the words of each, and what is done with it; nothing is typed.
CHOICES = """(form) => {
const controls = form.querySelectorAll('select, input, [role=tab], .field-step, .field-chip');
return [...controls].flatMap((control) => {
  if (control.closest('[hidden]') || control.disabled) return [];
  const name = control.closest('.field')?.querySelector('.field-label, label')?.textContent?.trim() ?? '';
  const own = control.getAttribute('aria-label') ?? control.closest('label')?.textContent ?? control.textContent;
  const found = (value, act) => ({ label: `${name}: ${value.trim()}`, act, control });
  if (control.tagName === 'SELECT') return [...control.options].map((option, at) => found(option.textContent, at));
  if (control.type === 'range') return [found('further', 'ArrowRight')];
  if (control.type === 'radio' || control.type === 'checkbox' || control.tagName === 'BUTTON')
    return control.checked || control.ariaSelected === 'true' ? [] : [found(own, 'click')];
  return [];
});
}"""


def turned(path: Path, source: Path) -> Path:
    with pikepdf.open(source) as pdf:
        for number, page in enumerate(pdf.pages):
            page.rotate(90 * (number % 3 + 1), relative=False)
        pdf.save(path, encryption=pdf.is_encrypted)
    return path


def turned_picture(path: Path, source: Path) -> Path:
    """As a camera held upright tells it."""
    with Image.open(source) as image:
        image.getexif()[0x0112] = 6
        image.save(path, exif=image.getexif())
    return path


def cut(path: Path, source: Path) -> Path:
    return make_broken.truncated(path, source, 0.7)


Make = Callable[[Path, Path], Path]
_OFFICE: dict[str, Make] = {
    "encrypted": lambda path, source: make_office.encrypted(path, source, PASSWORD),
    "damaged": cut,
}
#: What is made of a story's file, by its suffix.
MADE: dict[str, dict[str, Make]] = {
    ".pdf": {
        "turned": turned,
        "encrypted": lambda path, source: make_broken.encrypted(path, source, user=PASSWORD),
        "damaged": cut,
    },
    ".png": {"turned": turned_picture, "damaged": cut},
    **dict.fromkeys((".docx", ".xlsx", ".pptx"), _OFFICE),
}


def kinds_of(key: str) -> list[str]:
    """What the tool's story is walked with."""
    with tempfile.TemporaryDirectory() as folder:
        first, *_ = STORIES[key].files(Path(folder))
    return ["story", *MADE.get(first.suffix, {})]


class Walk:
    """One tool with one file, from choice to choice."""

    def __init__(self, key: str, kind: str, folder: Path, of: Path | None = None, keep: Path | None = None) -> None:
        self.key, self.kind, self.keep = key, kind, keep
        first, *more = [of] if of else STORIES[key].files(folder)
        self.files = [
            first if kind == "story" else MADE[first.suffix][kind](folder / f"件{first.suffix}", first),
            *more,
        ]
        self.seen: set[str] = set()
        self.over = False

    def begin(self, visitor: Visitor) -> None:
        """With the file, as somebody who was never here."""
        self.visitor = visitor
        visitor.open(f"/en{ROUTES[self.key]}").drop(*self.files)
        expect(visitor.see("options").get_by_role("heading").first).to_be_visible()
        if self.kind == "encrypted":
            self.unlock(visitor)
        try:
            expect(visitor.see("start")).to_be_enabled(timeout=PATIENCE)
        except AssertionError:  # nothing would change yet: the story's own act comes first
            STORIES[self.key].prepare(visitor)

    def unlock(self, visitor: Visitor) -> None:
        """Only who converts an office file learns that it is locked: its password is asked for behind the start."""
        office = self.files[0].suffix != ".pdf"
        if office:
            visitor.see("start").click()
        asked = visitor.see("password").or_(visitor.page.locator(".board-locked input")).filter(visible=True).first
        asked.fill(PASSWORD)
        if office:
            visitor.see("start").click()
            expect(visitor.see("done").first).to_be_visible()
            visitor.see("edit-options").click()
        elif visitor.page.locator(".board-locked").count():  # Enter opens the pages there; at a file's row it starts
            asked.press("Enter")
            expect(asked).to_be_hidden()

    def form(self) -> Locator:
        expect(self.visitor.see("start")).to_be_visible()
        form = self.visitor.options()
        closed = form.locator("details:not([open]) > summary")
        while closed.count():
            closed.first.click()
        return form

    def choose(self) -> str | None:
        """Take the next choice that was not taken yet; its words, or None where there is none."""
        form = self.form()
        for choice in form.evaluate_handle(CHOICES).get_properties().values():
            label = str(choice.get_property("label").json_value())
            if label in self.seen:
                continue
            control, act = choice.get_property("control").as_element(), choice.get_property("act").json_value()
            assert control
            if act == "click":
                control.evaluate("(control) => control.click()")
            elif isinstance(act, str):
                control.press(act)
            else:
                control.select_option(index=act)
            return label
        return None

    def end(self) -> str:
        """Start, where that is offered: how it ended."""
        try:
            self.visitor.see("start").click(timeout=PATIENCE)
        except TimeoutError:
            pass
        # A start may be taken back while it is pressed: what it would do was only just judged.
        idle = self.visitor.page.locator(IDLE)
        ended = self.visitor.see("done").or_(self.visitor.see("failed")).or_(idle).first
        expect(ended).to_be_visible(timeout=_LONGEST)
        match ended.get_attribute("data-testid"):
            case "failed" if ended.get_attribute("data-reason") in EARNED:
                return f"refused: {self.visitor.see('problem').inner_text()}"
            case "failed":
                return f"failed: {self.visitor.see('problem').inner_text()}"
            case "start-hint":
                return f"idle: {idle.inner_text()}"
        return "done"

    def steps(self, visitor: Visitor) -> Iterator[tuple[str, str]]:
        """What was chosen, and how it ended; as long as it ends well the same form is walked on."""
        self.begin(visitor)
        while chosen := self.choose() if self.seen else "as it is":
            self.seen.add(chosen)
            ended = self.end()
            if ended == "done" and self.keep:
                self.put(chosen)
            yield chosen, ended
            if ended != "done":
                return
            visitor.see("edit-options").click()
        self.over = True

    def put(self, chosen: str) -> None:
        """What came of this choice, under its words."""
        assert self.keep
        words = re.sub(r"[^\w%.]+", " ", chosen).strip()
        self.visitor.save(self.keep / f"{self.key} {self.kind} {len(self.seen):02} {words}"[:80])


def walked(
    browser: Browser, address: str, key: str, kind: str, of: Path | None = None, keep: Path | None = None
) -> Iterator[str]:
    """The faults of one tool with one file; every step is printed."""
    with tempfile.TemporaryDirectory() as made:
        walk = Walk(key, kind, Path(made), of, keep)
        while not walk.over:
            known = len(walk.seen)
            try:
                with visiting(browser, SimpleNamespace(address=address), reduced_motion="reduce") as visitor:  # type: ignore[arg-type]
                    for chosen, ended in walk.steps(visitor):
                        print(key, kind, chosen, "→", ended, flush=True)
                        if ended.startswith("failed") and kind != "damaged":
                            yield f"{key} {kind} {chosen}: {ended}"
            except (AssertionError, Error) as error:
                yield f"{key} {kind}: {str(error)[:400]}"
                walk.over = len(walk.seen) == known
            if kind != "damaged":
                yield from (f"{key} {kind} complains: {line}" for line in visitor.complaints)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.site.walk")
    parser.add_argument("tools", nargs="*")
    parser.add_argument("--files", default="story,turned,encrypted,damaged")
    parser.add_argument("--of", type=Path, help="a file of the kind of the stories'")
    parser.add_argument("--keep", type=Path, help="a folder for the results")
    told = parser.parse_args()
    faults: list[str] = []
    with chromium() as browser, somewhere() as address:
        for key in told.tools or STORIES:
            for kind in (each for each in kinds_of(key) if each in told.files.split(",")):
                faults += walked(browser, address, key, kind, told.of, told.keep)
    print(*["", "faults:", *faults] if faults else ["", "no fault"], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
