"""Run a command and write what it took as JSON: launch.py <result> <command …>.

Seconds by the clock, seconds of both cores (the command's and its ended children's), and peak memory.
"""

import json
import os
import sys
import time
from pathlib import Path

begun = time.perf_counter()
child = os.fork()
if child == 0:
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    except OSError as error:
        sys.stderr.write(f"{sys.argv[2]}: {error}\n")
        os._exit(127)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - begun
scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
told = {"seconds": seconds, "mb": usage.ru_maxrss / scale, "cpu": usage.ru_utime + usage.ru_stime}
Path(sys.argv[1]).write_text(json.dumps(told))
sys.exit(min(255, abs(os.waitstatus_to_exitcode(status))))
