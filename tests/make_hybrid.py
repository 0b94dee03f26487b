"""Hybrid-reference files: a table for old readers, and a stream that tells of what stands in object streams."""

import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

import pikepdf
from pikepdf import Dictionary, Name

from cluster.engines.pdf.syntax import write
from cluster.engines.pdf.xref import Place, read_table
from tests import make

_KEPT = (b"/Root", b"/Info", b"/ID", b"/Encrypt")


def plain(path: Path, lock: pikepdf.Encryption | None = None) -> Path:
    """A page with the words `hidden font` in Courier, a link to http://crane.test and the bookmark `mark`."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(400, 200))
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Courier)
        pdf.pages[0].obj.Resources = Dictionary(Font=Dictionary(F1=pdf.make_indirect(font)))
        pdf.pages[0].obj.Contents = pdf.make_stream(b"BT /F1 24 Tf 20 100 Td (hidden font) Tj ET")
        make.web_link(pdf, 1, "http://crane.test")
        make.bookmarks(pdf, [("mark", 1, 0)])
        # For the web: the catalogue and pages stand outside of object streams.
        generate = pikepdf.ObjectStreamMode.generate
        pdf.save(path, object_stream_mode=generate, linearize=True, encryption=lock or False)
    return path


def hybrid(path: Path, lock: pikepdf.Encryption | None = None, *, apart: bool = False, junk: bytes = b"") -> Path:
    """The same; rows of the one table call font, link and bookmark free.

    `apart`: the stream comes with a table of its own above that one, as office programs write it. `junk` hangs on.
    """
    plain(path, lock)
    table, places = _places(path)
    tree, body = _page_tree(path)
    file = bytearray(path.read_bytes())
    # The tree of pages, too, must be seen by all: else they look for objects.
    places |= {tree: (1, len(file), 0)}
    file += b"%d 0 obj\n%b\nendobj\n" % (tree, body)
    places |= {len(places): (1, len(file), 0)}
    told = {b"/XRefStm": b"%d" % len(file)}
    file += _stream(len(places) - 1, {number: place for number, place in places.items() if place[0] == 2})
    trailer = {key: table[key] for key in _KEPT if key in table} | {b"/Size": b"%d" % len(places)}
    if apart:
        before = _add_table(file, places, trailer)
        _add_table(file, {}, trailer | told | {b"/Prev": b"%d" % before})
    else:
        _add_table(file, places, trailer | told)
    path.write_bytes(file + junk)
    return path


def freed(path: Path, number: int) -> Path:
    """Save a newer revision, in whose table object `number` is free."""
    table, places = _places(path)
    file = bytearray(path.read_bytes())
    before = path.read_bytes().rpartition(b"startxref")[2].split()[0]
    trailer = {key: table[key] for key in _KEPT if key in table} | {b"/Size": b"%d" % len(places), b"/Prev": before}
    _add_table(file, {number: (0, 0, 0)}, trailer)
    path.write_bytes(file)
    return path


def _places(path: Path) -> tuple[dict[bytes, object], dict[int, Place]]:
    """The trailer, and where each object lies."""
    with path.open("rb") as file:
        table = read_table(file.fileno(), path.stat().st_size)
    return table.trailer, {number: table.place(number) for number in range(int(table.trailer[b"/Size"]))}


def _page_tree(path: Path) -> tuple[int, bytes]:
    with pikepdf.open(path) as pdf:
        return pdf.Root.Pages.objgen[0], pdf.Root.Pages.unparse(resolved=True)


def _stream(number: int, places: Mapping[int, Place]) -> bytes:
    """A cross-reference stream as object `number`."""
    rows = zlib.compress(b"".join(struct.pack(">BIH", *place) for place in places.values()))
    index = b" ".join(b"%d 1" % each for each in places)
    entries = b"/Type/XRef/Size %d/W[1 4 2]/Index[%b]/Filter/FlateDecode/Length %d" % (number, index, len(rows))
    return b"%d 0 obj\n<<%b>>\nstream\n%b\nendstream\nendobj\n" % (number, entries, rows)


def _add_table(file: bytearray, places: Mapping[int, Place], trailer: Mapping[bytes, object]) -> int:
    """Write the rows, what does not lie in the file itself as free, each naming the next; where the table begins."""
    start = len(file)
    free = [number for number, place in places.items() if place[0] != 1]
    after = dict(zip(free, [*free[1:], 0], strict=False))
    file += b"xref\n" if places else b"xref\n0 0\n"
    for number, (_, offset, _) in sorted(places.items()):
        row = (after[number], 65535 * (number == 0), b"f") if number in after else (offset, 0, b"n")
        file += b"%d 1\n" % number + b"%010d %05d %b \n" % row
    file += b"trailer\n%b\nstartxref\n%d\n%%%%EOF\n" % (write(dict(trailer)), start)
    return start
