"""Where each object of a PDF lies: cross-reference tables and streams, read without unpacking every entry."""

import os
import re
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from cluster.engines.pdf.syntax import Short, Unreadable, number, parse, write

#: What stands last in a sound file. Anything else after the table may be a newer revision that lost its way.
_END = re.compile(rb"[\x00\t\n\x0c\r ]+(\d+)[\x00\t\n\x0c\r ]+%%EOF[\x00\t\n\x0c\r ]*\Z")
_SECTION = re.compile(rb"[\x00\t\n\x0c\r ]*(\d+) +(\d+)[ \r\n]+")
_LIMIT = 64 << 20
#: More saved revisions than this are read through qpdf, not searched one by one.
_REVISIONS = 64
_SECTIONS = 256
#: Rows times sections: more free rows in hybrid files are nothing that a program wrote.
_SEARCHED = 5_000_000
#: What a trailer tells of the file and not of its table.
_OF_THE_FILE = (b"/Root", b"/Info", b"/ID", b"/Encrypt")
_ROW = struct.Struct(">BQQ")

Place = tuple[int, int, int]
"""(0, 0, 0) free · (1, offset, 0) · (2, object stream, index)."""


@dataclass
class Section:
    """Entries of consecutive objects, as they stand in the file: 20 bytes each, or fields of `widths`."""

    start: int
    count: int
    rows: bytes
    widths: tuple[int, int, int] | None = None
    #: Of a hybrid file: what rows hide from old readers as free, this stream tells.
    hidden: "list[Section]" = field(default_factory=list)

    def free(self) -> list[int]:
        """Objects that the rows of a table call free."""
        return [self.start + row for row, kind in enumerate(self.rows[17::20]) if kind == ord("f")]

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
    """Sections, the newest first, and the trailer; where the newest revision's table begins."""

    sections: list[Section] = field(default_factory=list)
    trailer: dict[bytes, Any] = field(default_factory=dict)
    start: int = 0
    #: Some object in use has a number that was given before: our references drop the generation.
    given_again: bool = False

    def place(self, numbered: int) -> Place:
        return _place(self.sections, numbered)

    def hidden(self) -> dict[int, Place]:
        """Objects that rows call free and only the stream beside them tells of: few readers look there."""
        rows = [(each, numbered) for each in self.sections if each.hidden for numbered in each.free()]
        if len(rows) * len(self.sections) > _SEARCHED:
            raise Unreadable("free rows")
        places = {numbered: _place(each.hidden, numbered) for each, numbered in rows if self._tells(numbered) is each}
        return {numbered: place for numbered, place in places.items() if place[0]}

    def showing(self, places: dict[int, Place], offset: int) -> bytes:
        """A newer revision, to stand at `offset`, whose table tells where these objects are."""
        own = max(each.start + each.count for each in self.sections)
        places = {**places, own: (1, offset, 0)}
        rows = zlib.compress(b"".join([_ROW.pack(*place) for place in places.values()]))
        index = [each for numbered in places for each in (b"%d" % numbered, b"1")]
        entries = {key: value for key, value in self.trailer.items() if key in _OF_THE_FILE}
        entries |= {b"/Type": b"/XRef", b"/W": b"[1 8 8]", b"/Index": index, b"/Size": b"%d" % (own + 1)}
        entries |= {b"/Prev": b"%d" % self.start, b"/Filter": b"/FlateDecode", b"/Length": b"%d" % len(rows)}
        head = b"%d 0 obj\n%b\nstream\n" % (own, write(entries))
        return head + rows + b"\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % offset

    def _tells(self, numbered: int) -> Section | None:
        return next((each for each in self.sections if 0 <= numbered - each.start < each.count), None)


def _place(sections: list[Section], numbered: int) -> Place:
    for section in sections:
        if 0 <= numbered - section.start < section.count:
            place = section.place(numbered)
            return place if place[0] or not section.hidden else _place(section.hidden, numbered)
    return (0, 0, 0)


def read_table(file: int, size: int) -> Table:
    """The table of the open file; Unreadable when anything about it is irregular."""
    tail = os.pread(file, 2048, max(0, size - 2048))
    end = _END.match(tail.rpartition(b"startxref")[2])
    if not end or os.pread(file, 5, 0) != b"%PDF-":
        raise Unreadable("startxref")
    table, todo, seen = Table(start=int(end[1])), [int(end[1])], set[int]()
    while todo:
        position = todo.pop()
        if position in seen or position >= size or len(seen) >= _REVISIONS:
            raise Unreadable("revisions")
        seen.add(position)
        before = len(table.sections)
        trailer = _read_part(file, size, position, table)
        table.trailer = table.trailer or trailer
        if b"/XRefStm" in trailer and trailer.get(b"/Type") != b"/XRef":
            hidden = Table()
            _read_stream(file, number(trailer[b"/XRefStm"]), hidden)
            for section in table.sections[before:]:
                section.hidden = hidden.sections
            # What has no row at all is looked for there, too, before older tables tell.
            table.sections += hidden.sections
            table.given_again |= hidden.given_again
        if b"/Prev" in trailer:
            todo.append(number(trailer[b"/Prev"]))
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
        table.given_again |= _checked_rows(rows, count)
        table.sections.append(Section(start, count, rows))
        position += count * 20


def _checked_rows(rows: bytes, count: int) -> bool:
    """Whether an object in use has a later generation; Unreadable for other irregularities."""
    # The kind stands in column 17 of every row; the separators in 10 and 16.
    if len(rows) != count * 20 or rows[17::20].translate(None, b"nf") or rows[10::20].strip(b" "):
        raise Unreadable("xref rows")
    if rows[18::20].translate(None, b" \r\n") or rows[16::20].strip(b" "):
        raise Unreadable("xref rows")
    digits = b"".join([rows[column::20] for column in (*range(10), *range(11, 16))])
    if count and not digits.isdigit():
        raise Unreadable("xref rows")
    return _given_again(rows[17::20], ord("n"), (rows[column::20] for column in range(11, 16)), ord("0"))


def _given_again(kinds: bytes, used: int, columns: Iterable[bytes], zero: int) -> bool:
    """Whether an object in use has a generation above 0.

    `kinds` has one byte a row, `used` is that of objects in use; `columns` are the digits of the generation.
    """
    in_use = int.from_bytes(kinds.translate(_only(used)), "big")
    return any(
        digits.count(zero) < len(digits) and in_use & ~int.from_bytes(digits.translate(_only(zero)), "big")
        for digits in columns
    )


def _only(byte: int) -> bytes:
    """A table that makes this byte 255 and every other 0."""
    return bytes(255 * (each == byte) for each in range(256))


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
    if len(widths) != 3 or any(not 0 <= width <= 8 for width in widths) or not any(widths):
        raise Unreadable("xref widths")
    one, two, three = widths
    whole = one + two + three
    if one and three:
        rows = rows[: len(rows) // whole * whole]
        columns = (rows[column::whole] for column in range(one + two, whole))
        table.given_again |= _given_again(rows[one - 1 :: whole], 1, columns, 0)
    index = [number(each) for each in _index(entries)]
    at = 0
    for start, count in zip(index[::2], index[1::2], strict=True):
        held = rows[at : at + count * whole]
        if count < 0 or len(held) != count * whole:
            raise Unreadable("xref stream rows")
        table.sections.append(Section(start, count, held, (one, two, three)))
        at += count * whole


def _index(entries: dict[bytes, Any]) -> list[Any]:
    held = entries.get(b"/Index", [b"0", entries.get(b"/Size")])
    if type(held) is not list or len(held) % 2:
        raise Unreadable("xref index")
    return held
