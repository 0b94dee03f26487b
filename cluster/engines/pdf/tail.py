"""The end of a PDF, where readers begin: ends that qpdf reads otherwise than they mean."""

import re
import shutil
from dataclasses import replace
from typing import Any

from cluster.tool import Source, Work

_START = b"startxref"
_PLACE = re.compile(rb"[\x00\t\n\x0c\r ]*\d")
#: So far from the end qpdf looks for the word, and a little more.
_SEEN = 2048


def searched(work: Work[Any], source: Source) -> Source:
    """The source, or where its last `startxref` names no place a copy in which qpdf finds none and looks for objects.

    Other readers search then, too; qpdf takes the `startxref` before it, and the newest revision is lost unseen.
    """
    with source.path.open("rb") as file:
        file.seek(max(0, source.size - _SEEN))
        before, word, after = file.read().rpartition(_START)
    if not word or _PLACE.match(after) or _START not in before:
        return source
    path = work.scratch(f"searched-{source.index}.pdf")
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source.path, path)
    with path.open("ab") as file:
        file.write(b"\n%" + b" " * _SEEN)
    return replace(source, path=path, size=path.stat().st_size)
