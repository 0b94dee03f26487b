"""What is printed several times in one place, for bolder letters or by a careless driver: read once, as it is seen."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.model import Box, Picture, TextLine
from cluster.engines.layout.rows import around
from cluster.engines.pdf.libraries import import_pymupdf

if TYPE_CHECKING:
    import pymupdf

#: A bit of a span: MuPDF, asked for styles, took letters in one place for one.
_DOUBLED = 8
#: Base lines, and letters, are the same when they are apart by less, in sizes; a row of lines to look in, in points.
_APART, _ROW = 0.1, 4
#: Letters that are printed again are bolder where they are moved by more than this, in sizes.
_MOVED = 0.004
#: A bit of a span's flags, which tells bold letters.
_BOLD = 16
#: Pictures lie over one another when they share so much of the smaller one; a larger part of a page is its ground.
_OVER, _GROUND = 0.5, 0.6
#: Pixels of a picture that is put together, across or down, at most; and an inch of one that is drawn from its page.
_MOST_PIXELS, _DPI = 4000, 220


def is_doubled(lines: Iterable[dict[str, Any]]) -> bool:
    """Whether letters of MuPDF's raw lines are printed over themselves."""
    return any(span.get("char_flags", 0) & _DOUBLED for line in lines for span in line["spans"])


def thicken(lines: Iterable[dict[str, Any]], page: "pymupdf.Page") -> None:
    """Make those of MuPDF's raw spans bold whose letters are mostly printed again a little beside themselves."""
    spans = [span for line in lines for span in line["spans"] if span.get("char_flags", 0) & _DOUBLED]
    moved = _moved(page) if spans else []
    for span in spans:
        left, top, right, bottom = span["bbox"]
        own = sum(left <= x < right and top - _ROW < y < bottom + _ROW for x, y in moved)
        letters = sum(not letter.isspace() for letter in span["text"])
        span["flags"] |= _BOLD * (0 < letters <= 2 * own)


