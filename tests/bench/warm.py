"""Time forks of a warm process, one for each slot.

python -m tests.bench.warm <result> <slots> <key> <folder> <options json> <file …>
"""

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
warm_up(tool(sys.argv[3]).lane)
slots, (key, folder, *rest) = int(sys.argv[2]), sys.argv[3:]
begun = time.perf_counter()
children = []
for slot in range(slots):
    if (child := os.fork()) == 0:
        one(key, f"{folder}/{slot}" if slots > 1 else folder, *rest, slot=(slot, slots))
        os._exit(0)
    children.append(child)
ended = [os.wait4(child, 0)[1:] for child in children]
seconds = time.perf_counter() - begun
scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
told = {
    "seconds": seconds,
    "mb": sum(usage.ru_maxrss for _, usage in ended) / scale,
    "cpu": sum(usage.ru_utime + usage.ru_stime for _, usage in ended),
}
Path(sys.argv[1]).write_text(json.dumps(told))
sys.exit(max(min(255, abs(os.waitstatus_to_exitcode(status))) for status, _ in ended))
