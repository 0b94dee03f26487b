"""python -m tests.bench [subject …]: one markdown table of ours beside the peers."""

import importlib
import sys
from pathlib import Path

from tests.bench.side_by_side import Row, table

subjects = {path.stem.removeprefix("bench_"): path.stem for path in Path(__file__).parent.glob("bench_*.py")}
chosen = sys.argv[1:] or sorted(subjects)
if unknown := [name for name in chosen if name not in subjects]:
    sys.exit(f"no bench named {', '.join(unknown)}; there are: {', '.join(sorted(subjects))}")
rows: list[Row] = []
for name in chosen:
    rows += importlib.import_module(f"tests.bench.{subjects[name]}").rows()
print(table(rows))
