"""Binary Word documents with traps: what LibreOffice wrote, changed where it matters."""

import io
import struct
from pathlib import Path

import olefile

from tests import make_office


def loud_doc(path: Path, origin: Path) -> Path:
    """The .doc at `origin` with the names of its streams in capitals."""
    name, data = "WordDocument", origin.read_bytes()
    assert name.encode("utf-16-le") in data
    path.write_bytes(data.replace(name.encode("utf-16-le"), name.upper().encode("utf-16-le")))
    return path


def mini_doc(path: Path, origin: Path) -> Path:
    """The .doc at `origin` whose text is said to lie in the mini-stream, where small ones lie.

    Who looks for it among the ordinary sectors meets a byte that looks like the flag of a locked file.
    """
    data = bytearray(origin.read_bytes())
    entry = data.find("WordDocument".encode("utf-16-le"))
    for start in (n for n in range(len(data) // 512 - 1) if data[(n + 1) * 512 + 11] & 1):
        data[entry + 116 : entry + 124] = struct.pack("<II", start, 64)
        path.write_bytes(data)
        with olefile.OleFileIO(path) as ole:
            if not ole.openstream("WordDocument").read()[11] & 1:
                return path
    raise AssertionError("no place for the trap")


def including_doc(path: Path, origin: Path, target: str) -> Path:
    """The .doc at `origin`, made of `linking`, with a field in the link's place that shows `target`."""
    data = bytearray(origin.read_bytes())
    begin = data.find("HYPERLINK".encode("utf-16-le"))
    end = data.find("\x14".encode("utf-16-le"), begin)
    data[begin:end] = f'INCLUDEPICTURE "{target}" \\d'.ljust((end - begin) // 2).encode("utf-16-le")
    kind = data.find(b"\x13\x58")
    data[kind + 1] = 0x43
    path.write_bytes(data)
    return path


def in_pieces(path: Path, origin: Path) -> Path:
    """The .doc at `origin`, made by `including_doc`, with the word of its field in two pieces, the second one first.

    The pieces are told where the fonts were: so nothing has to grow.
    """
    with olefile.OleFileIO(io.BytesIO(origin.read_bytes()), write_mode=True) as ole:
        stream = bytearray(ole.openstream("WordDocument").read())
        name = "1Table" if stream[11] & 2 else "0Table"
        table = bytearray(ole.openstream(name).read())
        fonts, room, pieces = *struct.unpack_from("<II", stream, 0x112), struct.unpack_from("<I", stream, 0x1A2)[0]
        (length,) = struct.unpack_from("<I", table, pieces + 1)
        assert table[pieces] == 2 and length == 16, "one piece, as LibreOffice writes"
        _, last, _, at, _ = struct.unpack_from("<IIHIH", table, pieces + 5)
        wide = 1 if at >> 30 else 2
        base = (at & ~(1 << 30)) // (2 if wide == 1 else 1)
        word = "INCLUDEPICTURE".encode("latin-1" if wide == 1 else "utf-16-le")
        found = stream.index(word)
        half = 7 * wide
        stream[found : found + 2 * half] = stream[found + half : found + 2 * half] + stream[found : found + half]
        first = (found - base) // wide
        starts = (0, first, first + 7, first + 14, last)
        offsets = (base, found + half, found, found + 2 * half)
        told = [offset * 2 | 1 << 30 if wide == 1 else offset for offset in offsets]
        new = struct.pack("<BI5I", 2, 5 * 4 + 4 * 8, *starts) + b"".join(
            struct.pack("<HIH", 0, each, 0) for each in told
        )
        assert len(new) <= room
        table[fonts : fonts + len(new)] = new
        struct.pack_into("<II", stream, 0x112, 0, 0)
        struct.pack_into("<II", stream, 0x1A2, fonts, len(new))
        ole.write_stream("WordDocument", bytes(stream))
        ole.write_stream(name, bytes(table))
        path.write_bytes(ole.fp.getvalue())
    return path


def linking(path: Path) -> Path:
    """A docx with a link to click, whose address is long enough for `including_doc`."""
    target = f'Target="http://a.example/{"x" * 200}" TargetMode="External"'
    relation = f'<Relationship Id="h" Type="{make_office.OFFICE}/hyperlink" {target}/>'
    body = '<w:p><w:hyperlink r:id="h"><w:r><w:t>click</w:t></w:r></w:hyperlink></w:p>'
    return make_office.docx(path, body, relations=relation)
