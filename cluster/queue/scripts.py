"""The queue's Lua, from `lua/`: what must happen whole or not at all. Keys as in cluster.queue's table.

Names of keys are put together inside, because a script learns whose part is next only as it runs:
one Redis (with replicas), not a Redis Cluster. A line `-- uses name` puts `lua/shared/name.lua` before a script; with
`-- even when full` it runs also where Redis has no memory left for new work: what was accepted can be ended.
"""

import re
from pathlib import Path

#: Seconds that end a bucket of the waiting and working times.
BUCKETS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800)
#: A task that ends for one of these, or ABNORMAL, costs no try: it did nothing for who asked.
FREE_REASONS = frozenset({"damaged_file"})

_LUA = Path(__file__).parent / "lua"


def _whole(path: Path) -> str:
    text = path.read_text()
    shared = [(_LUA / f"shared/{name}.lua").read_text() for name in re.findall(r"^-- uses (\w+)$", text, re.M)]
    first = ["#!lua flags=allow-oom"] if "\n-- even when full\n" in text else []
    constants = (
        f"local BUCKETS = {{{', '.join(map(str, BUCKETS))}}}",
        f"local FREE = {{{', '.join(f'{each} = true' for each in sorted(FREE_REASONS))}}}",
    )
    return "\n".join([*first, *constants, *shared, text])


SCRIPTS = {path.stem: _whole(path) for path in _LUA.glob("*.lua")}
