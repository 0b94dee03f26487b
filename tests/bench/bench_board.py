"""Frames a second while 1,000 pages scroll by on the page board, in headless Chromium, by requestAnimationFrame.

By the clock: on a busy machine it says little; the note tells the main thread's own seconds of a frame.
tests/site/test_board.py counts what a frame changes.
"""

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from playwright.sync_api import Page, expect

from tests import make
from tests.bench.side_by_side import Row
from tests.site.conftest import chromium, visiting
from tests.stack import started

PAGES, GOAL = 1000, 50
#: Milliseconds between the frames of so many, scrolling so many pixels at each.
_INTERVALS = """async ([step, frames]) => {
  const grid = document.querySelector('.board-grid');
  grid.scrollTop = 0;
  const at = [];
  for (let frame = 0; frame <= frames; frame += 1) {
    at.push(await new Promise(requestAnimationFrame));
    grid.scrollTop += step;
  }
  return at.slice(1).map((time, index) => time - at[index]);
}"""
#: Through the whole document in seconds, and as one reads.
_WAYS = {"fast": (100, 340), "slow": (12, 300)}


def rows() -> Iterator[Row]:
    """Seconds a frame, the mean; the peer column is the goal, so a ratio below 1 meets it."""
    with tempfile.TemporaryDirectory() as folder, _site(Path(folder)) as address, chromium() as browser:
        file = make.text(Path(folder) / "pages.pdf", PAGES)
        with visiting(browser, SimpleNamespace(address=address)) as visitor:  # type: ignore[arg-type]
            visitor.open("/PdfRotate").drop(file)
            expect(visitor.page.locator(".leaf [data-phase=drawn]").first).to_be_visible()
            worked = _main_thread(visitor.page)
            for way, (step, frames) in _WAYS.items():
                before = worked()
                spent = visitor.page.evaluate(_INTERVALS, [step, frames])
                own = (worked() - before) / frames
                mean, worst = statistics.mean(spent) / 1000, sorted(spent)[int(len(spent) * 0.99)]
                note = f"{1 / mean:.1f} frames a second; the slowest hundredth from {worst:.0f} ms"
                note += f"; the main thread works {own * 1000:.0f} ms a frame"
                yield Row(f"scroll {PAGES} pages, {way}", mean, "goal", 1 / GOAL, mean * GOAL, 0, 0, note)


def _main_thread(page: Page) -> Callable[[], float]:
    """Asks for the seconds of CPU that the page's main thread has worked."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")

    return worked


@contextmanager
def _site(folder: Path) -> Iterator[str]:
    """A stack that runs already (PAPERCRANE_LOOK_AT), or a new one."""
    if at := os.environ.get("PAPERCRANE_LOOK_AT"):
        yield at
        return
    with started(folder / "data") as stack:
        yield stack.address
