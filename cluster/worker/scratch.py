"""Scratch: the job folders of this machine's slots, emptied after each part, cleared once their slot is dead."""

import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from cluster import queue
from cluster.settings import settings

#: Seconds without a sign of life after which a slot's job folder is nobody's; more than a sandbox takes to start.
DEAD_AFTER = 600


def scratch(slot: str) -> Path:
    """The slot's own job folder."""
    return settings().scratch / f"{slot}.{os.getpid()}"


def empty(folder: Path) -> None:
    """Delete everything in the job folder but the folder itself, which stays bound into the sandbox."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_symlink() or not path.is_dir():
            path.unlink(missing_ok=True)
            continue
        try:
            shutil.rmtree(path)
        except (OSError, RecursionError):
            # Folders a thousand deep or closed to their owner: left there on purpose, or by a tool that broke.
            subprocess.run(["chmod", "-R", "u+rwx", "--", path], capture_output=True, check=False)
            subprocess.run(["rm", "-rf", "--", path], capture_output=True, check=False)


def clear_dead_slots() -> int:
    """Delete the job folders that killed slots left on this machine, documents and all; returns how many."""
    dead = [path for path in settings().scratch.glob("*-*.*") if _dead(path)]
    for path in dead:
        empty(path)
        with suppress(OSError):  # somebody else was faster
            path.rmdir()
    return len(dead)


def _dead(folder: Path) -> bool:
    slot, since = folder.name.rpartition(".")[0], time.time() - DEAD_AFTER
    try:
        old = folder.stat().st_mtime < since
    except FileNotFoundError:  # somebody else was faster
        return False
    return old and queue.seen(slot.partition("-")[0], slot) < since * 1000
