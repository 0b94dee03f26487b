"""Reading lines in full precision, in bfloat16 and in eight bits: what is chosen here beside the others.

Each in a process of its own: seconds and CPU of a page, at best, once its models are warm. The note tells what this
processor is said to be faster in, and whether all read the same.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy

from cluster.engines.ocr.models import Speed, speed
from tests import make_scans
from tests.bench.side_by_side import ROOT, Row, seconds_left

_CODE = """
import json, sys, time, numpy, psutil
from cluster.engines.ocr.engines import Engines
from cluster.engines.ocr.rapid import RapidReader
reading, took = Engines(RapidReader(halves=sys.argv[2] == "halves", eighths=sys.argv[2] == "eighths"), None), []
for _ in range(4):
    begun, busy = time.perf_counter(), time.process_time()
    read = reading.read(numpy.load(sys.argv[1]), "auto", turn=False)
    took.append((time.perf_counter() - begun, time.process_time() - busy))
memory = psutil.Process().memory_info().rss / (1 << 20)
print(json.dumps([*map(min, zip(*took)), memory, [line.text for line in read.lines]]))
"""


class _Read(NamedTuple):
    seconds: float
    cpu: float
    mb: float
    lines: list[str]


def rows() -> Iterator[Row]:
    chosen = speed()
    own = "eighths" if chosen.eighths else "halves" if chosen.halves else "whole"
    pages = {"zh": make_scans.page(make_scans.ZH), "en": make_scans.page(make_scans.EN, font=make_scans.LATIN)}
    for language, page in pages.items():
        read = {how: _read(page, how) for how in ("whole", "halves", "eighths")}
        yield from (_row(language, own, other, chosen, read) for other in read if other != own)


def _read(page: make_scans.Scan, how: str) -> _Read:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.npy"
        numpy.save(path, numpy.asarray(make_scans.noisy(page).image))
        command = [sys.executable, "-c", _CODE, path, how]
        left = seconds_left(how)
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=left)
    return _Read(*json.loads(done.stdout))


def _row(language: str, own: str, other: str, chosen: Speed, read: dict[str, _Read]) -> Row:
    ours, peer = read[own], read[other]
    same = "the same letters" if ours.lines == peer.lines else "OTHER LETTERS"
    told = ", ".join(name for name, faster in chosen._asdict().items() if faster) or "none"
    work, ratio = f"A page in {language}, read in {own}", ours.cpu / peer.cpu
    note = f"{same}; said to be faster: {told}; the ratio is of CPU"
    return Row(work, ours.seconds, f"in {other}", peer.seconds, ratio, ours.mb, peer.mb, note, ours.cpu, peer.cpu)
