"""The catalog of a part: what belongs to the document as a whole."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cluster.engines.pages.copier import NULL, Copier
from cluster.engines.pages.targets import tree_items
from cluster.engines.pdf.reader import Document, Stream
from cluster.engines.pdf.syntax import Ref

if TYPE_CHECKING:
    from cluster.engines.pages.whole import Whole

_KEPT = b"/Lang /ViewerPreferences /PageMode /PageLayout /MarkInfo /URI /Extensions".split()
#: Bytes of a colour profile that every part may carry.
_SMALL = 16_000


def catalog(
    whole: "Whole",
    copier: Copier,
    pages: Sequence[int],
    tree: int,
    entries: dict[bytes, Any],
    made: dict[bytes, int | None],
    attachments: bool,
) -> tuple[int, int]:
    """Write the catalog; its number and how many attachments it carries.

    `entries` are values of the source, `made` numbers of the sink (`names` is the tree of destinations).
    """
    document = whole.document
    entries |= {key: document.root[key] for key in _KEPT if key in document.root}
    entries |= _metadata(document) | _intents(document)
    names, files = _names(whole, copier, made.pop(b"names"), attachments)
    if files and b"/AF" in document.root:
        entries[b"/AF"] = document.root[b"/AF"]
    if not files and entries.get(b"/PageMode") == b"/UseAttachments":
        entries.pop(b"/PageMode")
    if labels := whole.labels.part(pages):
        entries[b"/PageLabels"] = labels
    opening = whole.targets.explicit(document.root.get(b"/OpenAction"))
    if opening and whole.index[opening[0]] in set(pages):
        entries[b"/OpenAction"] = opening
    copier.drain()
    if layers := _layers(whole, copier):
        entries[b"/OCProperties"] = layers
    own = b"/Type/Catalog/Pages %d 0 R" % tree
    own += b"".join([b"%b %d 0 R" % (key, number) for key, number in made.items() if number]) + names
    root = copier.sink.reserve()
    copier.sink.put(root, b"<<" + own + copier.text(entries)[2:])
    return root, files


def _metadata(document: Document) -> dict[bytes, Any]:
    """XMP, where nothing else tells title and author: it is history, thumbnails and claims of the whole document."""
    told = document.dictionary(document.table.trailer.get(b"/Info")).keys() & {b"/Title", b"/Author"}
    return {key: document.root[key] for key in (b"/Metadata",) if key in document.root and not told}


def _intents(document: Document) -> dict[bytes, Any]:
    """What colours are meant for; a large profile stays behind where the name of its registry tells which it is."""
    kept = []
    for each in document.array(document.root.get(b"/OutputIntents")):
        intent, profile = document.dictionary(each), document.get(document.dictionary(each).get(b"/DestOutputProfile"))
        large = type(profile) is Stream and profile.length > _SMALL and b"/RegistryName" in intent
        kept.append({key: value for key, value in intent.items() if key != b"/DestOutputProfile"} if large else each)
    return {b"/OutputIntents": kept} if kept else {}


def _names(whole: "Whole", copier: Copier, tree: int | None, attachments: bool) -> tuple[bytes, int]:
    document = whole.document
    held = document.dictionary(document.root.get(b"/Names"))
    parts, files = [b"/Dests %d 0 R" % tree] if tree else [], 0
    if attachments and b"/EmbeddedFiles" in held:
        pairs = [part for pair in tree_items(document, held[b"/EmbeddedFiles"], b"/Names") for part in pair]
        files = len(pairs) // 2
        parts.append(b"/EmbeddedFiles" + copier.text({b"/Names": pairs}))
    if b"/JavaScript" in held:
        parts.append(b"/JavaScript " + copier.text(held[b"/JavaScript"]))
    return (b"/Names<<" + b"".join(parts) + b">>" if parts else b""), files


def _layers(whole: "Whole", copier: Copier) -> dict[bytes, Any] | None:
    """/OCProperties with only the layers that came along."""
    held = whole.document.dictionary(whole.document.root.get(b"/OCProperties"))
    if not held:
        return None
    return {key: _known(whole, copier, value, 0) for key, value in held.items()}


def _known(whole: "Whole", copier: Copier, value: Any, depth: int) -> Any:
    if type(value) is Ref:
        if copier.names.get(value, NULL) != NULL:
            return value
        found = whole.document.get(value)
        if type(found) not in (dict, list) or (type(found) is dict and found.get(b"/Type") == b"/OCG") or depth > 20:
            return b"null"
        return _known(whole, copier, found, depth + 1)
    if type(value) is dict:
        return {key: _known(whole, copier, each, depth + 1) for key, each in value.items()}
    if type(value) is list:
        known = [_known(whole, copier, each, depth + 1) for each in value]
        return [each for each in known if each != b"null"]
    return value
