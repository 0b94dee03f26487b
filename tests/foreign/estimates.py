"""How near compress's estimate comes to what compress then makes of other people's files.

python -m tests.foreign.estimates TRUTH FOLDER … [--sample N] [--from BYTES]

Sizes that were made are kept in TRUTH, a JSON file, so that a changed estimate is judged in a minute. A file counts
for a level where compress gave a result; an estimate that gives up counts as missed. Status 1 where fewer than 80 %
of the estimates of a level are within 20 %.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cluster.kinds import PDF, kind_of
from cluster.tools.compress import Options, foretell
from tests.foreign.files import files_in
from tests.running import run_tool, work_on

LEVELS = "light", "standard", "strong"
#: How far from the made size an estimate may be, as a share of it, and the share of estimates that must be as near.
NEAR, MOST = 0.2, 0.8
_MEMORY, _SECONDS = 3 << 30, 100
Sizes = dict[str, float]


def made(path: Path) -> Sizes:
    """Bytes of the result at each level; a level that failed is missing."""
    found = {}
    for level in LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            ran = run_tool("compress", Path(folder), [path], level=level)
            if ran.problem is None:
                found[level] = float(ran.outputs[0].path.stat().st_size)
    return found


def guessed(path: Path) -> Sizes:
    """The estimate of each level in bytes, and the CPU seconds that it took."""
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        told = foretell(work_on("compress", Path(folder), path, Options()))
    return {**told, "seconds": time.process_time() - began}


def alone(work: Callable[[Path], Sizes], path: Path) -> Sizes:
    """`work` in a process of its own, under limits; nothing where it failed."""
    context = multiprocessing.get_context("fork")
    mine, its = context.Pipe()
    child = context.Process(target=_child, args=(work, path, its))
    child.start()
    its.close()
    try:
        return dict(mine.recv()) if mine.poll(2 * _SECONDS) else {}
    except EOFError:
        return {}
    finally:
        child.kill()
        child.join()


def _child(work: Callable[[Path], Sizes], path: Path, pipe: Any) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    try:
        pipe.send(work(path))
    except Exception as error:  # traps: what production tells as a refusal is no truth either
        print(f"  {path.name}: {type(error).__name__} {error}")


def pdfs(folders: list[Path], sample: int | None, least: int) -> Iterator[Path]:
    """The PDFs of at least so many bytes."""
    for folder in folders:
        for path in files_in(folder, sample):
            if path.stat().st_size >= max(1, least) and kind_of(path) is PDF:
                yield path


def judge(truth: dict[str, Sizes], files: list[Path]) -> bool:
    """Print a line for each estimate that missed and one for each level; whether all levels are near enough."""
    near, seconds = {level: list[bool]() for level in LEVELS}, []
    for path in files:
        was, told = truth[str(path)], alone(guessed, path)
        seconds.append(told.get("seconds", 0.0))
        for level in LEVELS:
            if level in was:
                ratio = told.get(level, 0.0) / was[level]
                near[level].append(abs(ratio - 1) <= NEAR)
                if not near[level][-1]:
                    size = path.stat().st_size
                    print(
                        f"{path.name} {size} {level}: made {was[level]:.0f} told {told.get(level, 0):.0f} ({ratio:.2f})"
                    )
    print(f"CPU seconds: median {sorted(seconds)[len(seconds) // 2]:.2f}, most {max(seconds):.2f}")
    for level, found in near.items():
        print(f"{level}: {sum(found)} of {len(found)} within {NEAR:.0%} ({sum(found) / max(1, len(found)):.1%})")
    return all(sum(found) >= MOST * len(found) for found in near.values())


def main(arguments: list[str]) -> int:
    """Fill the truth, then judge the estimates by it."""
    parser = argparse.ArgumentParser(prog="python -m tests.foreign.estimates")
    parser.add_argument("truth", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--sample", type=int, help="of each folder only so many files, always the same ones")
    parser.add_argument("--from", dest="least", type=int, default=0, help="only files of at least so many bytes")
    chosen = parser.parse_args(arguments)
    truth: dict[str, Sizes] = json.loads(chosen.truth.read_text()) if chosen.truth.exists() else {}
    files = list(pdfs(chosen.folders, chosen.sample, chosen.least))
    for path in files:
        if str(path) not in truth:
            truth[str(path)] = alone(made, path)
            chosen.truth.write_text(json.dumps(truth))
    return 0 if judge(truth, files) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
