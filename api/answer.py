"""What every answer says of itself to browsers, and the answers of calls, for which it is written once."""

from collections.abc import Iterator

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
_WRITTEN = tuple((name.lower().encode(), value.encode()) for name, value in HEADERS.items())


class Answer(HTTPResponse):
    """A call's answer, fresh each time. HEADERS need not be set: looking each through for what may not stand in a
    header costs as much as a small answer itself."""

    __slots__ = ()

    def __init__(self, body: bytes, **headers: str) -> None:
        super().__init__(body, 200, {"Cache-Control": "no-store", **headers}, "application/json")

    @property
    def processed_headers(self) -> Iterator[tuple[bytes, bytes]]:
        """All of them, as Sanic sends them."""
        yield from _WRITTEN
        yield from super().processed_headers
