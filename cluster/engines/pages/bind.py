"""Bind pages of documents into one: the one act behind split, merge, extract, delete, arrange, insert and blank.

    with Binder(path) as binder:
        binder.add(Part(whole, pages=[2, 0], places=[0, 1]))
        binder.close()

One document is read at a time, object by object. What a result has only one of (page tree, outline, names, form,
tags, layers, labels, catalogue) is gathered by one class each: `begin` before anything of a document is carried
over, `add` after its pages, `close` at the end.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cluster.engines.pages.annotations import Annotations, Tally
from cluster.engines.pages.catalogue import Catalogue
from cluster.engines.pages.fields import Form
from cluster.engines.pages.fields import Style as FormStyle
from cluster.engines.pages.labels import Shown
from cluster.engines.pages.layers import Layers
from cluster.engines.pages.names import Names
from cluster.engines.pages.outline import Bookmarks
from cluster.engines.pages.part import Part
from cluster.engines.pages.tags import Tags
from cluster.engines.pages.tree import PageTree
from cluster.engines.pdf.counts import Counts
from cluster.engines.pdf.moulds import Letter, Mould
from cluster.engines.pdf.page_tree import Leaf
from cluster.engines.pdf.reader import Cast
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import number

Progress = Callable[[int], None]
PageWriter = Callable[[Sink, int, int], object]
"""Writes a page: sink, its number, the node above it."""
_TELL = 25
#: What a page's values must be looked at for.
_TOLD = {b"/Kids", b"/B", b"/StructParents"}
#: Other pages hang on these.
_LEFT = (b"/Parent", b"/Annots", b"/B", b"/Resources")


class Binder:
    """The result under construction."""

    def __init__(
        self,
        path: Path,
        *,
        outline: Bookmarks | None = None,
        forms: FormStyle = "keep",
        sink: Sink | None = None,
        twins: bool = False,
    ) -> None:
        self.sink = sink or Sink(path, twins=twins)
        self.tree = PageTree(self.sink)
        self.tally, self.outline, self.names = Tally(), outline or Bookmarks(), Names()
        self.form = Form(forms, several=twins)
        self.tags, self.labels, self.layers, self.catalogue = Tags(), Shown(), Layers(), Catalogue()
        #: Whether fonts came along that tell of letters.
        self.fonts = False
        self._seed = b""

    def __enter__(self) -> "Binder":
        return self

    def __exit__(self, *_: object) -> None:
        self.sink.abandon()

    @property
    def pages(self) -> int:
        """Pages that stand in the result so far."""
        return len(self.tree)

    def add(self, part: Part, told: Progress | None = None) -> None:
        """The pages of a document, with what belongs to them; `told` hears how many stand, now and then."""
        writing = Writing(self, part)
        for at, place, again in part.standing():
            writing.add_page(at, place, again=again)
            if told and self.pages % _TELL == 0:
                told(self.pages)
        copier, before = part.copier, self.names.attachments
        self.form.add(part, writing.fields)
        copier.drain()
        self.tags.add(part, self.sink)
        self.names.add(part)
        self.outline.add(part)
        self.labels.add(part)
        copier.drain()
        self.layers.add(part)
        self.catalogue.add(part, files=self.names.attachments > before)
        copier.finish()
        self.fonts |= copier.shapes.fonts or part.whole.usage.fonts
        self._seed += repr((list(part.pages[:100]), part.whole.document.size)).encode()

    def add_page(self, write: PageWriter, place: int | None = None) -> int:
        """A page of no document, made by `write`; returns its number."""
        made = self.sink.reserve()
        write(self.sink, made, self.tree.stand(self.pages if place is None else place, made))
        return made

    def close(self) -> int:
        """Write what all documents share; the size of the result."""
        entries = [
            self.outline.close(self.sink),
            self.names.close(self.sink),
            self.labels.close(self.pages),
            self.form.close(self.sink),
            self.tags.close(self.sink),
            self.layers.close(),
            self.catalogue.close(),
        ]
        self.tree.close()
        root = self.sink.add(b"<</Type/Catalog/Pages %d 0 R%b>>" % (self.tree.root, b"".join(entries)))
        return self.sink.close(root, self.catalogue.info or None, os.fsencode(self.sink.path.name) + self._seed)

    def counts(self) -> tuple[Counts, Counts]:
        """What belonged to the chosen pages, and what the result holds."""
        tally, names, outline, form = self.tally, self.names, self.outline, self.form
        before = form.before if form.style == "keep" else 0
        return (
            Counts(outline.before, tally.links, tally.others, before, names.attachments, names.count),
            Counts(outline.after, tally.links_kept, tally.others, form.after, names.attachments, names.count),
        )


class Writing:
    """One document's pages while they are written."""

    def __init__(self, binder: Binder, part: Part) -> None:
        self.binder, self.part = binder, part
        binder.names.rename(part)
        binder.catalogue.begin(part)
        binder.tags.begin(part)
        self.fields = binder.form.begin(part)
        part.open(binder.sink)
        self.annotations = Annotations(part, self.fields, binder.tally)
        self._alike = part.alike
        self._letters: dict[Mould, tuple[dict[bytes, Any], Letter | None]] = {}

    def add_page(self, at: int, place: int, *, again: bool = False) -> None:
        """Write one page and what it refers to."""
        part, whole, copier, sink = self.part, self.part.whole, self.part.copier, self.binder.sink
        leaf, factor = whole.leaves[at], part.factors.get(place)
        found = whole.document.found(leaf.number)
        made = sink.reserve() if again else copier.claim(leaf.number)
        letter = self._letter(found, leaf) if self._alike and factor is None and not again else None
        # Of a page that stays as it is only the annotations are looked at.
        page = {} if letter else whole.page(at, found)
        entries = {} if letter else self._changed(page, place, factor, again=again)
        held = page.get(b"/Annots")
        if letter and b"/Annots" in found.mould.keys:
            held = found.mould.entry(b"/Annots", found.told)
        listed = self.annotations.take(part.notes(held, place), factor, again=again) if held else []
        links = b"/Annots[%b]" % b" ".join([b"%d 0 R" % each for each in listed]) if listed else b""
        above = self.binder.tree.stand(place, made)
        body = copier.filled(letter.text, letter.filled(found.told)) if letter else copier.text(entries)
        sink.put(made, b"<</Parent %d 0 R" % above + links + body[2:])
        copier.drain()

    def _letter(self, found: Any, leaf: Leaf) -> Letter | None:
        """How pages like this one are written, where nothing of them changes but /Parent and /Annots."""
        if type(found) is not Cast:
            return None
        known = self._letters.get(found.mould)
        if known is None or known[0] != leaf.inherited:
            letter = None
            if not found.offset and not found.mould.keys & _TOLD:
                entries = self._entries({**leaf.inherited, **found.mould.open()}, 0, again=False)
                letter = found.mould.letter(entries)
            known = self._letters[found.mould] = leaf.inherited, letter
        return known[1]

    def _changed(self, page: dict[bytes, Any], place: int, factor: float | None, *, again: bool) -> dict[bytes, Any]:
        entries = self.part.dressed(self._entries(page, place, again=again), place)
        if factor is None:
            return entries
        from cluster.engines.pages.scale import scaled_page

        return scaled_page(self.part.whole.document, self.part.copier, entries, factor)

    def _entries(self, page: dict[bytes, Any], place: int, *, again: bool) -> dict[bytes, Any]:
        part, whole = self.part, self.part.whole
        entries = {key: value for key, value in page.items() if key not in _LEFT}
        if b"/B" in page and part.complete and not again:
            entries[b"/B"] = page[b"/B"]
        if part.thin:
            entries[b"/Resources"] = whole.usage.pruned(page.get(b"/Resources"), whole.contents(page))
        elif b"/Resources" in page:
            entries[b"/Resources"] = page[b"/Resources"]
        if b"/StructParents" in entries:
            if again:
                entries.pop(b"/StructParents")
            else:
                part.copier.keys.add(number(entries[b"/StructParents"], -1))
                entries = part.shifted(entries)
        if turn := part.turns.get(place):
            entries[b"/Rotate"] = b"%d" % ((number(whole.document.get(page.get(b"/Rotate")), 0) + turn) % 360)
        return entries
