"""Field instructions of a binary Word document, found as Word finds them: in streams that lie in sectors of the file,
in pieces of text that lie anywhere in the stream.
"""

import io
import re
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

#: In the head of the main stream: its version, which table stream is in use, and where there the pieces are told.
_VERSION, _FLAGS, _PIECES = 2, 10, 0x1A2
_WORD_97, _SECOND_TABLE, _NARROW = 0xC1, 0x0200, 1 << 30
_FIELD = re.compile("\x13([^\x13\x14\x15]*)")
#: What may be wrong with such a file.
BROKEN = (struct.error, OSError, IndexError, ValueError, AssertionError)


class _Piece(NamedTuple):
    """Characters `start` to `end` of the text stand in the stream from `offset` on, `wide` bytes each."""

    start: int
    end: int
    offset: int
    wide: int

    def text(self, stream: bytes | bytearray) -> str:
        held = stream[self.offset : self.offset + (self.end - self.start) * self.wide]
        text = held.decode("latin-1" if self.wide == 1 else "utf-16-le", "replace")
        return text.ljust(self.end - self.start)[: self.end - self.start]

    def blank(self, stream: bytearray, start: int, end: int) -> None:
        """Write blanks over the characters of the text from `start` to `end` that stand here."""
        start, end = max(start, self.start), min(end, self.end)
        if start < end:
            place = self.offset + (start - self.start) * self.wide
            blanks = (b" " if self.wide == 1 else b" \0") * (end - start)
            stream[place : place + len(blanks)] = blanks


def blanked(data: bytes, leads_out: Callable[[str], Any]) -> tuple[bytes, int]:
    """The document with blanks for instructions that lead out, and how many those were; nothing moves.

    Raises one of BROKEN where it is not as Word 97 and later write it.
    """
    import olefile

    held = io.BytesIO(data)
    with olefile.OleFileIO(held, write_mode=True) as ole:
        stream = bytearray(ole.openstream("WordDocument").read())
        size, pieces = len(stream), list(_pieces(stream, ole))
        text = "".join([piece.text(stream) for piece in pieces])
        found = [each.span(1) for each in _FIELD.finditer(text) if leads_out(each[1])]
        starts = [piece.start for piece in pieces]
        for start, end in found:
            for piece in pieces[bisect_right(starts, start) - 1 : bisect_left(starts, end)]:
                piece.blank(stream, start, end)
        if found:
            ole.write_stream("WordDocument", bytes(stream[:size]))
    return held.getvalue(), len(found)


def _pieces(stream: bytes | bytearray, ole: Any) -> Iterator[_Piece]:
    """The pieces in the order of the text, which begins at 0."""
    version, flags = (struct.unpack_from("<H", stream, place)[0] for place in (_VERSION, _FLAGS))
    if version < _WORD_97:
        raise ValueError("written before Word 97")
    table = ole.openstream("1Table" if flags & _SECOND_TABLE else "0Table").read()
    place, length = struct.unpack_from("<II", stream, _PIECES)
    end = place + length
    while table[place] == 1:  # properties, before the pieces
        place += 3 + struct.unpack_from("<H", table, place + 1)[0]
    (size,) = struct.unpack_from("<I", table, place + 1)
    count = (min(size, end - place - 5) - 4) // 12
    starts = struct.unpack_from(f"<{count + 1}I", table, place + 5)
    for index, (start, after) in enumerate(pairwise(starts)):
        (told,) = struct.unpack_from("<I", table, place + 5 + 4 * (count + 1) + 8 * index + 2)
        if start > after:
            raise ValueError("pieces out of order")
        if start >= len(stream):
            return  # no character is less than a byte
        narrow = bool(told & _NARROW)
        yield _Piece(start, min(after, len(stream)), (told & (_NARROW - 1)) // (2 if narrow else 1), 1 if narrow else 2)
