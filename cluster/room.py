"""The disk under the data folder: closed to the machine's other users, and with room for what already runs.

Below the reserve (PAPERCRANE_RESERVE) nothing new is taken, so that Redis, downloads, deletion and what runs go on.
"""

import os

from cluster.settings import settings

#: Files that must stay possible; file systems without a fixed number of them tell 0 in all.
LEAST_INODES = 10_000


def has_room(more: int = 0) -> bool:
    """Whether the reserve stays free when `more` bytes come."""
    found = os.statvfs(settings().data)
    inodes = not found.f_files or found.f_favail >= LEAST_INODES
    return inodes and found.f_bavail * found.f_frsize - more >= settings().reserve


def keep_private() -> None:
    """Nobody else on this machine reads the data folder, nor what this process and its children write."""
    os.umask(0o077)
    settings().data.mkdir(parents=True, exist_ok=True)
    settings().data.chmod(0o700)
