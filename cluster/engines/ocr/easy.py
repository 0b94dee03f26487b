"""EasyOCR behind `Reader`: the extra `easyocr` (deploy/easyocr.sh), on the GPU where there is one.

It reads with whatever weights are there (weights.py). Nothing is downloaded from here: the sandbox has no network, and
a server should not depend on somebody else's release page at start.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line, Quad
from cluster.engines.ocr.reader import Language
from cluster.engines.ocr.weights import FINDER, MODELS, languages
from cluster.problem import FaultProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Longest side on which lines are found: a quarter of the time and a third of the memory of EasyOCR's own 2560.
_CANVAS = 1280
#: Operators that EasyOCR never calls, but without which torchvision cannot be imported.
_OPERATORS = "nms", "qnms"
_keep: list[Any] = []


class EasyReader:
    """One model that finds lines, and one a language that reads them, loaded when first asked for.

    `languages`: those that there are weights for. Raises engine_unavailable where EasyOCR or its weights are missing.
    """

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._easyocr, self.gpu = imported()
        self.languages = languages(weights)
        if not self.languages:
            raise _unfit(f"EasyOCR's weights are missing: {FINDER} and the model of a language, such as english_g2.pth")
        self._finder = self._load(["en"], recognizer=False)
        self._readers: dict[Language, Any] = {}

    def find(self, picture: "NDArray[Any]") -> list[Quad]:
        upright, free = self._finder.detect(picture, canvas_size=_CANVAS)
        boxes: list[Quad] = [((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, x1, y0, y1 in _plain(upright[0])]
        for a, b, c, d in _plain(free[0]):
            boxes.append((tuple(a), tuple(b), tuple(c), tuple(d)))
        return [box for box in boxes if _stands(box)]

    def recognise(self, picture: "NDArray[Any]", boxes: Sequence[Quad], language: Language) -> list[Line]:
        import cv2

        grey, reader = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), self._reader(language)
        return [_line(reader, grey, box) for box in boxes]

    def _reader(self, language: Language) -> Any:
        if language not in self._readers:
            self._readers[language] = self._load(MODELS[language][0], detector=False)
        return self._readers[language]

    def _load(self, names: list[str], **parts: bool) -> Any:
        own = {"model_storage_directory": str(self._weights), "user_network_directory": str(self._weights)}
        try:
            return self._easyocr.Reader(names, gpu=self.gpu, download_enabled=False, verbose=False, **own, **parts)
        except (FileNotFoundError, ValueError) as error:
            raise _unfit(f"EasyOCR's weights do not fit: {error}") from error


def _line(reader: Any, grey: "NDArray[Any]", box: Quad) -> Line:
    ((_, text, score),) = reader.recognize(grey, horizontal_list=[], free_list=[[list(map(int, each)) for each in box]])
    return Line(box, text.strip(), _certainty(float(score), len(text)))


def _certainty(score: float, letters: int) -> float:
    """EasyOCR's score is the product of its letters' to the power of 2 / √n: told as their geometric mean, as sure a
    long line as a short one."""
    return score ** (0.5 / max(1, letters) ** 0.5) if score > 0 else 0.0


def _plain(boxes: Any) -> Any:
    """Numbers of Python's own instead of numpy's."""
    import numpy

    return [numpy.asarray(box, dtype=float).tolist() for box in boxes]


def _stands(box: Quad) -> bool:
    xs, ys = zip(*box, strict=True)
    return max(xs) - min(xs) >= 2 and max(ys) - min(ys) >= 2


def imported() -> tuple[Any, bool]:
    """EasyOCR, with as many threads as there are cores; and whether there is a GPU."""
    try:
        import torch

        _torchvision(torch)
        import easyocr
    except (ImportError, RuntimeError, OSError) as error:
        raise _unfit(f"EasyOCR cannot be imported ({error})") from error
    # The sandbox's OMP_NUM_THREADS=1 is for parts; one picture is read at a time.
    torch.set_num_threads(os.cpu_count() or 1)
    return easyocr, bool(torch.cuda.is_available())


def _torchvision(torch: Any) -> None:
    """Import torchvision, also one that was built for a GPU's torch beside a torch without: its operators are named."""
    try:
        import torchvision  # noqa: F401
    except RuntimeError:
        for name in [each for each in sys.modules if each.partition(".")[0] == "torchvision"]:
            del sys.modules[name]
        library = torch.library.Library("torchvision", "DEF")
        for name in _OPERATORS:
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _keep.append(library)  # it takes its definitions with it when it goes


def _unfit(what: str) -> FaultProblem:
    return FaultProblem(
        f"PAPERCRANE_OCR=easy, but {what}. Run `sh deploy/easyocr.sh`, put weights into the folder that "
        "PAPERCRANE_EASYOCR_MODELS names, or unset PAPERCRANE_OCR to use RapidOCR.",
        "engine_unavailable",
    )
