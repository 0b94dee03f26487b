"""What a result has only one of: language, looks, metadata, what colours are meant for. The first document's stay."""

from typing import Any

from cluster.engines.pages.edits import base_of
from cluster.engines.pages.part import Part
from cluster.engines.pdf.reader import Document, Stream
from cluster.engines.pdf.syntax import Ref

_KEPT = b"/Lang /ViewerPreferences /PageMode /PageLayout /URI /Extensions".split()
#: Lists that every complete document adds to.
_LISTS = (b"/Threads", b"/AF")
#: Bytes of a colour profile that every part may carry.
_SMALL = 16_000


class Catalogue:
    """Gathers the rest of the catalogue; later documents' relative addresses are told in full."""

    def __init__(self) -> None:
        self.info = 0
        self._entries: dict[bytes, bytes] | None = None
        self._lists: dict[bytes, list[bytes]] = {key: [] for key in _LISTS}
        self._base = ""

    def begin(self, part: Part) -> None:
        """Addresses count from the first one's base; must come before anything is carried over."""
        base = base_of(part.whole.document)
        if self._entries is None:
            self._base = base
        elif base not in ("", self._base):
            part.edits.base = base

    def add(self, part: Part, *, files: bool) -> None:
        """Take over what this document adds; `files`: it brought attachments."""
        document, copier = part.whole.document, part.copier
        for key in _LISTS:
            if part.complete or (key == b"/AF" and files):
                self._lists[key] += [copier.text(each) for each in document.array(document.root.get(key))]
        if self._entries is None:
            self._entries = {key: copier.text(value) for key, value in self._first(part, files).items()}
            info = document.table.trailer.get(b"/Info")
            self.info = int(copier.refer(info).split()[0]) if type(info) is Ref else 0

    def close(self) -> bytes:
        """The catalogue's entries."""
        lists = {key: b"[%b]" % b" ".join(held) for key, held in self._lists.items() if held}
        return b" ".join([b"%b %b" % each for each in ((self._entries or {}) | lists).items()])

    def _first(self, part: Part, files: bool) -> dict[bytes, Any]:
        root = part.whole.document.root
        entries = {key: root[key] for key in _KEPT if key in root}
        entries |= _metadata(part) | _intents(part.whole.document, slim=not part.complete)
        if not files and entries.get(b"/PageMode") == b"/UseAttachments":
            entries.pop(b"/PageMode")
        opening = part.place(root.get(b"/OpenAction", b"null"))
        return entries | ({b"/OpenAction": opening} if opening else {})


def _metadata(part: Part) -> dict[bytes, Any]:
    """XMP, where nothing else tells title and author: it is history, thumbnails and claims of the whole document."""
    document = part.whole.document
    told = document.dictionary(document.table.trailer.get(b"/Info")).keys() & {b"/Title", b"/Author"}
    wanted = b"/Metadata" in document.root and (part.complete or not told)
    return {b"/Metadata": document.root[b"/Metadata"]} if wanted else {}


def _intents(document: Document, *, slim: bool) -> dict[bytes, Any]:
    """What colours are meant for; a part goes without a large profile where the name of its registry tells it."""
    kept = []
    for each in document.array(document.root.get(b"/OutputIntents")):
        intent, profile = document.dictionary(each), document.get(document.dictionary(each).get(b"/DestOutputProfile"))
        large = slim and type(profile) is Stream and profile.length > _SMALL and b"/RegistryName" in intent
        kept.append({key: value for key, value in intent.items() if key != b"/DestOutputProfile"} if large else each)
    return {b"/OutputIntents": kept} if kept else {}
