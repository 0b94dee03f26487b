"""Streams that lie in a document as they are, or in an old coding, packed as a fresh copy would have them."""

import os
import zlib
from typing import Any

from cluster.engines.pdf.reader import Broken, Document, Stream, TooLarge
from cluster.engines.pdf.usage import decode_any

_OLD = frozenset(
    b"/ASCIIHexDecode /AHx /ASCII85Decode /A85 /LZWDecode /LZW /RunLengthDecode /RL /FlateDecode /Fl".split()
)
_FLATE = frozenset((b"/FlateDecode", b"/Fl"))
#: Smaller ones come out larger; larger ones are copied from file to file, in seconds where packing takes minutes.
LEAST, _MOST = 64, 32 << 20
_BLOCK = 1 << 20


def packed(document: Document, stream: Stream) -> bytes | None:
    """The stream's bytes in Flate, when that is smaller than what it is in; None when it should stay as it is."""
    names = _filters(document, stream)
    if not LEAST < stream.length <= _MOST or not names <= _OLD:
        return None
    if names and names <= _FLATE and not (b"/DecodeParms" not in stream.entries and is_weak(document, stream.offset)):
        return None
    made = _recoded(document, stream) if names else _deflated(document, stream)
    return made if made is not None and len(made) < stream.length else None


def _filters(document: Document, stream: Stream) -> set[Any]:
    held = document.get(stream.entries.get(b"/Filter", b"null"))
    names = {document.get(each) for each in held} if type(held) is list else {held}
    return {name if type(name) is bytes else b"?" for name in names} - {b"null"}


def is_packed(entries: dict[bytes, Any]) -> bool | None:
    """Whether a stream stays as it is, whatever its bytes are; None: unless its Flate is weak."""
    name = entries.get(b"/Filter")
    if type(name) is not bytes or name == b"null":
        return False
    return (b"/DecodeParms" in entries or None) if name in _FLATE else name not in _OLD


def is_weak(document: Document, offset: int) -> bool:
    """Whether Flate says of itself that it was packed in haste or through a small window, as old writers do."""
    head = document.read_at(offset, 2)
    return head[0] >> 4 < 7 or head[1] >> 6 == 0


def _deflated(document: Document, stream: Stream) -> bytes:
    packer, made = zlib.compressobj(6), bytearray()
    for start in range(0, stream.length, _BLOCK):
        made += packer.compress(os.pread(document.file, min(_BLOCK, stream.length - start), stream.offset + start))
    return bytes(made + packer.flush())


def _recoded(document: Document, stream: Stream) -> bytes | None:
    try:
        return zlib.compress(decode_any(document, stream), 6)
    except (Broken, TooLarge):
        return None
