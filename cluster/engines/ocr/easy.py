"""EasyOCR behind `Reader`: the extra `easyocr`, on the GPU where there is one.

Chosen by PAPERCRANE_EASYOCR_MODELS, a folder with its weights (craft_mlt_25k.pth, zh_sim_g2.pth,
english_g2.pth …). Nothing is downloaded from here: the sandbox has no network, and a server should not
depend on somebody else's release page at start.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line, Quad
from cluster.engines.ocr.reader import Language
from cluster.problem import FaultProblem

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LANGUAGES: dict[Language, list[str]] = {
    "auto": ["ch_sim", "en"],
    "zh": ["ch_sim", "en"],
    "en": ["en"],
    "ja": ["ja", "en"],
    "latin": ["en", "fr", "de", "es", "it", "pt"],
}


class EasyReader:
    """One EasyOCR reader a language, loaded when first asked for."""

    def __init__(self, models: Path) -> None:
        self._models = models
        self._readers: dict[Language, Any] = {}
        self._reader("auto")

    def find(self, picture: "NDArray[Any]") -> list[Quad]:
        upright, free = self._reader("auto").detect(picture)
        boxes: list[Quad] = [((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, x1, y0, y1 in upright[0]]
        for (ax, ay), (bx, by), (cx, cy), (dx, dy) in free[0]:
            boxes.append(((ax, ay), (bx, by), (cx, cy), (dx, dy)))
        return boxes

    def recognise(self, picture: "NDArray[Any]", boxes: Sequence[Quad], language: Language) -> list[Line]:
        import cv2

        grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
        reader = self._reader(language)
        lines = []
        for box in boxes:
            quad = [[list(map(int, point)) for point in box]]
            (_, text, score) = reader.recognize(grey, horizontal_list=[], free_list=quad)[0]
            lines.append(Line(box, text, float(score)))
        return lines

    def _reader(self, language: Language) -> Any:
        if language not in self._readers:
            self._readers[language] = self._load(_LANGUAGES[language])
        return self._readers[language]

    def _load(self, languages: list[str]) -> Any:
        try:
            import easyocr
        except (ImportError, RuntimeError) as error:
            raise FaultProblem(
                f"PAPERCRANE_EASYOCR_MODELS is set but EasyOCR cannot be imported ({error}). Install the extra "
                "`easyocr` with a torchvision built for the same torch, or unset the variable to use RapidOCR.",
                "engine_unavailable",
            ) from error
        folder = str(self._models)
        try:
            return easyocr.Reader(languages, model_storage_directory=folder, download_enabled=False, verbose=False)
        except (FileNotFoundError, ValueError) as error:
            raise FaultProblem(
                f"PAPERCRANE_EASYOCR_MODELS={folder}: {error}. Put the weights that EasyOCR names there, "
                "or unset the variable to use RapidOCR.",
                "engine_unavailable",
            ) from error
