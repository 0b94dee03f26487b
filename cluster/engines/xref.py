"""Where each object of a PDF lies: cross-reference tables and streams, read without unpacking every entry."""

import os
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from cluster.engines.syntax import Short, Unreadable, number, parse

_START = re.compile(rb"startxref[\x00\t\n\x0c\r ]+(\d+)")
_SECTION = re.compile(rb"[\x00\t\n\x0c\r ]*(\d+) +(\d+)[ \r\n]+")
_LIMIT = 64 << 20
#: More saved revisions than this are read through qpdf, not searched one by one.
_REVISIONS = 64
_SECTIONS = 256

Place = tuple[int, int, int]
"""(0, 0, 0) free · (1, offset, 0) · (2, object stream, index)."""


@dataclass
class Section:
    """Entries of consecutive objects, as they stand in the file: 20 bytes each, or fields of `widths`."""

    start: int
    count: int
    rows: bytes
    widths: tuple[int, int, int] | None = None

    def place(self, numbered: int) -> Place:
        row = numbered - self.start
        if self.widths is None:
            entry = self.rows[20 * row : 20 * row + 18]
            return (1, int(entry[:10]), 0) if entry[17:18] == b"n" else (0, 0, 0)
        one, two, three = self.widths
        at = row * (one + two + three)
        kind = int.from_bytes(self.rows[at : at + one], "big") if one else 1
        at += one
        return (
            kind,
            int.from_bytes(self.rows[at : at + two], "big"),
            int.from_bytes(self.rows[at + two : at + two + three], "big"),
        )


@dataclass
class Table:
    """Sections, the newest first, and the trailer."""

    sections: list[Section] = field(default_factory=list)
    trailer: dict[bytes, Any] = field(default_factory=dict)

    def place(self, numbered: int) -> Place:
        for section in self.sections:
            if 0 <= numbered - section.start < section.count:
                return section.place(numbered)
        return (0, 0, 0)


def read_table(file: int, size: int) -> Table:
    """The table of the open file; Unreadable when anything about it is irregular."""
    tail = os.pread(file, 2048, max(0, size - 2048))
    starts = _START.findall(tail)
    if not starts or b"%%EOF" not in tail or os.pread(file, 5, 0) != b"%PDF-":
        raise Unreadable("startxref")
    table, todo, seen = Table(), [int(starts[-1])], set[int]()
    while todo:
        position = todo.pop()
        if position in seen or position >= size or len(seen) >= _REVISIONS:
            raise Unreadable("revisions")
        seen.add(position)
        trailer = _read_part(file, size, position, table)
        table.trailer = table.trailer or trailer
        # A hybrid file's stream stands before its older revisions.
        todo += [number(trailer[key]) for key in (b"/Prev", b"/XRefStm") if key in trailer]
    if len(table.sections) > _SECTIONS:
        raise Unreadable("sections")
    return table


def _read_part(file: int, size: int, position: int, table: Table) -> dict[bytes, Any]:
    head = os.pread(file, 64, position)
    if head[:4] == b"xref":
        return _read_rows(file, size, position + 4, table)
    return _read_stream(file, position, table)


def _read_rows(file: int, size: int, position: int, table: Table) -> dict[bytes, Any]:
    while True:
        data = os.pread(file, 64, position)
        head = _SECTION.match(data)
        if not head:
            return _trailer(file, position)
        start, count = int(head[1]), int(head[2])
        position += head.end()
        if count * 20 > size:
            raise Unreadable("xref size")
        rows = os.pread(file, count * 20, position)
        _check_rows(rows, count)
        table.sections.append(Section(start, count, rows))
        position += count * 20


def _check_rows(rows: bytes, count: int) -> None:
    # The kind stands in column 17 of every row; the separators in 10 and 16.
    if len(rows) != count * 20 or rows[17::20].translate(None, b"nf") or rows[10::20].strip(b" "):
        raise Unreadable("xref rows")
    if rows[18::20].translate(None, b" \r\n") or rows[16::20].strip(b" "):
        raise Unreadable("xref rows")
    digits = b"".join([rows[column::20] for column in range(10)])
    if count and not digits.isdigit():
        raise Unreadable("xref rows")


def _trailer(file: int, position: int) -> dict[bytes, Any]:
    data = os.pread(file, 65536, position)
    start = data.find(b"trailer")
    if start < 0 or data[:start].strip():
        raise Unreadable("trailer")
    value, _ = parse(data, start + 7)
    if type(value) is not dict:
        raise Unreadable("trailer")
    return value


def _read_stream(file: int, position: int, table: Table) -> dict[bytes, Any]:
    data = os.pread(file, 65536, position)
    head = re.match(rb"\s*\d+\s+\d+\s+obj", data)
    if not head:
        raise Unreadable("xref stream")
    try:
        entries, end = parse(data, head.end())
    except Short:
        raise Unreadable("xref stream") from None
    begin = re.compile(rb"[\x00\t\n\x0c\r ]*stream(?:\r\n|\n)").match(data, end)
    if type(entries) is not dict or entries.get(b"/Type") != b"/XRef" or not begin:
        raise Unreadable("xref stream")
    length = number(entries.get(b"/Length"))
    if not 0 <= length <= _LIMIT:
        raise Unreadable("xref stream length")
    raw = os.pread(file, length, position + begin.end())
    _add_sections(table, entries, _rows(raw, entries))
    return entries


def _rows(raw: bytes, entries: dict[bytes, Any]) -> bytes:
    packed = entries.get(b"/Filter")
    if packed in (b"/FlateDecode", [b"/FlateDecode"]):
        opener = zlib.decompressobj()
        try:
            raw = opener.decompress(raw, _LIMIT)
        except zlib.error as error:
            raise Unreadable("xref stream") from error
    elif packed is not None:
        raise Unreadable("xref filter")
    parameters = entries.get(b"/DecodeParms", {})
    parameters = parameters[0] if type(parameters) is list and parameters else parameters
    if type(parameters) is dict and number(parameters.get(b"/Predictor", b"1")) >= 10:
        return _unpredicted(raw, number(parameters.get(b"/Columns", b"1")))
    return raw


def _unpredicted(raw: bytes, columns: int) -> bytes:
    """Undo PNG's Up (or None) predictor column by column; other predictors are left to qpdf."""
    width = columns + 1
    kinds = raw[0::width]
    if len(raw) % width or columns < 1 or kinds.strip(b"\x02"):
        if kinds.strip(b"\x00"):
            raise Unreadable("xref predictor")
        return b"".join([raw[at + 1 : at + width] for at in range(0, len(raw), width)])
    made = bytearray(len(kinds) * columns)
    for column in range(columns):
        changes: Iterable[int] = raw[column + 1 :: width]
        made[column::columns] = bytes([total & 255 for total in accumulate(changes)])
    return bytes(made)


def _add_sections(table: Table, entries: dict[bytes, Any], rows: bytes) -> None:
    widths = [number(each) for each in entries.get(b"/W", [])]
    if len(widths) != 3 or any(not 0 <= width <= 8 for width in widths):
        raise Unreadable("xref widths")
    whole = sum(widths)
    index = [number(each) for each in entries.get(b"/Index", [b"0", entries.get(b"/Size")])]
    at = 0
    for start, count in zip(index[::2], index[1::2], strict=True):
        held = rows[at : at + count * whole]
        if count < 0 or len(held) != count * whole:
            raise Unreadable("xref stream rows")
        table.sections.append(Section(start, count, held, (widths[0], widths[1], widths[2])))
        at += count * whole
