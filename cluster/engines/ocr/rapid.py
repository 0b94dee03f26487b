"""RapidOCR behind `Reader`: PP-OCRv6 as its package brings it, driven by page.

Five things differ from its own pipeline, each measured: lines are found on a reduced picture and cut out of
the full one (a third of the time); they are read in eight bits, and again where a letter is in doubt (two thirds of the
time); one line a run on one thread each, as many runs as cores (15 % less than batches), Chinese ones narrower (30 %
less; Latin letters would be lost); no angle classifier (pages are turned whole); lines are found on half of the cores
(on two cores 0.28 s of CPU for 0.46: threads that wait for each other spin).
"""

import logging
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line, Quad
from cluster.engines.ocr import models
from cluster.engines.ocr.alphabet import Heard, Only, plain
from cluster.engines.ocr.cut import cut_at_gutters, without_twins
from cluster.engines.ocr.freed import give_back
from cluster.engines.ocr.reader import Language
from cluster.engines.ocr.sparse import Place, is_anothers, places

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Longest side on which lines are found first; small letters get a second look at the size they need.
_SIDE, _SIDE_LIMIT = 960, 2400
#: Lines lower than _LOW (in the reduced picture) lose letters at their ends; _AIM is what the second look gives.
_LOW, _AIM = 17, 21
_SMALLEST = 640
#: Lines are found on so many pixels at once, for a million takes 0.34 GiB; what more than _KEPT took is given back.
_AT_ONCE, _KEPT = 2_000_000, 1_000_000
#: What is read less surely is no text; a lone letter is easily seen in what is none (the corner of a photograph).
_SURE_ENOUGH, _SURE_ALONE = 0.5, 0.7
#: A picture longer than this many widths is searched in bands: a screenshot of a whole chat.
_LONG = 2.2
_SHORTEST_BAND = 320
#: What differs by less (of 255) from end to end is blank.
_FAINT = 16
#: Lines read at full width before the rest of a Chinese page is read narrower, and how much narrower.
_PROBES = 2
_NARROWER = 0.7
_DOUBT = 0.95
#: A line is read in full precision when in eight bits it is less sure than this on the whole or in one letter, or a
#: letter that was left out, or an unknown one, is surer. Of lines drawn anyhow a tenth are, of a clean page hardly one.
_SURE_ON_THE_WHOLE, _CLEAR, _MISSED, _WHISPER = 0.97, 0.7, 0.15, 0.0005


