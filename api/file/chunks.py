"""aws-chunked bodies: `<hex size>[;chunk-signature=…]\\r\\n<bytes>\\r\\n … 0\\r\\n<trailers>\\r\\n`."""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field

from api.file.sigv4 import Signature, Unsigned, signing_key
from cluster.numbers import whole_hex

#: A size line or a trailer is never longer.
_LINE = 4096
_TRAILERS = 16
_EMPTY = hashlib.sha256(b"").hexdigest()


@dataclass
class ChunkSigner:
    """Follows the chain of chunk signatures from the request's own."""

    found: Signature
    secret: str = field(repr=False)
    previous: str = ""

    def __post_init__(self) -> None:
        self.previous = self.found.mark
        self.key = signing_key(self.secret, self.found.scope)

    def check(self, digest: str, mark: str) -> None:
        """Raises Unsigned unless `mark` signs the chunk with this SHA-256."""
        moment = self.found.moment.strftime("%Y%m%dT%H%M%SZ")
        lines = ("AWS4-HMAC-SHA256-PAYLOAD", moment, str(self.found.scope), self.previous, _EMPTY, digest)
        expected = hmac.new(self.key, "\n".join(lines).encode(), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected.encode(), mark.encode()):
            raise Unsigned("SignatureDoesNotMatch", "A chunk's signature does not match.")
        self.previous = expected


class ChunkReader:
    """Takes an aws-chunked body in pieces, gives the payload in pieces; memory stays one piece."""

    def __init__(self, signer: ChunkSigner | None) -> None:
        self.signer = signer
        self.buffer = bytearray()
        self.left = 0
        self.mark = ""
        self.digest = hashlib.sha256()
        self.phase = "size"
        self.trailers: dict[str, str] = {}

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Payload in `data`. Raises Unsigned when the framing or a signature is wrong."""
        self.buffer += data
        while (piece := self._step()) is not None:
            if piece:
                yield piece
        if self.phase != "data" and len(self.buffer) > _LINE:
            raise _malformed()

    def finish(self) -> None:
        """Raises Unsigned when the body ended early."""
        if self.phase != "trailers" or (self.buffer and bytes(self.buffer) != b"\r\n"):
            raise Unsigned("IncompleteBody", "The body ended early.")

    def _step(self) -> bytes | None:
        """One step: payload bytes, b"" for progress without any, None when more input is needed."""
        if self.phase == "data":
            return self._data()
        line = self._line()
        if line is None:
            return None
        if self.phase == "size":
            self._size(line)
        elif self.phase == "end":
            if line:
                raise _malformed()
            self._chunk_over()
        elif line:
            if len(self.trailers) >= _TRAILERS:
                raise _malformed()
            name, _, value = line.partition(":")
            self.trailers[name.strip().lower()] = value.strip()
        return b""

    def _data(self) -> bytes | None:
        if not self.buffer:
            return None
        piece = bytes(self.buffer[: self.left])
        del self.buffer[: len(piece)]
        self.left -= len(piece)
        if self.signer:
            self.digest.update(piece)
        self.phase = "data" if self.left else "end"
        return piece

    def _size(self, line: str) -> None:
        size, _, extension = line.partition(";")
        try:
            self.left = whole_hex(size)
        except ValueError:
            raise _malformed() from None
        self.mark = extension.partition("chunk-signature=")[2].strip()
        self.digest = hashlib.sha256()
        self.phase = "data" if self.left else "trailers"
        if not self.left:
            self._signed()

    def _chunk_over(self) -> None:
        self._signed()
        self.phase = "size"

    def _signed(self) -> None:
        if self.signer:
            self.signer.check(self.digest.hexdigest(), self.mark)

    def _line(self) -> str | None:
        end = self.buffer.find(b"\r\n")
        if end < 0:
            return None
        line = bytes(self.buffer[:end]).decode("latin-1")
        del self.buffer[: end + 2]
        return line


def _malformed() -> Unsigned:
    return Unsigned("InvalidRequest", "The chunked body is malformed.")
