"""Binary Word documents with traps: what LibreOffice wrote, changed where it matters."""

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


def linking(path: Path) -> Path:
    """A docx with a link to click, whose address is long enough for `including_doc`."""
    target = f'Target="http://a.example/{"x" * 200}" TargetMode="External"'
    relation = f'<Relationship Id="h" Type="{make_office.OFFICE}/hyperlink" {target}/>'
    body = '<w:p><w:hyperlink r:id="h"><w:r><w:t>click</w:t></w:r></w:hyperlink></w:p>'
    return make_office.docx(path, body, relations=relation)
