"""What every answer says of itself to browsers, and the answers of calls, for which it is written once."""

from collections.abc import Iterator
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
#: Headers as they go over the wire: the first one's name, and its value with all the other headers after it.
Written = tuple[bytes, bytes]


def _written(**more: str) -> Written:
    headers = {**HEADERS, "Cache-Control": "no-store", **more}
    lines = [f"{name.lower()}: {value}" for name, value in headers.items()]
    name, _, value = "\r\n".join(lines).encode().partition(b": ")
    return name, value


#: What a call's answer says of itself; and one that has been written already, packed and not.
USUAL = _written()
UNPACKED = _written(Vary="Accept-Encoding")
PACKED = _written(**{"Vary": "Accept-Encoding", "Content-Encoding": "gzip"})
_JSON = "application/json"
_ONLY_JSON = ((b"content-type", _JSON.encode()),)


class Answer(HTTPResponse):
    """A call's answer, fresh each time. HEADERS need not be set, and what is `known` goes over the wire as it stands:
    looking each through for what may not be in a header costs as much as a small answer. `request` is its id."""

    __slots__ = ("known", "request")

    def __init__(self, body: bytes, known: Written = USUAL) -> None:
        super().__init__(body, content_type=_JSON)
        self.known, self.request = known, ""

    @property
    def processed_headers(self) -> Iterator[tuple[bytes, bytes]]:
        """All of them, as Sanic sends them."""
        headers = self.headers
        # Sanic's own two, which it has just set; what else is there is looked through.
        size, connection = headers.pop("content-length"), headers.pop("connection")
        own = (self.known, (b"content-length", b"%d" % size), (b"connection", connection.encode()))
        number = ((b"x-request-id", self.request.encode()),)
        return chain(own, number, super().processed_headers if headers else _ONLY_JSON)
