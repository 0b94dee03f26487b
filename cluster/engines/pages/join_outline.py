"""Bookmarks of joined documents: every file's own, one entry a file, or both."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pikepdf

from cluster.engines.pages.excerpt import Key, Part
from cluster.engines.pdf.nodes import get, is_dictionary
from cluster.engines.pdf.writer import PdfWriter

_PLACE = ("/Parent", "/Prev", "/Next", "/First", "/Last", "/Count")
#: Outlines nest a handful of levels; hostile ones as deep as the file allows.
_DEEPEST = 64


@dataclass
class Entry:
    """A bookmark: its dictionary text without brackets and without its place in the tree."""

    text: bytes
    kids: list["Entry"] = field(default_factory=list)
    opened: bool = False

    def shown(self) -> int:
        """Entries below that a reader shows when this one is open."""
        return sum(1 + (kid.shown() if kid.opened else 0) for kid in self.kids)


class Outline:
    """Gathers entries; `before` and `after` count those of the documents."""

    def __init__(self, style: Literal["keep", "files", "both", "none"]) -> None:
        self.style = style
        self.entries: list[Entry] = []
        self.before = self.after = 0
        self._seen: set[Key] = set()

    def add(self, part: Part) -> None:
        """Take over a document's bookmarks."""
        self._seen = set()
        own = self._siblings(part, get(part.pdf.Root, "/Outlines", "/First"), 0)
        if self.style == "keep":
            self.entries += own
        elif self.style != "none":
            self.entries.append(file_entry(part.title, part.first(), own if self.style == "both" else []))
        if self.style in ("keep", "both"):
            self.after += _size(own)

    def add_file(self, title: str, page: int) -> None:
        """A file without bookmarks of its own."""
        if self.style in ("files", "both"):
            self.entries.append(file_entry(title, b"[ %d 0 R /XYZ null null null ]" % page))

    def close(self, writer: PdfWriter) -> bytes:
        """Write the tree; returns its entry for the catalogue."""
        if not self.entries:
            return b""
        root = writer.reserve()
        first, last = _write(writer, self.entries, root)
        shown = Entry(b"", self.entries).shown()
        writer.put(root, b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>" % (first, last, shown))
        return b"/Outlines %d 0 R" % root

    def _siblings(self, part: Part, item: Any, depth: int) -> list[Entry]:
        found = []
        while is_dictionary(item) and item.objgen not in self._seen:
            self._seen.add(item.objgen)
            self.before += 1
            following = item.get("/Next")
            kids = self._siblings(part, item.get("/First"), depth + 1) if depth < _DEEPEST else []
            entry = self._entry(part, item, kids)
            if entry:
                found.append(entry)
            item = following
        return found

    def _entry(self, part: Part, item: Any, kids: list[Entry]) -> Entry | None:
        """None when the bookmark leads to a page that was left out and holds none that was not."""
        if self.style in ("files", "none"):
            return None
        opened = isinstance(item.get("/Count"), int) and item["/Count"] > 0
        page = part.targets.page(item)
        if not part.whole and not _survives(part, item, page, kids):
            return None
        for key in _PLACE:
            if key in item:
                del item[key]
        return Entry(part.transcript.body(item)[2:-2].strip(), kids, opened)


def file_entry(title: str, target: bytes, kids: Sequence[Entry] = ()) -> Entry:
    """A bookmark named like a file."""
    return Entry(b"/Title %b /Dest %b" % (pikepdf.String(title).unparse(), target), list(kids), bool(kids))


def _survives(part: Part, item: Any, page: Key | None, kids: list[Entry]) -> bool:
    """Whether to keep a bookmark of a document that lost pages; its lead is taken away when it has only its kids."""
    if page is not None and part.holds(page):
        return True
    leads = [key for key in ("/Dest", "/A") if key in item]
    if page is None and leads and get(item, "/A", "/S") not in (None, "/GoTo"):
        return True
    for key in leads:
        del item[key]
    return bool(kids)


def _size(entries: Sequence[Entry]) -> int:
    return sum(1 + _size(entry.kids) for entry in entries)


def _write(writer: PdfWriter, entries: Sequence[Entry], parent: int) -> tuple[int, int]:
    numbers = [writer.reserve() for _ in entries]
    for index, (entry, number) in enumerate(zip(entries, numbers, strict=True)):
        text = b"<< %b /Parent %d 0 R" % (entry.text, parent)
        if index:
            text += b" /Prev %d 0 R" % numbers[index - 1]
        if index + 1 < len(numbers):
            text += b" /Next %d 0 R" % numbers[index + 1]
        if entry.kids:
            first, last = _write(writer, entry.kids, number)
            shown = entry.shown()
            text += b" /First %d 0 R /Last %d 0 R /Count %d" % (first, last, shown if entry.opened else -shown)
        writer.put(number, text + b" >>")
    return numbers[0], numbers[-1]