class RapidReader:
    """One set of models, in bfloat16 (`halves`) or full precision; and to look at lines first, one in eight bits."""

    def __init__(self, *, halves: bool, eighths: bool) -> None:
        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        cores = os.cpu_count() or 1
        self._finder = models.finder(max(1, cores // 2), halves=halves)
        self._recogniser = models.recogniser(cores, halves=halves)
        self._only = Only(self._recogniser.postprocess_op.character)
        self._quick = models.quick(self._only, cores) if eighths else None
        self._threads = ThreadPoolExecutor(cores)

    def find(self, picture: "NDArray[Any]") -> list[Quad]:
        height, width = picture.shape[:2]
        if height > _LONG * width:
            return [box for top, bottom in _bands(picture) for box in self._find(picture[top:bottom], (0, top))]
        if max(height, width) > _SIDE and (found := places(picture)):
            return without_twins([box for place in found for box in self._find_at(picture, place, found)])
        return cut_at_gutters(picture, self._find(picture, (0, 0)))

    def _find_at(self, picture: "NDArray[Any]", place: Place, others: Sequence[Place]) -> list[Quad]:
        """The place's own lines: of the next one's, the paper around it shows a part, or they would be found twice."""
        left, top, right, bottom = place.around
        found = self._find(picture[top:bottom, left:right], (left, top))
        return [box for box in found if not is_anothers(*_middle(box), place, others)]

    def recognise(self, picture: "NDArray[Any]", boxes: Sequence[Quad], language: Language) -> list[Line]:
        self._only.language = language
        first = list(self._threads.map(lambda box: self._line(picture, box), boxes[:_PROBES]))
        if len(boxes) < 2 * _PROBES or not _is_dense("".join(line.text for line in first)):
            return first + list(self._threads.map(lambda box: self._line(picture, box), boxes[_PROBES:]))
        return first + list(self._threads.map(lambda box: self._dense_line(picture, box), boxes[_PROBES:]))

    def _dense_line(self, picture: "NDArray[Any]", box: Quad) -> Line:
        """汉字 are read as surely from a narrower strip, in less time; what is doubtful or Latin is read again."""
        line = self._line(picture, box, _NARROWER)
        if line.score >= _DOUBT and _is_dense(line.text):
            return line
        return max(line, self._line(picture, box), key=lambda each: each.score)

    def _find(self, picture: "NDArray[Any]", place: tuple[int, int]) -> list[Quad]:
        """Boxes in `picture`, which lies at `place` (left, top) of the whole one."""
        import cv2

        if int(picture.max()) - int(picture.min()) < _FAINT:
            return []
        grown = max(1.0, min(3.0, _SMALLEST / max(picture.shape[:2])))
        if grown > 1:
            picture = cv2.resize(picture, None, fx=grown, fy=grown, interpolation=cv2.INTER_CUBIC)
        edge = 0 if min(picture.shape[:2]) > 200 else 48
        if edge:
            picture = cv2.copyMakeBorder(picture, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
        found = self._quads(picture)
        left, top = place
        return [
            tuple(((x - edge) / grown + left, (y - edge) / grown + top) for x, y in quad)  # type: ignore[misc]
            for quad in found
        ]

    def _quads(self, picture: "NDArray[Any]") -> list[list[list[float]]]:
        longest = max(picture.shape[:2])
        quads = self._search(picture, _SIDE)
        low = _letters(quads) * _SIDE / longest
        if longest <= _SIDE or low >= _LOW:
            return quads
        return self._search(picture, min(longest, _SIDE_LIMIT, int(_SIDE * _AIM / max(low, 1.0))))

    def _search(self, picture: "NDArray[Any]", side: int) -> list[list[list[float]]]:
        height, width = picture.shape[:2]
        scale = min(1.0, side / max(height, width))
        pixels = height * width * scale * scale
        if pixels > _AT_ONCE and height > 2 * _SHORTEST_BAND:
            middle = _calmest(picture, height // 2, height // 8)
            above, below = picture[:middle], picture[middle:]
            low = self._search(below, round(scale * max(below.shape[:2])))
            return self._search(above, round(scale * max(above.shape[:2]))) + _lowered(low, middle)
        self._finder.limit_side_len = side
        if pixels > _KEPT:
            give_back()
        boxes = self._finder(picture[:, :, ::-1]).boxes
        if pixels > _KEPT:
            self._finder.session.session.get_compiled_model().release_memory()
        return [] if boxes is None else boxes.tolist()

    def _line(self, picture: "NDArray[Any]", box: Quad, narrower: float = 1.0) -> Line:
        import cv2

        strip = _cut(picture, box)
        if narrower < 1 and strip.shape[1] > 8 * strip.shape[0]:
            strip = cv2.resize(strip, None, fx=narrower, fy=1, interpolation=cv2.INTER_AREA)
        heard = self._hear(strip)
        read = plain(heard.text.strip())
        sure = heard.score >= (_SURE_ENOUGH if len(read) > 1 else _SURE_ALONE)
        return Line(box, read if sure else "", heard.score, heard.passed_over)

    def _hear(self, strip: "NDArray[Any]") -> Heard:
        """What stands in a strip: as eight bits read it, where each letter is clear and none unknown."""
        _, high, wide = self._recogniser.rec_image_shape
        given = self._recogniser.resize_norm_img(strip, max(wide / high, strip.shape[1] / strip.shape[0]))[None]
        if self._quick:
            heard = self._only.read(self._quick(given))
            if not is_doubtful(heard):
                return heard
        return self._only.read(self._only.steps(self._recogniser.session(given)[0]))


def _middle(box: Quad) -> tuple[float, float]:
    return sum(x for x, _ in box) / 4, sum(y for _, y in box) / 4


def is_doubtful(heard: Heard) -> bool:
    """Whether full precision might read something else than eight bits did."""
    unsure = heard.score < _SURE_ON_THE_WHOLE or heard.least < _CLEAR
    return unsure or heard.missed >= _MISSED or heard.unknown >= _WHISPER


def _is_dense(text: str) -> bool:
    """Whether nearly all letters are 汉字 or kana."""
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and sum(letter >= "⺀" for letter in letters) > 0.85 * len(letters)


def _cut(picture: "NDArray[Any]", box: Quad) -> "NDArray[Any]":
    """The box as an upright BGR strip."""
    import numpy
    from rapidocr.utils.process_img import get_rotate_crop_image

    points = numpy.array(box, dtype=numpy.float32)
    left, top = numpy.floor(points.min(axis=0)).astype(int).clip(0)
    right, bottom = numpy.ceil(points.max(axis=0)).astype(int) + 1
    part = numpy.ascontiguousarray(picture[top:bottom, left:right, ::-1])
    if min(part.shape[:2]) < 2:
        return numpy.full((48, 48, 3), 255, numpy.uint8)
    return get_rotate_crop_image(part, points - numpy.array([left, top], dtype=numpy.float32))  # type: ignore[no-any-return]


def _letters(quads: list[list[list[float]]]) -> float:
    """Height of the lower quarter of the lines; 0 when there are none, so that a larger picture is tried."""
    lows = sorted(min(_span(quad, 0), _span(quad, 1)) for quad in quads)
    return lows[len(lows) // 4] if lows else 0.0


def _span(quad: list[list[float]], axis: int) -> float:
    values = [point[axis] for point in quad]
    return max(values) - min(values)


def _bands(picture: "NDArray[Any]") -> list[tuple[int, int]]:
    """A long picture cut at its calmest rows, about one and a half widths apart."""
    height, width = picture.shape[:2]
    step, reach = max(_SHORTEST_BAND, int(width * 1.5)), max(1, width // 4)
    edges = [0]
    while height - edges[-1] > step + reach:
        edges.append(_calmest(picture, edges[-1] + step, reach))
    return list(zip(edges, [*edges[1:], height], strict=True))


def _calmest(picture: "NDArray[Any]", row: int, reach: int) -> int:
    """The row with the least ink, so near to that one."""
    return row - reach + int(picture[row - reach : row + reach, :, 1].std(axis=1).argmin())


def _lowered(quads: list[list[list[float]]], top: int) -> list[list[list[float]]]:
    return [[[x, y + top] for x, y in quad] for quad in quads]
