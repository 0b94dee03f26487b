"""EasyOCR, the second reader: it reads what it has weights for, RapidOCR the rest, and the result names who read.

The real engine runs where `deploy/easyocr.sh` put it: into this environment, or (`test`) into one of its own.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from cluster.engines.ocr import client as ocr
from cluster.engines.ocr.engines import engines, written_in
from cluster.engines.ocr.weights import FINDER, gathered, languages
from cluster.problem import FaultProblem
from cluster.settings import ROOT, Settings, read, settings
from tests import make_scans
from tests.running import Ran, run_tool

_OWN = ROOT / ".venv-easyocr" / "bin" / "python"
_PYTHON = sys.executable if find_spec("easyocr") else str(_OWN)


@pytest.fixture(scope="module")
def easy_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The warm engine with EasyOCR before RapidOCR."""
    if not Path(_PYTHON).exists():
        pytest.skip("EasyOCR is not installed (sh deploy/easyocr.sh test)")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ocr, "HOME", tmp_path_factory.mktemp("easy"))
        patch.setenv("PAPERCRANE_OCR", "easy")
        settings.cache_clear()
        process = subprocess.Popen([_PYTHON, *ocr.command()[1:]], env={**os.environ, **ocr.environment()}, cwd=ROOT)
        try:
            ocr.wait_ready(time.monotonic() + 120)
            yield
        finally:
            process.terminate()
            process.wait(20)
    settings.cache_clear()


def extracted(folder: Path, scan: make_scans.Scan, **options: object) -> Ran:
    ran = run_tool("image_to_text", folder / "run", [scan.save(folder / "a.png")], **options)
    assert ran.problem is None, ran.problem
    return ran


@pytest.mark.usefixtures("easy_engine")
def test_easyocr_reads_a_picture_in_english_that_lies_on_its_side(tmp_path: Path) -> None:
    straight = make_scans.page(make_scans.EN[2:3], size=(620, 200), points=22, font=make_scans.LATIN)
    ran = extracted(tmp_path, make_scans.turned(straight, 90))
    assert make_scans.error_rate(ran.outputs[0].path.read_text("utf-8"), straight.words[0]) <= 0.03
    assert ran.noted("read_by") == {"detail": "EasyOCR"} and ran.noted("turned") == {"detail": 270}
    (page,) = json.loads(ran.outputs[1].path.read_text("utf-8"))["pages"]
    scores = [line["score"] for each in page["paragraphs"] for line in each["lines"]]
    assert page["engines"] == ["EasyOCR"] and min(scores) > 0.9


@pytest.mark.usefixtures("easy_engine")
@pytest.mark.parametrize("language", ["auto", "zh"])
def test_rapidocr_reads_what_easyocr_has_no_weights_for(tmp_path: Path, language: str) -> None:
    ran = extracted(tmp_path, make_scans.page(("没有权重的语言",), size=(600, 200), points=40), language=language)
    assert ran.outputs[0].path.read_text("utf-8").strip() == "没有权重的语言"
    assert ran.noted("read_by") == {"detail": "RapidOCR"}


def test_weights_of_the_folder_and_of_packages_lie_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, package = tmp_path / "named", tmp_path / "easyocr_some_models-1.dist-info"
    for folder in (named, package):
        folder.mkdir()
    (named / "zh_sim_g2.pth").write_bytes(b"named")
    assert languages(gathered(named, tmp_path / "alone")) == frozenset()  # nothing finds lines
    (package / "METADATA").write_text("Name: easyocr-some-models\nVersion: 1\n")
    (package / "RECORD").write_text(f"models/{FINDER},,\nmodels/zh_sim_g2.pth,,\nmodels/english_g2.pth,,\n")
    (tmp_path / "models").mkdir()
    for name in (FINDER, "zh_sim_g2.pth", "english_g2.pth"):
        (tmp_path / "models" / name).write_bytes(b"carried")
    monkeypatch.syspath_prepend(tmp_path)
    both = gathered(named, tmp_path / "both")
    assert languages(both) == {"zh", "en"}
    assert (both / "zh_sim_g2.pth").read_bytes() == b"named" and (both / FINDER).read_bytes() == b"carried"


@pytest.mark.skipif(find_spec("easyocr") is not None, reason="it is here")
def test_easyocr_that_cannot_be_had_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FaultProblem) as caught:
        engines(Settings(ocr="easy"), tmp_path)
    assert "deploy/easyocr.sh" in caught.value.detail
    assert caught.value.reason == "engine_unavailable"
    # Alone: not every process in which much was loaded before can take ONNX's runtime, too.
    code = "import sys; from pathlib import Path; from cluster.engines.ocr.engines import engines; "
    code += "from cluster.settings import Settings; engines(Settings(ocr='auto'), Path(sys.argv[1])).warm()"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=ROOT)


def test_an_engine_that_there_is_not_stops_the_start() -> None:
    with pytest.raises(SystemExit, match="PAPERCRANE_OCR='tesseract' does not fit; expected rapid, easy, auto"):
        read({"PAPERCRANE_OCR": "tesseract"})


def test_the_language_of_a_sample() -> None:
    samples = {"図書館は": "ja", "图书 library": "zh", "déjà vu": "latin", "Room 12": "en", "": "en", "——": "en"}
    assert {text: written_in(text) for text in samples} == samples
