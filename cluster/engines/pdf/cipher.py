"""What a locked document's strings and streams say, once qpdf has found the key to it."""

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher as Coded
from cryptography.hazmat.primitives.ciphers import CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from cluster.engines.pdf.reader import Document, Stream
from cluster.engines.pdf.syntax import Unreadable, literal, string

if TYPE_CHECKING:
    import pikepdf

#: Bytes of one AES block; the first of what is coded decides how the next is read.
_BLOCK = 16
#: What passes through at a time: it stays in the processor's cache.
_STEP = 256 << 10
_METHODS = frozenset(("none", "rc4", "aes", "aesv3"))


class Cipher:
    """The methods and the key of one document. Unreadable where it mixes them: that is left to qpdf."""

    def __init__(self, held: "pikepdf.models.EncryptionInfo", *, metadata: bool) -> None:
        self._key, self._metadata = held.encryption_key, metadata
        self._strings, self._streams = held.string_method.name, held.stream_method.name
        if held.file_method != held.stream_method or not {self._strings, self._streams} <= _METHODS:
            raise Unreadable("crypt filters")

    def opened(self, numbered: int, value: Any) -> Any:
        """`value`, of the object of that number, with its strings as they were written."""
        kind = type(value)
        if self._strings == "none":
            return value
        if kind is bytes:
            return literal(self._read(numbered, string(value))) if value[:1] in (b"(", b"<") else value
        if kind is list:
            return [self.opened(numbered, each) for each in value]
        if kind is not dict:
            return value
        # A signature signs all but itself: its own bytes are not coded.
        left = b"/Contents" if b"/ByteRange" in value and value.get(b"/Type") == b"/Sig" else b""
        return {key: each if key == left else self.opened(numbered, each) for key, each in value.items()}

    def blocks(self, document: Document, numbered: int, stream: Stream) -> tuple[int, Iterator[bytes]]:
        """The bytes of the stream of that number as they were coded, still in their filters: how many, and they."""
        method = self._method(document, stream.entries)
        if method == "none" or not stream.length:
            return stream.length, _pieces(document, stream.offset, stream.length)
        if method == "rc4":
            opener = Coded(ARC4(self._key_of(numbered, method)), None).decryptor()
            return stream.length, map(opener.update, _pieces(document, stream.offset, stream.length))
        key, begun = self._key_of(numbered, method), stream.offset + _BLOCK
        length = _unpadded(key, document.read_at(stream.offset + stream.length - 2 * _BLOCK, 2 * _BLOCK), stream.length)
        opener = _aes(key, document.read_at(stream.offset, _BLOCK))
        return length, _cut(map(opener.update, _pieces(document, begun, stream.length - _BLOCK)), length)

    def _method(self, document: Document, entries: dict[bytes, Any]) -> str:
        held = document.get(entries.get(b"/Filter", b"null"))
        if b"/Crypt" in (held if type(held) is list else [held]):
            raise Unreadable("crypt filter")
        kind = entries.get(b"/Type")
        return "none" if kind == b"/XRef" or (kind == b"/Metadata" and not self._metadata) else self._streams

    def _read(self, numbered: int, data: bytes) -> bytes:
        if not data:
            return data
        key = self._key_of(numbered, self._strings)
        if self._strings == "rc4":
            return Coded(ARC4(key), None).decryptor().update(data)
        length = _unpadded(key, data[-2 * _BLOCK :], len(data))
        return _aes(key, data[:_BLOCK]).update(data[_BLOCK:])[:length]

    def _key_of(self, numbered: int, method: str) -> bytes:
        """The object's own key, where each has its own; generations above 0 are never read here."""
        if method == "aesv3":
            return self._key
        salt = b"sAlT" if method == "aes" else b""
        made = hashlib.md5(self._key + numbered.to_bytes(3, "little") + bytes(2) + salt, usedforsecurity=False)
        return made.digest()[: min(len(self._key) + 5, 16)]


def _aes(key: bytes, before: bytes) -> CipherContext:
    return Coded(AES(key), CBC(before)).decryptor()


def _unpadded(key: bytes, last: bytes, length: int) -> int:
    """How many bytes of `length` are told, by the `last` two blocks."""
    if length % _BLOCK or len(last) < 2 * _BLOCK:
        raise Unreadable("coded length")
    padding = _aes(key, last[:_BLOCK]).update(last[_BLOCK:])[-1]
    if not 0 < padding <= _BLOCK:
        raise Unreadable("padding")
    return length - _BLOCK - padding


def _pieces(document: Document, offset: int, length: int) -> Iterator[bytes]:
    for start in range(offset, offset + length, _STEP):
        yield document.read_at(start, min(_STEP, offset + length - start))


def _cut(blocks: Iterator[bytes], length: int) -> Iterator[bytes]:
    for block in blocks:
        yield block[:length]
        length -= len(block)
