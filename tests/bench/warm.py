"""Time the fork of a warm process: python -m tests.bench.warm <result> <key> <folder> <options json> <file …>."""

import json
import os
import sys
import time
from pathlib import Path

from cluster.engines.pdf.libraries import import_pikepdf, import_pymupdf
from cluster.worker.inside import warm_up
from tests.bench.one import one
from tests.running import tool

import_pikepdf()
import_pymupdf()
warm_up(tool(sys.argv[2]).lane)
begun = time.perf_counter()
if (child := os.fork()) == 0:
    one(*sys.argv[2:])
    os._exit(0)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - begun
scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
Path(sys.argv[1]).write_text(json.dumps({"seconds": seconds, "mb": usage.ru_maxrss / scale}))
sys.exit(min(255, abs(os.waitstatus_to_exitcode(status))))