def _moved(page: "pymupdf.Page") -> list[tuple[float, float]]:
    """Where letters stand that are printed again a little beside the place where they were printed first."""
    known: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    found: list[tuple[float, float]] = []
    for trace in page.get_texttrace():
        most = _APART * trace["size"]
        for letter, _, (x, y), _ in trace["chars"]:
            near = [other for row in (-1, 0, 1) for other in known[letter, int(y // _ROW) + row]]
            ways = [max(abs(x - left), abs(y - base)) for left, base in near]
            twin = [way for way in ways if way < most]
            if not twin:
                known[letter, int(y // _ROW)].append((x, y))
            elif max(twin) > _MOVED * trace["size"] and not chr(letter).isspace():
                found.append(near[ways.index(max(twin))])
    return list(dict.fromkeys(found))


def once(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """MuPDF's raw lines of letters, those that lie in each other or go on in each other as one.

    It leaves out letters that are printed again, so that a print with more of them becomes lines of its own: of "H ft"
    and "Hefty" come "H ft" and "e y", of "C" and "Corn" come "C" and "orn".
    """
    rows: dict[int, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for number, line in enumerate(lines):
        row = int(line["spans"][0]["origin"][1] // _ROW)
        for near in (rows[row - 1], rows[row], rows[row + 1]):
            for under in [each for each in near if _goes_with(each[1], line)]:
                if whole := _merged(under[1], line):
                    near.remove(under)
                    number, line = min(number, under[0]), whole
        rows[row].append((number, line))
    found = dict(each for row in rows.values() for each in row)
    return [found[number] for number in sorted(found)]


def _goes_with(line: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether the other line, upright and as large, lies on the base line of `line`, among or beside its letters."""
    mine, its = line["spans"][0], other["spans"][0]
    apart = _APART * mine["size"]
    across = min(line["bbox"][2], other["bbox"][2]) - max(line["bbox"][0], other["bbox"][0])
    return (
        line["dir"] == other["dir"] == (1, 0)
        and abs(mine["origin"][1] - its["origin"][1]) < apart
        and abs(mine["size"] - its["size"]) < apart
        and across > (-apart if _go_on(*sorted((line, other), key=lambda each: each["bbox"][0])) else apart)
        and is_doubled((line, other))
    )


def _go_on(line: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether the other line may go on in the word or with the next one: no mark behind a blank that is of neither."""
    one, two = ("".join(letter["c"] for span in each["spans"] for letter in span["chars"]) for each in (line, other))
    blank = one[-1:].isspace() or two[:1].isspace()
    return not blank or all(any(map(str.isalnum, text)) for text in (one, two))


def _merged(line: dict[str, Any], other: dict[str, Any]) -> dict[str, Any] | None:
    """The letters of both from left to right, without blanks where a letter stands; None if letters stand in others."""
    letters = [(letter, span) for each in (line, other) for span in each["spans"] for letter in span["chars"]]
    kept: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for letter, span in sorted(letters, key=lambda each: (not each[0]["c"].strip(), each[0]["origin"][0])):
        if not any(_is_at(letter, each, span["size"]) for each, _ in kept):
            kept.append((letter, span))
    kept.sort(key=lambda each: each[0]["origin"][0])
    if any(_collide(one, after) for (one, _), (after, _) in pairwise(kept)):
        return None
    runs = [list(run) for _, run in groupby(kept, key=lambda each: id(each[1]))]
    spans = [{**run[0][1], "chars": [letter for letter, _ in run]} for run in runs]
    return {**line, "bbox": around((line["bbox"], other["bbox"])), "spans": spans}


def _collide(letter: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether a letter stands in the one before, as parts of a ligature do; or the two are read from the right."""
    width = letter["bbox"][2] - letter["bbox"][0]
    into = letter["bbox"][2] - after["bbox"][0] > 0.5 * width and after["c"].strip() != ""
    return into or unicodedata.bidirectional(letter["c"]) in ("R", "AL")


def _is_at(letter: dict[str, Any], other: dict[str, Any], size: float) -> bool:
    """Whether the letter is the other one again, or a blank in its place."""
    apart = abs(letter["origin"][0] - other["origin"][0])
    if letter["c"].strip():
        return bool(letter["c"] == other["c"] and apart < _APART * size)
    return bool(other["bbox"][0] - _APART * size < letter["origin"][0] < other["bbox"][2] - _APART * size)


def flattened(pictures: Sequence[Picture], page: "pymupdf.Page", lines: Sequence[TextLine]) -> list[Picture]:
    """Pictures that lie over one another as one, for a text that flows would show them one after the other.

    It is what is seen of them on the page, with its masks and blends, unless words lie there, too.
    """
    size = (0.0, 0.0, page.rect.width, page.rect.height)
    piles: list[list[Picture]] = []
    for picture in pictures:
        under = [pile for pile in piles if any(_is_over(picture.box, each.box, size) for each in pile)]
        piles = [pile for pile in piles if pile not in under]
        piles.append([*(each for pile in under for each in pile), picture])
    return [_as_one(pile, page, lines) for pile in piles]


def _is_over(one: Box, other: Box, page: Box) -> bool:
    small, large = sorted((_area(one), _area(other)))
    across, down = (min(one[at + 2], other[at + 2]) - max(one[at], other[at]) for at in (0, 1))
    return across > 0 < down and across * down >= _OVER * small and large < _GROUND * _area(page)


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _as_one(pile: Sequence[Picture], page: "pymupdf.Page", lines: Sequence[TextLine]) -> Picture:
    seen = list(_uncovered(pile))
    if len(seen) == 1:
        return seen[0]
    box, path = around(each.box for each in seen), seen[0].path.with_name(f"{seen[0].path.stem}-pile.png")
    if any(_touch(line.box, box) for line in lines):
        _drawn(seen, path)
    else:
        page.get_pixmap(clip=import_pymupdf().Rect(box), dpi=_DPI, alpha=False).save(path)
    return replace(seen[-1], box=box, path=path)


def _uncovered(pile: Sequence[Picture]) -> Iterator[Picture]:
    """Without those that a later one without clear parts hides, as a JPEG has none."""
    for number, picture in enumerate(pile):
        above = (each.box for each in pile[number + 1 :] if each.path.suffix == ".jpg")
        if not any(around((box, picture.box)) == box for box in above):
            yield picture


def _drawn(pile: Sequence[Picture], path: Path) -> None:
    """Draw the pile as it is seen from above, as fine as its finest picture."""
    from PIL import Image

    left, top, right, bottom = around(each.box for each in pile)
    images = []
    for picture in pile:
        with Image.open(picture.path) as file:
            images.append(file.convert("RGBA"))
    finest = max(image.width / (each.box[2] - each.box[0]) for image, each in zip(images, pile, strict=True))
    scale = min(finest, _MOST_PIXELS / max(right - left, bottom - top))
    canvas = Image.new("RGBA", (max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale))))
    for image, picture in zip(images, pile, strict=True):
        x0, y0, x1, y1 = (
            round((side - start) * scale) for side, start in zip(picture.box, (left, top) * 2, strict=True)
        )
        canvas.alpha_composite(image.resize((max(1, x1 - x0), max(1, y1 - y0))), (x0, y0))
    canvas.save(path)
