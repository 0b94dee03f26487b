"""The end of a PDF, where readers begin: ends and tables that qpdf reads otherwise than they mean."""

import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from cluster.engines.pdf.syntax import Unreadable
from cluster.engines.pdf.xref import read_table
from cluster.files import Source

#: Gives a path for a copy of that name.
Scratch = Callable[[str], Path]

_START = b"startxref"
_PLACE = re.compile(rb"[\x00\t\n\x0c\r ]*\d")
#: So far from the end qpdf looks for the word, and a little more.
_SEEN = 2048
#: So much may hang on behind the end.
_JUNK = 64 << 10


def searched(scratch: Scratch, source: Source) -> Source:
    """The source, or where its last `startxref` names no place a copy in which qpdf finds none and looks for objects.

    Other readers search then, too; qpdf takes the `startxref` before it, and the newest revision is lost unseen.
    """
    with source.path.open("rb") as file:
        file.seek(max(0, source.size - _SEEN))
        before, word, after = file.read().rpartition(_START)
    if not word or _PLACE.match(after) or _START not in before:
        return source
    return _longer(scratch, source, "searched", b"\n%" + b" " * _SEEN)


def shown(scratch: Scratch, source: Source) -> Source:
    """The source, or a copy with one more revision that tells all readers what this hybrid file hides from old ones.

    Where a row calls an object free and the stream beside its table tells where it is, our own reader believes the
    stream, for the program wrote it last; qpdf, pdfium, MuPDF and poppler believe the row. The standard is silent.
    """
    with suppress(Unreadable), source.path.open("rb") as file:
        table = read_table(file.fileno(), _without_junk(file, source.size))
        if hidden := table.hidden():
            return _longer(scratch, source, "shown", table.showing(hidden, source.size))
    return source


def _without_junk(file: BinaryIO, size: int) -> int:
    """Where the file ends but for what hangs on that no PDF writer wrote: zeros, a line of a mail or a web page."""
    file.seek(max(0, size - _JUNK))
    _, end, junk = file.read().rpartition(b"%%EOF")
    return size if not end or any(word in junk for word in (b"obj", _START)) else size - len(junk)


def _longer(scratch: Scratch, source: Source, name: str, ending: bytes) -> Source:
    path = scratch(f"{name}-{source.index}.pdf")
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source.path, path)
    with path.open("ab") as file:
        file.write(ending)
    return replace(source, path=path, size=path.stat().st_size)
