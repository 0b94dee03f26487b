"""python -m tests.bench [subject …]: a markdown table a subject, ours beside the peers."""

import importlib
import sys
from pathlib import Path

from tests.bench.side_by_side import table

subjects = {path.stem.removeprefix("bench_"): path.stem for path in Path(__file__).parent.glob("bench_*.py")}
chosen = sys.argv[1:] or sorted(subjects)
if unknown := [name for name in chosen if name not in subjects]:
    sys.exit(f"no bench named {', '.join(unknown)}; there are: {', '.join(sorted(subjects))}")
for name in chosen:
    print(table(importlib.import_module(f"tests.bench.{subjects[name]}").rows()), flush=True)
