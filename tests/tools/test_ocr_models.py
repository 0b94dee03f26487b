"""The models' runtime and precision: the same letters in each, and the one that this processor is faster in.

How fast it is in each is measured by `tests/bench/bench_precision.py`.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

from cluster.engines.ocr import models
from cluster.engines.ocr.alphabet import Heard, Only
from cluster.engines.ocr.client import reduced
from cluster.engines.ocr.models import Speed
from cluster.engines.ocr.rapid import is_doubtful
from tests import make_scans

ROOT = Path(__file__).parents[2]
#: Reads a page in one precision, and tells its text.
_CODE = """
import json, sys, numpy
from cluster.engines.ocr.engines import Engines
from cluster.engines.ocr.rapid import RapidReader
reading = Engines(RapidReader(halves=sys.argv[2] == "halves", eighths=sys.argv[2] == "eighths"), None)
print(json.dumps([line.text for line in reading.read(numpy.load(sys.argv[1]), "auto", turn=False).lines]))
"""


def _read(picture: Path, how: str) -> Any:
    """In a process of its own: not every one in which much was loaded before can take ONNX's runtime, too."""
    command = [sys.executable, "-c", _CODE, picture, how]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_all_precisions_read_the_same(tmp_path: Path, language: str):
    size, words = (1240, 500), {"zh": make_scans.ZH[:2], "en": make_scans.EN[:2]}[language]
    scan = make_scans.noisy(make_scans.page(words, size=size, font=make_scans.SERIF))
    numpy.save(tmp_path / "page.npy", numpy.asarray(scan.image))
    whole, halves, eighths = (_read(tmp_path / "page.npy", how) for how in ("whole", "halves", "eighths"))
    assert make_scans.error_rate("".join(whole), "".join(words)) == 0
    assert whole == halves == eighths


@pytest.mark.parametrize(
    ("took", "wanted"),
    [
        ((10, 6, 5), Speed(halves=True, eighths=False)),
        ((10, 10, 6.9), Speed(halves=False, eighths=True)),
        ((10, 9.5, 7.5), Speed(halves=False, eighths=False)),  # hardly faster is not worth it
        ((10, 8, 5), Speed(halves=True, eighths=True)),
    ],
)
def test_the_faster_precision_is_taken(monkeypatch: pytest.MonkeyPatch, took: tuple[float, ...], wanted: Speed):
    """Those of full precision, of bfloat16 and of eight bits; what the processor takes is no test's business."""
    clock = iter(took)
    monkeypatch.setattr(models, "_took", lambda _model: next(clock))
    assert models.speed() == wanted


LETTERS = Only(("blank", "a", "b", "ê"))


@pytest.mark.parametrize(
    ("steps", "text", "least", "missed"),
    [
        # heard at two steps, clearly at the second
        ([(0.4, 0.6, 0), (0, 1, 0), (1, 0, 0)], "a", 1.0, 0.0),
        ([(0, 0.55, 0.45), (1, 0, 0), (0, 0, 1)], "ab", 0.55, 0.0),
        # nearly a letter, and the echo of one
        ([(0, 1, 0), (0.6, 0, 0.4), (1, 0, 0)], "a", 1.0, 0.4),
        ([(0, 1, 0), (0.6, 0.4, 0), (1, 0, 0)], "a", 1.0, 0.0),
    ],
)
def test_what_is_unsure_in_a_line_is_told(steps: list[tuple[float, ...]], text: str, least: float, missed: float):
    heard = LETTERS.read(LETTERS.steps(numpy.array([(*step, 0) for step in steps], dtype=numpy.float32)))
    assert (heard.text, heard.least, heard.missed) == (text, pytest.approx(least), pytest.approx(missed))


@pytest.mark.parametrize(
    ("heard", "again"),
    [
        (Heard("clear", 0.99, 0.9, 0.01, 0.0), False),
        (Heard("5.8", 0.898, 0.9, 0.01, 0.0), True),
        (Heard("早", 0.99, 0.6, 0.01, 0.0), True),
        (Heard("fdelity", 0.99, 0.9, 0.4, 0.0), True),
        (Heard("tieng", 0.99, 0.9, 0.01, 0.001), True),
        (Heard("", 0.0, 0.0, 0.0, 0.0), True),
    ],
)
def test_a_line_in_doubt_is_read_again(heard: Heard, *, again: bool):
    assert is_doubtful(heard) is again


#: Tells a process's most memory in MiB: its own, for what `getrusage` tells counts the parent's, too, from before the
#: program was loaded.
_MOST = """
import json, pathlib, re, sys, numpy
from cluster.engines.ocr.engines import Engines
from cluster.engines.ocr.client import reduced
from cluster.engines.ocr.rapid import RapidReader
def most():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\\s*(\\d+)", status)[1]) >> 10
"""
#: Finds the lines of a large page in full precision, and tells how many.
_LARGE = """
found = RapidReader(halves=False, eighths=False).find(numpy.load(sys.argv[1]))
print(json.dumps([len(found), most()]))
"""
#: Reads pages one after another, eight bits first, as the engine does.
_MANY = """
reading = Engines(RapidReader(halves=False, eighths=True), None)
read = [len(reading.read(numpy.load(name), "auto", turn=True).lines) for name in sys.argv[1:]]
print(json.dumps([read, most()]))
"""


def _ran(code: str, scans: list[make_scans.Scan], folder: Path) -> Any:
    paths = [folder / f"{number}.npy" for number in range(len(scans))]
    for path, scan in zip(paths, scans, strict=True):
        numpy.save(path, numpy.asarray(reduced(scan.image)))
    command = [sys.executable, "-c", _MOST + code, *paths]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def test_lines_of_a_large_page_are_found_in_bounded_memory(tmp_path: Path):
    """Small letters are looked for at a second, larger size: at once that takes 1,087 MiB."""
    scan = make_scans.page(make_scans.EN * 10, size=(2400, 2200), font=make_scans.SERIF, points=18)
    lines, memory = _ran(_LARGE, [scan], tmp_path)
    assert lines == 48 and memory < 950


def test_many_large_pages_of_many_sizes_are_read_in_bounded_memory(tmp_path: Path):
    """What is freed between what is kept is given back: without, nine such pages came to 1,733 MiB."""
    a3, mixed = (3508, 4961), [each for pair in zip(make_scans.ZH, make_scans.EN, strict=True) for each in pair]
    scans = [
        make_scans.page(make_scans.EN * 3, size=a3, points=44, font=make_scans.LATIN),
        make_scans.photographed(make_scans.page(mixed, size=(2480, 3508), points=48, font=make_scans.SERIF)),
        make_scans.turned(make_scans.photographed(make_scans.page(make_scans.ZH, size=(3024, 4032), points=60)), 90),
        make_scans.page(make_scans.ZH * 2, size=(6000, 2000), points=36),
        make_scans.page(make_scans.EN * 30, size=a3, points=24, font=make_scans.LATIN),
        make_scans.page(mixed * 8, size=(3600, 3300), points=30, font=make_scans.SERIF),
    ]
    lines, memory = _ran(_MANY, scans, tmp_path)
    assert min(lines) > 5 and memory < 1500
