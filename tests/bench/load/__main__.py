"""One subject after another, or those that are named."""

import importlib
import os
import sys

SUBJECTS = ("calls", "lanes", "streams", "pages", "soak")

chosen = sys.argv[1:] or SUBJECTS
if unknown := set(chosen) - set(SUBJECTS):
    sys.exit(f"no subject named {', '.join(unknown)}; there are: {', '.join(SUBJECTS)}")
for name in chosen:
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"\n{name} (load average {load} on {os.cpu_count()} cores)\n", flush=True)
    for row in importlib.import_module(f"tests.bench.load.{name}").rows():
        print(row, flush=True)
