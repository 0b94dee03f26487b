"""Text of a page found by its place and its words: which glyphs show it, or why they cannot be told."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cluster.engines.edit.scene import Glyph, Scene, Show
from cluster.engines.edit.shapes import Outline, body, bounds, corners, landed, overlap

#: Ems: what is drawn again so near is the same words.
_TWICE = 0.3


class Letter(NamedTuple):
    """A glyph, and the text that it stands for as people search for it."""

    scene: Scene
    show: Show
    glyph: Glyph
    text: str


class Found(NamedTuple):
    """The letters of each place where the words stand; or why none was found: a stable reason."""

    runs: list[list[Letter]]
    why: str = ""


def plain(text: str) -> str:
    """Text without white space, in the one form that readers search by."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def find_line(scene: Scene, outline: Outline, was: str) -> Found:
    """Where the outline (in the page's units) shows `was`."""
    letters = list(_letters(scene, outline))
    wanted = plain(was)
    if runs := _meant(_runs(letters, wanted) or _runs(_along(letters), wanted), outline):
        fonts = {letter.show.font for run in runs for letter in run}
        if any(font.kind == "/Type3" for font in fonts):
            return Found([], "text_drawn")
        if all(letter.show.hidden for run in runs for letter in run):
            return Found([], "text_pictured")  # what is read is not what is seen
        return Found(runs)
    if any(letter.show.font.kind == "/Type3" for letter in letters):
        return Found([], "text_drawn")
    if any(not letter.text and letter.glyph.code.advance for letter in letters):
        return Found([], "text_unknown")
    return Found([], "text_pictured" if not letters and _pictured(scene, outline) else "text_not_found")


def _letters(scene: Scene, outline: Outline) -> Iterator[Letter]:
    for each in scene.every():
        for show in each.shows:
            for glyph in show.glyphs:
                if overlap(body(glyph, show.font), outline):
                    yield Letter(each, show, glyph, plain(glyph.code.text))


def _along(letters: Sequence[Letter]) -> list[Letter]:
    """In the order in which they stand along the first one's line."""
    if not letters:
        return []
    a, b = letters[0].glyph.matrix[:2]
    return sorted(letters, key=lambda each: each.glyph.matrix[4] * a + each.glyph.matrix[5] * b)


def _runs(letters: Sequence[Letter], wanted: str) -> list[list[Letter]]:
    """Every stretch of letters that reads `wanted`, one after another."""
    text = "".join(letter.text for letter in letters)
    owners = [at for at, letter in enumerate(letters) for _ in letter.text]
    runs, at = [], text.find(wanted)
    while wanted and at >= 0:
        last = at + len(wanted) - 1
        clean = (at == 0 or owners[at - 1] != owners[at]) and (
            last + 1 == len(text) or owners[last + 1] != owners[last]
        )
        if clean:
            runs.append(list(letters[owners[at] : owners[last] + 1]))
        at = text.find(wanted, last + 1)
    return runs


def _meant(runs: list[list[Letter]], outline: Outline) -> list[list[Letter]]:
    """The one nearest to the middle of the outline, and what lies over it: words drawn twice are bold that way."""
    if len(runs) < 2:
        return runs
    x, y = (sum(each) / len(outline) for each in zip(*outline, strict=True))

    def away(run: list[Letter]) -> float:
        (_, _, _, _, x0, y0), (_, _, _, _, x1, y1) = run[0].glyph.matrix, run[-1].glyph.matrix
        return float(abs((x0 + x1) / 2 - x) + abs((y0 + y1) / 2 - y))

    nearest = min(runs, key=away)[0].glyph.matrix
    reach = _TWICE * (abs(nearest[0]) + abs(nearest[1]))
    starts = [(run, run[0].glyph.matrix) for run in runs]
    return [run for run, at in starts if abs(at[4] - nearest[4]) <= reach and abs(at[5] - nearest[5]) <= reach]


def _pictured(scene: Scene, outline: Outline) -> bool:
    unit = corners((0, 0, 1, 1))
    return any(
        overlap(corners(bounds(landed(drawn.matrix, unit))), outline)
        for each in scene.every()
        for drawn in each.pictures
        if drawn.image is not None or drawn.inline is not None
    )


def words_in(scene: Scene, outline: Outline) -> str:
    """The text that the outline shows, in the order in which it stands along its line."""
    shown = [letter for letter in _letters(scene, outline) if letter.glyph.code.text]
    return "".join(letter.glyph.code.text for letter in _along(shown)).strip()
