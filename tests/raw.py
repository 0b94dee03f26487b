"""Write a PDF object by object, straight to disk: constant memory whatever its size."""

from pathlib import Path


class RawPdf:
    """Objects are numbered from 1 in the order of `reserve` and `add`."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("wb", buffering=1 << 20)
        self.file.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        self.place = self.file.tell()
        self.offsets: list[int] = []

    def reserve(self) -> int:
        """A number for an object written later."""
        self.offsets.append(0)
        return len(self.offsets)

    def add(self, body: bytes, *, number: int = 0) -> int:
        """Write an object; its number."""
        number = number or self.reserve()
        self.offsets[number - 1] = self.place
        self._write(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        return number

    def stream(self, entries: bytes, *parts: bytes) -> int:
        """Write a stream object whose data is `parts`; /Length is added to `entries`."""
        number = self.reserve()
        self.offsets[number - 1] = self.place
        self._write(b"%d 0 obj\n<<%b/Length %d>>stream\n" % (number, entries, sum(map(len, parts))))
        for part in parts:
            self._write(part)
        self._write(b"\nendstream\nendobj\n")
        return number

    def close(self, root: int, extra: bytes = b"") -> None:
        """The cross-reference table and the trailer."""
        start = self.place
        self._write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(self.offsets) + 1))
        self._write(b"".join(b"%010d 00000 n \n" % offset for offset in self.offsets))
        self._write(b"trailer\n<</Size %d/Root %d 0 R%b>>\n" % (len(self.offsets) + 1, root, extra))
        self._write(b"startxref\n%d\n%%%%EOF\n" % start)
        self.file.close()

    def tree(self, kids: list[int], parent: int, inherited: bytes = b"") -> None:
        """A flat page tree as object `parent`."""
        names = b" ".join(b"%d 0 R" % kid for kid in kids)
        self.add(b"<</Type/Pages/Count %d%b/Kids[%b]>>" % (len(kids), inherited, names), number=parent)

    def _write(self, data: bytes) -> None:
        self.file.write(data)
        self.place += len(data)
