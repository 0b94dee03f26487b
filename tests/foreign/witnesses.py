"""Who sees that a page looks otherwise: a fault when two renderers see it, and not for what they never agree on."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.foreign import pixels, programs
from tests.foreign.aside import Cannot
from tests.foreign.case import Case
from tests.foreign.drawn import MARKED_DPI
from tests.foreign.programs import RENDERERS, Picture
from tests.foreign.seen import Seen

Compare = Callable[[Picture, Picture], str]
#: Renderer -> the source's page and the result's.
Pairs = dict[str, tuple[Picture | None, Picture | None]]


def witnessed(case: Case, source: Seen, number: int, result: Seen, page: int, compare: Compare) -> str:
    """What two renderers see, in the words of the first."""
    dpi = case.rule.dpi or source.dpi(number)
    if case.rule.look == "marked":
        dpi = min(dpi, MARKED_DPI)
    pairs = {each: (source.drawn(each, number, dpi), result.drawn(each, page, dpi)) for each in RENDERERS}
    pairs = {each: pair for each, pair in pairs.items() if not case.late(each)}
    what = _agreed(pairs, compare)
    if not what or not source.structure.redrawn:
        return what
    # Readers that draw the fields themselves do it each in its way, and what they are given is the way of one.
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder, "source.pdf"), Path(folder, "result.pdf")
        try:
            for one, other in zip((source, result), bare, strict=True):
                case.aside.call(programs.without_fields, one.path, other)
        except Cannot:
            return what
        before, after = (Seen(each, case.aside) for each in bare)
        empty = {each: (before.drawn(each, number, dpi), after.drawn(each, page, dpi)) for each in pairs}
        return _agreed(empty, compare) or ("" if _fields_show(pairs, empty) else what)


def _agreed(pairs: Pairs, compare: Compare) -> str:
    said: list[str] = []
    for renderer, (one, two) in pairs.items():
        if one is not None:
            said.append(f"not drawn by {renderer}" if two is None else compare(one, two))
        if len(said) == 2 and not any(said):
            return ""
    seen = [each for each in said if each]
    return seen[0] if len(seen) > 1 else ""


def _fields_show(pairs: Pairs, empty: Pairs) -> bool:
    """Whether somebody who shows fields of the source shows at least a quarter as much of them in the result."""

    def own(renderer: str, which: int) -> float:
        full, bare = pairs[renderer][which], empty[renderer][which]
        return 0.0 if full is None or bare is None else pixels.ink(full) - pixels.ink(bare)

    return any(own(each, 1) >= own(each, 0) / 4 > 0 for each in pairs)
