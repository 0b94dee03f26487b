"""What joined documents hold under names: destinations, attachments, scripts; equal names are told apart."""

from collections.abc import Container
from pathlib import PurePath
from typing import Any

import pikepdf

from cluster.engines.pages.excerpt import Part
from cluster.engines.pdf.nodes import get, is_dictionary, named
from cluster.engines.pdf.writer import PdfWriter, name_tree

_UTF16 = b"\xfe\xff"


class Names:
    """Gathers name trees; the counts are for the receipt."""

    def __init__(self) -> None:
        self.before = self.after = self.attachments = 0
        self._targets: dict[bytes, bytes] = {}
        self._files: dict[bytes, bytes] = {}
        self._titles: set[str] = set()
        self._scripts: dict[bytes, bytes] = {}

    def rename(self, part: Part) -> None:
        """Give the document's destinations names that no other has; must come before anything is carried over."""
        renamed = part.transcript.renamed
        own = part.targets.named if self._targets or "/Names" in part.pdf.Root or "/Dests" in part.pdf.Root else {}
        for name in own:
            if name in self._targets:
                renamed[name] = free_name(name, self._targets, own, renamed.values())

    def add(self, part: Part) -> None:
        """Take over destinations, attachments and scripts."""
        root = part.pdf.Root
        if "/Names" in root or "/Dests" in root:
            self._add_targets(part)
            self._add_files(part)
            for key, value in named(get(root, "/Names", "/JavaScript")).items():
                self._scripts[free_name(key, self._scripts)] = part.transcript.text(value)

    def close(self, writer: PdfWriter) -> bytes:
        """Write the trees; returns their entries for the catalogue."""
        strings = {name[1:]: value for name, value in self._targets.items() if name.startswith(b"(")}
        old = [b"%b %b" % pair for pair in self._targets.items() if pair[0].startswith(b"/")]
        trees = {b"/Dests": strings, b"/EmbeddedFiles": self._files, b"/JavaScript": self._scripts}
        held = [b"%b %d 0 R" % (kind, name_tree(writer, tree)) for kind, tree in trees.items() if tree]
        entries = [b"/Names << %b >>" % b" ".join(held)] if held else []
        entries += [b"/Dests %d 0 R" % writer.add(b"<< %b >>" % b" ".join(old))] if old else []
        return b" ".join(entries)

    def _add_targets(self, part: Part) -> None:
        for name, value in part.targets.named.items():
            self.before += 1
            if part.holds(part.targets.target(value)):
                self.after += 1
                self._targets[part.transcript.renamed.get(name, name)] = part.transcript.text(value)

    def _add_files(self, part: Part) -> None:
        for key, value in named(get(part.pdf.Root, "/Names", "/EmbeddedFiles")).items():
            self.attachments += 1
            if is_dictionary(value):
                key = self._retitle(value) or key
            self._files[free_name(key, self._files)] = part.transcript.text(value)

    def _retitle(self, attachment: Any) -> bytes | None:
        """Readers show the file's own name, so that must be free as well; returns the new one as a key."""
        title = str(attachment.get("/UF") or attachment.get("/F") or "")
        new = _free_title(title, self._titles)
        self._titles.add(new)
        if new == title:
            return None
        attachment["/UF"] = attachment["/F"] = pikepdf.String(new)
        return bytes(attachment["/UF"])


def free_name(name: bytes, *taken: Container[bytes]) -> bytes:
    """`name`, or `name_2`, `name_3` … that none of `taken` holds; UTF-16 stays UTF-16."""
    tried, count = name, 1
    while any(tried in names for names in taken):
        count += 1
        ending = f"_{count}"
        wide = name.lstrip(b"(").startswith(_UTF16)
        tried = name + (ending.encode("utf-16-be") if wide else ending.encode())
    return tried


def _free_title(title: str, taken: Container[str]) -> str:
    path, tried, count = PurePath(title), title, 1
    while tried in taken:
        count += 1
        tried = f"{path.stem} ({count}){path.suffix}"
    return tried
