"""Reading text: our warm reader beside tesseract on the same pictures; the note tells both error rates."""

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

from cluster.engines.ocr import client as ocr
from tests import make_scans
from tests.bench.side_by_side import TIMES, Row
from tests.make_scans import EN, LATIN, ZH, Scan
from tests.running import run_tool


def rows() -> list[Row]:
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
                return [_row(work, scan, Path(name), server.pid) for work, scan in sets.items()]
            finally:
                server.terminate()


def _row(work: str, scan: Scan, folder: Path, server: int) -> Row:
    path = scan.save(folder / "page.png")
    seconds: tuple[list[float], list[float]] = ([], [])
    texts = ["", ""]
    for _ in range(max(2, TIMES // 2)):
        for side, read in enumerate((_ours, _tesseract)):
            begun = time.perf_counter()
            texts[side] = read(path, folder, work[-2:])
            seconds[side].append(time.perf_counter() - begun)
    mine, theirs = (statistics.median(each) for each in seconds)
    errors = [make_scans.error_rate(text, "".join(scan.words)) for text in texts]
    memory = psutil.Process(server).memory_info().rss / (1 << 20)
    note = f"errors {errors[0]:.4f} : {errors[1]:.4f}"
    return Row(f"Image extract text: {work}", mine, "tesseract", theirs, mine / theirs, memory, 0.0, note)


def _ours(path: Path, folder: Path, _: str) -> str:
    ran = run_tool("image_to_text", folder / "ours", [path])
    if ran.problem:
        raise ran.problem
    return ran.outputs[0].path.read_text(encoding="utf-8")


def _tesseract(path: Path, _: Path, language: str) -> str:
    command = ["tesseract", str(path), "-", "-l", {"zh": "chi_sim", "en": "eng"}[language]]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
