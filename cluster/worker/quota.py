"""Quotas: how many processes and files a part may have, and how many bytes its files.

Everywhere the sandbox's warm parent looks again and again, and kills the part that has too many: breeding takes a few
hundred processes and a tenth of a second, then it is over. RLIMIT_NPROC would not do: the kernel does not count for
who is root outside the namespace, and before 5.14 counts all processes of the user. Where PAPERCRANE_CGROUP names a
control group that is ours (v2, or the `pids` of v1), each slot has one of its own below it besides, so that the kernel
refuses the process that is one too many and, by v2, memory beyond what any part may have.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from cluster.settings import settings

#: Processes of a sandbox; LibreOffice and its like have a handful.
PROCESSES = 200
#: Files and folders that a part may make; answers take 50,000.
FILES = 120_000
#: Threads of all processes of a slot, and bytes: the largest bound of a tool, its engine and what lies in /tmp.
CGROUP = {"pids.max": 1500, "memory.max": 10 << 30}
#: Seconds between two looks, and how many times longer than a look it is at least.
EVERY, TIMES = 0.1, 10
What = Literal["processes", "files", "bytes"]


@dataclass
class Watch:
    """What a part has below `folder` and in `mounts`, file systems of its own; `most` bytes it may have there.

    `alone`: the processes that we see are its own and our engine's.
    """

    folder: Path
    mounts: Sequence[Path]
    most: int
    alone: bool
    _next: float = field(default=0.0)

    def over(self) -> What | None:
        """What there is too much of; asked more often than it looks, it knows nothing new."""
        began = time.monotonic()
        if began < self._next:
            return None
        found = self._look()
        now = time.monotonic()
        self._next = now + max(EVERY, TIMES * (now - began))
        return found

    def _look(self) -> What | None:
        if self.alone and sum(name.isdigit() for name in os.listdir("/proc")) > PROCESSES:  # noqa: PTH208 - names do
            return "processes"
        files, size = sum(map(_inodes, self.mounts)), 0
        for each in _below(self.folder):
            files, size = files + 1, size + each
            if files > FILES:
                return "files"
        return "bytes" if size > self.most else None


def _inodes(mount: Path) -> int:
    found = os.statvfs(mount)
    return found.f_files - found.f_ffree


def _below(folder: Path) -> Iterator[int]:
    """The bytes of each entry, told once for several names of one file. What cannot be looked into is endless."""
    seen, left = set(), [folder]
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for each in entries:
                    found = each.stat(follow_symlinks=False)
                    yield 0 if found.st_ino in seen else found.st_blocks * 512
                    seen.add(found.st_ino)
                    if each.is_dir(follow_symlinks=False):
                        left.append(Path(each.path))
        except FileNotFoundError:
            continue  # deleted while we looked
        except OSError:  # closed to its owner, or deeper than a path is long: no tool of ours does that
            yield from [0] * (FILES + 1)


def joining(slot: str) -> list[str]:
    """The beginning of a command that runs its rest in the slot's own control group; nothing without one."""
    if not settings().cgroup:
        return []
    own = Path(settings().cgroup) / slot
    own.mkdir(exist_ok=True)
    for name, bound in CGROUP.items():
        if (own / name).exists():
            (own / name).write_text(str(bound))
    return ["sh", "-c", 'echo 0 > "$0/cgroup.procs" && exec "$@"', str(own)]


def leave(slot: str) -> None:
    """Give the slot's control group back; its processes have ended."""
    if settings().cgroup:
        with suppress(OSError):  # the kernel has not buried the last one yet: the slot's next sandbox uses it again
            (Path(settings().cgroup) / slot).rmdir()


def check() -> str:
    """By what quotas hold here, for the operator. Raises SystemExit where PAPERCRANE_CGROUP is of no use."""
    if not settings().cgroup:
        return "watching"
    probe = Path(settings().cgroup) / f"probe-{os.getpid()}"
    try:
        probe.mkdir()
        usable = (probe / "pids.max").exists()
        probe.rmdir()
    except OSError:
        usable = False
    if not usable:
        raise SystemExit(
            f"PAPERCRANE_CGROUP={settings().cgroup!r} is no control group of ours with the pids controller. Delegate "
            "one to this user (systemd: Delegate=pids memory), enable +pids +memory in it, or unset the variable."
        )
    return "control groups and watching"
