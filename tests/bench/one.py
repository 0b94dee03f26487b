"""Run one tool once, as a whole process: python -m tests.bench.one <key> <folder> <options json> <file …>."""

import json
import sys
from pathlib import Path

from tests.running import run_tool


def one(key: str, folder: str, options: str, *files: str, slot: tuple[int, int] = (0, 1)) -> None:
    """Run it, or one slot's turn of it; a Problem ends the process with its reason."""
    ran = run_tool(key, Path(folder), [Path(each) for each in files], slot=slot, **json.loads(options))
    if ran.problem:
        sys.exit(f"{key}: {ran.problem.reason} {ran.problem.facts}")


if __name__ == "__main__":
    one(*sys.argv[1:])
