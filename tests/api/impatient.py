"""The API with bounds so short that a test of slow requests need not wait half a minute."""

from api import __main__, app, connection

#: Seconds of a head, and of a body beside its bytes at this rate.
HEAD, GRACE, RATE = 2.0, 3.0, 1000


def main() -> None:
    """The server's own main under these bounds, in a process of its own (tests.api.forked)."""
    app.HEAD = connection.HEAD = HEAD
    connection.GRACE, connection.RATE = GRACE, RATE
    __main__.main()
