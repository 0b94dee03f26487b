"""Bookmarks: read of documents, and written for a result: every document's own, one entry a file, or both."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from cluster.engines.pages.edits import written
from cluster.engines.pages.part import Part
from cluster.engines.pages.targets import Targets
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import number, text

_LIMIT = 200_000
#: Outlines nest a handful of levels; hostile ones as deep as the file allows.
_DEEPEST = 64
_FAMILY = (b"/Parent", b"/Prev", b"/Next", b"/First", b"/Last", b"/Count", b"/SE")
Style = Literal["keep", "files", "both", "none"]


@dataclass(slots=True)
class Item:
    """A bookmark: `page` is a position from 0, `parent` an index into the list; level 1 is the top.

    A bookmark that leads to no page stands with the one before it (`page`), `place` is None.
    """

    title: str
    level: int
    parent: int | None
    page: int
    place: list[Any] | None
    node: dict[bytes, Any]
    leaf: bool = True


def read_outline(document: Document, targets: Targets) -> list[Item]:
    """All bookmarks in reading order; loops are cut."""
    first = document.dictionary(document.root.get(b"/Outlines")).get(b"/First")
    items: list[Item] = []
    seen: set[int] = set()
    stack: list[tuple[Any, int, int | None]] = [(first, 1, None)]
    page = 0
    while stack and len(items) < _LIMIT:
        ref, level, parent = stack.pop()
        node = document.dictionary(ref)
        if not node or ref in seen:
            continue
        seen.add(ref)
        place = targets.explicit(_target(document, node))
        page = targets.index[place[0]] if place else page
        items.append(Item(text(document.get(node.get(b"/Title"))), level, parent, page, place, node))
        if parent is not None:
            items[parent].leaf = False
        stack.append((node.get(b"/Next"), level, parent))
        stack.append((node.get(b"/First"), level + 1, len(items) - 1))
    return items


def _target(document: Document, node: dict[bytes, Any]) -> Any:
    action = document.dictionary(node.get(b"/A"))
    return node.get(b"/Dest") or (action.get(b"/D") if action.get(b"/S") == b"/GoTo" else None)


class Outline:
    """The bookmarks of a document, by page."""

    def __init__(self, whole: Whole) -> None:
        self.items = items = read_outline(whole.document, whole.targets)
        self._by_page: dict[int, list[int]] = {}
        for index, item in enumerate(items):
            if item.place is not None or item.leaf:
                self._by_page.setdefault(item.page, []).append(index)

    def of(self, pages: Collection[int]) -> list[int]:
        """Indexes of the bookmarks that lead to `pages`, with the page-less headings above them."""
        kept = {index for page in set(pages) for index in self._by_page.get(page, ())}
        for index in list(kept):
            above = self.items[index].parent
            while above is not None:
                if self.items[above].place is None:
                    kept.add(above)
                above = self.items[above].parent
        return sorted(kept)

    def headings(self, kept: list[int]) -> list[int]:
        """`kept` with all that stands above them."""
        held, waiting = set(kept), list(kept)
        while waiting:
            above = self.items[waiting.pop()].parent
            if above is not None and above not in held:
                held.add(above)
                waiting.append(above)
        return sorted(held)


@dataclass(slots=True)
class Entry:
    """A bookmark of the result: its dictionary's text without brackets and without its place in the tree."""

    text: bytes
    kids: list["Entry"] = field(default_factory=list)
    opened: bool = True

    def shown(self) -> int:
        """Entries below that a reader shows when this one is open."""
        return sum(1 + (kid.shown() if kid.opened else 0) for kid in self.kids)


class Bookmarks:
    """Gathers the bookmarks of a result; `before` and `after` count those of the documents.

    `headings`: what stands above a bookmark stays as its heading, without a lead, when its own page is left out;
    else the bookmark moves up to the nearest level that is kept.
    """

    def __init__(self, style: Style = "keep", *, headings: bool = False) -> None:
        self.style, self.headings = style, headings
        self.entries: list[Entry] = []
        self.before = self.after = 0

    def add(self, part: Part) -> None:
        """Take over a document's bookmarks."""
        outline = part.whole.once(Outline)
        kept = list(range(len(outline.items))) if part.complete else outline.of(part.here)
        self.before += len(kept)
        if self.style in ("keep", "both"):
            self.after += len(kept)
            own = self._own(part, outline.headings(kept) if self.headings else kept)
            self.entries += own if self.style == "keep" else [file_entry(part.title, part.first(), own)]
        elif self.style == "files":
            self.entries.append(file_entry(part.title, part.first()))

    def add_file(self, title: str, page: int) -> None:
        """A file without bookmarks of its own."""
        if self.style in ("files", "both"):
            self.entries.append(file_entry(title, b"[%d 0 R/XYZ null null null]" % page))

    def close(self, sink: Sink) -> bytes:
        """Write the tree; returns its entry for the catalogue."""
        if not self.entries:
            return b""
        root = sink.reserve()
        family = _write(sink, self.entries, root)
        sink.put(root, b"<</Type/Outlines%b/Count %d>>" % (family, Entry(b"", self.entries).shown()))
        return b"/Outlines %d 0 R" % root

    def _own(self, part: Part, kept: list[int]) -> list[Entry]:
        items, made, top = part.whole.once(Outline).items, dict[int, Entry](), list[Entry]()
        for index in kept:
            item = items[index]
            entry = made[index] = Entry(_text(part, item), opened=number(item.node.get(b"/Count"), 1) >= 0)
            above = item.parent
            while above is not None and (above not in made or items[above].level > _DEEPEST):
                above = items[above].parent
            (top if above is None else made[above].kids).append(entry)
        return top


def file_entry(title: str, target: bytes, kids: Sequence[Entry] = ()) -> Entry:
    """A bookmark named like a file."""
    return Entry(b"/Title%b/Dest %b" % (written(title), target), list(kids))


def _text(part: Part, item: Item) -> bytes:
    """The bookmark without its place in the tree, and without a lead to a page that is left out."""
    node = {key: value for key, value in item.node.items() if key not in _FAMILY}
    if item.place is not None and b"/A" not in node:
        place = part.place(item.place)
        led = None if place is None else {**node, b"/Dest": place}
    else:
        led = part.led(node)
    if led is None:
        led = {key: value for key, value in node.items() if key not in (b"/Dest", b"/A")}
    return part.copier.text(led)[2:-2]


def _write(sink: Sink, entries: Sequence[Entry], parent: int) -> bytes:
    """Write the entries; the text of those above that tells of them."""
    numbers = [sink.reserve() for _ in entries]
    for index, (entry, made) in enumerate(zip(entries, numbers, strict=True)):
        told = b"<<%b/Parent %d 0 R" % (entry.text, parent)
        told += b"/Prev %d 0 R" % numbers[index - 1] if index else b""
        told += b"/Next %d 0 R" % numbers[index + 1] if index + 1 < len(numbers) else b""
        if entry.kids:
            shown = entry.shown()
            told += _write(sink, entry.kids, made) + b"/Count %d" % (shown if entry.opened else -shown)
        sink.put(made, told + b">>")
    return b"/First %d 0 R/Last %d 0 R" % (numbers[0], numbers[-1])
