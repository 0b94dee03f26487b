"""Reading text: our warm reader beside tesseract on the same pictures; the note tells both error rates.

The row is against tesseract as it starts by itself, on all threads, as the goals are; the note tells the ratio to one
thread, too, on which it is mostly faster.
"""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from cluster.engines.ocr import client as ocr
from tests import make_scans
from tests.bench.side_by_side import TIMES, Command, Row, Spent, run, seconds_left
from tests.make_scans import EN, LATIN, ZH, Scan
from tests.running import run_tool

_TOLD = ("seconds", "cpu")


def rows() -> Iterator[Row]:
    sets = {
        "scan zh": make_scans.page(ZH * 2),
        "scan en": make_scans.page(EN * 2, points=28, font=LATIN),
        "hard scan zh": make_scans.noisy(make_scans.skewed(make_scans.page(ZH * 2))),
        "hard scan en": make_scans.noisy(make_scans.skewed(make_scans.page(EN * 2, points=28, font=LATIN))),
        "turned 90 zh": make_scans.turned(make_scans.page(ZH * 2), 90),
        "turned 180 en": make_scans.turned(make_scans.page(EN * 2, points=28, font=LATIN), 180),
        "columns zh": make_scans.columns(ZH * 3, 3, points=22, title="横跨全页的大标题"),
        "columns en": make_scans.columns(EN * 3, 2, font=LATIN, title="A Title Across the Page"),
    }
    with tempfile.TemporaryDirectory() as name:
        ocr.HOME = Path(name) / "engine"
        with subprocess.Popen(ocr.command(), env={**os.environ, **ocr.environment()}) as server:
            try:
                ocr.wait_ready(time.monotonic() + 60)
                for work, scan in sets.items():
                    yield _row(work, scan, Path(name), psutil.Process(server.pid))
            finally:
                server.terminate()


def _row(work: str, scan: Scan, folder: Path, server: psutil.Process) -> Row:
    path, read = scan.save(folder / "page.png"), folder / "peer.txt"
    peers = _settings(path, read, work[-2:])
    spent: tuple[list[Spent], list[Spent], list[Spent]] = ([], [], [])
    text = ""
    for _ in range(max(2, TIMES // 2)):
        seconds_left(work)
        mine, text = _ours(path, folder, server)
        spent[0].append(mine)
        for side, peer in zip(spent[1:], peers, strict=True):
            side.append(run(peer))
    errors = [make_scans.error_rate(each, "".join(scan.words)) for each in (text, read.read_text(encoding="utf-8"))]
    seconds, cpu = ([statistics.median(getattr(each, what) for each in side) for side in spent] for what in _TOLD)
    note = f"errors {errors[0]:.4f} : {errors[1]:.4f}; ÷ tesseract on one thread {seconds[0] / seconds[2]:.2f}"
    peaks = [max(each.mb for each in side) for side in spent]
    name, ratio = "tesseract, all threads", seconds[0] / seconds[1]
    return Row(
        f"Image extract text: {work}", seconds[0], name, seconds[1], ratio, peaks[0], peaks[1], note, cpu[0], cpu[1]
    )


def _ours(path: Path, folder: Path, server: psutil.Process) -> tuple[Spent, str]:
    busy, begun = sum(server.cpu_times()[:2]), time.perf_counter()
    ran = run_tool("image_to_text", folder / "ours", [path])
    if ran.problem:
        raise ran.problem
    seconds, memory = time.perf_counter() - begun, server.memory_info().rss / (1 << 20)
    spent = Spent(seconds, memory, sum(server.cpu_times()[:2]) - busy)
    return spent, ran.outputs[0].path.read_text(encoding="utf-8")


def _settings(path: Path, read: Path, language: str) -> tuple[Command, Command]:
    """Tesseract's command as it starts by itself, on as many threads as it likes; and on one thread."""
    command: list[str | Path] = [
        "tesseract",
        path,
        read.with_suffix(""),
        "-l",
        {"zh": "chi_sim", "en": "eng"}[language],
    ]
    return command, ["env", "OMP_THREAD_LIMIT=1", *command]
