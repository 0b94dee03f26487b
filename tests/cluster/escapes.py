"""What hostile code may try besides: a sandbox parent for `python -m tests.cluster.escapes`."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cluster.tool import Work
from cluster.worker.inside import main
from tests.cluster.misbehave import DEEDS

#: Lines of children, each gone before anybody can kill it, the next one there by then.
_BREED = """
import os
for _ in range({lines}):
    if not os.fork():
        break
for _ in range(20_000):
    if os.fork():
        os._exit(0)
    os.setsid()
"""


def pry(work: Work[Any]) -> list[int]:
    """Processes whose memory can be written, our own left out."""
    others = [int(path.name) for path in Path("/proc").glob("[0-9]*") if path.name != str(os.getpid())]
    return [pid for pid in others if _writable(Path(f"/proc/{pid}/mem"))]


def _writable(path: Path) -> bool:
    try:
        path.open("r+b").close()
    except OSError:
        return False
    return True


def leave(work: Work[Any], *folders: str) -> dict[str, str]:
    """Write a file into each folder."""
    found = {}
    for folder in folders:
        try:
            Path(folder, "left").write_text("words of the document")
            found[folder] = "written"
        except OSError as error:
            found[folder] = type(error).__name__
    return found


def breed(work: Work[Any], lines: str) -> None:
    subprocess.Popen([sys.executable, "-c", _BREED.format(lines=lines)], start_new_session=True)
    time.sleep(0.1)


def babble(work: Work[Any]) -> None:
    """Say what no JSON reader likes."""
    handle = work.listener.handle  # type: ignore[attr-defined]
    for line in ("[" * 200_000, '{"progress": [1' + "0" * 400 + ', 1, "working"]}', '{"progress": [1, 2, []]}'):
        os.write(handle, line.encode() + b"\n")


def dig(work: Work[Any], depth: str) -> None:
    """Folders in folders, too deep for whoever follows them one call each."""
    here = os.open(work.folder / "scratch", os.O_RDONLY)
    for _ in range(int(depth)):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


DEEDS.update({each.__name__: each for each in (pry, leave, breed, babble, dig)})

if __name__ == "__main__":
    main()
