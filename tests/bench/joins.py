"""Word documents merged two by two, each page of the whole beside the page that its own file makes alone.

.venv/bin/python -m tests.bench.joins FOLDER [step …]    every docx of FOLDER before the one `step` places behind it

With steps 1 and 7 (usual) the 23 documents of the corpus make 46 pairs. A line a pair: its worst page's SSIM at 72 dpi
(goal 0.98), where that is, and whose; pages lost or won count as 0. Drawn files stay in /tmp/joins for looking.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from tests import look
from tests.bench.bench_office import ours
from tests.running import run_tool

#: What each page must be like its own.
_GOAL = 0.98
_STEPS = (1, 7)
_KEPT = Path("/tmp/joins")


def pairs(files: list[Path], steps: tuple[int, ...]) -> Iterator[tuple[Path, Path]]:
    """Each file with the one that stands so many places behind it, around the end."""
    for step in steps:
        for at, path in enumerate(files):
            yield path, files[(at + step) % len(files)]


def likeness(first: Path, second: Path) -> tuple[float, str]:
    """The SSIM of the worst page of a pair at "section break, keep setup", and which page that is."""
    folder = Path(mkdtemp(dir=_KEPT))
    ran = run_tool("word_merge", folder, [first, second])
    if ran.problem:
        return 0.0, ran.problem.reason
    made = ran.path.rename(_KEPT / f"{first.stem} + {second.stem}.docx")
    whole = drawn(made)
    wanted = [(path, page) for path in (first, second) for page in range(1, look.page_count(drawn(path)) + 1)]
    if look.page_count(whole) != len(wanted):
        return 0.0, f"{look.page_count(whole)} pages of {len(wanted)}"
    found = [
        (look.looks_like(drawn(path), whole, page, at), f"page {page} of {path.name}")
        for at, (path, page) in enumerate(wanted, 1)
    ]
    return min(found)


@cache
def drawn(path: Path) -> Path:
    """The file as LibreOffice prints it."""
    ran = run_tool("word_to_pdf", Path(mkdtemp(dir=_KEPT)), [path])
    return ran.path.rename(_KEPT / f"{path.stem}.pdf")


def main(folder: Path, steps: tuple[int, ...]) -> None:
    _KEPT.mkdir(exist_ok=True)
    good = 0
    with ours(_KEPT):
        every = list(pairs(sorted(folder.glob("*.docx")), steps))
        for first, second in every:
            worst, where = likeness(first, second)
            good += worst >= _GOAL
            print(f"{'  ' if worst >= _GOAL else '- '}{worst:.4f} {first.stem} + {second.stem}: {where}", flush=True)
    print(f"{good} of {len(every)} pairs hold {_GOAL}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(int(each) for each in sys.argv[2:]) or _STEPS)
