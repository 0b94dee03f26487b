"""The disk under the data folder: closed to the machine's other users, and with room for what already runs.

Below the reserve (PAPERCRANE_RESERVE) nothing new is taken, so that Redis, downloads, deletion and what runs go on.
"""

import os

from cluster.settings import settings

#: Bytes that stay free unless the operator says otherwise; of a small disk a share.
USUAL, SHARE = 1 << 30, 10
#: Files that must stay possible; file systems without a fixed number of them tell 0 in all.
LEAST_INODES = 10_000


def has_room(more: int = 0) -> bool:
    """Whether the reserve stays free when `more` bytes come."""
    disk = os.statvfs(settings().data)
    inodes = not disk.f_files or disk.f_favail >= min(LEAST_INODES, disk.f_files // SHARE)
    return inodes and disk.f_bavail * disk.f_frsize - more >= _reserve(disk)


def reserve() -> int:
    """Bytes that stay free."""
    return _reserve(os.statvfs(settings().data))


def _reserve(disk: os.statvfs_result) -> int:
    return settings().reserve or min(USUAL, disk.f_blocks * disk.f_frsize // SHARE)


def keep_private() -> None:
    """Nobody else on this machine reads the data folder, nor what this process and its children write."""
    os.umask(0o077)
    settings().data.mkdir(parents=True, exist_ok=True)
    settings().data.chmod(0o700)
