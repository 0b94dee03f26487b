"""What every answer says of itself to browsers, and the answers of calls, for which it is written once."""

from collections.abc import Iterator, Mapping
from itertools import chain

from sanic import HTTPResponse

#: What no page of ours asks the browser for, so that nothing that gets into one can.
_UNUSED = (
    "accelerometer",
    "browsing-topics",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{each}=()" for each in _UNUSED),
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
#: Headers as they go over the wire.
Written = tuple[tuple[bytes, bytes], ...]


def _written(headers: Mapping[str, str]) -> Written:
    return tuple((name.lower().encode(), value.encode()) for name, value in headers.items())


_FRESH = _written({**HEADERS, "Cache-Control": "no-store"})
#: What tells of an answer that has been written already, packed and not.
PACKED = _written({"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
UNPACKED = _written({"Vary": "Accept-Encoding"})


class Answer(HTTPResponse):
    """A call's answer, fresh each time. HEADERS need not be set, and what is `known` goes over the wire as it stands:
    looking each through for what may not be in a header costs as much as a small answer. `request` is its id."""

    __slots__ = ("known", "request")

    def __init__(self, body: bytes, known: Written = ()) -> None:
        super().__init__(body, 200, None, "application/json")
        self.known, self.request = known, ""

    @property
    def processed_headers(self) -> Iterator[tuple[bytes, bytes]]:
        """All of them, as Sanic sends them."""
        return chain(_FRESH, self.known, ((b"x-request-id", self.request.encode()),), super().processed_headers)
