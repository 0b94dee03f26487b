"""The models' runtime and precision: the same letters in each, and the one that this processor is faster in."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

from tests import make_scans

ROOT = Path(__file__).parents[2]
#: Reads the same lines again and again, and tells their text and what reading took at best.
_CODE = """
import json, sys, time, numpy
from cluster.engines.ocr.engines import Engines
from cluster.engines.ocr.models import halves_are_faster
from cluster.engines.ocr.rapid import RapidReader
reading, took = Engines(RapidReader(halves=sys.argv[2] == "halves"), None), []
picture = numpy.load(sys.argv[1])
for _ in range(4):
    begun = time.process_time()
    read = reading.read(picture, "auto", turn=False)
    took.append(time.process_time() - begun)
print(json.dumps([halves_are_faster(), min(took), [line.text for line in read.lines]]))
"""


def _read(picture: Path, how: str) -> Any:
    """In a process of its own: not every one in which much was loaded before can take ONNX's runtime, too."""
    command = [sys.executable, "-c", _CODE, picture, how]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_faster_precision_is_taken_and_both_read_the_same(tmp_path: Path, language: str):
    size, words = (1240, 500), {"zh": make_scans.ZH[:2], "en": make_scans.EN[:2]}[language]
    scan = make_scans.noisy(make_scans.page(words, size=size, font=make_scans.SERIF))
    numpy.save(tmp_path / "page.npy", numpy.asarray(scan.image))
    (halves, slow, first), (again, fast, second) = (_read(tmp_path / "page.npy", how) for how in ("halves", "whole"))
    assert make_scans.error_rate("".join(first), "".join(words)) == 0
    assert first == second
    # Where both take about the same, either may be taken.
    assert min(slow, fast) > 0.9 * max(slow, fast) or halves == again == (slow < fast)


#: Finds the lines of a large page in full precision, and tells how many, and the process's most memory in MiB.
_LARGE = """
import json, resource, sys, numpy
from cluster.engines.ocr.rapid import RapidReader
found = RapidReader(halves=False).find(numpy.load(sys.argv[1]))
print(json.dumps([len(found), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10]))
"""


def test_lines_of_a_large_page_are_found_in_bounded_memory(tmp_path: Path):
    """Small letters are looked for at a second, larger size: at once that takes 1,087 MiB."""
    scan = make_scans.page(make_scans.EN * 10, size=(2400, 2200), font=make_scans.SERIF, points=18)
    numpy.save(tmp_path / "page.npy", numpy.asarray(scan.image))
    command = [sys.executable, "-c", _LARGE, tmp_path / "page.npy"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    lines, memory = json.loads(done.stdout)
    assert lines == 48 and memory < 950
