"""Memory that was freed goes back to the system: glibc keeps pieces below 32 MiB for what comes next.

Between the small pieces that models keep, that was 0.25 to 0.45 GiB after nine pages of 12 million pixels. Having glibc
map larger pieces one by one gives them back at once, but takes a seventh more CPU a page; giving back before each large
search takes 7 % where pages have columns.
"""

import ctypes
import os
import sys
from pathlib import Path

#: Bytes from which on it is given back: with a large search, 0.45 GiB, less than the 1.5 GiB that the reader may take.
_MUCH = 1000 << 20


def give_back() -> None:
    """Return what is free to the system, where the process has much and its C library can."""
    if sys.platform != "linux" or _held() < _MUCH:
        return
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


def _held() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
