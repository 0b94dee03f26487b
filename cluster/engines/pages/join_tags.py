"""Structure trees of joined documents: one root over all, page keys moved apart."""

from typing import Any

import pikepdf

from cluster.engines.pages.excerpt import Key, Part
from cluster.engines.pages.join_tags_kept import keep_tags, parents_of
from cluster.engines.pdf.nodes import get, is_dictionary, items, leaves, named
from cluster.engines.pdf.writer import PdfWriter, name_tree, number_tree


class Tags:
    """Gathers structure trees. `kept` and `lost` count documents, `bare` those that had no tags."""

    def __init__(self, writer: PdfWriter) -> None:
        self.kept = self.lost = self.bare = 0
        self._writer = writer
        self._root = 0
        self._next = 0
        self._left: set[Key] | None = None
        self._kids: list[bytes] = []
        self._parents: dict[int, bytes] = {}
        self._maps: dict[str, dict[str, bytes]] = {"/RoleMap": {}, "/ClassMap": {}}
        self._ids: dict[bytes, bytes] = {}

    def begin(self, part: Part) -> None:
        """Move the document's page keys; must come before anything is carried over."""
        tree = get(part.pdf.Root, "/StructTreeRoot")
        if not is_dictionary(tree):
            self.bare += 1
        else:
            self._root = self._root or self._writer.reserve()
            part.transcript.numbers[tree.objgen] = self._root
            part.transcript.tags = self._next
            self._left = None if part.whole else keep_tags(part, tree)
            if self._left is None or self._left:
                self.kept += 1
            else:
                self.lost += 1

    def add(self, part: Part) -> None:
        """Take over the document's tree."""
        if part.transcript.tags is None:
            return
        tree, text = part.pdf.Root["/StructTreeRoot"], part.transcript.text
        kids = tree.get("/K")
        self._kids += [text(kid) for kid in (items(kids) or ([kids] if is_dictionary(kids) else []))]
        parents = {key: value for key, value in leaves(tree.get("/ParentTree"), "/Nums") if isinstance(key, int)}
        told = tree.get("/ParentTreeNextKey", 0)
        following = max([*(key + 1 for key in parents), told if isinstance(told, int) else 0])
        ids = named(tree.get("/IDTree"))
        if self._left is not None:
            below = {key: parents_of(value, self._left) for key, value in parents.items()}
            parents = {key: value for key, value in below.items() if value is not None}
            ids = {key: value for key, value in ids.items() if is_dictionary(value) and value.objgen in self._left}
        self._parents |= {key + self._next: text(value) for key, value in parents.items()}
        for kind, held in self._maps.items():
            own: Any = tree.get(kind)
            named_here = own.items() if is_dictionary(own) else ()
            held |= {key: text(value) for key, value in named_here if key not in held}
        self._ids |= {key: text(value) for key, value in ids.items() if key not in self._ids}
        self._next += following

    def close(self) -> bytes:
        """Write the root; returns the catalogue's entries."""
        if not self._root:
            return b""
        text = b"/Type /StructTreeRoot /K [ %b ] /ParentTreeNextKey %d" % (b" ".join(self._kids), self._next)
        text += b" /ParentTree %d 0 R" % number_tree(self._writer, self._parents)
        for kind, held in self._maps.items():
            if held:
                text += b" %b << %b >>" % (kind.encode(), b" ".join(_entry(*each) for each in held.items()))
        if self._ids:
            text += b" /IDTree %d 0 R" % name_tree(self._writer, self._ids)
        self._writer.put(self._root, b"<< %b >>" % text)
        # Marked promises that all content is tagged: readers for the blind skip the rest.
        marked = b"true" if not self.bare and not self.lost else b"false"
        return b"/StructTreeRoot %d 0 R /MarkInfo << /Marked %b >>" % (self._root, marked)


def _entry(key: str, value: Any) -> bytes:

    return b"%b %b" % (pikepdf.Name(key).unparse(), value)
