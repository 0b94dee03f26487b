"""What a locked document's strings and streams say, once qpdf has found the key to it."""

import hashlib
from collections.abc import Iterable, Iterator
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
#: Bytes, or a view of them where a copy would be all that is done.
Buffer = bytes | memoryview
#: What passes through at a time: it stays in the processor's cache.
_STEP = 256 << 10
_METHODS = frozenset(("none", "rc4", "aes", "aesv3"))


class Cipher:
    """The methods and the key of one document. Unreadable where it mixes them: that is left to qpdf."""

    def __init__(self, held: "pikepdf.models.EncryptionInfo", *, metadata: bool) -> None:
        self._key, self._metadata = held.encryption_key, metadata
        # Before filters could be named there was but one, and qpdf names none.
        named = (
            [each.name for each in (held.string_method, held.stream_method, held.file_method)] if held.V >= 4 else []
        )
        self._strings, self._streams, files = named or ("rc4", "rc4", "rc4")
        if files != self._streams or not {self._strings, self._streams} <= _METHODS:
            raise Unreadable("crypt filters")
        if "aesv3" in (self._strings, self._streams):
            #: Checked once, for all objects share it.
            self._one = AES(self._key)

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

    def blocks(self, document: Document, numbered: int, stream: Stream) -> tuple[int, Iterable[Buffer]]:
        """The bytes of the stream of that number as they were coded, still in their filters: how many, and they."""
        method, offset, length = self._method(document, stream.entries), stream.offset, stream.length
        if method == "none" or not length:
            return length, _pieces(document, offset, length)
        key = self._key_of(numbered, method)
        if isinstance(key, ARC4):
            return length, map(Coded(key, None).decryptor().update, _pieces(document, offset, length))
        if length <= _STEP:
            data = _opened(key, document.read_at(offset, length))
            return len(data), (data,)
        told = length - _BLOCK - _padding(_opened_raw(key, document.read_at(offset + length - 2 * _BLOCK, 2 * _BLOCK)))
        opener = _aes(key, document.read_at(offset, _BLOCK))
        return told, _cut(map(opener.update, _pieces(document, offset + _BLOCK, length - _BLOCK)), told)

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
        return Coded(key, None).decryptor().update(data) if isinstance(key, ARC4) else bytes(_opened(key, data))

    def _key_of(self, numbered: int, method: str) -> AES | ARC4:
        """The object's own key, where each has its own; generations above 0 are never read here."""
        if method == "aesv3":
            return self._one
        salt = b"sAlT" if method == "aes" else b""
        made = hashlib.md5(self._key + numbered.to_bytes(3, "little") + bytes(2) + salt, usedforsecurity=False)
        return (AES if salt else ARC4)(made.digest()[: min(len(self._key) + 5, 16)])


def _aes(key: AES, before: bytes) -> CipherContext:
    return Coded(key, CBC(before)).decryptor()


def _opened(key: AES, data: bytes) -> memoryview:
    """What `data` says: its first block is none of it, and its last byte tells how many stand there for nothing."""
    made = _opened_raw(key, data)
    return memoryview(made)[: -_padding(made)]


def _opened_raw(key: AES, data: bytes) -> bytes:
    if len(data) % _BLOCK or len(data) < 2 * _BLOCK:
        raise Unreadable("coded length")
    return _aes(key, data[:_BLOCK]).update(memoryview(data)[_BLOCK:])


def _padding(made: bytes) -> int:
    if not 0 < made[-1] <= _BLOCK:
        raise Unreadable("padding")
    return made[-1]


def _pieces(document: Document, offset: int, length: int) -> Iterator[bytes]:
    for start in range(offset, offset + length, _STEP):
        yield document.read_at(start, min(_STEP, offset + length - start))


def _cut(blocks: Iterator[bytes], length: int) -> Iterator[Buffer]:
    for block in blocks:
        yield memoryview(block)[:length]
        length -= len(block)
