"""What a PDF carries and nobody sees: taken out, told apart once, or packed tighter."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluster.engines.compress.beside import beside
from cluster.engines.pdf.burden import unpacked
from cluster.engines.pdf.drawn import Key
from cluster.engines.pdf.streams import deflate

if TYPE_CHECKING:
    import pikepdf

#: Private data of the programs that made the file, and previews that readers draw themselves.
_PRIVATE = ("/PieceInfo", "/LastModified", "/SpiderInfo", "/Thumb")
#: Streams that are told apart by more than their bytes, or that are gone after saving.
_OWN = ("/ObjStm", "/XRef", "/Metadata", "/EmbeddedFile")

_REFERENCE = re.compile(rb"\b(\d+) (\d+) R\b")
#: Bytes that are packed at the same time.
_AT_ONCE = 64 << 20


def drop_private(pdf: "pikepdf.Pdf") -> None:
    """Remove private data, previews and resources that no page uses."""
    import pikepdf

    for node in (pdf.Root, *(page.obj for page in pdf.pages)):
        for key in _PRIVATE:
            if key in node:
                del node[key]
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Type") != "/Metadata":
            for key in ("/PieceInfo", "/LastModified", "/Metadata"):
                if key in each:
                    del each[key]
    pdf.remove_unreferenced_resources()


def drop_press_profile(pdf: "pikepdf.Pdf") -> bool:
    """Remove the printing condition of PDF/X, often most of a file; returns whether there was one."""
    import pikepdf

    intents = pdf.Root.get("/OutputIntents")
    if not isinstance(intents, pikepdf.Array):
        return False
    kept = [each for each in intents if not isinstance(each, pikepdf.Dictionary) or each.get("/S") != "/GTS_PDFX"]
    if len(kept) == len(intents):
        return False
    if kept:
        pdf.Root["/OutputIntents"] = pikepdf.Array(kept)
    else:
        del pdf.Root["/OutputIntents"]
    return True


def strip_metadata(pdf: "pikepdf.Pdf") -> None:
    """Remove title, author, program names and dates."""
    for node, key in ((pdf.Root, "/Metadata"), (pdf.trailer, "/Info")):
        if key in node:
            del node[key]
    for page in pdf.pages:
        if "/Metadata" in page.obj:
            del page.obj["/Metadata"]


def share_streams(pdf: "pikepdf.Pdf") -> int:
    """Let equal streams be one; returns how many went."""
    twins: dict[Key, Any] = {}
    for _ in range(3):  # what equal streams point at becomes equal first
        found = _twins(pdf)
        if not found:
            break
        twins |= found
        for each, references in _holders(pdf):
            if not references.isdisjoint(found):
                _point(each, found, 0)
    return len(twins)


def _twins(pdf: "pikepdf.Pdf") -> dict[Key, Any]:
    alike: dict[tuple[int, str], list[Any]] = {}
    for each in _shareable(pdf):
        alike.setdefault((len(each.read_raw_bytes()), str(each.get("/Subtype"))), []).append(each)
    several = [group for group in alike.values() if len(group) > 1]
    referenced = _referenced(pdf) if several else set()
    twins: dict[Key, Any] = {}
    for group in several:
        first: dict[bytes, Any] = {}
        for each in group:
            if each.objgen in referenced and (kept := first.setdefault(_mark(each), each)).objgen != each.objgen:
                twins[each.objgen] = kept
    return twins


def _shareable(pdf: "pikepdf.Pdf") -> Iterator[Any]:
    import pikepdf

    return (each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Type") not in _OWN)


def _mark(stream: Any) -> bytes:
    head = stream.stream_dict.unparse() if hasattr(stream, "stream_dict") else stream.unparse()
    return hashlib.sha256(head + b"\0" + stream.read_raw_bytes()).digest()


def _referenced(pdf: "pikepdf.Pdf") -> set[Key]:
    return set[Key]().union(*(references for _, references in _holders(pdf)))


def _holders(pdf: "pikepdf.Pdf") -> Iterator[tuple[Any, set[Key]]]:
    """Objects and what they refer to, read from their words: a string that looks like a reference counts as one."""
    import pikepdf

    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary | pikepdf.Array | pikepdf.Stream):
            words = (each.stream_dict if isinstance(each, pikepdf.Stream) else each).unparse(resolved=True)
            yield each, {(int(number), int(generation)) for number, generation in _REFERENCE.findall(words)}


def _point(node: Any, twins: dict[Key, Any], depth: int) -> None:
    for key, child in _children(node).items():
        if child.is_indirect:
            if child.objgen in twins:
                node[key] = twins[child.objgen]
        elif depth < 30:
            _point(child, twins, depth + 1)


def _children(node: Any) -> dict[Any, Any]:
    import pikepdf

    if isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        pairs: Any = ((key, node.get(key)) for key in node.keys() if _speakable(key))  # noqa: SIM118
    elif isinstance(node, pikepdf.Array):
        pairs = enumerate(node)
    else:
        return {}
    return {key: child for key, child in pairs if isinstance(child, pikepdf.Object)}


def _speakable(key: str) -> bool:
    """Names that are no UTF-8 can be listed, but not asked for."""
    try:
        key.encode()
    except UnicodeEncodeError:
        return False
    return True


def pack_streams(pdf: "pikepdf.Pdf", scales: dict[Key, float]) -> None:
    """Write every stream but the pictures in the fewest bytes, where that is smaller.

    scales: content stream -> points that its unit measures on the page at most; only these get shorter numbers.
    """
    for content, packed in beside(_packed, _contents(pdf, scales), lambda each: len(each.data), _AT_ONCE):
        content.put(packed)


@dataclass(frozen=True)
class _Content:
    """A stream without its filters, and what its unit measures (None: no content with numbers)."""

    stream: Any
    data: bytes
    scale: float | None

    def put(self, packed: bytes) -> None:
        import pikepdf

        if len(packed) < min(len(self.stream.read_raw_bytes()), len(self.data)):
            self.stream.write(packed, filter=pikepdf.Name.FlateDecode)


def _contents(pdf: "pikepdf.Pdf", scales: dict[Key, float]) -> Iterator[_Content]:
    import pikepdf

    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") != "/Image" and each.get("/Type") not in _OWN[:2]:
            data = unpacked(each)
            if data is not None:
                yield _Content(each, data, scales.get(each.objgen))


def _packed(content: _Content) -> bytes:
    from cluster.engines.pdf.content import shorten

    return deflate(content.data if content.scale is None else shorten(content.data, content.scale))
