"""What documents hold under names: destinations, attachments, scripts; equal names are told apart."""

from collections.abc import Container, Iterator
from pathlib import PurePath
from typing import Any

from cluster.engines.pages.edits import written
from cluster.engines.pages.part import Part
from cluster.engines.pages.targets import tree_items
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import string, text
from cluster.engines.pdf.trees import name_tree

_UTF16 = b"\xfe\xff"


class Names:
    """Gathers name trees; the counts are for the receipt."""

    def __init__(self) -> None:
        self.count = self.attachments = 0
        self._targets: dict[bytes, bytes] = {}
        self._old: dict[bytes, bytes] = {}
        self._files: dict[bytes, bytes] = {}
        self._titles: set[str] = set()
        self._scripts: dict[bytes, bytes] = {}

    def rename(self, part: Part) -> None:
        """Give the document's destinations names that no other has; must come before anything is carried over."""
        if self._targets or self._old:
            targets, new = part.whole.targets, part.edits.names
            for name in targets.names.keys() & self._targets.keys():
                new[name] = free_name(name, self._targets, targets.names, new.values())
            for name in targets.old_names.keys() & self._old.keys():
                new[name] = free_name(name, self._old, targets.old_names, new.values())

    def add(self, part: Part) -> None:
        """Take over destinations, attachments and scripts."""
        root = part.whole.document.root
        if b"/Names" in root or b"/Dests" in root:
            self._add_targets(part)
            if part.attachments:
                self._add_files(part)
            for key, value in _held(part, b"/JavaScript") if part.scripted else ():
                self._scripts[free_name(key, self._scripts)] = part.copier.text(value)

    def close(self, sink: Sink) -> bytes:
        """Write the trees; returns their entries for the catalogue."""
        trees = {b"/Dests": self._targets, b"/EmbeddedFiles": self._files, b"/JavaScript": self._scripts}
        held = [b"%b %d 0 R" % (kind, name_tree(sink, tree)) for kind, tree in trees.items() if tree]
        entries = b"/Names<<%b>>" % b" ".join(held) if held else b""
        if self._old:
            entries += b"/Dests %d 0 R" % sink.add(
                b"<<%b>>" % b" ".join([b"%b %b" % each for each in self._old.items()])
            )
        return entries

    def _add_targets(self, part: Part) -> None:
        targets, new = part.whole.targets, part.edits.names
        for page in part.here if targets.names or targets.old_names else ():
            for name, _ in targets.by_page.get(page, ()):
                self.count += 1
                if name in targets.names:
                    self._targets[new.get(name, name)] = self._place(part, targets.names[name])
                else:
                    self._old[new.get(name, name)] = self._place(part, targets.old_names[name])

    def _place(self, part: Part, value: Any) -> bytes:
        found = part.whole.document.get(value)
        place = part.place(value)
        if type(found) is dict:
            return part.copier.text({**{key: each for key, each in found.items() if key != b"/SD"}, b"/D": place})
        return part.copier.text(place)

    def _add_files(self, part: Part) -> None:
        for key, value in _held(part, b"/EmbeddedFiles"):
            self.attachments += 1
            key, value = self._retitled(part, key, value)
            self._files[free_name(key, self._files)] = part.copier.text(value)

    def _retitled(self, part: Part, key: bytes, value: Any) -> tuple[bytes, Any]:
        """Readers show the file's own name, so that must be free as well."""
        attachment = part.whole.document.dictionary(value)
        title = text(part.whole.document.get(attachment.get(b"/UF") or attachment.get(b"/F")))
        new = _free_title(title, self._titles)
        self._titles.add(new)
        if new == title:
            return key, value
        token = written(new)
        return string(token), {**attachment, b"/UF": token, b"/F": token}


def _held(part: Part, kind: bytes) -> Iterator[tuple[bytes, Any]]:
    document = part.whole.document
    tree = document.dictionary(document.root.get(b"/Names")).get(kind)
    if tree:
        yield from ((string(document.get(key)), value) for key, value in tree_items(document, tree, b"/Names"))


def free_name(name: bytes, *taken: Container[bytes]) -> bytes:
    """`name`, or `name_2`, `name_3` … that none of `taken` holds; UTF-16 stays UTF-16."""
    tried, count = name, 1
    while any(tried in names for names in taken):
        count += 1
        ending = f"_{count}"
        tried = name + (ending.encode("utf-16-be") if name.startswith(_UTF16) else ending.encode())
    return tried


def _free_title(title: str, taken: Container[str]) -> str:
    path, tried, count = PurePath(title), title, 1
    while tried in taken:
        count += 1
        tried = f"{path.stem} ({count}){path.suffix}"
    return tried
