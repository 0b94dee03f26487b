"""python -m tests.bench [subject …]: a markdown table a subject, ours beside the peers, row by row as they come.

A subject ends within ten minutes: what is not measured by then is said.
"""

import importlib
import os
import sys
from pathlib import Path

from tests.bench.side_by_side import HEAD, OutOfTime, begin, line

#: Seconds that a subject may take.
LONGEST = 590.0


def show(name: str) -> None:
    """The table of one subject."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"\n{name} (load average {load} on {os.cpu_count()} cores)\n\n{HEAD}", flush=True)
    begin(LONGEST)
    try:
        for row in importlib.import_module(f"tests.bench.bench_{name}").rows():
            print(line(row), flush=True)
    except OutOfTime as late:
        print(f"| stopped after {LONGEST / 60:.0f} minutes, during {late} |", flush=True)


subjects = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
chosen = sys.argv[1:] or subjects
if unknown := [name for name in chosen if name not in subjects]:
    sys.exit(f"no bench named {', '.join(unknown)}; there are: {', '.join(subjects)}")
for name in chosen:
    show(name)
